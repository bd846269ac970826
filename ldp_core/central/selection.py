"""Choosing one of several options privately: the exponential mechanism and its relatives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Floats
from ldp_core._validate import (
    LARGEST_VALUE,
    Rng,
    check_bool,
    check_epsilon,
    check_option,
    check_positive,
    check_rng,
    check_values,
    shown,
)
from ldp_core.central._panels import BLOCK, panels
from ldp_core.central.noise import add_laplace

__all__ = [
    "exponential",
    "exponential_probabilities",
    "noisy_max_probabilities",
    "permute_and_flip",
    "report_noisy_max",
]

Noise = Literal["gumbel", "exponential", "laplace"]

#: Terms of a power series in at most 1/2 that is summed up to the last digit.
_TERMS = 56

#: How noise of scale 1 is added to scores, by its law.
_ADD: dict[str, Callable[[Floats, np.random.Generator], Floats]] = {
    "exponential": lambda scores, rng: scores + rng.exponential(size=scores.shape),
    "gumbel": lambda scores, rng: scores + rng.gumbel(size=scores.shape),
    "laplace": lambda scores, rng: add_laplace(scores, 1.0, rng),
}


def exponential(
    scores: npt.ArrayLike, *, epsilon: float, sensitivity: float = 1.0, monotone: bool = False, rng: Rng = None
) -> int:
    r"""Choose an option, by its index, with probability proportional to :math:`\exp(\varepsilon u / 2\Delta u)`.

    Parameters
    ----------
    scores : array_like, shape (options,)
        Score u of each option for the data at hand, at most 1e307 in size; higher is better. The
        sensitivity Δu is the largest change of any of them between neighbouring data sets.
    monotone : bool, default False
        Whether one more person never lowers a score (as with counts, under add/remove): then the factor 2 is not
        needed, and :math:`\exp(\varepsilon u / \Delta u)` is ε-differentially private.

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
    return int(np.argmax(_ADD["gumbel"](scaled, _generator(rng, "exponential", epsilon, sensitivity, monotone))))


def exponential_probabilities(
    scores: npt.ArrayLike, *, epsilon: float, sensitivity: float = 1.0, monotone: bool = False
) -> Floats:
    """Give the exact probabilities of :func:`exponential` for any scores; monotone or not, tiny ones may underflow.

    Examples
    --------
    >>> exponential_probabilities([2.0, 0.0], epsilon=math.log(3)).round(4)
    array([0.75, 0.25])
    """
    scaled = _scaled(scores, epsilon, sensitivity, monotone)
    weights = np.exp(scaled)  # the largest is 1: nothing overflows
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
    """Add noise to every score (as in :func:`exponential`) and report which is largest, but not the score.

    Parameters
    ----------
    noise : {"exponential", "gumbel", "laplace"}, default "exponential"
        Its law, of scale 2Δu/ε (Δu/ε for monotone scores). "gumbel" *is* the exponential mechanism; "exponential" is
        permute-and-flip, never worse; "laplace" is the textbook's.
    monotone : bool, default False
        As in :func:`exponential`. Scale Δu/ε for scores that are not monotone, as one may read, is only 2ε-private.

    References
    ----------
    C. Dwork and A. Roth. The algorithmic foundations of differential privacy. 2014, claim 3.9. Z. Ding and others.
    The permute-and-flip mechanism is identical to report-noisy-max with exponential noise. arXiv:2105.07260.

    Examples
    --------
    >>> report_noisy_max([10.0, 900.0, 3.0], epsilon=1.0, rng=0)
    1
    """
    scaled = _scaled(scores, epsilon, sensitivity, monotone)
    add = _ADD[check_option(noise, "noise", tuple(_ADD))]
    return int(np.argmax(add(scaled, _generator(rng, noise, epsilon, sensitivity, monotone))))


def noisy_max_probabilities(
    scores: npt.ArrayLike,
    *,
    epsilon: float,
    sensitivity: float = 1.0,
    noise: Noise = "exponential",
    monotone: bool = False,
) -> Floats:
    r"""Give the exact probabilities of :func:`report_noisy_max`, by numerical integration over the largest noisy score.

    Scores, noise and monotone are as there. Probabilities are right to about 1e-12 in size; of two options to the last
    digits of the smaller one, so that ratios of tiny probabilities are right. Memory grows with the number of options,
    not with its square.

    Notes
    -----
    With F and f the distribution function and the density of the noise, an option of score s is reported with
    probability :math:`\int f(y - s) \prod_{t \ne s} F(y - t)\,dy`. Every score is a corner of the integrand, but only
    the largest count: below m of the scores the product is at most :math:`2^{-m}`. Of two options the one that is t
    scales behind is reported with probability :math:`e^{-t}/2` (exponential noise) or :math:`(2 + t)e^{-t}/4`
    (Laplace).

    Examples
    --------
    >>> noisy_max_probabilities([2.0, 0.0], epsilon=math.log(4), noise="laplace").round(4)
    array([0.7884, 0.2116])
    """
    scaled = _scaled(scores, epsilon, sensitivity, monotone)
    law = check_option(noise, "noise", tuple(_ADD))
    if law == "gumbel":
        weights = np.exp(scaled)
        return np.asarray(weights / weights.sum())
    if scaled.size == 2:
        behind = min(-scaled.min(), 1e3)  # beyond that e^−behind is 0
        worse = math.exp(-behind) / 2 * (1.0 if law == "exponential" else 1 + behind / 2)
        return np.where(np.arange(2) == np.argmax(scaled), 1 - worse, worse)
    # Panels between all the corners that count; Gauss nodes inside each. The largest score is 0.
    first = -np.sort(-scaled)[:60]
    lowest = 0.0 if law == "exponential" else max(-45.0, first[-1] if first.size == 60 else -45.0)
    corners = np.unique(np.concatenate([first, np.arange(-45.0, 46.0)]))
    y, width = panels(corners[corners >= lowest], 24)
    result = np.zeros(scaled.size)
    # Beyond y₀, F of all but the few higher scores s is 1 − z·e^(y₀ − y), z = c·e^(s − y₀) ≤ 1/2: log F and f/F are
    # series in z, whose powers are added up over the scores once, not for every node.
    start, c = (1.0, 1.0) if law == "exponential" else (lowest, 0.5)
    near = np.count_nonzero(y < start)
    step = max(1, BLOCK // scaled.size)
    for i in range(0, near, step):
        part = slice(i, min(i + step, near))
        above = y[part, None] - scaled
        log_below = _log_cdf(law, above)
        result += width[part] @ (_pdf(law, above) * np.exp(log_below.sum(axis=1, keepdims=True) - log_below))
    y, width, low = y[near:], width[near:], scaled <= start
    z, decay = c * np.exp(scaled[low] - start), np.exp(start - y)
    high = y[:, None] - scaled[~low]
    log_high = _log_cdf(law, high)
    log_all = log_high.sum(axis=1)
    powers, decays = np.ones_like(z), np.ones_like(decay)
    for k in range(1, _TERMS):
        powers *= z
        decays *= decay
        log_all -= powers.sum() * decays / k
    result[~low] = width @ (_pdf(law, high) * np.exp(log_all[:, None] - log_high))
    powers, decays = np.ones_like(z), width * np.exp(log_all)
    shares = np.zeros_like(z)
    for _ in range(1, _TERMS):
        powers *= z
        decays *= decay
        shares += powers * decays.sum()
    result[low] += shares
    return result


def permute_and_flip(
    scores: npt.ArrayLike, *, epsilon: float, sensitivity: float = 1.0, monotone: bool = False, rng: Rng = None
) -> int:
    r"""Go through options in random order; accept one with probability :math:`\exp(\varepsilon(u - u^*)/2\Delta u)`.

    The scores, monotone or not, are as in :func:`exponential`, and :math:`u^*` is the largest. The expected score is
    never below that of :func:`exponential`, and the law is that of :func:`report_noisy_max` with exponential noise.

    References
    ----------
    R. McKenna and D. Sheldon. Permute-and-flip: a new mechanism for differentially private selection. NeurIPS 2020.

    Examples
    --------
    >>> permute_and_flip([10.0, 900.0, 3.0], epsilon=1.0, rng=0)
    1
    """
    scaled = _scaled(scores, epsilon, sensitivity, monotone)
    generator = _generator(rng, "permute and flip", epsilon, sensitivity, monotone)
    for option in generator.permutation(scaled.size):
        if generator.random() < math.exp(scaled[option]):
            return int(option)
    raise AssertionError("the best option is always accepted")  # pragma: no cover


def _generator(rng: Rng, kind: str, epsilon: float, sensitivity: float, monotone: bool) -> np.random.Generator:
    return check_rng(rng, law=(kind, float(epsilon), float(sensitivity), bool(monotone)))


def _scaled(scores: npt.ArrayLike, epsilon: float, sensitivity: float, monotone: bool) -> Floats:
    """Return scores in units of what costs a factor e of probability, the largest moved to 0, others down to −inf."""
    values = check_values(scores, "scores", LARGEST_VALUE)
    if values.ndim != 1:
        raise ValueError(f"scores must be a vector with one entry per option, got shape {values.shape}")
    change = 1.0 if check_bool(monotone, "monotone") else 2.0
    factor = check_epsilon(epsilon) / check_positive(sensitivity, "sensitivity") / change
    if not 0 < factor < math.inf:
        raise ValueError(
            "epsilon / sensitivity must be > 0 and finite in double precision, "
            f"got epsilon {shown(epsilon)} and sensitivity {shown(sensitivity)}"
        )
    with np.errstate(over="ignore"):  # so far behind that its probability is 0
        scaled: Floats = (values - values.max()) * factor
    return scaled


def _log_cdf(law: str, x: Floats) -> Floats:
    """Logarithm of the distribution function; for "exponential" x > 0 is needed."""
    tail = np.exp(-np.abs(x))
    if law == "exponential":
        return np.asarray(np.log1p(-tail))
    return np.where(x < 0, np.minimum(x, 0) - math.log(2), np.log1p(-tail / 2))


def _pdf(law: str, x: Floats) -> Floats:
    return np.asarray(np.exp(-np.abs(x)) / (1 if law == "exponential" else 2))
