"""Direct encoding, also called generalized randomized response (GRR) or k-ary randomized response (k-RR)."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Codes, Counts, Floats
from ldp_core._validate import Rng, check_rng
from ldp_core.frequency._sampler import bernoulli
from ldp_core.frequency.pure import PureOracle

__all__ = ["DirectEncoding"]


class DirectEncoding(PureOracle):
    r"""Tell the truth with probability p, otherwise name one of the other d − 1 values, each equally likely.

    .. math::  p = \frac{e^{\varepsilon}}{e^{\varepsilon} + d - 1}, \qquad q = \frac{1}{e^{\varepsilon} + d - 1}.

    A report is one code, ⌈log₂ d⌉ bits: n reports are an array of int64, shape (n,). Also known as generalized
    randomized response (GRR) and k-RR.

    References
    ----------
    P. Kairouz, S. Oh and P. Viswanath. Extremal mechanisms for local differential privacy. JMLR 17, 2016, section 3.
    T. Wang et al. USENIX Security 2017, section 4.1.

    Examples
    --------
    >>> oracle = DirectEncoding(epsilon=5.0, domain=14)
    >>> round(oracle.p, 2), round(oracle.q, 4)
    (0.92, 0.0062)
    >>> reports = oracle.privatize([3, 3, 5], rng=0)
    >>> oracle.estimate(oracle.aggregate(reports), n=3).shape
    (14,)
    """

    @property
    def p(self) -> float:
        """Probability that the report is the user's true value."""
        # Divided through by e^ε: no overflow, whatever ε.
        return 1.0 / (1.0 + (self.d - 1) * math.exp(-self.epsilon))

    @property
    def q(self) -> float:
        """Probability that the report is one given other value."""
        return math.exp(-self.epsilon) * self.p

    @property
    def _miss(self) -> float:
        return (self.d - 1) * self.q

    @property
    def _anything(self) -> float:
        """Probability of a report that does not depend on the value, d·q = 1 − (p − q)."""
        return min(1.0, self.d * self.q)

    @property
    def n_outputs(self) -> int:
        return self.d

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> Codes:
        # With probability d·q draw any of the d codes uniformly, otherwise keep: the same law as "truth with
        # probability p, else one of the others", since 1 − d·q = p − q, and the uniform draw hits each code with
        # probability q; but it needs no special case for the truth, where such code likes to go wrong. The rare side is
        # drawn, exactly: p − q rounds to 1 from ε = 38, and nobody would ever lie.
        codes = self._check_codes(encoded)
        generator = check_rng(rng, law=self._coins())
        anything = bernoulli(self._anything, codes.size, generator)
        return np.where(anything, generator.integers(self.d, size=codes.size), codes)

    def aggregate(self, reports: npt.ArrayLike) -> Counts:
        codes = self._check_codes(reports, "reports").astype(np.intp, copy=False)  # 32 bits wide in a browser
        return np.bincount(codes, minlength=self.d).astype(np.int64, copy=False)

    def simulate(self, true_counts: npt.ArrayLike, rng: Rng = None, *, size: int | None = None) -> Counts:
        # Their exact joint law: a binomial for who keeps, a multinomial for all others.
        counts, shape = self._check_true_counts(true_counts, size)
        generator = check_rng(rng, law=self._coins())
        return self._draw_reports(np.broadcast_to(counts, (*shape, self.d)), generator)

    def _draw_reports(self, counts: Counts, rng: np.random.Generator) -> Counts:
        """Draw how often each report comes from so many users of each value; leading axes are runs."""
        moved = rng.binomial(counts, self._anything)
        return counts - moved + rng.multinomial(moved.sum(axis=-1), np.full(self.d, 1 / self.d))

    def _attack_success(self) -> float:
        return self.p  # the report itself is the best guess

    def channel(self) -> Floats:
        self._check_enumerable()
        matrix = np.full((self.d, self.d), self.q)
        np.fill_diagonal(matrix, self.p)
        return self._check_underflow(matrix)

    def outputs(self) -> Codes:
        return np.arange(self.d)
