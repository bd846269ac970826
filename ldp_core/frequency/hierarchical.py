"""Hierarchical histograms: how many users lie in a range, from few nodes of a tree in place of many values."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Codes, Counts, Floats
from ldp_core._validate import Rng, check_int, check_rng
from ldp_core.frequency._domain import MAX_DOMAIN, DomainLike
from ldp_core.frequency.direct import DirectEncoding
from ldp_core.frequency.hadamard import hadamard_transform
from ldp_core.frequency.hadamard_response import HadamardResponse
from ldp_core.frequency.ranges import RangeHistogram

__all__ = ["HierarchicalHistogram"]


class HierarchicalHistogram(RangeHistogram):
    r"""Each user tells, with the whole ε, in which node of one level of a tree her value lies.

    The values, in order, are the leaves of a tree whose nodes have up to B = ``branching`` children; below the root it
    has :math:`h = \lceil \log_B d \rceil` levels. A user draws one of them, whatever she holds, and reports her node
    there by the one of :class:`DirectEncoding` and :class:`HadamardResponse` that errs less for so many nodes. A range
    is made of at most 2(B − 1) nodes a level, not of up to d values: the variance of its estimate grows with the
    logarithm of its width, not with the width.

    A report is a number below ``n_outputs``, its level's before those of finer ones: n reports are int64, shape (n,),
    and counts say how often each came.

    Parameters
    ----------
    branching : int, default 4
        Most children B ≥ 2 of a node; from d on there is one level, and no node but the values.

    Attributes
    ----------
    levels : tuple of oracles
        What each level is asked by, the coarsest first: its domain are the nodes.

    Notes
    -----
    *Estimates.* A report is worth h times its unbiased guess at each node, as its level was drawn with probability 1/h.
    All n users are in the root, and children add up to their parent: of the estimates of which that is true those
    nearest by weighted least squares are taken. That keeps them unbiased, and any range is the sum of its values.

    *Variance.* An estimate is a sum over independent users, so its variance is the sum of theirs, which depend on
    where they are: :meth:`range_variance` is exact for given true counts, :meth:`variance` the largest for any value
    and any place of all others. Intervals take the exact one at the estimates, clipped at 0 and scaled to n users.

    References
    ----------
    G. Cormode, T. Kulkarni and D. Srivastava. Answering range queries under local differential privacy. PVLDB 12(10),
    2019. M. Hay, V. Rastogi, G. Miklau and D. Suciu. Boosting the accuracy of differentially private histograms through
    consistency. PVLDB 3(1), 2010.

    Examples
    --------
    >>> ages = HierarchicalHistogram(epsilon=1.0, domain=range(18, 90))
    >>> [level.d for level in ages.levels], ages.bits
    ([2, 5, 18, 72], 8)
    >>> counts = ages.simulate([1000] * 72, rng=0)
    >>> round(ages.estimate_range(counts, 72_000, 30, 45)), round(ages.range_variance([1000] * 72, 30, 45) ** 0.5)
    (15263, 1366)
    """

    def __init__(self, epsilon: float, domain: DomainLike, *, branching: int = 4) -> None:
        super().__init__(epsilon, domain)
        self.branching = check_int(branching, "branching", 2, MAX_DOMAIN)
        widths = [1]
        while widths[0] * self.branching < self.d:
            widths.insert(0, widths[0] * self.branching)
        self._widths = tuple(widths)  # of the nodes of each level, in values
        self.levels = tuple(_best_oracle(self.epsilon, -(-self.d // width)) for width in widths)

    @property
    def n_outputs(self) -> int:
        return sum(oracle.n_outputs for oracle in self.levels)

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> Codes:
        codes = self._check_codes(encoded)
        generator = check_rng(rng, law=self._coins())
        level = generator.integers(len(self.levels), size=codes.size)
        reports = np.empty(codes.size, dtype=np.int64)
        first = 0
        for i, (oracle, width) in enumerate(zip(self.levels, self._widths, strict=True)):
            who = np.flatnonzero(level == i)
            if who.size:
                reports[who] = first + oracle.perturb(codes[who] // width, generator)
            first += oracle.n_outputs
        return reports

    def estimate(self, counts: npt.ArrayLike, n: int) -> Floats:
        n = check_int(n, "n", 1)
        parts = np.split(self._check_support(counts), np.cumsum([o.n_outputs for o in self.levels])[:-1], axis=-1)
        h = len(self.levels)
        scores = [h * _scores(oracle, part) for oracle, part in zip(self.levels, parts, strict=True)]
        return self._consistent(scores, np.array([float(n)]))

    def simulate(self, true_counts: npt.ArrayLike, rng: Rng = None, *, size: int | None = None) -> Counts:
        counts, shape = self._check_true_counts(true_counts, size)
        generator = check_rng(rng, law=self._coins())
        h = len(self.levels)
        split = generator.multinomial(np.broadcast_to(counts, (*shape, self.d)), np.full(h, 1 / h))
        drawn = [
            oracle._draw_reports(_sums(split[..., i], width), generator)
            for i, (oracle, width) in enumerate(zip(self.levels, self._widths, strict=True))
        ]
        return np.concatenate(drawn, axis=-1)

    def channel(self) -> Floats:
        self._check_enumerable()
        laws = [self._values(o.channel().T, width).T for o, width in zip(self.levels, self._widths, strict=True)]
        return self._check_underflow(np.hstack(laws) / len(laws))

    def _attack_success(self) -> float:
        # The best guess is any value of the node that is the best guess.
        return sum(oracle.d * oracle.attack_success() for oracle in self.levels) / (len(self.levels) * self.d)

    def _parameters(self) -> dict[str, Any]:
        return {"branching": self.branching}

    def _values(self, nodes: Floats, width: int) -> Floats:
        """Give each value what its node of this width has, along the last axis."""
        return np.repeat(nodes, width, axis=-1)[..., : self.d]

    @property
    def _noise(self) -> list[float]:
        """Mean variance that one user gives to a node's estimate, level by level, if all nodes have as many users."""
        h = len(self.levels)
        # The second part comes from the draw of the level. It is 0 only where no estimate needs another.
        return [(h * o.variance(o.d, 1) + h - 1) / o.d or 1.0 for o in self.levels]

    def _consistent(self, scores: list[Floats], total: Floats) -> Floats:
        """Estimate all values by weighted least squares from estimates of all nodes, level by level, and their total.

        Upwards, the estimate of a node is averaged with the sum of its children's, weighted by what both vary; then,
        downwards, what children lack of their parent is shared out in proportion to their variances.
        """
        noise, b = self._noise, self.branching
        estimate, spread = scores[-1], np.full(self.d, noise[-1])
        merged = [(estimate, spread)]
        for score, own in zip(scores[-2::-1], noise[-2::-1], strict=True):
            below = _sums(spread, b)
            weight = below / (own + below)
            estimate, spread = weight * score + (1 - weight) * _sums(estimate, b), weight * own
            merged.append((estimate, spread))
        for estimate, spread in reversed(merged):
            lack = (total - _sums(estimate, b)) / _sums(spread, b)
            total = estimate + spread * np.repeat(lack, b, axis=-1)[..., : spread.size]
        return total

    def _spread(self, query: Floats) -> Floats:
        """Variance that one user of each value gives to an estimated sum of values, weighted by the last axis.

        Least squares are self-adjoint: the sum is linear in the nodes' estimates, and its weights are what least
        squares make of the query where it stands for estimates of the values, both measured by their variances.
        """
        noise, h = self._noise, len(self.levels)
        scores = [np.zeros((*query.shape[:-1], oracle.d)) for oracle in self.levels]
        scores[-1] = query * noise[-1]
        solved = self._consistent(scores, np.zeros(1))
        square, mean = np.zeros_like(query), np.zeros_like(query)
        for oracle, width, own in zip(self.levels, self._widths, noise, strict=True):
            weights = _sums(solved, width) / own
            square += h * self._values(_expected(oracle, _guesses(oracle, weights) ** 2), width)
            mean += self._values(weights, width)
        return np.maximum(square - mean**2, 0.0)


def _best_oracle(epsilon: float, d: int) -> DirectEncoding | HadamardResponse:
    direct, hadamard = DirectEncoding(epsilon, d), HadamardResponse(epsilon, d)
    return direct if direct.variance(1) < hadamard.variance(1) else hadamard


def _sums(x: npt.NDArray[Any], width: int) -> npt.NDArray[Any]:
    """Sums of so many neighbours, the last ones perhaps fewer, along the last axis."""
    sums: npt.NDArray[Any] = np.add.reduceat(x, np.arange(0, x.shape[-1], width), axis=-1)
    return sums


# A report's guess at a node is unbiased for "is it the user's?". With these guesses as a matrix, one row a node:


def _scores(oracle: DirectEncoding | HadamardResponse, reports: Floats) -> Floats:
    """Sum the guesses at each node, given how often each report came."""
    if isinstance(oracle, HadamardResponse):
        scores: Floats = hadamard_transform(reports)[..., 1 : oracle.d + 1] / (2 * oracle.p - 1)
    else:
        scores = (reports - oracle.q * reports.sum(axis=-1, keepdims=True)) / (oracle.p - oracle.q)
    return scores


def _guesses(oracle: DirectEncoding | HadamardResponse, weights: Floats) -> Floats:
    """Sum the guesses of each report, weighted by node: the transpose."""
    if isinstance(oracle, DirectEncoding):
        return _scores(oracle, weights)
    padded = np.zeros((*weights.shape[:-1], oracle.n_outputs))
    padded[..., 1 : oracle.d + 1] = weights
    guesses: Floats = hadamard_transform(padded) / (2 * oracle.p - 1)
    return guesses


def _expected(oracle: DirectEncoding | HadamardResponse, worth: Floats) -> Floats:
    """Give the mean of what a report is worth for a user of each node: the channel, applied."""
    total = worth.sum(axis=-1, keepdims=True)
    if isinstance(oracle, HadamardResponse):
        mean: Floats = (total + (2 * oracle.p - 1) * hadamard_transform(worth)[..., 1 : oracle.d + 1]) / worth.shape[-1]
    else:
        mean = oracle.q * total + (oracle.p - oracle.q) * worth
    return mean
