"""Loading: the real UCI file where it can be had, a packaged stand-in where it cannot."""

from __future__ import annotations

from dataclasses import dataclass, field

from ldp_book.datasets import fetch, standin
from ldp_book.datasets.dataset import Dataset
from ldp_book.datasets.fetch import DataUnavailable
from ldp_book.datasets.registry import SOURCES, find
from ldp_book.datasets.source import Source
from ldp_core._validate import check_option, shown

__all__ = ["load", "names", "origin"]


@dataclass
class Memory:
    """What ``source="auto"`` remembers in this process, so that no reader waits twice."""

    unreachable: bool = False
    refused: set[str] = field(default_factory=set)

    def worth_trying(self, name: str) -> bool:
        """Whether the network may have a data set's files."""
        return not self.unreachable and name not in self.refused

    def learn(self, name: str, failure: DataUnavailable) -> None:
        """Keep in mind who did not answer, and what a server that answers has not."""
        if failure.answered:
            self.refused.add(name)
        else:
            self.unreachable = True


_MEMORY = Memory()


def names() -> tuple[str, ...]:
    """Return the names that :func:`load` knows."""
    return tuple(SOURCES)


def load(name: str, source: str = "auto") -> Dataset:
    """Load a data set, by one of the :func:`names`.

    Its frame has ``int64`` and ``float64`` columns and unordered categorical ones, whose categories are the whole
    public domain of the column; a missing value (``?`` at UCI) is NaN. Both sources give the same columns, types and
    number of rows.

    Parameters
    ----------
    name : str
        One of :func:`names`.
    source : {"auto", "uci", "standin"}
        ``"uci"``: the real file, from the cache folder or else from UCI; where it cannot be had, a DataUnavailable says
        what was tried and what to do. ``"standin"``: the packaged stand-in, no network and no files. ``"auto"``: the
        real file if it can be had, else the stand-in, with a notice, shown once a process; to silence it,
        ``warnings.simplefilter("ignore", datasets.DataNotice)``.

    Notes
    -----
    The cache folder is ``LDP_BOOK_DATA`` if that is set (a class can fill it beforehand; it may be read-only; a first
    download makes it if it is not there), else ``ldp-book`` in the user's cache folder. A file there is checked
    (SHA-256) before every use.

    What is not there is downloaded, at most once: from the archive of the data set in the layout that UCI has now,
    ``static/public/2/adult.zip``, and if that does not give the right file, from its path in the old one,
    ``ml/machine-learning-databases/adult/adult.data``. ``LDP_BOOK_UCI`` names a mirror instead of UCI: the http or
    https address of a folder that stands for ``static/public/`` or for ``ml/machine-learning-databases/``. There, both
    are asked for, ``2/adult.zip`` and ``adult/adult.data``. ``LDP_BOOK_OFFLINE=1`` never tries the network.

    If the server cannot be reached ``"auto"`` does not try again in the same process, so that no later cell waits; if
    it has not what was asked for, that data set is not asked for again. ``"uci"`` always tries. A download takes a
    minute at most. Python in the browser uses the stand-in.

    ``"diabetes"`` was withdrawn from UCI: ``"auto"`` is its stand-in, without a notice, and ``"uci"`` reads a copy that
    the reader has put into the cache folder, and never asks the network. The stand-ins of ``"car"``, ``"nursery"`` and
    ``"wdbc"`` are the real files, row by row; those of ``"diabetes"`` and ``"arcene"`` are made by generators and
    resemble the real files in rounded figures only.

    ``load("adult")`` is ``adult.data``, the 32,561 rows that published counts refer to. UCI's own test part has
    no stand-in and is left out.

    Examples
    --------
    >>> from ldp_book import datasets
    >>> adult = datasets.load("adult", source="standin")
    >>> adult.target, len(adult.features), adult.frame.shape
    ('income', 14, (32561, 15))
    >>> list(adult.frame["sex"].cat.categories)
    ['Female', 'Male']
    """
    entry = find(name)
    if not isinstance(source, str):
        raise TypeError(f"source must be a string, 'auto', 'uci' or 'standin', got {shown(source)}")
    check_option(source, "source", ("auto", "uci", "standin"))
    if source == "standin" or (source == "auto" and entry.withdrawn):
        return Dataset(standin.draw(entry), "standin", entry)
    contents = fetch.read(entry.files) if source == "uci" else _contents(entry)
    if contents is None:
        _notice(entry)
        return Dataset(standin.draw(entry), "standin", entry)
    return Dataset(entry.parse(*contents), "uci", entry)


def origin(name: str) -> str:
    """Say where :func:`load` would take the data set of a name from, "uci" or "standin", without reading its rows."""
    entry = find(name)
    return "standin" if entry.withdrawn or _contents(entry) is None else "uci"


def _contents(entry: Source) -> list[bytes] | None:
    """Return the real files if they can be had; whoever did not answer is not asked again."""
    network = _MEMORY.worth_trying(entry.name)
    try:
        return fetch.read(entry.files, network=network)
    except DataUnavailable as failure:
        if network:
            _MEMORY.learn(entry.name, failure)
        return None


def _notice(entry: Source) -> None:
    """Say that the stand-in is used. The text is the same wherever and whenever a page is built."""
    why = fetch.offline() or "the file could not be had from UCI"
    if fetch.folder_missing():
        why = f"LDP_BOOK_DATA names no folder, and {why}"
    fetch.say(
        f"{entry.title}: {why}, so these are the rows of the packaged stand-in. "
        f'datasets.load("{entry.name}", source="uci") says how to get the real file.',
        stacklevel=4,
    )
