"""Mean and variance from the same users, each of whom reports once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Floats
from ldp_core._frozen import Frozen
from ldp_core._validate import Rng, check_rng, shown
from ldp_core.numeric.base import NumericMechanism
from ldp_core.numeric.sums import Sums

__all__ = ["MomentEstimate", "Moments"]


class MomentEstimate(NamedTuple):
    """Estimated mean and variance with their standard errors.

    All four, mean, variance, mean_error and variance_error, are floats, or arrays of shape (dim,).
    """

    mean: Any
    variance: Any
    mean_error: Any
    variance_error: Any


class Moments(Frozen):
    r"""Estimate mean and variance: half of the users report their value t, the other half their square.

    Asking everybody for both would split every budget. Instead a public coin, which knows nothing of the values, puts
    each user into one half, and each spends the whole ε on one report: t, or 2t² − 1, which lies in [−1, 1] too. The
    mechanism perturbs either; in several dimensions coordinate by coordinate.

    Notes
    -----
    With :math:`\bar y` and :math:`s^2` the mean and sample variance of the :math:`n_1` reports on values and
    :math:`\bar z` the mean of those on squares, the variance is estimated by

    .. math::  \frac{\bar z + 1}{2} - \Bigl(\bar y^2 - \frac{s^2}{n_1}\Bigr).

    The last term takes out of :math:`\bar y^2` what noise adds to it on average. The estimate has no bias: over random
    users its mean is the variance of the population; over the random halves of fixed users it is their variance with
    divisor n − 1. Noise can make it negative; it is never clipped.

    Examples
    --------
    >>> from ldp_core.numeric import Hybrid
    >>> moments = Moments(Hybrid(epsilon=4.0))
    >>> t = np.linspace(-0.2, 0.8, 100_000)
    >>> estimate = moments.estimate(*moments.perturb(t, rng=0))
    >>> bool(abs(estimate.mean - t.mean()) < 4 * estimate.mean_error)
    True
    >>> bool(abs(estimate.variance - t.var(ddof=1)) < 4 * estimate.variance_error)
    True
    """

    def __init__(self, mechanism: NumericMechanism) -> None:
        if not isinstance(mechanism, NumericMechanism):
            raise TypeError(f"mechanism must be a NumericMechanism, got {shown(mechanism)}")
        self.mechanism = mechanism

    def perturb(self, t: npt.ArrayLike, rng: Rng = None) -> tuple[Floats, Floats]:
        """Split the users at random and perturb values in one half, squares in the other.

        At least four users hold values t, two in each half; ⌈n/2⌉ report on t and the others on 2t² − 1.
        """
        rows = self.mechanism._check_values(t)
        if len(rows) < 4:
            raise ValueError(f"t must hold at least 4 users, two in each half, got {len(rows)}")
        generator = check_rng(rng, law=("moments", *self.mechanism._coins()))
        order = generator.permutation(len(rows))
        half = (len(rows) + 1) // 2
        sent = rows[order[:half]], 2 * rows[order[half:]] ** 2 - 1
        values, squares = (self.mechanism._shaped(self.mechanism._perturb_rows(part, generator)) for part in sent)
        return values, squares

    def estimate(self, values: npt.ArrayLike | Sums, squares: npt.ArrayLike | Sums) -> MomentEstimate:
        """Estimate mean and variance from the reports of both halves, or from what ``aggregate`` made of them.

        Both values and squares hold at least two reports. Standard errors are large-sample figures.
        """
        y, z = self.mechanism._sums(values, "values"), self.mechanism._sums(squares, "squares")
        for sums, name in ((y, "values"), (z, "squares")):
            if sums.n < 2:
                raise ValueError(f"{name} must hold at least 2 reports, got {sums.n}")
        mean, mean_square = y.mean, (z.mean + 1) / 2
        noise, noise_square = _variance_of_mean(y), _variance_of_mean(z) / 4
        variance = mean_square - (mean**2 - noise)
        # A normal variable with variance v has Var(X²) = 4(EX)²v + 2v².
        variance_error = np.sqrt(noise_square + 4 * mean**2 * noise + 2 * noise**2)
        shaped = self.mechanism._shaped
        return MomentEstimate(shaped(mean), shaped(variance), shaped(np.sqrt(noise)), shaped(variance_error))


def _variance_of_mean(sums: Sums) -> Floats:
    """Sample variance of the reports, divided by their number; never below 0, whatever rounding does."""
    return np.maximum(sums.squares / sums.n - sums.mean**2, 0) / (sums.n - 1)
