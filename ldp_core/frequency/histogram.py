"""Summation with histogram encoding: a noisy vector per user, summed as it is."""

from __future__ import annotations

import math
from abc import abstractmethod
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core import _discrete_laplace as noise
from ldp_core._arrays import Floats
from ldp_core._discrete_laplace import Integers
from ldp_core._validate import Rng, as_array, check_int, check_numbers, check_rng, first_where, shown
from ldp_core.frequency._bits import attack_on_bits
from ldp_core.frequency._domain import DomainLike
from ldp_core.frequency._sampler import random_bytes, row_blocks
from ldp_core.frequency.base import FrequencyOracle, allocate

__all__ = ["DiscreteSummationHistogram", "NoisyHistogram", "SummationHistogram"]


class NoisyHistogram(FrequencyOracle):
    """Report a vector with a single 1, with independent noise of rate ε/2 on every component; the sum estimates.

    What :class:`SummationHistogram` and :class:`DiscreteSummationHistogram` share: they differ in the noise. Reports
    are rows of d numbers, and there are infinitely many of them: a :meth:`density` takes the place of a channel.
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
        # d numbers, 64 bits each.
        return 64 * self.d

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> npt.NDArray[Any]:
        codes = self._check_codes(encoded)
        generator = check_rng(rng, law=self._coins())
        reports = allocate((codes.size, self.d), self._dtype, "encoded")
        for rows in row_blocks(codes.size, 16 * self.d):
            block = reports[rows].reshape(-1)
            block[:] = self._noise(block.size, generator)
            block[codes[rows] + self.d * np.arange(codes[rows].size)] += 1
        return reports

    def aggregate(self, reports: npt.ArrayLike) -> npt.NDArray[Any]:
        # Sums of shards add up to those of the whole; up to rounding, where they are floats.
        total: npt.NDArray[Any] = self._check_vectors(reports).sum(axis=0)
        if not np.isfinite(total).all():
            raise ValueError("reports must be small enough for their sum to be finite in double precision")
        return total

    def estimate(self, counts: npt.ArrayLike, n: int) -> Floats:
        # The sums are unbiased estimates already; n is not needed, but every oracle asks for it.
        check_int(n, "n", 1)
        return self._check_support(counts)

    def variance(self, n: int, count: npt.ArrayLike = 0) -> Any:
        # n times that of the noise, whatever the true count.
        n, true_count = self._check_n_count(n, count)
        variance = n * self._noise_variance
        return variance if np.ndim(count) == 0 else np.full(true_count.shape, variance)

    def simulate(self, true_counts: npt.ArrayLike, rng: Rng = None, *, size: int | None = None) -> npt.NDArray[Any]:
        # Components are independent, and sums of noise have a law of their own.
        counts, shape = self._check_true_counts(true_counts, size)
        generator = check_rng(rng, law=self._coins())
        sums: npt.NDArray[Any] = counts + self._noise_sums(int(counts.sum()), (*shape, self.d), generator)
        return sums

    def density(self, reports: npt.ArrayLike, encoded: npt.ArrayLike) -> Floats:
        r"""Give the density (discrete noise: the probability) of each report, shape (n, d), under the code beside it.

        It is :math:`\prod_w c\,e^{-\varepsilon |y_w - x_w|/2}`, where :math:`c = \varepsilon/4`, and for discrete noise
        :math:`\tanh(\varepsilon/4)`; between two codes (in ``encoded``, shape (n,)) the density of reports changes by a
        factor of at most :math:`e^{\varepsilon}`.
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

    def attack_success(self, prior: npt.ArrayLike | None = None) -> float:
        if prior is not None:
            raise ValueError(f"prior must be None for a summation histogram, got {shown(prior)}")
        return self._attack_success()

    @abstractmethod
    def _attack_success(self) -> float:
        """The chance of the best guess if every value is alike."""


class SummationHistogram(NoisyHistogram):
    """Summation with histogram encoding (SHE): add Laplace noise of scale 2/ε to each of d components, and sum.

    A value is encoded as a vector with a single 1.0. Two such vectors are at distance 2 (sum of absolute differences),
    hence the scale. A report is d real numbers, 64·d bits as float64. It supports no value in particular, so there is
    no p and no q; the sums are unbiased as they are. Their variance, 8n/ε², does not depend on the true counts.

    See Also
    --------
    DiscreteSummationHistogram : The same with whole numbers, whose guarantee holds in a computer too.
    ldp_core.floating.betrayed : Measures what the note below says.

    Notes
    -----
    The guarantee is that of real-valued noise, and a computer has none: doubles lie closer together near 0 than near
    1. Where 1 plus noise lands between −½ and ½ it is a multiple of 2⁻⁵³, but noise that was added to nothing has
    finer digits, and a component with such digits is *certainly* not the user's own [1]_. With two values that gives
    away the value of 29% of the users at ε = 1, and of 59% at ε = 5 (:func:`ldp_core.floating.betrayed`). The cure
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

    def __init__(self, epsilon: float, domain: DomainLike) -> None:
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

    def _attack_success(self) -> float:
        # A bar y speaks for its value by |y| − |y − 1|, which is 1 from y = 1 on and −1 up to y = 0; the best guess is
        # the value for which most is said. First if that is 1, then if it is less, then if all say −1.
        a, d = self.epsilon / 2, self.d
        above = math.exp(-a) / 2
        top = -math.expm1(d * math.log1p(-above)) / (d * above) / 2 if above else 0.5
        nodes, weights = np.polynomial.legendre.leggauss(256)
        y = (nodes + 1) / 2
        between = (
            0.5
            if a > 100
            else float(weights @ (a / 4 * np.exp(-a * (1 - y) + (d - 1) * np.log1p(-np.exp(-a * y) / 2))))
        )
        return top + between + above * 0.5 ** (d - 1) / d

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
    :math:`n/(2\sinh^2(\varepsilon/4))`, below the :math:`8n/\varepsilon^2` of Laplace noise for every ε. It asks for ε
    ≥ 2**−44.

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

    def __init__(self, epsilon: float, domain: DomainLike) -> None:
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

    def _attack_success(self) -> float:
        # Whole bars say no more than whether they lie above 1/2: the bits of symmetric unary encoding.
        p = 1 / (1 + math.exp(-self.epsilon / 2))
        return attack_on_bits(p, 1 - p, self.d)

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
        whole = check_shape(array, self.d).astype(np.int64, copy=False)
        if np.abs(whole.sum(axis=0, dtype=np.float64)).max() >= 2.0**62:  # the sum below would wrap around
            raise ValueError("reports must add up to less than 2**62")
        return whole


def check_shape(vectors: npt.NDArray[Any], d: int) -> npt.NDArray[Any]:
    """Return reports of at least one user, shape (n, d)."""
    if vectors.ndim != 2 or vectors.shape[1] != d or len(vectors) == 0:
        raise ValueError(f"reports must have shape (n, {d}) with n >= 1, got shape {vectors.shape}")
    return vectors
