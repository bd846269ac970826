"""What count-mean sketches share: reports about a hash of the value, for domains too large to have a bit each.

A sketch is a small table of numbers, ``rows`` × ``width``. Each row has a public hash function from values to columns;
each user answers about one row, drawn at random. Values that share a column cannot be told apart in that row: that is
the price of hashing, paid in addition to the price of privacy, and more users do not lower it; more rows do.
"""

from __future__ import annotations

import math
import sys
from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Codes, Counts, Floats
from ldp_core._validate import Rng, as_array, check_int, check_rng, first_where, seeded
from ldp_core.frequency._domain import DomainLike
from ldp_core.frequency._sampler import Bits
from ldp_core.frequency.base import FiniteOracle

__all__ = ["Sketch"]

#: Largest table of a pair of rows, in cells, that :meth:`Sketch.conditional_variance` writes out: 32 MiB of float64.
PAIR_CELLS = 2**22


class Sketch(FiniteOracle):
    """Public hash functions, and an estimate that averages rows and subtracts what collisions add on average.

    A report is ``bits`` long, packed into bytes, the last one filled up with zeros: n reports are uint8, shape
    (n, ⌈bits/8⌉), and :meth:`unpack` takes them apart.

    Parameters
    ----------
    rows : int, default 16
        Number of hash functions (k in the paper), 1 to 2**15.
    width : int, default 64
        Number of columns (m in the paper), 2 to 2**16.
    hash_seed : int, default 0
        Seed of the public hash functions: server and devices must agree. Not a source of privacy.

    Notes
    -----
    From a report of row j, a sketch makes for each column an unbiased guess of "is this the user's column?". The
    estimated count of w adds up the guesses at the columns h_j(w), and corrects for the share 1/width of other values
    that fall there by chance: ``width/(width − 1) · (sum − n/width)``.

    So estimates are unbiased over the draw of the hash functions. Under those in use, their mean is
    :meth:`expectation` and their variance :meth:`conditional_variance`; :meth:`variance` is the mean of the latter over
    all hash functions. Intervals cover :meth:`expectation`: what collisions add is not noise, and not in them.
    """

    _largest = "width"

    def __init__(
        self, epsilon: float, domain: DomainLike, *, rows: int = 16, width: int = 64, hash_seed: int = 0
    ) -> None:
        super().__init__(epsilon, domain)
        self.rows = check_int(rows, "rows", 1, 2**15)
        self.width = check_int(width, "width", 2, 2**16)
        self.hash_seed = check_int(hash_seed, "hash_seed", 0)
        # The hash of a code is the sum of random coefficients where it has binary ones, modulo width: H3, exactly
        # universal, as in LocalHashing. One coefficient for each digit and row.
        digits = (self.d - 1).bit_length()
        self._coefficients = seeded(self.hash_seed, "hash").integers(self.width, size=(digits, self.rows))

    def _check_made(self) -> None:
        # Both carry rounding errors of about 1e-16 of their size, which the estimate divides by the difference.
        if not self._gap > 1e-10 * self.p:
            raise ValueError(f"epsilon must be large enough to tell p from q in double precision, got {self.epsilon!r}")
        if self.q < sys.float_info.min:  # never flipped: a promise of no privacy would be kept as none at all
            raise ValueError(f"epsilon must be small enough for q to be > 0 in double precision, got {self.epsilon!r}")

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

    @abstractmethod
    def unpack(self, reports: npt.ArrayLike) -> tuple[npt.NDArray[Any], ...]:
        """Take reports, or any rows of them, apart: the row of each, and what it says about the row."""

    @abstractmethod
    def _simulate(self, counts: Counts, rng: np.random.Generator) -> Counts:
        """Draw one table of counts."""

    @abstractmethod
    def _scores(self, counts: Floats) -> Floats:
        """Sum, over the users of each row, of unbiased guesses of "is this the user's column?"; (..., rows, width)."""

    @property
    @abstractmethod
    def _noise(self) -> float:
        """Variance that the coins give to one user's guess at a column."""

    @property
    @abstractmethod
    def _square_elsewhere(self) -> int:
        """Mean square of a guess at another column than the user's, were there no coins; at the user's own it is 1."""

    def estimate(self, counts: npt.ArrayLike, n: int) -> Floats:
        n = check_int(n, "n", 1)
        return self._correct(self._look_up(self._scores(self._check_support(counts))), n)

    def simulate(self, true_counts: npt.ArrayLike, rng: Rng = None, *, size: int | None = None) -> Counts:
        counts, shape = self._check_true_counts(true_counts, size)
        generator = check_rng(rng, law=self._coins())
        runs = np.empty((*shape, *self.counts_shape), dtype=np.int64)
        for run in runs.reshape(-1, *self.counts_shape):
            run[:] = self._simulate(counts, generator)
        return runs

    def variance(self, n: int, count: npt.ArrayLike = 0) -> Any:
        r"""Give the mean, over all hash functions, of the exact variance of an estimated count given those in use.

        It is the variance around :meth:`expectation`, in the shape of ``count``, the true count of the value.

        Notes
        -----
        Users are independent, and the guess about one has the variance :math:`\sigma^2` of its coins besides that of
        which row is drawn. Who holds the value has no other: all rows say yes. Anybody else shares its column in
        Binomial(rows, x) rows, x = 1/width, whose share s of all rows has the mean square
        :math:`x^2 + x(1-x)/\mathit{rows}`. With h the mean square of a guess that is wrong, 0 for the count-mean sketch
        and 1 for its Hadamard transform, the variance is

        .. math::  \frac{n\sigma^2 + (n - c)\,\bigl(h + (1-h)x - x^2 - x(1-x)/\mathit{rows}\bigr)}{(1-x)^2}.
        """
        n, true_count = self._check_n_count(n, count)
        x, elsewhere = 1 / self.width, self._square_elsewhere
        other = elsewhere + (1 - elsewhere) * x - x * x - x * (1 - x) / self.rows
        variance = (n * self._noise + (n - true_count) * other) / (1 - x) ** 2
        return float(variance) if np.ndim(count) == 0 else variance

    def expectation(self, true_counts: npt.ArrayLike) -> Floats:
        """Give the mean of the estimate of true_counts under these hash functions, with what collisions add."""
        counts = self._domain.check_true_counts(true_counts)
        return self._correct(self._sharing(counts) / self.rows, int(counts.sum()))

    def conditional_variance(self, true_counts: npt.ArrayLike) -> Floats:
        """Give the exact variance of each estimate over the users' randomness, under these hash functions.

        It is that around :meth:`expectation`, given the true_counts.

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
        """Sum a table of (..., rows, width) over the columns of each value, shape (..., d)."""
        total = np.zeros((*table.shape[:-2], self.d))
        for row in range(self.rows):
            total += table[..., row, self._row_columns(row)]
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
        row = leading_bits(packed, self._row_bits)
        if row.max() >= self.rows:
            raise ValueError(f"reports must name a row between 0 and {self.rows - 1}, got {row.max()}")
        return packed, row

    def _parameters(self) -> dict[str, Any]:
        return {"rows": self.rows, "width": self.width, "hash_seed": self.hash_seed}


def leading_bits(packed: Bits, bits: int) -> npt.NDArray[np.int64]:
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
        sums: Floats = np.bincount(keys[held].astype(np.intp, copy=False), weights, width**2)[keys]
        return sums
    present, place = np.unique(keys[held], return_inverse=True)
    nearest = np.minimum(np.searchsorted(present, keys), present.size - 1)
    return np.where(present[nearest] == keys, np.bincount(place, weights)[nearest], 0.0)
