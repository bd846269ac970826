"""Choosing one of several options privately: the exponential mechanism and its relatives."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

from ldp_core._validate import Rng, check_epsilon, check_rng
from ldp_core.central._checks import Floats, check_positive, check_values

Noise = Literal["gumbel", "exponential", "laplace"]


def exponential(
    scores: npt.ArrayLike, *, epsilon: float, sensitivity: float = 1.0, monotone: bool = False, rng: Rng = None
) -> int:
    r"""Choose an option with probability proportional to :math:`\exp(\varepsilon u / 2\Delta u)`.

    Parameters
    ----------
    scores : array_like, shape (options,)
        Score u of each option for the data at hand; higher is better.
    epsilon : float
        Privacy budget ε of the choice, however many options there are.
    sensitivity : float, default 1.0
        Largest change Δu of any score between neighbouring data sets.
    monotone : bool, default False
        Whether one more person never lowers a score (as with counts, under add/remove): then the factor 2 is not
        needed, and :math:`\exp(\varepsilon u / \Delta u)` is ε-differentially private.
    rng : numpy.random.Generator, int or None
        Source of randomness.

    Returns
    -------
    int
        Index of the option.

    References
    ----------
    F. McSherry and K. Talwar. Mechanism design via differential privacy. FOCS 2007, theorem 6.

    Examples
    --------
    >>> exponential([10.0, 900.0, 3.0], epsilon=1.0, rng=0)
    1
    """
    # The largest score plus Gumbel noise: the same law as sampling from the probabilities, without computing them.
    scaled = _scaled(scores, epsilon, sensitivity, monotone)
    return int(np.argmax(scaled + check_rng(rng).gumbel(size=scaled.shape)))


def exponential_probabilities(
    scores: npt.ArrayLike, *, epsilon: float, sensitivity: float = 1.0, monotone: bool = False
) -> Floats:
    """Give the exact probabilities of :func:`exponential`, for scores of any size.

    Parameters
    ----------
    scores, epsilon, sensitivity, monotone
        As in :func:`exponential`.

    Returns
    -------
    ndarray of float64, shape (options,)
        Probabilities; options far behind may underflow to 0.
    """
    scaled = _scaled(scores, epsilon, sensitivity, monotone)
    weights = np.exp(scaled - scaled.max())  # the largest is 1: nothing overflows
    probabilities: Floats = weights / weights.sum()
    return probabilities


def report_noisy_max(
    scores: npt.ArrayLike,
    *,
    epsilon: float,
    sensitivity: float = 1.0,
    noise: Noise = "exponential",
    monotone: bool = False,
    rng: Rng = None,
) -> int:
    r"""Add noise to every score and report which is largest, but not the score.

    Parameters
    ----------
    scores : array_like, shape (options,)
        Scores; higher is better.
    epsilon : float
        Privacy budget ε.
    sensitivity : float, default 1.0
        Largest change Δu of any score between neighbouring data sets.
    noise : {"exponential", "gumbel", "laplace"}, default "exponential"
        Its law, of scale 2Δu/ε (Δu/ε for monotone scores). "gumbel" *is* the exponential mechanism; "exponential" is
        permute-and-flip, never worse; "laplace" is the textbook's.
    monotone : bool, default False
        As in :func:`exponential`. Scale Δu/ε for scores that are not monotone, as one may read, is only 2ε-private.
    rng : numpy.random.Generator, int or None
        Source of randomness.

    Returns
    -------
    int
        Index of the option.

    References
    ----------
    C. Dwork and A. Roth. The algorithmic foundations of differential privacy. 2014, claim 3.9. Z. Ding and others.
    The permute-and-flip mechanism is identical to report-noisy-max with exponential noise. arXiv:2105.07260.
    """
    scaled = _scaled(scores, epsilon, sensitivity, monotone)
    generator = check_rng(rng)
    if noise == "gumbel":
        drawn = generator.gumbel(size=scaled.shape)
    elif noise == "exponential":
        drawn = generator.exponential(size=scaled.shape)
    elif noise == "laplace":
        drawn = generator.laplace(size=scaled.shape)
    else:
        raise ValueError(f"noise must be 'exponential', 'gumbel' or 'laplace', got {noise!r}")
    return int(np.argmax(scaled + drawn))


def noisy_max_probabilities(
    scores: npt.ArrayLike,
    *,
    epsilon: float,
    sensitivity: float = 1.0,
    noise: Noise = "exponential",
    monotone: bool = False,
) -> Floats:
    """Give the exact probabilities of :func:`report_noisy_max`, by one numerical integral per option.

    Parameters
    ----------
    scores, epsilon, sensitivity, noise, monotone
        As in :func:`report_noisy_max`.

    Returns
    -------
    ndarray of float64, shape (options,)
        Probabilities, to about 1e-9.
    """
    scaled = _scaled(scores, epsilon, sensitivity, monotone)
    if noise == "gumbel":
        weights = np.exp(scaled - scaled.max())
        return np.asarray(weights / weights.sum())
    if noise not in ("exponential", "laplace"):
        raise ValueError(f"noise must be 'exponential', 'gumbel' or 'laplace', got {noise!r}")
    # Panels between all the points where a density or distribution function has a corner; Gauss nodes inside each.
    shifted = scaled - scaled.max()
    corners = np.unique(np.concatenate([shifted, np.arange(-45.0, 46.0)]))
    nodes, weights = np.polynomial.legendre.leggauss(24)
    half = np.diff(corners) / 2
    y = (corners[:-1] + half)[:, None] + half[:, None] * nodes
    below = np.prod([_cdf(noise, y - s) for s in shifted], axis=0)
    result = []
    for s in shifted:
        own = _cdf(noise, y - s)
        others = np.divide(below, own, out=np.zeros_like(below), where=own > 0)
        result.append(float(np.sum(half[:, None] * weights * _pdf(noise, y - s) * others)))
    return np.array(result)


def permute_and_flip(
    scores: npt.ArrayLike, *, epsilon: float, sensitivity: float = 1.0, monotone: bool = False, rng: Rng = None
) -> int:
    r"""Go through options in random order; accept one with probability :math:`\exp(\varepsilon(u - u^*)/2\Delta u)`.

    Parameters
    ----------
    scores, epsilon, sensitivity, monotone, rng
        As in :func:`exponential`; :math:`u^*` is the largest score.

    Returns
    -------
    int
        Index of the option. The expected score is never below that of :func:`exponential`, and the law is that of
        :func:`report_noisy_max` with exponential noise.

    References
    ----------
    R. McKenna and D. Sheldon. Permute-and-flip: a new mechanism for differentially private selection. NeurIPS 2020.
    """
    scaled = _scaled(scores, epsilon, sensitivity, monotone)
    generator = check_rng(rng)
    for option in generator.permutation(scaled.size):
        if generator.random() < math.exp(scaled[option] - scaled.max()):
            return int(option)
    raise AssertionError("the best option is always accepted")  # pragma: no cover


def _scaled(scores: npt.ArrayLike, epsilon: float, sensitivity: float, monotone: bool) -> Floats:
    values = check_values(scores, "scores")
    if values.ndim != 1:
        raise ValueError(f"scores must be a vector with one entry per option, got shape {values.shape}")
    if not isinstance(monotone, (bool, np.bool_)):
        raise TypeError(f"monotone must be True or False, got {monotone!r}")
    factor = check_epsilon(epsilon) / (check_positive(sensitivity, "sensitivity") * (1 if monotone else 2))
    return values * factor


def _cdf(noise: str, x: Floats) -> Floats:
    if noise == "exponential":
        return np.where(x > 0, -np.expm1(-np.maximum(x, 0)), 0.0)
    return np.where(x < 0, np.exp(np.minimum(x, 0)) / 2, 1 - np.exp(-np.maximum(x, 0)) / 2)


def _pdf(noise: str, x: Floats) -> Floats:
    if noise == "exponential":
        return np.where(x >= 0, np.exp(-np.maximum(x, 0)), 0.0)
    return np.exp(-np.abs(x)) / 2
