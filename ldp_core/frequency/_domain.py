"""The domain of a frequency oracle: which values there are, and which code each has."""

from __future__ import annotations

import numbers
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._validate import as_array, check_counts, check_int, check_numbers, first_where, is_missing, shown

#: Most categories: a vector of counts then takes 128 MiB. Beyond, hash the values into a smaller domain first.
MAX_DOMAIN = 2**24

#: Whole numbers below this are exact as doubles, and none above is rounded to one below.
_EXACT = 2**53

DomainLike = int | Sequence[Any] | npt.NDArray[Any]


class Domain:
    """Categories and their codes 0, …, d − 1.

    Values are the same if Python says that they are equal: 1, 1.0 and True are one number, and no two integers or
    strings are ever confused, however large or alike they are. The values 0, …, d − 1 are given by their number,
    different categories, all numbers or all strings, by a sequence, whose order is that of the codes; what has no order
    of its own (a set, a dict, an iterator) is refused, as server and devices must agree on it.
    """

    def __init__(self, domain: DomainLike) -> None:
        self._is_range = isinstance(domain, numbers.Integral) and not isinstance(domain, (bool, np.bool_))
        self._values: Sequence[Any]
        if isinstance(domain, numbers.Integral) and self._is_range:
            self._values = range(check_int(domain, "domain", 2, MAX_DOMAIN))
            self.size = len(self._values)
            return
        self._values = _check_categories(domain)
        self.size = len(self._values)
        self._codes = {category: code for code, category in enumerate(self._values)}
        if len(self._codes) < self.size:
            twice = next(c for i, c in enumerate(self._values) if self._codes[c] != i)
            raise ValueError(f"domain must list each category once, got {shown(twice)} twice")
        self._is_text = isinstance(self._values[0], str)
        # NumPy compares strings without their trailing zeros, and large integers after rounding: where that could
        # matter there is no lookup by array, and a dictionary answers instead.
        if self._is_text:
            self._is_plain = not any(c.endswith("\0") for c in self._values)
        else:
            self._is_plain = max(map(abs, self._values)) < _EXACT
        if self._is_plain:
            lookup = np.array(self._values)
            self._order = np.argsort(lookup)
            self._sorted = lookup[self._order]

    @cached_property
    def categories(self) -> tuple[Any, ...]:
        """The categories, in the order of their codes."""
        return tuple(self._values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Domain):
            return NotImplemented
        if self._is_range and other._is_range:
            return self.size == other.size
        return self.size == other.size and self.categories == other.categories

    def __hash__(self) -> int:
        return hash((self.size, self._values[0], self._values[-1]))

    def __repr__(self) -> str:
        counts_up = self._is_range or self.categories == tuple(range(self.size))
        return repr(self.size if counts_up else list(self.categories))

    def encode(self, values: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Codes of values, one per user, in a new array; an error if any is missing or outside the domain."""
        array = _as_vector(values, "values")
        if self._is_range:
            return np.array(self.check_codes(array, "values"))
        # A list may hold what NumPy would turn into something else: 1 among strings, 2**53 + 1 among floats.
        if isinstance(values, (list, tuple)) and (self._is_text or not self._is_plain):
            return self._encode_objects(list(values))
        if array.dtype.kind == "O":
            return self._encode_objects(array.tolist())
        if (array.dtype.kind == "U") != self._is_text or array.dtype.kind not in "biufU":
            raise TypeError(f"values must be {self._kind} like the domain, got dtype {array.dtype}")
        if not self._is_plain:
            return self._encode_objects(array.tolist())
        # A binary search in the sorted categories: no loop over users.
        place = np.minimum(np.searchsorted(self._sorted, array), self.size - 1)
        outside = self._sorted[place] != array
        if outside.any():
            raise ValueError(f"values must lie in the domain {self._shortened()}, got {first_where(array, outside)}")
        return self._order[place].astype(np.int64, copy=False)

    def check_codes(self, codes: npt.ArrayLike, name: str) -> npt.NDArray[np.int64]:
        """Codes as int64, shape (n,); an error if empty, not whole numbers, or outside 0, …, d − 1."""
        return check_codes(codes, name, self.size)

    def check_true_counts(self, true_counts: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Whole non-negative counts, shape (d,), of at least one user."""
        counts = check_counts(true_counts, "true_counts", self.size)
        if not counts.any():
            raise ValueError("true_counts must hold at least one user, got all zeros")
        return counts

    @property
    def _kind(self) -> str:
        return "strings" if self._is_text else "numbers"

    def _encode_objects(self, items: list[Any]) -> npt.NDArray[np.int64]:
        """Codes of Python objects, by Python's own equality."""
        allowed: tuple[type, ...] = (str,) if self._is_text else (numbers.Real, np.bool_)
        if all(issubclass(kind, allowed) for kind in set(map(type, items))):
            codes = [self._codes.get(item, -1) for item in items]
            if -1 not in codes:
                return np.array(codes, dtype=np.int64)
        for i, item in enumerate(items):
            if is_missing(item):
                raise ValueError(f"values must not be missing, got {shown(item)} at index {i}")
            if not isinstance(item, allowed):
                raise TypeError(f"values must be {self._kind} like the domain, got {shown(item)} at index {i}")
        first = codes.index(-1)
        raise ValueError(
            f"values must lie in the domain {self._shortened()}, got {shown(items[first])} at index {first}"
        )

    def _shortened(self) -> str:
        few = self._values if self.size <= 8 else self._values[:4]
        return "{" + ", ".join(map(shown, few)) + (f", …, {shown(self._values[-1])}" if self.size > 8 else "") + "}"


def check_codes(codes: npt.ArrayLike, name: str, size: int) -> npt.NDArray[np.int64]:
    """Codes as int64, shape (n,); an error if empty, not whole numbers, or outside 0, …, size − 1."""
    array = _as_vector(codes, name)
    if array.dtype.kind == "O":
        array = check_numbers(array, name)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be integers between 0 and {size - 1}, got dtype {array.dtype}")
    # Extremes first: they are cheap, and NaN fails every comparison.
    if not (array.min() >= 0 and array.max() < size) or (array.dtype.kind == "f" and np.any(array != np.floor(array))):
        bad = ~((array >= 0) & (array < size) & (array == np.floor(array)))
        raise ValueError(f"{name} must be integers between 0 and {size - 1}, got {first_where(array, bad)}")
    return array.astype(np.int64, copy=False)


def _check_categories(domain: object) -> tuple[Any, ...]:
    """Categories as a tuple of Python's own numbers or strings; an error names what else was given."""
    if isinstance(domain, (str, bytes, Set, Mapping, Iterator, np.ma.MaskedArray)) or not (
        hasattr(domain, "__getitem__") and hasattr(domain, "__len__")
    ):
        raise TypeError(f"domain must be an integer or a sequence of categories in a fixed order, got {shown(domain)}")
    if getattr(domain, "ndim", 1) != 1:  # a matrix, a data frame, an array of no dimension
        raise ValueError(f"domain must be one-dimensional, got {shown(domain)}")
    if not 2 <= len(domain) <= MAX_DOMAIN:
        raise ValueError(f"domain must have between 2 and {MAX_DOMAIN} categories, got {len(domain)}")
    values = tuple(c.item() if isinstance(c, np.generic) else c for c in domain)  # type: ignore[attr-defined]
    kinds = set(map(type, values))
    if all(issubclass(kind, str) for kind in kinds):
        return values
    if all(issubclass(kind, (int, float)) for kind in kinds) and all(c == c for c in values):
        return values
    for i, category in enumerate(values):
        if is_missing(category):
            raise ValueError(f"domain must not contain missing values, got {shown(category)} at index {i}")
    raise TypeError(f"domain must be all numbers or all strings, got {shown(values)}")


def _as_vector(values: npt.ArrayLike, name: str) -> npt.NDArray[Any]:
    array = as_array(values, name)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} must be one-dimensional and not empty, got shape {array.shape}")
    return array
