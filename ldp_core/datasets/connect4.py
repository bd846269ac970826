"""UCI Connect-4: all positions after eight moves, none won and no next move forced, and how the game ends."""

from __future__ import annotations

import pandas as pd

from .schema import DATABASES, PUBLIC, Address, Columns, RemoteFile, Source, read_rows

#: Squares a1 to g6, the column's letter and the row from below; x: first player, o: second player, b: blank.
COLUMNS: Columns = {f"{column}{row}": ("b", "o", "x") for column in "abcdefg" for row in range(1, 7)} | {
    "class": ("loss", "draw", "win")
}


def parse(content: bytes) -> pd.DataFrame:
    """Read ``connect-4.data``: no header, no missing values."""
    return read_rows(content.decode("ascii").splitlines(), COLUMNS)


CONNECT_4 = Source(
    name="connect-4",
    title="UCI Connect-4",
    url="https://archive.ics.uci.edu/dataset/26/connect+4",
    doi="10.24432/C59P43",
    licence="CC BY 4.0",
    citation="J. Tromp. Connect-4. UCI Machine Learning Repository, 1995. doi:10.24432/C59P43",
    files=(
        RemoteFile(
            path="connect-4/connect-4.data",
            addresses=(
                Address(PUBLIC, "26/connect+4.zip", ("connect-4.data.Z",)),
                Address(DATABASES, "connect-4/connect-4.data.Z"),
            ),
            size=5_968_100,
            sha256="063152e6eadbb424c7ef4645df76e493a43812edd9c992400983da4fa54f8cba",
        ),
    ),
    parse=parse,
    columns=COLUMNS,
    target="class",
)
