"""The Laplace mechanism on the user's device."""

from __future__ import annotations

import numpy as np

from ldp_core._arrays import Counts, Floats
from ldp_core.numeric.base import NumericMechanism

__all__ = ["Laplace"]


class Laplace(NumericMechanism):
    r"""Add Laplace noise of scale 2d/ε to each of d values.

    Changing all of a user's d values can move them by 2d in total, the sensitivity in the sum of absolute values, hence
    the scale. The noise does not depend on the values, so neither does the variance, :math:`8d^2/\varepsilon^2`.

    References
    ----------
    C. Dwork, F. McSherry, K. Nissim and A. Smith. Calibrating noise to sensitivity in private data analysis. TCC 2006.

    Examples
    --------
    >>> mechanism = Laplace(epsilon=2.0, dim=4)
    >>> mechanism.scale, mechanism.worst_variance
    (4.0, 32.0)
    >>> mechanism.perturb([[0.0, 0.5, 1.0, -1.0]], rng=0).shape
    (1, 4)
    """

    def __init__(self, epsilon: float, dim: int = 1) -> None:
        super().__init__(epsilon, dim)
        self.scale = 2 * self.dim / self.epsilon

    @property
    def bits(self) -> int:
        """Bits of one report: d values as float64, 64 bits each."""
        return 64 * self.dim

    @property
    def support(self) -> tuple[float, float]:
        """All real numbers."""
        return -np.inf, np.inf

    def _variance_ends(self) -> tuple[float, float]:
        variance = 2 * self.scale * self.scale
        return variance, variance

    def _draw(self, t: Floats, rng: np.random.Generator) -> Floats:
        # Lap(b) is b times the difference of two standard exponentials, which are quicker to draw than a logarithm.
        noise = rng.standard_exponential(t.shape)
        noise -= rng.standard_exponential(t.shape)
        noise *= self.scale
        noise += t
        return noise

    def _density(self, y: Floats, t: Floats) -> Floats:
        return np.exp(-np.abs(y - t) / self.scale) / (2 * self.scale)

    def _draw_sums(self, t: Floats, counts: Counts, rng: np.random.Generator, runs: int) -> Floats:
        # n standard exponentials add up to a Gamma(n).
        n, shape = float(counts.sum()), (runs, self.dim)
        return counts @ t + self.scale * (rng.gamma(n, size=shape) - rng.gamma(n, size=shape))
