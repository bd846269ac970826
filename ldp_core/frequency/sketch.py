"""Count-mean sketches: reports about a hash of the value, for domains too large to have a bit each.

A sketch is a small table of numbers, ``rows`` × ``width``. Each row has a public hash function from values to columns;
each user answers about one row, drawn at random. Values that share a column cannot be told apart in that row: that is
the price of hashing, paid in addition to the price of privacy, and more users do not lower it; more rows do.
"""

from __future__ import annotations

import math
import sys
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._frozen import Frozen
from ldp_core._validate import Rng, as_array, check_epsilon, check_int, check_rng, first_where, seeded
from ldp_core.frequency._domain import Domain
from ldp_core.frequency._sampler import Bits, bernoulli, column_sums, fill_bernoulli, row_blocks
from ldp_core.frequency.base import Codes, Counts, Floats

#: Largest table of a pair of rows, in cells, that :meth:`_Sketch.variance` writes out: 32 MiB of float64.
PAIR_CELLS = 2**22


class _Sketch(Frozen):
    """What both sketches share: public hash functions, and an estimate that averages rows and subtracts collisions.

    A report is ``bits`` long, packed into bytes, the last one filled up with zeros; :meth:`unpack` takes it apart.
    Two sketches are equal if their counts mean the same: same kind, ε, domain, rows, width and hash functions.

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
        # Both carry rounding errors of about 1e-16 of their size, which the estimate divides by the difference.
        if not self._gap > 1e-10 * self.p:
            raise ValueError(f"epsilon must be large enough to tell p from q in double precision, got {epsilon!r}")
        if self.q < sys.float_info.min:  # never flipped: a promise of no privacy would be kept as none at all
            raise ValueError(f"epsilon must be small enough for q to be > 0 in double precision, got {epsilon!r}")
        # The hash of a code is the sum of random coefficients where it has binary ones, modulo width: H3, exactly
        # universal, as in LocalHashing. One coefficient for each digit and row.
        digits = (self.d - 1).bit_length()
        self._coefficients = seeded(self.hash_seed, "hash").integers(self.width, size=(digits, self.rows))

    @property
    def domain(self) -> tuple[Any, ...]:
        """The categories, in the order of every vector of counts."""
        return self._domain.categories

    @property
    def d(self) -> int:
        """Number of categories."""
        return self._domain.size

    @property
    def p(self) -> float:
        """Probability that a bit (or the sign, where there is one) is reported as it is."""
        return 1.0 / (1.0 + math.exp(-self._coin_epsilon))

    @property
    def q(self) -> float:
        """Probability that it is reported flipped: 1 − p, without cancellation."""
        return math.exp(-self._coin_epsilon) * self.p

    @property
    def _gap(self) -> float:
        """Difference of p and q, without cancellation."""
        return math.tanh(self._coin_epsilon / 2)

    @property
    @abstractmethod
    def _coin_epsilon(self) -> float:
        """ln(p/q): what one coin of a report spends of ε."""

    @property
    @abstractmethod
    def bits(self) -> int:
        """Bits of a report, which takes as many bytes as hold them."""

    @property
    def columns(self) -> npt.NDArray[np.uint16]:
        """Column of every value in every row, shape (d, rows); computed anew each time, at 2 bytes an entry."""
        return np.stack([self._row_columns(row) for row in range(self.rows)]).T

    def _row_columns(self, row: int) -> npt.NDArray[np.uint16]:
        """Column of every value in one row, shape (d,): codes with one more binary digit double the table."""
        table = np.zeros(1, dtype=np.int32)
        for coefficient in self._coefficients[:, row].tolist():
            moved = table + coefficient
            moved[moved >= self.width] -= self.width
            table = np.concatenate([table, moved])
        return table[: self.d].astype(np.uint16)

    def _hash(self, codes: Codes, row: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Column of each user's code in the user's row, shape (n,): what a device computes, without any table."""
        column = np.zeros(codes.size, dtype=np.int64)
        for digit, coefficients in enumerate(self._coefficients):
            column += (codes >> digit & 1) * coefficients[row]
        return column % self.width

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
    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> Bits:
        """Draw one report per user, packed into bytes."""

    def privatize(self, values: npt.ArrayLike, rng: Rng = None) -> Bits:
        """Encode and perturb: everything that happens on the users' devices.

        Parameters
        ----------
        values : array_like, shape (n,)
            One value per user, each in the domain.
        rng : numpy.random.Generator, int or None
            Source of randomness.

        Returns
        -------
        ndarray of uint8, shape (n, ⌈bits/8⌉)
            Reports, packed.
        """
        return self.perturb(self.encode(values), rng)

    @abstractmethod
    def unpack(self, reports: npt.ArrayLike) -> tuple[npt.NDArray[Any], ...]:
        """Take reports apart; the first part is the row of each."""

    @abstractmethod
    def aggregate(self, reports: npt.ArrayLike) -> Counts:
        """Add reports up into a sketch; sketches of parts add up to the sketch of the whole."""

    @abstractmethod
    def _scores(self, sketch: Counts) -> Floats:
        """Sum, over the users of each row, of unbiased guesses of "is this the user's column?"; (rows, width)."""

    @property
    @abstractmethod
    def _noise(self) -> float:
        """Variance that the coins give to one user's guess at a column."""

    @property
    @abstractmethod
    def _square_elsewhere(self) -> int:
        """Mean square of a guess at another column than the user's, were there no coins; at the user's own it is 1."""

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
        return self._correct(self._look_up(self._scores(self._check_sketch(sketch))), n)

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
        return self._correct(self._sharing(counts) / self.rows, int(counts.sum()))

    def variance(self, true_counts: npt.ArrayLike) -> Floats:
        """Give the exact variance of each estimate over the users' randomness, under these hash functions.

        Parameters
        ----------
        true_counts : array_like of int, shape (d,)
            How many users hold each value.

        Returns
        -------
        ndarray of float64, shape (d,)
            Variances around :meth:`expectation`.

        Notes
        -----
        Users are independent: each adds the mean square of a guess less its squared mean. A user with value v who
        shares the column of w in s of the rows has the mean s/rows, so what is needed for each w are the sums over
        users of s and of s². The square counts pairs of rows in which both columns are shared: a table for each pair
        gives them, in memory for d × rows columns and time in proportion to d × rows², however many values are held.
        """
        counts = self._domain.check_true_counts(true_counts)
        held = np.flatnonzero(counts)
        weights = counts[held].astype(np.float64)
        columns = self.columns.T
        once = self._sharing(counts)
        squares = once.copy()  # of the pairs (j, j)
        for j in range(self.rows):
            for k in range(j):
                squares += 2 * _weight_of_equals(columns[j], columns[k], held, weights, self.width)
        elsewhere = self._square_elsewhere
        # Whole numbers, so that nothing is lost where the two nearly cancel.
        spread = elsewhere * (weights.sum() * self.rows**2) + (1 - elsewhere) * self.rows * once - squares
        variance: Floats = weights.sum() * self._noise + spread / self.rows**2
        return variance * (self.width / (self.width - 1)) ** 2

    def _sharing(self, counts: Counts) -> Floats:
        """Sum over all users of the number of rows in which they share each value's column, shape (d,)."""
        return self._look_up(
            np.array([np.bincount(self._row_columns(row), counts, self.width) for row in range(self.rows)])
        )

    def _look_up(self, table: Floats) -> Floats:
        """Sum a table of (rows, width) over the columns of each value, shape (d,)."""
        total = np.zeros(self.d)
        for row, entries in enumerate(table):
            total += entries[self._row_columns(row)]
        return total

    def _correct(self, total: Floats, n: int) -> Floats:
        return (total - n / self.width) * (self.width / (self.width - 1))

    def _split(self, counts: Counts, rng: np.random.Generator) -> Counts:
        """Let users draw their rows: how many of each row hold a value of each column, shape (rows, width)."""
        truth = np.zeros((self.rows, self.width), dtype=np.int64)
        left = counts.copy()
        for row in range(self.rows):  # who is in no earlier row is in this one with probability 1/(rows − row)
            chosen = rng.binomial(left, 1 / (self.rows - row))
            np.add.at(truth[row], self._row_columns(row), chosen)
            left -= chosen
        return truth

    def _check_sketch(self, sketch: npt.ArrayLike) -> Counts:
        array = as_array(sketch, "sketch")
        if array.shape != self._shape or array.dtype.kind not in "iu":
            raise ValueError(f"sketch must be whole numbers of shape {self._shape}, got {array.dtype} {array.shape}")
        return array.astype(np.int64)

    @property
    @abstractmethod
    def _shape(self) -> tuple[int, int]:
        """Shape of a sketch."""

    # ---- reports in bytes -------------------------------------------------------------------------------------

    @property
    def _row_bits(self) -> int:
        return (self.rows - 1).bit_length()

    @property
    def _bytes(self) -> int:
        return -(-self.bits // 8)

    def _check_reports(self, reports: npt.ArrayLike) -> tuple[Bits, npt.NDArray[np.int64]]:
        """Packed reports as bytes, and the row of each."""
        array = as_array(reports, "reports")
        if array.ndim != 2 or array.shape[1] != self._bytes or len(array) == 0:
            raise ValueError(f"reports must have shape (n, {self._bytes}) with n >= 1, got shape {array.shape}")
        if array.dtype.kind not in "iu":
            raise TypeError(f"reports must be packed bytes, which are integers, got dtype {array.dtype}")
        if array.dtype != np.uint8 and (array.min() < 0 or array.max() > 255):
            raise ValueError(f"reports must be bytes 0 to 255, got {first_where(array, (array < 0) | (array > 255))}")
        packed = array.astype(np.uint8, copy=False)
        fill = 8 * self._bytes - self.bits
        if np.any(packed[:, -1] & (2**fill - 1)):
            raise ValueError(f"reports must end in {fill} zero bits, got a report longer than {self.bits} bits")
        row = _leading_bits(packed, self._row_bits)
        if row.max() >= self.rows:
            raise ValueError(f"reports must name a row between 0 and {self.rows - 1}, got {row.max()}")
        return packed, row

    # ---- which law is it? -------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Sketch) or type(self) is not type(other):
            return NotImplemented
        return self._parameters == other._parameters and self._domain == other._domain

    def __hash__(self) -> int:
        return hash((type(self), self._parameters))

    @property
    def _parameters(self) -> tuple[float, ...]:
        return self.epsilon, self.d, self.rows, self.width, self.hash_seed

    def __repr__(self) -> str:
        seed = f", hash_seed={self.hash_seed}" if self.hash_seed else ""
        sizes = f"d={self.d}, rows={self.rows}, width={self.width}"
        return f"{type(self).__name__}(epsilon={self.epsilon:g}, {sizes}{seed})"


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
    written with bits ±1. Devices and server work in blocks: a report takes ⌈bits/8⌉ bytes and nothing much besides.

    References
    ----------
    Apple Differential Privacy Team. Learning with privacy at scale. Full version of the article in Apple Machine
    Learning Journal 1(8), 2017: algorithms 1 to 4.

    Examples
    --------
    >>> sketch = CountMeanSketch(epsilon=4.0, domain=1000)
    >>> reports = sketch.privatize([7] * 500 + [8] * 500, rng=0)
    >>> reports.shape, sketch.bits
    ((1000, 9), 68)
    >>> row, bits = sketch.unpack(reports)
    >>> row.shape, bits.shape
    ((1000,), (1000, 64))
    >>> int(np.argmax(sketch.estimate(sketch.aggregate(reports), n=1000))) in (7, 8)
    True
    """

    @property
    def bits(self) -> int:
        """Bits of a report: the row's number and ``width`` bits."""
        return self._row_bits + self.width

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> Bits:
        """Draw one report per user.

        Parameters
        ----------
        encoded : array_like of int, shape (n,)
            Codes 0, …, d − 1.
        rng : numpy.random.Generator, int or None
            Source of randomness.

        Returns
        -------
        ndarray of uint8, shape (n, ⌈bits/8⌉)
            The row's number, most significant bit first, then the ``width`` bits, packed.
        """
        codes = self._domain.check_codes(encoded, "encoded")
        generator = check_rng(rng)
        n, start = codes.size, self._row_bits
        row = generator.integers(self.rows, size=n)
        column = self._hash(codes, row)
        reports = np.empty((n, self._bytes), dtype=np.uint8)
        for block in row_blocks(n, self.width):
            size = block.stop - block.start
            noisy = np.empty((size, self.width), dtype=np.bool_)
            fill_bernoulli(noisy.reshape(-1), self.q, generator)
            noisy[np.arange(size), column[block]] = ~bernoulli(self.q, size, generator)
            digits = row[block, None] >> np.arange(start)[::-1] & 1
            reports[block] = np.packbits(np.hstack([digits.astype(np.bool_), noisy]), axis=1)
        return reports

    def unpack(self, reports: npt.ArrayLike) -> tuple[npt.NDArray[Any], ...]:
        """Take reports apart, a byte for each bit.

        Parameters
        ----------
        reports : array_like of uint8, shape (n, ⌈bits/8⌉)
            What :meth:`perturb` returned, or any of its rows.

        Returns
        -------
        row : ndarray of int64, shape (n,)
            Row of each report.
        bits : ndarray of uint8, shape (n, width)
            Its bits, 0 and 1.
        """
        packed, row = self._check_reports(reports)
        return row, np.unpackbits(packed, axis=1, count=self.bits)[:, self._row_bits :]

    def aggregate(self, reports: npt.ArrayLike) -> Counts:
        """Add reports up into a sketch.

        Parameters
        ----------
        reports : array_like of uint8, shape (n, ⌈bits/8⌉)
            What :meth:`perturb` returned, or any of its rows.

        Returns
        -------
        ndarray of int64, shape (rows, width + 1)
            Set bits per row and column, and users per row. Sketches of parts add up.
        """
        packed, row = self._check_reports(reports)
        sketch = np.zeros(self._shape, dtype=np.int64)
        sketch[:, -1] = np.bincount(row, minlength=self.rows)
        order = np.argsort(row, kind="stable")
        for one, mine in enumerate(np.split(order, np.cumsum(sketch[:-1, -1]))):
            for block in row_blocks(mine.size, self.width):
                bits = np.unpackbits(packed[mine[block]], axis=1, count=self.bits)
                sketch[one, :-1] += column_sums(bits[:, self._row_bits :])
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
    def _coin_epsilon(self) -> float:
        return self.epsilon / 2  # two values differ in two bits

    @property
    def _noise(self) -> float:
        return self.p * self.q / self._gap**2

    @property
    def _square_elsewhere(self) -> int:
        return 0

    def _scores(self, sketch: Counts) -> Floats:
        scores: Floats = (sketch[:, :-1] - sketch[:, -1:] * self.q) / self._gap
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
    Apple Differential Privacy Team. Learning with privacy at scale. Full version of the article in Apple Machine
    Learning Journal 1(8), 2017: algorithms 5 to 7.

    Examples
    --------
    >>> sketch = HadamardCountMeanSketch(epsilon=4.0, domain=1000)
    >>> reports = sketch.privatize([7] * 500 + [8] * 500, rng=0)
    >>> reports.shape, sketch.bits  # ten of the bits say what was asked; one is the answer
    ((1000, 2), 11)
    >>> row, index, sign = sketch.unpack(reports)
    >>> sorted(set(sign.tolist()))
    [-1, 1]
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
    def bits(self) -> int:
        """Bits of a report: the numbers of row and index, and the sign."""
        return self._row_bits + self._index_bits + 1

    @property
    def _index_bits(self) -> int:
        return (self.width - 1).bit_length()

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> Bits:
        """Draw one report per user.

        Parameters
        ----------
        encoded : array_like of int, shape (n,)
            Codes 0, …, d − 1.
        rng : numpy.random.Generator, int or None
            Source of randomness.

        Returns
        -------
        ndarray of uint8, shape (n, ⌈bits/8⌉)
            The numbers of row and index, most significant bit first, and a bit that is 1 for the sign −1, packed.
        """
        codes = self._domain.check_codes(encoded, "encoded")
        generator = check_rng(rng)
        n = codes.size
        row = generator.integers(self.rows, size=n)
        index = generator.integers(self.width, size=n)
        minus = (_hadamard(index, self._hash(codes, row)) < 0) ^ bernoulli(self.q, n, generator)
        number = (row << self._index_bits | index) << 1 | minus
        number <<= 8 * self._bytes - self.bits
        return (number[:, None] >> 8 * np.arange(self._bytes)[::-1]).astype(np.uint8)

    def unpack(self, reports: npt.ArrayLike) -> tuple[npt.NDArray[Any], ...]:
        """Take reports apart.

        Parameters
        ----------
        reports : array_like of uint8, shape (n, ⌈bits/8⌉)
            What :meth:`perturb` returned, or any of its rows.

        Returns
        -------
        row, index : ndarray of int64, shape (n,)
            Row and index of each report.
        sign : ndarray of int64, shape (n,)
            Its sign, −1 or 1.
        """
        packed, row = self._check_reports(reports)
        number = _leading_bits(packed, self.bits)
        return row, number >> 1 & self.width - 1, 1 - 2 * (number & 1)

    def aggregate(self, reports: npt.ArrayLike) -> Counts:
        """Add reports up into a sketch.

        Parameters
        ----------
        reports : array_like of uint8, shape (n, ⌈bits/8⌉)
            What :meth:`perturb` returned, or any of its rows.

        Returns
        -------
        ndarray of int64, shape (rows, width)
            Sum of the signs per row and index. Sketches of parts add up.
        """
        row, index, sign = self.unpack(reports)
        sketch = np.zeros(self._shape, dtype=np.int64)
        np.add.at(sketch, (row, index), sign)
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
        sketch: Counts = 2 * (generator.binomial(up, self.p) + generator.binomial(cell - up, self.q)) - cell
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
        sign = _hadamard(self.columns[:, :, None].astype(np.int64), np.arange(self.width))  # value, row, index
        up = np.where(sign > 0, self.p, self.q)
        down = np.where(sign > 0, self.q, self.p)
        channel: Floats = np.stack([down, up], axis=-1).reshape(self.d, -1) / (self.rows * self.width)
        return channel

    @property
    def _shape(self) -> tuple[int, int]:
        return self.rows, self.width

    @property
    def _coin_epsilon(self) -> float:
        return self.epsilon

    @property
    def _noise(self) -> float:
        return 4 * self.p * self.q / self._gap**2

    @property
    def _square_elsewhere(self) -> int:
        return 1

    def _scores(self, sketch: Counts) -> Floats:
        # The fast transform: sums and differences of neighbours at distance 1, 2, 4, …
        scores: Floats = sketch / self._gap
        for step in 2 ** np.arange(self.width.bit_length() - 1):
            pairs = scores.reshape(self.rows, -1, 2, step)
            scores = np.stack([pairs[:, :, 0] + pairs[:, :, 1], pairs[:, :, 0] - pairs[:, :, 1]], axis=2)
            scores = scores.reshape(self._shape)
        return scores


def _hadamard(row: npt.NDArray[np.int64], column: Any) -> npt.NDArray[np.int64]:
    """Entries of the Hadamard matrix: −1 to the number of ones that the two indices have in common."""
    signs: npt.NDArray[np.int64] = 1 - 2 * (np.bitwise_count(row & column).astype(np.int64) & 1)
    return signs


def _leading_bits(packed: Bits, bits: int) -> npt.NDArray[np.int64]:
    """The number that the first bits of each report make, at most 62."""
    size = -(-bits // 8)
    number = np.zeros(len(packed), dtype=np.int64)
    for byte in packed[:, :size].T:
        number = number << 8 | byte
    return number >> (8 * size - bits)


def _weight_of_equals(
    first: npt.NDArray[np.uint16], second: npt.NDArray[np.uint16], held: Codes, weights: Floats, width: int
) -> Floats:
    """For each value, the weight of the held values that share its columns in two rows, shape (d,)."""
    keys = first.astype(np.int64) * width + second
    if width**2 <= PAIR_CELLS:
        sums: Floats = np.bincount(keys[held], weights, width**2)[keys]
        return sums
    present, place = np.unique(keys[held], return_inverse=True)
    nearest = np.minimum(np.searchsorted(present, keys), present.size - 1)
    return np.where(present[nearest] == keys, np.bincount(place, weights)[nearest], 0.0)
