"""Make estimates presentable: no negative counts, the right total. Never done inside ``estimate``, because it biases.

Anything computed from reports alone costs no privacy (post-processing). It does cost unbiasedness: estimates of rare
values are negative about half of the time, and raising just those raises the average. Sums and differences of changed
estimates are off by the sum of such errors, so compute first and make presentable last.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Floats
from ldp_core._validate import check_filled, check_positive

__all__ = ["clip_negative", "normalize", "project_simplex"]


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


def _check_vectors(estimates: npt.ArrayLike, total: float) -> tuple[Floats, float]:
    vectors = check_filled(estimates, "estimates")
    if vectors.ndim == 0:
        raise ValueError("estimates must have shape (..., d), got a single number")
    return vectors, check_positive(total, "total")
