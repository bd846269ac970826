"""Results of studies as they are stored: tables of numbers with what they were computed from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np

from ldp_core._arrays import Floats
from ldp_core._validate import check_option

__all__ = ["Study", "Table", "load", "names"]


@dataclass(frozen=True, eq=False, repr=False)
class Table(Mapping[str, Floats]):
    """One part of a study: a mapping of columns (models, say) to their values in every repetition."""

    #: The settings at which every column was measured, in order: ``{"epsilon": [0.5, 1.0]}``. The axes of a value.
    at: dict[str, list[Any]]
    columns: dict[str, Floats]  #: For each column an array with one axis for each setting, and the repetitions last.
    files: dict[str, str]  #: SHA-256 of each file that was read.
    rows: str  #: What the rows are, in words for a reader: ``"UCI Car Evaluation: 1,728 rows"``.
    versions: dict[str, str]  #: Python and packages that it was run with.
    seconds: float  #: Processor time that it took.

    def __repr__(self) -> str:
        settings = ", ".join(f"{len(places)} × {name}" for name, places in self.at.items())
        return f"<Table of {len(self)} columns at {settings or 'one setting'}, {self.repetitions} repetitions>"

    def __getitem__(self, column: str) -> Floats:
        return self.columns[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def repetitions(self) -> int:
        """How often everything was repeated."""
        return int(next(iter(self.columns.values())).shape[-1])


@dataclass(frozen=True, eq=False, repr=False)
class Study(Mapping[str, Table]):
    """A stored study: a mapping of its parts to their tables."""

    name: str  #: What :func:`load` calls it.
    tables: dict[str, Table]  #: The parts.

    def __repr__(self) -> str:
        return f"<Study {self.name}: {', '.join(self)}>"

    def __getitem__(self, part: str) -> Table:
        return self.tables[part]

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def describe(self) -> str:
        """Say in two sentences what was computed from what; a chapter prints it below the numbers."""
        read = dict.fromkeys(table.rows for table in self.values())
        counts = sorted({t.repetitions for t in self.values()})
        often = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        minutes = max(1, round(sum(t.seconds for t in self.values()) / 60))
        return (
            "The numbers of this study are stored, not computed while the page is built. They come from the real files:"
            f" {'; '.join(read)}. Repetitions: {often}; processor time: {minutes} minute{'s' * (minutes > 1)};"
            " make study runs it again (its results name the files' checksums)."
        )


def names() -> tuple[str, ...]:
    """Return the names of the studies whose results are stored."""
    files = (file.name for file in resources.files("ldp_book.studies").joinpath("results").iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in files if name.endswith(".json")))


def load(name: str) -> Study:
    """Return the stored results of the study of that name, one of :func:`names`."""
    check_option(name, "name", names())
    text = resources.files("ldp_book.studies").joinpath("results", f"{name}.json").read_text(encoding="utf-8")
    return Study(name, {part: from_json(entry) for part, entry in json.loads(text).items()})


def from_json(entry: dict[str, Any]) -> Table:
    """Return the table that one part of a file holds."""
    columns = {column: np.array(numbers, dtype=float) for column, numbers in entry["columns"].items()}
    return Table(**(entry | {"columns": columns}))


def to_json(table: Table) -> dict[str, Any]:
    """Return what a file holds of a table: its values rounded to six digits."""
    columns = {column: np.round(numbers, 6).tolist() for column, numbers in table.items()}
    return {**vars(table), "columns": columns}
