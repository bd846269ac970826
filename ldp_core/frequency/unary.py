"""Unary encoding: one bit per value, each answered by randomized response."""

from __future__ import annotations

import math
from functools import reduce

import numpy as np
import numpy.typing as npt

from ldp_core._validate import Rng, check_rng
from ldp_core.frequency._bits import BitOracle
from ldp_core.frequency._sampler import Bits, bernoulli, fill_bernoulli, row_blocks
from ldp_core.frequency.base import Counts, Floats, allocate


class UnaryEncoding(BitOracle):
    r"""Encode a value as d bits, only its own set; then set each bit anew with probability p (own) or q (others).

    All bits are independent. Two values differ in two bits, hence

    .. math::  \varepsilon = \ln\frac{p\,(1-q)}{(1-p)\,q}.

    A subclass chooses p and q.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of one report, finite and > 0.
    domain : int or sequence
        The d ≥ 2 possible values: an integer d stands for 0, 1, …, d − 1; a sequence lists the categories, each once.

    References
    ----------
    T. Wang, J. Blocki, N. Li and S. Jha. Locally differentially private protocols for frequency estimation.
    USENIX Security 2017, section 4.3.
    """

    @property
    def n_outputs(self) -> int:
        """Number of possible reports, 2**d."""
        return 1 << self.d

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> Bits:
        """Draw every user's d bits.

        Parameters
        ----------
        encoded : array_like of int, shape (n,)
            Codes 0, …, d − 1. The row of bits with a single one is never written out: the code says where it is.
        rng : numpy.random.Generator, int or None
            Source of randomness.

        Returns
        -------
        ndarray of uint8, shape (n, d)
            Zeros and ones.
        """
        codes = self._check_codes(encoded)
        generator = check_rng(rng)
        reports = allocate((codes.size, self.d), np.uint8, "encoded")
        for rows in row_blocks(codes.size, self.d):
            block = reports[rows].reshape(-1)
            fill_bernoulli(block.view(np.bool_), self.q, generator)
            own = codes[rows] + self.d * np.arange(codes[rows].size)
            block[own] = ~bernoulli(self._miss, own.size, generator)
        return reports

    def simulate(self, true_counts: npt.ArrayLike, rng: Rng = None, size: int | None = None) -> Counts:
        """Draw support counts from their exact joint law: bits are independent, so the marginals are all there is.

        Parameters
        ----------
        true_counts : array_like of int, shape (d,)
            How many users hold each value; at least one user in all.
        rng : numpy.random.Generator, int or None
            Source of randomness.
        size : int, optional
            Number of independent runs.

        Returns
        -------
        ndarray of int64, shape (d,) or (size, d)
            Support counts.
        """
        return self.simulate_marginals(true_counts, rng, size)

    def channel(self) -> Floats:
        """Give the d × 2**d matrix: the product of the probabilities of the bits.

        Returns
        -------
        ndarray of float64, shape (d, 2**d)
            Columns as in :meth:`outputs`.

        Raises
        ------
        ValueError
            If d·2**d exceeds 2**24 (d above 19), or an entry is too small for a double (ε·d in the hundreds).
        """
        self._check_enumerable()
        own, other = np.array([self._miss, self.p]), np.array([1 - self.q, self.q])
        rows = [reduce(np.kron, [own if w == v else other for w in range(self.d)]) for v in range(self.d)]
        return self._check_underflow(np.array(rows))

    def outputs(self) -> Bits:
        """List all rows of d bits, counting upwards in binary.

        Returns
        -------
        ndarray of uint8, shape (2**d, d)
            Row y holds the binary digits of y, the most significant first.
        """
        self._check_enumerable()
        places = np.arange(self.d)[::-1]
        return (np.arange(2**self.d)[:, None] >> places & 1).astype(np.uint8)


class SymmetricUnary(UnaryEncoding):
    r"""Symmetric unary encoding (SUE): ones and zeros are kept with the same probability p.

    .. math::  p = \frac{e^{\varepsilon/2}}{e^{\varepsilon/2} + 1}, \qquad q = 1 - p.

    Every bit is a randomized response at ε/2, since two bits tell two values apart. Basic RAPPOR without its
    memoisation. A report is d bits.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of one report, finite and > 0.
    domain : int or sequence
        The d ≥ 2 possible values: an integer d stands for 0, 1, …, d − 1; a sequence lists the categories, each once.

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
    r"""Optimised unary encoding (OUE): the true bit is a fair coin, all effort goes into keeping zeros zero.

    .. math::  p = \frac12, \qquad q = \frac{1}{e^{\varepsilon} + 1}.

    Of the d bits one is the user's own and d − 1 are others', so false ones are what hurts: among all p and q with the
    same ε this pair makes the variance of a rare value least, :math:`4n\,e^{\varepsilon}/(e^{\varepsilon}-1)^2`.
    A report is d bits.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of one report, finite and > 0.
    domain : int or sequence
        The d ≥ 2 possible values: an integer d stands for 0, 1, …, d − 1; a sequence lists the categories, each once.

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
