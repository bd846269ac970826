"""How much noise random batches need: each step asks everybody with a small probability only."""

from __future__ import annotations

import math
from functools import lru_cache

from ldp_core._validate import (
    check_epsilon,
    check_in_range,
    check_int,
    check_non_negative,
    check_positive,
    check_probability,
)
from ldp_core.central.composition import finite
from ldp_core.central.noise import gaussian_epsilon, gaussian_sigma
from ldp_core.central.privacy_loss import PrivacyLoss

__all__ = ["sampled_gaussian_sigma"]

#: Least noise, in sensitivities: even where hardly anybody is ever asked.
_LEAST = 0.05


def sampled_gaussian_sigma(
    *,
    epsilon: float,
    delta: float,
    sampling_rate: float,
    times: int = 1,
    sensitivity: float = 1.0,
    rho_beside: float = 0.0,
) -> float:
    """Give the standard deviation of Gaussian noise for so many answers (times) about random batches, (ε, δ) in all.

    It is the smallest but for a ten-thousandth for which a certified upper bound, :class:`PrivacyLoss`, keeps the
    promise under "add-remove"; at least 0.05 sensitivities. For q = 1 it is the exact one. Where no σ can be certified,
    as for δ below rounding errors, it is refused.

    Parameters
    ----------
    sampling_rate : float
        q in (0, 1]: each batch holds everybody with probability q, by a coin of each person's own.
    sensitivity : float, default 1.0
        L2 sensitivity Δ > 0 of a batch's answer.
    rho_beside : float, default 0.0
        ρ of Gaussian answers about everybody that the same budget pays for.

    Examples
    --------
    >>> sigma = sampled_gaussian_sigma(epsilon=1.0, delta=1e-6, sampling_rate=0.01, times=1000)
    >>> round(sigma, 2)
    1.56
    """
    epsilon, delta = check_epsilon(epsilon), check_probability(delta, "delta")
    rate = check_positive(check_in_range(sampling_rate, "sampling_rate", 0, 1), "sampling_rate")
    times, sensitivity = check_int(times, "times", 1), check_positive(sensitivity, "sensitivity")
    beside = check_non_negative(rho_beside, "rho_beside")
    whole = gaussian_sigma(epsilon=epsilon, delta=delta)  # of everything, were it one answer about everybody
    left = 1 / (2 * whole**2) - beside
    if left <= 0:
        raise ValueError(f"rho_beside must leave something of epsilon and delta, got {rho_beside!r}")
    most = math.sqrt(times / (2 * left))
    if rate == 1:
        while gaussian_epsilon(delta=delta, sigma=1 / math.sqrt(times / most**2 + 2 * beside)) > epsilon:
            most *= 1 + 1e-15  # the last digits
        return finite(sensitivity * most, "sensitivity", sensitivity)
    return finite(sensitivity * _calibrated(epsilon, delta, rate, times, beside, most), "sensitivity", sensitivity)


@lru_cache(maxsize=1024)
def _calibrated(epsilon: float, delta: float, rate: float, times: int, beside: float, most: float) -> float:
    """Search between the least noise and a little more than answers about everybody would need."""

    def excess(log_sigma: float) -> float:
        """Logarithm of the certified ε, over the one that is wanted."""
        loss = PrivacyLoss.gaussian(math.exp(log_sigma)).subsampled(rate).self_compose(times)
        if beside:
            loss = loss.compose(PrivacyLoss.gaussian(1 / math.sqrt(2 * beside)))
        upper = loss.roughly().epsilon(delta).upper
        return math.log(max(upper, 1e-300) / epsilon)

    low, high = math.log(_LEAST), math.log(max(1.01 * most, 2 * _LEAST))
    try:
        if (too_much := excess(low)) <= 0:
            return _LEAST
        too_little = excess(high)
    except ValueError:  # noise, or a number of answers, beyond what PrivacyLoss knows
        too_little = math.inf
    if too_little > 0:
        raise ValueError(
            f"epsilon and delta must be large enough to be certified for {times:,} answers about batches, "
            f"got {epsilon:g} and {delta:g}"
        )
    # Both logarithms lie nearly on a straight line: aim a little to either side of where it meets 0, or in the middle.
    tolerance, turn = 1e-4, 0
    while high - low > tolerance:
        share = too_much / (too_much - too_little) if math.isfinite(too_much) and turn % 3 else 0.5
        aim = low + share * (high - low) + (0.4 if turn % 3 == 1 else -0.4) * tolerance
        aim = min(max(aim, low + tolerance / 4), high - tolerance / 4)
        surplus = excess(aim)
        low, high = (low, aim) if surplus <= 0 else (aim, high)
        too_much, too_little = (too_much, surplus) if surplus <= 0 else (surplus, too_little)
        turn += 1
    return math.exp(high)
