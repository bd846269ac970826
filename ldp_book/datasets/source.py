"""What the package knows about a data set: its columns, its files, its credits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pandas as pd

__all__ = ["DATABASES", "MISSING", "PUBLIC", "Address", "Columns", "Kind", "RemoteFile", "Source"]

#: ``int``: whole numbers, never missing. ``float``: decimal numbers. A tuple: the values a text column may hold, in the
#: order charts show them.
Kind = type[int] | type[float] | tuple[str, ...]
#: The kind of each column, by name.
Columns = Mapping[str, Kind]

#: How the UCI files write a missing value.
MISSING = "?"

#: The repository's two layouts, as folders of its host: an archive for each data set, and, before that, its files.
PUBLIC = "static/public"
#: The older of the two.
DATABASES = "ml/machine-learning-databases"

#: The most that an archive may weigh, unless its address says otherwise: well above what the repository's do, and easy
#: to hold in memory.
ARCHIVE_LIMIT = 4_000_000


@dataclass(frozen=True)
class Address:
    """One place where the repository keeps a file."""

    #: ``PUBLIC`` or ``DATABASES``: the folder of the repository's host, in whose place a mirror puts its own.
    layout: str
    #: Where it lies below that, with forward slashes; a name that ends in ``.zip`` or ``.Z`` is unpacked on arrival.
    path: str
    #: What to take out of a ``.zip``, by its name without folders; one name a layer, where a ``.zip`` lies in it.
    members: tuple[str, ...] = ()
    #: The most bytes that are taken from this address if it is packed: its size is not known beforehand, and has
    #: nothing to do with the file's own, since an archive holds other files too.
    limit: int = ARCHIVE_LIMIT

    @property
    def packed(self) -> bool:
        """Whether what travels is not the file itself."""
        return self.path.endswith((".zip", ".Z"))


@dataclass(frozen=True)
class RemoteFile:
    """One file of the UCI repository, recognized by its size and checksum."""

    #: Where it lies below the data folder, with forward slashes: ``"adult/adult.data"``. There it is always unpacked.
    path: str
    #: Where it may be had, in the order in which they are tried. Empty: the repository has it no longer, so only a
    #: reader can put it at `path`.
    addresses: tuple[Address, ...]
    size: int  #: Its length in bytes, unpacked.
    sha256: str  #: Its SHA-256, unpacked, 64 hexadecimal digits.


@dataclass(frozen=True)
class Source:
    """One data set: where it comes from, how it is read, whom to credit."""

    name: str  #: What :func:`ldp_book.datasets.load` calls it.
    title: str  #: The name in full, for readers.
    url: str  #: The data set's page.
    doi: str  #: Of the data set.
    licence: str  #: Of its files.
    citation: str  #: What to print beside results.
    columns: Columns  #: Column names, in order, to their kinds.
    target: str  #: The column that a classifier predicts.
    files: tuple[RemoteFile, ...]  #: What `parse` needs.
    parse: Callable[..., pd.DataFrame]  #: Takes the files' contents (bytes, one argument a file), returns the frame.
    #: A test part of UCI's own, read by `parse` too; empty where there is none. `load` leaves it out.
    test_files: tuple[RemoteFile, ...] = ()
    #: For every column of numbers: between which bounds it is taken to lie, whatever the rows hold.
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    bounds_from: str = ""  #: Where the bounds come from, in words.
    #: The columns of numbers that are best seen on a logarithmic scale, with the unit above which it is one.
    log: Mapping[str, float] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()  #: The columns in which an answer may be missing.
    #: Takes a seed, returns the stand-in. None: the stand-in is drawn from the counts in ``standins/<name>.csv``.
    generate: Callable[[int], pd.DataFrame] | None = None
    #: How the stand-in is made, in words that continue "32,561 rows ...".
    made: str = "drawn from a compact table of the real file's counts"
    #: For data that decision tables made (see ``rules``): each concept and its inputs; the last is the target.
    hierarchy: Mapping[str, tuple[str, ...]] | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """The classes' names: what the target may be, in the order of its codes."""
        labels = self.columns[self.target]
        assert isinstance(labels, tuple), f"the target of {self.title} must be a column of categories"
        return labels

    @property
    def withdrawn(self) -> bool:
        """Whether the real data are no longer at UCI, so that only a reader who has them can supply them."""
        return any(not file.addresses for file in self.files)
