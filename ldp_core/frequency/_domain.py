"""The domain of a frequency oracle: which values there are, and which code each has."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._validate import check_counts, check_int


class Domain:
    """Categories and their codes 0, …, d − 1.

    Parameters
    ----------
    domain : int or sequence
        An integer d ≥ 2, for the values 0, …, d − 1, or at least two different categories.
    """

    def __init__(self, domain: int | Sequence[Any] | npt.NDArray[Any]) -> None:
        if isinstance(domain, numbers.Integral) and not isinstance(domain, bool):
            self.categories: tuple[Any, ...] = tuple(range(check_int(domain, "domain", 2)))
            self._is_range = True
            return
        if isinstance(domain, (str, bytes, numbers.Number)) or not isinstance(domain, Iterable):
            raise TypeError(f"domain must be an integer or a sequence of categories, got {domain!r}")
        self.categories = tuple(c.item() if isinstance(c, np.generic) else c for c in domain)
        self._is_range = False
        if len(self.categories) < 2:
            raise ValueError(f"domain must have at least 2 categories, got {self.categories!r}")
        if any(c is None or c != c for c in self.categories):
            raise ValueError(f"domain must not contain missing values, got {self.categories!r}")
        if len(set(self.categories)) < len(self.categories):
            twice = next(c for i, c in enumerate(self.categories) if c in self.categories[:i])
            raise ValueError(f"domain must list each category once, got {twice!r} twice")
        self._lookup = np.array(self.categories)
        if self._lookup.ndim != 1 or self._lookup.dtype.kind not in "biufU":
            raise TypeError(f"domain must be all numbers or all strings, got {self.categories!r}")
        if self._lookup.dtype.kind == "U" and not all(isinstance(c, str) for c in self.categories):
            raise TypeError(f"domain must be all numbers or all strings, got {self.categories!r}")
        self._order = np.argsort(self._lookup)
        self._sorted = self._lookup[self._order]

    def encode(self, values: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Codes of values, one per user; an error if any of them is missing or outside the domain."""
        array = np.asarray(values)
        if array.ndim != 1 or array.size == 0:
            raise ValueError(f"values must be one-dimensional and not empty, got shape {array.shape}")
        if self._is_range:
            return self.check_codes(array, "values")
        text = self._sorted.dtype.kind == "U"
        if array.dtype.kind == "O":
            array = self._from_objects(array, text)
        if (array.dtype.kind == "U") != text or array.dtype.kind not in "biufU":
            raise TypeError(
                f"values must be {'strings' if text else 'numbers'} like the domain, got dtype {array.dtype}"
            )
        # A binary search in the sorted categories: no loop over users, whatever the categories are.
        place = np.minimum(np.searchsorted(self._sorted, array), len(self.categories) - 1)
        outside = self._sorted[place] != array
        if outside.any():
            first = int(np.argmax(outside))
            allowed = _shorten(self.categories)
            raise ValueError(f"values must lie in the domain {allowed}, got {array[first].item()!r} at index {first}")
        codes: npt.NDArray[np.int64] = self._order[place].astype(np.int64)
        return codes

    def check_codes(self, codes: npt.ArrayLike, name: str) -> npt.NDArray[np.int64]:
        """Codes as int64, shape (n,); an error if empty, not whole numbers, or outside 0, …, d − 1."""
        array = np.asarray(codes)
        if array.ndim != 1 or array.size == 0:
            raise ValueError(f"{name} must be one-dimensional and not empty, got shape {array.shape}")
        if array.dtype.kind == "O":
            array = self._from_objects(array, text=False)
        d = len(self.categories)
        if array.dtype.kind not in "iuf":
            raise TypeError(f"{name} must be integers between 0 and {d - 1}, got dtype {array.dtype}")
        # Extremes first: they are cheap, and NaN fails every comparison.
        if not (array.min() >= 0 and array.max() < d) or (array.dtype.kind == "f" and np.any(array != np.floor(array))):
            bad = ~((array >= 0) & (array < d) & (array == np.floor(array)))
            first = int(np.argmax(bad))
            raise ValueError(
                f"{name} must be integers between 0 and {d - 1}, got {array[first].item()!r} at index {first}"
            )
        return array.astype(np.int64, copy=False)

    def check_true_counts(self, true_counts: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Whole non-negative counts, shape (d,), of at least one user."""
        counts = check_counts(true_counts, "true_counts", len(self.categories))
        if not counts.any():
            raise ValueError("true_counts must hold at least one user, got all zeros")
        return counts

    @staticmethod
    def _from_objects(array: npt.NDArray[Any], text: bool) -> npt.NDArray[Any]:
        """Object columns (pandas' strings, mixed lists) as strings or numbers, whichever the domain has."""
        if set(map(type, array.tolist())) == {str}:
            return array.astype(str)
        for i, value in enumerate(array.tolist()):
            # pandas.NA has no truth value, NaN differs from itself: neither may be compared like a value.
            if value is None or type(value).__name__ == "NAType" or value != value:
                raise ValueError(f"values must not be missing, got {value!r} at index {i}")
            if not isinstance(value, str if text else numbers.Real):
                raise TypeError(f"values must be {'strings' if text else 'numbers'} like the domain, got {value!r}")
        return array.astype(str if text else np.float64)


def _shorten(categories: tuple[Any, ...]) -> str:
    shown = [repr(c) for c in categories]
    return "{" + ", ".join(shown if len(shown) <= 8 else [*shown[:4], "…", shown[-1]]) + "}"
