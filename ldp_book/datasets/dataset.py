"""A data set in memory, and what a model needs of it: codes in public domains, or numbers between public bounds."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from ldp_book.datasets.source import Source
from ldp_core._arrays import Floats
from ldp_core._validate import check_bool, check_int, check_option, check_positive, check_real, shown

__all__ = ["Coded", "Dataset", "Scaled", "describe_sources"]


class Coded(NamedTuple):
    """What :meth:`Dataset.xy` returns: a table of codes, and the public sizes of their domains."""

    X: npt.NDArray[np.int64]  #: Codes, shape (n, m): column j holds 0 … sizes[j] − 1.
    y: npt.NDArray[np.int64]  #: Codes of the target, shape (n,).
    sizes: list[int]  #: How many values each column may have, present in the data or not.
    classes: list[int]  #: What `y` may be: 0 … number of classes − 1.
    columns: list[str]  #: The columns' names.

    @property
    def domains(self) -> dict[str, list[int]]:
        """What the classifiers of :mod:`ldp_core.learn` take: ``LDPNaiveBayes(epsilon, **coded.domains)``."""
        return {"categories": self.sizes, "classes": self.classes}


class Scaled(NamedTuple):
    """What :meth:`Dataset.scaled` returns: numbers between 0 and 1."""

    X: Floats  #: Numbers in [0, 1], shape (n, m).
    y: npt.NDArray[np.int64]  #: Codes of the target, shape (n,).
    classes: list[int]  #: What `y` may be: 0 … number of classes − 1.
    columns: list[str]  #: The columns' names; ``sex=Male`` for one value of a column.


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A data set in memory.

    Examples
    --------
    >>> from ldp_book import datasets
    >>> adult = datasets.load("adult", source="standin")
    >>> adult
    <Dataset adult from standin: 32,561 rows>
    >>> adult.target, len(adult.features), adult.bounds["age"], adult.about.licence
    ('income', 14, (17, 90), 'CC BY 4.0')
    """

    #: One row a person (or a record), features and target; see :func:`load` for the types. Yours to change: every call
    #: of `load` makes a new one.
    frame: pd.DataFrame
    source: str  #: ``"uci"`` or ``"standin"``: where these rows come from.
    about: Source  #: What is public about them: schema, bounds, files, licence, citation.

    def __repr__(self) -> str:
        return f"<Dataset {self.name} from {self.source}: {len(self.frame):,} rows>"

    @property
    def name(self) -> str:
        """What it was loaded by."""
        return self.about.name

    @property
    def title(self) -> str:
        """The name in full, for readers."""
        return self.about.title

    @property
    def target(self) -> str:
        """The column that a classifier predicts."""
        return self.about.target

    @property
    def features(self) -> tuple[str, ...]:
        """The columns other than the target, in order."""
        return tuple(column for column in self.about.columns if column != self.target)

    @property
    def bounds(self) -> dict[str, tuple[float, float]]:
        """Lower and upper bound of every column of numbers: public, not read off the rows (``about.bounds_from``)."""
        return dict(self.about.bounds)

    def xy(
        self,
        columns: Sequence[str] | None = None,
        *,
        bins: int | None = None,
        bounds: Mapping[str, tuple[float, float]] | None = None,
        log: Mapping[str, float] | None = None,
        missing: str = "drop",
    ) -> Coded:
        """Number the values of every column, for models of categories.

        Sizes are those of the public domains, whatever the rows hold.

        Parameters
        ----------
        columns : sequence of str, optional
            Which columns, in which order; the target may be among them. None: all features.
        bins : int, optional
            Numbers are cut into so many intervals of equal width on :meth:`scaled`'s scale. None: every whole number
            between the bounds has a code of its own; decimal numbers must be cut.
        bounds : mapping of str to (low, high), optional
            Other public bounds than the data set's own, for the columns named. A number outside is moved to the nearer
            one.
        log : mapping of str to float, optional
            Other columns than the data set's own to be cut on a logarithmic scale; see :meth:`scaled`.
        missing : {"drop", "code", "lowest"}
            ``"drop"``: leave out the rows that lack an answer in one of `columns`. ``"code"``: no answer is an answer,
            with a code of its own, the last, in every column where answers may be missing (``about.missing``).
            ``"lowest"``: it counts as code 0.

        Examples
        --------
        >>> from ldp_book import datasets
        >>> adult = datasets.load("adult", source="standin")
        >>> coded = adult.xy(["age", "sex"], bins=4)
        >>> coded.X[:2].tolist(), coded.y[:2].tolist(), coded.sizes, coded.classes
        ([[1, 1], [1, 1]], [1, 0], [4, 2], [0, 1])
        """
        names, known, units, frame = self._prepare(columns, bounds, log, missing, ("drop", "code", "lowest"))
        if bins is not None:
            check_int(bins, "bins", 2)
        codes, sizes = [], []
        for name in names:
            kind = self.about.columns[name]
            if isinstance(kind, tuple):
                code, size = _codes(frame, name, kind), len(kind)
            elif bins is not None:
                share = _share(frame, name, known[name], units.get(name))
                code, size = _missing_as(np.minimum(np.floor(bins * share), bins - 1), -1), bins
            else:
                code, size = self._whole(frame, name, known[name])
            if missing == "code" and name in self.about.missing:
                code, size = np.where(code < 0, size, code), size + 1
            codes.append(np.maximum(code, 0) if missing == "lowest" else code)
            if codes[-1].min(initial=0) < 0:
                raise ValueError(f"missing must be 'drop' or 'lowest': column {name!r} of the frame lacks answers")
            sizes.append(size)
        y, classes = self._target_codes(frame)
        return Coded(np.column_stack(codes), y, sizes, classes, names)

    def scaled(
        self,
        columns: Sequence[str] | None = None,
        *,
        bounds: Mapping[str, tuple[float, float]] | None = None,
        log: Mapping[str, float] | None = None,
        one_hot: bool = False,
        missing: str = "drop",
    ) -> Scaled:
        r"""Bring every column to the interval from 0 to 1, for models of numbers.

        The columns, the bounds and what is ``missing`` ("drop" or "lowest") are as in :meth:`xy`. The columns in
        ``log`` have a logarithmic scale, with the unit above which it is one (None: the data set's own, ``about.log``;
        an empty mapping: no column). A column of categories gives its code, divided by the largest, or, if ``one_hot``,
        a column of zeros and ones for each value.

        Notes
        -----
        A number x between its bounds is at (x − low)/(high − low), or, on a logarithmic scale with unit u, at

        .. math::  \frac{\ln(1 + (x - low)/u)}{\ln(1 + (high - low)/u)}.

        Numeric mechanisms want [−1, 1]: that is ``2 * X - 1``.

        Examples
        --------
        >>> from ldp_book import datasets
        >>> adult = datasets.load("adult", source="standin")
        >>> scaled = adult.scaled(["education-num", "sex"], one_hot=True)
        >>> scaled.columns
        ['education-num', 'sex=Female', 'sex=Male']
        >>> scaled.X[:2].round(2).tolist()
        [[0.8, 0.0, 1.0], [0.53, 0.0, 1.0]]
        """
        names, known, units, frame = self._prepare(columns, bounds, log, missing, ("drop", "lowest"))
        check_bool(one_hot, "one_hot")
        values, titles = [], []
        for name in names:
            kind = self.about.columns[name]
            if isinstance(kind, tuple):
                code = np.maximum(_codes(frame, name, kind), 0)
                of_values = np.equal.outer(code, np.arange(len(kind))).astype(float)
                values.append(of_values if one_hot else (code / max(len(kind) - 1, 1))[:, None])
                titles += [f"{name}={value}" for value in kind] if one_hot else [name]
            else:
                share = _share(frame, name, known[name], units.get(name))
                values.append(np.where(np.isnan(share), 0.0, share)[:, None])
                titles.append(name)
        y, classes = self._target_codes(frame)
        return Scaled(np.concatenate(values, axis=1), y, classes, titles)

    def describe_source(self) -> str:
        """Say in one sentence where the rows come from; a chapter prints it below its numbers."""
        rows = f"{len(self.frame):,} rows"
        if self.source == "uci" and self.about.withdrawn:
            return f"Numbers on this page come from the reader's own copy of {self.title}: {rows}."
        if self.source == "uci":
            return f"Numbers on this page come from the {self.title} file of the UCI repository: {rows}."
        return f"Numbers on this page come from the packaged stand-in for {self.title}: {rows} {self.about.made}."

    def _prepare(
        self,
        columns: Sequence[str] | None,
        bounds: Mapping[str, tuple[float, float]] | None,
        log: Mapping[str, float] | None,
        missing: str,
        options: tuple[str, ...],
    ) -> tuple[list[str], dict[str, tuple[float, float]], dict[str, float], pd.DataFrame]:
        """Check the arguments; return the columns' names, bounds, logarithmic units, and the rows to use."""
        check_option(missing, "missing", options)
        if isinstance(columns, str) or not isinstance(columns, Sequence | None):
            raise TypeError(f"columns must be a list of names, got {shown(columns)}")
        names = list(self.features if columns is None else columns)
        if not names:
            raise ValueError("columns must name at least one column, got none")
        for name in names:
            if not isinstance(name, str) or name not in self.about.columns:
                allowed = textwrap.shorten(", ".join(map(repr, self.about.columns)), 1000, placeholder=" …")
                raise ValueError(f"columns must be of {allowed}, got {shown(name)}")
        for argument, mapping in (("bounds", bounds), ("log", log)):
            if not isinstance(mapping, Mapping | None):
                raise TypeError(f"{argument} must be a mapping of columns, got {shown(mapping)}")
            for name in mapping or ():
                if name not in self.about.bounds:
                    raise ValueError(f"{argument} must be for columns of numbers of {self.title}, got {shown(name)}")
        known = self.bounds | {name: _pair(name, pair) for name, pair in (bounds or {}).items()}
        units = self.about.log if log is None else {name: check_positive(log[name], f"log of {name!r}") for name in log}
        gone = [name for name in dict.fromkeys([*names, self.target]) if name not in self.frame.columns]
        if gone:
            raise ValueError(f"the frame must have the columns that were loaded; {gone[0]!r} is gone")
        frame = self.frame[list(dict.fromkeys([*names, self.target]))]
        return names, known, dict(units), frame.dropna() if missing == "drop" else frame

    def _whole(self, frame: pd.DataFrame, name: str, pair: tuple[float, float]) -> tuple[npt.NDArray[np.int64], int]:
        """Give each whole number between the bounds a code; −1 where it is missing."""
        low, high = pair
        if self.about.columns[name] is not int:
            raise ValueError(f"bins must be an integer, since column {name!r} holds decimal numbers, got None")
        if low != int(low) or high != int(high):
            raise ValueError(f"bounds must be whole numbers where bins is None, got {pair} for {name!r}")
        return _missing_as(np.clip(_numbers(frame, name), low, high) - low, -1), int(high - low) + 1

    def _target_codes(self, frame: pd.DataFrame) -> tuple[npt.NDArray[np.int64], list[int]]:
        """Give the target's codes, and the codes it may have."""
        y = _codes(frame, self.target, self.about.labels)
        if y.min(initial=0) < 0:
            raise ValueError(f"missing must be 'drop': the target {self.target!r} of the frame lacks answers")
        return y, list(range(len(self.about.labels)))


def describe_sources(*datasets: Dataset) -> str:
    """Say in a sentence or two where the rows of several data sets come from; a chapter prints it below its numbers.

    Several datasets are named once, with their numbers of rows.

    Examples
    --------
    >>> from ldp_book.datasets import load
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
    real = [d for d in datasets if d.source == "uci" and not d.about.withdrawn]
    own = [d for d in datasets if d.source == "uci" and d.about.withdrawn]
    standins = [d for d in datasets if d.source == "standin"]

    def rows(d: Dataset) -> str:
        return f"{d.title} ({len(d.frame):,} rows{'' if d.source == 'uci' else ' ' + d.about.made})"

    parts = [
        f"{start} {'; '.join(map(rows, group))}"
        for start, group in (
            ("files of the UCI repository:", real),
            ("the reader's own copies:", own),
            ("packaged stand-ins:", standins),
        )
        if group
    ]
    return f"Numbers on this page come from {', and from '.join(parts)}."


def _pair(name: str, pair: object) -> tuple[float, float]:
    """Return public bounds as two floats."""
    if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
        raise TypeError(f"bounds of {name!r} must be a pair (low, high), got {shown(pair)}")
    low, high = (check_real(end, f"bounds of {name!r}") for end in pair)
    if not low < high:
        raise ValueError(f"bounds of {name!r} must be low < high, got {shown(pair)}")
    return low, high


def _numbers(frame: pd.DataFrame, name: str) -> Floats:
    column = frame[name]
    if not pd.api.types.is_numeric_dtype(column):
        raise TypeError(f"column {name!r} of the frame must hold numbers, got dtype {column.dtype}")
    return column.to_numpy(dtype=np.float64)


def _share(frame: pd.DataFrame, name: str, pair: tuple[float, float], unit: float | None) -> Floats:
    """Return where the numbers lie between the bounds, 0 to 1; NaN where one is missing."""
    low, high = pair
    above = np.clip(_numbers(frame, name), low, high) - low
    return above / (high - low) if unit is None else np.log1p(above / unit) / np.log1p((high - low) / unit)


def _codes(frame: pd.DataFrame, name: str, kind: tuple[str, ...]) -> npt.NDArray[np.int64]:
    """Return the codes of a column of categories; −1 where one is missing."""
    column: Any = frame[name]
    if not isinstance(column.dtype, pd.CategoricalDtype) or list(column.cat.categories) != list(kind):
        raise ValueError(f"column {name!r} of the frame must hold the categories {', '.join(kind)}, as it was loaded")
    codes: npt.NDArray[np.int64] = column.cat.codes.to_numpy(dtype=np.int64)
    return codes


def _missing_as(numbers: Floats, code: int) -> npt.NDArray[np.int64]:
    return np.where(np.isnan(numbers), code, numbers).astype(np.int64)
