"""Rules that add up guarantees: sequential, parallel and advanced composition."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ldp_core._validate import (
    Neighbours,
    check_epsilon,
    check_in_range,
    check_int,
    check_iterable,
    check_neighbours,
    check_probability,
    shown,
)

__all__ = ["advanced", "advanced_pays_from", "parallel", "sequential"]


def sequential(epsilons: Iterable[float], deltas: Iterable[float] = ()) -> tuple[float, float]:
    """Add up: answers about the same people, all for the same neighbours.

    They have the given epsilons, and deltas in [0, 1], none for pure privacy. All have to mean the same neighbours: an
    ε for one person more or less is at most 2ε for a replaced record, and there is no way back.

    Examples
    --------
    >>> sequential([0.5, 0.25], [1e-6])
    (0.75, 1e-06)
    """
    total = sum(map(check_epsilon, _listed(epsilons, "epsilons")))
    return finite(total, "epsilons", epsilons), sum(
        check_in_range(delta, "deltas", 0, 1) for delta in _listed(deltas, "deltas")
    )


def parallel(epsilons: Iterable[float], *, neighbours: Neighbours = "add-remove") -> float:
    """Take the largest: answers about disjoint groups of people, each counted in one group only.

    Each of the epsilons is for one person who joins or leaves its group. A guarantee for replaced records alone is none
    for this: groups have other sizes once somebody moves. One person more or less is in one group: the largest ε. A
    replaced record is one who leaves and one who joins, perhaps the same group: twice the largest. ``neighbours`` says
    for whom the guarantee of all answers is meant.

    Notes
    -----
    Twice the largest is attained where a group is asked for a histogram of its own, and where two groups have the
    largest ε. Only if each answer keeps its ε for a record that is replaced *within* its group as well, as a single
    count does, would the sum of the two largest ε do.

    Examples
    --------
    >>> parallel([0.5, 0.25, 1.0]), parallel([0.5, 0.25, 1.0], neighbours="replace")
    (1.0, 2.0)
    """
    listed = list(map(check_epsilon, _listed(epsilons, "epsilons")))
    if not listed:
        raise ValueError("epsilons must not be empty, got none")
    steps = 1 if check_neighbours(neighbours) == "add-remove" else 2
    return finite(steps * max(listed), "epsilons", epsilons)


def advanced(epsilon: float, k: int, *, delta: float) -> float:
    r"""Give the ε of k answers of ε each, at the price of a δ.

    .. math::  \sqrt{2k\ln(1/\delta')}\,\varepsilon + k\varepsilon(e^{\varepsilon}-1)

    A shorter form with a constant 2 in place of the second term does not hold for every ε.

    References
    ----------
    C. Dwork and A. Roth. The algorithmic foundations of differential privacy. 2014, theorem 3.20.
    """
    epsilon, k, delta = check_epsilon(epsilon), check_int(k, "k", 1), check_probability(delta, "delta")
    return finite(advanced_of(epsilon, k, delta), "epsilon", epsilon)


def advanced_pays_from(epsilon: float, *, delta: float, most: int = 10**9) -> int | None:
    """Give the smallest number of answers, up to ``most``, for which advanced composition beats adding up, or None.

    Examples
    --------
    >>> advanced_pays_from(0.1, delta=1e-5)
    29
    """
    epsilon, most, delta = check_epsilon(epsilon), check_int(most, "most", 1), check_probability(delta, "delta")
    if not advanced_of(epsilon, most, delta) < most * epsilon:
        return None
    low, high = 0, most  # advanced/sequential falls with k: bisection
    while high - low > 1:
        middle = (low + high) // 2
        better = advanced_of(epsilon, middle, delta) < middle * epsilon
        low, high = (low, middle) if better else (middle, high)
    return high


def advanced_of(epsilon: float, k: int, delta: float) -> float:
    """Advanced composition of checked arguments; infinite where it overflows."""
    root = math.sqrt(-2 * k * math.log(delta)) * epsilon
    return root + k * epsilon * (math.expm1(epsilon) if epsilon < 700 else math.inf)


def _listed(values: Iterable[float], name: str) -> list[float]:
    """Return an iterable's numbers, which the caller checks one by one."""
    return list(check_iterable(values, name, "numbers, equal ones several times", ordered=True))


def finite(result: float, name: str, value: object) -> float:
    """Return a result; where it overflows, say which argument is to blame."""
    if not math.isfinite(result):
        raise ValueError(f"{name} is out of range: the result is not finite in double precision, got {shown(value)}")
    return result
