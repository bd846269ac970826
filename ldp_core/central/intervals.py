"""What a curator's answer says: of the people in the file, and of a population that they are a sample of.

The law of the noise is known, so nothing is estimated and nothing approximated: an interval is as sure as it says, for
every file. What was computed is what is covered: a count of clipped values is not a count of people's values.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._binomial import binomial
from ldp_core._validate import (
    LARGEST_VALUE,
    Rng,
    check_bool,
    check_epsilon,
    check_int,
    check_numbers,
    check_probability,
    check_real,
    check_rng,
    check_scale,
    check_values,
    check_vector,
    first_where,
)
from ldp_core.central.selection import exponential

__all__ = ["laplace_interval", "quantile_interval", "share_interval"]

#: Most people of a sample: the law of a count is written out, over some 10 √n values.
LARGEST_SAMPLE = 10**9

#: An end that is to have so many people beyond it is infinite.
_NOBODY = 2.0**50


def laplace_interval(
    answers: npt.ArrayLike,
    *,
    epsilon: float,
    sensitivity: float,
    level: float = 0.95,
    simultaneous: bool = False,
    discrete: bool = False,
) -> tuple[Any, Any]:
    r"""Give the interval that covers what an answer was before :func:`laplace` added its noise, a low and a high end.

    It is the answer ∓ :math:`\frac{\Delta}{\varepsilon}\ln\frac1\alpha` at the level 1 − α, and covers the true answer
    with exactly that probability: of the data at hand, not of a population.

    Parameters
    ----------
    answers : array_like, shape (..., d), or float
        What was published, neither clipped nor rounded. Each vector along the last axis had the noise of ``sensitivity
        / epsilon`` in every entry, independently.
    level : float, default 0.95
        Probability of each interval to cover, or of all d of a vector together.
    simultaneous : bool, default False
        Whether all d intervals of a vector cover together: each then has the level ``level ** (1 / d)``.
    discrete : bool, default False
        Whether the noise was that of :func:`discrete_laplace`, answers being whole: then it is the shortest interval of
        whole numbers that covers at least as often.

    Notes
    -----
    :math:`\Pr[|X| > t] = e^{-t\varepsilon/\Delta}` for Laplace noise. For noise in whole numbers and
    :math:`r = e^{-\varepsilon/\Delta}` it is :math:`\Pr[|X| \ge k] = \frac{2r^k}{1 + r}` for every k ≥ 1.

    Examples
    --------
    >>> low, high = laplace_interval([12.5, 0.8], epsilon=1.0, sensitivity=1)
    >>> low.round(2), high.round(2)
    (array([ 9.5, -2.2]), array([15.5,  3.8]))
    >>> laplace_interval(12, epsilon=1.0, sensitivity=1, discrete=True)
    (9.0, 15.0)
    """
    published, scale = check_values(answers, "answers", LARGEST_VALUE), check_scale(sensitivity, epsilon)
    missed = 1 - check_probability(level, "level")
    if check_bool(simultaneous, "simultaneous") and published.ndim:
        missed = -math.expm1(math.log(level) / published.shape[-1])
    reach = -scale * math.log(missed)
    if check_bool(discrete, "discrete"):
        if np.any(published != np.floor(published)):
            raise ValueError(
                "answers must be whole numbers if their noise was discrete, got "
                + first_where(published, published != np.floor(published))
            )
        # The first k that is exceeded rarely enough; where Δ/ε is tiny, no noise at all is.
        reach = max(0.0, float(math.ceil(reach + scale * math.log(2 / (1 + math.exp(-1 / scale))))) - 1)
    low, high = published - reach, published + reach
    return (low, high) if published.ndim else (float(low), float(high))


def share_interval(
    count: float, n: int, *, epsilon: float, sensitivity: float, level: float = 0.95, discrete: bool = False
) -> tuple[float, float]:
    r"""Give an interval for the share of a population, from a noisy count of a sample of n people, n public.

    The people, at most 10**9, are drawn at random from a population that is much larger; the ``count`` of those who
    have a property came out of :func:`laplace` with this epsilon and sensitivity, or, if ``discrete``, out of
    :func:`discrete_laplace`, and is not rounded. Every share strictly between 0 and 1 is covered with a probability of
    exactly ``level``, for every n and every noise; with discrete noise, at 0 and 1, and for a count that was clipped
    to between 0 and n, it is at least that. Where the noise was unlucky both ends are 0, or both 1.

    Notes
    -----
    It holds the shares under which a count as high as this one, and one as low, have a probability of more than α/2
    each: the interval of Clopper and Pearson, with the law of a binomial plus a Laplace variable. That law is
    continuous, hence "exactly". The binomial law is written out, up to :math:`2e^{-45}` (Bernstein's inequality).

    References
    ----------
    C. J. Clopper and E. S. Pearson. The use of confidence or fiducial limits illustrated in the case of the binomial.
    Biometrika 26, 1934.

    Examples
    --------
    >>> low, high = share_interval(203.4, 1000, epsilon=0.1, sensitivity=1)
    >>> round(low, 3), round(high, 3)
    (0.166, 0.242)
    """
    answer, n = check_real(count, "count"), check_int(n, "n", 1, LARGEST_SAMPLE)
    scale, missed = check_scale(sensitivity, epsilon), 1 - check_probability(level, "level")
    if check_bool(discrete, "discrete") and answer != math.floor(answer):
        raise ValueError(f"count must be a whole number if its noise was discrete, got {count!r}")

    def least(y: float) -> float:
        """Give the least share under which a count of y or more is not too rare."""
        low, high = 0.0, 1.0
        while high - low > 1e-17 and low < (middle := (low + high) / 2) < high:
            if _at_least(y, n, middle, scale, discrete) > missed / 2:
                high = middle
            else:
                low = middle
        return high if low > 0 else 0.0

    return least(answer), 1 - least(n - answer)


def quantile_interval(
    values: npt.ArrayLike,
    options: npt.ArrayLike,
    *,
    epsilon: float,
    quantile: float = 0.5,
    level: float = 0.95,
    sample: int | None = None,
    rng: Rng = None,
) -> tuple[float, float]:
    r"""Choose two options that have a quantile of the values between them, for ε in all; the data are touched here.

    The values are first moved to their nearest option. For every file, the quantile of these lies between the ends, or
    at one, with a probability of at least ``level``; an end is infinite where nothing can be said, as of few people.
    One person more, less or replaced: the number n of people may be secret.

    Parameters
    ----------
    values : array_like, shape (n,)
        In any order.
    options : array_like, shape (m,)
        Public, increasing: what the ends may be.
    quantile : float, default 0.5
        The share q, strictly between 0 and 1: at most qn of the values lie below what is covered, and at most (1 − q)n
        above; the median for 1/2.
    sample : int, optional
        At least as many as n, and public: then the quantile is that of a population of which the values are a random
        sample.

    Notes
    -----
    Each end is chosen by :func:`exponential` with ε/2. For the lower one that aims at the rank :math:`T = qn - s`: the
    score of an option a is :math:`-\max\{\#\{x < a\} - T,\; T - \#\{x \le a\}\}`, that of −∞, which is an option, too,
    :math:`-\max\{0, T\}`. A person changes them by at most 1, and the best is never below 0. The choice falls short of
    it by more than :math:`r = \frac4\varepsilon\ln\frac{2(m + 1)}{\alpha}` with probability at most α/2. If not, fewer
    than qn people are below it from s > r on. The upper end is its mirror image. For a population α/2 stands for α in
    r, and s grows by :math:`\sqrt{\frac n2 \ln\frac4\alpha}` (Hoeffding's inequality). As a rule ends are finite from
    s/q and s/(1 − q) people on.

    Examples
    --------
    >>> ages = np.random.default_rng(1).integers(20, 70, size=1000)
    >>> quantile_interval(ages, range(101), epsilon=1.0, rng=0)
    (42.0, 46.0)
    """
    places, steps = check_numbers(values, "values"), check_vector(options, "options")
    if places.ndim != 1:
        raise ValueError(f"values must be one-dimensional, got shape {places.shape}")
    falling = np.diff(steps, prepend=-math.inf) <= 0
    if falling.any():
        raise ValueError(f"options must increase, got {first_where(steps, falling)}")
    epsilon, q = check_epsilon(epsilon), check_probability(quantile, "quantile")
    missed, reach = 1 - check_probability(level, "level"), 0.0
    if sample is not None:
        missed, reach = missed / 2, math.sqrt(check_int(sample, "sample", 1) / 2 * math.log(4 / missed))
    generator = check_rng(rng, law=("quantile", epsilon, q, missed, reach, steps.size))
    short = 4 / epsilon * math.log(2 * (steps.size + 1) / missed) + reach
    nearest = np.searchsorted((steps[:-1] + np.diff(steps) / 2), places)
    below = np.concatenate([[0], np.cumsum(np.bincount(nearest, minlength=steps.size))])
    ends = []
    for counts, share, order in (below, q, steps), (places.size - below[::-1], 1 - q, -steps[::-1]):
        target = share * places.size - math.floor(min(short, _NOBODY) + 1)
        scores = -np.maximum(counts[:-1] - target, target - counts[1:])
        chosen = exponential(np.append(scores, -max(0, target)), epsilon=epsilon / 2, rng=generator)
        ends.append(float(order[chosen]) if chosen < steps.size and short < _NOBODY else -math.inf)
    low, high = ends[0], -ends[1]
    return min(low, high), max(low, high)  # they cross where there are few people


def _at_least(y: float, n: int, share: float, scale: float, discrete: bool) -> float:
    """Give the probability that a binomial variable plus noise is at least y."""
    count, chance = binomial(n, share)
    lacking = y - count  # what noise has to add
    with np.errstate(over="ignore"):  # noise that small adds nothing
        if discrete:
            beyond = np.exp(-np.where(lacking > 0, lacking, 1 - lacking) / scale) / (1 + math.exp(-1 / scale))
        else:
            beyond = np.exp(-np.abs(lacking) / scale) / 2
    return float(chance @ np.where(lacking > 0, beyond, 1 - beyond))
