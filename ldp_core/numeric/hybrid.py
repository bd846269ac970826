"""The Hybrid mechanism: Piecewise or Duchi, by a coin that depends on ε alone."""

from __future__ import annotations

import math

import numpy as np

from ldp_core._arrays import Counts, Floats
from ldp_core.numeric._law import Law
from ldp_core.numeric._sampled import SampledMechanism
from ldp_core.numeric.duchi import SignLaw
from ldp_core.numeric.piecewise import PiecewiseLaw

__all__ = ["EPSILON_STAR", "Hybrid"]

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

    _one: HybridLaw

    def __init__(self, epsilon: float, dim: int = 1) -> None:
        super().__init__(epsilon, dim, HybridLaw)

    @property
    def one(self) -> Hybrid:
        return Hybrid(self.epsilon / self.k)

    @property
    def alpha(self) -> float:
        """Probability of Piecewise, at budget ε/k."""
        return self._one.alpha


class HybridLaw(Law):
    """The report on one number, with budget ε."""

    def __init__(self, epsilon: float) -> None:
        mixed = epsilon > EPSILON_STAR
        self.pieces, self.sign = PiecewiseLaw(epsilon), SignLaw(epsilon)
        self.alpha = -math.expm1(-epsilon / 2) if mixed else 0.0
        self.rest = math.exp(-epsilon / 2) if mixed else 1.0  # 1 − α, all its digits kept
        self.bits = self.pieces.bits if mixed else self.sign.bits
        self.bound = max(self.sign.bound, self.pieces.bound) if mixed else self.sign.bound
        self.atoms = self.sign.atoms
        # Both are unbiased, so variances mix like probabilities.
        (zero, one), (sign_zero, sign_one) = self.pieces.ends, self.sign.ends
        self.ends = self.alpha * zero + self.rest * sign_zero, self.alpha * one + self.rest * sign_one

    def draw(self, t: Floats, rng: np.random.Generator) -> Floats:
        coin = rng.random(t.shape) < self.rest
        reports = np.empty_like(t)
        for law, users in ((self.sign, np.flatnonzero(coin)), (self.pieces, np.flatnonzero(~coin))):
            reports[users] = law.draw(t[users], rng)
        return reports

    def draw_sums(self, t: Floats, counts: Counts, rng: np.random.Generator) -> Floats:
        signs = rng.binomial(counts, self.rest)
        return self.pieces.draw_sums(t, counts - signs, rng) + self.sign.draw_sums(t, signs, rng)

    def density(self, y: Floats, t: Floats) -> Floats:
        mass = self.rest * self.sign.density(y, t)
        return np.where(np.abs(y) == self.sign.bound, mass, self.alpha * self.pieces.density(y, t))
