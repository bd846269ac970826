"""Coarser values, clipped outliers, suppressed rows: how a table is made k-anonymous, and what it loses on the way."""

from __future__ import annotations

import itertools
import numbers
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ldp_book.anonymity._classes import check_columns, check_frame, factorize
from ldp_book.anonymity.k_anonymity import class_sizes
from ldp_core._arrays import Floats
from ldp_core._validate import check_int, check_positive, check_real, shown

__all__ = [
    "ANY", "Hierarchy", "by_digits", "by_prefix", "by_tree", "by_width", "clip", "generalize", "information_loss",
    "suppress",
]  # fmt: skip

#: What stands for "any value" at the top of a hierarchy.
ANY = "*"

#: Longest text that a hierarchy of prefixes takes: it has a level for each character.
LONGEST = 1_000


@dataclass(frozen=True)
class Hierarchy:
    """Coarser and coarser versions of one column: level 0 leaves it as it is, the last level says ``*`` throughout.

    Made by :func:`by_digits`, :func:`by_width`, :func:`by_prefix` or :func:`by_tree`. ``Hierarchy(())`` has only two
    levels: as it is, and ``*``.
    """

    #: What levels 1, 2, … up to the last but one make of the *original* column, from Series to Series.
    steps: tuple[Callable[[pd.Series], pd.Series], ...]

    def __post_init__(self) -> None:
        if not isinstance(self.steps, tuple) or not all(callable(step) for step in self.steps):
            raise TypeError(f"steps must be a tuple of functions, got {shown(self.steps)}")

    @property
    def depth(self) -> int:
        """The last level; there are depth + 1 levels."""
        return len(self.steps) + 1

    def apply(self, column: pd.Series, level: int) -> pd.Series:
        """Give the column at a level, 0 to depth; a value that does not fit the hierarchy is an error."""
        if not isinstance(column, pd.Series):
            raise TypeError(f"column must be a pandas Series, got {shown(column)}")
        level = check_int(level, "level", 0, self.depth)
        if level == 0:
            return column
        if level == self.depth:
            return pd.Series(ANY, index=column.index, name=column.name, dtype="str")
        coarser = self.steps[level - 1](column)
        if not isinstance(coarser, pd.Series) or len(coarser) != len(column):
            raise TypeError(f"steps must return a Series as long as the column, got {shown(coarser)} at level {level}")
        return coarser


def by_digits(digits: int) -> Hierarchy:
    """Hierarchy of numbers: level j, up to so many digits (1 to 15), replaces the last j by 0, rounding *down*.

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


def by_width(*widths: float) -> Hierarchy:
    """Hierarchy of numbers: intervals of growing width, each named by its lower end.

    The widths are those of levels 1, 2, …, each a multiple of the one before, so that every level merges whole classes;
    some interval begins at 0.

    Notes
    -----
    Numbers mean what they say in decimal: 0.3 begins the interval [0.3, 0.4) of width 0.1, although as doubles
    ``0.3 // 0.1`` is 2. All is computed in fractions, so nothing wraps round or is rounded before it is named. Lower
    ends of whole numbers are whole where widths are. A third is ``fractions.Fraction(1, 3)``.

    Examples
    --------
    >>> by_width(5, 20).apply(pd.Series([39, 50]), 1).tolist()
    [35, 50]
    >>> by_width(0.1).apply(pd.Series([0.3, 0.35]), 1).tolist()
    [0.3, 0.3]
    """
    if not widths:
        raise ValueError("widths must hold at least one width, got none")
    for width in widths:
        check_positive(width, "widths")
    whole = all(isinstance(width, numbers.Integral) for width in widths)
    exact = [_exact(width) for width in widths]
    for small, large in itertools.pairwise(exact):
        if large <= small or large % small:
            raise ValueError(f"widths must be growing multiples of each other, got {small} before {large}")
    return Hierarchy(tuple(_Intervals(width, whole) for width in exact))


def check_real_column(column: pd.Series) -> None:
    """Refuse a column that does not hold real numbers; missing ones are no matter."""
    kind = pd.api.types
    if not kind.is_numeric_dtype(column) or kind.is_bool_dtype(column) or kind.is_complex_dtype(column):
        raise TypeError(f"column {column.name!r} must hold real numbers, got dtype {column.dtype}")


def _exact(number: object) -> Fraction:
    """Give the number that a decimal says, not its nearest double."""
    return number if isinstance(number, Fraction) else Fraction(str(number))


@dataclass(frozen=True)
class _Intervals:
    """A step of :func:`by_width`."""

    width: Fraction
    whole: bool

    def __call__(self, column: pd.Series) -> pd.Series:
        check_real_column(column)
        codes, values = pd.factorize(column)  # a missing value has code −1
        whole = self.whole and pd.api.types.is_integer_dtype(column)
        ends: list[Any]
        if whole:  # fractions would take three times as long
            width = int(self.width)
            ends = [int(value) // width * width for value in values]
        else:
            ends = [self._lower_end(value, column.name) for value in values]
        nullable = pd.api.types.is_extension_array_dtype(column.dtype)
        if not all(-(2**63) <= end < 2**63 for end in ends if whole):
            array: Any = np.array([*ends, pd.NA], dtype=object)  # Python's integers where int64 is too small
        elif nullable:
            array = pd.array([*ends, pd.NA], dtype="Int64" if whole else "Float64")
        else:
            array = np.array(ends, dtype=np.int64) if whole else np.array([*ends, np.nan])
        return pd.Series(array[codes], index=column.index, name=column.name)

    def _lower_end(self, value: object, column: object) -> float:
        try:
            return float(_exact(value) // self.width * self.width)
        except (ValueError, OverflowError):
            raise ValueError(f"column {column!r} must hold numbers that are finite, got {value!r}") from None


def by_prefix(length: int) -> Hierarchy:
    """Hierarchy of texts of one length: level j replaces the last j characters by ``*``.

    The length is 1 to 1,000: 5 for ZIP codes.

    Examples
    --------
    >>> by_prefix(5).apply(pd.Series(["64152", "61523"]), 2).tolist()
    ['641**', '615**']
    """
    length = check_int(length, "length", 1, LONGEST)
    return Hierarchy(tuple(_Prefix(length, level) for level in range(1, length)))


@dataclass(frozen=True)
class _Prefix:
    """A step of :func:`by_prefix`."""

    length: int
    level: int

    def __call__(self, column: pd.Series) -> pd.Series:
        texts = column.astype("str").mask(column.isna())  # pandas 2 makes a text of what is missing
        if not (texts.str.len().dropna() == self.length).all():
            raise ValueError(f"column {column.name!r} must hold texts of {self.length} characters")
        return texts.str.slice(0, self.length - self.level) + ANY * self.level


def by_tree(*maps: Mapping[str, str]) -> Hierarchy:
    """Hierarchy of categories: each map names, for every value of the level below, the coarser value.

    The maps lead from original values to level 1, then from level 1 to level 2, and so on. A missing value stays
    missing.

    Examples
    --------
    >>> school = by_tree({"9th": "no degree", "10th": "no degree", "Masters": "degree"})
    >>> school.apply(pd.Series(["10th", "Masters"]), 1).tolist()
    ['no degree', 'degree']
    """
    if not maps:
        raise ValueError("maps must hold at least one map, got none")
    for names in maps:
        if not isinstance(names, Mapping):
            raise TypeError(f"maps must be mappings from value to coarser value, got {shown(names)}")
    pairs = tuple(tuple(names.items()) for names in maps)
    return Hierarchy(tuple(_Tree(pairs[:level]) for level in range(1, len(pairs) + 1)))


@dataclass(frozen=True)
class _Tree:
    """A step of :func:`by_tree`: what each map says, as pairs, so that hierarchies can be compared and hashed."""

    maps: tuple[tuple[tuple[Any, Any], ...], ...]

    def __call__(self, column: pd.Series) -> pd.Series:
        values = column.astype(object)
        for number, pairs in enumerate(self.maps):
            names = dict(pairs)
            try:
                unknown = set(values.dropna()) - set(names)
            except TypeError as error:  # lists in cells
                raise TypeError(f"column {column.name!r} must hold values that can be told apart: {error}") from None
            if unknown:
                raise ValueError(f"map {number} must name a coarser value for {sorted(map(str, unknown))}")
            values = values.map(names)
        return values


def generalize(
    frame: pd.DataFrame, levels: Mapping[str, int], *, hierarchies: Mapping[str, Hierarchy] | None = None
) -> pd.DataFrame:
    """Replace columns by coarser versions of themselves.

    For each column to be generalized, ``levels`` has its level; without ``hierarchies`` levels count digits to be
    replaced by 0 (:func:`by_digits`), so that the columns must be numbers.

    Examples
    --------
    >>> people = pd.DataFrame({"age": [42, 52], "sex": ["m", "f"]})
    >>> generalize(people, {"age": 1})["age"].tolist()
    [40, 50]
    """
    _check_mapping(levels, "levels")
    if hierarchies is not None:
        _check_mapping(hierarchies, "hierarchies")
    check_columns(check_frame(frame), levels, "levels")
    coarser = {}
    for column, level in levels.items():
        level = check_int(level, f"the level of {column!r}", 0)
        if hierarchies is None:
            hierarchy = by_digits(max(level, 1))
        elif column in hierarchies:
            hierarchy = check_hierarchy(hierarchies[column], column)
        else:
            raise ValueError(f"hierarchies must have one for {column!r}, got {list(hierarchies)}")
        coarser[column] = hierarchy.apply(frame[column], level)
    return frame.assign(**coarser)


def check_hierarchy(hierarchy: object, column: str) -> Hierarchy:
    """Return the hierarchy of a column."""
    if not isinstance(hierarchy, Hierarchy):
        raise TypeError(f"hierarchies must hold a Hierarchy for {column!r}, got {shown(hierarchy)}")
    return hierarchy


def _check_mapping(argument: object, name: str) -> None:
    if not isinstance(argument, Mapping):
        raise TypeError(f"{name} must be a mapping from the name of a column, got {shown(argument)}")


def clip(frame: pd.DataFrame, bounds: Mapping[str, tuple[float, float]]) -> pd.DataFrame:
    """Move outliers to the nearest bound, so that the few at the ends join larger classes; ``bounds`` are by column.

    Notes
    -----
    The rows stay, with a value that is not theirs: averages over clipped columns are biased.

    Examples
    --------
    >>> clip(pd.DataFrame({"age": [17, 39, 90]}), {"age": (20, 60)})["age"].tolist()
    [20, 39, 60]
    """
    _check_mapping(bounds, "bounds")
    check_columns(check_frame(frame), bounds, "bounds")
    clipped = {}
    for column, pair in bounds.items():
        if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
            raise TypeError(f"bounds of {column!r} must be a pair (low, high), got {shown(pair)}")
        low, high = pair
        if check_real(low, f"the lower bound of {column!r}") > check_real(high, f"the upper bound of {column!r}"):
            raise ValueError(f"bounds of {column!r} must be in order, got {(low, high)!r}")
        check_real_column(frame[column])
        clipped[column] = frame[column].clip(low, high)
    return frame.assign(**clipped)


def suppress(frame: pd.DataFrame, k: int, *, quasi_identifiers: Iterable[str] | None = None) -> pd.DataFrame:
    """Leave out the rows whose class has fewer than k members; what remains is k-anonymous (or empty).

    Examples
    --------
    >>> suppress(pd.DataFrame({"age": [30, 30, 41]}), 2)["age"].tolist()
    [30, 30]
    """
    k = check_int(k, "k", 1)
    return frame[class_sizes(frame, quasi_identifiers) >= k]


def information_loss(original: pd.DataFrame, released: pd.DataFrame, *, columns: Iterable[str] | None = None) -> float:
    """How much has been lost between a table and its coarser version, from 0 (nothing) to 1 (everything).

    It is the average over all cells of the original (in the columns named, by default all) of :math:`(m - 1)/(M - 1)`,
    where M is the number of different values in the column, and m of those the number that the cell's released value
    stands for in the rows that are released. Cells of rows left out count 1; a column with one value counts 0 where it
    is kept. The table that is released has been generalized, clipped or lacks rows: its index labels are among those of
    the original, and no label occurs twice.

    References
    ----------
    V. S. Iyengar. Transforming data to satisfy privacy constraints. KDD 2002, section 3 (the loss metric LM).

    Examples
    --------
    >>> ages = pd.DataFrame({"age": [31, 33, 42]})
    >>> information_loss(ages, generalize(ages, {"age": 1}))
    0.3333333333333333
    """
    names = check_columns(check_frame(original, "original"), columns, "columns")
    check_frame(released, "released", rows=0)
    if not (original.index.is_unique and released.index.is_unique):
        raise ValueError("original and released must have indexes in which no label occurs twice")
    places = original.index.get_indexer(released.index)
    if (places < 0).any():
        raise ValueError("released must have rows of original only, got an index label that original does not have")
    for column in names:
        if column not in released.columns:
            raise ValueError(f"released must have the column {column!r}")
    n = len(original)
    lost = float(n - len(released)) * len(names)
    if len(released):
        for column in names:
            before, values = factorize(original[column])
            after, groups = factorize(released[column])
            lost += float(np.sum(cell_losses(before[places], after, groups, values)))
    return lost / (n * len(names))


def cell_losses(before: npt.NDArray[np.int64], after: npt.NDArray[np.int64], groups: int, values: int) -> Floats:
    """Loss of each cell of a column, from codes before and after: ``values`` different before, ``groups`` after."""
    if values == 1:
        return np.zeros(len(before))
    pairs = np.unique(after * values + before)
    stands_for = np.bincount(pairs // values, minlength=groups)
    return (stands_for[after] - 1) / (values - 1)
