"""The schema: which classes there are, which values each feature can take, and the code of each."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Codes
from ldp_core._validate import as_array, check_int, first_where, is_missing, shown

#: Most values of a feature, classes, or records that are listed.
LARGEST = 2**24

#: Per feature the number of values (0, 1, …) or the values themselves.
Categories = Sequence[int | Sequence[Any] | npt.NDArray[Any]]


@dataclass(frozen=True)
class Schema:
    """Public knowledge, shared with every device before anybody reports.

    Parameters
    ----------
    classes : ndarray, shape (n_classes,)
        The classes, in ascending order.
    categories : tuple of ndarray
        Per feature its values, in ascending order.
    """

    classes: npt.NDArray[Any]
    categories: tuple[npt.NDArray[Any], ...]

    @classmethod
    def build(
        cls,
        X: npt.NDArray[Any],
        y: npt.NDArray[Any],
        categories: Categories | None = None,
        classes: Sequence[Any] | npt.NDArray[Any] | None = None,
    ) -> Schema:
        """Take what is declared, at least two classes and categories for every feature, and read the rest off the data.

        That only one class occurs in the data, where none are declared, is no error.
        """
        known = sort_values(y if classes is None else classes, "classes")
        if classes is not None and len(known) < 2:
            raise ValueError(f"classes must be at least 2, got 1 class: {known.tolist()!r}")
        if categories is None:
            columns = [sort_values(column, f"feature {i}") for i, column in enumerate(X.T)]
        else:
            columns = declared(categories)
            if len(columns) != X.shape[1]:
                raise ValueError(f"categories must have one entry per feature, {X.shape[1]}, got {len(columns)}")
        return cls(known, tuple(columns))

    @classmethod
    def of_sizes(cls, sizes: Sequence[int], n_classes: int) -> Schema:
        """Make the schema of integer codes: sizes are the numbers n_i of values 0, …, n_i − 1, beside n_classes."""
        count = check_int(n_classes, "n_classes", 2, LARGEST)
        columns = as_array(sizes, "sizes").ravel()
        return cls(np.arange(count), tuple(np.arange(check_int(n, "sizes", 1, LARGEST)) for n in columns))

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of values of each feature."""
        return tuple(len(c) for c in self.categories)

    def encode_classes(self, y: npt.NDArray[Any]) -> Codes:
        """Give the codes 0, …, n_classes − 1 of classes; one that is not declared is an error."""
        codes = find(self.classes, y)
        if codes.min() < 0:
            bad = y.tolist()[int(np.argmin(codes))]
            raise ValueError(f"y must hold the classes {_shorten(self.classes.tolist())}, got {bad!r}")
        return codes

    def encode(self, X: npt.NDArray[Any], unknown: str = "error") -> Codes:
        """Give the codes 0, …, n_i − 1 of every feature; what is ``unknown`` is an "error", or has the code "-1"."""
        codes = np.empty(X.shape, dtype=np.int64)
        for i, values in enumerate(self.categories):
            if unknown != "error" and kind(values) != (held := kind(X[:, i])):
                # The text "1" is not the number 1: no row would be known, and the answer the same for all.
                if any(map(is_missing, X[:, i])):
                    raise ValueError(f"X must not be missing, got None or NaN in feature {i}")
                raise TypeError(
                    f"X must hold {kind(values)} in feature {i}, as the model's categories {_shorten(values.tolist())} "
                    f"do, got {held}"
                )
            codes[:, i] = find(values, X[:, i])
            if unknown == "error" and codes[:, i].min() < 0:
                bad = X[:, i].tolist()[int(np.argmin(codes[:, i]))]
                allowed = _shorten(values.tolist())
                raise ValueError(f"X must hold the declared categories {allowed} in feature {i}, got {bad!r}")
        return codes


def records(sizes: Sequence[int], n_classes: int) -> Codes:
    """List everything one user can hold: codes of the features, then of the class, which varies fastest.

    The sizes are the numbers n_i of values of each feature, at most 31 of them, and there are at most 2**24 records.

    Examples
    --------
    >>> records([1, 2], 2).tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1]]
    """
    schema = Schema.of_sizes(sizes, n_classes)
    dims = (*schema.sizes, schema.n_classes)
    if len(dims) > 32 or math.prod(dims) > LARGEST:
        raise ValueError(f"sizes must make at most 2**24 records of at most 31 features, got {len(dims) - 1} features")
    return np.indices(dims).reshape(len(dims), -1).T


def declared(categories: Categories) -> list[npt.NDArray[Any]]:
    """Per feature the sorted values: an integer stands for 0, 1, …."""
    no_sequence = isinstance(categories, (str, bytes)) or not isinstance(categories, (Sequence, np.ndarray))
    if no_sequence or getattr(categories, "ndim", 1) == 0:
        raise TypeError(f"categories must be a sequence with one entry per feature, got {shown(categories)}")
    return [
        np.arange(check_int(c, f"categories[{i}]", 1, LARGEST))
        if isinstance(c, numbers.Integral)
        else sort_values(c, f"categories[{i}]")
        for i, c in enumerate(categories)
    ]


def sort_values(values: Any, name: str) -> npt.NDArray[Any]:
    """Different values in ascending order."""
    array = as_array(values, name)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} must be a non-empty vector, got shape {array.shape}")
    if array.dtype.kind in "mMc":
        raise TypeError(f"{name} must be real numbers or texts, got dtype {array.dtype}")
    if array.dtype.kind == "f" and not np.all(np.isfinite(array)):
        raise ValueError(f"{name} must be finite, got {first_where(array, ~np.isfinite(array))}")
    try:
        return np.unique(array)
    except (TypeError, ArithmeticError):  # the last from a NaN of decimal
        # A column of texts is one of objects in pandas 2, and of texts with NaN, which sort, in pandas 3.
        if any(map(is_missing, array)):
            raise ValueError(f"{name} must not hold missing values (None or NaN)") from None
        raise TypeError(
            f"{name} must hold values of one type, got {sorted({type(v).__name__ for v in array})}"
        ) from None


def kind(values: npt.NDArray[Any]) -> str:
    """Say what a vector holds: text, numbers, or other things, a mixture among them."""
    if values.dtype.kind in "US" or all(isinstance(value, str) for value in values):
        return "text"
    if values.dtype.kind in "biuf" or all(isinstance(value, numbers.Number) for value in values):
        return "numbers"
    return "other"


def find(values: npt.NDArray[Any], column: npt.NDArray[Any]) -> Codes:
    """Place of each entry in sorted values, −1 where it does not occur."""
    if values.dtype.kind == column.dtype.kind == "i" and values[-1] - values[0] == len(values) - 1:
        place = column.astype(np.int64) - values[0]  # a run of integers needs no search
        return np.where((place >= 0) & (place < len(values)), place, -1)
    try:
        place = np.minimum(np.searchsorted(values, column), len(values) - 1)
    except TypeError:  # strings compared with numbers: no entry can occur
        return np.full(len(column), -1)
    return np.where(values[place] == column, place, -1).astype(np.int64)


def _shorten(values: list[Any]) -> str:
    shown = [repr(v) for v in values]
    return "{" + ", ".join(shown if len(shown) <= 8 else [*shown[:4], "…", shown[-1]]) + "}"
