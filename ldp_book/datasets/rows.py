"""From the text of a UCI file to a frame of exactly the schema's types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ldp_book.datasets.source import MISSING, Columns, Kind

__all__ = ["build_frame", "categorical", "read", "read_rows"]


def read(columns: Columns, content: bytes, separator: str = ",") -> pd.DataFrame:
    r"""Read a file that is rows and nothing else, with a separator between two fields.

    Examples
    --------
    >>> read({"age": int, "sex": ("Female", "Male")}, b"39,Male\n41,?\n")["sex"].isna().tolist()
    [False, True]
    """
    return read_rows(content.decode("ascii").splitlines(), columns, separator)


def read_rows(lines: Iterable[str], columns: Columns, separator: str = ",") -> pd.DataFrame:
    """Turn the lines of a UCI file into a frame; blank lines are skipped.

    There is a separator between two fields; a line with too few or too many fields is an error.
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
    """Turn texts, every column's cells as the UCI file writes them, into a frame of exactly the schema's types.

    These are ``int64``, ``float64``, and unordered categoricals whose categories are the schema's, present in the data
    or not: in local privacy the domain is public and fixed before anyone answers. ``?`` is a missing value (NaN). A
    cell that the schema does not allow is an error: nothing becomes missing in silence.
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
    """Return an unordered categorical column from codes, positions in the categories; −1 is a missing value."""
    # The dtype is named because pandas would otherwise choose it by what else is installed.
    return pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(pd.Index(categories, dtype="str")))
