"""UCI Mushroom: 23 species of gilled mushrooms, edible (e) or not (p), by what can be seen and smelt."""

from __future__ import annotations

import pandas as pd

from .schema import DATABASES, PUBLIC, Address, Columns, RemoteFile, Source, read_rows

# One letter a value, as UCI writes and documents them. A few are documented but do not occur.
COLUMNS: Columns = {
    "class": ("e", "p"),
    "cap-shape": tuple("bcxfks"),
    "cap-surface": tuple("fgys"),
    "cap-color": tuple("nbcgrpuewy"),
    "bruises": tuple("tf"),
    "odor": tuple("alcyfmnps"),
    "gill-attachment": tuple("adfn"),
    "gill-spacing": tuple("cwd"),
    "gill-size": tuple("bn"),
    "gill-color": tuple("knbhgropuewy"),
    "stalk-shape": tuple("et"),
    "stalk-root": tuple("bcuezr"),
    "stalk-surface-above-ring": tuple("fyks"),
    "stalk-surface-below-ring": tuple("fyks"),
    "stalk-color-above-ring": tuple("nbcgopewy"),
    "stalk-color-below-ring": tuple("nbcgopewy"),
    "veil-type": tuple("pu"),
    "veil-color": tuple("nowy"),
    "ring-number": tuple("not"),
    "ring-type": tuple("ceflnpsz"),
    "spore-print-color": tuple("knbhrouwy"),
    "population": tuple("acnsvy"),
    "habitat": tuple("glmpuwd"),
}


def parse(content: bytes) -> pd.DataFrame:
    """Read ``agaricus-lepiota.data``: no header, ``?`` for the 2,480 missing values, all in stalk-root."""
    return read_rows(content.decode("ascii").splitlines(), COLUMNS)


MUSHROOM = Source(
    name="mushroom",
    title="UCI Mushroom",
    url="https://archive.ics.uci.edu/dataset/73/mushroom",
    doi="10.24432/C5959T",
    licence="CC BY 4.0",
    citation="Mushroom. UCI Machine Learning Repository, 1981. doi:10.24432/C5959T",
    files=(
        RemoteFile(
            path="mushroom/agaricus-lepiota.data",
            addresses=(
                Address(PUBLIC, "73/mushroom.zip", ("agaricus-lepiota.data",)),
                Address(DATABASES, "mushroom/agaricus-lepiota.data"),
            ),
            size=373_704,
            sha256="e65d082030501a3ebcbcd7c9f7c71aa9d28fdfff463bf4cf4716a3fe13ac360e",
        ),
    ),
    parse=parse,
    columns=COLUMNS,
    target="class",
)
