"""The Hybrid mechanism: Piecewise or Duchi, by a coin that depends on ε alone."""

from __future__ import annotations

import math

import numpy as np

from ldp_core.numeric._sampled import SampledMechanism
from ldp_core.numeric.base import Counts, Floats
from ldp_core.numeric.duchi import Duchi, draw_sign_sums
from ldp_core.numeric.piecewise import Piecewise

#: ε* ≈ 0.609, printed as 0.61: above it Piecewise has, at t = 0, less variance than Duchi, and mixing them pays.
EPSILON_STAR = math.log(
    (-5 + 2 * (6353 - 405 * math.sqrt(241)) ** (1 / 3) + 2 * (6353 + 405 * math.sqrt(241)) ** (1 / 3)) / 27
)


class Hybrid(SampledMechanism):
    r"""Use the Piecewise mechanism with probability α, otherwise Duchi's, both with the whole budget ε.

    :math:`\alpha = 1 - e^{-\varepsilon/2}` if ε > ε* ≈ 0.61, and 0 otherwise. Piecewise is at its best at t = 0, Duchi
    at t = ±1; with this α the two dependences on t cancel, and the variance is the same for every t: never above
    the worst case of either. In d > 1 dimensions coordinates are sampled as in
    :class:`~ldp_core.numeric.Piecewise`, and ε* applies to the budget ε/k of one of them.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of one user's whole report, finite and > 0.
    dim : int, default 1
        Number d of values that each user holds.

    Attributes
    ----------
    alpha : float
        Probability of Piecewise, at budget ε/k.
    k : int
        Number of coordinates that a user sends.
    one : Hybrid
        The one-dimensional mechanism with budget ε/k that perturbs each of them.

    References
    ----------
    N. Wang et al. Collecting and analyzing multidimensional data with local differential privacy. ICDE 2019,
    section III-C.

    Examples
    --------
    >>> mechanism = Hybrid(epsilon=1.0)
    >>> round(mechanism.alpha, 3)
    0.393
    >>> bool(abs(mechanism.variance(0.0) - mechanism.variance(1.0)) < 1e-12)
    True
    """

    one: Hybrid

    def _prepare(self) -> None:
        self._piecewise, self._duchi = Piecewise(self.epsilon), Duchi(self.epsilon)
        self._alpha = -math.expm1(-self.epsilon / 2) if self.epsilon > EPSILON_STAR else 0.0
        self._not_alpha = math.exp(-self.epsilon / 2) if self.epsilon > EPSILON_STAR else 1.0

    @property
    def alpha(self) -> float:
        """Probability of Piecewise, at budget ε/k."""
        return self.one._alpha

    @property
    def atoms(self) -> tuple[float, ...]:
        """The two reports of Duchi's mechanism, each with positive probability."""
        return self.one._duchi.atoms

    @property
    def _bits_one(self) -> int:
        return 1 if self._alpha == 0 else 64

    @property
    def _bound_one(self) -> float:
        return self._duchi.B if self._alpha == 0 else max(self._duchi.B, self._piecewise.C)

    def _ends_one(self) -> tuple[float, float]:
        # Both are unbiased, so variances mix like probabilities.
        pairs = zip(self._piecewise._variance_ends(), self._duchi._variance_ends(), strict=True)
        at_zero, at_one = (self._alpha * piecewise + self._not_alpha * duchi for piecewise, duchi in pairs)
        return at_zero, at_one

    def _draw_one(self, t: Floats, rng: np.random.Generator) -> Floats:
        signs = rng.random(t.shape) < self._not_alpha
        reports = np.empty_like(t)
        reports[signs] = self._duchi._draw(t[signs][:, None], rng)[:, 0]
        reports[~signs] = self._piecewise._draw_one(t[~signs], rng)
        return reports

    def _draw_one_sums(self, t: Floats, counts: Counts, rng: np.random.Generator) -> Floats:
        signs = rng.binomial(counts, self._not_alpha)
        plain: Floats = self._piecewise._draw_one_sums(t, counts - signs, rng)
        return plain + draw_sign_sums(self._duchi, t, signs, rng)

    def _density(self, y: Floats, t: Floats) -> Floats:
        mass = self._not_alpha * self._duchi._density(y, t)
        return np.where(np.abs(y) == self._duchi.B, mass, self._alpha * self._piecewise._density(y, t))
