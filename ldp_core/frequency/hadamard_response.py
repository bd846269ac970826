"""Hadamard response: a number of a few bits, from a half of all numbers that the value picks."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Codes, Counts, Floats
from ldp_core._validate import Rng, check_rng
from ldp_core.frequency._domain import check_codes
from ldp_core.frequency._sampler import bernoulli
from ldp_core.frequency.hadamard import hadamard, hadamard_transform
from ldp_core.frequency.pure import PureOracle

__all__ = ["HadamardResponse"]


class HadamardResponse(PureOracle):
    r"""Report a number from the half that belongs to the value with probability p, else one from the other half.

    The numbers are 0, …, K − 1, with K the smallest power of two above d; the half of the v-th value are those where
    row v + 1 of the Hadamard matrix has a + 1, :math:`H_{v+1,\,y} = (-1)^{\text{ones in } (v+1) \wedge y} = 1`.

    .. math::  p = \frac{e^{\varepsilon}}{e^{\varepsilon} + 1}, \qquad q = \frac12.

    Any two rows agree in exactly half of their entries, hence q. The variance of a rare value,
    :math:`n\,\bigl((e^{\varepsilon}+1)/(e^{\varepsilon}-1)\bigr)^2`, is
    :math:`\cosh^2(\varepsilon/2)` times that of :class:`OptimizedUnary`: 1.27 at ε = 1, for a report of log₂ K bits in
    place of d, and for a server that needs n + K log₂ K steps. n reports are an array of int64, shape (n,).

    References
    ----------
    J. Acharya, Z. Sun and H. Zhang. Hadamard response: estimating distributions privately, efficiently, and with little
    communication. AISTATS 2019.

    Examples
    --------
    >>> oracle = HadamardResponse(epsilon=1.0, domain=1000)
    >>> round(oracle.p, 4), oracle.q, oracle.bits
    (0.7311, 0.5, 10)
    >>> reports = oracle.privatize([7] * 500 + [8] * 500, rng=0)
    >>> oracle.estimate(oracle.aggregate(reports), n=1000).shape
    (1000,)
    """

    @property
    def p(self) -> float:
        """Probability of a report from the half of the user's value."""
        return 1.0 / (1.0 + math.exp(-self.epsilon))

    @property
    def q(self) -> float:
        """Probability of a report from the half of one given other value: one half."""
        # The product of two rows of the Hadamard matrix is a third one, not row 0: half of its entries are + 1. So of
        # the own half one half is in the other value's as well, and of the rest also.
        return 0.5

    @property
    def _miss(self) -> float:
        return math.exp(-self.epsilon) * self.p

    @property
    def n_outputs(self) -> int:
        return 1 << self.d.bit_length()

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> Codes:
        # Any number at first; if it is in the wrong half, one of its bits is flipped where the row has its lowest one,
        # which pairs the numbers of the two halves off. So it is uniform in the half that was drawn.
        row = self._check_codes(encoded) + 1
        generator = check_rng(rng, law=self._coins())
        outside = bernoulli(self._miss, row.size, generator)
        number = generator.integers(self.n_outputs, size=row.size)
        wrong = (hadamard(row, number) < 0) ^ outside
        return np.where(wrong, number ^ (row & -row), number)

    def aggregate(self, reports: npt.ArrayLike) -> Counts:
        numbers = check_codes(reports, "reports", self.n_outputs).astype(np.intp, copy=False)
        return self._support(np.bincount(numbers, minlength=self.n_outputs).astype(np.int64, copy=False))

    def simulate(self, true_counts: npt.ArrayLike, rng: Rng = None, *, size: int | None = None) -> Counts:
        counts, shape = self._check_true_counts(true_counts, size)
        generator = check_rng(rng, law=self._coins())
        return self._support(self._draw_reports(np.broadcast_to(counts, (*shape, self.d)), generator))

    def _draw_reports(self, counts: Counts, rng: np.random.Generator) -> Counts:
        """Draw how often each report comes from so many users of each value; leading axes are runs."""
        lies = rng.binomial(counts, self._miss)
        users = np.zeros((*counts.shape[:-1], self.n_outputs, 2), dtype=np.int64)
        users[..., 1 : self.d + 1, :] = np.stack([counts - lies, lies], axis=-1)
        return draw_from_halves(users, rng)

    def _support(self, reports: npt.NDArray[np.int64]) -> Counts:
        """Count for each value the reports in its half, given how often each came."""
        together = reports.sum(axis=-1, keepdims=True)
        support: Counts = (together + hadamard_transform(reports)[..., 1 : self.d + 1]) // 2
        return support

    def channel(self) -> Floats:
        self._check_enumerable()
        own = hadamard(np.arange(1, self.d + 1)[:, None], np.arange(self.n_outputs)) > 0
        return self._check_underflow(np.where(own, self.p, self._miss) * (2 / self.n_outputs))

    def _attack_success(self) -> float:
        # Each number is in the half of some value, but for one of the four of two values.
        return (1 + 2 * self.p) / 4 if self.d == 2 else 2 * self.p / self.d

    def outputs(self) -> Codes:
        return np.arange(self.n_outputs)


def draw_from_halves(users: Counts, rng: np.random.Generator) -> Counts:
    """Draw how often each number comes from users who draw one of a half: by row, and by the sign there, + first.

    Bit by bit, the lowest first. Of a user only the bits so far, the rest of the row and the parity that is due
    matter, so all alike are split together: the next bit is a fair coin, unless it is the last that the row asks
    for, which the parity decides. That is K log₂ K binomials in place of one for each row and number.
    """
    users = users[..., None, :, :]  # by the bits so far, the rest of the row, and the parity
    for _ in range(users.shape[-2].bit_length() - 1):
        even, odd = users[..., ::2, :], users[..., 1::2, :]
        one_of_even, one_of_odd = rng.binomial(even, 0.5), rng.binomial(odd, 0.5)
        one_of_odd[..., 0, :] = odd[..., 0, :] * [0, 1]
        zero = even - one_of_even + odd - one_of_odd
        users = np.concatenate([zero, one_of_even + one_of_odd[..., ::-1]], axis=-3)
    return users[..., 0, 0]
