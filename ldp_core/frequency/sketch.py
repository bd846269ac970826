"""Count-mean sketches: reports about a hash of the value, for domains too large to have a bit each.

A sketch is a small table of numbers, ``rows`` × ``width``. Each row has a public hash function from values to columns;
each user answers about one row, drawn at random. Values that share a column cannot be told apart in that row: that is
the price of hashing, paid in addition to the price of privacy, and more users do not lower it; more rows do.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._validate import Rng, check_epsilon, check_int, check_rng
from ldp_core.frequency._domain import Domain
from ldp_core.frequency._sampler import bernoulli, column_sums, fill_bernoulli
from ldp_core.frequency.base import Codes, Counts, Floats


class _Sketch(ABC):
    """What both sketches share: public hash functions, and an estimate that averages rows and subtracts collisions.

    From a report of row j, :meth:`_scores` makes for each column an unbiased guess of "is this the user's column?". The
    estimated count of w adds up the guesses at the columns h_j(w), and corrects for the share 1/width of other values
    that fall there by chance: ``width/(width − 1) · (sum − n/width)``.
    """

    def __init__(
        self,
        epsilon: float,
        domain: int | Sequence[Any] | npt.NDArray[Any],
        rows: int = 16,
        width: int = 64,
        hash_seed: int = 0,
    ) -> None:
        self.epsilon = check_epsilon(epsilon)
        self._domain = Domain(domain)
        self.rows = check_int(rows, "rows", 1, 2**15)
        self.width = check_int(width, "width", 2, 2**16)
        self.hash_seed = check_int(hash_seed, "hash_seed", 0)
        # H3: a code's binary digits times random coefficients, modulo width. Exactly universal, as in LocalHashing.
        digits = np.arange(self.d)[:, None] >> np.arange((self.d - 1).bit_length()) & 1
        coefficients = np.random.default_rng(self.hash_seed).integers(self.width, size=(digits.shape[1], self.rows))
        #: Column of every value in every row, shape (d, rows).
        self.columns: npt.NDArray[np.int64] = digits @ coefficients % self.width

    @property
    def domain(self) -> tuple[Any, ...]:
        """The categories, in the order of every vector of counts."""
        return self._domain.categories

    @property
    def d(self) -> int:
        """Number of categories."""
        return len(self._domain.categories)

    def encode(self, values: npt.ArrayLike) -> Codes:
        """Turn values into codes, positions in the domain.

        Parameters
        ----------
        values : array_like, shape (n,)
            One value per user, each in the domain.

        Returns
        -------
        ndarray of int64, shape (n,)
            Codes 0, …, d − 1.
        """
        return self._domain.encode(values)

    @abstractmethod
    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> npt.NDArray[np.int64]:
        """Draw one report per user."""

    def privatize(self, values: npt.ArrayLike, rng: Rng = None) -> npt.NDArray[np.int64]:
        """Encode and perturb: everything that happens on the users' devices.

        Parameters
        ----------
        values : array_like, shape (n,)
            One value per user, each in the domain.
        rng : numpy.random.Generator, int or None
            Source of randomness.

        Returns
        -------
        ndarray of int64, first axis of length n
            Reports.
        """
        return self.perturb(self.encode(values), rng)

    @abstractmethod
    def aggregate(self, reports: npt.ArrayLike) -> Counts:
        """Add reports up into a sketch; sketches of parts add up to the sketch of the whole."""

    @abstractmethod
    def _scores(self, sketch: Counts) -> Floats:
        """Sum, over the users of each row, of unbiased guesses of "is this the user's column?"; (rows, width)."""

    @property
    @abstractmethod
    def _second_moments(self) -> tuple[float, float]:
        """Mean square of one user's guess at a column: for the user's own column, and for another."""

    def estimate(self, sketch: npt.ArrayLike, n: int) -> Floats:
        """Estimate how many users hold each value.

        Parameters
        ----------
        sketch : array_like of int
            What :meth:`aggregate` returned.
        n : int
            Number of users who reported, n ≥ 1.

        Returns
        -------
        ndarray of float64, shape (d,)
            Estimates, unbiased over the draw of the hash functions; :meth:`expectation` gives the mean for the ones in
            use. Never clipped or rounded.
        """
        n = check_int(n, "n", 1)
        scores = self._scores(self._check_sketch(sketch))
        return self._correct(scores[np.arange(self.rows), self.columns].sum(axis=1), n)

    def expectation(self, true_counts: npt.ArrayLike) -> Floats:
        """Give the mean of the estimate under these hash functions: the truth, and what collisions add to it.

        Parameters
        ----------
        true_counts : array_like of int, shape (d,)
            How many users hold each value.

        Returns
        -------
        ndarray of float64, shape (d,)
            Exact means over the users' randomness.
        """
        counts = self._domain.check_true_counts(true_counts)
        shared = np.zeros(self.d)
        for column in self.columns.T:
            shared += np.bincount(column, weights=counts, minlength=self.width)[column] / self.rows
        return self._correct(shared, int(counts.sum()))

    def variance(self, true_counts: npt.ArrayLike) -> Floats:
        """Give the exact variance of each estimate over the users' randomness, under these hash functions.

        Parameters
        ----------
        true_counts : array_like of int, shape (d,)
            How many users hold each value.

        Returns
        -------
        ndarray of float64, shape (d,)
            Variances around :meth:`expectation`. Users are independent: each adds the mean square of a guess less its
            squared mean, where a user with value v shares the column of w in a fraction of the rows.
        """
        counts = self._domain.check_true_counts(true_counts)
        own, other = self._second_moments
        held = np.flatnonzero(counts)
        rows_shared = np.zeros((self.d, held.size), dtype=np.uint16)
        for column in self.columns.T:
            rows_shared += np.equal.outer(column, column[held])
        share = rows_shared / self.rows
        variance: Floats = (share * own + (1 - share) * other - share**2) @ counts[held]
        return variance * (self.width / (self.width - 1)) ** 2

    def _correct(self, total: Floats, n: int) -> Floats:
        return (total - n / self.width) * (self.width / (self.width - 1))

    def _split(self, counts: Counts, rng: np.random.Generator) -> Counts:
        """Let users draw their rows: how many of each row hold a value of each column, shape (rows, width)."""
        chosen = rng.multinomial(counts, np.full(self.rows, 1 / self.rows))  # (d, rows)
        truth = np.zeros((self.rows, self.width), dtype=np.int64)
        np.add.at(truth, (np.broadcast_to(np.arange(self.rows), self.columns.shape), self.columns), chosen)
        return truth

    def _check_sketch(self, sketch: npt.ArrayLike) -> Counts:
        array = np.asarray(sketch)
        if array.shape != self._shape or array.dtype.kind not in "iu":
            raise ValueError(f"sketch must be whole numbers of shape {self._shape}, got {array.dtype} {array.shape}")
        return array.astype(np.int64)

    @property
    @abstractmethod
    def _shape(self) -> tuple[int, int]:
        """Shape of a sketch."""

    def _check_reports(self, reports: npt.ArrayLike, width: int) -> npt.NDArray[np.int64]:
        array = np.asarray(reports)
        if array.ndim != 2 or array.shape[1] != width or len(array) == 0:
            raise ValueError(f"reports must have shape (n, {width}) with n >= 1, got shape {array.shape}")
        if array.dtype.kind not in "iu":
            raise TypeError(f"reports must be integers, got dtype {array.dtype}")
        if array[:, 0].min() < 0 or array[:, 0].max() >= self.rows:
            raise ValueError(f"reports must name a row between 0 and {self.rows - 1}, got {array[:, 0].max()}")
        return array.astype(np.int64, copy=False)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(epsilon={self.epsilon:g}, d={self.d}, rows={self.rows}, width={self.width})"


class CountMeanSketch(_Sketch):
    r"""Apple's private count-mean sketch (CMS): symmetric unary encoding of a hash value.

    The user draws a row j, hashes the value to one of ``width`` columns, and reports j with ``width`` bits, the
    column's bit set, each bit flipped with probability :math:`1/(e^{\varepsilon/2}+1)`.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of one report, finite and > 0.
    domain : int or sequence
        The d ≥ 2 possible values.
    rows : int, default 16
        Number of hash functions (k in the paper).
    width : int, default 64
        Number of columns (m in the paper), 2 to 65,536.
    hash_seed : int, default 0
        Seed of the public hash functions: server and devices must agree. Not a source of privacy.

    Notes
    -----
    The sketch that :meth:`aggregate` returns has ``rows`` × (``width`` + 1) counts: the set bits per column, and in the
    last column the number of users of the row. The published constants of estimate and report are the same thing
    written with bits ±1.

    References
    ----------
    Apple Differential Privacy Team. Learning with privacy at scale. Apple Machine Learning Journal 1(8), 2017,
    algorithms 1 and 2.

    Examples
    --------
    >>> sketch = CountMeanSketch(epsilon=4.0, domain=1000)
    >>> reports = sketch.privatize([7] * 500 + [8] * 500, rng=0)
    >>> reports.shape, sketch.bits
    ((1000, 65), 68)
    >>> int(np.argmax(sketch.estimate(sketch.aggregate(reports), n=1000))) in (7, 8)
    True
    """

    @property
    def p(self) -> float:
        """Probability that the bit of the user's column is reported as 1."""
        return 1.0 / (1.0 + math.exp(-self.epsilon / 2))

    @property
    def q(self) -> float:
        """Probability that another bit is reported as 1: 1 − p."""
        return math.exp(-self.epsilon / 2) * self.p

    @property
    def bits(self) -> int:
        """Bits of a report: the row's number and ``width`` bits."""
        return (self.rows - 1).bit_length() + self.width

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> npt.NDArray[np.int64]:
        """Draw one report per user.

        Parameters
        ----------
        encoded : array_like of int, shape (n,)
            Codes 0, …, d − 1.
        rng : numpy.random.Generator, int or None
            Source of randomness.

        Returns
        -------
        ndarray of int64, shape (n, 1 + width)
            The row, then the bits.
        """
        codes = self._domain.check_codes(encoded, "encoded")
        generator = check_rng(rng)
        n = codes.size
        row = generator.integers(self.rows, size=n)
        bits = np.empty((n, self.width), dtype=np.bool_)
        fill_bernoulli(bits.reshape(-1), self.q, generator)
        bits[np.arange(n), self.columns[codes, row]] = ~bernoulli(self.q, n, generator)
        return np.column_stack([row, bits])

    def aggregate(self, reports: npt.ArrayLike) -> Counts:
        """Add reports up into a sketch.

        Parameters
        ----------
        reports : array_like of int, shape (n, 1 + width)
            What :meth:`perturb` returned, or any of its rows.

        Returns
        -------
        ndarray of int64, shape (rows, width + 1)
            Set bits per row and column, and users per row. Sketches of parts add up.
        """
        checked = self._check_reports(reports, 1 + self.width)
        if checked[:, 1:].min() < 0 or checked[:, 1:].max() > 1:
            raise ValueError("reports must hold bits 0 and 1 after the row, got another number")
        bits = checked[:, 1:].astype(np.uint8)
        sketch = np.zeros(self._shape, dtype=np.int64)
        for row in np.unique(checked[:, 0]):
            mine = bits[checked[:, 0] == row]
            sketch[row] = [*column_sums(mine), len(mine)]
        return sketch

    def simulate(self, true_counts: npt.ArrayLike, rng: Rng = None) -> Counts:
        """Draw a sketch from its exact law, at a cost that does not depend on the number of users.

        Parameters
        ----------
        true_counts : array_like of int, shape (d,)
            How many users hold each value.
        rng : numpy.random.Generator, int or None
            Source of randomness.

        Returns
        -------
        ndarray of int64, shape (rows, width + 1)
            A draw with exactly the distribution of ``aggregate(privatize(values))``: users pick rows, bits are
            independent.
        """
        counts = self._domain.check_true_counts(true_counts)
        generator = check_rng(rng)
        truth = self._split(counts, generator)
        users = truth.sum(axis=1, keepdims=True)
        ones = generator.binomial(truth, self.p) + generator.binomial(users - truth, self.q)
        return np.hstack([ones, users])

    def channel(self) -> Floats:
        """Give the exact probability of every report under every value.

        Returns
        -------
        ndarray of float64, shape (d, rows · 2**width)
            Reports row by row, bits counting upwards with the first column as the most significant.

        Raises
        ------
        ValueError
            If the matrix would have more than 2**22 entries.
        """
        if self.d * self.rows * 2.0**self.width > 2**22:
            raise ValueError(f"the channel must have at most 2**22 entries, got more for {self!r}: try a smaller width")
        patterns = np.arange(2**self.width)[:, None] >> np.arange(self.width)[::-1] & 1
        flipped = patterns[None] ^ np.eye(self.width, dtype=np.int64)[:, None]  # column, pattern, bit
        law = np.where(flipped, self.q, self.p).prod(axis=2) / self.rows
        channel: Floats = law[self.columns].reshape(self.d, -1)
        return channel

    @property
    def _shape(self) -> tuple[int, int]:
        return self.rows, self.width + 1

    @property
    def _second_moments(self) -> tuple[float, float]:
        noise = self.p * self.q / (self.p - self.q) ** 2
        return 1 + noise, noise

    def _scores(self, sketch: Counts) -> Floats:
        scores: Floats = (sketch[:, :-1] - sketch[:, -1:] * self.q) / (self.p - self.q)
        return scores


class HadamardCountMeanSketch(_Sketch):
    r"""Apple's Hadamard count-mean sketch (HCMS): one bit per user.

    The row of bits of :class:`CountMeanSketch` is replaced by a single entry of its Hadamard transform: the user draws
    a row j and an index l, and reports both with the sign
    :math:`H_{l,\,h_j(v)} = (-1)^{\text{ones in } l \wedge h_j(v)}`,
    flipped with probability :math:`1/(e^{\varepsilon}+1)`. The server transforms back.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of one report, finite and > 0.
    domain : int or sequence
        The d ≥ 2 possible values.
    rows : int, default 16
        Number of hash functions (k in the paper).
    width : int, default 64
        Number of columns (m in the paper), a power of two from 2 to 65,536.
    hash_seed : int, default 0
        Seed of the public hash functions: server and devices must agree. Not a source of privacy.

    References
    ----------
    Apple Differential Privacy Team. Learning with privacy at scale. Apple Machine Learning Journal 1(8), 2017,
    algorithms 3 and 4.

    Examples
    --------
    >>> sketch = HadamardCountMeanSketch(epsilon=4.0, domain=1000)
    >>> reports = sketch.privatize([7] * 500 + [8] * 500, rng=0)
    >>> reports.shape, sketch.bits  # ten of the bits say what was asked; one is the answer
    ((1000, 3), 11)
    """

    def __init__(
        self,
        epsilon: float,
        domain: int | Sequence[Any] | npt.NDArray[Any],
        rows: int = 16,
        width: int = 64,
        hash_seed: int = 0,
    ) -> None:
        super().__init__(epsilon, domain, rows, width, hash_seed)
        if self.width & (self.width - 1):
            raise ValueError(f"width must be a power of two, got {width!r}")

    @property
    def p(self) -> float:
        """Probability that the true sign is reported."""
        return 1.0 / (1.0 + math.exp(-self.epsilon))

    @property
    def _flip(self) -> float:
        """1 − p, without cancellation."""
        return math.exp(-self.epsilon) * self.p

    @property
    def bits(self) -> int:
        """Bits of a report: the numbers of row and index, and the sign."""
        return (self.rows - 1).bit_length() + self.width.bit_length()

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> npt.NDArray[np.int64]:
        """Draw one report per user.

        Parameters
        ----------
        encoded : array_like of int, shape (n,)
            Codes 0, …, d − 1.
        rng : numpy.random.Generator, int or None
            Source of randomness.

        Returns
        -------
        ndarray of int64, shape (n, 3)
            Row, index and sign (−1 or 1).
        """
        codes = self._domain.check_codes(encoded, "encoded")
        generator = check_rng(rng)
        n = codes.size
        row = generator.integers(self.rows, size=n)
        index = generator.integers(self.width, size=n)
        sign = _hadamard(index, self.columns[codes, row])
        flip = bernoulli(self._flip, n, generator)
        return np.column_stack([row, index, np.where(flip, -sign, sign)])

    def aggregate(self, reports: npt.ArrayLike) -> Counts:
        """Add reports up into a sketch.

        Parameters
        ----------
        reports : array_like of int, shape (n, 3)
            What :meth:`perturb` returned, or any of its rows.

        Returns
        -------
        ndarray of int64, shape (rows, width)
            Sum of the signs per row and index. Sketches of parts add up.
        """
        checked = self._check_reports(reports, 3)
        if checked[:, 1].min() < 0 or checked[:, 1].max() >= self.width:
            raise ValueError(f"reports must name an index between 0 and {self.width - 1}, got {checked[:, 1].max()}")
        if not np.all(np.abs(checked[:, 2]) == 1):
            raise ValueError("reports must have a sign of -1 or 1, got another number")
        sketch = np.zeros(self._shape, dtype=np.int64)
        np.add.at(sketch, (checked[:, 0], checked[:, 1]), checked[:, 2])
        return sketch

    def simulate(self, true_counts: npt.ArrayLike, rng: Rng = None) -> Counts:
        """Draw a sketch from its exact law, at a cost that does not depend on the number of users.

        Parameters
        ----------
        true_counts : array_like of int, shape (d,)
            How many users hold each value.
        rng : numpy.random.Generator, int or None
            Source of randomness.

        Returns
        -------
        ndarray of int64, shape (rows, width)
            A draw with exactly the distribution of ``aggregate(privatize(values))``: users pick rows and indices, and
            each cell is a sum of independent signs.
        """
        counts = self._domain.check_true_counts(true_counts)
        generator = check_rng(rng)
        truth = self._split(counts, generator)
        up, cell = np.zeros(self._shape, dtype=np.int64), np.zeros(self._shape, dtype=np.int64)
        indices = np.arange(self.width)
        for row, column in np.argwhere(truth):
            chosen = generator.multinomial(truth[row, column], np.full(self.width, 1 / self.width))
            cell[row] += chosen
            up[row] += np.where(_hadamard(indices, column) > 0, chosen, 0)
        sketch: Counts = 2 * (generator.binomial(up, self.p) + generator.binomial(cell - up, self._flip)) - cell
        return sketch

    def channel(self) -> Floats:
        """Give the exact probability of every report under every value.

        Returns
        -------
        ndarray of float64, shape (d, rows · width · 2)
            Reports by row, then index, then sign (−1 first).

        Raises
        ------
        ValueError
            If the matrix would have more than 2**22 entries.
        """
        if self.d * self.rows * self.width * 2 > 2**22:
            raise ValueError(
                f"the channel must have at most 2**22 entries, got more for {self!r}: try a smaller domain"
            )
        sign = _hadamard(self.columns[:, :, None], np.arange(self.width))  # value, row, index
        up = np.where(sign > 0, self.p, self._flip)
        down = np.where(sign > 0, self._flip, self.p)
        channel: Floats = np.stack([down, up], axis=-1).reshape(self.d, -1) / (self.rows * self.width)
        return channel

    @property
    def _shape(self) -> tuple[int, int]:
        return self.rows, self.width

    @property
    def _scale(self) -> float:
        """What makes a reported sign unbiased: (e^ε + 1)/(e^ε − 1)."""
        return 1.0 / math.tanh(self.epsilon / 2)

    @property
    def _second_moments(self) -> tuple[float, float]:
        return self._scale**2, self._scale**2

    def _scores(self, sketch: Counts) -> Floats:
        # The fast transform: sums and differences of neighbours at distance 1, 2, 4, …
        scores: Floats = (self._scale * sketch).astype(np.float64)
        for step in 2 ** np.arange(self.width.bit_length() - 1):
            pairs = scores.reshape(self.rows, -1, 2, step)
            scores = np.stack([pairs[:, :, 0] + pairs[:, :, 1], pairs[:, :, 0] - pairs[:, :, 1]], axis=2)
            scores = scores.reshape(self._shape)
        return scores


def _hadamard(row: npt.NDArray[np.int64], column: Any) -> npt.NDArray[np.int64]:
    """Entries of the Hadamard matrix: −1 to the number of ones that the two indices have in common."""
    signs: npt.NDArray[np.int64] = 1 - 2 * (np.bitwise_count(row & column).astype(np.int64) & 1)
    return signs
