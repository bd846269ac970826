"""Noise that a trusted curator adds: Laplace, Gaussian, and their discrete relatives."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ldp_core._validate import Rng, check_epsilon, check_int, check_rng
from ldp_core.central._checks import Floats, check_positive, check_probability, check_values, like

Calibration = Literal["analytic", "classic"]


def laplace(value: npt.ArrayLike, *, epsilon: float, sensitivity: float, rng: Rng = None) -> Any:
    r"""Add Laplace noise of scale Δ/ε to a number, or to every entry of a vector.

    Parameters
    ----------
    value : float or array_like
        The true answer.
    epsilon : float
        Privacy budget ε of the whole answer, finite and > 0.
    sensitivity : float
        Largest change Δ₁ of the answer between neighbouring data sets, > 0; of a vector, the largest *sum* of absolute
        changes (L1).
    rng : numpy.random.Generator, int or None
        Source of randomness.

    Returns
    -------
    float or ndarray of float64
        The answer with noise: unbiased, variance :math:`2\Delta_1^2/\varepsilon^2` each.

    References
    ----------
    C. Dwork, F. McSherry, K. Nissim and A. Smith. Calibrating noise to sensitivity in private data analysis.
    TCC 2006, proposition 1.

    Examples
    --------
    >>> laplace(10, epsilon=1.0, sensitivity=1, rng=0)
    10.32009972515778
    """
    answer = check_values(value, "value")
    scale = check_positive(sensitivity, "sensitivity") / check_epsilon(epsilon)
    return like(answer + check_rng(rng).laplace(0.0, scale, answer.shape), value)


def gaussian(
    value: npt.ArrayLike,
    *,
    epsilon: float,
    delta: float,
    sensitivity: float,
    rng: Rng = None,
    calibration: Calibration = "analytic",
) -> Any:
    """Add Gaussian noise to a number, or to every entry of a vector.

    Parameters
    ----------
    value : float or array_like
        The true answer.
    epsilon, delta : float
        The guarantee (ε, δ) of the whole answer: ε > 0, δ strictly between 0 and 1.
    sensitivity : float
        Largest change Δ₂ between neighbouring data sets, > 0; of a vector, its largest Euclidean length (L2).
    rng : numpy.random.Generator, int or None
        Source of randomness.
    calibration : {"analytic", "classic"}, default "analytic"
        How the standard deviation is found, see :func:`gaussian_sigma`.

    Returns
    -------
    float or ndarray of float64
        The answer with noise.
    """
    answer = check_values(value, "value")
    sigma = gaussian_sigma(epsilon=epsilon, delta=delta, sensitivity=sensitivity, calibration=calibration)
    return like(answer + check_rng(rng).normal(0.0, sigma, answer.shape), value)


def gaussian_sigma(
    *, epsilon: float, delta: float, sensitivity: float = 1.0, calibration: Calibration = "analytic"
) -> float:
    r"""Give the standard deviation of Gaussian noise for a guarantee (ε, δ).

    Parameters
    ----------
    epsilon, delta : float
        ε > 0, δ strictly between 0 and 1.
    sensitivity : float, default 1.0
        L2 sensitivity Δ₂ > 0.
    calibration : {"analytic", "classic"}, default "analytic"
        "analytic": the smallest σ that is enough, by bisection of :func:`gaussian_delta`. "classic":
        :math:`\sigma = \Delta_2\sqrt{2\ln(1.25/\delta)}/\varepsilon`, proved for ε < 1 only.

    Returns
    -------
    float
        σ > 0.

    Raises
    ------
    ValueError
        If a parameter is out of range; for "classic", if ε ≥ 1, where that formula may promise too much.

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
    if calibration == "classic":
        if epsilon >= 1:
            raise ValueError(f"epsilon must be < 1 for the classic calibration, got {epsilon!r}: use 'analytic'")
        return sensitivity * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    if calibration != "analytic":
        raise ValueError(f"calibration must be 'analytic' or 'classic', got {calibration!r}")
    low, high = 1e-6, 1.0
    while gaussian_delta(epsilon=epsilon, sigma=high) > delta:
        low, high = high, 2 * high
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if gaussian_delta(epsilon=epsilon, sigma=middle) > delta else (low, middle)
    return sensitivity * high


def gaussian_delta(*, epsilon: float, sigma: float, sensitivity: float = 1.0) -> float:
    r"""Give the exact δ of Gaussian noise at a given ε.

    .. math::  \delta = \Phi\left(\frac{\Delta}{2\sigma} - \frac{\varepsilon\sigma}{\Delta}\right)
        - e^{\varepsilon}\,\Phi\left(-\frac{\Delta}{2\sigma} - \frac{\varepsilon\sigma}{\Delta}\right)

    Parameters
    ----------
    epsilon : float
        ε ≥ 0.
    sigma : float
        Standard deviation > 0.
    sensitivity : float, default 1.0
        L2 sensitivity Δ > 0.

    Returns
    -------
    float
        The smallest δ for which the mechanism is (ε, δ)-differentially private, in [0, 1].

    References
    ----------
    B. Balle and Y.-X. Wang. Improving the Gaussian mechanism for differential privacy. ICML 2018, theorem 8.
    """
    ratio = check_positive(sensitivity, "sensitivity") / check_positive(sigma, "sigma")
    if epsilon != 0:
        check_epsilon(epsilon)
    near, far = ratio / 2 - epsilon / ratio, -ratio / 2 - epsilon / ratio
    # The second term as one exponential: e^ε alone may overflow where the product is harmless.
    return max(0.0, _phi(near) - math.exp(epsilon + _log_phi(far)))


def _phi(x: float) -> float:
    """Distribution function of the standard normal law."""
    return math.erfc(-x / math.sqrt(2)) / 2


def _log_phi(x: float) -> float:
    """Logarithm of the distribution function, also where it underflows (by its continued fraction)."""
    if x > -30:
        return math.log(_phi(x))
    tail = 0.0
    for i in range(40, 0, -1):
        tail = i / (-x + tail)
    return -(x**2) / 2 - math.log(math.sqrt(2 * math.pi) * (-x + tail))


# ---- whole numbers: nothing is rounded, so nothing leaks through the last bits -----------------------------------


def discrete_laplace(value: int, *, epsilon: float, sensitivity: int = 1, rng: Rng = None) -> int:
    r"""Add whole-number noise :math:`\Pr[z] \propto e^{-\varepsilon|z|/\Delta}`, sampled exactly.

    Parameters
    ----------
    value : int
        The true answer.
    epsilon : float
        Privacy budget ε, finite and > 0; used as the exact fraction that the float is.
    sensitivity : int, default 1
        Largest change Δ ≥ 1 between neighbouring data sets.
    rng : numpy.random.Generator, int or None
        Source of randomness.

    Returns
    -------
    int
        The answer with noise.

    References
    ----------
    A. Ghosh, T. Roughgarden and M. Sundararajan. Universally utility-maximizing privacy mechanisms. STOC 2009.
    C. L. Canonne, G. Kamath and T. Steinke. The discrete Gaussian for differential privacy. NeurIPS 2020,
    algorithms 1 and 2.
    """
    value, sensitivity = check_int(value, "value", -(2**62), 2**62), check_int(sensitivity, "sensitivity", 1)
    return value + _discrete_laplace(sensitivity / Fraction(check_epsilon(epsilon)), check_rng(rng))


def discrete_gaussian(value: int, *, sigma: float, rng: Rng = None) -> int:
    r"""Add whole-number noise :math:`\Pr[z] \propto e^{-z^2/2\sigma^2}`, sampled exactly.

    Parameters
    ----------
    value : int
        The true answer.
    sigma : float
        Scale σ > 0; the variance of the noise is at most σ². For sensitivity Δ it is Δ²/(2σ²)-zCDP.
    rng : numpy.random.Generator, int or None
        Source of randomness.

    Returns
    -------
    int
        The answer with noise.

    References
    ----------
    C. L. Canonne, G. Kamath and T. Steinke. The discrete Gaussian for differential privacy. NeurIPS 2020,
    algorithm 3 and theorem 4.
    """
    value, generator = check_int(value, "value", -(2**62), 2**62), check_rng(rng)
    variance = Fraction(check_positive(sigma, "sigma")) ** 2
    t = math.isqrt(int(variance)) + 1
    while True:
        z = _discrete_laplace(Fraction(t), generator)
        if _bernoulli_exp((abs(z) - variance / t) ** 2 / (2 * variance), generator):
            return value + z


def _discrete_laplace(scale: Fraction, rng: np.random.Generator) -> int:
    """Draw z with probability proportional to exp(−|z|/scale), by algorithm 2 with scale = t/s."""
    t, s = scale.numerator, scale.denominator
    while True:
        u = _below(t, rng)
        if not _bernoulli_exp(Fraction(u, t), rng):
            continue
        v = 0
        while _bernoulli_exp(Fraction(1), rng):
            v += 1
        size = (u + t * v) // s
        negative = _below(2, rng) == 1
        if not (negative and size == 0):
            return -size if negative else size


def _bernoulli_exp(x: Fraction, rng: np.random.Generator) -> bool:
    """Draw True with probability exp(−x), x ≥ 0, exactly (algorithm 1)."""
    while x > 1:
        if not _bernoulli_exp(Fraction(1), rng):
            return False
        x -= 1
    k = 1
    while _below((x / k).denominator, rng) < (x / k).numerator:
        k += 1
    return k % 2 == 1


def _below(n: int, rng: np.random.Generator) -> int:
    """Draw a whole number 0, …, n − 1, n of any size, uniformly and exactly."""
    bits = (n - 1).bit_length()
    while True:
        number = int.from_bytes(rng.bytes((bits + 7) // 8), "little") >> (-bits % 8)
        if number < n:
            return number


# ---- why real numbers in a computer are a problem ------------------------------------------------------------------


def floating_point_outputs(value: float, *, epsilon: float, sensitivity: float = 1.0, bits: int = 12) -> Floats:
    r"""List every number that a textbook Laplace sampler can answer, for a coarse source of randomness.

    The sampler computes value ± (Δ/ε)·ln(u) in double precision, u being one of :math:`2^{-b}, 2\cdot2^{-b}, …, 1`.
    Real libraries have b = 53: too many to list, and just as full of holes.

    Parameters
    ----------
    value : float
        The true answer.
    epsilon, sensitivity : float
        As in :func:`laplace`.
    bits : int, default 12
        b, from 1 to 20.

    Returns
    -------
    ndarray of float64
        The possible answers, ascending, each once. An answer that is possible for one value and not for its neighbour
        tells them apart for certain.

    References
    ----------
    I. Mironov. On significance of the least significant bits for differential privacy. CCS 2012.

    Examples
    --------
    >>> zero, one = (floating_point_outputs(v, epsilon=1.0, bits=10) for v in (0.0, 1.0))
    >>> float(np.isin(one, zero).mean()) < 0.1
    True
    """
    value = float(check_values(value, "value"))
    scale = check_positive(sensitivity, "sensitivity") / check_epsilon(epsilon)
    bits = check_int(bits, "bits", 1, 20)
    noise = scale * np.log(np.arange(1, 2**bits + 1) / 2**bits)
    return np.unique(np.concatenate([value + noise, value - noise]))
