"""Stand-ins that are the real file: data sets that a hierarchy of decision tables produced can be produced again.

Car and Nursery hold every combination of their attributes' values once, in order, and the class was computed from them
by a hierarchical decision model: tables that map a few attributes to a level of an intermediate concept, and those
levels in turn to the class. With the tables at hand, every row of the real file comes out, in its place.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
from itertools import product

import pandas as pd

from ldp_book.datasets.rows import build_frame
from ldp_book.datasets.source import Columns

__all__ = ["FIELDS", "Table", "evaluate", "parse_tables", "rebuild"]

#: Columns of a file of rules.
FIELDS = ("concept", "inputs", "values", "level")


@dataclass(frozen=True)
class Table:
    """One concept: its level for each combination of the values that it depends on."""

    concept: str  #: Its name.
    inputs: tuple[str, ...]  #: The attributes, or other concepts, that it depends on.
    levels: dict[tuple[str, ...], str]  #: The level for each combination.


def rebuild(name: str, columns: Columns) -> pd.DataFrame:
    """Return every row of the data set of a name whose decision tables are packaged as ``standins/<name>.csv``."""
    text = resources.files(__package__).joinpath("standins", f"{name}.csv").read_text(encoding="utf-8")
    return evaluate(parse_tables(text.splitlines()), columns)


def parse_tables(lines: Iterable[str]) -> list[Table]:
    """Read decision tables from lines of CSV with the columns of `FIELDS`, lists separated by blanks."""
    tables: dict[str, Table] = {}
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        table = tables.setdefault(row["concept"], Table(row["concept"], tuple(row["inputs"].split()), {}))
        table.levels[tuple(row["values"].split())] = row["level"]
    return list(tables.values())


def evaluate(tables: list[Table], columns: Columns) -> pd.DataFrame:
    """Return every combination of the attributes' values, with the concept that the last table computes.

    In the tables every concept comes after those it depends on, and the last one's is the target; of the columns the
    last attribute changes fastest.
    """
    target = tables[-1].concept
    values = [(name, kind) for name, kind in columns.items() if name != target and isinstance(kind, tuple)]
    cells = dict(
        zip((name for name, _ in values), zip(*product(*(kind for _, kind in values)), strict=True), strict=True)
    )
    for table in tables:
        inputs = zip(*(cells[name] for name in table.inputs), strict=True)
        cells[table.concept] = tuple(table.levels[combination] for combination in inputs)
    return build_frame(cells, columns)
