r"""Central mechanisms as published or as found, with less noise than they promise; what each really costs is exact.

Every fault stands beside the name of its mend in :mod:`ldp_core.central`. Not for use.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Floats
from ldp_core._validate import (
    LARGEST_SCALE,
    LARGEST_VALUE,
    Rng,
    check_callable,
    check_epsilon,
    check_in_range,
    check_int,
    check_interval,
    check_option,
    check_positive,
    check_probability,
    check_real,
    check_rng,
    check_rows,
    check_scale,
)
from ldp_core.central import above_threshold_probabilities, laplace, noisy_max_probabilities, report_noisy_max
from ldp_core.central.noise import add_laplace, classic_ratio
from ldp_core.central.selection import Noise
from ldp_core.central.sensitivity import Statistic, clipped_answer
from ldp_core.central.sparse_vector import check_answers, findings

__all__ = [
    "VARIANTS",
    "aggregate_by_position",
    "average_by_position",
    "classic_sigma",
    "composed_channel",
    "constant_two",
    "constant_two_pays_from",
    "floating_point_outputs",
    "leaky_search",
    "leaky_search_probabilities",
    "narrow_noisy_max",
    "narrow_noisy_max_probabilities",
    "published_release",
    "published_release_probability",
]

#: Searches for the first answer above a threshold, like published ones: the scales of the noise on the threshold and on
#: every answer, in units of Δ/ε. That of :func:`ldp_core.central.above_threshold` is (2, 4).
VARIANTS: dict[str, tuple[float, float]] = {"exact-answers": (1.0, 0.0), "one-one": (1.0, 1.0), "two-two": (2.0, 2.0)}

#: A key of :data:`VARIANTS`.
Variant = Literal["exact-answers", "one-one", "two-two"]


# ---- noise and budgets -------------------------------------------------------------------------------------------


def classic_sigma(*, epsilon: float, delta: float, sensitivity: float = 1.0) -> float:
    r"""Give Gaussian noise by the classic formula whatever ε is, :math:`\Delta_2\sqrt{2\ln(1.25/\delta)}/\varepsilon`.

    It is proved for ε < 1 only, and from some ε on it is too little: that ε is about 8.4 for δ = 1e-5. The mend is
    :func:`ldp_core.central.gaussian_sigma`; what this noise costs is :func:`ldp_core.central.gaussian_delta`.

    Parameters
    ----------
    epsilon, delta : float
        ε > 0, δ strictly between 0 and 1.
    sensitivity : float, default 1.0
        L2 sensitivity Δ₂ > 0.

    Returns
    -------
    float
        Standard deviation σ.

    Raises
    ------
    ValueError
        If σ is 0 or above 1e300.

    References
    ----------
    C. Dwork and A. Roth. The algorithmic foundations of differential privacy. 2014, theorem A.1.

    Examples
    --------
    >>> from ldp_core.central import gaussian_delta
    >>> sigma = classic_sigma(epsilon=20.0, delta=1e-5)
    >>> gaussian_delta(epsilon=20.0, sigma=sigma) > 1e-3
    True
    """
    epsilon, delta = check_epsilon(epsilon), check_probability(delta, "delta")
    sigma = check_positive(sensitivity, "sensitivity") * classic_ratio(epsilon, delta)
    return check_positive(check_in_range(sigma, "sensitivity / epsilon", 0, LARGEST_SCALE), "sensitivity / epsilon")


def constant_two(epsilon: float, k: int, *, delta: float) -> float:
    r"""Give the ε of k answers by the short form of advanced composition, :math:`2\varepsilon\sqrt{2k\ln(1/\delta')}`.

    It follows from the theorem where :math:`k\varepsilon(e^\varepsilon - 1)` is at most half of it, and does not hold
    beyond. The mend is :func:`ldp_core.central.advanced`; the δ at this ε that k answers of randomized response have
    is ``exact_delta(composed_channel(epsilon, k), constant_two(epsilon, k, delta=delta))``.

    Parameters
    ----------
    epsilon : float
        ε of each answer, > 0.
    k : int
        How many, ≥ 1.
    delta : float
        δ' that may be added, strictly between 0 and 1.

    Returns
    -------
    float
        The ε that is promised.

    Raises
    ------
    ValueError
        If the result is too large for a double.

    Examples
    --------
    >>> from ldp_core.audit import exact_delta
    >>> exact_delta(composed_channel(3.0, 200), constant_two(3.0, 200, delta=1e-5)) > 0.9
    True
    """
    epsilon, k, delta = check_epsilon(epsilon), check_int(k, "k", 1), check_probability(delta, "delta")
    return check_real(2 * math.sqrt(-2 * k * math.log(delta)) * epsilon, "the result for epsilon")


def constant_two_pays_from(*, delta: float) -> int:
    r"""Give the smallest number of answers for which :func:`constant_two` promises less than adding up.

    Parameters
    ----------
    delta : float
        δ' that may be added, strictly between 0 and 1.

    Returns
    -------
    int
        The first whole number above :math:`8\ln(1/\delta')`, whatever ε; compare
        :func:`ldp_core.central.advanced_pays_from`.

    Examples
    --------
    >>> constant_two_pays_from(delta=1e-5)
    93
    """
    return math.floor(-8 * math.log(check_probability(delta, "delta"))) + 1


def composed_channel(epsilon: float, k: int) -> Floats:
    """Give the law of k answers of randomized response about the same bit: of how many of them say yes.

    No ε-private mechanism gives away more in k answers.

    Parameters
    ----------
    epsilon : float
        ε of each answer, > 0.
    k : int
        How many, 1 to 100,000.

    Returns
    -------
    ndarray of float64, shape (2, k + 1)
        The binomial laws for a no and a yes.

    References
    ----------
    P. Kairouz, S. Oh and P. Viswanath. The composition theorem for differential privacy. ICML 2015, theorem 10.

    Examples
    --------
    >>> composed_channel(math.log(3), 2).round(4)
    array([[0.5625, 0.375 , 0.0625],
           [0.0625, 0.375 , 0.5625]])
    """
    epsilon, k = check_epsilon(epsilon), check_int(k, "k", 1, 100_000)
    yes = np.arange(k + 1)
    factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, k + 1)))])
    ways = factorials[k] - factorials - factorials[::-1]
    truth = -math.log1p(math.exp(-epsilon))
    law = np.exp(ways + k * truth - yes * epsilon)
    law /= law.sum()
    return np.array([law, law[::-1]])


# ---- choosing and searching --------------------------------------------------------------------------------------


def narrow_noisy_max(
    scores: npt.ArrayLike, *, epsilon: float, sensitivity: float = 1.0, noise: Noise = "laplace", rng: Rng = None
) -> int:
    """Report the largest score under noise of scale Δu/ε, also where scores may move against each other.

    That is enough for monotone scores, such as counts under add/remove; of others one may rise while another falls, and
    ε may be twice what was promised. The mend is :func:`ldp_core.central.report_noisy_max`.

    Parameters
    ----------
    scores : array_like, shape (options,)
        Scores; higher is better.
    epsilon : float
        The ε that is promised.
    sensitivity : float, default 1.0
        Largest change Δu of any score.
    noise : {"laplace", "exponential", "gumbel"}, default "laplace"
        Its law.
    rng : numpy.random.Generator, int or None
        Source of randomness.

    Returns
    -------
    int
        Index of the option.
    """
    return report_noisy_max(scores, epsilon=epsilon, sensitivity=sensitivity, noise=noise, monotone=True, rng=rng)


def narrow_noisy_max_probabilities(
    scores: npt.ArrayLike, *, epsilon: float, sensitivity: float = 1.0, noise: Noise = "laplace"
) -> Floats:
    """Give the exact law of :func:`narrow_noisy_max`, as :func:`ldp_core.central.noisy_max_probabilities` does.

    Parameters
    ----------
    scores, epsilon, sensitivity, noise
        As in :func:`narrow_noisy_max`.

    Returns
    -------
    ndarray of float64, shape (options,)
        Probabilities.

    Examples
    --------
    >>> from ldp_core.audit import exact_epsilon
    >>> pair = [narrow_noisy_max_probabilities(s, epsilon=1.0) for s in ([0.0, -50.0], [-1.0, -49.0])]
    >>> round(exact_epsilon(pair), 2)
    1.96
    """
    return noisy_max_probabilities(scores, epsilon=epsilon, sensitivity=sensitivity, noise=noise, monotone=True)


def leaky_search(
    answers: Iterable[float],
    threshold: float,
    *,
    epsilon: float,
    variant: Variant,
    sensitivity: float = 1.0,
    rng: Rng = None,
) -> int | None:
    r"""Find the first answer above a threshold with less noise than that takes.

    With scales s and t, in units of Δ/ε, for threshold and answers, many answers come as near to
    :math:`(1/s + 2/t)\,\varepsilon` as one likes; without noise on the answers two of them can give everything away.
    The mend is :func:`ldp_core.central.above_threshold`.

    Parameters
    ----------
    answers : iterable of float
        True answers, in a fixed order, at most 1e307 in size each.
    threshold : float
        What is asked for; public.
    epsilon : float
        The ε that is promised.
    variant : {"exact-answers", "one-one", "two-two"}
        Which, see :data:`VARIANTS`.
    sensitivity : float, default 1.0
        Largest change Δ of any answer.
    rng : numpy.random.Generator, int or None
        Source of randomness.

    Returns
    -------
    int or None
        Position of the answer; None if none was found.

    References
    ----------
    M. Lyu, D. Su and N. Li. Understanding the sparse vector technique for differential privacy. PVLDB 10(6), 2017,
    figure 1 (algorithm 5 has exact answers, algorithm 6 the scales (2, 2), and neither stops at its first finding).
    """
    on_threshold, on_answers = _scales(epsilon, sensitivity, variant)
    given, line = check_answers(answers), check_in_range(threshold, "threshold", -LARGEST_VALUE, LARGEST_VALUE)
    generator = check_rng(rng, law=("leaky search", on_threshold, on_answers, line))
    return next(findings(given, line, on_threshold, on_answers, generator), None)


def leaky_search_probabilities(
    answers: npt.ArrayLike, threshold: float, *, epsilon: float, variant: Variant, sensitivity: float = 1.0
) -> Floats:
    """Give the exact law of :func:`leaky_search`.

    Parameters
    ----------
    answers : array_like, shape (m,)
        True answers, m ≥ 1.
    threshold, epsilon, variant, sensitivity
        As in :func:`leaky_search`.

    Returns
    -------
    ndarray of float64, shape (m + 1,)
        Probability of each position, and of "none" last.

    Examples
    --------
    >>> from ldp_core.audit import exact_epsilon
    >>> swapped = [[0.0, 1.0], [1.0, 0.0]]
    >>> laws = [leaky_search_probabilities(a, 0.0, epsilon=1.0, variant="exact-answers") for a in swapped]
    >>> exact_epsilon(laws)
    inf
    """
    on_threshold, on_answers = _scales(epsilon, sensitivity, variant)
    return above_threshold_probabilities(answers, threshold, threshold_scale=on_threshold, answer_scale=on_answers)


def _scales(epsilon: float, sensitivity: float, variant: Variant) -> tuple[float, float]:
    scale = check_scale(sensitivity, epsilon)
    on_threshold, on_answers = VARIANTS[check_option(variant, "variant", tuple(VARIANTS))]
    return on_threshold * scale, on_answers * scale


# ---- sensitivity -------------------------------------------------------------------------------------------------


def published_release(
    value: float, distance: int, *, proposed: float, epsilon: float, delta: float, rng: Rng = None
) -> float | None:
    r"""Release an answer if a distance with noise Lap(1/ε) exceeds :math:`\ln(2/\delta)/(2\varepsilon)`, with Lap(b/ε).

    The test and the release cost ε each. And at distance 0, where nothing may be released, the test is passed with
    probability :math:`\frac12\sqrt{\delta/2}` instead of δ. The mend is :func:`ldp_core.central.propose_test_release`.

    Parameters
    ----------
    value : float
        The true answer, at most 1e307 in size.
    distance : int
        How many people must change until the local sensitivity exceeds ``proposed``, ≥ 0.
    proposed : float
        Proposed bound b > 0 on the local sensitivity.
    epsilon, delta : float
        The guarantee that is promised: ε > 0, δ strictly between 0 and 1.
    rng : numpy.random.Generator, int or None
        Source of randomness.

    Returns
    -------
    float or None
        The noisy answer; None if the test failed.
    """
    value = check_in_range(value, "value", -LARGEST_VALUE, LARGEST_VALUE)
    release = check_scale(proposed, epsilon, name="proposed")
    scale, line = check_scale(1.0, epsilon), _line(delta)
    k = check_int(distance, "distance", 0)
    generator = check_rng(rng, law=("published release", scale, release, line))
    if add_laplace(k, scale, generator) <= line * scale:
        return None
    released: float = laplace(value, epsilon=epsilon, sensitivity=proposed, rng=generator)
    return released


def published_release_probability(distance: int, *, epsilon: float, delta: float) -> float:
    r"""Give the exact probability with which :func:`published_release` releases an answer.

    Parameters
    ----------
    distance : int
        As in :func:`published_release`.
    epsilon, delta : float
        ε > 0, δ strictly between 0 and 1.

    Returns
    -------
    float
        The probability; at distance 0 it is :math:`\frac12\sqrt{\delta/2}`, whatever ε.

    Examples
    --------
    >>> round(published_release_probability(0, epsilon=1.0, delta=1e-9) / 1e-9)
    11180
    """
    needed = _line(delta) - check_int(distance, "distance", 0) * check_epsilon(epsilon)
    tail = math.exp(-abs(needed)) / 2
    return tail if needed > 0 else 1 - tail


def _line(delta: float) -> float:
    """Give the published threshold in units of 1/ε."""
    return (math.log(2) - math.log(check_probability(delta, "delta"))) / 2


def average_by_position(
    values: npt.ArrayLike, statistic: Statistic, *, n_chunks: int, bounds: tuple[float, float]
) -> float:
    r"""Average a statistic's clipped answers over successive rows, :math:`\lceil n/m\rceil` of them at a time.

    Two faults in one. There may be fewer chunks than m: of 32,561 rows for 600 chunks it cuts 593, and one replaced
    row changes the average by (upper − lower)/593. And one row more at the top moves all others down: it may change
    every chunk. The mend is :func:`ldp_core.central.sample_and_aggregate`.

    Parameters
    ----------
    values : array_like, shape (n,) or (n, features)
        One row per person.
    statistic : callable
        From some rows to a number.
    n_chunks : int
        How many chunks are wanted, m, from 1 to n.
    bounds : tuple of (float, float)
        Public bounds of the statistic.

    Returns
    -------
    float
        The average, without noise. Between two neighbours it moves by (upper − lower)/m times what
        :func:`aggregate_by_position` really spends at a promised ε of 1.

    Examples
    --------
    >>> ages = np.array([20] * 27 + [80] * 27 + [20] + [20] * 54 + [80])  # two chunks of 55: one is undecided
    >>> settings = {"n_chunks": 2, "bounds": (20, 80)}
    >>> moved = average_by_position(np.r_[80, ages[:-1]], np.median, **settings)
    >>> moved - average_by_position(ages, np.median, **settings)
    30.0
    """
    rows = check_rows(values, "values")
    n_chunks = check_int(n_chunks, "n_chunks", 1, len(rows))
    (low, high), size = check_interval(bounds), -(-len(rows) // n_chunks)
    check_callable(statistic, "statistic")
    starts = range(0, len(rows), size)
    return float(np.mean([clipped_answer(statistic, rows[i : i + size], low, high) for i in starts]))


def aggregate_by_position(
    values: npt.ArrayLike,
    statistic: Statistic,
    *,
    n_chunks: int,
    bounds: tuple[float, float],
    epsilon: float,
    rng: Rng = None,
) -> float:
    """Add noise of scale (upper − lower)/(mε) to :func:`average_by_position`: too little, for both its faults.

    Parameters
    ----------
    values, statistic, n_chunks, bounds
        As in :func:`average_by_position`.
    epsilon : float
        The ε that is promised.
    rng : numpy.random.Generator, int or None
        Source of randomness.

    Returns
    -------
    float
        The noisy average.
    """
    average = average_by_position(values, statistic, n_chunks=n_chunks, bounds=bounds)
    low, high = check_interval(bounds)
    noisy: float = laplace(average, epsilon=epsilon, sensitivity=(high - low) / n_chunks, rng=rng)
    return noisy


# ---- why real numbers in a computer are a problem ----------------------------------------------------------------


def floating_point_outputs(value: float, *, epsilon: float, sensitivity: float = 1.0, bits: int = 12) -> Floats:
    r"""List every number that a textbook Laplace sampler can answer, for a coarse source of randomness.

    The sampler computes value ± (Δ/ε)·ln(u) in double precision, u being one of :math:`2^{-b}, 2\cdot2^{-b}, …, 1`.
    Real libraries have b = 53: too many to list, and just as full of holes. The mend is
    :func:`ldp_core.central.discrete_laplace`.

    Parameters
    ----------
    value : float
        The true answer.
    epsilon, sensitivity : float
        As in :func:`ldp_core.central.laplace`.
    bits : int, default 12
        b, from 1 to 20.

    Returns
    -------
    ndarray of float64
        The possible answers, ascending, each once. An answer that is possible for one value and not for its neighbour
        tells them apart for certain.

    References
    ----------
    I. Mironov. On significance of the least significant bits for differential privacy. CCS 2012.

    Examples
    --------
    >>> zero, one = (floating_point_outputs(v, epsilon=1.0, bits=10) for v in (0.0, 1.0))
    >>> float(np.isin(one, zero).mean()) < 0.1
    True
    """
    value = check_real(value, "value")
    scale = check_scale(sensitivity, epsilon)
    bits = check_int(bits, "bits", 1, 20)
    noise = scale * np.log(np.arange(1, 2**bits + 1) / 2**bits)
    return np.unique(np.concatenate([value + noise, value - noise]))
