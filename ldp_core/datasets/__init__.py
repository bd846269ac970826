"""The book's data: the real UCI file where it can be had, a packaged stand-in where it cannot.

>>> from ldp_core import datasets
>>> adult = datasets.load("adult", source="standin")
>>> adult.frame["occupation"].value_counts()["Sales"].item()
3650
>>> print(adult.describe_source())  # doctest: +ELLIPSIS
Numbers on this page come from the packaged stand-in for UCI Adult: 32,561 rows ...
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from .._validate import shown
from . import fetch, standin
from .fetch import DataNotice, DataUnavailable
from .registry import SOURCES, find
from .schema import Source

__all__ = ["DataNotice", "DataUnavailable", "Dataset", "describe_sources", "load", "names"]

# What "auto" remembers in this process, so that no reader waits twice.
_unreachable = False
_refused: set[str] = set()


@dataclass(frozen=True)
class Dataset:
    """A data set in memory.

    Attributes
    ----------
    name : str
        What it was loaded by.
    frame : pandas.DataFrame
        One row a person (or a record), features and target; see :func:`load` for the types. Yours to change: every
        call of `load` makes a new one.
    features : tuple of str
        The columns other than the target, in order.
    target : str
        The column a classifier predicts.
    source : str
        ``"uci"`` or ``"standin"``: where these rows come from.
    title, url, doi, licence, citation : str
        For readers: name in full, the data set's page at UCI, and what to print beside results.
    made : str
        In a few words, what this data set's stand-in is made of and how.
    """

    name: str
    frame: pd.DataFrame
    features: tuple[str, ...]
    target: str
    source: str
    title: str
    url: str
    doi: str
    licence: str
    citation: str
    made: str

    def describe_source(self) -> str:
        """Say in one sentence where the rows come from; a chapter prints it below its numbers."""
        rows = f"{len(self.frame):,} rows"
        if self.source == "uci" and find(self.name).withdrawn:
            return f"Numbers on this page come from the reader's own copy of {self.title}: {rows}."
        if self.source == "uci":
            return f"Numbers on this page come from the {self.title} file of the UCI repository: {rows}."
        return f"Numbers on this page come from the packaged stand-in for {self.title}: {rows} {self.made}."


def describe_sources(*datasets: Dataset) -> str:
    """Say in a sentence or two where the rows of several data sets come from; a chapter prints it below its numbers.

    Parameters
    ----------
    *datasets : Dataset
        At least one.

    Returns
    -------
    str
        What :meth:`Dataset.describe_source` says of one; several are named once, with their numbers of rows.

    Examples
    --------
    >>> print(describe_sources(load("car", source="standin"), load("wdbc", source="standin")))  # doctest: +ELLIPSIS
    Numbers on this page come from packaged stand-ins: UCI Car Evaluation (1,728 rows rebuilt ...
    """
    if not datasets:
        raise ValueError("datasets must be at least one data set, got none")
    for dataset in datasets:
        if not isinstance(dataset, Dataset):
            raise TypeError(f"datasets must be what load returns, got {shown(dataset)}")
    if len(datasets) == 1:
        return datasets[0].describe_source()
    real = [d for d in datasets if d.source == "uci" and not find(d.name).withdrawn]
    own = [d for d in datasets if d.source == "uci" and find(d.name).withdrawn]
    made = [d for d in datasets if d.source == "standin"]

    def rows(d: Dataset) -> str:
        return f"{d.title} ({len(d.frame):,} rows{'' if d.source == 'uci' else ' ' + d.made})"

    parts = [
        f"{start} {'; '.join(map(rows, group))}"
        for start, group in (
            ("files of the UCI repository:", real),
            ("the reader's own copies:", own),
            ("packaged stand-ins:", made),
        )
        if group
    ]
    return f"Numbers on this page come from {', and from '.join(parts)}."


def names() -> tuple[str, ...]:
    """Return the names that :func:`load` knows.

    Examples
    --------
    >>> "adult" in names()
    True
    """
    return tuple(SOURCES)


def load(name: str, source: str = "auto") -> Dataset:
    """Load a data set.

    Parameters
    ----------
    name : str
        One of :func:`names`.
    source : {"auto", "uci", "standin"}
        ``"uci"``: the real file, from the cache folder or else from UCI. ``"standin"``: the packaged stand-in, no
        network and no files. ``"auto"``: the real file if it can be had, else the stand-in, with a notice.

    Returns
    -------
    Dataset
        Its frame has ``int64`` and ``float64`` columns and unordered categorical ones, whose categories are the whole
        public domain of the column; a missing value (``?`` at UCI) is NaN. Both sources give the same columns, types
        and number of rows.

    Raises
    ------
    ValueError
        If `name` or `source` is not one of those above (``TypeError`` if it is not a string).
    DataUnavailable
        If `source` is ``"uci"`` and the file can be had neither from the cache nor from UCI. The message says what was
        tried and what to do.

    Warns
    -----
    DataNotice
        If ``"auto"`` uses the stand-in; ``source="uci"`` then says why. Also if a damaged file in the cache was
        replaced, or if a download could not be kept there. Each is shown once a process; to silence them,
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
    >>> adult = load("adult", source="standin")
    >>> adult.target, len(adult.features), adult.frame.shape
    ('income', 14, (32561, 15))
    >>> list(adult.frame["sex"].cat.categories)
    ['Female', 'Male']
    """
    global _unreachable
    entry = find(name)
    if not isinstance(source, str):
        raise TypeError(f"source must be 'auto', 'uci' or 'standin'; got {shown(source)}")
    if source not in ("auto", "uci", "standin"):
        raise ValueError(f"source must be 'auto', 'uci' or 'standin'; got {shown(source)}")
    if source == "uci" or (source == "auto" and not entry.withdrawn):
        try:
            network = source == "uci" or not (_unreachable or name in _refused)
            contents = fetch.read(entry.files, network=network)
        except DataUnavailable as error:
            if source == "uci":
                raise
            if error.answered:
                _refused.add(name)
            elif network:
                _unreachable = True
        else:
            return _dataset(entry, entry.parse(*contents), "uci")
        _notice(entry)
    return _dataset(entry, standin.draw(entry), "standin")


def _dataset(entry: Source, frame: pd.DataFrame, source: str) -> Dataset:
    return Dataset(
        name=entry.name,
        frame=frame,
        features=tuple(column for column in entry.columns if column != entry.target),
        target=entry.target,
        source=source,
        title=entry.title,
        url=entry.url,
        doi=entry.doi,
        licence=entry.licence,
        citation=entry.citation,
        made=entry.made,
    )


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
