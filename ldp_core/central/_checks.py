"""Checks that the central mechanisms share."""

from __future__ import annotations

import math
from collections.abc import Set
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ldp_core._validate import as_array, check_in_range, check_numbers, check_option, check_positive, first_where, shown

Floats = npt.NDArray[np.float64]

#: Limits in size of public bounds, of noise and of what it is added to: sums and noisy answers stay finite.
LARGEST_BOUND, LARGEST_SCALE, LARGEST_VALUE = 1e290, 1e300, 1e307

#: What two neighbouring data sets are: one person more or less, or one person's record replaced by another.
Neighbours = Literal["add-remove", "replace"]


def check_values(values: object, name: str, largest: float = math.inf) -> Floats:
    """Return finite numbers, or truth values as 0 and 1, as float64 in any shape with at least one entry."""
    array = as_array(values, name)
    array = check_numbers(array.astype(np.float64) if array.dtype.kind == "b" else array, name)
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    if np.max(np.abs(array)) > largest:
        raise ValueError(f"{name} must be at most {largest:g} in size, got {first_where(array, abs(array) > largest)}")
    return array


def check_scale(sensitivity: object, epsilon: object, factor: float = 1.0, name: str = "sensitivity") -> float:
    """Return factor times sensitivity/epsilon, the scale of noise; both must be > 0, and so must be the scale."""
    change, budget = check_positive(sensitivity, name), check_positive(epsilon, "epsilon")
    scale = factor * (change / budget)
    if not 0 < scale <= LARGEST_SCALE:
        raise ValueError(
            f"{name} / epsilon must be > 0 and at most {LARGEST_SCALE:g} in double precision, "
            f"got {name} {shown(sensitivity)} and epsilon {shown(epsilon)}"
        )
    return scale


def check_neighbours(value: object) -> Neighbours:
    """Return the neighbour relation."""
    relation: Any = check_option(value, "neighbours", ("add-remove", "replace"))
    checked: Neighbours = relation
    return checked


def check_bounds(bounds: object) -> tuple[float, float]:
    """Return public bounds (lower, upper), lower < upper."""
    pair: Any = None if isinstance(bounds, Set) else bounds  # a set has no order
    try:
        low, high = pair
    except (TypeError, ValueError):
        raise ValueError(f"bounds must be a pair (lower, upper), got {shown(bounds)}") from None
    low = check_in_range(low, "bounds[0]", -LARGEST_BOUND, LARGEST_BOUND)
    high = check_in_range(high, "bounds[1]", -LARGEST_BOUND, LARGEST_BOUND)
    if not low < high:
        raise ValueError(f"bounds must be (lower, upper) with lower < upper, got {shown(bounds)}")
    return low, high


def like(value: Floats, given: object) -> Any:
    """Return a float for a number, an array for an array."""
    return float(value) if np.ndim(given) == 0 else value  # type: ignore[arg-type]
