"""UCI Chess (King-Rook versus King-Pawn): can White win? 36 features of endgame positions, found by an expert."""

from __future__ import annotations

import pandas as pd

from .schema import DATABASES, PUBLIC, Address, Columns, RemoteFile, Source, read_rows

# fmt: off
FEATURES = (
    "bkblk", "bknwy", "bkon8", "bkona", "bkspr", "bkxbq", "bkxcr", "bkxwp", "blxwp", "bxqsq", "cntxt", "dsopp",
    "dwipd", "hdchk", "katri", "mulch", "qxmsq", "r2ar8", "reskd", "reskr", "rimmx", "rkxwp", "rxmsq", "simpl",
    "skach", "skewr", "skrxp", "spcop", "stlmt", "thrsk", "wkcti", "wkna8", "wknck", "wkovl", "wkpos", "wtoeg",
)
# fmt: on
COLUMNS: Columns = (
    dict.fromkeys(FEATURES, ("f", "t"))
    | {"dwipd": ("g", "l"), "katri": ("b", "n", "w"), "wtoeg": ("n", "t")}
    | {"class": ("nowin", "won")}
)


def parse(content: bytes) -> pd.DataFrame:
    """Read ``kr-vs-kp.data``: no header, no missing values, two blank lines at the end."""
    return read_rows(content.decode("ascii").splitlines(), COLUMNS)


CHESS = Source(
    name="chess",
    title="UCI Chess (King-Rook vs. King-Pawn)",
    url="https://archive.ics.uci.edu/dataset/22/chess+king+rook+vs+king+pawn",
    doi="10.24432/C5DK5C",
    licence="CC BY 4.0",
    citation=(
        "A. Shapiro. Chess (King-Rook vs. King-Pawn). UCI Machine Learning Repository, 1983. doi:10.24432/C5DK5C"
    ),
    files=(
        RemoteFile(
            path="chess/kr-vs-kp.data",
            addresses=(
                Address(PUBLIC, "22/chess+king+rook+vs+king+pawn.zip", ("kr-vs-kp.data",)),
                Address(DATABASES, "chess/king-rook-vs-king-pawn/kr-vs-kp.data"),
            ),
            size=245_952,
            sha256="70a5540902b4063d3977d3e820ac5b9fe5624eb5d93709eee5d50d7a94fca205",
        ),
    ),
    parse=parse,
    columns=COLUMNS,
    target="class",
)
