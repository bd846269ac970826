"""The Square Wave mechanism: reports near the value, for the shape of a distribution and not for its mean."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Counts, Floats
from ldp_core._frozen import Comparable
from ldp_core._validate import (
    Rng,
    as_array,
    check_counts,
    check_epsilon,
    check_int,
    check_rng,
    check_unit,
    check_vector,
    first_where,
)
from ldp_core.numeric.base import LARGEST_RESULT, broadcast_reports

__all__ = ["SquareWave"]

#: Cells that the support is cut into: the middle of every one of them, times a constant, is a double.
CELLS = 2**52

#: Most bins: their channel has 2**24 entries, 128 MiB of float64.
MOST_BINS = 2**12

#: Up to this ε the width is taken from power series, whose terms up to this one are added up.
SMALL, TERMS = 1.0, 20


class SquareWave(Comparable):
    r"""Report a number near the value t in [−1, 1], to learn how values are distributed.

    Reports lie in [−1 − w, 1 + w], and their density given t is

    .. math::  f(y \mid t) = \frac{1}{2(we^{\varepsilon} + 1)} \cdot
               \begin{cases} e^{\varepsilon} & |y - t| < w \\ 1 & \text{otherwise,} \end{cases} \qquad
               w = \frac{\varepsilon e^{\varepsilon} - e^{\varepsilon} + 1}
                        {e^{\varepsilon}(e^{\varepsilon} - 1 - \varepsilon)}.

    This w makes an upper bound of the mutual information of value and report largest. It falls from 1 to 0 as ε grows.
    A report is no unbiased estimate of t: the server counts reports in bins, and
    :func:`~ldp_core.postprocess.em` or :func:`~ldp_core.postprocess.ems` finds shares of values that explain these
    counts.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of one report, finite and > 0: whatever the value, no report becomes more than
        :math:`e^{\varepsilon}` times likelier than under another one.

    Notes
    -----
    *Bins.* The methods that take a number of ``bins``, from 2 to 4096, cut [−1, 1] into so many equal bins of values,
    and the support into as many of reports. A device needs to know nothing of them. Within its bin a value is taken to
    be uniform.

    *In a computer.* The support is cut into 2⁵² equal cells, and a report is the middle of one. The window, in which
    reports are likelier, has the same whole number of cells for all values, which is where w is rounded to; where it
    lies is found by rounding t. So all values have the same possible reports, and every report has exactly the same
    two probabilities. Their ratio is e^ε up to the last digits of a double.

    References
    ----------
    Z. Li, T. Wang, M. Lopuhaä-Zwakenberg, N. Li and B. Škoric. Estimating numerical distributions under local
    differential privacy. SIGMOD 2020 (on [0, 1], where b = w/2).

    Examples
    --------
    >>> from ldp_core.postprocess import em
    >>> mechanism = SquareWave(epsilon=1.0)
    >>> round(mechanism.width, 4)
    0.5122
    >>> reports = mechanism.perturb(np.linspace(-1, 0, 100_000), rng=0)
    >>> counts = mechanism.aggregate(reports, bins=8)
    >>> em(counts, mechanism.channel(bins=8)).round(1)
    array([0.2, 0.2, 0.3, 0.2, 0. , 0. , 0. , 0. ])
    """

    def __init__(self, epsilon: float) -> None:
        self.epsilon = check_epsilon(epsilon)
        decay = math.exp(-self.epsilon)
        if not (-math.expm1(-self.epsilon) > 1e-10 and decay >= np.finfo(np.float64).tiny):
            raise ValueError(
                f"epsilon must be large enough to tell both densities apart in double precision, and small enough "
                f"to tell the lower from 0, got {self.epsilon!r}"
            )
        best = _best_width(self.epsilon)
        self._window = max(1, round(CELLS * best / (1 + best)))
        self._rest = CELLS - self._window
        self._outside = decay / (decay + self.width)

    @property
    def width(self) -> float:
        """Half the width of the window: w."""
        return self._window / self._rest

    @property
    def support(self) -> tuple[float, float]:
        """Ends of the reports' range."""
        return -1 - self.width, 1 + self.width

    @property
    def bits(self) -> int:
        """Bits of one report: which of the 2⁵² cells."""
        return (CELLS - 1).bit_length()

    # ---- on the user's device -----------------------------------------------------------------------------------

    def perturb(self, t: npt.ArrayLike, rng: Rng = None) -> Floats:
        """Randomize values in [−1, 1], shape (n,), into reports, one per user.

        Other ranges are brought there by :class:`~ldp_core.numeric.IntervalScaler`.
        """
        return self._perturb(check_unit(t, "t"), "t", rng)

    def privatize(self, values: npt.ArrayLike, rng: Rng = None) -> Floats:
        """Do what :meth:`perturb` does, by the name that holds for oracles too: numbers need no encoding."""
        return self._perturb(check_unit(values, "values"), "values", rng)

    def _perturb(self, t: Floats, name: str, rng: Rng) -> Floats:
        value, generator = check_vector(t, name), check_rng(rng, law=self._coins())
        # The window begins at this cell. It lies in the support wholly, whatever the value: so the cells outside it
        # are equally many for all values, too, and each has the same chance.
        first = np.rint((value + 1) * (self._rest / 2)).astype(np.int64)
        cell = first + generator.integers(self._window, size=value.size)
        # "<" makes the coin's chance the next multiple of 2⁻⁵³ above: in doubt, reports say a little less.
        outside = np.flatnonzero(generator.random(value.size) < self._outside)
        place = generator.integers(self._rest, size=outside.size)
        cell[outside] = np.where(place < first[outside], place, place + self._window)
        return (2 * cell + (1 - CELLS)) / self._rest  # a whole number below 2⁵² in size: rounded once, alike for all

    # ---- on the server ------------------------------------------------------------------------------------------

    def aggregate(self, reports: npt.ArrayLike, bins: int) -> Counts:
        """Count the reports in each of so many equal bins of the support; counts of parts add up, shape (bins,)."""
        y, bins, end = check_vector(reports, "reports"), check_int(bins, "bins", 2, MOST_BINS), self.support[1]
        outside = np.abs(y) > end * (1 + 1e-9)  # rounding aside
        if outside.any():
            raise ValueError(f"reports must lie in [{-end:.6g}, {end:.6g}], got {first_where(y, outside)}")
        return np.bincount(np.clip((y / end + 1) * (bins / 2), 0, bins - 1).astype(np.intp), minlength=bins)

    # ---- the exact law ------------------------------------------------------------------------------------------

    def density(self, y: npt.ArrayLike, t: npt.ArrayLike) -> Any:
        """Give the density of a report y on the value t; they are broadcast."""
        reports, value = broadcast_reports(y, t)
        low = self._outside / 2  # outside the window there is always a length of 2
        high = (1 - self._outside) / (2 * self.width)
        inside = np.abs(reports) <= self.support[1]
        density = np.where(np.abs(reports - value) < self.width, high, low) * inside
        return float(density) if density.ndim == 0 else density

    def channel(self, bins: int) -> Floats:
        """Give the exact probability of every bin of reports under every bin of values, shape (bins, bins).

        Row i is the law of the report on a value that is uniform on the i-th bin of [−1, 1]; columns are bins of the
        support.
        """
        bins = check_int(bins, "bins", 2, MOST_BINS)
        offset = np.linspace(*self.support, bins + 1) - np.linspace(-1, 1, bins + 1)[:, None]
        # The integral, from −∞, of the distribution function of a number uniform on [−w, w]: its second difference is
        # the chance that a report from the window of a value in one bin is in another, times the first bin's length.
        reach = np.clip(offset + self.width, 0, 2 * self.width)
        area = np.where(offset < self.width, reach**2 / (4 * self.width), offset)
        window = np.maximum(np.diff(-np.diff(area, axis=0), axis=1), 0) * (bins / 2)
        # Everywhere in the support the density is at least the lower one; in the window there is more.
        even = self._outside * (1 + self.width) / bins
        channel = even + (1 - self._outside) * -math.expm1(-self.epsilon) * window
        normalized: Floats = channel / channel.sum(axis=1, keepdims=True)  # against rounding only
        return normalized

    def simulate(self, true_counts: npt.ArrayLike, rng: Rng = None, *, size: int | None = None) -> Counts:
        """Draw the counts of reports as the server would see them, without touching users.

        Parameters
        ----------
        true_counts : array_like of int, shape (bins,)
            How many users hold a value in each bin, uniform there and independent; at least one user in all.
        size : int, optional
            Number of independent runs; None for a single one without the leading axis.

        Returns
        -------
        ndarray of int64, shape (bins,) or (size, bins)
            A draw with exactly the distribution of ``aggregate(perturb(t), bins)``, jointly over all bins; its cost
            does not depend on the number of users.
        """
        counts = as_array(true_counts, "true_counts")
        if counts.ndim != 1 or not 2 <= counts.size <= MOST_BINS:
            raise ValueError(f"true_counts must have shape (bins,) with 2 to {MOST_BINS} bins, got {counts.shape}")
        counts = check_counts(counts, "true_counts", counts.size)
        if not counts.any():
            raise ValueError("true_counts must add up to at least 1 user, got 0")
        runs = 1 if size is None else check_int(size, "size", 1, LARGEST_RESULT // counts.size)
        generator = check_rng(rng, law=self._coins())
        drawn = np.zeros((runs, counts.size), dtype=np.int64)
        for users, law in zip(counts, self.channel(counts.size), strict=True):
            drawn += generator.multinomial(users, law, size=runs)
        return drawn if size is not None else drawn[0]

    def _law(self) -> dict[str, Any]:
        return {"epsilon": self.epsilon}


def _best_width(epsilon: float) -> float:
    """Give the optimal w: the quotient of (eˣ − 1 − x)/x² at −ε and at ε."""
    if epsilon < SMALL:  # where the differences cancel
        at_minus, at_plus = (sum(x**k / math.factorial(k + 2) for k in range(TERMS)) for x in (-epsilon, epsilon))
        return at_minus / at_plus
    decay = math.exp(-epsilon)
    return decay * (epsilon - 1 + decay) / (1 - decay - epsilon * decay)
