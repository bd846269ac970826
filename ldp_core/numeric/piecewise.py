"""The Piecewise mechanism: a plateau around the true value, and a low plain on both sides."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Counts, Floats
from ldp_core._validate import check_unit
from ldp_core.numeric._law import Law
from ldp_core.numeric._sampled import SampledMechanism

__all__ = ["Piecewise"]

#: Random bits of a uniform double.
UNIFORM_BITS = 53

#: Narrowest plateau whose cells are told apart from rounding errors.
NARROWEST = 1e-9


class Piecewise(SampledMechanism):
    r"""Report a number in [−C, C], most likely near the true value t.

    With probability :math:`e^{\varepsilon/2}/(e^{\varepsilon/2}+1)` the report is uniform on the centre [l, r],
    otherwise uniform on what lies outside it, [−C, l] ∪ [r, C], the side chosen **by length**:

    .. math::  C = \frac{e^{\varepsilon/2}+1}{e^{\varepsilon/2}-1}, \quad l = \frac{(C+1)t}{2} - \frac{C-1}{2},
               \quad r = l + C - 1.

    The variance is :math:`t^2/(e^{\varepsilon/2}-1) + (e^{\varepsilon/2}+3)/(3(e^{\varepsilon/2}-1)^2)`. In d > 1
    dimensions a user sends k = max(1, min(d, ⌊ε/2.5⌋)) coordinates, drawn without replacement, each with budget ε/k and
    scaled by d/k; coordinates that are not sent are 0.

    References
    ----------
    N. Wang, X. Xiao, Y. Yang, J. Zhao, S. C. Hui, H. Shin, J. Shin and G. Yu. Collecting and analyzing multidimensional
    data with local differential privacy. ICDE 2019, algorithms 2 and 4.

    Examples
    --------
    >>> mechanism = Piecewise(epsilon=1.0)
    >>> round(mechanism.C, 3), round(mechanism.worst_variance, 3)
    (4.083, 5.224)
    >>> low, high = mechanism.centre(0.5)
    >>> round(float(low), 3), round(float(high), 3)
    (-0.271, 2.812)
    >>> Piecewise(epsilon=10.0, dim=8).k
    4
    """

    _one: PiecewiseLaw

    def __init__(self, epsilon: float, dim: int = 1) -> None:
        super().__init__(epsilon, dim, PiecewiseLaw)

    @property
    def one(self) -> Piecewise:
        return Piecewise(self.epsilon / self.k)

    @property
    def C(self) -> float:  # noqa: N802 -- the literature's name
        """Largest report of the one-dimensional mechanism, at budget ε/k."""
        return self._one.bound

    def centre(self, t: npt.ArrayLike) -> tuple[Floats, Floats]:
        """Give the plateau [l, r] of the one-dimensional mechanism on the values t, in their shape.

        At t = −1 the plateau touches −C, at t = 1 it touches C.
        """
        value, width = check_unit(t, "t"), self._one.width
        return value - width * ((1 - value) / 2), value + width * ((1 + value) / 2)

    def channel(self, t: npt.ArrayLike = (-1.0, 0.0, 1.0)) -> Floats:
        """Give the exact distribution of the one-dimensional report over cells on which all densities are constant.

        Rows are inputs t, columns cells between neighbouring points of :meth:`edges`. Nothing about these inputs is
        lost: within a cell every report says the same about them. A plateau narrower than 1e-9 (ε/k above about 43),
        whose cells rounding blurs, is refused.
        """
        inputs, points = check_unit(t, "t").reshape(-1), self.edges(t)
        if self._one.width < NARROWEST:
            raise ValueError(f"epsilon must leave a plateau wider than {NARROWEST:g}, got {self!r}")
        outside = self._one.outside
        return _cell_masses(points, self.centre(inputs), outside * (1 + inputs) / 2, outside * (1 - inputs) / 2)

    def edges(self, t: npt.ArrayLike) -> Floats:
        """Give the points at which the density jumps for some of the inputs t, −C and C among them, ascending."""
        return np.unique(np.concatenate([*(np.ravel(end) for end in self.centre(t)), [-self.C, self.C]]))


class PiecewiseLaw(Law):
    """The report on one number, with budget ε."""

    bits = 64

    def __init__(self, epsilon: float) -> None:
        half = epsilon / 2
        w = math.exp(-half) / -math.expm1(-half) if half > 0 else math.inf  # 1/(e^{ε/2} − 1)
        self.width = 2 * w  # of the plateau: C − 1
        self.bound = 1 + self.width  # C
        self.outside = math.exp(-half) / (1 + math.exp(-half))  # probability that the report is not on the plateau
        self.ends = w * (1 + 4 * w) / 3, 4 * w * (1 + w) / 3  # the formula above, with e^{ε/2} = 1 + 1/w

    def draw(self, t: Floats, rng: np.random.Generator) -> Floats:
        place = rng.random(t.shape)
        # The rarer event is compared with "<": so it can happen, however small its probability.
        outside = np.flatnonzero(rng.random(t.shape) < self.outside)
        reports = self.on_plateau(t, place)
        reports[outside] = self.beside_plateau(t[outside], place[outside])
        return reports

    def on_plateau(self, t: Floats, place: Floats) -> Floats:
        """Give the report on the plateau at a place in [0, 1): the larger the place, the larger."""
        reports = t + self.width * (place - (1 - t) / 2)
        return np.clip(reports, -self.bound, self.bound, out=reports)  # against rounding only

    def beside_plateau(self, t: Floats, place: Floats) -> Floats:
        """Give the report outside the plateau at a place in [0, 1): the larger the place, the smaller."""
        # What lies outside has length C + 1, of which (C + 1)(1 − t)/2 on the right: measured from C downwards,
        # and where that is used up, upwards from −C with the rest.
        length = 2 + self.width
        far = length * place
        right = far < length * ((1 - t) / 2)
        reports = np.where(right, self.bound - far, length - far - self.bound)
        return np.clip(reports, -self.bound, self.bound, out=reports)  # against rounding only

    def draw_sums(self, t: Floats, counts: Counts, rng: np.random.Generator) -> Floats:
        outside = rng.binomial(counts, self.outside)
        right = rng.binomial(outside, (1 - t) / 2)
        inside, left = counts - outside, outside - right
        centre = inside * (t - self.width * ((1 - t) / 2)) + self.width * sum_of_uniforms(inside, rng)
        length = 2 + self.width
        outer = (right - left) * self.bound + length * (
            (1 + t) / 2 * sum_of_uniforms(left, rng) - (1 - t) / 2 * sum_of_uniforms(right, rng)
        )
        return centre + outer

    def density(self, y: Floats, t: Floats) -> Floats:
        # Differences from t: for large ε the plateau is narrower than the spacing of doubles around l and r.
        offset = y - t
        within = (offset >= -self.width * ((1 - t) / 2)) & (offset <= self.width * ((1 + t) / 2))
        high = (1 - self.outside) / self.width if self.width > 0 else math.inf
        low = self.outside / (2 + self.width)
        return np.where(within, high, np.where(np.abs(y) <= self.bound, low, 0.0))


def _cell_masses(points: Floats, plateau: tuple[Floats, Floats], left: Floats, right: Floats) -> Floats:
    """Spread probability over cells by length: ``left`` of it below each plateau, ``right`` above, the rest within.

    Every end of a plateau is among the points between cells. Where a side has no length, its probability is left out.
    """
    middle, length = (points[1:] + points[:-1]) / 2, np.diff(points)
    below, above = middle < plateau[0][:, None], middle > plateau[1][:, None]
    masses = np.zeros(below.shape)
    for region, mass in ((below, left), (above, right), (~below & ~above, 1 - left - right)):
        part = np.where(region, length, 0.0)
        total = part.sum(axis=1, keepdims=True)
        masses += mass[:, None] * np.divide(part, total, out=np.zeros_like(part), where=total > 0)
    return masses


def sum_of_uniforms(counts: npt.ArrayLike, rng: np.random.Generator) -> Floats:
    """Draw sums of ``counts`` uniform numbers on [0, 1), at a cost that does not depend on the counts.

    A uniform double is Σ 2^(−b) times a fair bit, b = 1, …, 53, all bits independent. So the sum of n of them is
    Σ 2^(−b) times a Binomial(n, ½): exactly the same law, in 53 draws.
    """
    n = np.asarray(counts)
    sums = np.zeros(n.shape)
    for bit in range(UNIFORM_BITS, 0, -1):  # small terms first
        sums += rng.binomial(n, 0.5) * 2.0**-bit
    return sums
