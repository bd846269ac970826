"""Audit a mechanism by its exact channel: the ε it really has, and what a report gives away.

A channel is a matrix whose rows are the laws of the output, one for each input. For a local mechanism the inputs are
all values of a person, and any two rows are compared. For a curator's mechanism they are two neighbouring data sets:
``exact_epsilon([law(data), law(neighbour)])``, and :func:`worst_pair` goes through many of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Floats
from ldp_core._validate import (
    check_callable,
    check_channel,
    check_iterable,
    check_masses,
    check_non_negative,
    check_prior,
    check_vector,
    shown,
)

__all__ = ["WorstPair", "density_epsilon", "exact_delta", "exact_epsilon", "posterior", "worst_pair"]


def exact_epsilon(channel: npt.ArrayLike) -> float:
    r"""Give the smallest ε for which a channel is ε-locally differentially private.

    .. math::  \varepsilon = \max_{y} \; \ln \frac{\max_x \Pr[y \mid x]}{\min_x \Pr[y \mid x]}

    Parameters
    ----------
    channel : array_like, shape (inputs, outputs)
        Row x is the distribution of the output under input x: at least two rows, entries ≥ 0, each row sums to 1
        (to within 1e-9: rows come from floating-point arithmetic).

    Returns
    -------
    float
        The exact ε, 0.0 for a channel that ignores its input, ``math.inf`` when some output is possible under one
        input only. Outputs that are impossible under every input do not count.

    Notes
    -----
    Probabilities below about 1e-308 have no double of full precision, and 0 in their place makes ε infinite: audit a
    mechanism at a smaller ε, or on a smaller domain.

    References
    ----------
    S. P. Kasiviswanathan, H. K. Lee, K. Nissim, S. Raskhodnikova and A. Smith. What can we learn privately?
    SIAM Journal on Computing 40(3), 2011, definition 2.2 (local randomizer).

    Examples
    --------
    >>> round(exact_epsilon([[0.75, 0.25], [0.25, 0.75]]), 6) == round(math.log(3), 6)
    True
    >>> exact_epsilon([[1.0, 0.0], [0.5, 0.5]])
    inf
    """
    return _largest_log_ratio(check_channel(channel))


def density_epsilon(densities: npt.ArrayLike) -> float:
    r"""Give the largest log ratio of densities at the outputs at which they are known: ε, or a bound from below.

    Row x holds the densities of the output under input x at some points, shape (inputs, points), finite and ≥ 0.
    Probabilities of single points may stand beside them, in columns of their own; rows need not add up to anything. The
    result, :math:`\max_y \ln(\max_x f_x(y) / \min_x f_x(y))`, is the exact ε where it is attained at one of the points,
    and less where it is not; 0.0 where all densities are 0.

    Examples
    --------
    Laplace noise of scale 2 on the answers 0 and 1:

    >>> y = np.linspace(-3, 4, 8)
    >>> round(density_epsilon(np.exp(-np.abs(y - [[0.0], [1.0]]) / 2) / 4), 6)
    0.5
    """
    return _largest_log_ratio(check_masses(densities, "densities", "densities"))


def exact_delta(channel: npt.ArrayLike, epsilon: float) -> float:
    r"""Give the smallest δ for which a channel is (ε, δ)-differentially private at that epsilon ≥ 0.

    .. math::  \delta = \max_{x, x'} \sum_y \max(0,\; \Pr[y \mid x] - e^{\varepsilon} \Pr[y \mid x'])

    It is 0.0 from the exact ε on, up to rounding; at ε = 0 the total variation distance.

    References
    ----------
    P. Kairouz, S. Oh and P. Viswanath. The composition theorem for differential privacy. ICML 2015, section 2.

    Examples
    --------
    >>> exact_delta([[0.75, 0.25], [0.25, 0.75]], 0.0)
    0.5
    >>> exact_delta([[0.99, 0.01, 0.0], [0.99, 0.0, 0.01]], 5.0)
    0.01
    """
    matrix, e = np.unique(check_channel(channel), axis=0), check_non_negative(epsilon, "epsilon")
    with np.errstate(divide="ignore"):  # a probability of 0 has the logarithm −∞, and e^ε times it is 0
        shifted = np.log(matrix) + e
    with np.errstate(over="ignore"):
        larger = np.exp(shifted)
    return min(1.0, max(float(np.maximum(matrix - row, 0.0).sum(axis=1).max()) for row in larger))


class WorstPair(NamedTuple):
    """The neighbours that a mechanism tells apart best; see :func:`worst_pair`."""

    epsilon: float
    """Exact ε between the two."""
    data: Any
    """The one data set."""
    neighbour: Any
    """The other."""


def worst_pair(law: Callable[[Any], npt.ArrayLike], pairs: Iterable[tuple[Any, Any]]) -> WorstPair:
    """Find the pair of neighbouring data sets at which the exact ε of a curator's mechanism is largest.

    Parameters
    ----------
    law : callable
        From a data set to the law of the answer: probabilities that sum to 1, equally many for both of a pair.
    pairs : iterable of pairs
        Data sets and a neighbour of each, at least one pair.

    Returns
    -------
    WorstPair
        epsilon, data, neighbour: the first pair with the largest ε. That is the mechanism's ε if the pairs are all
        there are, and a bound from below otherwise.

    Examples
    --------
    >>> from ldp_core.central import exponential_probabilities
    >>> scores = [0.0, 0.0]
    >>> neighbours = [(scores, [a, b]) for a in (-1.0, 0.0, 1.0) for b in (-1.0, 0.0, 1.0)]
    >>> found = worst_pair(lambda u: exponential_probabilities(u, epsilon=1.0), neighbours)
    >>> round(found.epsilon, 3), found.neighbour
    (0.62, [-1.0, 1.0])
    """
    check_callable(law, "law")
    worst: WorstPair | None = None
    for pair in check_iterable(pairs, "pairs", "pairs of data sets"):
        try:
            data, neighbour = pair
        except (TypeError, ValueError):
            raise ValueError(f"pairs must hold pairs of data sets, got {shown(pair)}") from None
        epsilon = exact_epsilon([check_vector(law(each), "the answer of law") for each in (data, neighbour)])
        if worst is None or epsilon > worst.epsilon:
            worst = WorstPair(epsilon, data, neighbour)
    if worst is None:
        raise ValueError("pairs must hold at least one pair, got none")
    return worst


def posterior(channel: npt.ArrayLike, prior: npt.ArrayLike) -> Floats:
    r"""Give what an observer believes about the input after seeing each output, by Bayes' rule.

    Parameters
    ----------
    channel : array_like, shape (inputs, outputs)
        As in :func:`exact_epsilon`.
    prior : array_like, shape (inputs,)
        What the observer believed before: probabilities ≥ 0 that sum to 1.

    Returns
    -------
    ndarray of float64, shape (inputs, outputs)
        Column y is the distribution of the input given output y; NaN where y is impossible under the prior. Under
        ε-LDP the odds of any two inputs change by a factor between :math:`e^{-\varepsilon}` and
        :math:`e^{\varepsilon}`, whatever the prior.

    Examples
    --------
    >>> posterior([[0.75, 0.25], [0.25, 0.75]], [0.5, 0.5])
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """
    matrix = check_channel(channel)
    belief = check_prior(prior, len(matrix))
    joint = belief[:, None] * matrix
    evidence = joint.sum(axis=0)
    with np.errstate(invalid="ignore"):  # 0/0 is the documented NaN
        belief_after: Floats = joint / evidence
    return belief_after


def _largest_log_ratio(matrix: Floats) -> float:
    largest, smallest = matrix.max(axis=0), matrix.min(axis=0)
    possible = largest > 0
    largest, smallest = largest[possible], smallest[possible]
    if np.any(smallest == 0):
        return math.inf
    # A difference of logarithms: a ratio of doubles could overflow where the logarithm is harmless.
    return float(np.max(np.log(largest) - np.log(smallest), initial=0.0))
