"""Central mechanisms as published or as found, with less noise than they promise; what each really costs is exact.

Every fault stands beside the name of its mend in :mod:`ldp_core.central`. Not for use. ``epsilon`` > 0 is what is
promised, ``delta`` lies strictly between 0 and 1, ``sensitivity`` is Δ > 0, ``k`` ≥ 1 counts answers.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

from ldp_book.faults.frequency import binomial_law
from ldp_core._arrays import Floats
from ldp_core._validate import (
    LARGEST_SCALE,
    check_callable,
    check_epsilon,
    check_in_range,
    check_int,
    check_interval,
    check_option,
    check_positive,
    check_probability,
    check_real,
    check_rows,
    check_scale,
)
from ldp_core.central import above_threshold_probabilities, noisy_max_probabilities
from ldp_core.central.noise import classic_ratio
from ldp_core.central.selection import Noise
from ldp_core.central.sensitivity import Statistic, clipped_answer

__all__ = [
    "VARIANTS", "average_by_position", "classic_sigma", "composed_channel", "constant_two",
    "constant_two_pays_from", "leaky_search_probabilities", "narrow_noisy_max_probabilities",
    "published_release_probability",
]  # fmt: skip

#: Searches for the first answer above a threshold, like published ones: the scales of the noise on the threshold and on
#: every answer, in units of Δ/ε. That of :func:`ldp_core.central.above_threshold` is (2, 4).
VARIANTS: dict[str, tuple[float, float]] = {"exact-answers": (1.0, 0.0), "one-one": (1.0, 1.0), "two-two": (2.0, 2.0)}

#: A key of :data:`VARIANTS`.
Variant = Literal["exact-answers", "one-one", "two-two"]


# ---- noise and budgets -------------------------------------------------------------------------------------------


def classic_sigma(*, epsilon: float, delta: float, sensitivity: float = 1.0) -> float:
    r"""Give Gaussian noise by the classic formula whatever ε is, :math:`\Delta_2\sqrt{2\ln(1.25/\delta)}/\varepsilon`.

    It is proved for ε < 1 only, and from some ε on it is too little: that ε is about 8.4 for δ = 1e-5. The mend is
    :func:`ldp_core.central.gaussian_sigma`; what this noise costs is :func:`ldp_core.central.gaussian_delta`. Here the
    sensitivity is Δ₂; a σ of 0 or above 1e300 is refused.

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
    beyond. The mend is :func:`ldp_core.central.advanced`; the δ at this ε that k answers of randomized response have is
    ``exact_delta(composed_channel(epsilon, k), constant_two(epsilon, k, delta=delta))``. A result that is too large for
    a double is refused.

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

    It is the first whole number above :math:`8\ln(1/\delta')`, whatever ε; compare
    :func:`ldp_core.central.advanced_pays_from`.

    Examples
    --------
    >>> constant_two_pays_from(delta=1e-5)
    93
    """
    return math.floor(-8 * math.log(check_probability(delta, "delta"))) + 1


def composed_channel(epsilon: float, k: int) -> Floats:
    """Give the law of k answers of randomized response about the same bit: of how many of them say yes.

    No ε-private mechanism gives away more in k answers. The result has shape (2, k + 1): the binomial laws for a no and
    a yes; k is at most 100,000.

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
    lie = math.exp(-epsilon) / (1 + math.exp(-epsilon))
    law = binomial_law(k, lie, 1 - lie)
    return np.array([law, law[::-1]])


# ---- choosing and searching --------------------------------------------------------------------------------------


def narrow_noisy_max_probabilities(
    scores: npt.ArrayLike, *, epsilon: float, sensitivity: float = 1.0, noise: Noise = "laplace"
) -> Floats:
    """Give the exact law of the largest score under noise of scale Δu/ε, also where scores move against each other.

    That is enough for monotone scores, such as counts under add/remove; of others one may rise while another falls, and
    ε may be twice what was promised. The mend is :func:`ldp_core.central.report_noisy_max`. All arguments and the
    result are as in :func:`ldp_core.central.noisy_max_probabilities`: scores, sensitivity, noise.

    Examples
    --------
    >>> from ldp_core.audit import exact_epsilon
    >>> pair = [narrow_noisy_max_probabilities(s, epsilon=1.0) for s in ([0.0, -50.0], [-1.0, -49.0])]
    >>> round(exact_epsilon(pair), 2)
    1.96
    """
    return noisy_max_probabilities(scores, epsilon=epsilon, sensitivity=sensitivity, noise=noise, monotone=True)


def leaky_search_probabilities(
    answers: npt.ArrayLike, threshold: float, *, epsilon: float, variant: Variant, sensitivity: float = 1.0
) -> Floats:
    r"""Give the exact law of a search for the first answer above a threshold, with less noise than that takes.

    With scales s and t, in units of Δ/ε, for threshold and answers, many answers come as near to
    :math:`(1/s + 2/t)\,\varepsilon` as one likes; without noise on the answers two of them can give everything away.
    The mend is :func:`ldp_core.central.above_threshold`. The result has shape (m + 1,) for answers of shape (m,): the
    probability of each position, and of "none" last. A ``variant`` is a key of :data:`VARIANTS`.

    References
    ----------
    M. Lyu, D. Su and N. Li. Understanding the sparse vector technique for differential privacy. PVLDB 10(6), 2017,
    figure 1 (algorithm 5 has exact answers, algorithm 6 the scales (2, 2), and neither stops at its first finding).

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


def published_release_probability(distance: int, *, epsilon: float, delta: float) -> float:
    r"""Give the exact probability that a distance with noise Lap(1/ε) exceeds :math:`\ln(2/\delta)/(2\varepsilon)`.

    Then an answer is released, for another ε. At distance 0, where nothing may be released but with probability δ, it
    is far more. The mend is :func:`ldp_core.central.propose_test_release`. That distance is how many people must change
    until the local sensitivity exceeds a proposed bound, ≥ 0.

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

    Two faults in one. There may be fewer chunks than m: of 32,561 rows for 600 chunks it cuts 593, and one replaced row
    changes the average by (upper − lower)/593. And one row more at the top moves all others down: it may change every
    chunk. The mend is :func:`ldp_core.central.sample_and_aggregate`. The values are rows, one per person, n_chunks is
    m, from 1 to n, and the statistic's answers are clipped to public bounds. Noise of scale (upper − lower)/(mε) is
    added to the average; what that really spends at a promised ε of 1 is what the average moves by between two
    neighbours, in units of (upper − lower)/m.

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
