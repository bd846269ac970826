"""Arguments of figures are checked before anything is drawn: a message names the argument, its value, what may be."""

from __future__ import annotations

import math
import numbers
import reprlib
from collections.abc import Iterator, Mapping, Set
from typing import Any

import numpy as np
import numpy.typing as npt

#: Real numbers.
Floats = npt.NDArray[np.float64]

#: Largest integer argument, unless a check says otherwise: what NumPy's int64 holds.
_LARGEST = 2**63 - 1

#: What Python or NumPy count among the integers, and an argument does not.
_NO_NUMBERS = (bool, np.bool_, np.timedelta64)

_REPR = reprlib.Repr()
_REPR.maxstring = _REPR.maxother = 80


def check_real(value: object, name: str) -> float:
    """Return a finite float; a bool, a string or an array is a TypeError, NaN or infinity a ValueError."""
    if isinstance(value, _NO_NUMBERS) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a real number, got {shown(value)}")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(f"{name} must be finite in double precision, got {shown(value)}") from None
    if not math.isfinite(number):
        raise ValueError(f"{name} must be finite, got {shown(value)}")
    return number


def check_positive(value: object, name: str) -> float:
    """Return a finite float > 0."""
    number = check_real(value, name)
    if number <= 0:
        raise ValueError(f"{name} must be > 0, got {shown(value)}")
    return number


def check_int(value: object, name: str, minimum: int, maximum: int = _LARGEST) -> int:
    """Return value as an int that is at least minimum and at most maximum."""
    if isinstance(value, _NO_NUMBERS) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name} must be an integer, got {shown(value)}")
    number = int(value)
    if not minimum <= number <= maximum:
        allowed = f">= {minimum}" if number < minimum and maximum == _LARGEST else f"between {minimum} and {maximum}"
        raise ValueError(f"{name} must be {allowed}, got {shown(value)}")
    return number


def check_bool(value: object, name: str) -> bool:
    """Return a bool; what is only truthy, like the text "no", is a TypeError."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def check_text(value: object, name: str) -> str:
    """Return a text, possibly empty."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be text, got {shown(value)}")
    return value


def check_option(value: object, name: str, options: tuple[str, ...]) -> str:
    """Return one of the options, which are strings."""
    if not isinstance(value, str) or value not in options:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, options))}, got {shown(value)}")
    return value


def as_array(values: object, name: str) -> npt.NDArray[Any]:
    """Return values as an array, of whatever type they have; refuse what NumPy would take for something else.

    A set has no order, an iterator no length, and a mask would be ignored: those who were masked out would be counted.
    """
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError(f"{name} must not be a masked array, whose mask would be ignored: pass {name}.compressed()")
    if isinstance(values, (list, tuple)) and any(isinstance(part, np.ma.MaskedArray) for part in values):
        raise TypeError(f"{name} must not hold masked arrays, whose masks would be ignored: fill or drop them first")
    if isinstance(values, (Set, Mapping, Iterator)):
        raise TypeError(f"{name} must be an array or a sequence, got {shown(values)}")
    try:
        array = np.asarray(values)
    except (ValueError, OverflowError, TypeError) as error:  # rows of different lengths; what refuses to be an array
        raise ValueError(f"{name} must be a rectangular array: {error}") from None
    if array.dtype.kind == "V":
        raise TypeError(f"{name} must not be a structured array, got dtype {array.dtype}")
    return array


def check_numbers(values: object, name: str) -> Floats:
    """Return finite real numbers as a float64 array of any shape; booleans are not numbers here."""
    array = as_array(values, name)
    if array.dtype.kind == "O":
        array = _objects_to_floats(array, name)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be real numbers, got dtype {array.dtype}")
    if array.dtype != np.float64:
        with np.errstate(over="ignore"):  # a long double too large for a double: infinite below
            array = array.astype(np.float64)
    # NaN is passed on by min and max: two numbers say whether all are finite, without temporary arrays.
    if array.size and not (math.isfinite(array.min()) and math.isfinite(array.max())):
        raise ValueError(f"{name} must be finite, got {first_where(array, ~np.isfinite(array))}")
    return array


def check_vector(values: object, name: str, size: int | None = None) -> Floats:
    """Return finite real numbers, shape (size,); where size is None, any length but 0."""
    array = check_numbers(values, name)
    if array.ndim != 1 or array.size == 0 or (size is not None and array.size != size):
        expected = "one-dimensional and not empty" if size is None else f"of shape ({size},)"
        raise ValueError(f"{name} must be {expected}, got shape {array.shape}")
    return array


def check_counts(counts: object, name: str, size: int) -> npt.NDArray[np.int64]:
    """Return whole numbers ≥ 0 that an int64 holds, shape (size,)."""
    array = check_numbers(counts, name)
    if array.shape != (size,):
        raise ValueError(f"{name} must have shape ({size},), got shape {array.shape}")
    if np.any(bad := (array < 0) | (array != np.floor(array)) | (array >= 2**63)):
        raise ValueError(f"{name} must be whole numbers >= 0 below 2**63, got {first_where(array, bad)}")
    return array.astype(np.int64)


def first_where(array: npt.NDArray[Any], bad: npt.NDArray[np.bool_]) -> str:
    """Say what the first bad entry is and where it stands."""
    index = tuple(int(i[0]) for i in np.nonzero(bad)) if array.ndim else ()
    value = array[index]
    text = shown(value.item() if isinstance(value, np.generic) else value)
    return text if not index else f"{text} at index {index[0] if len(index) == 1 else index}"


def shown(value: object) -> str:
    """Give a value's repr, cut to a line: for error messages, whatever the value is."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 128:
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, np.ndarray) and value.ndim:
        return f"an array of shape {value.shape} and dtype {value.dtype}"
    try:
        text = _REPR.repr(value)
    except Exception:  # an object that cannot say what it is has at least a type
        return f"an object of type {type(value).__name__}"
    return " ".join(text.split())


def _objects_to_floats(array: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    """Turn Python's numbers in an object array into floats; a missing or foreign entry is an error."""
    flat = array.ravel().tolist()
    for i, value in enumerate(flat):
        if value is None or type(value).__name__ in ("NAType", "NaTType"):  # pandas.NA may not be compared
            raise ValueError(f"{name} must not be missing, got {shown(value)} at index {i}")
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
            raise TypeError(f"{name} must be real numbers, got {shown(value)} at index {i}")
        try:
            float(value)
        except OverflowError:
            raise ValueError(f"{name} must be finite in double precision, got {shown(value)} at index {i}") from None
    return np.array([float(value) for value in flat]).reshape(array.shape)
