"""Histogram encoding: a noisy vector per user, summed as it is (SHE) or compared with a threshold first (THE)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._validate import Rng, check_epsilon, check_in_range, check_int, check_rng
from ldp_core.frequency._sampler import random_bytes, row_blocks
from ldp_core.frequency.base import Floats, FrequencyOracle
from ldp_core.frequency.unary import UnaryEncoding


class SummationHistogram(FrequencyOracle):
    r"""Summation with histogram encoding (SHE): add Laplace noise of scale 2/ε to each of d components, and sum.

    A value is encoded as a vector with a single 1.0. Two such vectors are at distance 2 (sum of absolute differences),
    hence the scale. A report is d real numbers, 64·d bits as float64. It supports no value in particular, so there is
    no p and no q; the sums are unbiased as they are. Their variance, 8n/ε², does not depend on the true counts.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of one report, finite and > 0.
    domain : int or sequence
        The d ≥ 2 possible values: an integer d stands for 0, 1, …, d − 1; a sequence lists the categories, each once.

    Notes
    -----
    The guarantee is that of real-valued noise. Floating-point noise has gaps in its low bits through which a report
    can betray its value (Mironov, CCS 2012): a deployment would round reports to a grid, or send bits instead.

    References
    ----------
    C. Dwork, F. McSherry, K. Nissim and A. Smith. Calibrating noise to sensitivity in private data analysis. TCC 2006.
    T. Wang et al. USENIX Security 2017, section 4.2.

    Examples
    --------
    >>> oracle = SummationHistogram(epsilon=2.0, domain=range(10, 101))
    >>> oracle.privatize([25, 41, 99], rng=0).shape
    (3, 91)
    >>> oracle.variance(1000)
    2000.0
    """

    def __init__(self, epsilon: float, domain: int | Sequence[Any] | npt.NDArray[Any]) -> None:
        super().__init__(epsilon, domain)
        if 1 + self.scale == self.scale:
            raise ValueError(f"epsilon must leave the encoded 1 visible in double precision, got {epsilon!r}")

    @property
    def scale(self) -> float:
        """Scale of the Laplace noise, 2/ε."""
        return 2 / self.epsilon

    @property
    def bits(self) -> int:
        """Bits of one report: d numbers, sent as float64."""
        return 64 * self.d

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> Floats:
        """Add independent Laplace noise to every component of every user's vector.

        Parameters
        ----------
        encoded : array_like of int, shape (n,)
            Codes 0, …, d − 1: where the single 1.0 stands.
        rng : numpy.random.Generator, int or None
            Source of randomness.

        Returns
        -------
        ndarray of float64, shape (n, d)
            Noisy vectors.
        """
        codes = self._check_codes(encoded)
        generator = check_rng(rng)
        reports = np.empty((codes.size, self.d))
        for rows in row_blocks(codes.size, 16 * self.d):
            block = reports[rows].reshape(-1)
            _fill_laplace(block, generator)
            block *= self.scale
            block[codes[rows] + self.d * np.arange(codes[rows].size)] += 1.0
        return reports

    def aggregate(self, reports: npt.ArrayLike) -> Floats:
        """Sum the reports, component by component.

        Parameters
        ----------
        reports : array_like of float, shape (n, d)
            What :meth:`perturb` returned, or any of its rows.

        Returns
        -------
        ndarray of float64, shape (d,)
            Sums; those of shards add up to those of the whole (up to floating-point rounding).

        Raises
        ------
        ValueError
            If reports is empty, not n × d, or not finite.
        """
        vectors = self._check_vectors(reports)
        with np.errstate(invalid="ignore", over="ignore"):
            total: Floats = vectors.sum(axis=0)
        # One NaN or infinity shows in its column's sum: no need to look at every entry first.
        if not np.isfinite(total).all():
            raise ValueError("reports must be finite, got NaN or infinity")
        return total

    def estimate(self, counts: npt.ArrayLike, n: int) -> Floats:
        """Give the sums back: they are unbiased estimates already.

        Parameters
        ----------
        counts : array_like, shape (..., d)
            Sums of reports; leading axes are independent runs.
        n : int
            Number of users who reported, n ≥ 1. Not needed here, but every oracle asks for it.

        Returns
        -------
        ndarray of float64, shape (..., d)
            Estimated counts, possibly negative.

        Raises
        ------
        ValueError
            If the last axis of counts is not d long, a count is not finite, or n < 1.
        """
        check_int(n, "n", 1)
        return self._check_support(counts)

    def variance(self, n: int, count: npt.ArrayLike = 0) -> Any:
        r"""Exact variance of an estimated count, :math:`8n/\varepsilon^2` whatever the true count.

        Parameters
        ----------
        n : int
            Number of users, n ≥ 1.
        count : float or array_like, default 0
            True count of the value; it sets the shape of the answer only.

        Returns
        -------
        float or ndarray of float64
            Variance, in the shape of count.
        """
        n, true_count = self._check_n_count(n, count)
        variance = 2 * n * self.scale**2
        return variance if np.ndim(count) == 0 else np.full(true_count.shape, variance)

    def simulate(self, true_counts: npt.ArrayLike, rng: Rng = None, size: int | None = None) -> Floats:
        """Draw sums from their exact joint law.

        A Laplace variable is the difference of two exponentials, so the sum of n of them is the difference of two
        Gamma(n) variables; components are independent.

        Parameters
        ----------
        true_counts : array_like of int, shape (d,)
            How many users hold each value; at least one user in all.
        rng : numpy.random.Generator, int or None
            Source of randomness.
        size : int, optional
            Number of independent runs.

        Returns
        -------
        ndarray of float64, shape (d,) or (size, d)
            Sums.
        """
        counts, shape = self._check_true_counts(true_counts, size)
        generator = check_rng(rng)
        gammas = generator.standard_gamma(counts.sum(), size=(2, *shape, self.d))
        sums: Floats = counts + self.scale * (gammas[0] - gammas[1])
        return sums

    def density(self, reports: npt.ArrayLike, encoded: npt.ArrayLike) -> Floats:
        r"""Give the probability density of each report under the given code: the channel of a continuous report.

        Parameters
        ----------
        reports : array_like of float, shape (n, d)
            Reports.
        encoded : array_like of int, shape (n,)
            The code under which to look at each report.

        Returns
        -------
        ndarray of float64, shape (n,)
            :math:`\prod_w \frac{\varepsilon}{4} e^{-\varepsilon |y_w - x_w|/2}`; between two codes it changes by a
            factor of at most :math:`e^{\varepsilon}`.
        """
        vectors = self._check_vectors(reports)
        if not np.isfinite(vectors).all():
            raise ValueError("reports must be finite, got NaN or infinity")
        codes = self._check_codes(encoded)
        if codes.size != len(vectors):
            raise ValueError(f"encoded must have one code per report ({len(vectors)}), got {codes.size}")
        distance = np.abs(vectors).sum(axis=1)
        own = vectors[np.arange(codes.size), codes]
        distance += np.abs(own - 1) - np.abs(own)
        density: Floats = np.exp(-distance / self.scale - self.d * math.log(2 * self.scale))
        return density

    def channel(self) -> Floats:
        """Refuse: a report is a point of d-dimensional space, so there is no finite matrix; see :meth:`density`.

        Raises
        ------
        ValueError
            Always.
        """
        raise ValueError(
            "SummationHistogram has continuous reports and no channel matrix: use density(reports, encoded)"
        )

    def _check_vectors(self, reports: npt.ArrayLike) -> Floats:
        vectors = np.asarray(reports)
        if vectors.ndim != 2 or vectors.shape[1] != self.d or len(vectors) == 0:
            raise ValueError(f"reports must have shape (n, {self.d}) with n >= 1, got shape {vectors.shape}")
        if vectors.dtype.kind not in "iuf":
            raise TypeError(f"reports must be real numbers, got dtype {vectors.dtype}")
        return vectors.astype(np.float64, copy=False)


class ThresholdHistogram(UnaryEncoding):
    r"""Thresholding with histogram encoding (THE): noise as in SHE, then report only which components exceed θ.

    .. math::  p = 1 - \tfrac12 e^{-\varepsilon(1-\theta)/2}, \qquad q = \tfrac12 e^{-\varepsilon\theta/2},
               \qquad 0 \le \theta \le 1.

    Whether 1 + Laplace noise exceeds θ is a coin with bias p, whether the noise alone does is one with bias q, and
    components are independent: so the bits are drawn directly, from exactly the law of "add noise, then compare".
    A report is d bits.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of one report, finite and > 0.
    domain : int or sequence
        The d ≥ 2 possible values: an integer d stands for 0, 1, …, d − 1; a sequence lists the categories, each once.
    theta : float, optional
        Threshold θ in [0, 1]; None takes :func:`optimal_theta`.

    Attributes
    ----------
    theta : float
        The threshold in use.

    Notes
    -----
    Comparing discards information, and so gives away less: the bits satisfy LDP at
    :math:`\ln\frac{p(1-q)}{(1-p)q}`, which lies *below* ε for every θ in [0, 1]. Optimised unary encoding spends the
    whole ε, and so has the smaller variance for a rare value, whatever θ.

    References
    ----------
    T. Wang et al. USENIX Security 2017, section 4.2.

    Examples
    --------
    >>> oracle = ThresholdHistogram(epsilon=1.0, domain=91)
    >>> round(oracle.theta, 3), round(oracle.p, 3), round(oracle.q, 3)
    (0.619, 0.587, 0.367)
    >>> ThresholdHistogram(1.0, 91, theta=1.0).p
    0.5
    """

    def __init__(
        self, epsilon: float, domain: int | Sequence[Any] | npt.NDArray[Any], theta: float | None = None
    ) -> None:
        # Set first: the base class compares p with q, and both depend on it.
        self.theta = optimal_theta(epsilon) if theta is None else check_in_range(theta, "theta", 0.0, 1.0)
        super().__init__(epsilon, domain)

    @property
    def p(self) -> float:
        """Probability that the user's own component exceeds θ."""
        return 1 - self._miss

    @property
    def q(self) -> float:
        """Probability that another component exceeds θ."""
        return 0.5 * math.exp(-self.epsilon * self.theta / 2)

    @property
    def _miss(self) -> float:
        return 0.5 * math.exp(-self.epsilon * (1 - self.theta) / 2)

    def _parameters(self) -> dict[str, Any]:
        return {"theta": self.theta}


def optimal_theta(epsilon: float) -> float:
    r"""Give the threshold at which THE has the least variance for a rare value.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε, finite and > 0.

    Returns
    -------
    float
        θ, between 1/2 (its limit for small ε) and 1 (its limit for large ε).

    Notes
    -----
    With :math:`A = e^{\varepsilon/2}` and :math:`x = e^{\varepsilon\theta/2}` the variance at count 0 is
    :math:`n(2x-1)/(2x-1-x^2/A)^2`. Its derivative vanishes where :math:`3x^2 - 2(A+1)x + A = 0`, and the root with θ
    in [0, 1] is

    .. math::  \theta = \frac2\varepsilon \ln\frac{A + 1 + \sqrt{A^2 - A + 1}}{3}.

    Examples
    --------
    >>> [round(optimal_theta(epsilon), 3) for epsilon in (0.01, 1.0, 4.0)]
    [0.501, 0.619, 0.816]
    """
    epsilon = check_epsilon(epsilon)
    # In terms of a = 1/A = 1 + s, so that large ε does not overflow and small ε does not cancel.
    s = math.expm1(-epsilon / 2)
    root = math.sqrt(1 + s + s * s)
    return 1 + 2 * math.log1p((s + (s + s * s) / (1 + root)) / 3) / epsilon


def _fill_laplace(out: Floats, rng: np.random.Generator) -> None:
    """Fill a flat array with standard Laplace variables: an exponential variable with a random sign."""
    rng.standard_exponential(out=out)
    bits = np.unpackbits(random_bytes(-(-out.size // 8), rng), count=out.size)
    sign = bits.astype(np.uint64) << np.uint64(63)  # the sign bit of a double is its first
    out.view(np.uint64)[:] |= sign
