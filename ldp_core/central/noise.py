"""Noise in real numbers that a trusted curator adds: Laplace and Gaussian, and how much of it a guarantee asks for."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Floats
from ldp_core._validate import (
    LARGEST_SCALE,
    LARGEST_VALUE,
    Rng,
    check_epsilon,
    check_non_negative,
    check_option,
    check_positive,
    check_probability,
    check_rng,
    check_scale,
    check_values,
)

__all__ = ["gaussian", "gaussian_delta", "gaussian_epsilon", "gaussian_sigma", "laplace"]

Calibration = Literal["analytic", "classic"]


def laplace(value: npt.ArrayLike, *, epsilon: float, sensitivity: float, rng: Rng = None) -> Any:
    r"""Add Laplace noise of scale Δ/ε to a value: a number, or every entry of a vector.

    The sensitivity of a vector, Δ₁, is the largest *sum* of absolute changes (L1). Each entry is unbiased, with
    variance :math:`2\Delta_1^2/\varepsilon^2`.

    Notes
    -----
    The guarantee is that of real numbers. A computer rounds: the noise has gaps between its possible values, and which
    numbers can come out depends on the true answer, so that an answer may give it away for certain, however small ε is
    (Mironov, 2012; see :mod:`ldp_core.floating`). For teaching and research; where it
    matters, round the answer to whole numbers and use :func:`ldp_core.central.discrete_laplace`, which is exact.

    References
    ----------
    C. Dwork, F. McSherry, K. Nissim and A. Smith. Calibrating noise to sensitivity in private data analysis.
    TCC 2006, proposition 1.

    Examples
    --------
    >>> laplace(10, epsilon=1.0, sensitivity=1, rng=0)
    8.972803691464167
    """
    answer, scale = check_values(value, "value", LARGEST_VALUE), check_scale(sensitivity, epsilon)
    return _like(add_laplace(answer, scale, check_rng(rng, law=("laplace", scale))), value)


def gaussian(
    value: npt.ArrayLike,
    *,
    epsilon: float,
    delta: float,
    sensitivity: float,
    rng: Rng = None,
    calibration: Calibration = "analytic",
) -> Any:
    """Add Gaussian noise to a value, a number or every entry of a vector, for a guarantee (ε, δ) of the whole answer.

    The sensitivity of a vector, Δ₂, is the largest Euclidean length of its change (L2); the calibration says how the
    standard deviation is found, see :func:`gaussian_sigma`. As for :func:`laplace`, the guarantee is that of real
    numbers: where it matters, use :func:`ldp_core.central.discrete_gaussian`, which is exact.

    Examples
    --------
    >>> round(gaussian(10, epsilon=1.0, delta=1e-5, sensitivity=1, rng=0), 6)
    12.090072
    """
    answer = check_values(value, "value", LARGEST_VALUE)
    sigma = gaussian_sigma(epsilon=epsilon, delta=delta, sensitivity=sensitivity, calibration=calibration)
    return _like(add_gaussian(answer, sigma, check_rng(rng, law=("gaussian", sigma))), value)


# The two lines that draw: what comes from here has been checked, whichever mechanism of the package asks for it.


def add_laplace(answer: Any, scale: float, rng: np.random.Generator) -> Any:
    """Add independent Laplace noise of a scale to a checked number, or to every entry of an array."""
    return answer + rng.laplace(0.0, scale, None if type(answer) is float else np.shape(answer))


def add_gaussian(answer: Any, sigma: float, rng: np.random.Generator) -> Any:
    """Add independent Gaussian noise of a standard deviation to a checked number, or to every entry of an array."""
    return answer + rng.normal(0.0, sigma, None if type(answer) is float else np.shape(answer))


def _like(value: Floats, given: object) -> Any:
    """Return a float for a number, an array for an array."""
    return float(value) if np.ndim(given) == 0 else value  # type: ignore[arg-type]


def gaussian_sigma(
    *, epsilon: float, delta: float, sensitivity: float = 1.0, calibration: Calibration = "analytic"
) -> float:
    r"""Give the standard deviation of Gaussian noise for a guarantee (ε, δ).

    Parameters
    ----------
    sensitivity : float, default 1.0
        L2 sensitivity Δ₂ > 0.
    calibration : {"analytic", "classic"}, default "analytic"
        "analytic": the smallest σ that is enough, by bisection of the exact δ, see :func:`gaussian_delta`. "classic":
        :math:`\sigma = \Delta_2\sqrt{2\ln(1.25/\delta)}/\varepsilon`, proved for ε < 1 only.

    References
    ----------
    B. Balle and Y.-X. Wang. Improving the Gaussian mechanism for differential privacy. ICML 2018, theorem 8.
    C. Dwork and A. Roth. The algorithmic foundations of differential privacy. 2014, theorem A.1 (classic).

    Examples
    --------
    >>> round(gaussian_sigma(epsilon=0.5, delta=1e-5), 3)
    7.032
    >>> round(gaussian_sigma(epsilon=0.5, delta=1e-5, calibration="classic"), 3)
    9.69
    """
    epsilon, delta = check_epsilon(epsilon), check_probability(delta, "delta")
    sensitivity = check_positive(sensitivity, "sensitivity")
    if check_option(calibration, "calibration", ("analytic", "classic")) == "classic":
        if epsilon >= 1:
            raise ValueError(f"epsilon must be < 1 for the classic calibration, got {epsilon!r}: use 'analytic'")
        return _check_sigma(sensitivity * classic_ratio(epsilon, delta), epsilon, delta)

    def half_ratio(x: float) -> float:
        """Give Δ/(2σ) where ε and :func:`_log_delta`'s x are given: the positive root of h² + xh = ε/2."""
        root = math.hypot(x, math.sqrt(2) * math.sqrt(epsilon))
        return epsilon / (x + root) if x > 0 else (root - x) / 2

    x = _largest_x(lambda x: _log_delta(x, half_ratio(x)), delta)
    sigma = 1 / (2 * half_ratio(x))
    while math.isfinite(sigma) and gaussian_delta(epsilon=epsilon, sigma=sigma) > delta:  # the last digits
        sigma *= 1 + 1e-15
    return _check_sigma(sensitivity * sigma, epsilon, delta)


def gaussian_delta(*, epsilon: float, sigma: float, sensitivity: float = 1.0) -> float:
    r"""Give the exact δ of Gaussian noise, of standard deviation sigma, at an ε ≥ 0.

    .. math::  \delta = \Phi\left(\frac{\Delta}{2\sigma} - \frac{\varepsilon\sigma}{\Delta}\right)
        - e^{\varepsilon}\,\Phi\left(-\frac{\Delta}{2\sigma} - \frac{\varepsilon\sigma}{\Delta}\right)

    It is the smallest δ for which the mechanism is (ε, δ)-differentially private, in [0, 1].

    References
    ----------
    B. Balle and Y.-X. Wang. Improving the Gaussian mechanism for differential privacy. ICML 2018, theorem 8.

    Examples
    --------
    >>> round(gaussian_delta(epsilon=1.0, sigma=1.0), 4)
    0.1269
    """
    ratio = check_positive(sensitivity, "sensitivity") / check_positive(sigma, "sigma")
    epsilon = check_non_negative(epsilon, "epsilon")
    if ratio / 2 == 0:  # the noise is so large that the ratio underflows, and so does δ
        return 0.0
    return math.exp(_log_delta(epsilon / ratio - ratio / 2, ratio / 2))


def gaussian_epsilon(*, delta: float, sigma: float, sensitivity: float = 1.0) -> float:
    """Give the exact ε ≥ 0 of Gaussian noise of standard deviation sigma at a δ: the inverse of :func:`gaussian_delta`.

    It is 0 where the noise is so large that no two answers can be told apart with more than δ. A sigma below 1e-150
    times the sensitivity is refused.

    Examples
    --------
    >>> round(gaussian_epsilon(delta=1e-5, sigma=7.032), 3)
    0.5
    """
    delta = check_probability(delta, "delta")
    ratio = check_positive(sensitivity, "sensitivity") / check_positive(sigma, "sigma")
    if ratio > 1e150:
        raise ValueError(f"sigma must be at least 1e-150 times the sensitivity, got {sigma!r}")
    half = ratio / 2
    if half == 0 or _log_delta(-half, half) <= math.log(delta):
        return 0.0
    epsilon = ratio * max(0.0, _largest_x(lambda x: _log_delta(x, half), delta, low=max(-half, -40.0)) + half)
    while gaussian_delta(epsilon=epsilon, sigma=1 / ratio) > delta:  # the last digits
        epsilon += max(epsilon, ratio * ratio) * 1e-15
    return epsilon


def classic_ratio(epsilon: float, delta: float) -> float:
    """Give σ/Δ by the classic formula, for checked arguments, valid or not."""
    return math.sqrt(2 * (math.log(1.25) - math.log(delta))) / epsilon


def _check_sigma(sigma: float, epsilon: float, delta: float) -> float:
    """Return a standard deviation that noise can be drawn with."""
    if not 0 < sigma <= LARGEST_SCALE:
        raise ValueError(
            f"epsilon, delta and sensitivity must give a sigma > 0 of at most {LARGEST_SCALE:g}, "
            f"got {sigma:g} for epsilon {epsilon!r} and delta {delta!r}"
        )
    return sigma


def _largest_x(log_delta: Callable[[float], float], delta: float, low: float = -40.0) -> float:
    """Give the x at which a falling log δ reaches log(delta), from the side where it is not above, by bisection."""
    target, high = math.log(delta), 40.0  # Φ(−40) is below the smallest double, and 1 − Φ(−40) above the largest δ
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if log_delta(middle) > target else (low, middle)
    return high


def _log_delta(x: float, h: float) -> float:
    r"""Give the logarithm of the δ of Gaussian noise with h = Δ/(2σ) and x = ε/(2h) − h.

    .. math::  \delta = \Phi(-x) - e^{\varepsilon}\Phi(-x - 2h) = \varphi(x)\,[R(x) - R(x + 2h)]
        = \varphi(x) \int_x^{x+2h} (1 - t R(t))\,dt

    with Mills' ratio :math:`R(t) = \Phi(-t)/\varphi(t)`, for which :math:`R' = tR - 1`. The difference of the two Φ
    cancels where h is small, the integral does not.
    """
    if x > 40:
        return -math.inf
    if h < 0.5:
        mean = sum(w * _one_minus_t_mills(x + h * (1 + t)) for t, w in zip(*_GAUSS, strict=True)) / 2
        return -(x**2) / 2 - _LOG_ROOT_2PI + math.log(2 * h) + math.log(mean)
    if x > 0:
        return -(x**2) / 2 - _LOG_ROOT_2PI + math.log(_mills(x) - _mills(x + 2 * h))
    second = math.exp(-(x**2) / 2 - _LOG_ROOT_2PI) * _mills(x + 2 * h) if x > -40 else 0.0
    return math.log(math.erfc(x / math.sqrt(2)) / 2 - second)


def _mills(t: float) -> float:
    """Mills' ratio of the standard normal law at t ≥ −1."""
    if t < 5:
        return math.exp(t**2 / 2) * math.erfc(t / math.sqrt(2)) * math.sqrt(math.pi / 2)
    return 1 / (t + _mills_tail(t))


def _one_minus_t_mills(t: float) -> float:
    """1 − t·R(t) at t ≥ −1, without cancellation where it is small."""
    if t < 5:
        return 1 - t * _mills(t)
    tail = _mills_tail(t)
    return tail / (t + tail)


def _mills_tail(t: float) -> float:
    """Laplace's continued fraction 1/(t + 2/(t + 3/(t + …))): Mills' ratio is 1/(t + this)."""
    tail = 0.0
    for i in range(40, 0, -1):
        tail = i / (t + tail)
    return tail


_LOG_ROOT_2PI = math.log(2 * math.pi) / 2
_GAUSS = tuple(rule.tolist() for rule in np.polynomial.legendre.leggauss(12))
