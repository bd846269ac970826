"""The data sets there are. One more: one entry here, one module beside it, one packaged table of counts."""

from __future__ import annotations

from .adult import ADULT
from .schema import Source

SOURCES: dict[str, Source] = {source.name: source for source in (ADULT,)}


def find(name: str) -> Source:
    """Return the data set of that name; an unknown one is a ValueError that lists the known ones."""
    if not isinstance(name, str):
        raise TypeError(f"name must be a string, one of {', '.join(map(repr, SOURCES))}; got {name!r}")
    if name not in SOURCES:
        raise ValueError(f"name must be one of {', '.join(map(repr, SOURCES))}; got {name!r}")
    return SOURCES[name]
