"""Make estimates presentable: no negative counts, the right total. Never done inside ``estimate``, because it biases.

Anything computed from reports alone costs no privacy (post-processing). It does cost unbiasedness: estimates of rare
values are negative about half of the time, and raising just those raises the average. Sums and differences of changed
estimates are off by the sum of such errors, so compute first and make presentable last.

Where a mechanism has a channel and no unbiased estimate, :func:`em` and :func:`ems` find shares that explain the counts
of its reports, presentable from the start; :func:`quantile` reads medians and the like off any shares.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Floats
from ldp_core._validate import (
    LARGEST_BOUND,
    check_channel,
    check_filled,
    check_int,
    check_interval,
    check_non_negative,
    check_positive,
    check_vector,
    first_where,
)

__all__ = ["clip_negative", "em", "ems", "normalize", "project_simplex", "quantile"]


def clip_negative(estimates: npt.ArrayLike) -> Floats:
    r"""Raise negative estimates, counts or frequencies, to zero.

    Notes
    -----
    Biased upwards, most for values that nobody holds: there the estimate is roughly normal around 0 with standard
    deviation σ, and its positive part has mean :math:`\sigma/\sqrt{2\pi} \approx 0.4\,\sigma`. In exchange the mean
    squared error of every entry can only become smaller.

    Examples
    --------
    >>> clip_negative([-2.5, 0.0, 7.0])
    array([0., 0., 7.])
    """
    return np.maximum(check_filled(estimates, "estimates"), 0.0)


def normalize(estimates: npt.ArrayLike, total: float = 1.0) -> Floats:
    """Multiply estimates so that they sum to ``total``.

    Each vector of the estimates, along the last axis, must have a positive sum. Clip first if nothing negative should
    remain. The total is 1 for frequencies, n for counts.

    Notes
    -----
    A quotient of unbiased estimates is not unbiased. After :func:`clip_negative` the sum is too large, so
    that dividing by it makes frequent values too small, in proportion.

    References
    ----------
    T. Wang, M. Lopuhaä-Zwakenberg, Z. Li, B. Skoric and N. Li. Locally differentially private frequency estimation
    with consistency. NDSS 2020 (clipping followed by this is its "Norm-Mul").

    Examples
    --------
    >>> normalize([1.0, 3.0], total=100)
    array([25., 75.])
    """
    vectors, total = _check_vectors(estimates, total)
    # Measured by the largest entry, no sum overflows and no quotient of tiny numbers is lost.
    largest = np.abs(vectors).max(axis=-1, keepdims=True)
    vectors = vectors / np.where(largest > 0, largest, 1.0)
    sums = vectors.sum(axis=-1, keepdims=True)
    if not np.all(sums > 0):
        least = float((sums * largest).min())
        raise ValueError(f"estimates must have a positive sum to be scaled, got sum {least!r}: try project_simplex")
    with np.errstate(over="ignore"):
        scaled: Floats = vectors / sums * total
    if not np.isfinite(scaled).all():
        raise ValueError(f"total must be small enough that the scaled estimates are finite, got {total!r}")
    return scaled


def project_simplex(estimates: npt.ArrayLike, total: float = 1.0) -> Floats:
    r"""Give the vector nearest to the estimates without negative entries that sums to ``total``.

    That is the point of :math:`\{x \ge 0, \sum x_v = \text{total}\}` at the least Euclidean distance:
    max(estimate − t, 0), with t chosen so that the sum is right.

    Notes
    -----
    Biased, but no vector of true counts that sums to ``total`` is further from the projection than from the estimates.
    Small values are pushed to zero together: where only frequent values matter it is the better of the two, where
    sums over many rare values matter it is not.

    References
    ----------
    J. Duchi, S. Shalev-Shwartz, Y. Singer and T. Chandra. Efficient projections onto the l1-ball for learning in high
    dimensions. ICML 2008, figure 1. T. Wang et al. NDSS 2020 ("Norm-Sub").

    Examples
    --------
    >>> project_simplex([0.75, 0.5, -0.25])
    array([0.625, 0.375, 0.   ])
    """
    vectors, total = _check_vectors(estimates, total)
    d = vectors.shape[-1]
    # With the j largest entries kept, t would be (their sum − total)/j; the right j is the last with its entry above t.
    # Measured from the largest entry, so that a common offset of any size cancels before anything is summed.
    with np.errstate(over="ignore"):  # what is minus infinity then is far below any t
        centred = vectors - vectors.max(axis=-1, keepdims=True)
        descending = -np.sort(-centred, axis=-1)
        shifts = (np.cumsum(descending, axis=-1) - total) / np.arange(1, d + 1)
    kept = np.count_nonzero(descending > shifts, axis=-1, keepdims=True)
    projected: Floats = np.maximum(centred - np.take_along_axis(shifts, kept - 1, axis=-1), 0.0)
    return projected


def em(counts: npt.ArrayLike, channel: npt.ArrayLike, *, tolerance: float = 1e-2, iterations: int = 10_000) -> Floats:
    r"""Give the shares of inputs that make counts of reports likeliest, by expectation and maximization.

    From equal shares θ on, each step multiplies them so that the log-likelihood :math:`\sum_y c_y \ln (\theta P)_y`
    never falls:

    .. math::  \theta_v \leftarrow \theta_v \sum_y \frac{c_y}{n} \frac{P_{vy}}{(\theta P)_y}.

    Parameters
    ----------
    counts : array_like, shape (..., outputs)
        How often each report c_y came, n in all; leading axes are independent runs.
    channel : array_like, shape (inputs, outputs)
        Probability P of each report under each input, such as ``channel()`` of an oracle or of
        :class:`~ldp_core.numeric.SquareWave`.
    tolerance : float, default 1e-2
        Iteration ends with the step that gains no more log-likelihood than this, whatever n; a gain of 1 makes the
        counts e times likelier.
    iterations : int, default 10_000
        Most steps that are made: where these were not enough, what the last one gave is returned.

    Returns
    -------
    ndarray of float64, shape (..., inputs)
        Shares, ≥ 0 with sum 1.

    Notes
    -----
    To stop early is part of the method. The maximum itself, which tolerance 0 and many iterations approach, explains
    the last bit of noise as well, by spikes with nothing in between.

    References
    ----------
    Z. Li et al. Estimating numerical distributions under local differential privacy. SIGMOD 2020.

    Examples
    --------
    >>> em([700, 300], [[0.75, 0.25], [0.25, 0.75]], tolerance=1e-9).round(3)
    array([0.9, 0.1])
    """
    return _climb(counts, channel, tolerance, iterations, smooth=False)


def ems(counts: npt.ArrayLike, channel: npt.ArrayLike, *, tolerance: float = 1e-3, iterations: int = 10_000) -> Floats:
    """Do what :func:`em` does for inputs in order, such as bins, and smooth shares after each step.

    Each becomes half of itself and a quarter of both neighbours; the outer ones are their own neighbours. The
    ``counts``, ``channel`` and most ``iterations`` are those of :func:`em`, which end here when a step changes the
    log-likelihood by no more than the ``tolerance``.

    Notes
    -----
    What is approached is no maximum, but shares from which a step of :func:`em` leads as far away as smoothing leads
    back. In many bins neighbours are near, in few they are far apart: there it flattens the truth, however many people
    were asked. So take many (256 or more for :class:`~ldp_core.numeric.SquareWave` at ε = 1), and add them up later.

    References
    ----------
    Z. Li et al. SIGMOD 2020.

    Examples
    --------
    >>> ems([90, 10, 10, 10], np.eye(4) / 2 + 1 / 8).round(2)
    array([0.63, 0.29, 0.06, 0.02])
    """
    return _climb(counts, channel, tolerance, iterations, smooth=True)


def quantile(shares: npt.ArrayLike, levels: npt.ArrayLike, *, bounds: tuple[float, float] = (-1.0, 1.0)) -> Any:
    """Give the values up to which given parts of a population lie, by the shares of equal bins, each spread evenly.

    Parameters
    ----------
    shares : array_like, shape (bins,)
        Shares, or counts, of bins: ≥ 0 with a positive sum.
    levels : array_like, any shape
        Which parts, in [0, 1]: 0.5 for the median.
    bounds : (float, float), default (-1.0, 1.0)
        Ends of the range that the bins cut up.

    Returns
    -------
    float, or ndarray of float64 in the shape of levels
        The least value up to which so large a part lies; at level 0 the lower end of the first bin that is not empty.

    Examples
    --------
    >>> quantile([0.25, 0.5, 0.25, 0.0], [0.25, 0.5, 1.0], bounds=(0, 80))
    array([20., 30., 60.])
    """
    mass, part, (low, high) = check_vector(shares, "shares"), check_filled(levels, "levels"), check_interval(bounds)
    if mass.min() < 0:
        raise ValueError(f"shares must be >= 0, got {first_where(mass, mass < 0)}: try project_simplex")
    if ((part < 0) | (part > 1)).any():
        raise ValueError(f"levels must lie in [0, 1], got {first_where(part, (part < 0) | (part > 1))}")
    mass = normalize(mass)
    filled = np.flatnonzero(mass)
    reached = np.cumsum(mass[filled])
    place = np.minimum(np.searchsorted(reached, part), filled.size - 1)  # rounding may leave the last below 1
    within = np.clip(1 - (reached[place] - part) / mass[filled[place]], 0, 1)
    values = low + (high - low) * ((filled[place] + within) / mass.size)
    return float(values) if part.ndim == 0 else values


def _climb(counts: npt.ArrayLike, channel: npt.ArrayLike, tolerance: float, iterations: int, *, smooth: bool) -> Floats:
    matrix, seen = check_channel(channel), check_filled(counts, "counts")
    tolerance = check_non_negative(tolerance, "tolerance")
    iterations = check_int(iterations, "iterations", 1)
    if seen.shape[-1:] != matrix.shape[1:]:
        raise ValueError(f"counts must have shape (..., {matrix.shape[1]}), as the channel has, got {seen.shape}")
    impossible = (seen > 0) & ~matrix.any(axis=0)
    if (bad := (seen < 0) | (seen > LARGEST_BOUND) | impossible).any():
        raise ValueError(
            f"counts must be >= 0, at most {LARGEST_BOUND:g}, and 0 for reports that the channel never makes, "
            f"got {first_where(seen, bad)}"
        )
    if not seen.any(axis=-1).all():
        raise ValueError("counts must add up to more than 0 in each run, got 0")
    runs = seen.reshape(-1, matrix.shape[1])
    n = runs.sum(axis=1)
    # A report that did not come says nothing beside the others, and neither does the scale of a column.
    part, matrix = runs / n[:, None], matrix / np.maximum(matrix.max(axis=0), np.finfo(float).tiny)
    shares = np.full((len(runs), len(matrix)), 1 / len(matrix))
    likelihood, climbing = np.full(len(runs), -np.inf), np.arange(len(runs))
    for _ in range(iterations):
        came = part[climbing]
        mixture = np.where(came > 0, shares[climbing] @ matrix, 1.0)
        before, now = likelihood[climbing], n[climbing] * (came * np.log(mixture)).sum(axis=1)
        likelihood[climbing] = now
        goes_on = abs(now - before) > tolerance
        climbing = climbing[goes_on]
        if not climbing.size:
            break
        step = shares[climbing] * ((came / mixture)[goes_on] @ matrix.T)
        if smooth:
            padded = np.pad(step, ((0, 0), (1, 1)), mode="edge")
            step = padded[:, :-2] / 4 + step / 2 + padded[:, 2:] / 4
        shares[climbing] = step / step.sum(axis=1, keepdims=True)
    return shares.reshape(*seen.shape[:-1], len(matrix))


def _check_vectors(estimates: npt.ArrayLike, total: float) -> tuple[Floats, float]:
    vectors = check_filled(estimates, "estimates")
    if vectors.ndim == 0:
        raise ValueError("estimates must have shape (..., d), got a single number")
    return vectors, check_positive(total, "total")
