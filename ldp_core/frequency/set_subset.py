"""Subset selection for users who hold several values each."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Codes, Counts
from ldp_core._validate import Rng, as_array, check_counts, check_rng
from ldp_core.frequency._sampler import Bits
from ldp_core.frequency.subset import SubsetOracle

__all__ = ["SetSubsetSelection"]


class SetSubsetSelection(SubsetOracle):
    r"""Subset selection for users who hold several values each (PrivSet; the basis of LDPbayes-FO).

    A user holds m = ``set_size`` distinct values S. The report is a set t of k values, drawn by the exponential
    mechanism: :math:`\Pr[t] \propto e^{\varepsilon}` if t meets S, otherwise :math:`\propto 1`. One report covers the
    whole set at the full budget ε, which need not be split among the m values. With
    :math:`\Omega = e^{\varepsilon}\left[\binom dk - \binom{d-m}k\right] + \binom{d-m}k`

    .. math::  p = \frac{e^{\varepsilon}}{\Omega}\binom{d-1}{k-1}, \qquad
        q = \frac{1}{\Omega}\left\{e^{\varepsilon}\left[\binom{d-1}{k-1} - \binom{d-m-1}{k-1}\right]
            + \binom{d-m-1}{k-1}\right\}.

    A report is a row of d bits with k ones; ⌈log₂ C(d, k)⌉ bits suffice to send it.

    Parameters
    ----------
    set_size : int
        Number m of values that every user holds, 1 ≤ m < d.
    k : int, optional
        Size of the reported set, 1 ≤ k ≤ d − m; None takes :func:`optimal_k`.

    References
    ----------
    S. Wang, L. Huang, Y. Nie, P. Wang, H. Xu and W. Yang. PrivSet: set-valued data analyses with local differential
    privacy. INFOCOM 2018.

    Examples
    --------
    >>> oracle = SetSubsetSelection(epsilon=1.0, domain=["red", "green", "blue", "small", "large", "huge"], set_size=2)
    >>> reports = oracle.privatize([["red", "small"], ["blue", "huge"]], rng=0)
    >>> reports.shape, reports.sum(axis=1).tolist() == [oracle.k] * 2
    ((2, 6), True)
    """

    def encode(self, values: npt.ArrayLike) -> Codes:
        """Turn sets of values, shape (n, set_size), distinct in each row and in any order, into sets of codes."""
        array = self._check_shape(values, "values")
        # Lists are handed on as lists, whose values no array has rounded or cut.
        flat = list(chain.from_iterable(values)) if isinstance(values, (list, tuple)) else array.reshape(-1)
        return self._check_distinct(self._domain.encode(flat).reshape(array.shape), "values")

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> Bits:
        """Draw every user's report, a row of d bits with k ones; ``encoded`` has distinct codes in each row."""
        return self._perturb_sets(self._check_sets(encoded, "encoded"), rng)

    def simulate(self, true_counts: npt.ArrayLike, rng: Rng = None, *, size: int | None = None) -> Counts:
        """Draw support counts from their joint law, where true_counts determine it; the size is the number of runs.

        They do if all users have all their values but one in common (with one value a user, always). Else the
        covariance of two support counts depends on how many users hold both values, which counts of single values do
        not tell. Use :meth:`simulate_sets` where the sets are known, and :meth:`simulate_marginals` where each count is
        looked at on its own.
        """
        counts, _ = self._check_true_counts(true_counts, size)
        n = self._number_of_users(counts)
        common, rest = np.flatnonzero(counts == n), np.flatnonzero((counts > 0) & (counts < n))
        if common.size == self.set_size:
            return self.simulate_sets(common[None], [n], rng, size=size)
        if common.size < self.set_size - 1:
            raise ValueError(
                "true_counts must be of users with all values but one in common, to determine the joint law, got "
                f"{common.size} common values at set_size = {self.set_size}: use simulate_sets or simulate_marginals"
            )
        sets = np.column_stack([np.tile(common, (rest.size, 1)), rest])
        return self.simulate_sets(sets, counts[rest], rng, size=size)

    def simulate_sets(
        self, sets: npt.ArrayLike, users: npt.ArrayLike, rng: Rng = None, *, size: int | None = None
    ) -> Counts:
        """Draw support counts from their exact joint law, given how many users hold each set.

        The sets that occur are rows of codes, shape (s, set_size), users says how many hold each, and size is the
        number of independent runs. Each run sums to n·k. The cost grows with s·d·k at most: not with the number of
        users, who are drawn one by one only where they are so few that this is cheaper.
        """
        codes = self._check_sets(sets, "sets")
        holders = check_counts(users, "users", len(codes))
        if not holders.any():
            raise ValueError("users must hold at least one user, got all zeros")
        support = np.zeros((*self._check_size(size), self.d), dtype=np.int64)
        generator = check_rng(rng, law=self._coins())
        codes, holders = codes[holders > 0], holders[holders > 0]
        runs = support.reshape(-1, self.d)
        if self._few(holders):
            self._add_users(runs, codes, holders, generator)
        else:
            for total in runs:
                self._add_groups(total, codes, holders, generator)
        return support

    def _add_groups(self, total: Counts, codes: Codes, holders: Counts, rng: np.random.Generator) -> None:
        """Add one run's support counts to ``total``: all users of a set together."""
        # Users by set and by the number j of own values in the report; k − j others are then missing.
        overlap = rng.multinomial(holders, self._law_of_overlap())
        missing = np.zeros((len(codes), self.k + 1), dtype=np.int64)
        missing[:, self.k - np.arange(overlap.shape[1])] = overlap
        closed = np.zeros((len(codes), self.d), dtype=np.bool_)
        np.put_along_axis(closed, codes, True, axis=1)
        others = np.nonzero(~closed)[1].reshape(len(codes), -1)
        np.add.at(total, codes, _sums_of_subsets(overlap, self.set_size, rng))
        np.add.at(total, others, _sums_of_subsets(missing, self.d - self.set_size, rng))

    def _number_of_users(self, counts: Counts) -> int:
        n, rest = divmod(int(counts.sum()), self.set_size)
        if rest or counts.max() > n:
            raise ValueError(
                f"true_counts must sum to n * set_size with no entry above n, got sum {counts.sum()} and "
                f"largest entry {counts.max()} at set_size = {self.set_size}"
            )
        return n

    def _check_sets(self, codes: npt.ArrayLike, name: str) -> Codes:
        array = self._check_shape(codes, name)
        return self._check_distinct(self._domain.check_codes(array.reshape(-1), name).reshape(array.shape), name)

    def _check_shape(self, values: npt.ArrayLike, name: str) -> npt.NDArray[Any]:
        array = as_array(values, name)
        if array.ndim != 2 or array.shape[1] != self.set_size or len(array) == 0:
            raise ValueError(f"{name} must have shape (n, {self.set_size}) with n >= 1, got shape {array.shape}")
        return array

    @staticmethod
    def _check_distinct(codes: Codes, name: str) -> Codes:
        twice = (np.diff(np.sort(codes, axis=1), axis=1) == 0).any(axis=1)
        if twice.any():
            raise ValueError(f"{name} must be distinct in each row, got a value twice in row {int(np.argmax(twice))}")
        return codes

    def _parameters(self) -> dict[str, Any]:
        return {"set_size": self.set_size, "k": self.k}


def _sums_of_subsets(users: Counts, width: int, rng: np.random.Generator) -> Counts:
    """Column sums of uniformly random subsets of ``width`` columns: ``users[g, r]`` members of group g draw r columns.

    Column by column: of the users who still have r columns to choose out of w, each takes the next one with probability
    r/w, independently; so their number is binomial, and those who took it have r − 1 left. Exact, jointly over all
    columns, and independent of the number of users.
    """
    left = users.copy()
    r = np.arange(users.shape[1])
    sums = np.empty((len(users), width), dtype=np.int64)
    for column in range(width):
        held = 1 + np.flatnonzero(left[:, 1:].any(axis=0))  # most numbers r are nobody's any more, or not yet
        if not held.size:
            sums[:, column:] = 0
            break
        some = slice(held[0], held[-1] + 1)
        took = rng.binomial(left[:, some], np.minimum(r[some] / (width - column), 1.0))
        sums[:, column] = took.sum(axis=1)
        left[:, some] -= took
        left[:, held[0] - 1 : held[-1]] += took
    return sums
