"""The data of a plot, checked: values by name, over places that rise, or in pairs and intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from livefig._checks import Floats, as_array, check_text, check_vector, shown
from livefig.chance import Drawn


def mapping(given: Any, name: str) -> dict[str, Any]:
    """Values by name."""
    if not isinstance(given, Mapping):
        raise TypeError(f"{name} must map names to values, got {shown(given)}")
    return {check_text(label, f"a name in {name}"): values for label, values in given.items()}


def by_name(given: Any, name: str) -> dict[str, Any]:
    """Values by name; values alone have the empty name, which no legend shows."""
    found = mapping(given, name) if isinstance(given, Mapping) else {"": given}
    if not found:
        raise ValueError(f"{name} must hold at least one thing to draw, got none")
    return found


def names_of(given: Any, name: str = "names", size: int | None = None) -> list[Any]:
    """What bars, rows or columns are called: texts or numbers."""
    array = as_array(given, name)
    if array.ndim != 1 or array.size == 0 or (size is not None and array.size != size):
        raise ValueError(f"{name} must be {'at least one' if size is None else size} in a row, got {shown(given)}")
    return list(given)


def template(text: str | None, name: str) -> str | None:
    """How numbers are written, such as ``"{:.0%}"``; None for not at all."""
    if text is None:
        return None
    try:
        check_text(text, name).format(0.5)
    except (ValueError, IndexError, KeyError, AttributeError) as error:
        raise ValueError(f"{name} must be a format such as '{{:.2f}}', got {shown(text)}: {error}") from None
    return text


def part_of(name: str, label: str) -> str:
    """How an error calls the values of one name."""
    return f"{name}[{label!r}]" if label else name


def rising(at: npt.ArrayLike) -> Floats:
    """Places on an axis."""
    places = check_vector(at, "at")
    if np.any(np.diff(places) < 0):
        raise ValueError(f"at must be in rising order, got {shown(at)}")
    return places


def numbers(values: npt.ArrayLike, name: str, size: int | None) -> Floats:
    """Return values as floats of one dimension; NaN is allowed, one number stands for all."""
    array = as_array(values, name)
    try:
        floats = array.astype(np.float64) if array.dtype.kind in "iufO" else None
    except (TypeError, ValueError, OverflowError):
        floats = None
    if floats is None:
        raise TypeError(f"{name} must be real numbers, got {shown(values)}")
    if floats.ndim == 0:
        floats = np.full(1 if size is None else size, floats)
    if floats.ndim != 1 or floats.size == 0 or (size is not None and floats.size != size):
        expected = "in one dimension and not empty" if size is None else f"of shape ({size},), one for each place"
        raise ValueError(f"{name} must be {expected}, got shape {floats.shape}")
    return floats


def pair(places: Floats | None, values: Any, name: str) -> tuple[Floats, Floats]:
    """Places and values: a tuple of both, or values over the common places."""
    if isinstance(values, tuple) and len(values) == 2 and (places is None or all(np.ndim(v) == 1 for v in values)):
        x = numbers(values[0], name, None)
        return x, numbers(values[1], name, x.size)
    if places is None:
        raise ValueError(f"{name} must be a pair (x, y), got {shown(values)}")
    return places, numbers(values, name, places.size)


def pairs(given: Any, name: str) -> dict[str, tuple[Floats, Floats]]:
    """Pairs (x, y) by name; None for none."""
    found = {} if given is None else mapping(given, name)
    return {label: pair(None, two, part_of(name, label)) for label, two in found.items()}


def interval(values: Any, name: str, size: int) -> tuple[Floats, Floats | None, Floats | None]:
    """Estimates, with the ends of their intervals if they have some."""
    if isinstance(values, tuple):
        if len(values) != 3:
            raise ValueError(f"{name} must be estimates, or a tuple (estimate, low, high), got {shown(values)}")
        middle, low, high = (numbers(part, name, size) for part in values)
        return middle, low, high
    return numbers(values, name, size), None, None


def drawn_estimate(values: Any, name: str) -> Drawn | None:
    """The estimates that marks follow, if they are drawn by law; the ends of their intervals must move with them."""
    parts = values if isinstance(values, tuple) else (values,)
    if not any(isinstance(part, Drawn) for part in parts):
        return None
    if not all(isinstance(part, Drawn) and np.array_equal(part.scale, parts[0].scale) for part in parts):
        raise ValueError(f"{name} must be drawn numbers whose distances do not change, such as (y, y - 1, y + 1)")
    first: Drawn = parts[0]
    return first
