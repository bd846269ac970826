"""The Laplace mechanism on a grid: whole numbers of steps, drawn without rounding, so that no low bit can tell."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from ldp_core import _discrete_laplace as noise
from ldp_core._arrays import Counts, Floats
from ldp_core._validate import check_int
from ldp_core.numeric.base import NumericMechanism
from ldp_core.numeric.sums import Sums

__all__ = ["DiscreteLaplace"]

#: Largest number of steps from 0 to 1.
LARGEST_GRID = 2**20


class DiscreteLaplace(NumericMechanism):
    r"""Round each of d values to a grid, at random, and add integer noise: Laplace that is private in a computer too.

    1. The grid's points are −1, …, −1/g, 0, 1/g, …, 1. A value between two of them goes to the upper one with the
       probability that leaves its mean alone: if :math:`gt = i + f` with a whole number i and :math:`0 \le f < 1`, to
       i + 1 with probability f, otherwise to i.
    2. To that whole number add X with :math:`\Pr[X = x] = \tanh(r/2)\,e^{-r|x|}`, where
       :math:`r = \varepsilon/(2gd)`. The report is the sum times 1/g.

    The mean is t. The variance is :math:`\frac{1}{g^2}\bigl(\frac{2e^{-r}}{(1-e^{-r})^2} + f(1-f)\bigr)`: the first
    term lies below the :math:`8d^2/\varepsilon^2` of :class:`~ldp_core.numeric.Laplace`, and approaches it as g grows.

    Parameters
    ----------
    grid : int, default 1024
        Number g of steps from 0 to 1, up to 2**20. Values that lie on the grid are not rounded: hours from 0 to 100
        keep their places with g = 50.

    Notes
    -----
    *Privacy.* Let a and b be the rounded values, whole numbers of steps, of two users. Each coordinate of a and b
    differs by 2g at most, so the d of them by 2gd together. For every report y, by the triangle inequality,

    .. math::  \frac{\Pr[y \mid a]}{\Pr[y \mid b]} = e^{r\sum_j (|y_j - b_j| - |y_j - a_j|)}
               \le e^{r\sum_j |a_j - b_j|} \le e^{2gdr} = e^{\varepsilon},

    and for values that are rounded at random both sides are averages of such probabilities, over independent coins:
    the bound stays. With all values at −1 against all at 1 it is reached.

    *In a computer.* The proof speaks of whole numbers and of nothing else, and so does the sampler: r is kept as a
    fraction, every coin behind the noise has exactly the probability that the law asks for, and integers add up
    without rounding. The rounding to the grid happens before the noise; its coin, right to 53 bits, decides about the
    mean and not about privacy. The step from the whole number to a float is a function of the report. What remains are
    the generator's bits (``rng=secure_rng()`` where these matter) and the time that a draw takes.

    References
    ----------
    .. [1] A. Ghosh, T. Roughgarden and M. Sundararajan. Universally utility-maximizing privacy mechanisms. SIAM
       Journal on Computing 41(6), 2012.
    .. [2] C. L. Canonne, G. Kamath and T. Steinke. The discrete Gaussian for differential privacy. NeurIPS 2020,
       section 5.
    .. [3] I. Mironov. On significance of the least significant bits for differential privacy. CCS 2012.

    Examples
    --------
    >>> mechanism = DiscreteLaplace(epsilon=1.0, grid=50)
    >>> reports = mechanism.perturb([0.1, -0.98, 1.0], rng=0)
    >>> bool((reports == (reports * 50).round() / 50).all())
    True
    >>> round(mechanism.variance(0.1), 4), round(mechanism.variance(0.11), 4)
    (7.9999, 8.0)
    """

    def __init__(self, epsilon: float, dim: int = 1, *, grid: int = 1024) -> None:
        super().__init__(epsilon, dim)
        self.grid = check_int(grid, "grid", 1, LARGEST_GRID)
        self._rate = Fraction(self.epsilon) / (2 * self.grid * self.dim)
        if self._rate < noise.SMALLEST_RATE:
            least = float(2 * self.grid * self.dim * noise.SMALLEST_RATE)
            raise ValueError(
                f"epsilon must be at least {least:.3g} at grid = {self.grid} and dim = {self.dim}, "
                f"or noise leaves the whole numbers of double precision, got {self.epsilon!r}"
            )

    @property
    def step(self) -> float:
        """Length 1/g of a step of the grid. Reports are its multiples, and there is no end of them: no atoms."""
        return 1 / self.grid

    @property
    def bits(self) -> int:
        """Bits of one report: d whole numbers, 64 bits each."""
        return 64 * self.dim

    @property
    def support(self) -> tuple[float, float]:
        """All multiples of the step: no end on either side."""
        return -np.inf, np.inf

    def _variance_ends(self) -> tuple[float, float]:
        variance = noise.discrete_laplace_variance(self._rate) / self.grid**2  # −1, 0 and 1 are not rounded
        return variance, variance

    def _variance(self, t: Floats) -> Floats:
        part = t * self.grid - np.floor(t * self.grid)
        return self._variance_ends()[0] + part * (1 - part) / self.grid**2

    @property
    def worst_variance(self) -> float:
        """Largest variance of a coordinate of a report: in the middle between two points of the grid."""
        return self._variance_ends()[0] + 1 / (4 * self.grid**2)

    @property
    def average_variance(self) -> float:
        return self._variance_ends()[0] + 1 / (6 * self.grid**2)  # the mean of f(1 − f) is 1/6

    def _mean_variance(self, sums: Sums) -> Floats:  # noqa: ARG002 -- whatever the reports
        return np.full(self.dim, self.worst_variance)

    def _draw(self, t: Floats, rng: np.random.Generator) -> Floats:
        whole = np.floor(t * self.grid)
        steps = whole.astype(np.int64)
        steps += rng.random(t.shape) < t * self.grid - whole
        steps += noise.discrete_laplace(self._rate, t.size, rng).reshape(t.shape)
        return steps / self.grid

    def _density(self, y: Floats, t: Floats) -> Floats:
        steps, whole = np.rint(y * self.grid), np.floor(t * self.grid)
        part, rate = t * self.grid - whole, float(self._rate)
        below, above = np.exp(-rate * np.abs(steps - whole)), np.exp(-rate * np.abs(steps - whole - 1))
        mass = math.tanh(rate / 2) * ((1 - part) * below + part * above)
        return np.where(steps / self.grid == y, mass, 0.0)

    def _draw_sums(self, t: Floats, counts: Counts, rng: np.random.Generator, runs: int) -> Floats:
        # Rounding adds a binomial for each value, noise the sum of n variables for each coordinate.
        whole = np.floor(t * self.grid)
        up = rng.binomial(counts[:, None], t * self.grid - whole, size=(runs, *t.shape)).sum(axis=1)
        total = noise.discrete_laplace_sums(int(counts.sum()), self._rate, (runs, self.dim), rng)
        sums: Floats = (counts @ whole + up + total) / self.grid
        return sums

    def _parameters(self) -> dict[str, Any]:
        return {"grid": self.grid}
