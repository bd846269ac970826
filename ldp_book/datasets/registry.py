"""The data sets there are, each in a file of its own: ``sets/<name>.toml``, read as :class:`Source`.

One more is one more such file, its name in `NAMES`, and a packaged table of counts. In a file's ``[columns]``, a text
lists the values that a column of categories may hold, in the order charts show them; ``{ int = [low, high] }`` or
``{ float = [low, high] }`` is a column of numbers with public bounds, on a logarithmic scale above the unit ``log``. A
``?`` among the values, or ``missing = true``: an answer may be missing. ``f1..f9`` names nine columns alike. A file of
UCI lies in ``public`` and, of old, in ``databases``: a path below these folders, and what to take out of it, layer by
layer.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from importlib import resources
from typing import Any

import pandas as pd

from ldp_book.datasets import rows, rules
from ldp_book.datasets.sets import arcene, diabetes, readers, wdbc
from ldp_book.datasets.source import (
    ARCHIVE_LIMIT,
    DATABASES,
    MISSING,
    PUBLIC,
    Address,
    Columns,
    Kind,
    RemoteFile,
    Source,
)
from ldp_core._validate import shown

__all__ = ["NAMES", "SOURCES", "find"]

#: Names of the data sets.
NAMES = (
    "adult", "car", "chess", "mushroom", "connect-4", "australian", "diabetes", "nursery", "bank", "soybean", "breast",
    "wdbc", "arcene",
)  # fmt: skip

#: Whose files are more than rows; each takes the schema and the files' contents.
READERS: dict[str, Callable[..., pd.DataFrame]] = {
    "adult": readers.adult,
    "arcene": arcene.parse,
    "bank": readers.bank,
    "breast": readers.breast,
    "wdbc": wdbc.parse,
}

#: Whose stand-ins are not drawn from counts; each takes the schema and a seed.
GENERATORS: dict[str, Callable[[Columns, int], pd.DataFrame]] = {
    "arcene": arcene.generate,
    "car": lambda columns, _: rules.rebuild("car", columns),
    "diabetes": diabetes.generate,
    "nursery": lambda columns, _: rules.rebuild("nursery", columns),
    "wdbc": lambda columns, _: wdbc.packaged(columns),
}


def _source(name: str) -> Source:
    entry = tomllib.loads(resources.files(__package__).joinpath("sets", f"{name}.toml").read_text(encoding="utf-8"))
    entries = {column: kind for names, kind in entry["columns"].items() for column in _series(names)}
    kinds = {column: _kind(kind) for column, kind in entries.items()}
    numbers = {column: kind for column, kind in entries.items() if isinstance(kind, dict)}
    parse = READERS.get(name) or partial(rows.read, separator=entry.get("separator", ","))
    return Source(
        name=name,
        **{key: entry[key] for key in ("title", "url", "doi", "licence", "citation", "target")},
        columns=kinds,
        files=tuple(map(_file, entry["files"])),
        parse=partial(parse, kinds),
        test_files=tuple(map(_file, entry.get("test_files", ()))),
        bounds={column: tuple(kind.get("int") or kind["float"]) for column, kind in numbers.items()},
        bounds_from=entry.get("bounds_from", ""),
        log={column: kind["log"] for column, kind in numbers.items() if "log" in kind},
        missing=frozenset(
            column
            for column, kind in entries.items()
            if (kind.get("missing") if isinstance(kind, dict) else MISSING in kind.split())
        ),
        generate=partial(GENERATORS[name], kinds) if name in GENERATORS else None,
        **{key: entry[key] for key in ("made",) if key in entry},
        hierarchy={concept: tuple(inputs.split()) for concept, inputs in entry["hierarchy"].items()}
        if "hierarchy" in entry
        else None,
    )


def _series(names: str) -> Iterator[str]:
    """Spell out ``f1..f9``."""
    series = re.fullmatch(r"(\D+)(\d+)\.\.\1(\d+)", names)
    if not series:
        yield names
    else:
        stem, first, last = series.groups()
        yield from (f"{stem}{i}" for i in range(int(first), int(last) + 1))


def _kind(kind: dict[str, Any] | str) -> Kind:
    if isinstance(kind, str):
        return tuple(value for value in kind.split() if value != MISSING)
    return int if "int" in kind else float


def _file(entry: dict[str, Any]) -> RemoteFile:
    limit = entry.get("limit", ARCHIVE_LIMIT)
    addresses = [
        Address(layout, entry[key][0], tuple(entry[key][1:]), limit)
        for key, layout in (("public", PUBLIC), ("databases", DATABASES))
        if key in entry
    ]
    return RemoteFile(entry["path"], tuple(addresses), entry["size"], entry["sha256"])


#: Where each data set comes from, by name.
SOURCES: dict[str, Source] = {name: _source(name) for name in NAMES}


def find(name: str) -> Source:
    """Return the data set of that name."""
    if not isinstance(name, str):
        raise TypeError(f"name must be a string, one of {', '.join(map(repr, SOURCES))}, got {shown(name)}")
    if name not in SOURCES:
        raise ValueError(f"name must be one of {', '.join(map(repr, SOURCES))}, got {shown(name)}")
    return SOURCES[name]
