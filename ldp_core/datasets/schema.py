"""What the package knows about a data set: its columns, its files, its credits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

#: ``int``: whole numbers, never missing. ``float``: decimal numbers. A tuple: the values a text column may hold, in the
#: order charts show them.
Kind = type[int] | type[float] | tuple[str, ...]
Columns = Mapping[str, Kind]

#: How the UCI files write a missing value.
MISSING = "?"


#: The repository's two layouts, as folders of its host: an archive for each data set, and, before that, its files.
PUBLIC = "static/public"
DATABASES = "ml/machine-learning-databases"

#: The most that an archive may weigh, unless its address says otherwise: well above what the repository's do, and easy
#: to hold in memory.
ARCHIVE_LIMIT = 4_000_000


@dataclass(frozen=True)
class Address:
    """One place where the repository keeps a file.

    Parameters
    ----------
    layout : str
        ``PUBLIC`` or ``DATABASES``: the folder of the repository's host, in whose place a mirror puts its own.
    path : str
        Where it lies below that, with forward slashes; a name that ends in ``.zip`` or ``.Z`` is unpacked on arrival.
    members : tuple of str
        What to take out of a ``.zip``, by its name without folders; one name a layer, where a ``.zip`` lies in it.
    limit : int
        The most bytes that are taken from this address if it is packed: its size is not known beforehand, and has
        nothing to do with the file's own, since an archive holds other files too.
    """

    layout: str
    path: str
    members: tuple[str, ...] = ()
    limit: int = ARCHIVE_LIMIT

    @property
    def packed(self) -> bool:
        """Whether what travels is not the file itself."""
        return self.path.endswith((".zip", ".Z"))


@dataclass(frozen=True)
class RemoteFile:
    """One file of the UCI repository, recognised by its size and checksum.

    Parameters
    ----------
    path : str
        Where it lies below the data folder, with forward slashes: ``"adult/adult.data"``. There it is always unpacked.
    addresses : tuple of Address
        Where it may be had, in the order in which they are tried. Empty: the repository has it no longer, so only a
        reader can put it at `path`.
    size : int
        Its length in bytes, unpacked.
    sha256 : str
        Its SHA-256, unpacked, 64 hexadecimal digits.
    """

    path: str
    addresses: tuple[Address, ...]
    size: int
    sha256: str


@dataclass(frozen=True)
class Source:
    """One data set: where it comes from, how it is read, whom to credit.

    Parameters
    ----------
    name : str
        What :func:`ldp_core.datasets.load` calls it.
    title, url, doi, licence, citation : str
        For readers: the name in full, the data set's page, and what to print beside results.
    files : tuple of RemoteFile
        What ``parse`` needs.
    parse : callable
        Takes the files' contents (bytes, one argument a file), returns the frame.
    columns : mapping
        Column names, in order, to their kinds.
    target : str
        The column that a classifier predicts.
    test_files : tuple of RemoteFile
        A test part of UCI's own, read by ``parse`` too; empty where there is none. `load` leaves it out.
    generate : callable, optional
        Takes a seed, returns the stand-in. None: the stand-in is drawn from the counts in ``standins/<name>.csv``.
    made : str
        How the stand-in is made, in words that continue "32,561 rows ...".
    hierarchy : mapping, optional
        For data that decision tables made (see ``rules``): each concept and its inputs; the last is the target.
    """

    name: str
    title: str
    url: str
    doi: str
    licence: str
    citation: str
    files: tuple[RemoteFile, ...]
    parse: Callable[..., pd.DataFrame]
    columns: Columns
    target: str
    test_files: tuple[RemoteFile, ...] = ()
    generate: Callable[[int], pd.DataFrame] | None = None
    made: str = "drawn from a compact table of the real file's counts"
    hierarchy: Mapping[str, tuple[str, ...]] | None = None

    @property
    def withdrawn(self) -> bool:
        """Whether the real data are no longer at UCI, so that only a reader who has them can supply them."""
        return any(not file.addresses for file in self.files)


def read_rows(lines: Iterable[str], columns: Columns, separator: str = ",") -> pd.DataFrame:
    """Turn the lines of a UCI file into a frame.

    Parameters
    ----------
    lines : iterable of str
        One row each; blank lines are skipped.
    columns : mapping
        The schema, in the order of the fields.
    separator : str
        What stands between two fields.

    Returns
    -------
    pandas.DataFrame
        See :func:`build_frame`.

    Raises
    ------
    ValueError
        If a line has too few or too many fields, or a field holds what the schema does not allow.
    """
    rows = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        row = line.split(separator)
        if len(row) != len(columns):
            raise ValueError(f"line {number} must have {len(columns)} fields, got {len(row)}")
        rows.append(row)
    cells = zip(*rows, strict=True) if rows else [()] * len(columns)
    return build_frame(dict(zip(columns, cells, strict=True)), columns)


def build_frame(texts: Mapping[str, Sequence[str]], columns: Columns) -> pd.DataFrame:
    """Turn texts into a frame of exactly the schema's types.

    Parameters
    ----------
    texts : mapping of str to sequence of str
        Every column's cells as the UCI file writes them.
    columns : mapping
        The schema.

    Returns
    -------
    pandas.DataFrame
        ``int64`` and ``float64`` columns, and unordered categoricals whose categories are the schema's, present in the
        data or not: in local privacy the domain is public and fixed before anyone answers. ``?`` is a missing value
        (NaN).

    Raises
    ------
    ValueError
        If a cell is not what the schema allows; nothing becomes missing in silence.
    """
    return pd.DataFrame({name: _column(name, texts[name], kind) for name, kind in columns.items()})


def _column(name: str, cells: Sequence[str], kind: Kind) -> npt.NDArray[Any] | pd.Categorical[Any]:
    if isinstance(kind, type):
        try:
            if kind is int:
                return np.array([int(cell) for cell in cells], dtype=np.int64)
            return np.array([np.nan if cell == MISSING else _finite(cell) for cell in cells], dtype=np.float64)
        except ValueError as error:
            what = "whole" if kind is int else "decimal"
            raise ValueError(f"column {name!r} must hold {what} numbers: {error}") from None
    code = {value: i for i, value in enumerate(kind)} | {MISSING: -1}
    unknown = set(cells) - code.keys()
    if unknown:
        raise ValueError(f"column {name!r} holds {min(unknown)!r}; allowed are {', '.join(kind)} and {MISSING}")
    codes = np.fromiter((code[cell] for cell in cells), dtype=np.int64, count=len(cells))
    return categorical(codes, kind)


def _finite(cell: str) -> float:
    number = float(cell)
    if not np.isfinite(number):
        raise ValueError(f"got {cell!r}")
    return number


def categorical(codes: npt.NDArray[np.int64], categories: tuple[str, ...]) -> pd.Categorical[Any]:
    """Return a categorical column; code -1 is a missing value."""
    # The dtype is named because pandas would otherwise choose it by what else is installed.
    return pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(pd.Index(categories, dtype="str")))
