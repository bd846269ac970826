"""Where one mechanism becomes better than another: computed, not quoted."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ldp_core._arrays import Floats
from ldp_core._validate import check_int, check_real, shown

__all__ = ["crossings"]

#: Most points of a search.
LARGEST_SEARCH = 10**7


def crossings(
    first: Callable[[float], float],
    second: Callable[[float], float],
    *,
    low: float = 0.01,
    high: float = 20.0,
    points: int = 1000,
) -> Floats:
    """Find every ε at which two curves change order, ascending, each to about the last digit (bisection).

    Curves that touch, or coincide for a while, and then keep their order do not cross.

    Parameters
    ----------
    first, second : callable
        Curves over ε, from float to float.
    low, high : float, default 0.01 and 20
        Range of ε, 0 < low < high.
    points : int, default 1000
        The range is first searched at this many points, up to 10**7, evenly spaced in ln ε; two crossings between
        neighbouring points cancel and are missed.

    Examples
    --------
    >>> from ldp_core.numeric import Duchi, Laplace
    >>> crossings(lambda e: Laplace(e).worst_variance, lambda e: Duchi(e).worst_variance).round(3)
    array([2.324])
    >>> crossings(lambda e: Laplace(e).average_variance, lambda e: Duchi(e).average_variance).round(3)
    array([3.005])
    """
    for curve, name in ((first, "first"), (second, "second")):
        if not callable(curve):
            raise TypeError(f"{name} must be a function of epsilon, got {shown(curve)}")
    low, high = check_real(low, "low"), check_real(high, "high")
    if not 0 < low < high:
        raise ValueError(f"low and high must satisfy 0 < low < high, got low = {low!r} and high = {high!r}")
    points = check_int(points, "points", 2, LARGEST_SEARCH)

    def sign(epsilon: float) -> int:
        difference = float(first(epsilon)) - float(second(epsilon))
        if not math.isfinite(difference):
            raise ValueError(f"first and second must be finite between low and high, got {difference} at {epsilon!r}")
        return (difference > 0) - (difference < 0)

    roots: list[float] = []
    left, left_sign = low, 0
    for epsilon in np.geomspace(low, high, points).tolist():
        here = sign(epsilon)
        if here and left_sign and here != left_sign:
            roots.append(_bisect(sign, left, epsilon, left_sign))
        if here:  # points where both are equal belong to no side
            left, left_sign = epsilon, here
    return np.array(roots)


def _bisect(sign: Callable[[float], int], left: float, right: float, left_sign: int) -> float:
    """Halve [left, right] until no double lies between; sign is left_sign at left and something else at right."""
    while True:
        middle = (left + right) / 2
        if not left < middle < right:
            return middle
        if sign(middle) == left_sign:
            left = middle
        else:
            right = middle
