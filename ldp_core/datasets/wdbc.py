"""UCI Breast Cancer Wisconsin (Diagnostic): thirty measurements of the cell nuclei of 569 biopsies."""

from __future__ import annotations

import numpy as np
import pandas as pd

from .schema import DATABASES, PUBLIC, Address, Columns, RemoteFile, Source, categorical, read_rows

#: Ten properties of a nucleus; the file has their means over a biopsy's nuclei, then standard errors, then the worst.
PROPERTIES = (
    "radius",
    "texture",
    "perimeter",
    "area",
    "smoothness",
    "compactness",
    "concavity",
    "concave points",
    "symmetry",
    "fractal dimension",
)
MEASURES = (
    *(f"mean {name}" for name in PROPERTIES),
    *(f"{name} error" for name in PROPERTIES),
    *(f"worst {name}" for name in PROPERTIES),
)
CLASSES = ("benign", "malignant")
COLUMNS: Columns = {**dict.fromkeys(MEASURES, float), "class": CLASSES}
LABELS = {"B": "benign", "M": "malignant"}


def parse(content: bytes) -> pd.DataFrame:
    """Read ``wdbc.data``.

    Parameters
    ----------
    content : bytes
        No header; an identifier, the diagnosis (B or M), thirty measurements.

    Returns
    -------
    pandas.DataFrame
        Columns and types of ``COLUMNS``, named as in scikit-learn: the identifier is left out, and the class stands
        last, spelt out.

    Raises
    ------
    ValueError
        If a line has not 32 fields (the message does not count the identifier), or a field holds what the schema
        does not allow.
    """
    lines = []
    for line in content.decode("ascii").splitlines():
        _, *fields = line.split(",")
        lines.append(",".join([*fields[1:], LABELS.get(fields[0], fields[0])]) if fields else line)
    return read_rows(lines, COLUMNS)


def packaged() -> pd.DataFrame:
    """Return scikit-learn's copy of the file: the same rows, in the same order."""
    from sklearn.datasets import load_breast_cancer

    copy = load_breast_cancer()
    frame = pd.DataFrame(copy.data, columns=list(MEASURES))
    # There 0 is malignant.
    frame["class"] = categorical(1 - np.asarray(copy.target, dtype=np.int64), CLASSES)
    return frame


WDBC = Source(
    name="wdbc",
    title="UCI Breast Cancer Wisconsin (Diagnostic)",
    url="https://archive.ics.uci.edu/dataset/17/breast+cancer+wisconsin+diagnostic",
    doi="10.24432/C5DW2B",
    licence="CC BY 4.0",
    citation=(
        "W. Wolberg, O. Mangasarian, N. Street and W. Street. Breast Cancer Wisconsin (Diagnostic). UCI Machine "
        "Learning Repository, 1993. doi:10.24432/C5DW2B"
    ),
    files=(
        RemoteFile(
            path="breast-cancer/wdbc.data",
            addresses=(
                Address(PUBLIC, "17/breast+cancer+wisconsin+diagnostic.zip", ("wdbc.data",)),
                Address(DATABASES, "breast-cancer-wisconsin/wdbc.data"),
            ),
            size=124_103,
            sha256="d606af411f3e5be8a317a5a8b652b425aaf0ff38ca683d5327ffff94c3695f4a",
        ),
    ),
    parse=parse,
    columns=COLUMNS,
    target="class",
    generate=lambda _: packaged(),
    made="as scikit-learn packages the same file",
)
