"""UCI Soybean (Large): which of 19 diseases a soybean plant has, by 35 observations of the plant and its field."""

from __future__ import annotations

import pandas as pd

from .schema import DATABASES, PUBLIC, Address, Columns, RemoteFile, Source, read_rows

#: How many values UCI documents for each observation; they are coded 0, 1, 2, ... (0 is the usual or the least).
SIZES = {
    "date": 7,
    "plant-stand": 2,
    "precip": 3,
    "temp": 3,
    "hail": 2,
    "crop-hist": 4,
    "area-damaged": 4,
    "severity": 3,
    "seed-tmt": 3,
    "germination": 3,
    "plant-growth": 2,
    "leaves": 2,
    "leafspots-halo": 3,
    "leafspots-marg": 3,
    "leafspot-size": 3,
    "leaf-shread": 2,
    "leaf-malf": 2,
    "leaf-mild": 3,
    "stem": 2,
    "lodging": 2,
    "stem-cankers": 4,
    "canker-lesion": 4,
    "fruiting-bodies": 2,
    "external-decay": 3,
    "mycelium": 2,
    "int-discolor": 3,
    "sclerotia": 2,
    "fruit-pods": 4,
    "fruit-spots": 5,
    "seed": 2,
    "mold-growth": 2,
    "seed-discolor": 2,
    "seed-size": 2,
    "shriveling": 2,
    "roots": 3,
}
# fmt: off
DISEASES = (
    "diaporthe-stem-canker", "charcoal-rot", "rhizoctonia-root-rot", "phytophthora-rot", "brown-stem-rot",
    "powdery-mildew", "downy-mildew", "brown-spot", "bacterial-blight", "bacterial-pustule", "purple-seed-stain",
    "anthracnose", "phyllosticta-leaf-spot", "alternarialeaf-spot", "frog-eye-leaf-spot", "diaporthe-pod-&-stem-blight",
    "cyst-nematode", "2-4-d-injury", "herbicide-injury",
)
# fmt: on
COLUMNS: Columns = {"class": DISEASES} | {name: tuple(map(str, range(size))) for name, size in SIZES.items()}


def parse(content: bytes) -> pd.DataFrame:
    """Read ``soybean-large.data``: the class first, no header, ``?`` for the 712 missing values."""
    return read_rows(content.decode("ascii").splitlines(), COLUMNS)


SOYBEAN = Source(
    name="soybean",
    title="UCI Soybean (Large)",
    url="https://archive.ics.uci.edu/dataset/90/soybean+large",
    doi="10.24432/C5JG6Z",
    licence="CC BY 4.0",
    citation=(
        "R. S. Michalski and R. L. Chilausky. Soybean (Large). UCI Machine Learning Repository, 1980. "
        "doi:10.24432/C5JG6Z"
    ),
    files=(
        RemoteFile(
            path="soybean/soybean-large.data",
            addresses=(
                Address(PUBLIC, "90/soybean+large.zip", ("soybean-large.data",)),
                Address(DATABASES, "soybean/soybean-large.data"),
            ),
            size=26_643,
            sha256="04b99f2728ded9f544022d2b4f6cce0ebe11ef5c9d44f10e21acd7093876507e",
        ),
    ),
    parse=parse,
    columns=COLUMNS,
    target="class",
)
