"""Histogram encoding: a noisy vector per user, summed as it is (SHE) or compared with a threshold first (THE)."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core import _discrete_laplace as noise
from ldp_core._discrete_laplace import Integers
from ldp_core._validate import (
    Rng,
    as_array,
    check_epsilon,
    check_in_range,
    check_int,
    check_numbers,
    check_rng,
    first_where,
)
from ldp_core.frequency._sampler import random_bytes, row_blocks
from ldp_core.frequency.base import Floats, FrequencyOracle, allocate
from ldp_core.frequency.unary import UnaryEncoding


class NoisyHistogram(FrequencyOracle):
    """Report a vector with a single 1, with independent noise of rate ε/2 on every component; the sum estimates.

    What :class:`SummationHistogram` and :class:`DiscreteSummationHistogram` share: they differ in the noise.
    """

    #: What reports are made of.
    _dtype: type[np.float64] | type[np.int64]

    @abstractmethod
    def _noise(self, size: int, rng: np.random.Generator) -> npt.NDArray[Any]:
        """Draw independent noise, shape (size,)."""

    @abstractmethod
    def _noise_sums(self, n: int, shape: tuple[int, ...], rng: np.random.Generator) -> npt.NDArray[Any]:
        """Draw independent sums of n noises each."""

    @property
    @abstractmethod
    def _noise_variance(self) -> float:
        """Variance of the noise."""

    @property
    @abstractmethod
    def _peak(self) -> float:
        """Density, or probability, of the noise at 0."""

    @abstractmethod
    def _check_vectors(self, reports: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return reports, shape (n, d)."""

    @property
    def bits(self) -> int:
        """Bits of one report: d numbers, 64 bits each."""
        return 64 * self.d

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> npt.NDArray[Any]:
        """Add independent noise to every component of every user's vector.

        Parameters
        ----------
        encoded : array_like of int, shape (n,)
            Codes 0, …, d − 1: where the single 1 stands.
        rng : numpy.random.Generator, int or None
            Source of randomness.

        Returns
        -------
        ndarray of float64 (discrete noise: int64), shape (n, d)
            Noisy vectors.
        """
        codes = self._check_codes(encoded)
        generator = check_rng(rng)
        reports = allocate((codes.size, self.d), self._dtype, "encoded")
        for rows in row_blocks(codes.size, 16 * self.d):
            block = reports[rows].reshape(-1)
            block[:] = self._noise(block.size, generator)
            block[codes[rows] + self.d * np.arange(codes[rows].size)] += 1
        return reports

    def aggregate(self, reports: npt.ArrayLike) -> npt.NDArray[Any]:
        """Sum the reports, component by component.

        Parameters
        ----------
        reports : array_like, shape (n, d)
            What :meth:`perturb` returned, or any of its rows.

        Returns
        -------
        ndarray of float64 (discrete noise: int64), shape (d,)
            Sums; those of shards add up to those of the whole (up to rounding, where they are floats).

        Raises
        ------
        ValueError
            If reports is empty, not n × d, or not finite; for discrete noise also if they are not whole numbers.
        """
        total: npt.NDArray[Any] = self._check_vectors(reports).sum(axis=0)
        if not np.isfinite(total).all():
            raise ValueError("reports must be small enough for their sum to be finite in double precision")
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
        r"""Exact variance of an estimated count: n times that of the noise, whatever the true count.

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
        variance = n * self._noise_variance
        return variance if np.ndim(count) == 0 else np.full(true_count.shape, variance)

    def simulate(self, true_counts: npt.ArrayLike, rng: Rng = None, size: int | None = None) -> npt.NDArray[Any]:
        """Draw sums from their exact joint law: components are independent, and sums of noise have a law of their own.

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
        ndarray of float64 (discrete noise: int64), shape (d,) or (size, d)
            Sums.
        """
        counts, shape = self._check_true_counts(true_counts, size)
        generator = check_rng(rng)
        sums: npt.NDArray[Any] = counts + self._noise_sums(int(counts.sum()), (*shape, self.d), generator)
        return sums

    def density(self, reports: npt.ArrayLike, encoded: npt.ArrayLike) -> Floats:
        r"""Give the density (discrete noise: the probability) of each report under the given code.

        Parameters
        ----------
        reports : array_like, shape (n, d)
            Reports.
        encoded : array_like of int, shape (n,)
            The code under which to look at each report.

        Returns
        -------
        ndarray of float64, shape (n,)
            :math:`\prod_w c\,e^{-\varepsilon |y_w - x_w|/2}`, where :math:`c = \varepsilon/4`, and for discrete noise
            :math:`\tanh(\varepsilon/4)`; between two codes it changes by a factor of at most :math:`e^{\varepsilon}`.
        """
        vectors = self._check_vectors(reports)
        codes = self._check_codes(encoded)
        if codes.size != len(vectors):
            raise ValueError(f"encoded must have one code per report ({len(vectors)}), got {codes.size}")
        distance = np.abs(vectors).sum(axis=1).astype(np.float64)
        own = vectors[np.arange(codes.size), codes]
        distance += np.abs(own - 1) - np.abs(own)
        density: Floats = np.exp(-distance * self.epsilon / 2 + self.d * math.log(self._peak))
        return density

    def channel(self) -> Floats:
        """Refuse: there are infinitely many reports, so there is no finite matrix; see :meth:`density`.

        Raises
        ------
        ValueError
            Always.
        """
        raise ValueError(
            f"{type(self).__name__} has infinitely many reports and no channel matrix: use density(reports, encoded)"
        )


class SummationHistogram(NoisyHistogram):
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

    See Also
    --------
    DiscreteSummationHistogram : The same with whole numbers, whose guarantee holds in a computer too.
    ldp_core.floating.betrayed : Measures what the note below says.

    Notes
    -----
    The guarantee is that of real-valued noise, and a computer has none: doubles lie closer together near 0 than near
    1. Where 1 plus noise lands between −½ and ½ it is a multiple of 2⁻⁵³, but noise that was added to nothing has
    finer digits, and a component with such digits is *certainly* not the user's own [1]_. With two values that gives
    away the value of 29 % of the users at ε = 1, and of 59 % at ε = 5 (:func:`ldp_core.floating.betrayed`). The cure
    is :class:`DiscreteSummationHistogram`; or send bits, as :class:`ThresholdHistogram` does.

    References
    ----------
    .. [1] I. Mironov. On significance of the least significant bits for differential privacy. CCS 2012.
    .. [2] C. Dwork, F. McSherry, K. Nissim and A. Smith. Calibrating noise to sensitivity in private data analysis.
       TCC 2006.
    .. [3] T. Wang et al. USENIX Security 2017, section 4.2.

    Examples
    --------
    >>> oracle = SummationHistogram(epsilon=2.0, domain=range(10, 101))
    >>> oracle.privatize([25, 41, 99], rng=0).shape
    (3, 91)
    >>> oracle.variance(1000)
    2000.0
    """

    _dtype = np.float64

    def __init__(self, epsilon: float, domain: int | Sequence[Any] | npt.NDArray[Any]) -> None:
        super().__init__(epsilon, domain)
        if 1 + self.scale == self.scale:
            raise ValueError(f"epsilon must leave the encoded 1 visible in double precision, got {epsilon!r}")

    @property
    def scale(self) -> float:
        """Scale of the Laplace noise, 2/ε."""
        return 2 / self.epsilon

    @property
    def _noise_variance(self) -> float:
        return 2 * self.scale**2

    @property
    def _peak(self) -> float:
        return 1 / (2 * self.scale)

    def _noise(self, size: int, rng: np.random.Generator) -> Floats:
        """Draw Laplace noise: an exponential variable with a random sign."""
        noise = rng.standard_exponential(size)
        bits = np.unpackbits(random_bytes(-(-size // 8), rng), count=size)
        sign = bits.astype(np.uint64) << np.uint64(63)  # the sign bit of a double is its first
        noise.view(np.uint64)[:] |= sign
        noise *= self.scale
        return noise

    def _noise_sums(self, n: int, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
        # A Laplace variable is the difference of two exponentials; n exponentials add up to a Gamma(n) variable.
        gammas = rng.standard_gamma(n, size=(2, *shape))
        sums: Floats = self.scale * (gammas[0] - gammas[1])
        return sums

    def _check_vectors(self, reports: npt.ArrayLike) -> Floats:
        return check_shape(check_numbers(reports, "reports"), self.d)


class DiscreteSummationHistogram(NoisyHistogram):
    r"""SHE with whole numbers: add integers X with :math:`\Pr[X = x] = \tanh(\varepsilon/4)\,e^{-\varepsilon|x|/2}`.

    A value is encoded as a vector with a single 1, as for :class:`SummationHistogram`; noise that only takes whole
    numbers loses nothing, for there is nothing in between to hide. It even costs less: the variance of a count is
    :math:`n/(2\sinh^2(\varepsilon/4))`, below the :math:`8n/\varepsilon^2` of Laplace noise for every ε.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of one report, finite and at least 2**−44.
    domain : int or sequence
        The d ≥ 2 possible values: an integer d stands for 0, 1, …, d − 1; a sequence lists the categories, each once.

    Notes
    -----
    *Privacy.* The vectors x and x′ of two values differ in two components, by 1 in each. For every report y, by the
    triangle inequality,

    .. math::  \frac{\Pr[y \mid x]}{\Pr[y \mid x']}
               = e^{\frac\varepsilon2 \sum_w (|y_w - x'_w| - |y_w - x_w|)}
               \le e^{\frac\varepsilon2 \sum_w |x_w - x'_w|} = e^{\varepsilon},

    with equality for y = x.

    *In a computer.* Noise is drawn with exactly these probabilities, whatever ε: its binary digits are independent
    coins, each of which compares random bits with as many binary places of its probability as it takes to decide.
    Reports are integers, which add up without rounding. So the bound holds for the reports that are sent, given
    independent fair bits (``rng=secure_rng()`` where that matters); the time that a draw takes is not covered.

    References
    ----------
    .. [1] A. Ghosh, T. Roughgarden and M. Sundararajan. Universally utility-maximizing privacy mechanisms. SIAM
       Journal on Computing 41(6), 2012.
    .. [2] C. L. Canonne, G. Kamath and T. Steinke. The discrete Gaussian for differential privacy. NeurIPS 2020,
       section 5.

    Examples
    --------
    >>> oracle = DiscreteSummationHistogram(epsilon=2.0, domain=range(10, 101))
    >>> oracle.privatize([25, 41, 99], rng=0).dtype
    dtype('int64')
    >>> round(oracle.variance(1000), 1), SummationHistogram(2.0, 91).variance(1000)
    (1841.3, 2000.0)
    """

    _dtype = np.int64

    def __init__(self, epsilon: float, domain: int | Sequence[Any] | npt.NDArray[Any]) -> None:
        super().__init__(epsilon, domain)
        self._rate = Fraction(self.epsilon) / 2
        if self._rate < noise.SMALLEST_RATE:
            raise ValueError(f"epsilon must be at least {float(2 * noise.SMALLEST_RATE):.3g}, got {epsilon!r}")

    @property
    def _noise_variance(self) -> float:
        return noise.discrete_laplace_variance(self._rate)

    @property
    def _peak(self) -> float:
        return math.tanh(self.epsilon / 4)

    def _noise(self, size: int, rng: np.random.Generator) -> Integers:
        return noise.discrete_laplace(self._rate, size, rng)

    def _noise_sums(self, n: int, shape: tuple[int, ...], rng: np.random.Generator) -> Integers:
        # Beyond 2^53 the sums of floats are rounded, long before an int64 runs over: that is 2^8 standard deviations.
        if n * self._noise_variance > 2.0**110:
            raise ValueError(
                f"true_counts must add up to fewer users for sums to fit an int64 at this epsilon, got {n}"
            )
        return noise.discrete_laplace_sums(n, self._rate, shape, rng).astype(np.int64)

    def _check_vectors(self, reports: npt.ArrayLike) -> Integers:
        array = as_array(reports, "reports")
        if array.dtype.kind not in "iu":
            array = check_numbers(array, "reports")
            if np.any(array != np.floor(array)) or np.any(np.abs(array) >= 2.0**63):
                bad = (array != np.floor(array)) | (np.abs(array) >= 2.0**63)
                raise ValueError(f"reports must be whole numbers below 2**63, got {first_where(array, bad)}")
        return check_shape(array, self.d).astype(np.int64, copy=False)


def check_shape(vectors: npt.NDArray[Any], d: int) -> npt.NDArray[Any]:
    """Return reports of at least one user, shape (n, d)."""
    if vectors.ndim != 2 or vectors.shape[1] != d or len(vectors) == 0:
        raise ValueError(f"reports must have shape (n, {d}) with n >= 1, got shape {vectors.shape}")
    return vectors


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
