"""RAPPOR: noise that is drawn once and kept, and fresh noise on top for every report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._validate import Rng, check_in_range, check_int, check_rng
from ldp_core.frequency._sampler import Bits, bernoulli, fill_bernoulli, row_blocks
from ldp_core.frequency.unary import UnaryEncoding


class Rappor(UnaryEncoding):
    r"""Basic RAPPOR: unary encoding whose bits are randomised twice, once for good and once for every report.

    1. *Permanent*: each of the d bits is replaced by a fair coin with probability f. The device keeps the result and
       never encodes the value again.
    2. *Instantaneous*: a kept 1 is reported as 1 with probability ``on``, a kept 0 with probability ``off``, anew for
       every report.

    Averaging a thousand reports reveals the kept bits and no more, so the budget of a lifetime is bounded, while a
    single report gives away less. The oracle's p, q, channel and ε are those of **one** report; a collection that asks
    k times spends :meth:`epsilon_after` (k), and never more than :attr:`epsilon_forever`.

    Parameters
    ----------
    domain : int or sequence
        The d ≥ 2 possible values, a bit each.
    f : float, default 0.5
        Probability in [0, 1) that a permanent bit is a coin toss; 0 leaves the permanent step out.
    on : float, default 0.75
        Probability of reporting 1 for a kept 1 (called q in the paper), off < on ≤ 1.
    off : float, default 0.5
        Probability of reporting 1 for a kept 0 (called p in the paper), 0 ≤ off < on.

    Attributes
    ----------
    epsilon : float
        Exact ε of one report: ``epsilon_after(1)``.

    Raises
    ------
    ValueError
        If f, on or off is out of range, or one report is not private at all (f = 0 with on = 1 or off = 0).

    Notes
    -----
    With a = f/2, a permanent bit equals the true bit with probability 1 − a. The published names p and q clash with
    those of a pure oracle, where p belongs to the user's own value; hence ``on`` and ``off``. The deployed system
    hashes long strings into a Bloom filter of h bits a value: every ε here is then multiplied by h.

    References
    ----------
    U. Erlingsson, V. Pihur and A. Korolova. RAPPOR: randomized aggregatable privacy-preserving ordinal response.
    CCS 2014, sections 2 and 3.

    Examples
    --------
    >>> oracle = Rappor(domain=4)
    >>> round(oracle.epsilon, 4), round(oracle.epsilon_after(100), 4), round(oracle.epsilon_forever, 4)
    (0.5371, 2.1972, 2.1972)
    >>> kept = oracle.memorize([0, 3], rng=0)  # once in a lifetime
    >>> [oracle.report(kept, rng=day).shape for day in (1, 2)]
    [(2, 4), (2, 4)]
    """

    def __init__(
        self, domain: int | Sequence[Any] | npt.NDArray[Any], f: float = 0.5, on: float = 0.75, off: float = 0.5
    ) -> None:
        self.f = check_in_range(f, "f", 0.0, 1.0)
        self.on = check_in_range(on, "on", 0.0, 1.0)
        self.off = check_in_range(off, "off", 0.0, 1.0)
        if self.f == 1:
            raise ValueError("f must be < 1, got 1: reports would not depend on the value")
        if not self.off < self.on:
            raise ValueError(f"off must be < on, got off = {off!r} and on = {on!r}")
        epsilon = self.epsilon_after(1)
        if math.isinf(epsilon):
            raise ValueError(f"f must be > 0 when on = 1 or off = 0, got f = {f!r}: a report would give the value away")
        super().__init__(epsilon, domain)

    @property
    def p(self) -> float:
        """Probability that the user's own bit is reported as 1, both steps together."""
        return (1 - self.f / 2) * self.on + self.f / 2 * self.off

    @property
    def q(self) -> float:
        """Probability that another bit is reported as 1, both steps together."""
        return self.f / 2 * self.on + (1 - self.f / 2) * self.off

    @property
    def epsilon_forever(self) -> float:
        r"""Exact ε of all reports that a device will ever send: :math:`2\ln\frac{1-f/2}{f/2}` (theorem 1), or inf."""
        return 2 * math.log((1 - self.f / 2) / (self.f / 2)) if self.f else math.inf

    def epsilon_after(self, k: int) -> float:
        r"""Give the exact ε of k reports from the same kept bits.

        Parameters
        ----------
        k : int
            Number of reports, ≥ 1.

        Returns
        -------
        float
            ε of the k reports together; ``math.inf`` if f = 0 and a report can be certain.

        Notes
        -----
        Bits are independent, and of one bit the number j of ones among k reports says everything. Its law is a
        mixture of Binomial(k, on) and Binomial(k, off) with weights 1 − a and a or the reverse, a = f/2; the
        likelihood ratio grows with j, so the extremes are at j = k and j = 0. Two values differ in two bits, one in
        each direction: with :math:`r = (\mathit{off}/\mathit{on})^k` and
        :math:`s = ((1-\mathit{on})/(1-\mathit{off}))^k`

        .. math::  \varepsilon_k = \ln\frac{1-a+ar}{a+(1-a)r} + \ln\frac{1-a+as}{a+(1-a)s}.
        """
        k = check_int(k, "k", 1)
        a = self.f / 2
        ratios = ((self.off / self.on) ** k, ((1 - self.on) / (1 - self.off)) ** k)
        if a == 0 and 0 in ratios:
            return math.inf
        return sum(math.log((1 - a + a * r) / (a + (1 - a) * r)) for r in ratios)

    def memorize(self, values: npt.ArrayLike, rng: Rng = None) -> Bits:
        """Draw the permanent bits, which a device keeps for as long as its value stays the same.

        Parameters
        ----------
        values : array_like, shape (n,)
            One value per user, each in the domain.
        rng : numpy.random.Generator, int or None
            Source of randomness.

        Returns
        -------
        ndarray of uint8, shape (n, d)
            Zeros and ones: what is kept instead of the value.
        """
        codes = self.encode(values)
        generator = check_rng(rng)
        kept = np.empty((codes.size, self.d), dtype=np.uint8)
        for rows in row_blocks(codes.size, self.d):
            block = kept[rows].reshape(-1)
            fill_bernoulli(block.view(np.bool_), self.f / 2, generator)
            own = codes[rows] + self.d * np.arange(codes[rows].size)
            block[own] = ~bernoulli(self.f / 2, own.size, generator)
        return kept

    def report(self, kept: npt.ArrayLike, rng: Rng = None) -> Bits:
        """Draw one report from each device's kept bits.

        Parameters
        ----------
        kept : array_like of 0 and 1, shape (n, d)
            What :meth:`memorize` returned.
        rng : numpy.random.Generator, int or None
            Source of randomness, new for every report.

        Returns
        -------
        ndarray of uint8, shape (n, d)
            Reports, ready for :meth:`aggregate`.
        """
        bits = self._check_bits(kept)
        generator = check_rng(rng)
        reports = np.empty_like(bits)
        for rows in row_blocks(*bits.shape):
            one = bernoulli(self.on, bits[rows].size, generator).reshape(bits[rows].shape)
            zero = bernoulli(self.off, bits[rows].size, generator).reshape(bits[rows].shape)
            reports[rows] = np.where(bits[rows], one, zero)
        return reports

    def __repr__(self) -> str:
        shown = self.d if self.domain == tuple(range(self.d)) else list(self.domain)
        return f"Rappor(domain={shown!r}, f={self.f:g}, on={self.on:g}, off={self.off:g})"
