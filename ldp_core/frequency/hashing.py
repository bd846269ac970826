"""Local hashing: hash the domain into a few buckets with a function of one's own, then answer about the bucket."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Counts, Floats
from ldp_core._validate import Rng, as_array, check_epsilon, check_int, check_rng, first_where
from ldp_core.frequency._domain import DomainLike
from ldp_core.frequency._sampler import bernoulli
from ldp_core.frequency.base import CHANNEL_LIMIT
from ldp_core.frequency.pure import PureOracle

__all__ = ["LocalHashing", "optimal_g"]

#: Most buckets: sums of two hash values then fit 32 bits.
MAX_G = 2**31

#: Most cells for which the joint law is simulated: a second or so.
SIMULATE_LIMIT = 2**22


class LocalHashing(PureOracle):
    r"""Optimized local hashing (OLH): a random hash function of one's own, and direct encoding of the hash value.

    Each user draws a function h from a family that maps the d values to g buckets, perturbs h(v) by direct encoding
    over the g buckets, and reports both. A report supports every value that h sends to the reported bucket:

    .. math::  p = \frac{e^{\varepsilon}}{e^{\varepsilon} + g - 1}, \qquad q = \frac1g.

    At g = e^ε + 1 the variance is that of optimized unary encoding; g is a whole number, and the best one has at
    most 3.1% more. A report takes about (1 + log₂ d)·log₂ g bits instead of d.

    Parameters
    ----------
    g : int, optional
        Number of buckets, 2 ≤ g ≤ 2**31; None takes the best, ``optimal_g(epsilon)``. g = 2 is binary local
        hashing (BLH).

    Notes
    -----
    The family: write the code x in binary, x = Σ xᵢ·2ⁱ, and draw one coefficient aᵢ per binary digit, uniformly from
    0, …, g − 1:

    .. math::  h_a(x) = \sum_i a_i x_i \bmod g.

    It is exactly universal for every g and d: two different codes differ in some digit i, so given all other
    coefficients the difference of their hashes is ±aᵢ plus a constant, which is uniform modulo g: they collide with
    probability exactly 1/g. That is all that q = 1/g needs: p/g + (1 − 1/g)(1 − p)/(g − 1) = 1/g. (Hashes of the form
    ((ax + b) mod P) mod g, and seeded general-purpose hashes, collide with probability only about 1/g.)

    A report is a row of n_digits + 1 unsigned integers: the coefficients, the one of the lowest digit first, and the
    reported bucket. Different users' reports are independent. Support counts of different values are not, as they
    come from the same hash functions.

    References
    ----------
    T. Wang, J. Blocki, N. Li and S. Jha. Locally differentially private protocols for frequency estimation.
    USENIX Security 2017, section 4. J. L. Carter and M. N. Wegman. Universal classes of hash functions. JCSS 18(2),
    1979 (the family H₃ is the same idea over bits).

    Examples
    --------
    >>> oracle = LocalHashing(epsilon=1.0, domain=128)
    >>> oracle.g, round(oracle.p, 4), oracle.q, oracle.bits
    (4, 0.4754, 0.25, 16)
    >>> oracle.privatize([5, 5, 77], rng=0).shape  # seven coefficients and a bucket
    (3, 8)
    """

    def __init__(self, epsilon: float, domain: DomainLike, *, g: int | None = None) -> None:
        super().__init__(epsilon, domain)
        self.g = optimal_g(epsilon) if g is None else check_int(g, "g", 2, MAX_G)

    @property
    def p(self) -> float:
        """Probability that the reported bucket is the true value's."""
        return 1.0 / (1.0 + (self.g - 1) * math.exp(-self.epsilon))

    @property
    def q(self) -> float:
        """Probability that the reported bucket is that of a given other value: 1/g."""
        return 1.0 / self.g

    @property
    def _lie(self) -> float:
        """Probability of a given bucket other than the true one."""
        return math.exp(-self.epsilon) * self.p

    @property
    def _anything(self) -> float:
        """Probability of a bucket that does not depend on the value, g·lie = 1 − (p − lie)."""
        return min(1.0, self.g * self._lie)

    @property
    def _miss(self) -> float:
        return (self.g - 1) * self._lie

    @property
    def n_digits(self) -> int:
        """Number of binary digits of a code, hence of coefficients of a hash function."""
        return (self.d - 1).bit_length()

    @property
    def n_outputs(self) -> int:
        # g**n_digits functions, and g buckets.
        return int(self.g ** (self.n_digits + 1))

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> npt.NDArray[Any]:
        codes = self._check_codes(encoded)
        generator = check_rng(rng, law=self._coins())
        n = codes.size
        reports = generator.integers(self.g, size=(n, self.n_digits + 1), dtype=self._dtype)
        bucket = np.zeros(n, dtype=self._dtype)
        for i in range(self.n_digits):
            digit = (codes >> i & 1).astype(self._dtype)
            bucket = self._add(bucket, reports[:, i] * digit)
        # As in direct encoding: the true bucket, or with probability g·lie any, which is what the last column holds.
        anything = bernoulli(self._anything, n, generator)
        reports[:, -1] = np.where(anything, reports[:, -1], bucket)
        return reports

    def aggregate(self, reports: npt.ArrayLike) -> Counts:
        # All d hashes of a user are built by doubling: once those of the codes below 2ⁱ are known, adding aᵢ gives
        # those of the next 2ⁱ codes. Starting from minus the reported bucket, 0 means that the value is supported.
        checked = self._check_reports(reports)
        support = np.zeros(self.d, dtype=np.int64)
        users = max(256, 2**21 // (self.d * checked.itemsize))
        for start in range(0, len(checked), users):
            block = np.ascontiguousarray(checked[start : start + users].T)
            hashes = np.empty((self.d, block.shape[1]), dtype=self._dtype)
            hashes[0] = np.where(block[-1] == 0, 0, self.g - block[-1])
            for i in range(self.n_digits):
                known = 2**i
                new = hashes[known : 2 * known]
                new[:] = self._add(hashes[: len(new)], block[i])
            support += block.shape[1] - np.count_nonzero(hashes, axis=1)
        return support

    def simulate(self, true_counts: npt.ArrayLike, rng: Rng = None, *, size: int | None = None) -> Counts:
        """Draw support counts from their exact joint law, by drawing how many users picked each hash function.

        The cost does not grow with n, but with (d + g) times the number of hash functions: a quarter of a second at d =
        128 and ε = 1, where :meth:`simulate_marginals` takes a few microseconds a run. Use that wherever counts are
        looked at one at a time: each of its counts has the exact law. Where (d + g)·g**n_digits exceeds 2**22, the
        joint law of true_counts has no cheap form and is refused; size is the number of runs.
        """
        counts, shape = self._check_true_counts(true_counts, size)
        functions = self.g**self.n_digits
        if functions * (self.d + self.g) > SIMULATE_LIMIT:
            raise ValueError(
                f"domain must be small enough that (d + g) * g**n_digits is at most 2**22 for the joint law, got "
                f"d = {self.d}, g = {self.g}: use simulate_marginals, exact for each value on its own"
            )
        generator = check_rng(rng, law=self._coins())
        table = self._hashes(self._coefficients())
        rows = np.arange(functions)
        support = np.empty((*shape, self.d), dtype=np.int64)
        for total in support.reshape(-1, self.d):
            moved = generator.binomial(counts, self._anything)
            kept = counts - moved
            cells = generator.multinomial(int(moved.sum()), np.full(functions * self.g, 1 / (functions * self.g)))
            cells = cells.reshape(functions, self.g)
            for v in range(self.d):
                cells[rows, table[:, v]] += generator.multinomial(kept[v], np.full(functions, 1 / functions))
            total[:] = np.take_along_axis(cells, table, axis=1).sum(axis=0)
        return support

    def channel(self) -> Floats:
        outputs = self.outputs()
        truth = np.equal(self._hashes(outputs[:, :-1]).T, outputs[:, -1])
        return self._check_underflow(np.where(truth, self.p, self._lie) / self.g**self.n_digits)

    def _attack_success(self) -> float | None:
        # The best guess is any value of the reported bucket, if it has one: how many buckets have one, by function?
        functions = self.g**self.n_digits
        if functions * self.d > CHANNEL_LIMIT:
            return None
        filled = np.diff(np.sort(self._hashes(self._coefficients()), axis=1), axis=1).astype(bool).sum(axis=1) + 1
        return float(np.mean(filled * self.p + (self.g - filled) * self._lie)) / self.d

    def outputs(self) -> npt.NDArray[Any]:
        # Counting upwards in base g, with the bucket as the last digit.
        self._check_enumerable()
        return self._digits(self.n_digits + 1)

    def _coefficients(self) -> npt.NDArray[Any]:
        """All hash functions, one a row."""
        return self._digits(self.n_digits)

    def _digits(self, width: int) -> npt.NDArray[Any]:
        return np.indices((self.g,) * width).reshape(width, -1).T.astype(self._dtype)

    def _hashes(self, coefficients: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Hash values of all d codes (columns) under each function (rows), straight from the definition."""
        binary = np.arange(self.d)[:, None] >> np.arange(self.n_digits) & 1
        return coefficients.astype(np.int64) @ binary.T % self.g

    @property
    def _dtype(self) -> type[np.unsignedinteger[Any]]:
        """Smallest type that holds the sum of two hash values."""
        return next(t for t in (np.uint8, np.uint16, np.uint32) if 2 * self.g - 2 <= np.iinfo(t).max)

    def _add(self, x: npt.NDArray[Any], y: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Sum modulo g of numbers below g: where it is below g, subtracting g wraps around to something larger."""
        total = x + y
        reduced: npt.NDArray[Any] = np.minimum(total, total - self._dtype(self.g))
        return reduced

    def _check_reports(self, reports: npt.ArrayLike) -> npt.NDArray[Any]:
        array = as_array(reports, "reports")
        width = self.n_digits + 1
        if array.ndim != 2 or array.shape[1] != width or len(array) == 0:
            raise ValueError(f"reports must have shape (n, {width}) with n >= 1, got shape {array.shape}")
        if array.dtype.kind not in "iu":
            raise TypeError(f"reports must be integers, got dtype {array.dtype}")
        if array.min() < 0 or array.max() >= self.g:
            bad = first_where(array, (array < 0) | (array >= self.g))
            raise ValueError(f"reports must lie between 0 and {self.g - 1}, got {bad}")
        return array.astype(self._dtype, copy=False)

    def _parameters(self) -> dict[str, Any]:
        return {"g": self.g}


def optimal_g(epsilon: float) -> int:
    """Give the number of buckets at which a rare value is estimated with the least variance, about e^ε + 1.

    It is at most 2**31 (which e^ε passes at ε = 21.5; a domain is seldom that large).

    Examples
    --------
    >>> [optimal_g(epsilon) for epsilon in (0.1, 0.4, 1.0, 3.0)]
    [2, 3, 4, 21]
    """
    # With u = g − 1 the variance is (x + u)² / (u · (x − 1)²), x = e^ε: least at u = x, and u is as good as u + 1 where
    # x² = u · (u + 1). Past 2**31 the exponential is not needed, and might overflow.
    x = math.exp(min(check_epsilon(epsilon), 30.0))
    return min(max(1, math.ceil((math.sqrt(1 + 4 * x * x) - 1) / 2)) + 1, MAX_G)
