"""Noise in whole numbers, sampled exactly: nothing is rounded, so nothing leaks through the last bits."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from ldp_core._validate import Rng, check_epsilon, check_int, check_positive, check_rng

__all__ = ["discrete_gaussian", "discrete_laplace"]


def discrete_laplace(value: int, *, epsilon: float, sensitivity: int = 1, rng: Rng = None) -> int:
    r"""Add whole-number noise :math:`\Pr[z] \propto e^{-\varepsilon|z|/\Delta}` to a whole value, sampled exactly.

    ε is used as the exact fraction that the float is, and Δ ≥ 1 is a whole number.

    References
    ----------
    A. Ghosh, T. Roughgarden and M. Sundararajan. Universally utility-maximizing privacy mechanisms. STOC 2009.
    C. L. Canonne, G. Kamath and T. Steinke. The discrete Gaussian for differential privacy. NeurIPS 2020,
    algorithms 1 and 2.

    Examples
    --------
    >>> discrete_laplace(10, epsilon=1.0, rng=0)
    11
    """
    value, sensitivity = check_int(value, "value", -(2**62), 2**62), check_int(sensitivity, "sensitivity", 1)
    scale = sensitivity / Fraction(check_epsilon(epsilon))
    return value + _discrete_laplace(scale, check_rng(rng, law=("discrete laplace", scale)))


def discrete_gaussian(value: int, *, sigma: float, rng: Rng = None) -> int:
    r"""Add whole-number noise :math:`\Pr[z] \propto e^{-z^2/2\sigma^2}` to a whole value, sampled exactly.

    The variance of the noise is at most σ², that of ``sigma``. For sensitivity Δ it is Δ²/(2σ²)-zCDP.

    References
    ----------
    C. L. Canonne, G. Kamath and T. Steinke. The discrete Gaussian for differential privacy. NeurIPS 2020,
    algorithm 3 and theorem 4.

    Examples
    --------
    >>> discrete_gaussian(10, sigma=2.0, rng=0)
    7
    """
    value = check_int(value, "value", -(2**62), 2**62)
    variance = Fraction(check_positive(sigma, "sigma")) ** 2
    generator = check_rng(rng, law=("discrete gaussian", variance))
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
