"""What the package knows about a data set: its columns, its files, its credits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

#: ``int``: whole numbers, never missing. A tuple: the values a text column may hold, in the order charts show them.
Kind = type[int] | tuple[str, ...]
Columns = Mapping[str, Kind]

#: How the UCI files write a missing value.
MISSING = "?"


@dataclass(frozen=True)
class RemoteFile:
    """One file of the UCI repository, recognised by its size and checksum.

    Parameters
    ----------
    path : str
        Where it lies below the data folder, with forward slashes: ``"adult/adult.data"``.
    remote : str
        Where it lies below the repository's ``machine-learning-databases/``.
    size : int
        Its length in bytes.
    sha256 : str
        Its SHA-256, 64 hexadecimal digits.
    """

    path: str
    remote: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Source:
    """One data set: where it comes from, how it is read, whom to credit.

    Parameters
    ----------
    name : str
        What :func:`ldp_core.datasets.load` calls it; its stand-in is ``standins/<name>.csv``.
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
        ``int64`` columns, and unordered categoricals whose categories are the schema's, present in the data or not: in
        local privacy the domain is public and fixed before anyone answers. ``?`` is a missing value (NaN).

    Raises
    ------
    ValueError
        If a cell is not what the schema allows; nothing becomes missing in silence.
    """
    return pd.DataFrame({name: _column(name, texts[name], kind) for name, kind in columns.items()})


def _column(name: str, cells: Sequence[str], kind: Kind) -> npt.NDArray[np.int64] | pd.Categorical[Any]:
    if isinstance(kind, type):
        try:
            return np.array([int(cell) for cell in cells], dtype=np.int64)
        except ValueError as error:
            raise ValueError(f"column {name!r} must hold whole numbers: {error}") from None
    code = {value: i for i, value in enumerate(kind)} | {MISSING: -1}
    unknown = set(cells) - code.keys()
    if unknown:
        raise ValueError(f"column {name!r} holds {min(unknown)!r}; allowed are {', '.join(kind)} and {MISSING}")
    codes = np.fromiter((code[cell] for cell in cells), dtype=np.int64, count=len(cells))
    return categorical(codes, kind)


def categorical(codes: npt.NDArray[np.int64], categories: tuple[str, ...]) -> pd.Categorical[Any]:
    """Return a categorical column; code -1 is a missing value."""
    # The dtype is named because pandas would otherwise choose it by what else is installed.
    return pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(pd.Index(categories, dtype="str")))
