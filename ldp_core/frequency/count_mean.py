"""Apple's count-mean sketch: a row of bits about a hash of the value."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Counts, Floats
from ldp_core._validate import Rng, check_rng
from ldp_core.frequency._sampler import Bits, bernoulli, column_sums, fill_bernoulli, row_blocks
from ldp_core.frequency.sketch import Sketch

__all__ = ["CountMeanSketch"]


class CountMeanSketch(Sketch):
    r"""Apple's private count-mean sketch (CMS): symmetric unary encoding of a hash value.

    The user draws a row j, hashes the value to one of ``width`` columns, and reports j with ``width`` bits, the
    column's bit set, each bit flipped with probability :math:`1/(e^{\varepsilon/2}+1)`. Its parameters (epsilon,
    domain, rows, width, hash_seed) are those of :class:`~ldp_core.frequency.Sketch`.

    Notes
    -----
    What :meth:`aggregate` returns has shape (rows, width + 1): the set bits per column, and in the
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
    def n_outputs(self) -> int:
        return self.rows << self.width

    @property
    def counts_shape(self) -> tuple[int, ...]:
        return self.rows, self.width + 1

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> Bits:
        # The row's number, most significant bit first, then the ``width`` bits.
        codes = self._check_codes(encoded)
        generator = check_rng(rng, law=self._coins())
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
        """Take reports apart: the row of each, shape (n,), and its bits, a byte for each, shape (n, width)."""
        packed, row = self._check_reports(reports)
        return row, np.unpackbits(packed, axis=1, count=self.bits)[:, self._row_bits :]

    def aggregate(self, reports: npt.ArrayLike) -> Counts:
        packed, row = self._check_reports(reports)
        counts = np.zeros(self.counts_shape, dtype=np.int64)
        counts[:, -1] = np.bincount(row.astype(np.intp, copy=False), minlength=self.rows)
        order = np.argsort(row, kind="stable")
        for one, mine in enumerate(np.split(order, np.cumsum(counts[:-1, -1]))):
            for block in row_blocks(mine.size, self.width):
                bits = np.unpackbits(packed[mine[block]], axis=1, count=self.bits)
                counts[one, :-1] += column_sums(bits[:, self._row_bits :])
        return counts

    def _simulate(self, counts: Counts, rng: np.random.Generator) -> Counts:
        # Users pick rows, and bits are independent.
        truth = self._split(counts, rng)
        users = truth.sum(axis=1, keepdims=True)
        ones = rng.binomial(truth, self.p) + rng.binomial(users - truth, self.q)
        return np.hstack([ones, users])

    def channel(self) -> Floats:
        self._check_enumerable()
        patterns = np.arange(2**self.width)[:, None] >> np.arange(self.width)[::-1] & 1
        flipped = patterns[None] ^ np.eye(self.width, dtype=np.int64)[:, None]  # column, pattern, bit
        law = np.where(flipped, self.q, self.p).prod(axis=2) / self.rows
        return self._check_underflow(law[self.columns].reshape(self.d, -1))

    def outputs(self) -> Bits:
        # Row by row, bits counting upwards with the first column as the most significant.
        self._check_enumerable()
        number = np.arange(self.n_outputs)
        return np.packbits(number[:, None] >> np.arange(self.bits)[::-1] & 1, axis=1)

    @property
    def _coin_epsilon(self) -> float:
        return self.epsilon / 2  # two values differ in two bits

    @property
    def _noise(self) -> float:
        return self.p * self.q / self._gap**2

    @property
    def _square_elsewhere(self) -> int:
        return 0

    def _scores(self, counts: Floats) -> Floats:
        return (counts[..., :-1] - counts[..., -1:] * self.q) / self._gap
