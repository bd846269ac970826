"""The files that are more than rows: a comment, a header, an identifier, a class under another name.

Each reader takes the schema and a file's content as UCI distributes it, and returns a frame of the schema's columns and
types. A line with too few or too many fields, or a field that the schema does not allow, is a ValueError.
"""

from __future__ import annotations

import pandas as pd

from ldp_book.datasets.rows import read_rows
from ldp_book.datasets.source import Columns

__all__ = ["adult", "bank", "breast"]


def adult(columns: Columns, content: bytes) -> pd.DataFrame:
    """Read ``adult.data`` or ``adult.test``, which begins with a comment (``|``) and ends labels in a full stop."""
    lines = content.decode("ascii").splitlines()
    return read_rows(("" if line.startswith("|") else line.rstrip(".") for line in lines), columns, separator=", ")


def bank(columns: Columns, content: bytes) -> pd.DataFrame:
    """Read ``bank-full.csv``: a header line, which must be the schema's, semicolons, texts in double quotes."""
    header, *lines = content.decode("ascii").replace('"', "").splitlines() or [""]
    if header.split(";") != list(columns):
        raise ValueError(f"line 1 must name the columns {';'.join(columns)}, got {header!r}")
    return read_rows(["", *lines], columns, separator=";")  # "": so that lines are counted as in the file


def breast(columns: Columns, content: bytes) -> pd.DataFrame:
    """Read ``breast-cancer-wisconsin.data`` without the patients' identifiers; the classes 2 and 4 get their names."""
    names = {"2": "benign", "4": "malignant"}
    lines = []
    for line in content.decode("ascii").splitlines():
        fields = line.split(",")[1:]
        lines.append(",".join([*fields[:-1], names.get(fields[-1], fields[-1])]) if fields else line)
    return read_rows(lines, columns)
