r"""Liars: how far people who send whatever they like can move an estimate, and what a test of reports leaves of it.

Every estimate here is a sum over the reports, and what one report adds is its *vote*. Votes of honest reports are right
on average, those of a liar are as he chooses. So the bias that liars make grows with their number, while the noise of
the honest grows with the root of theirs.

**The smaller ε, the louder a liar.** Let a be the vote, for any question, of a report of an ε-private channel, with the
mean f₁ under a value x and f₀ < f₁ under x'. If no vote is above M, then M − a ≥ 0 has at x' at most
:math:`e^{\varepsilon}` times its mean at x: :math:`M - f_0 \le e^{\varepsilon}(M - f_1)`, hence

.. math::  M \ge f_1 + \frac{f_1 - f_0}{e^{\varepsilon} - 1}.

That is :func:`least_gain`. For the mean of numbers in [−1, 1] it is the report of :class:`~ldp_core.numeric.Duchi`; the
largest report of a numeric mechanism is the upper end of its ``support``.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Codes, Floats
from ldp_core._validate import as_array, check_epsilon, check_int, check_real, shown
from ldp_core.frequency import CountMeanSketch, DirectEncoding, FiniteOracle, FrequencyOracle, LocalHashing
from ldp_core.frequency.subset import SubsetOracle
from ldp_core.frequency.unary import UnaryEncoding

__all__ = ["OnesTest", "gain", "law_of_ones", "least_gain", "loudest_report", "ones_test", "votes"]


def votes(oracle: FrequencyOracle, reports: npt.ArrayLike) -> Floats:
    """Give what each report adds to the estimated count of each value, shape (n, d); estimates add these up.

    The reports are any that ``oracle.aggregate`` accepts, honest or not.

    Examples
    --------
    >>> from ldp_core.frequency import DirectEncoding
    >>> votes(DirectEncoding(1.0, 3), [2]).round(2)
    array([[-0.58, -0.58,  2.16]])
    """
    if not isinstance(oracle, FrequencyOracle):
        raise TypeError(f"oracle must be a frequency oracle, got {shown(oracle)}")
    rows = as_array(reports, "reports")
    oracle.aggregate(rows)  # refuses what no device could send
    return np.array([oracle.estimate(oracle.aggregate(rows[i : i + 1]), 1) for i in range(len(rows))])


def loudest_report(oracle: FrequencyOracle, targets: npt.ArrayLike) -> npt.NDArray[Any]:
    """Give one report, ready for ``aggregate``, whose votes for targets have the largest sum: the maximal gain attack.

    Parameters
    ----------
    oracle : FrequencyOracle
        What honest devices run. Summation histograms are refused: one of their reports may be as large as a double.
    targets : array_like
        The values, each once, whose counts together are to rise.

    Notes
    -----
    Subsets hold as many targets as have room, unary encoding and count-mean sketches all, in any row of these; a hash
    function of local hashing sends all values to the reported bucket. Elsewhere all ``outputs()`` are tried.

    References
    ----------
    X. Cao, J. Jia and N. Z. Gong. Data poisoning attacks to local differential privacy protocols. USENIX
    Security 2021.

    Examples
    --------
    >>> from ldp_core.frequency import OptimizedUnary
    >>> loudest_report(OptimizedUnary(1.0, ["a", "b", "c", "d"]), ["b", "d"])
    array([[0, 1, 0, 1]], dtype=uint8)
    """
    codes = _check_targets(oracle, targets)
    if not isinstance(oracle, FiniteOracle):
        raise TypeError(f"oracle must have finitely many reports, got {shown(oracle)}")
    if isinstance(oracle, DirectEncoding):
        return codes[:1]
    if isinstance(oracle, UnaryEncoding):
        return _bits(oracle.d, codes)
    if isinstance(oracle, SubsetOracle):
        return _bits(oracle.d, np.append(codes, np.setdiff1d(np.arange(oracle.d), codes))[: oracle.k])
    if isinstance(oracle, LocalHashing):
        return np.zeros((1, oracle.n_digits + 1), dtype=np.int64)
    if isinstance(oracle, CountMeanSketch):
        return np.packbits(
            _bits(oracle.bits, oracle.bits - oracle.width + oracle.columns[codes, 0].astype(int)), axis=1
        )
    outputs = oracle.outputs()
    return np.asarray(outputs[np.argmax(votes(oracle, outputs)[:, codes].sum(axis=1), keepdims=True)])


def gain(oracle: FrequencyOracle, targets: npt.ArrayLike) -> float:
    r"""Give what the :func:`loudest_report` adds to the estimated counts of the targets together, or ``math.inf``.

    An honest report under the oracle adds 1 on average if its sender holds a target, else 0. If a pure oracle's report
    supports s of r targets it adds :math:`(s - rq)/(p - q)`: s is at most 1 for direct encoding, k for subsets of
    size k, r for unary encoding and hashing.

    Examples
    --------
    >>> from ldp_core.frequency import DirectEncoding, OptimizedUnary
    >>> [round(gain(oracle(1.0, 14), [3, 5]), 2) for oracle in (DirectEncoding, OptimizedUnary)]
    [7.98, 6.33]
    """
    codes = _check_targets(oracle, targets)
    if not isinstance(oracle, FiniteOracle):
        return math.inf
    return float(votes(oracle, loudest_report(oracle, targets))[0, codes].sum())


def least_gain(epsilon: float, *, low: float = 0.0, high: float = 1.0) -> float:
    r"""Give what some report adds at least, whichever ε-private channel and unbiased estimator are in use.

    It is :math:`f_1 + (f_1 - f_0)/(e^{\varepsilon} - 1)`, where f₀ = low and f₁ = high are the ends of what an honest
    report adds on average: 0 and 1 to a count, −1 and 1 to a sum of such numbers, and ``epsilon`` is finite and > 0.
    Randomized response attains it for a count.

    Examples
    --------
    >>> round(least_gain(1.0), 3), round(least_gain(1.0, low=-1), 3)
    (1.582, 2.164)
    """
    epsilon, low, high = check_epsilon(epsilon), check_real(low, "low"), check_real(high, "high")
    least = high - (high - low) * math.exp(-epsilon) / math.expm1(-epsilon)  # no overflow for large ε
    if not low < high or not math.isfinite(least):
        raise ValueError(
            f"low must be below high, and the bound finite, got {low!r}, {high!r} and epsilon = {epsilon!r}"
        )
    return least


class OnesTest(NamedTuple):
    """What is left of unary encoding where reports with too many ones are thrown away; :func:`ones_test` makes it.

    At most ``most`` ones pass. An honest report passes with probability ``kept``, whatever the value, and then has a
    one at its sender's value with probability ``p``, at another with probability ``q``. The unbiased estimate of a
    count is now (support − passed · q)/(kept · (p − q)).
    """

    most: int
    kept: float
    p: float
    q: float

    def gain(self, r: int) -> float:
        """Give what a report that passes adds at most to the counts of r ≥ 1 targets together."""
        r = check_int(r, "r", 1)
        return (min(r, self.most) - r * self.q) / (self.kept * (self.p - self.q))

    @property
    def variance(self) -> float:
        """Variance that each honest sender gives to the estimated count of a value that nobody holds."""
        return self.q * (1 - self.q) / (self.kept * (self.p - self.q) ** 2)


def ones_test(oracle: UnaryEncoding, most: int) -> OnesTest:
    """Throw away reports of a unary encoding, the oracle, with more than ``most`` ones, 1 to d.

    Examples
    --------
    >>> from ldp_core.frequency import OptimizedUnary
    >>> oracle = OptimizedUnary(1.0, 14)
    >>> test = ones_test(oracle, 7)
    >>> round(test.kept, 3), round(gain(oracle, range(14)), 1), round(test.gain(14), 1)
    (0.978, 44.3, 14.7)
    """
    d, p, q = _check_unary(oracle).d, oracle.p, oracle.q
    most = check_int(most, "most", 1, d)
    # How many ones the others have: all d − 1 of them, or the d − 2 beside a given one, which is a one itself.
    among, beside = (np.cumsum(np.append(0.0, _binomial(m, q))) for m in (d - 1, d - 2))
    held, free = p * among[most], (1 - p) * among[min(most + 1, d)]
    other = q * (p * beside[most - 1] + (1 - p) * beside[min(most, d - 1)])
    kept = float(held + free)
    if not held - other > 1e-10 * kept:
        raise ValueError(f"most must be larger for honest reports of {oracle!r} to pass, got {most}")
    return OnesTest(most, kept, float(held / kept), float(other / kept))


def law_of_ones(oracle: UnaryEncoding) -> Floats:
    """Give the law of the number of ones, 0 to d, in an honest report of a unary encoding, the oracle.

    It is the same for all values: one bit is a one with probability p, d − 1 are with probability q.
    """
    return np.convolve(_binomial(_check_unary(oracle).d - 1, oracle.q), [1 - oracle.p, oracle.p]).astype(float)


def _binomial(n: int, share: float) -> Floats:
    """Law of the number of ones among n bits, each with probability share < 1: by ratios, outwards from the mode."""
    odds, mode = share / (1 - share), int((n + 1) * share)
    up, down = np.arange(mode, n), np.arange(mode, 0, -1)
    below = np.cumprod(down / (n - down + 1) / (odds or 1.0))
    weight = np.concatenate([below[::-1], [1.0], np.cumprod((n - up) / (up + 1) * odds)])
    return np.asarray(weight / weight.sum())


def _bits(width: int, ones: Codes) -> npt.NDArray[np.uint8]:
    return np.isin(np.arange(width), ones).astype(np.uint8)[None]


def _check_unary(oracle: UnaryEncoding) -> UnaryEncoding:
    if not isinstance(oracle, UnaryEncoding):
        raise TypeError(f"oracle must be a unary encoding, got {shown(oracle)}")
    return oracle


def _check_targets(oracle: FrequencyOracle, targets: npt.ArrayLike) -> Codes:
    if not isinstance(oracle, FrequencyOracle):
        raise TypeError(f"oracle must be a frequency oracle, got {shown(oracle)}")
    try:
        codes = oracle._domain.encode(targets)
    except (TypeError, ValueError) as error:
        raise type(error)(f"targets must be values of the domain: {error}") from None
    if np.unique(codes).size < codes.size:
        raise ValueError(f"targets must be named once each, got {shown(targets)}")
    return codes
