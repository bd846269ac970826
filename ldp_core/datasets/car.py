"""UCI Car Evaluation: how acceptable a car is, by its price, size and safety."""

from __future__ import annotations

import pandas as pd

from . import rules
from .schema import DATABASES, PUBLIC, Address, Columns, RemoteFile, Source, read_rows

COLUMNS: Columns = {
    "buying": ("vhigh", "high", "med", "low"),
    "maint": ("vhigh", "high", "med", "low"),
    "doors": ("2", "3", "4", "5more"),
    "persons": ("2", "4", "more"),
    "lug_boot": ("small", "med", "big"),
    "safety": ("low", "med", "high"),
    "class": ("unacc", "acc", "good", "vgood"),
}

#: The concepts of the decision model that made the data, as its authors name them, and what each depends on.
HIERARCHY = {
    "price": ("buying", "maint"),
    "comfort": ("doors", "persons", "lug_boot"),
    "tech": ("comfort", "safety"),
    "class": ("price", "tech"),
}


def parse(content: bytes) -> pd.DataFrame:
    """Read ``car.data``: no header, no missing values."""
    return read_rows(content.decode("ascii").splitlines(), COLUMNS)


CAR = Source(
    name="car",
    title="UCI Car Evaluation",
    url="https://archive.ics.uci.edu/dataset/19/car+evaluation",
    doi="10.24432/C5JP48",
    licence="CC BY 4.0",
    citation="M. Bohanec. Car Evaluation. UCI Machine Learning Repository, 1988. doi:10.24432/C5JP48",
    files=(
        RemoteFile(
            path="car/car.data",
            addresses=(
                Address(PUBLIC, "19/car+evaluation.zip", ("car.data",)),
                Address(DATABASES, "car/car.data"),
            ),
            size=51_867,
            sha256="b703a9ac69f11e64ce8c223c0a40de4d2e9d769f7fb20be5f8f2e8a619893d83",
        ),
    ),
    parse=parse,
    columns=COLUMNS,
    target="class",
    generate=lambda _: rules.rebuild("car", COLUMNS),
    made="rebuilt from decision tables that give every row of the real file",
    hierarchy=HIERARCHY,
)
