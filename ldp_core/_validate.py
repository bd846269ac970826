"""Checks at the boundary, written once: each error names the argument, its value and what is allowed."""

from __future__ import annotations

import hashlib
import math
import numbers
import reprlib
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Floats

#: What every random step takes: a generator, a seed, or None for fresh entropy.
Rng = np.random.Generator | int | None

#: What random numbers are for. Streams of one integer seed that serve different uses are independent.
Use = Literal["noise", "data", "hash", "memory", "reports", "assignment", "block"]

#: "ldp" in ASCII: keeps the package's streams apart from those that the same integer gives elsewhere.
_DOMAIN = 0x6C6470
_USES: dict[Use, int] = {"noise": 0, "data": 1, "hash": 2, "memory": 3, "reports": 4, "assignment": 5, "block": 6}

#: Largest integer argument, unless a check says otherwise: what NumPy's int64 holds.
_LARGEST = 2**63 - 1

#: Limits in size of public bounds, of noise and of what it is added to: sums and noisy answers stay finite.
LARGEST_BOUND, LARGEST_SCALE, LARGEST_VALUE = 1e290, 1e300, 1e307

#: What two neighbouring data sets are: one person more or less, or one person's record replaced by another.
Neighbours = Literal["add-remove", "replace"]

#: What Python or NumPy count among the integers, and an argument does not.
_NO_NUMBERS = (bool, np.bool_, np.timedelta64)


# ---- randomness --------------------------------------------------------------------------------------------------


def check_rng(rng: Rng, use: Use = "noise", law: tuple[object, ...] = ()) -> np.random.Generator:
    """Return a generator; an int is a seed, None draws fresh entropy. NumPy's global state is never touched.

    A seed's stream is the package's own, not that of ``numpy.random.default_rng(seed)``: whoever drew the data from
    that and hands the same integer to a mechanism would otherwise draw the data's own randomness again as noise, and
    the two may cancel. A generator is used as it is.

    The same seed gives the same noise at every call: for teaching, not for two reports about one person. Each law that
    is drawn from has its own stream of a seed, since one stream cancels in the answers of two: twice Lap(1) is Lap(2).
    """
    if isinstance(rng, np.random.Generator):
        return rng
    if rng is None:
        return np.random.default_rng()
    if isinstance(rng, numbers.Integral) and not isinstance(rng, _NO_NUMBERS):
        if rng < 0:
            raise ValueError(f"rng must be a non-negative seed, got {shown(rng)}")
        return seeded(int(rng), use, *law_key(law))
    raise TypeError(f"rng must be a numpy.random.Generator, an int seed or None, got {shown(rng)}")


def seeded(seed: int, use: Use, *key: int) -> np.random.Generator:
    """Return the generator of a seed, a use and a key; any two that differ in one of them are independent."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(_DOMAIN, _USES[use], *key)))


def law_key(law: tuple[object, ...]) -> tuple[int, ...]:
    """Return what sets the streams of a law apart from those of others: nothing for none."""
    plain = tuple(part.item() if isinstance(part, np.generic) else part for part in law)  # 5 is np.int64(5)
    digest = hashlib.sha256(repr(plain).encode()).digest()[:16]
    return tuple(int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4)) if law else ()


# ---- single numbers ----------------------------------------------------------------------------------------------


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


def check_non_negative(value: object, name: str) -> float:
    """Return a finite float >= 0."""
    number = check_real(value, name)
    if number < 0:
        raise ValueError(f"{name} must be >= 0, got {shown(value)}")
    return number


def check_epsilon(epsilon: object, *, infinite: bool = False) -> float:
    """Return epsilon as a float > 0; it must be finite, unless ``infinite`` allows ``math.inf`` for no privacy."""
    if infinite and isinstance(epsilon, (float, np.floating)) and epsilon == math.inf:
        return math.inf
    return check_positive(epsilon, "epsilon")


def check_probability(value: object, name: str) -> float:
    """Return a float strictly between 0 and 1."""
    number = check_real(value, name)
    if not 0 < number < 1:
        raise ValueError(f"{name} must lie strictly between 0 and 1, got {shown(value)}")
    return number


def check_in_range(value: object, name: str, low: float, high: float) -> float:
    """Return value as a float in the closed interval [low, high]."""
    number = check_real(value, name)
    if not low <= number <= high:
        raise ValueError(f"{name} must lie in [{low:g}, {high:g}], got {shown(value)}")
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


def check_callable(value: Any, name: str) -> Any:
    """Return what can be called."""
    if not callable(value):
        raise TypeError(f"{name} must be callable, got {shown(value)}")
    return value


def check_iterable(values: Any, name: str, of: str, *, ordered: bool = False) -> Any:
    """Return what can be gone through entry by entry; ``ordered`` refuses what comes in no fixed order."""
    refused = (str, bytes, np.ma.MaskedArray, *((Set, Mapping) if ordered else ()))
    scalar = isinstance(values, np.ndarray) and values.ndim == 0
    if scalar or isinstance(values, refused) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be an iterable of {of}, got {shown(values)}")
    return values


# ---- what a curator is told --------------------------------------------------------------------------------------


def check_neighbours(value: object) -> Neighbours:
    """Return the neighbour relation."""
    relation: Any = check_option(value, "neighbours", ("add-remove", "replace"))
    checked: Neighbours = relation
    return checked


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


def check_interval(bounds: object, name: str = "bounds") -> tuple[float, float]:
    """Return public bounds (lower, upper), lower < upper."""
    pair: Any = None if isinstance(bounds, Set) else bounds  # a set has no order
    try:
        low, high = pair
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a pair (lower, upper), got {shown(bounds)}") from None
    low = check_in_range(low, f"{name}[0]", -LARGEST_BOUND, LARGEST_BOUND)
    high = check_in_range(high, f"{name}[1]", -LARGEST_BOUND, LARGEST_BOUND)
    if not low < high:
        raise ValueError(f"{name} must be (lower, upper) with lower < upper, got {shown(bounds)}")
    return low, high


# ---- arrays ------------------------------------------------------------------------------------------------------


def as_array(values: object, name: str) -> npt.NDArray[Any]:
    """Return values as an array, of whatever type they have; refuse what NumPy would take for something else.

    A set has no order, an iterator no length, and a mask would be ignored: those who were masked out would be counted.
    """
    if type(values) is np.ndarray and values.dtype.kind in "biuf":
        return values  # what the package hands on itself, thousands of times in a study
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


def check_rows(values: object, name: str) -> npt.NDArray[Any]:
    """Return an array of whatever type with at least one row, one for each person."""
    rows = as_array(values, name)
    if rows.ndim == 0 or len(rows) == 0:
        raise ValueError(f"{name} must hold at least one row, got shape {rows.shape}")
    return rows


def check_filled(values: object, name: str) -> Floats:
    """Return finite real numbers as a float64 array of any shape with at least one entry."""
    array = check_numbers(values, name)
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    return array


def check_values(values: object, name: str, largest: float = math.inf) -> Floats:
    """Return finite numbers, or truth values as 0 and 1, as float64 in any shape with at least one entry."""
    array = as_array(values, name)
    array = check_filled(array.astype(np.float64) if array.dtype.kind == "b" else array, name)
    if np.max(np.abs(array)) > largest:
        raise ValueError(f"{name} must be at most {largest:g} in size, got {first_where(array, abs(array) > largest)}")
    return array


def check_unit(values: object, name: str) -> Floats:
    """Return numbers in [−1, 1], where numeric mechanisms live, as a float64 array of any shape."""
    array = check_numbers(values, name)
    if array.size and not -1 <= array.min() <= array.max() <= 1:
        culprit = array[np.abs(array) > 1][0].item()
        raise ValueError(f"{name} must lie in [-1, 1], got {culprit!r} (IntervalScaler maps other ranges there)")
    return array


def check_vector(values: object, name: str, size: int | None = None) -> Floats:
    """Return finite real numbers, shape (size,); where size is None, any length but 0."""
    array = check_numbers(values, name)
    if array.ndim != 1 or array.size == 0 or (size is not None and array.size != size):
        expected = "one-dimensional and not empty" if size is None else f"of shape ({size},)"
        raise ValueError(f"{name} must be {expected}, got shape {array.shape}")
    return array


def check_prior(values: object, size: int, name: str = "prior") -> Floats:
    """Return `size` probabilities that sum to 1."""
    belief = check_vector(values, name, size)
    if belief.min() < 0:
        raise ValueError(f"{name} must hold probabilities >= 0, got {first_where(belief, belief < 0)}")
    with np.errstate(over="ignore"):
        total = belief.sum().item()
    if abs(total - 1) > 1e-9:
        raise ValueError(f"{name} must sum to 1, got a sum of {total!r}")
    return belief


def check_matrix(values: object, name: str, columns: int | None = None) -> Floats:
    """Return finite real numbers, shape (n, columns), n from 0; where columns is None, any number of them but 0."""
    array = check_numbers(values, name)
    if array.ndim != 2 or array.shape[1] == 0 or (columns is not None and array.shape[1] != columns):
        expected = "(n, d) with d >= 1" if columns is None else f"(n, {columns})"
        raise ValueError(f"{name} must be of shape {expected}, got shape {array.shape}")
    return array


def check_counts(counts: object, name: str, size: int) -> npt.NDArray[np.int64]:
    """Return a vector of ``size`` whole, non-negative counts as int64, whose sum an int64 holds as well."""
    array = as_array(counts, name)
    if array.shape != (size,):
        raise ValueError(f"{name} must have shape ({size},), got shape {array.shape}")
    if array.dtype.kind == "O":
        array = _objects_to_integers(array, name)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be numbers, got dtype {array.dtype}")
    if array.dtype.kind == "f":  # half precision cannot hold the bounds below
        array = array.astype(np.float64)
        if not np.all(np.isfinite(array)):
            raise ValueError(f"{name} must be finite, got {first_where(array, ~np.isfinite(array))}")
    if array.size and array.min() < 0:
        raise ValueError(f"{name} must be >= 0, got {first_where(array, array < 0)}")
    if array.dtype.kind == "f" and np.any(array != np.floor(array)):
        raise ValueError(f"{name} must be whole numbers, got {first_where(array, array != np.floor(array))}")
    if array.dtype.kind != "i" and np.any(array >= 2**63):
        raise ValueError(f"{name} must be below 2**63, got {first_where(array, array >= 2**63)}")
    whole = array.astype(np.int64)
    # The sum in double precision says whether that of Python's integers, which is slow, is needed at all.
    if whole.size and whole.sum(dtype=np.float64) > 2**62 and sum(whole.tolist()) >= 2**63:
        raise ValueError(f"{name} must add up to less than 2**63, got {sum(whole.tolist())}")
    return whole


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


_REPR = reprlib.Repr()
_REPR.maxstring = _REPR.maxother = 80


def is_missing(value: object) -> bool:
    """Whether a value stands for a missing one: None, NaN, NaT, pandas.NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True  # pandas.NA has no truth value: it may not be compared like a value
    try:
        return bool(value != value)
    except (TypeError, ValueError, ArithmeticError):  # the last from a signalling NaN of decimal
        return False


def _objects_to_floats(array: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    """Turn Python's numbers in an object array into floats; a missing or foreign entry is an error."""
    flat = array.ravel().tolist()
    for i, value in enumerate(flat):
        if is_missing(value):
            raise ValueError(f"{name} must not be missing, got {shown(value)} at index {i}")
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
            raise TypeError(f"{name} must be real numbers, got {shown(value)} at index {i}")
        try:
            float(value)
        except OverflowError:
            raise ValueError(f"{name} must be finite in double precision, got {shown(value)} at index {i}") from None
    return np.array([float(value) for value in flat]).reshape(array.shape)


def _objects_to_integers(array: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    """Turn Python's integers in an object array into int64, each digit kept; other numbers into floats."""
    flat = array.ravel().tolist()
    if all(isinstance(value, numbers.Integral) and not isinstance(value, (bool, np.bool_)) for value in flat):
        for i, value in enumerate(flat):
            if not -(2**63) <= value < 2**63:
                raise ValueError(f"{name} must be below 2**63 in size, got {shown(value)} at index {i}")
        return np.array([int(value) for value in flat], dtype=np.int64).reshape(array.shape)
    return _objects_to_floats(array, name)


def check_masses(values: npt.ArrayLike, name: str, entries: str) -> Floats:
    """A matrix of inputs and outputs, its entries >= 0."""
    matrix = check_numbers(values, name)
    if matrix.ndim != 2 or matrix.shape[0] < 2 or matrix.shape[1] < 1:
        raise ValueError(f"{name} must be a matrix (inputs x outputs) with at least 2 rows, got shape {matrix.shape}")
    if matrix.min() < 0:
        raise ValueError(f"{name} must hold {entries} >= 0, got a negative entry, {first_where(matrix, matrix < 0)}")
    return matrix


def check_channel(channel: npt.ArrayLike) -> Floats:
    """Such a matrix of probabilities, whose rows sum to 1."""
    matrix = check_masses(channel, "channel", "probabilities")
    with np.errstate(over="ignore"):
        sums = matrix.sum(axis=1)
    worst = int(np.argmax(np.abs(sums - 1)))
    if abs(sums[worst] - 1) > 1e-9:
        raise ValueError(f"channel must have rows that sum to 1, got {sums[worst].item()!r} in row {worst}")
    return matrix
