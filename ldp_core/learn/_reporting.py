"""Three ways to report about m inputs on one budget: who is asked for what, at which ε, and what it costs in bits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce

import numpy as np

from ldp_core._arrays import Codes, Counts, Floats

#: NumPy draws without replacement from fewer than so many.
GROUPS_LIMIT = 10**9


class Split:
    """Everybody reports all m inputs, at ε/m each."""

    def budget(self, epsilon: float, m: int) -> float:
        """ε of each report."""
        return epsilon / m

    def assign(self, n: int, m: int, rng: np.random.Generator) -> Codes | None:  # noqa: ARG002
        """Which input each of n users reports, shape (n,); None for all of them."""
        return None

    def spread(self, holders: Counts, m: int, rng: np.random.Generator) -> Counts:  # noqa: ARG002
        """How many holders of each row report each input, shape (rows, m): the law of `assign`, without users."""
        return np.repeat(holders[:, None], m, axis=1)

    def bits(self, each: Sequence[float]) -> float:
        """Mean number of bits that a user sends, from those of the single reports."""
        return float(sum(each))

    def columns(self, outputs: Sequence[int]) -> int:
        """Number of whole reports, from those of the single ones."""
        return math.prod(outputs)

    def channel(self, parts: Sequence[Floats]) -> Floats:
        """Law of the whole report, from the laws of the single ones, each of shape (records, outputs)."""
        return reduce(lambda a, b: (a[:, :, None] * b[:, None, :]).reshape(len(a), -1), parts)


class Sample(Split):
    """Every user draws one input uniformly and reports it at ε; the report says which."""

    def budget(self, epsilon: float, m: int) -> float:  # noqa: ARG002
        return epsilon

    def assign(self, n: int, m: int, rng: np.random.Generator) -> Codes | None:
        return rng.integers(m, size=n)

    def spread(self, holders: Counts, m: int, rng: np.random.Generator) -> Counts:
        return rng.multinomial(holders, np.full(m, 1 / m))

    def bits(self, each: Sequence[float]) -> float:
        return float(np.mean(each)) + (len(each) - 1).bit_length()

    def columns(self, outputs: Sequence[int]) -> int:
        return sum(outputs)

    def channel(self, parts: Sequence[Floats]) -> Floats:
        return np.hstack(parts) / len(parts)


class Groups(Sample):
    """The server divides the users into m random groups of equal size, one for each input, reported at ε."""

    def assign(self, n: int, m: int, rng: np.random.Generator) -> Codes | None:
        return rng.permutation(n) % m  # equal sizes, whatever the order of the rows

    def spread(self, holders: Counts, m: int, rng: np.random.Generator) -> Counts:
        n = int(holders.sum())
        if n >= GROUPS_LIMIT:
            raise ValueError(f'counts must sum to less than 10**9 for report="groups", got {n}: try report="sample"')
        left, shares = holders.copy(), np.empty((len(holders), m), dtype=np.int64)
        for i in range(m):
            # Group i is a random subset, of fixed size, of those who are not yet in a group.
            shares[:, i] = rng.multivariate_hypergeometric(left, n // m + (i < n % m), method="marginals")
            left -= shares[:, i]
        return shares

    def bits(self, each: Sequence[float]) -> float:
        return float(np.mean(each))  # the server knows which input it is about


#: By name, what a user sends.
REPORTS = {"sample": Sample(), "groups": Groups(), "split": Split()}
