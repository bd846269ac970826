"""UCI Statlog (Australian Credit Approval): credit card applications, with all names and values disguised."""

from __future__ import annotations

import pandas as pd

from .schema import DATABASES, PUBLIC, Address, Columns, RemoteFile, Source, read_rows

# The donors removed every meaning; A1 to A14 are UCI's names. The 37 rows that once had missing values were filled in
# by the donors, with the most frequent value or the mean.
COLUMNS: Columns = {
    "A1": ("0", "1"),
    "A2": float,
    "A3": float,
    "A4": ("1", "2", "3"),
    "A5": tuple(str(i) for i in range(1, 15)),
    "A6": tuple(str(i) for i in range(1, 10)),
    "A7": float,
    "A8": ("0", "1"),
    "A9": ("0", "1"),
    "A10": int,
    "A11": ("0", "1"),
    "A12": ("1", "2", "3"),
    "A13": int,
    "A14": int,
    "class": ("0", "1"),
}


def parse(content: bytes) -> pd.DataFrame:
    """Read ``australian.dat``: fields separated by a blank, no header, no missing values."""
    return read_rows(content.decode("ascii").splitlines(), COLUMNS, separator=" ")


AUSTRALIAN = Source(
    name="australian",
    title="UCI Statlog (Australian Credit Approval)",
    url="https://archive.ics.uci.edu/dataset/143/statlog+australian+credit+approval",
    doi="10.24432/C59012",
    licence="CC BY 4.0",
    citation=(
        "R. Quinlan. Statlog (Australian Credit Approval). UCI Machine Learning Repository, 1987. doi:10.24432/C59012"
    ),
    files=(
        RemoteFile(
            path="australian/australian.dat",
            addresses=(
                Address(PUBLIC, "143/statlog+australian+credit+approval.zip", ("australian.dat",)),
                Address(DATABASES, "statlog/australian/australian.dat"),
            ),
            size=28_735,
            sha256="3abe5af151afa50b999a9ba21cbc884e80d80a4050b716cf88b34a2e6ecb731c",
        ),
    ),
    parse=parse,
    columns=COLUMNS,
    target="class",
)
