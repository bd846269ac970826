"""The file of WDBC, and scikit-learn's copy of it."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ldp_book.datasets.rows import categorical, read_rows
from ldp_book.datasets.source import Columns

__all__ = ["packaged", "parse"]


def parse(columns: Columns, content: bytes) -> pd.DataFrame:
    """Read ``wdbc.data``: the patients' identifiers are left out, and the class, B or M, stands last and spelt out."""
    names = {"B": "benign", "M": "malignant"}
    lines = []
    for line in content.decode("ascii").splitlines():
        _, *fields = line.split(",")
        lines.append(",".join([*fields[1:], names.get(fields[0], fields[0])]) if fields else line)
    return read_rows(lines, columns)


def packaged(columns: Columns) -> pd.DataFrame:
    """Return scikit-learn's copy of the file: the same rows, in the same order."""
    from sklearn.datasets import load_breast_cancer

    copy = load_breast_cancer()
    *measures, target = columns
    kind = columns[target]
    assert isinstance(kind, tuple)
    frame = pd.DataFrame(copy.data, columns=measures)
    frame[target] = categorical(1 - np.asarray(copy.target, dtype=np.int64), kind)  # there 0 is malignant
    return frame
