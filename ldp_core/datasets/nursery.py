"""UCI Nursery: applications to nursery schools in Ljubljana in the 1980s, ranked by a decision model."""

from __future__ import annotations

import pandas as pd

from . import rules
from .schema import DATABASES, PUBLIC, Address, Columns, RemoteFile, Source, read_rows

COLUMNS: Columns = {
    "parents": ("usual", "pretentious", "great_pret"),
    "has_nurs": ("proper", "less_proper", "improper", "critical", "very_crit"),
    "form": ("complete", "completed", "incomplete", "foster"),
    "children": ("1", "2", "3", "more"),
    "housing": ("convenient", "less_conv", "critical"),
    "finance": ("convenient", "inconv"),
    "social": ("nonprob", "slightly_prob", "problematic"),
    "health": ("recommended", "priority", "not_recom"),
    "class": ("not_recom", "recommend", "very_recom", "priority", "spec_prior"),
}

#: The concepts of the decision model that made the data, as its authors name them, and what each depends on.
HIERARCHY = {
    "employ": ("parents", "has_nurs"),
    "structure": ("form", "children"),
    "struct_finan": ("structure", "housing", "finance"),
    "soc_health": ("social", "health"),
    "class": ("employ", "struct_finan", "soc_health"),
}


def parse(content: bytes) -> pd.DataFrame:
    """Read ``nursery.data``: no header, no missing values, one blank line at the end."""
    return read_rows(content.decode("ascii").splitlines(), COLUMNS)


NURSERY = Source(
    name="nursery",
    title="UCI Nursery",
    url="https://archive.ics.uci.edu/dataset/76/nursery",
    doi="10.24432/C5P88W",
    licence="CC BY 4.0",
    citation="V. Rajkovic. Nursery. UCI Machine Learning Repository, 1989. doi:10.24432/C5P88W",
    files=(
        RemoteFile(
            path="nursery/nursery.data",
            addresses=(
                Address(PUBLIC, "76/nursery.zip", ("nursery.data",)),
                Address(DATABASES, "nursery/nursery.data"),
            ),
            size=1_059_371,
            sha256="8e0389c3dd37590248a921c2726d869ee96b817761a35eb8416afa24f31f931d",
        ),
    ),
    parse=parse,
    columns=COLUMNS,
    target="class",
    generate=lambda _: rules.rebuild("nursery", COLUMNS),
    made="rebuilt from decision tables that give every row of the real file",
    hierarchy=HIERARCHY,
)
