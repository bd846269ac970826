"""How a study runs: part by part, repetition by repetition, each with a seed of its own."""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import json
import pkgutil
import platform
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

import ldp_core
from ldp_book import datasets
from ldp_book.studies.stored import Table, from_json, to_json
from ldp_core._arrays import Floats
from ldp_core._validate import check_int, check_option

__all__ = ["Part", "defined", "parts", "repetition", "run", "save", "seed"]

#: One repetition: takes the data set and a seed, gives every column's values.
Repetition = Callable[[Any, int], Mapping[str, npt.ArrayLike]]


@dataclass(frozen=True)
class Part:
    """What one table of a study holds."""

    data: str  #: Name of the data set, loaded from its real file.
    at: Mapping[str, Sequence[Any]]  #: The settings at which each column is measured: the axes of its values.
    repetitions: int  #: How often.
    #: Takes the data set and a seed; returns a mapping of columns to arrays with one axis for each setting. It must be
    #: defined at the top of a module (or be a ``functools.partial`` of such a function), so that other processes find
    #: it, take all its randomness from the seed, and stay within about ten seconds.
    run: Repetition


def defined() -> tuple[str, ...]:
    """Return the names of the studies: the modules of this package that have a ``STUDY``."""
    modules = (info.name for info in pkgutil.iter_modules(importlib.import_module("ldp_book.studies").__path__))
    return tuple(name for name in sorted(modules) if name not in {"__main__", "running", "stored"})


def parts(study: str) -> dict[str, Part]:
    """Return the parts of a study, one of :func:`defined`."""
    check_option(study, "study", defined())
    found: dict[str, Part] = importlib.import_module(f"ldp_book.studies.{study}").STUDY
    return found


def seed(study: str, part: str, r: int) -> int:
    """Return the seed of repetition r of a part of a study: a hash of these names, so that no two share one."""
    digest = hashlib.sha256(f"{study}/{part}/{r}".encode()).digest()
    return int.from_bytes(digest[:4], "big")


def repetition(study: str, part: str, r: int) -> dict[str, Floats]:
    """Compute repetition r of a part of a study, from the real file: by column an array, one axis for each setting."""
    every = parts(study)
    check_option(part, "part", tuple(every))
    what = every[part]
    check_int(r, "r", 0, what.repetitions - 1)
    data = datasets.load(what.data, source="uci")
    shape = tuple(len(places) for places in what.at.values())
    with threadpool_limits(1):  # small matrices: more threads only wait for each other
        columns = what.run(data, seed(study, part, r))
    arrays = {column: np.asarray(values, dtype=float) for column, values in columns.items()}
    for column, values in arrays.items():
        if values.shape != shape:
            raise ValueError(f"column {column!r} of {study}/{part} must have shape {shape}, got {values.shape}")
    return arrays


def run(study: str, part: str, *, jobs: int | None = None, say: Callable[[str], None] = lambda _: None) -> Table:
    """Run all repetitions of a part of a study, in several processes.

    ``jobs`` is their number (None: one for each processor), and ``say`` is told how far it is.
    """
    every = parts(study)
    check_option(part, "part", tuple(every))
    what = every[part]
    data = datasets.load(what.data, source="uci")  # before anything is computed: without the file there is no study
    done, seconds = [], 0.0
    pool = nullcontext() if jobs == 1 else ProcessPoolExecutor(jobs)
    with pool as processes:
        each = map if processes is None else processes.map
        for taken, columns in each(_timed, [(study, part, r) for r in range(what.repetitions)]):
            done.append(columns)
            seconds += taken
            say(f"{study}/{part}: {len(done)} of {what.repetitions}")
    return Table(
        at={name: list(places) for name, places in what.at.items()},
        columns={column: np.stack([columns[column] for columns in done], axis=-1) for column in done[0]},
        files={file.path: file.sha256 for file in data.about.files},
        rows=f"{data.title}, {len(data.frame):,} rows",
        versions=_versions(),
        seconds=round(seconds, 1),
    )


def save(study: str, tables: Mapping[str, Table], folder: Path | None = None) -> Path:
    """Store tables of a study; parts that are stored already and not among them stay, unless the study lost them.

    The folder is that of the package, unless another one is given.
    """
    every = parts(study)
    folder = Path(__file__).parent / "results" if folder is None else folder
    file = folder / f"{study}.json"
    old = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    stored = {part: from_json(entry) for part, entry in old.items()} | dict(tables)
    text = json.dumps({part: to_json(stored[part]) for part in every if part in stored}, separators=(",", ":"))
    part_file = file.with_suffix(".part")
    part_file.write_text(text.replace('},"', '},\n"') + "\n", encoding="utf-8")
    part_file.replace(file)  # never half a file
    return file


def _timed(job: tuple[str, str, int]) -> tuple[float, dict[str, Floats]]:
    start = time.process_time()
    columns = repetition(*job)
    return time.process_time() - start, columns


def _versions() -> dict[str, str]:
    packages: Iterable[str] = ("numpy", "scipy", "scikit-learn", "pandas")
    others = {name: importlib.metadata.version(name) for name in packages}
    return {"python": platform.python_version(), "ldp_core": ldp_core.__version__, **others}
