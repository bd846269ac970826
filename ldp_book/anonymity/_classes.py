"""Equivalence classes: which rows agree on all the columns asked about? One integer code a row, in milliseconds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from ldp_core._arrays import Integers
from ldp_core._validate import shown


def check_frame(frame: object, name: str = "frame", *, rows: int = 1) -> pd.DataFrame:
    """Return the frame; it must be a DataFrame with enough rows and one level of column names that occur once."""
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"{name} must be a pandas DataFrame, got {type(frame).__name__}")
    if len(frame) < rows:
        raise ValueError(
            f"{name} must have at least {('no rows', 'one row', 'two rows')[rows]}, got {len(frame) or 'none'}"
        )
    if frame.columns.nlevels > 1:
        raise ValueError(f"{name} must have one level of column names, got {frame.columns.nlevels}")
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()][0]
        raise ValueError(f"{name} must have column names that occur once, got {twice!r} twice")
    return frame


def check_columns(frame: pd.DataFrame, columns: Iterable[str] | None, name: str) -> list[str]:
    """Return a list of distinct columns of the frame, at least one; None stands for all of them."""
    if isinstance(columns, (str, bytes)):
        raise TypeError(f"{name} must be a list of column names, got the text {columns!r}: write [{columns!r}]")
    if not (columns is None or isinstance(columns, Iterable)) or isinstance(columns, np.ma.MaskedArray):
        raise TypeError(f"{name} must be a list of column names, got {shown(columns)}")
    try:
        names = list(frame.columns) if columns is None else list(columns)
    except TypeError:  # an array without a dimension says that it can be iterated, and cannot
        raise TypeError(f"{name} must be a list of column names, got {shown(columns)}") from None
    if not names:
        raise ValueError(f"{name} must name at least one column, got none")
    for column in names:
        if not _names_a_column(frame, column):
            has = shown(list(frame.columns))
            raise ValueError(f"{name} must name columns of the frame, got {shown(column)}; it has {has}")
    if len(set(names)) < len(names):
        raise ValueError(f"{name} must name each column once, got {shown(names)}")
    return names


def check_column(frame: pd.DataFrame, column: object, name: str) -> str:
    """Return the name of one column of the frame."""
    if not _names_a_column(frame, column):
        raise ValueError(
            f"{name} must name a column of the frame, got {shown(column)}; it has {shown(list(frame.columns))}"
        )
    return column  # type: ignore[return-value]


def _names_a_column(frame: pd.DataFrame, column: object) -> bool:
    try:
        return bool(column in frame.columns)
    except (TypeError, ValueError):  # what cannot be hashed or compared is no name
        return False


def factorize(column: pd.Series) -> tuple[Integers, int]:
    """Codes 0, …, m − 1 of a column's values and their number m; a missing value counts as a value of its own."""
    try:
        codes, values = pd.factorize(column, use_na_sentinel=False)
    except TypeError as error:  # lists in cells
        raise TypeError(f"column {column.name!r} must hold values that can be told apart: {error}") from None
    return codes.astype(np.int64), len(values)


def combine(columns: Sequence[tuple[Integers, int]]) -> tuple[Integers, int]:
    """Codes of the rows' combinations of values: 0, …, m − 1 for the m combinations that occur."""
    codes, size = columns[0]
    for more, values in columns[1:]:
        # Mixed radix, made dense again after each column: the codes never outgrow rows × values of one column.
        codes, size = _dense(codes * values + more, size * values)
    return _dense(codes, size)


def _dense(codes: Integers, size: int) -> tuple[Integers, int]:
    if size > 8 * codes.size:  # too many possible codes for a table: hash them
        dense, seen = pd.factorize(codes)
        return dense.astype(np.int64), len(seen)
    occurs = np.zeros(size, dtype=bool)
    occurs[codes] = True
    place = np.cumsum(occurs) - 1
    return place[codes], int(place[-1]) + 1


def classes(frame: pd.DataFrame, columns: Sequence[str]) -> tuple[Integers, int]:
    """Code of each row's equivalence class, shape (n,), and the number of classes."""
    return combine([factorize(frame[column]) for column in columns])
