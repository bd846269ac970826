"""Checks at the boundary, written once: each error names the argument, its value and what is allowed."""

from __future__ import annotations

import math
import numbers

import numpy as np
import numpy.typing as npt

#: What every random step takes: a generator, a seed, or None for fresh entropy.
Rng = np.random.Generator | int | None


def check_rng(rng: Rng) -> np.random.Generator:
    """Return a generator; an int is a seed, None draws fresh entropy. NumPy's global state is never touched."""
    if isinstance(rng, np.random.Generator):
        return rng
    if rng is None:
        return np.random.default_rng()
    if isinstance(rng, numbers.Integral) and not isinstance(rng, bool):
        if rng < 0:
            raise ValueError(f"rng must be a non-negative seed, got {rng!r}")
        return np.random.default_rng(int(rng))
    raise TypeError(f"rng must be a numpy.random.Generator, an int seed or None, got {rng!r}")


def check_real(value: object, name: str) -> float:
    """Return a finite float; a bool, a string or an array is a TypeError, NaN or infinity a ValueError."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a real number, got {value!r}")
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{name} must be finite, got {value!r}")
    return number


def check_epsilon(epsilon: object) -> float:
    """Return epsilon as a float; it must be finite and > 0."""
    number = check_real(epsilon, "epsilon")
    if number <= 0:
        raise ValueError(f"epsilon must be > 0, got {epsilon!r}")
    return number


def check_in_range(value: object, name: str, low: float, high: float) -> float:
    """Return value as a float in the closed interval [low, high]."""
    number = check_real(value, name)
    if not low <= number <= high:
        raise ValueError(f"{name} must lie in [{low:g}, {high:g}], got {value!r}")
    return number


def check_int(value: object, name: str, minimum: int, maximum: int | None = None) -> int:
    """Return value as an int that is at least minimum (and at most maximum, where given)."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be an integer, got {value!r}")
    number = int(value)
    if number < minimum or (maximum is not None and number > maximum):
        allowed = f">= {minimum}" if maximum is None else f"between {minimum} and {maximum}"
        raise ValueError(f"{name} must be {allowed}, got {value!r}")
    return number


def check_counts(counts: npt.ArrayLike, name: str, size: int) -> npt.NDArray[np.int64]:
    """Return a vector of ``size`` whole, non-negative counts as int64."""
    array = np.asarray(counts)
    if array.shape != (size,):
        raise ValueError(f"{name} must have shape ({size},), got shape {array.shape}")
    if array.dtype == bool or not np.issubdtype(array.dtype, np.number) or np.iscomplexobj(array):
        raise TypeError(f"{name} must be numbers, got dtype {array.dtype}")
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} must be finite, got {_first(array, ~np.isfinite(array))}")
    if np.any(array < 0):
        raise ValueError(f"{name} must be >= 0, got {_first(array, array < 0)}")
    if np.any(array != np.floor(array)):
        raise ValueError(f"{name} must be whole numbers, got {_first(array, array != np.floor(array))}")
    if np.any(array >= 2**63):
        raise ValueError(f"{name} must be below 2**63, got {array.max()!r}")
    return array.astype(np.int64)


def _first(array: npt.NDArray[np.generic], bad: npt.NDArray[np.bool_]) -> str:
    index = tuple(int(i[0]) for i in np.nonzero(bad))
    place = index[0] if len(index) == 1 else index
    return f"{array[index].item()!r} at index {place}"
