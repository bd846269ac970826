"""Coarser values, clipped outliers, suppressed rows: how a table is made k-anonymous, and what it loses on the way."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from ldp_core._validate import check_int, check_real
from ldp_core.anonymity._classes import check_columns, check_frame, factorise
from ldp_core.anonymity.k_anonymity import class_sizes

#: What stands for "any value" at the top of a hierarchy.
ANY = "*"


@dataclass(frozen=True)
class Hierarchy:
    """Coarser and coarser versions of one column: level 0 leaves it as it is, the last level says ``*`` throughout.

    Made by :func:`by_digits`, :func:`by_width`, :func:`by_prefix` or :func:`by_tree`. ``Hierarchy(())`` has only two
    levels: as it is, and ``*``.

    Parameters
    ----------
    steps : tuple of callable
        What levels 1, 2, … up to the last but one make of the *original* column, from Series to Series.
    """

    steps: tuple[Callable[[pd.Series], pd.Series], ...]

    @property
    def depth(self) -> int:
        """The last level; there are depth + 1 levels."""
        return len(self.steps) + 1

    def apply(self, column: pd.Series, level: int) -> pd.Series:
        """Give the column at a level.

        Parameters
        ----------
        column : pandas.Series
            Original values.
        level : int
            0, …, depth.

        Returns
        -------
        pandas.Series
            Generalised values with the same index.

        Examples
        --------
        >>> by_digits(1).apply(pd.Series([39, 50]), 1).tolist()
        [30, 50]
        """
        level = check_int(level, "level", 0, self.depth)
        if level == 0:
            return column
        if level == self.depth:
            return pd.Series(ANY, index=column.index, name=column.name, dtype="str")
        return self.steps[level - 1](column)


def by_digits(digits: int) -> Hierarchy:
    """Hierarchy of numbers: level j replaces the last j digits by 0, rounding *down*.

    Parameters
    ----------
    digits : int
        How many digits may go, 1 to 15; after that comes ``*``.

    Notes
    -----
    Down, not to the nearest: 56 becomes 50 and −1 becomes −10, so that every interval has the same length.
    ``int(x / 10) * 10`` rounds towards 0 instead, which puts −9 and 9 into one class of double length.

    Examples
    --------
    >>> by_digits(2).apply(pd.Series([56, 173, -1]), 1).tolist()
    [50, 170, -10]
    """
    digits = check_int(digits, "digits", 1, 15)
    return by_width(*(10**j for j in range(1, digits + 1)))


def by_width(*widths: float, origin: float = 0) -> Hierarchy:
    """Hierarchy of numbers: intervals of growing width, each named by its lower end.

    Parameters
    ----------
    *widths : float
        Widths of levels 1, 2, …, > 0; each a multiple of the one before, so that every level merges whole classes.
    origin : float, default 0
        Where some interval begins.

    Examples
    --------
    >>> by_width(5, 20).apply(pd.Series([39, 50]), 1).tolist()
    [35, 50]
    """
    origin = origin if isinstance(origin, int) else check_real(origin, "origin")
    if not widths:
        raise ValueError("widths must hold at least one width, got none")
    for width in widths:
        if check_real(width, "widths") <= 0:
            raise ValueError(f"widths must be > 0, got {width!r}")
    for small, large in itertools.pairwise(widths):
        if large <= small or abs(large / small - round(large / small)) > 1e-9:
            raise ValueError(f"widths must be growing multiples of each other, got {small!r} before {large!r}")

    def step(width: float) -> Callable[[pd.Series], pd.Series]:
        def coarser(column: pd.Series) -> pd.Series:
            if not pd.api.types.is_numeric_dtype(column):
                raise TypeError(f"column {column.name!r} must hold numbers, got dtype {column.dtype}")
            return (column - origin) // width * width + origin

        return coarser

    return Hierarchy(tuple(step(width) for width in widths))


def by_prefix(length: int) -> Hierarchy:
    """Hierarchy of texts of one length: level j replaces the last j characters by ``*``.

    Parameters
    ----------
    length : int
        Length of every text, ≥ 1: 5 for ZIP codes.

    Examples
    --------
    >>> by_prefix(5).apply(pd.Series(["64152", "61523"]), 2).tolist()
    ['641**', '615**']
    """
    length = check_int(length, "length", 1)

    def step(level: int) -> Callable[[pd.Series], pd.Series]:
        def coarser(column: pd.Series) -> pd.Series:
            texts = column.astype("str")
            if not (texts.str.len().dropna() == length).all():
                raise ValueError(f"column {column.name!r} must hold texts of {length} characters")
            return texts.str.slice(0, length - level) + ANY * level

        return coarser

    return Hierarchy(tuple(step(level) for level in range(1, length)))


def by_tree(*maps: Mapping[str, str]) -> Hierarchy:
    """Hierarchy of categories: each map names, for every value of the level below, the coarser value.

    Parameters
    ----------
    *maps : mapping from str to str
        First from original values to level 1, then from level 1 to level 2, and so on. A missing value stays missing.

    Examples
    --------
    >>> school = by_tree({"9th": "no degree", "10th": "no degree", "Masters": "degree"})
    >>> school.apply(pd.Series(["10th", "Masters"]), 1).tolist()
    ['no degree', 'degree']
    """
    if not maps:
        raise ValueError("maps must hold at least one map, got none")

    def step(level: int) -> Callable[[pd.Series], pd.Series]:
        def coarser(column: pd.Series) -> pd.Series:
            values = column.astype(object)
            for number, names in enumerate(maps[:level]):
                unknown = set(values.dropna().unique()) - set(names)
                if unknown:
                    raise ValueError(f"map {number} must name a coarser value for {sorted(map(str, unknown))}")
                values = values.map(dict(names))
            return values

        return coarser

    return Hierarchy(tuple(step(level) for level in range(1, len(maps) + 1)))


def generalise(
    frame: pd.DataFrame, levels: Mapping[str, int], hierarchies: Mapping[str, Hierarchy] | None = None
) -> pd.DataFrame:
    """Replace columns by coarser versions of themselves.

    Parameters
    ----------
    frame : pandas.DataFrame, n ≥ 1 rows
        Not changed.
    levels : mapping from str to int
        For each column to be generalised, the level; other columns stay as they are.
    hierarchies : mapping from str to Hierarchy, optional
        By default levels count digits to be replaced by 0 (:func:`by_digits`), so that the columns must be numbers.

    Returns
    -------
    pandas.DataFrame, same shape and index

    Examples
    --------
    >>> people = pd.DataFrame({"age": [42, 52], "sex": ["m", "f"]})
    >>> generalise(people, {"age": 1})["age"].tolist()
    [40, 50]
    """
    check_columns(check_frame(frame), levels, "levels")
    coarser = {}
    for column, level in levels.items():
        level = check_int(level, f"the level of {column!r}", 0)
        if hierarchies is None:
            hierarchy = by_digits(max(level, 1))
        elif column in hierarchies:
            hierarchy = hierarchies[column]
        else:
            raise ValueError(f"hierarchies must have one for {column!r}, got {list(hierarchies)}")
        coarser[column] = hierarchy.apply(frame[column], level)
    return frame.assign(**coarser)


def clip(frame: pd.DataFrame, bounds: Mapping[str, tuple[float, float]]) -> pd.DataFrame:
    """Move outliers to the nearest bound, so that the few at the ends join larger classes.

    Parameters
    ----------
    frame : pandas.DataFrame, n ≥ 1 rows
        Not changed.
    bounds : mapping from str to (float, float)
        For each column of numbers to be clipped, its least and greatest allowed value.

    Returns
    -------
    pandas.DataFrame, same shape and index

    Notes
    -----
    The rows stay, with a value that is not theirs: averages over clipped columns are biased.

    Examples
    --------
    >>> clip(pd.DataFrame({"age": [17, 39, 90]}), {"age": (20, 60)})["age"].tolist()
    [20, 39, 60]
    """
    check_columns(check_frame(frame), bounds, "bounds")
    for column, (low, high) in bounds.items():
        if check_real(low, f"the lower bound of {column!r}") > check_real(high, f"the upper bound of {column!r}"):
            raise ValueError(f"bounds of {column!r} must be in order, got {(low, high)!r}")
    return frame.assign(**{column: frame[column].clip(low, high) for column, (low, high) in bounds.items()})


def suppress(frame: pd.DataFrame, k: int, quasi_identifiers: Iterable[str] | None = None) -> pd.DataFrame:
    """Leave out the rows whose class has fewer than k members; what remains is k-anonymous (or empty).

    Parameters
    ----------
    frame : pandas.DataFrame, n ≥ 1 rows
        Not changed.
    k : int
        At least 1.
    quasi_identifiers : list of str, optional
        Columns an attacker may know; by default all.

    Returns
    -------
    pandas.DataFrame
        The rows that stay, with their index.

    Examples
    --------
    >>> suppress(pd.DataFrame({"age": [30, 30, 41]}), 2)["age"].tolist()
    [30, 30]
    """
    k = check_int(k, "k", 1)
    return frame[class_sizes(frame, quasi_identifiers) >= k]


def information_loss(original: pd.DataFrame, released: pd.DataFrame, columns: Iterable[str] | None = None) -> float:
    r"""How much has been lost between a table and its coarser version, from 0 (nothing) to 1 (everything).

    Parameters
    ----------
    original : pandas.DataFrame, n ≥ 1 rows
        The table before, with an index in which no label occurs twice.
    released : pandas.DataFrame
        The table after, generalised, clipped or with rows left out: its index labels are among those of ``original``.
    columns : list of str, optional
        Which columns count; by default all of ``original``.

    Returns
    -------
    float
        Average over all cells of the original of :math:`(m - 1)/(M - 1)`, where M is the number of different values in
        the column, and m of those the number that the cell's released value may stand for. Cells of rows left out count
        1; a column with one value counts 0 where it is kept.

    References
    ----------
    V. S. Iyengar. Transforming data to satisfy privacy constraints. KDD 2002, section 3 (the loss metric LM).

    Examples
    --------
    >>> ages = pd.DataFrame({"age": [31, 33, 42]})
    >>> information_loss(ages, generalise(ages, {"age": 1}))
    0.3333333333333333
    """
    wanted = check_columns(check_frame(original, "original"), columns, "columns")
    if not isinstance(released, pd.DataFrame):
        raise TypeError(f"released must be a pandas DataFrame, got {type(released).__name__}")
    if not (original.index.is_unique and released.index.is_unique):
        raise ValueError("original and released must have indexes in which no label occurs twice")
    places = original.index.get_indexer(released.index)
    if (places < 0).any():
        raise ValueError("released must have rows of original only, got an index label that original does not have")
    for column in wanted:
        if column not in released.columns:
            raise ValueError(f"released must have the column {column!r}")
    n = len(original)
    lost = float(n - len(released)) * len(wanted)
    if len(released):
        for column in wanted:
            before, values = factorise(original[column])
            after, groups = factorise(released[column])
            lost += float(np.sum(cell_losses(before[places], after, groups, values)))
    return lost / (n * len(wanted))


def cell_losses(
    before: npt.NDArray[np.int64], after: npt.NDArray[np.int64], groups: int, values: int
) -> npt.NDArray[np.float64]:
    """Loss of each cell of a column, from codes before and after: ``values`` different before, ``groups`` after."""
    if values == 1:
        return np.zeros(len(before))
    pairs = np.unique(after * values + before)
    stands_for = np.bincount(pairs // values, minlength=groups)
    losses: npt.NDArray[np.float64] = (stands_for[after] - 1) / (values - 1)
    return losses
