"""Audit a mechanism by its exact channel: the ε it really has, and what a report gives away."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ldp_core._validate import check_numbers, check_vector, first_where

Floats = npt.NDArray[np.float64]


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

    Raises
    ------
    ValueError
        If channel is not such a matrix.
    TypeError
        If its entries are not numbers, or some are masked.

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
    matrix = _check_channel(channel)
    largest, smallest = matrix.max(axis=0), matrix.min(axis=0)
    possible = largest > 0
    largest, smallest = largest[possible], smallest[possible]
    if np.any(smallest == 0):
        return math.inf
    # A difference of logarithms: a ratio of doubles could overflow where the logarithm is harmless.
    return float(np.max(np.log(largest) - np.log(smallest)))


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
    matrix = _check_channel(channel)
    belief = check_vector(prior, "prior", len(matrix))
    if belief.min() < 0:
        raise ValueError(f"prior must hold probabilities >= 0, got {first_where(belief, belief < 0)}")
    with np.errstate(over="ignore"):
        total = belief.sum().item()
    if abs(total - 1) > 1e-9:
        raise ValueError(f"prior must sum to 1, got a sum of {total!r}")
    joint = belief[:, None] * matrix
    evidence = joint.sum(axis=0)
    with np.errstate(invalid="ignore"):  # 0/0 is the documented NaN
        belief_after: Floats = joint / evidence
    return belief_after


def _check_channel(channel: npt.ArrayLike) -> Floats:
    matrix = check_numbers(channel, "channel")
    if matrix.ndim != 2 or matrix.shape[0] < 2 or matrix.shape[1] < 1:
        raise ValueError(f"channel must be a matrix (inputs x outputs) with at least 2 rows, got shape {matrix.shape}")
    if matrix.min() < 0:
        raise ValueError(
            f"channel must hold probabilities >= 0, got a negative entry, {first_where(matrix, matrix < 0)}"
        )
    with np.errstate(over="ignore"):
        sums = matrix.sum(axis=1)
    worst = int(np.argmax(np.abs(sums - 1)))
    if abs(sums[worst] - 1) > 1e-9:
        raise ValueError(f"channel must have rows that sum to 1, got {sums[worst].item()!r} in row {worst}")
    return matrix
