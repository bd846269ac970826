"""Checks that the central mechanisms share."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ldp_core._validate import check_real

Floats = npt.NDArray[np.float64]

#: What two neighbouring data sets are: one person more or less, or one person's record replaced by another.
Neighbours = Literal["add-remove", "replace"]


def check_positive(value: object, name: str) -> float:
    """Return a finite float > 0."""
    number = check_real(value, name)
    if number <= 0:
        raise ValueError(f"{name} must be > 0, got {value!r}")
    return number


def check_probability(value: object, name: str) -> float:
    """Return a float strictly between 0 and 1."""
    number = check_real(value, name)
    if not 0 < number < 1:
        raise ValueError(f"{name} must lie strictly between 0 and 1, got {value!r}")
    return number


def check_values(values: npt.ArrayLike, name: str) -> Floats:
    """Return finite numbers as float64, in any shape with at least one entry."""
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must be real numbers, got dtype {array.dtype}")
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} must be finite, got NaN or infinity")
    return array.astype(np.float64)


def check_neighbours(value: object) -> Neighbours:
    """Return the neighbour relation."""
    if value not in ("add-remove", "replace"):
        raise ValueError(f"neighbours must be 'add-remove' or 'replace', got {value!r}")
    return value


def check_bounds(bounds: object) -> tuple[float, float]:
    """Return public bounds (lower, upper), lower < upper."""
    pair: Any = bounds
    try:
        low, high = pair
    except (TypeError, ValueError):
        raise ValueError(f"bounds must be a pair (lower, upper), got {bounds!r}") from None
    low, high = check_real(low, "bounds[0]"), check_real(high, "bounds[1]")
    if not low < high:
        raise ValueError(f"bounds must be (lower, upper) with lower < upper, got {bounds!r}")
    return low, high


def like(value: Floats, given: npt.ArrayLike) -> Any:
    """Return a float for a number, an array for an array."""
    return float(value) if np.ndim(given) == 0 else value
