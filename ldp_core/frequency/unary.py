"""Unary encoding: one bit per value, each answered by randomized response, or by noise and a threshold."""

from __future__ import annotations

import math
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Counts, Floats
from ldp_core._validate import Rng, check_epsilon, check_in_range, check_rng
from ldp_core.frequency._bits import BitOracle, attack_on_bits
from ldp_core.frequency._domain import DomainLike
from ldp_core.frequency._sampler import Bits, bernoulli, fill_bernoulli, row_blocks
from ldp_core.frequency.base import allocate

__all__ = ["OptimizedUnary", "SymmetricUnary", "ThresholdHistogram", "UnaryEncoding", "optimal_theta"]


class UnaryEncoding(BitOracle):
    r"""Encode a value as d bits, only its own set; then set each bit anew with probability p (own) or q (others).

    All bits are independent. Two values differ in two bits, hence

    .. math::  \varepsilon = \ln\frac{p\,(1-q)}{(1-p)\,q}.

    A subclass chooses p and q. A report is d bits: n reports are zeros and ones, uint8, shape (n, d).

    References
    ----------
    T. Wang, J. Blocki, N. Li and S. Jha. Locally differentially private protocols for frequency estimation.
    USENIX Security 2017, section 4.3.
    """

    @property
    def n_outputs(self) -> int:
        return 1 << self.d

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> Bits:
        # The row of bits with a single one is never written out: the code says where it is.
        codes = self._check_codes(encoded)
        generator = check_rng(rng, law=self._coins())
        reports = allocate((codes.size, self.d), np.uint8, "encoded")
        for rows in row_blocks(codes.size, self.d):
            block = reports[rows].reshape(-1)
            fill_bernoulli(block.view(np.bool_), self.q, generator)
            own = codes[rows] + self.d * np.arange(codes[rows].size)
            block[own] = ~bernoulli(self._miss, own.size, generator)
        return reports

    def simulate(self, true_counts: npt.ArrayLike, rng: Rng = None, *, size: int | None = None) -> Counts:
        # Bits are independent, so the marginals are all there is.
        return self.simulate_marginals(true_counts, rng, size=size)

    def channel(self) -> Floats:
        # The product of the probabilities of the bits.
        self._check_enumerable()
        own, other = np.array([self._miss, self.p]), np.array([1 - self.q, self.q])
        rows = [reduce(np.kron, [own if w == v else other for w in range(self.d)]) for v in range(self.d)]
        return self._check_underflow(np.array(rows))

    def _attack_success(self) -> float:
        return attack_on_bits(self.p, self.q, self.d)

    def outputs(self) -> Bits:
        # Counting upwards in binary, the most significant bit first.
        self._check_enumerable()
        places = np.arange(self.d)[::-1]
        return (np.arange(2**self.d)[:, None] >> places & 1).astype(np.uint8)


class SymmetricUnary(UnaryEncoding):
    r"""Symmetric unary encoding (SUE): ones and zeros are kept with the same probability p.

    .. math::  p = \frac{e^{\varepsilon/2}}{e^{\varepsilon/2} + 1}, \qquad q = 1 - p.

    Every bit is a randomized response at ε/2, since two bits tell two values apart. Basic RAPPOR without its
    memory. A report is d bits.

    References
    ----------
    U. Erlingsson, V. Pihur and A. Korolova. RAPPOR. CCS 2014. T. Wang et al. USENIX Security 2017, section 4.3.

    Examples
    --------
    >>> oracle = SymmetricUnary(epsilon=2.0, domain=["a", "b", "c"])
    >>> round(oracle.p, 4), round(oracle.q, 4), oracle.bits
    (0.7311, 0.2689, 3)
    >>> oracle.privatize(["a", "c"], rng=0).shape
    (2, 3)
    """

    @property
    def p(self) -> float:
        """Probability that the user's own bit is reported as 1."""
        return 1.0 / (1.0 + math.exp(-self.epsilon / 2))

    @property
    def q(self) -> float:
        """Probability that another bit is reported as 1: 1 − p."""
        return math.exp(-self.epsilon / 2) * self.p

    @property
    def _miss(self) -> float:
        return self.q


class OptimizedUnary(UnaryEncoding):
    r"""Optimized unary encoding (OUE): the true bit is a fair coin, all effort goes into keeping zeros zero.

    .. math::  p = \frac12, \qquad q = \frac{1}{e^{\varepsilon} + 1}.

    Of the d bits one is the user's own and d − 1 are others', so false ones are what hurts: among all p and q with the
    same ε this pair makes the variance of a rare value least, :math:`4n\,e^{\varepsilon}/(e^{\varepsilon}-1)^2`.
    A report is d bits.

    References
    ----------
    T. Wang et al. USENIX Security 2017, section 4.3.

    Examples
    --------
    >>> oracle = OptimizedUnary(epsilon=1.0, domain=14)
    >>> round(oracle.p, 4), round(oracle.q, 4)
    (0.5, 0.2689)
    >>> counts = oracle.simulate([1000] * 14, rng=0)
    >>> oracle.estimate(counts, n=14_000).shape
    (14,)
    """

    @property
    def p(self) -> float:
        """Probability that the user's own bit is reported as 1: one half."""
        return 0.5

    @property
    def q(self) -> float:
        """Probability that another bit is reported as 1."""
        # Divided through by e^ε: no overflow, whatever ε.
        return math.exp(-self.epsilon) / (1.0 + math.exp(-self.epsilon))


class ThresholdHistogram(UnaryEncoding):
    r"""Thresholding with histogram encoding (THE): Laplace noise, then report only which components exceed θ.

    .. math::  p = 1 - \tfrac12 e^{-\varepsilon(1-\theta)/2}, \qquad q = \tfrac12 e^{-\varepsilon\theta/2},
               \qquad 0 \le \theta \le 1.

    Whether 1 + Laplace noise exceeds θ is a coin with bias p, whether the noise alone does is one with bias q, and
    components are independent: so the bits are drawn directly, from exactly the law of "add noise, then compare".
    A report is d bits.

    Parameters
    ----------
    theta : float, optional
        Threshold θ in [0, 1]; None takes :func:`optimal_theta`.

    Notes
    -----
    Comparing discards information, and so gives away less: the bits satisfy LDP at
    :math:`\ln\frac{p(1-q)}{(1-p)q}`, which lies *below* ε for every θ in [0, 1]. Optimized unary encoding spends the
    whole ε, and so has the smaller variance for a rare value, whatever θ.

    References
    ----------
    T. Wang et al. USENIX Security 2017, section 4.2.

    Examples
    --------
    >>> oracle = ThresholdHistogram(epsilon=1.0, domain=91)
    >>> round(oracle.theta, 3), round(oracle.p, 3), round(oracle.q, 3)
    (0.619, 0.587, 0.367)
    >>> ThresholdHistogram(1.0, 91, theta=1.0).p
    0.5
    """

    def __init__(self, epsilon: float, domain: DomainLike, *, theta: float | None = None) -> None:
        super().__init__(epsilon, domain)
        self.theta = optimal_theta(epsilon) if theta is None else check_in_range(theta, "theta", 0.0, 1.0)

    @property
    def p(self) -> float:
        """Probability that the user's own component exceeds θ."""
        return 1 - self._miss

    @property
    def q(self) -> float:
        """Probability that another component exceeds θ."""
        return 0.5 * math.exp(-self.epsilon * self.theta / 2)

    @property
    def _miss(self) -> float:
        return 0.5 * math.exp(-self.epsilon * (1 - self.theta) / 2)

    def _parameters(self) -> dict[str, Any]:
        return {"theta": self.theta}


def optimal_theta(epsilon: float) -> float:
    r"""Give the threshold at which THE has the least variance for a rare value.

    It lies between 1/2 (its limit for small ε) and 1 (its limit for large ε).

    Notes
    -----
    With :math:`A = e^{\varepsilon/2}` and :math:`x = e^{\varepsilon\theta/2}` the variance at count 0 is
    :math:`n(2x-1)/(2x-1-x^2/A)^2`. Its derivative vanishes where :math:`3x^2 - 2(A+1)x + A = 0`, and the root with θ
    in [0, 1] is

    .. math::  \theta = \frac2\varepsilon \ln\frac{A + 1 + \sqrt{A^2 - A + 1}}{3}.

    Examples
    --------
    >>> [round(optimal_theta(epsilon), 3) for epsilon in (0.01, 1.0, 4.0)]
    [0.501, 0.619, 0.816]
    """
    epsilon = check_epsilon(epsilon)
    # In terms of a = 1/A = 1 + s, so that large ε does not overflow and small ε does not cancel.
    s = math.expm1(-epsilon / 2)
    root = math.sqrt(1 + s + s * s)
    return 1 + 2 * math.log1p((s + (s + s * s) / (1 + root)) / 3) / epsilon
