"""Rényi and concentrated privacy: averages of the privacy loss, which add up, and what they come to at the end.

``alpha`` is the order α > 1 of a Rényi divergence, ``rdp`` the bound ε̄ ≥ 0 on it, ``rho`` the ρ > 0 of zCDP, ``sigma``
the standard deviation of Gaussian noise, whose sensitivity is Δ in L2.
"""

from __future__ import annotations

import math
import sys
from typing import Literal

import numpy as np

from ldp_core._validate import (
    check_epsilon,
    check_in_range,
    check_non_negative,
    check_option,
    check_positive,
    check_probability,
    check_real,
)
from ldp_core.central.composition import finite

__all__ = [
    "dp_to_zcdp", "rdp_gaussian", "rdp_laplace", "rdp_pure", "rdp_sampled_gaussian", "rdp_to_dp", "zcdp_gaussian",
    "zcdp_pure", "zcdp_to_dp",
]  # fmt: skip

Conversion = Literal["classic", "improved"]


def rdp_gaussian(alpha: float, *, sigma: float, sensitivity: float = 1.0) -> float:
    r"""Give the Rényi privacy of Gaussian noise at an order: :math:`\alpha\Delta^2/(2\sigma^2)`.

    It is attained.

    References
    ----------
    I. Mironov. Rényi differential privacy. CSF 2017, corollary 3.

    Examples
    --------
    >>> rdp_gaussian(3.0, sigma=2.0)
    0.375
    """
    return finite(check_order(alpha) * zcdp_gaussian(sigma=sigma, sensitivity=sensitivity), "alpha", alpha)


def rdp_laplace(alpha: float, *, epsilon: float) -> float:
    r"""Give the Rényi privacy of real-valued Laplace noise of scale Δ/ε at an order.

    .. math::  \frac{1}{\alpha-1}\ln\left(\frac{\alpha}{2\alpha-1}e^{(\alpha-1)\varepsilon}
        + \frac{\alpha-1}{2\alpha-1}e^{-\alpha\varepsilon}\right)

    It tends to its pure ε as α grows, and is the divergence at two neighbouring data sets that differ by the whole
    sensitivity. Of a vector whose changes add up to the sensitivity it is an upper bound, as this is convex in ε. That
    of noise in whole numbers may be larger: see :func:`rdp_pure`.

    References
    ----------
    I. Mironov. Rényi differential privacy. CSF 2017, proposition 6.

    Examples
    --------
    >>> round(rdp_laplace(2.0, epsilon=1.0), 4)
    0.6191
    """
    alpha, epsilon = check_order(alpha), check_epsilon(epsilon)
    a, b = (alpha - 1) * epsilon, alpha * epsilon
    if b > 1:
        first = a - math.log1p((alpha - 1) / alpha)
        second = -math.log(2 + 1 / (alpha - 1)) - b
        return finite((first + math.log1p(math.exp(second - first))) / (alpha - 1), "epsilon", epsilon)
    # The logarithm's argument is 1 + ab/(a + b)·(g(a) − g(−b)) with g(x) = (e^x − 1)/x: small ε does not cancel.
    if b < 1e-3:
        slope = 1 / 2 + (a - b) / 6 + (a * a - a * b + b * b) / 24 + (a - b) * (a * a + b * b) / 120
    else:
        slope = (math.expm1(a) / a + math.expm1(-b) / b) / (a + b)
    return math.log1p(a * b * slope) / (alpha - 1)


def rdp_pure(alpha: float, *, epsilon: float) -> float:
    r"""Give the Rényi privacy of any pure ε-private mechanism at an order: that of randomized response.

    .. math::  \frac{1}{\alpha-1}\ln\frac{e^{\alpha\varepsilon} + e^{(1-\alpha)\varepsilon}}{1 + e^{\varepsilon}}

    That is the largest Rényi divergence that a pure ε allows. Randomized response attains it, and so does
    :func:`ldp_core.central.discrete_laplace` at sensitivity 1, whose loss has the same two values.

    Notes
    -----
    Every ε-private mechanism, seen at two neighbours, is randomized response with something done to its answer
    afterwards (Kairouz, Oh and Viswanath), and nothing done afterwards makes a divergence larger.

    References
    ----------
    M. Bun and T. Steinke. Concentrated differential privacy. TCC 2016, proposition 3.3.
    P. Kairouz, S. Oh and P. Viswanath. The composition theorem for differential privacy. ICML 2015.

    Examples
    --------
    >>> round(rdp_pure(2.0, epsilon=1.0), 4)
    0.7353
    """
    alpha, epsilon = check_order(alpha), check_epsilon(epsilon)
    if alpha * epsilon > 30:
        excess = math.log1p(math.exp(-(2 * alpha - 1) * epsilon)) - math.log1p(math.exp(-epsilon))
        return finite(epsilon + excess / (alpha - 1), "epsilon", epsilon)
    # The quotient is cosh((α − ½)ε)/cosh(ε/2), written without cancellation for small ε.
    above_one = 2 * math.sinh(alpha * epsilon / 2) * math.sinh((alpha - 1) * epsilon / 2) / math.cosh(epsilon / 2)
    return math.log1p(above_one) / (alpha - 1)


def rdp_sampled_gaussian(alpha: float, *, sigma: float, sampling_rate: float, sensitivity: float = 1.0) -> float:
    r"""Give the Rényi privacy of a Gaussian answer about a random batch, which holds each person with probability q.

    At a whole order, with :math:`\mu = \Delta/\sigma`,

    .. math::  \frac{1}{\alpha-1}\ln\sum_{j=0}^{\alpha}\binom{\alpha}{j}(1-q)^{\alpha-j}q^j e^{j(j-1)\mu^2/2}

    and in between on the straight line that :math:`(\alpha-1)D_\alpha`, a convex function, does not exceed. The order
    is at most a million; ``sampling_rate`` is q in (0, 1], by a coin of each person's own (Poisson sampling). The
    divergence is that in the direction in which it is the larger, for one person more or less, not for a record that is
    replaced.

    References
    ----------
    I. Mironov, K. Talwar and L. Zhang. Rényi differential privacy of the sampled Gaussian mechanism. 2019, section 3.

    Examples
    --------
    >>> round(rdp_sampled_gaussian(2.0, sigma=1.0, sampling_rate=0.1), 6)
    0.017037
    >>> rdp_sampled_gaussian(3.0, sigma=2.0, sampling_rate=1.0)
    0.375
    """
    order = check_in_range(check_order(alpha), "alpha", 1, 1e6)
    rate = check_positive(check_in_range(sampling_rate, "sampling_rate", 0, 1), "sampling_rate")
    if rate == 1:
        return rdp_gaussian(order, sigma=sigma, sensitivity=sensitivity)
    half = zcdp_gaussian(sigma=sigma, sensitivity=sensitivity)
    low = math.floor(order)
    left = _sampled_moment(low, half, rate)
    right = left if order == low else _sampled_moment(low + 1, half, rate)
    moment = left + (order - low) * (right - left) if order > low else left
    return finite(moment / (order - 1), "alpha", alpha)


def _sampled_moment(order: int, half: float, rate: float) -> float:
    """(α − 1)·D at a whole order; all terms are positive, and those of j = 0 and 1 cancel."""
    if order == 1:
        return 0.0
    j = np.arange(2, order + 1)
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, order + 1)))])  # of factorials
    with np.errstate(over="ignore"):
        exponent = j * (j - 1.0) * half
        terms = logs[order] - logs[j] - logs[order - j] + (order - j) * math.log1p(-rate) + j * math.log(rate)
        terms = terms + exponent + np.log(-np.expm1(-exponent))
    largest = float(terms.max())
    if not math.isfinite(largest):
        return math.inf
    return float(np.logaddexp(0.0, largest + math.log(np.exp(terms - largest).sum())))


def rdp_to_dp(alpha: float, rdp: float, *, delta: float, conversion: Conversion = "classic") -> float:
    r"""Convert (α, ε̄)-Rényi privacy to the ε of (ε, δ).

    Parameters
    ----------
    conversion : {"classic", "improved"}, default "classic"
        "classic" [1]_: :math:`\bar\varepsilon + \frac{\ln(1/\delta)}{\alpha-1}`. "improved" [2]_:
        :math:`\bar\varepsilon + \frac{\ln(1/\delta) - \ln\alpha}{\alpha-1} + \ln\frac{\alpha-1}{\alpha}`, at least
        0, and never more.

    References
    ----------
    .. [1] I. Mironov. Rényi differential privacy. CSF 2017, proposition 3.
    .. [2] C. L. Canonne, G. Kamath and T. Steinke. The discrete Gaussian for differential privacy. NeurIPS 2020,
       proposition 12.

    Examples
    --------
    >>> round(rdp_to_dp(5.0, 0.3, delta=math.exp(-8)), 4)
    2.3
    >>> round(rdp_to_dp(5.0, 0.3, delta=math.exp(-8), conversion="improved"), 4)
    1.6745
    """
    alpha, rdp = check_order(alpha), check_non_negative(rdp, "rdp")
    delta = check_probability(delta, "delta")
    check_option(conversion, "conversion", ("classic", "improved"))
    convert = converted if conversion == "classic" else improved
    return finite(convert(alpha, rdp, delta), "rdp", rdp)


def converted(alpha: float, rdp: float, delta: float) -> float:
    """Convert checked arguments by Mironov's formula."""
    return rdp - math.log(delta) / (alpha - 1)


def improved(alpha: float, rdp: float, delta: float) -> float:
    """Convert checked arguments by the formula of Canonne, Kamath and Steinke."""
    return max(0.0, rdp - (math.log(delta) + math.log(alpha)) / (alpha - 1) + math.log1p(-1 / alpha))


def zcdp_gaussian(*, sigma: float, sensitivity: float = 1.0) -> float:
    r"""Give the ρ of Gaussian noise: :math:`\rho = \Delta^2/(2\sigma^2)`.

    The Rényi divergence of every order α is at most ρα. Where ρ underflows, it is the smallest normal double.

    References
    ----------
    M. Bun and T. Steinke. Concentrated differential privacy. TCC 2016, proposition 1.6.

    Examples
    --------
    >>> zcdp_gaussian(sigma=2.0)
    0.125
    """
    ratio = check_positive(sensitivity, "sensitivity") / check_positive(sigma, "sigma")
    return finite(half_square(ratio), "sensitivity / sigma", ratio)


def zcdp_pure(epsilon: float) -> float:
    r"""Give the ρ of a pure guarantee: :math:`\rho = \varepsilon^2/2` (Bun and Steinke, proposition 1.4).

    Examples
    --------
    >>> zcdp_pure(0.5)
    0.125
    """
    return finite(half_square(check_epsilon(epsilon)), "epsilon", epsilon)


def zcdp_to_dp(rho: float, *, delta: float) -> float:
    r"""Convert ρ-zCDP to the ε of (ε, δ): :math:`\rho + 2\sqrt{\rho\ln(1/\delta)}`.

    It is the smallest of :func:`rdp_to_dp` over all orders.

    References
    ----------
    M. Bun and T. Steinke. Concentrated differential privacy. TCC 2016, proposition 1.3.

    Examples
    --------
    >>> round(zcdp_to_dp(0.5, delta=math.exp(-8)), 4)
    4.5
    """
    rho, delta = check_positive(rho, "rho"), check_probability(delta, "delta")
    return finite(rho + 2 * math.sqrt(rho) * math.sqrt(-math.log(delta)), "rho", rho)


def dp_to_zcdp(epsilon: float, *, delta: float) -> float:
    """Give the largest ρ that :func:`zcdp_to_dp` turns into at most ε.

    Examples
    --------
    >>> round(zcdp_to_dp(dp_to_zcdp(1.0, delta=1e-6), delta=1e-6), 4)
    1.0
    """
    epsilon = check_epsilon(epsilon)
    log = -math.log(check_probability(delta, "delta"))
    # The root of ρ + 2√(ρL) = ε in √ρ, written without cancellation.
    root = epsilon / (math.sqrt(log + epsilon) + math.sqrt(log))
    return min(root * root, epsilon)  # the square may round beyond the largest double


def check_order(alpha: object) -> float:
    order = check_real(alpha, "alpha")
    if order <= 1:
        raise ValueError(f"alpha must be > 1, got {alpha!r}")
    return order


def half_square(x: float) -> float:
    """x²/2, rounded up where it underflows, so that no ledger forgets an entry; infinite where it overflows."""
    return max(x * x / 2, sys.float_info.min)
