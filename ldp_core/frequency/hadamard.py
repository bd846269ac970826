"""Apple's Hadamard count-mean sketch: one bit about a hash of the value."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Codes, Counts, Floats
from ldp_core._validate import Rng, check_rng
from ldp_core.frequency._domain import DomainLike
from ldp_core.frequency._sampler import Bits, bernoulli
from ldp_core.frequency.sketch import Sketch, leading_bits

__all__ = ["HadamardCountMeanSketch"]


class HadamardCountMeanSketch(Sketch):
    r"""Apple's Hadamard count-mean sketch (HCMS): one bit per user.

    The row of bits of :class:`CountMeanSketch` is replaced by a single entry of its Hadamard transform: the user draws
    a row j and an index l, and reports both with the sign
    :math:`H_{l,\,h_j(v)} = (-1)^{\text{ones in } l \wedge h_j(v)}`, flipped with probability
    :math:`1/(e^{\varepsilon}+1)`. The server transforms back. Parameters are those of
    :class:`~ldp_core.frequency.Sketch` (epsilon, domain, rows, hash_seed), but that width must be a power of two.

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
        self, epsilon: float, domain: DomainLike, *, rows: int = 16, width: int = 64, hash_seed: int = 0
    ) -> None:
        super().__init__(epsilon, domain, rows=rows, width=width, hash_seed=hash_seed)
        if self.width & (self.width - 1):
            raise ValueError(f"width must be a power of two, got {width!r}")

    @property
    def n_outputs(self) -> int:
        return 2 * self.rows * self.width

    @property
    def counts_shape(self) -> tuple[int, ...]:
        return self.rows, self.width

    @property
    def _index_bits(self) -> int:
        return (self.width - 1).bit_length()

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> Bits:
        # The numbers of row and index, most significant bit first, and a bit that is 1 for the sign −1.
        codes = self._check_codes(encoded)
        generator = check_rng(rng, law=self._coins())
        n = codes.size
        row = generator.integers(self.rows, size=n)
        index = generator.integers(self.width, size=n)
        minus = (hadamard(index, self._hash(codes, row)) < 0) ^ bernoulli(self.q, n, generator)
        return self._pack((row << self._index_bits | index) << 1 | minus)

    def unpack(self, reports: npt.ArrayLike) -> tuple[npt.NDArray[Any], ...]:
        """Take reports apart: the row, the index and the sign, −1 or 1, of each, all int64 of shape (n,)."""
        packed, row = self._check_reports(reports)
        number = leading_bits(packed, self.bits)
        return row, number >> 1 & self.width - 1, 1 - 2 * (number & 1)

    def aggregate(self, reports: npt.ArrayLike) -> Counts:
        # Sum of the signs per row and index.
        row, index, sign = self.unpack(reports)
        table = np.zeros(self.counts_shape, dtype=np.int64)
        np.add.at(table, (row, index), sign)
        return table

    def _simulate(self, counts: Counts, rng: np.random.Generator) -> Counts:
        # Users pick rows and indices, and each cell is a sum of independent signs.
        truth = self._split(counts, rng)
        up, cell = np.zeros(self.counts_shape, dtype=np.int64), np.zeros(self.counts_shape, dtype=np.int64)
        indices = np.arange(self.width)
        for row, column in np.argwhere(truth):
            chosen = rng.multinomial(truth[row, column], np.full(self.width, 1 / self.width))
            cell[row] += chosen
            up[row] += np.where(hadamard(indices, column) > 0, chosen, 0)
        return 2 * (rng.binomial(up, self.p) + rng.binomial(cell - up, self.q)) - cell

    def channel(self) -> Floats:
        self._check_enumerable()
        sign = hadamard(self.columns[:, :, None].astype(np.int64), np.arange(self.width))  # value, row, index
        up = np.where(sign > 0, self.p, self.q)
        down = np.where(sign > 0, self.q, self.p)
        return self._check_underflow(np.stack([up, down], axis=-1).reshape(self.d, -1) / (self.rows * self.width))

    def outputs(self) -> Bits:
        # By row, then index, then sign: +1 first, whose bit is 0.
        self._check_enumerable()
        return self._pack(np.arange(self.n_outputs))

    def _pack(self, number: Codes) -> Bits:
        number = number << 8 * self._bytes - self.bits
        return (number[:, None] >> 8 * np.arange(self._bytes)[::-1]).astype(np.uint8)

    @property
    def _coin_epsilon(self) -> float:
        return self.epsilon

    @property
    def _noise(self) -> float:
        return 4 * self.p * self.q / self._gap**2

    @property
    def _square_elsewhere(self) -> int:
        return 1

    def _scores(self, counts: Floats) -> Floats:
        return hadamard_transform(counts / self._gap)


def hadamard_transform(x: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Multiply the last axis, of a power of two, by the Hadamard matrix: the fast transform."""
    shape = x.shape
    for i in range(shape[-1].bit_length() - 1):  # sums and differences of neighbours at distance 1, 2, 4, …
        pairs = x.reshape(*shape[:-1], -1, 2, 2**i)
        first, second = pairs[..., 0, :], pairs[..., 1, :]
        x = np.stack([first + second, first - second], axis=-2)
    return x.reshape(shape)


def hadamard(row: Codes, column: Any) -> npt.NDArray[np.int64]:
    """Entries of the Hadamard matrix: −1 to the number of ones that the two indices have in common."""
    signs: npt.NDArray[np.int64] = 1 - 2 * (np.bitwise_count(row & column).astype(np.int64) & 1)
    return signs
