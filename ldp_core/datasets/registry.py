"""The data sets there are. One more: one entry here, one module beside it, one packaged table of counts."""

from __future__ import annotations

from .._validate import shown
from .adult import ADULT
from .arcene import ARCENE
from .australian import AUSTRALIAN
from .bank import BANK
from .breast import BREAST
from .car import CAR
from .chess import CHESS
from .connect4 import CONNECT_4
from .diabetes import DIABETES
from .mushroom import MUSHROOM
from .nursery import NURSERY
from .schema import Source
from .soybean import SOYBEAN
from .wdbc import WDBC

SOURCES: dict[str, Source] = {
    source.name: source
    for source in (
        ADULT,
        CAR,
        CHESS,
        MUSHROOM,
        CONNECT_4,
        AUSTRALIAN,
        DIABETES,
        NURSERY,
        BANK,
        SOYBEAN,
        BREAST,
        WDBC,
        ARCENE,
    )
}


def find(name: str) -> Source:
    """Return the data set of that name; an unknown one is a ValueError that lists the known ones."""
    if not isinstance(name, str):
        raise TypeError(f"name must be a string, one of {', '.join(map(repr, SOURCES))}; got {shown(name)}")
    if name not in SOURCES:
        raise ValueError(f"name must be one of {', '.join(map(repr, SOURCES))}; got {shown(name)}")
    return SOURCES[name]
