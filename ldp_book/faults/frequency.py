"""Faults of frequency oracles, found in published listings and code, rebuilt so that a reader can break and mend them.

Nothing here is for use. Each function says what is wrong with it, what that costs, and which function does it right.
``epsilon`` is the nominal budget, finite and > 0, ``n`` the number of users, ``count`` how many of them hold the
value, ``theta`` a threshold in [0, 1], ``estimates`` unbiased ones; channels have shape (inputs, outputs).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Counts, Floats
from ldp_core._validate import as_array, check_bool, check_epsilon, check_in_range, check_int, check_numbers, shown
from ldp_core.frequency import DirectEncoding, OptimizedUnary, PureOracle, SymmetricUnary
from ldp_core.frequency._domain import DomainLike
from ldp_core.frequency.unary import UnaryEncoding

__all__ = [
    "NeverClearedUnary", "at_least_one", "cut_decimals", "exact_bias", "offset_from_zero_channel",
    "seen_only_counts", "support_law", "wrong_sign_estimate", "wrong_sign_probabilities",
]  # fmt: skip

#: Most users for which the law of a support count is enumerated.
LAW_LIMIT = 20_000

#: Largest domain of a fault: its channel is a matrix.
LARGEST_DOMAIN = 4_096


# ---- direct encoding whose lies can be the truth ----------------------------------------------------------------


def offset_from_zero_channel(epsilon: float, d: int) -> Floats:
    """Give the exact channel of direct encoding with lies of the form "v plus an offset from 0, …, d − 2", modulo d.

    The offset should come from 1, …, d − 1. As it is, one lie in d − 1 is the truth, and the value just below v is
    never reported: whoever sees that report knows one value that the user does not hold. Mended in
    :class:`~ldp_core.frequency.DirectEncoding`. Row v of the d × d matrix has p + (1 − p)/(d − 1) at v, 0 at v − 1
    modulo d, and q elsewhere; d is 2 to 4,096.

    Examples
    --------
    >>> from ldp_core.audit import exact_epsilon
    >>> exact_epsilon(offset_from_zero_channel(0.1, 4))
    inf
    """
    d = check_int(d, "d", 2, LARGEST_DOMAIN)
    oracle = DirectEncoding(epsilon, d)
    matrix = np.zeros((d, d))
    values = np.arange(d)
    matrix[values, values] = oracle.p
    for offset in range(d - 1):
        matrix[values, (values + offset) % d] += oracle.q  # (1 − p)/(d − 1)
    return matrix


# ---- aggregation that forgets values nobody reported ------------------------------------------------------------


def seen_only_counts(reports: npt.ArrayLike) -> Counts:
    """Count reports by value, listing only values that were reported, as ``value_counts().sort_index()`` does.

    The result is shorter than the domain as soon as one value goes unreported, and every count behind the gap is then
    read as that of the value before it. Mended in :meth:`DirectEncoding.aggregate
    <ldp_core.frequency.DirectEncoding.aggregate>`, which has a place for every value.

    Examples
    --------
    >>> seen_only_counts([0, 0, 3])  # of a domain of four: whose is the 1?
    array([2, 1])
    """
    codes = as_array(reports, "reports")
    if codes.dtype.kind not in "iu" or codes.ndim != 1:
        raise TypeError(f"reports must be a list of codes, got shape {codes.shape} and dtype {codes.dtype}")
    return np.unique(codes, return_counts=True)[1]


# ---- a sign error in the probabilities of a threshold -----------------------------------------------------------


def wrong_sign_probabilities(epsilon: float, theta: float) -> tuple[float, float]:
    r"""Give p and q of thresholded histograms with the sign of one exponent turned round.

    Printed: :math:`p = 1 - \frac12 e^{+\varepsilon(1-\theta)/2}`, which falls below q, and below 0 once ε(1 − θ) > 2 ln
    2. Right: :math:`e^{-\varepsilon(1-\theta)/2}`. Only at θ = 1, the default of the listing, do both agree, which is
    how the error could stay unseen. (One of the printed formulas lacks the ½ of q besides.) Mended in
    :class:`~ldp_core.frequency.ThresholdHistogram`. ε(1 − θ) is at most 1,400, so that the printed p is a double.

    Examples
    --------
    >>> p, q = wrong_sign_probabilities(5.0, 0.25)
    >>> round(p, 3), round(q, 3)
    (-2.26, 0.268)
    """
    epsilon, theta = check_epsilon(epsilon), check_in_range(theta, "theta", 0.0, 1.0)
    if epsilon * (1 - theta) > 1_400:
        raise ValueError(f"epsilon must be at most 1400/(1 - theta), got {epsilon!r} at theta = {theta!r}")
    return 1 - 0.5 * math.exp(epsilon * (1 - theta) / 2), 0.5 * math.exp(-epsilon * theta / 2)


def wrong_sign_estimate(counts: npt.ArrayLike, *, n: int, epsilon: float, theta: float) -> Floats:
    """Estimate counts from thresholded reports with the wrong p: (counts − n·q)/(p − q).

    It is wrong by a factor, (true p − q)/(printed p − q), which below θ = 1 can be negative: frequent values then come
    out as the rarest. The counts have shape (..., d); where the printed p equals q there is nothing to divide by.
    """
    p, q = wrong_sign_probabilities(epsilon, theta)
    if p == q:
        raise ValueError(f"theta must give a printed p other than q, got theta = {theta!r} at epsilon = {epsilon!r}")
    return (check_numbers(counts, "counts") - check_int(n, "n", 1) * q) / (p - q)


# ---- estimates that are "tidied up" inside the estimator --------------------------------------------------------


def cut_decimals(estimates: npt.ArrayLike) -> Floats:
    """Cut decimals off, as ``int()`` does: towards zero, so that nearly every count comes out too small.

    Counts well above 0 come out about ½ too small on average.
    """
    return np.trunc(check_numbers(estimates, "estimates"))


def at_least_one(estimates: npt.ArrayLike) -> Floats:
    """Cut decimals off and raise everything below 1 to 1, as a published estimator does.

    How biased that is, :func:`exact_bias` says.
    """
    return np.maximum(cut_decimals(estimates), 1.0)


def support_law(oracle: PureOracle, *, n: int, count: int) -> Floats:
    """Give the exact law of the support count of a value: Binomial(count, p) plus Binomial(n − count, q).

    Entry s of n + 1 is the probability of s supporting reports to an oracle with p and q; n is at most 20,000.
    """
    if not isinstance(oracle, PureOracle):
        raise TypeError(f"oracle must be a PureOracle (one with p and q), got {shown(oracle)}")
    n = check_int(n, "n", 1, LAW_LIMIT)
    count = check_int(count, "count", 0, n)
    own = binomial_law(count, oracle.p, oracle._miss)
    return np.convolve(own, binomial_law(n - count, oracle.q, 1 - oracle.q))


def exact_bias(oracle: PureOracle, change: Callable[[Floats], npt.ArrayLike], *, n: int, count: int) -> float:
    """Compute, by enumeration, how far off a changed estimate is on average: the mean of change(estimate) − count.

    The oracle has p and q; ``change`` is :func:`at_least_one`, :func:`cut_decimals`,
    :func:`~ldp_core.postprocess.clip_negative`, or a function of one's own that keeps the shape of an array.

    Examples
    --------
    >>> from ldp_core.frequency import DirectEncoding
    >>> oracle = DirectEncoding(epsilon=1.0, domain=14)
    >>> abs(exact_bias(oracle, lambda estimate: estimate, n=1000, count=0)) < 1e-8
    True
    >>> round(exact_bias(oracle, at_least_one, n=1000, count=0), 1)
    28.4
    """
    if not callable(change):
        raise TypeError(f"change must be a function of an array, got {shown(change)}")
    law = support_law(oracle, n=n, count=count)
    estimates: Floats = (np.arange(n + 1, dtype=np.float64) - n * oracle.q) / (oracle.p - oracle.q)
    changed = check_numbers(change(estimates), "what change returns")
    if changed.shape != estimates.shape:
        raise ValueError(f"change must keep the shape {estimates.shape}, got {changed.shape}")
    return float(law @ (changed - count))


def binomial_law(n: int, p: float, miss: float) -> Floats:
    """Law of Binomial(n, p) with miss = 1 − p, in logarithms: nothing overflows."""
    if p == 0 or miss == 0:
        law = np.zeros(n + 1)
        law[n if miss == 0 else 0] = 1.0
        return law
    s = np.arange(n + 1)
    log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    law = np.exp(log_factorial[n] - log_factorial - log_factorial[::-1] + s * math.log(p) + (n - s) * math.log(miss))
    normalized: Floats = law / law.sum()  # away with the last rounding errors
    return normalized


# ---- a true bit that is set, but never cleared ------------------------------------------------------------------


class NeverClearedUnary(UnaryEncoding):
    r"""Unary encoding whose true bit is first drawn like a zero, and then set with probability p, but never cleared.

    It stays 1 with :math:`p' = p + (1-p)\,q` instead of p. The two bits in which two values differ then tell more:
    their loss is :math:`\ln\left(1 + \frac{p}{(1-p)\,q}\right)`, which is :math:`\ln(e^{\varepsilon} + 2)` with the
    p and q of optimized unary encoding and :math:`\ln(e^{\varepsilon} + e^{\varepsilon/2} + 1)` with those of symmetric
    unary encoding: never below ln 3, however small the nominal ε. The server still divides by p − q, so that on
    average every count comes out too large by one factor.

    So did the client of a public package from a commit of 26 February 2021, in which the draw that replaced the true
    bit became one that can only set it (versions 1.1.0 to 1.1.2), until its author mended it on 7 September 2023
    (version 1.2.0), after an audit had found it [1]_ [2]_. Before that commit it was right. Mended in
    :class:`~ldp_core.frequency.OptimizedUnary` and :class:`~ldp_core.frequency.SymmetricUnary`. ``optimized`` says
    whether p and q are those of optimized (True) or symmetric unary encoding; the domain is an int or the values
    themselves.

    References
    ----------
    .. [1] H. H. Arcolezi and S. Gambs. Revealing the true cost of locally differentially private protocols: an auditing
       perspective. Proceedings on Privacy Enhancing Technologies 2024(4), 123–141; arXiv:2309.01597, 2023.
    .. [2] S. Maddock. pure-LDP, issue 11, github.com/Samuel-Maddock/pure-LDP, 2023.

    Examples
    --------
    >>> from ldp_core.audit import exact_epsilon
    >>> then = NeverClearedUnary(0.1, 4)
    >>> round(exact_epsilon(then.channel()), 2), round(exact_epsilon(then.mended.channel()), 2)
    (1.13, 0.1)
    """

    def __init__(self, epsilon: float, domain: DomainLike, *, optimized: bool = True) -> None:
        super().__init__(epsilon, domain)
        self.optimized = check_bool(optimized, "optimized")

    @property
    def mended(self) -> OptimizedUnary | SymmetricUnary:
        """The mechanism that was meant, with the p and q that the server counts on."""
        kind = OptimizedUnary if self.optimized else SymmetricUnary
        return kind(self.epsilon, self.domain)

    @property
    def p(self) -> float:
        """Probability that the user's own bit is reported as 1: p + (1 − p)q, not p."""
        return 1.0 - self._miss

    @property
    def q(self) -> float:
        """Probability that another bit is reported as 1, as it should be."""
        return self.mended.q

    @property
    def factor(self) -> float:
        r"""By how much the server's estimates are too large.

        It is :math:`(p' - q)/(p - q) = p(1 - q)/(p - q)`, in the p and q that were meant. Since :math:`p(1-q)` is
        :math:`e^{\varepsilon}` times :math:`(1-p)q`, that is :math:`e^{\varepsilon}/(e^{\varepsilon} - 1)` for either
        pair.
        """
        return -1.0 / math.expm1(-self.epsilon)

    @property
    def _miss(self) -> float:
        meant = self.mended
        return (1 - meant.p) * (1 - meant.q)

    def estimate(self, counts: npt.ArrayLike, n: int) -> Floats:
        """Estimate as the server did, with the p that was meant: on average :attr:`factor` times the true counts."""
        return self.mended.estimate(counts, n)

    def variance(self, n: int, count: npt.ArrayLike = 0) -> Any:
        """Give the exact variance of the server's estimate around :attr:`factor` times the count, for n users."""
        return super().variance(n, count) * self.factor**2

    def _parameters(self) -> dict[str, Any]:
        return {"optimized": self.optimized}
