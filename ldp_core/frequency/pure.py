"""Pure oracles: everything on the server's side follows from two probabilities, p and q."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Counts, Floats
from ldp_core._validate import Rng, check_int, check_rng
from ldp_core.frequency.base import FiniteOracle

__all__ = ["PureOracle"]


class PureOracle(FiniteOracle):
    """An oracle whose reports *support* values: the true one with probability p, any other with probability q < p.

    If the value v is held by c of n users, its support count is the sum of Binomial(c, p) and Binomial(n − c, q).
    Such protocols are called pure [1]_. An ε too small to tell p from q in double
    precision is refused.

    References
    ----------
    .. [1] T. Wang, J. Blocki, N. Li and S. Jha. Locally differentially private protocols for frequency estimation.
       USENIX Security 2017, definition 3 and theorem 2.
    """

    def _check_made(self) -> None:
        # Both carry rounding errors of about 1e-16 of their size, which the estimate divides by the difference.
        if not self.p - self.q > 1e-10 * self.p:
            raise ValueError(
                f"epsilon must be large enough to tell p from q in double precision, got {self.epsilon!r} at "
                f"d = {self.d}"
            )

    @property
    @abstractmethod
    def p(self) -> float:
        """Probability that a report supports the user's true value."""

    @property
    @abstractmethod
    def q(self) -> float:
        """Probability that a report supports one given other value."""

    @property
    def _miss(self) -> float:
        """1 − p; a mechanism with p close to 1 overrides it with a form that does not cancel."""
        return 1.0 - self.p

    def estimate(self, counts: npt.ArrayLike, n: int) -> Floats:
        """Estimate, without bias, how many users hold each value: (counts − n·q)/(p − q), never clipped or rounded."""
        n = check_int(n, "n", 1)
        support = self._check_support(counts)
        return (support - n * self.q) / (self.p - self.q)

    def variance(self, n: int, count: npt.ArrayLike = 0) -> Any:
        r"""Give the exact variance of an estimated count, in the shape of ``count``, the true count of the value.

        Notes
        -----
        The support count is a sum of two independent binomials, hence

        .. math::  \frac{c\,p(1-p) + (n-c)\,q(1-q)}{(p-q)^2} = \frac{n\,q(1-q)}{(p-q)^2} + c\,\frac{1-p-q}{p-q}.

        References
        ----------
        .. [1] Wang et al., USENIX Security 2017, theorem 2.
        """
        n, true_count = self._check_n_count(n, count)
        p, q = self.p, self.q
        variance = (true_count * (p * self._miss) + (n - true_count) * (q * (1 - q))) / (p - q) ** 2
        return float(variance) if np.ndim(count) == 0 else variance

    def simulate_marginals(self, true_counts: npt.ArrayLike, rng: Rng = None, *, size: int | None = None) -> Counts:
        """Draw support counts each of which has its exact law, but which are independent of each other.

        That is enough wherever counts are looked at one at a time: error bars, coverage, mean squared error. Where the
        joint law is wanted (sums or maxima over values, say) use :meth:`simulate`. The true_counts and size are those
        of :meth:`simulate`. For each value the sum of Binomial(c, p) and Binomial(n − c, q) is drawn; the cost does not
        depend on n.
        """
        counts, shape = self._check_true_counts(true_counts, size)
        n = self._number_of_users(counts)
        generator = check_rng(rng, law=self._coins())
        missed = generator.binomial(counts, self._miss, size=(*shape, self.d))
        false = generator.binomial(n - counts, self.q, size=(*shape, self.d))
        return counts - missed + false

    def _number_of_users(self, counts: Counts) -> int:
        return int(counts.sum())
