"""UCI Breast Cancer Wisconsin (Original): nine properties of cells from a biopsy, each graded 1 to 10."""

from __future__ import annotations

import pandas as pd

from .schema import DATABASES, PUBLIC, Address, Columns, RemoteFile, Source, read_rows

#: Grades are numbers. Bare nuclei lacks 16 of them: a decimal column, since whole numbers have no place for NaN.
COLUMNS: Columns = {
    "clump-thickness": int,
    "cell-size-uniformity": int,
    "cell-shape-uniformity": int,
    "marginal-adhesion": int,
    "epithelial-cell-size": int,
    "bare-nuclei": float,
    "bland-chromatin": int,
    "normal-nucleoli": int,
    "mitoses": int,
    "class": ("benign", "malignant"),
}
LABELS = {"2": "benign", "4": "malignant"}


def parse(content: bytes) -> pd.DataFrame:
    """Read ``breast-cancer-wisconsin.data``.

    Parameters
    ----------
    content : bytes
        No header; an identifier, nine grades (``?`` where one is missing), and the class, 2 or 4.

    Returns
    -------
    pandas.DataFrame
        Columns and types of ``COLUMNS``: the identifier is left out, which names a patient and predicts nothing, and
        the classes have their documented names.

    Raises
    ------
    ValueError
        If a line has not 11 fields, or a field holds what the schema does not allow.
    """
    lines = []
    for line in content.decode("ascii").splitlines():
        fields = line.split(",")[1:]
        lines.append(",".join([*fields[:-1], LABELS.get(fields[-1], fields[-1])]) if fields else line)
    return read_rows(lines, COLUMNS)


BREAST = Source(
    name="breast",
    title="UCI Breast Cancer Wisconsin (Original)",
    url="https://archive.ics.uci.edu/dataset/15/breast+cancer+wisconsin+original",
    doi="10.24432/C5HP4Z",
    licence="CC BY 4.0",
    citation=(
        "W. Wolberg. Breast Cancer Wisconsin (Original). UCI Machine Learning Repository, 1990. doi:10.24432/C5HP4Z"
    ),
    files=(
        RemoteFile(
            path="breast-cancer/breast-cancer-wisconsin.data",
            addresses=(
                Address(PUBLIC, "15/breast+cancer+wisconsin+original.zip", ("breast-cancer-wisconsin.data",)),
                Address(DATABASES, "breast-cancer-wisconsin/breast-cancer-wisconsin.data"),
            ),
            size=19_889,
            sha256="402c585309c399237740f635ef9919dc512cca12cbeb20de5e563a4593f22b64",
        ),
    ),
    parse=parse,
    columns=COLUMNS,
    target="class",
)
