"""RAPPOR: noise that is drawn once and kept, and fresh noise on top for every report."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._validate import Rng, check_in_range, check_int, check_rng, shown
from ldp_core.frequency._domain import DomainLike
from ldp_core.frequency._sampler import Bits, bernoulli, fill_bernoulli, row_blocks
from ldp_core.frequency.base import allocate
from ldp_core.frequency.unary import UnaryEncoding

__all__ = ["Rappor", "RapporClient"]


class Rappor(UnaryEncoding):
    """Basic RAPPOR: unary encoding whose bits are randomized twice, once for good and once for every report.

    1. *Permanent*: each of the d bits is replaced by a fair coin with probability f. The device keeps the result and
       never encodes the value again.
    2. *Instantaneous*: a kept 1 is reported as 1 with probability ``on``, a kept 0 with probability ``off``, anew for
       every report.

    Averaging a thousand reports reveals the kept bits and no more, so the budget of a lifetime is bounded, while a
    single report gives away less. The oracle's p, q, channel and ε are those of **one** report. Only devices with a
    memory have the bound: :meth:`client` makes them, and k calls of its ``report`` spend :meth:`epsilon_after` (k),
    never more than :attr:`epsilon_forever`. :meth:`privatize` and :meth:`perturb` are the first report of fresh
    devices: k calls spend k times ``epsilon``.

    Parameters
    ----------
    f : float, default 0.5
        Probability in [0, 1) that a permanent bit is a coin toss; 0 leaves the permanent step out.
    on : float, default 0.75
        Probability of reporting 1 for a kept 1 (called q in the paper), off < on ≤ 1.
    off : float, default 0.5
        Probability of reporting 1 for a kept 0 (called p in the paper), 0 ≤ off < on.

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
    """

    def __init__(self, domain: DomainLike, *, f: float = 0.5, on: float = 0.75, off: float = 0.5) -> None:
        f = check_in_range(f, "f", 0.0, 1.0)
        on, off = check_in_range(on, "on", 0.0, 1.0), check_in_range(off, "off", 0.0, 1.0)
        if f == 1:
            raise ValueError("f must be < 1, got 1: reports would not depend on the value")
        if not off < on:
            raise ValueError(f"off must be < on, got off = {off!r} and on = {on!r}")
        epsilon = _epsilon_after(1, f, on, off)
        if math.isinf(epsilon):
            raise ValueError(f"f must be > 0 when on = 1 or off = 0, got f = {f!r}: a report would give the value away")
        super().__init__(epsilon, domain)
        self.f, self.on, self.off = f, on, off

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
        r"""Exact ε of all reports that one client ever sends: :math:`2\ln\frac{1-f/2}{f/2}` (theorem 1), or inf."""
        return 2 * math.log((1 - self.f / 2) / (self.f / 2)) if self.f else math.inf

    def epsilon_after(self, k: int) -> float:
        r"""Give the exact ε of k ≥ 1 reports from the same kept bits, which is k calls of one client's ``report``.

        It is ``math.inf`` if f = 0 and a report can be certain.

        Notes
        -----
        Bits are independent, and of one bit the number j of ones among k reports says everything. Its law is a
        mixture of Binomial(k, on) and Binomial(k, off) with weights 1 − a and a or the reverse, a = f/2; the
        likelihood ratio grows with j, so the extremes are at j = k and j = 0. Two values differ in two bits, one in
        each direction: with :math:`r = (\mathit{off}/\mathit{on})^k` and
        :math:`s = ((1-\mathit{on})/(1-\mathit{off}))^k`

        .. math::  \varepsilon_k = \ln\frac{1-a+ar}{a+(1-a)r} + \ln\frac{1-a+as}{a+(1-a)s}.
        """
        return _epsilon_after(check_int(k, "k", 1), self.f, self.on, self.off)

    def client(self, values: npt.ArrayLike, rng: Rng = None) -> RapporClient:
        """Draw the permanent bits of devices, which then report from them as often as they are asked.

        A second client of the same users, with one of the values each, draws other permanent bits, and costs what its
        reports cost in addition.
        """
        return RapporClient(self, values, rng)

    def privatize(self, values: npt.ArrayLike, rng: Rng = None) -> Bits:
        """Draw **one** report on each of the values from n fresh devices, which forget their permanent bits afterwards.

        The law of a first report, at ε = ``epsilon`` a user; :meth:`perturb` likewise. Nothing is memorized: k
        calls for the same users cost k · ``epsilon``, and there is no bound on what many calls give away. To ask
        the same users again, keep :meth:`client`.
        """
        return self.perturb(self.encode(values), rng)

    def _law(self) -> dict[str, Any]:
        return {"domain": self._domain, "f": self.f, "on": self.on, "off": self.off}


class RapporClient:
    """Devices that hold their permanent bits, and forgot their values; made by :meth:`Rappor.client`.

    All reports of one client come from the same permanent bits: together, k of them give away
    ``oracle.epsilon_after(k)`` about a user, and never more than ``oracle.epsilon_forever``. That is the guarantee of
    one client; another one for the same users adds its own. The bits themselves must stay on the device: they give away
    ``oracle.epsilon_forever``. The oracle and the values, one per user, are those of :meth:`Rappor.client`, where the
    permanent bits come from ``rng``.

    Examples
    --------
    >>> client = Rappor(domain=4).client([0, 3], rng=0)  # once in a lifetime
    >>> [client.report(rng=day).shape for day in (1, 2)]
    [(2, 4), (2, 4)]
    >>> client.sent, round(client.epsilon_spent, 4), round(2 * client.oracle.epsilon, 4)
    (2, 1.0085, 1.0743)
    """

    def __init__(self, oracle: Rappor, values: npt.ArrayLike, rng: Rng = None) -> None:
        if not isinstance(oracle, Rappor):
            raise TypeError(f"oracle must be a Rappor, got {shown(oracle)}")
        codes = oracle.encode(values)
        generator = check_rng(rng, "memory", oracle._coins())  # the same integer, handed to report, is another stream
        self._oracle, self._sent = oracle, 0
        self._kept: Bits = allocate((codes.size, oracle.d), np.uint8, "values")
        for rows in row_blocks(codes.size, oracle.d):
            block = self._kept[rows].reshape(-1)
            fill_bernoulli(block.view(np.bool_), oracle.f / 2, generator)
            own = codes[rows] + oracle.d * np.arange(codes[rows].size)
            block[own] = ~bernoulli(oracle.f / 2, own.size, generator)

    @property
    def oracle(self) -> Rappor:
        """The mechanism, which aggregates and estimates."""
        return self._oracle

    @property
    def sent(self) -> int:
        """Number of reports that each device has sent so far."""
        return self._sent

    def __reduce_ex__(self, protocol: object) -> Any:
        raise TypeError("a RapporClient must not be copied or pickled: the copy's reports would not be counted here")

    @property
    def epsilon_spent(self) -> float:
        """Exact ε of all reports sent so far, ``oracle.epsilon_after(sent)``; 0 before the first."""
        return self.oracle.epsilon_after(self.sent) if self.sent else 0.0

    def report(self, rng: Rng = None) -> Bits:
        """Draw one more report from each device's permanent bits.

        The randomness must be new for every report: a seed used twice gives the same report again.
        """
        generator = check_rng(rng, "reports", self.oracle._coins())
        reports = np.empty_like(self._kept)
        for rows in row_blocks(*self._kept.shape):
            kept = self._kept[rows].view(np.bool_)
            one = bernoulli(self.oracle.on, kept.size, generator).reshape(kept.shape)
            zero = bernoulli(self.oracle.off, kept.size, generator).reshape(kept.shape)
            reports[rows] = np.where(kept, one, zero)
        self._sent += 1
        return reports

    def __repr__(self) -> str:
        return f"RapporClient({self.oracle!r}, {len(self._kept)} devices, {self.sent} reports each)"


def _epsilon_after(k: int, f: float, on: float, off: float) -> float:
    a = f / 2
    ratios = ((off / on) ** k, ((1 - on) / (1 - off)) ** k)
    if a == 0 and 0 in ratios:
        return math.inf
    return sum(math.log((1 - a + a * r) / (a + (1 - a) * r)) for r in ratios)
