r"""Smooth sensitivity: noise for the data at hand, through a bound that neighbours nearly share.

The local sensitivity of a median is often tiny, but noise of that size would itself tell neighbours apart. The largest
local sensitivity of *all* data sets, each discounted by :math:`e^{-\beta}` for every record in which it differs, is
nearly the same for neighbours (never more than :math:`e^\beta` times another), and noise that bears being stretched a
little may be scaled by it. Everything here is for neighbours of one size that differ in one record (replace-one, n is
public); there is no other choice.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Floats
from ldp_core._validate import (
    Rng,
    check_epsilon,
    check_interval,
    check_numbers,
    check_positive,
    check_probability,
    check_rng,
    check_scale,
    check_vector,
)
from ldp_core.central.noise import add_laplace

__all__ = ["smooth_beta", "smooth_median", "smooth_noise_density", "smooth_scale", "smooth_sensitivity_median"]

#: Largest slope of the logarithm of :func:`smooth_noise_density`: 4z³/(1 + z⁴), at z⁴ = 3.
_SLOPE = 3**0.75

#: So many pairs of order statistics are compared at once.
_AT_ONCE = 2**14

#: Smooth sensitivities below this are rounded up to it: a constant is smooth, and noise never vanishes.
_LEAST = 1e-300


def smooth_sensitivity_median(values: npt.ArrayLike, *, beta: float, bounds: tuple[float, float]) -> float:
    r"""Give the β-smooth sensitivity of the lower median, :math:`S(x) = \max_y LS(y)\,e^{-\beta\,d(x, y)}`.

    d counts the records in which two data sets of n records differ, LS is the largest change of the median by one
    replaced record; for one person more or less (add/remove) nothing is bounded. With :math:`x_1 \le … \le x_n`
    sorted, :math:`x_0` and :math:`x_{n+1}` the bounds and m = ⌈n/2⌉,

    .. math::  S(x) = \max_{0 \le i \le m \le j \le n + 1,\ i < j} (x_j - x_i)\,e^{-\beta(j - i - 1)}.

    It lies between 1e-300 and upper − lower, and is read off the private data: noise may be scaled by it, but it must
    not be published.

    Notes
    -----
    For :math:`i < i'` the quotient :math:`(x_j - x_{i'})/(x_j - x_i)` grows with j. So the best j of one i never lies
    below that of a smaller i, and halving the range of i finds all in O(n log n).

    References
    ----------
    K. Nissim, S. Raskhodnikova and A. Smith. Smooth sensitivity and sampling in private data analysis. STOC 2007,
    definition 2.2 and section 3.1.

    Examples
    --------
    >>> smooth_sensitivity_median([1, 2, 3, 4, 5, 6, 7], beta=0.5, bounds=(0, 8))
    1.2130613194252668
    >>> smooth_sensitivity_median([4] * 7, beta=0.5, bounds=(0, 8))  # four records must change before it can move
    0.8925206405937193
    """
    low, high = check_interval(bounds)
    beta = check_positive(beta, "beta")
    data = np.sort(np.clip(check_vector(values, "values"), low, high))
    m = (len(data) + 1) // 2
    padded = np.concatenate([[low], data, [high]])

    def logs(i: npt.NDArray[np.int64], j: npt.NDArray[np.int64]) -> Floats:
        steps = j - i - 1
        with np.errstate(divide="ignore"):
            return np.where(steps < 0, -np.inf, np.log(padded[j] - padded[np.minimum(i, j)]) - beta * steps)

    best, waiting = -math.inf, [(0, m, m, len(padded) - 1)]
    while waiting:
        first, last, from_j, to_j = waiting.pop()
        if first > last:
            continue
        j = np.arange(from_j, to_j + 1)
        if (last - first + 1) * len(j) <= _AT_ONCE:
            best = max(best, float(logs(np.arange(first, last + 1)[:, None], j).max()))
            continue
        i = (first + last) // 2
        row = logs(np.array(i), j)
        at = int(np.argmax(row))
        best = max(best, float(row[at]))
        if row[at] == -math.inf:  # all as large as x_i, so that nothing can be gained further to the right
            waiting.append((first, i - 1, from_j, to_j))
        else:
            waiting += [(first, i - 1, from_j, from_j + at), (i + 1, last, from_j + at, to_j)]
    return max(math.exp(best), _LEAST)


def smooth_beta(epsilon: float, *, delta: float | None = None) -> float:
    r"""Give the β for which :func:`smooth_median` spends half of ε on the stretching of its noise.

    It is ε/6 for the noise of :func:`smooth_noise_density`, and with a δ, for Laplace noise,
    :math:`\ln\left(1 + \frac{\varepsilon}{2\max(1, \ln(1/\delta))}\right)`.

    Examples
    --------
    >>> smooth_beta(3.0), round(smooth_beta(3.0, delta=1e-6), 4)
    (0.5, 0.1031)
    """
    epsilon = check_epsilon(epsilon)
    if delta is None:
        return check_positive(epsilon / 6, "epsilon / 6")
    tail = max(1.0, -math.log(check_probability(delta, "delta")))
    return check_positive(math.log1p(epsilon / (2 * tail)), "beta of these epsilon and delta")


def smooth_scale(epsilon: float, *, delta: float | None = None) -> float:
    r"""Give the scale of the noise of :func:`smooth_median`, as a multiple of the smooth sensitivity.

    It is :math:`2 \cdot 3^{3/4}/\varepsilon`, and 2/ε with a δ. The standard deviation is as large without δ, and √2
    times that with Laplace noise.

    Examples
    --------
    >>> round(smooth_scale(1.0), 3), smooth_scale(1.0, delta=1e-6)
    (4.559, 2.0)
    """
    epsilon = check_epsilon(epsilon)
    if delta is not None:
        check_probability(delta, "delta")
    return check_positive((2 * _SLOPE if delta is None else 2.0) / epsilon, "scale of this epsilon")


def smooth_noise_density(z: npt.ArrayLike) -> Floats:
    r"""Give the density at z of the noise without δ, :math:`\frac{\sqrt2}{\pi}\,\frac{1}{1 + z^4}`; its variance is 1.

    Shifted by s it changes by at most a factor :math:`e^{3^{3/4}|s|}`, stretched by :math:`e^\lambda` by at most
    :math:`e^{3|\lambda|}`. Laplace noise bears no stretching in its tails, Gaussian noise still less.

    Examples
    --------
    >>> smooth_noise_density([0.0, 1.0]).round(3)
    array([0.45 , 0.225])
    """
    with np.errstate(over="ignore"):
        density: Floats = math.sqrt(2) / math.pi / (1 + check_numbers(z, "z") ** 4)
    return density


def smooth_median(
    values: npt.ArrayLike, *, epsilon: float, bounds: tuple[float, float], delta: float | None = None, rng: Rng = None
) -> float:
    r"""Give the lower median with noise scaled by its smooth sensitivity, private for one replaced record; n is public.

    Without a δ that is ε-differential privacy, with noise of density :func:`smooth_noise_density`, else (ε,
    δ)-differential privacy, with Laplace noise. The median may come out beyond the bounds; whoever wants to may clip
    it.

    Notes
    -----
    Let :math:`\beta` be :func:`smooth_beta`, a = ε/2, and neighbours x and x'. The medians differ by at most S(x) and
    by at most S(x'), and S(x)/S(x') lies within :math:`e^{\pm\beta}`. Without δ the shift costs
    :math:`3^{3/4}/(2 \cdot 3^{3/4}/\varepsilon) = a`, the stretching 3β = a. With Laplace noise the loss at z is at
    most :math:`|z|(e^\lambda - 1) - \lambda + a` where the scale shrinks by :math:`e^{-\lambda}`, 0 ≤ λ ≤ β, and at
    most a + β where it grows; :math:`|z| > \ln(1/\delta)` has probability δ, and elsewhere both are at most ε.

    References
    ----------
    K. Nissim, S. Raskhodnikova and A. Smith. Smooth sensitivity and sampling in private data analysis. STOC 2007. The
    constants here are smaller than theirs, for this one noise.

    Examples
    --------
    >>> ages = np.arange(17, 92).repeat(400)  # two hundred people must change before the median can leave 54
    >>> round(smooth_median(ages, epsilon=1.0, bounds=(0, 120), rng=0), 6)
    54.0
    """
    low, high = check_interval(bounds)
    data = np.sort(np.clip(check_vector(values, "values"), low, high))
    beta, ratio = smooth_beta(epsilon, delta=delta), smooth_scale(epsilon, delta=delta)
    # By the widest noise there can be: whether an argument is refused may not depend on the values.
    check_scale(high - low, epsilon, ratio * epsilon, name="bounds")
    generator = check_rng(rng, law=("smooth median", beta, ratio, low, high))
    scale = smooth_sensitivity_median(data, beta=beta, bounds=(low, high)) * ratio
    median = float(data[(len(data) - 1) // 2])
    if delta is not None:
        return float(add_laplace(median, scale, generator))
    # z⁴ is a quotient of Gamma variables with shapes 1/4 and 3/4.
    size = (generator.standard_gamma(0.25) / generator.standard_gamma(0.75)) ** 0.25
    return median + scale * float(size if generator.random() < 0.5 else -size)
