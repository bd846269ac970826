"""Subset selection: report k of the d values, a set more likely to come out if it contains what the user holds."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Codes, Counts, Floats
from ldp_core._validate import Rng, check_epsilon, check_int, check_rng
from ldp_core.frequency._bits import BitOracle
from ldp_core.frequency._domain import MAX_DOMAIN, DomainLike
from ldp_core.frequency._sampler import Bits, bernoulli, column_sums, fill_subsets, row_blocks
from ldp_core.frequency.base import allocate

__all__ = ["SubsetOracle", "SubsetSelection", "optimal_k"]

#: Drawing all users of a set together costs about as much as drawing this many, times √k, one by one (measured).
ONE_BY_ONE = 50


class SubsetOracle(BitOracle):
    """What subset selection for one value and for sets of values share: reports are sets of k values.

    A report t is drawn with probability proportional to e^ε if it meets the user's m values, and to 1 otherwise. It is
    a row of d bits with k ones (n reports: uint8, shape (n, d)); ⌈log₂ C(d, k)⌉ bits suffice to send it.

    Parameters
    ----------
    set_size : int
        Number m of values that every user holds, 1 ≤ m < d.
    k : int, optional
        Size of the reported set, 1 ≤ k ≤ d − m; None takes :func:`optimal_k`.
    """

    def __init__(self, epsilon: float, domain: DomainLike, set_size: int, *, k: int | None = None) -> None:
        super().__init__(epsilon, domain)
        self.set_size = check_int(set_size, "set_size", 1, self.d - 1)
        if k is None:
            k = optimal_k(self.epsilon, self.d, set_size=self.set_size)
        self.k = check_int(k, "k", 1, self.d - self.set_size)

    @property
    def p(self) -> float:
        """Probability that the reported set contains a given value of the user's."""
        return float(_probabilities(self.epsilon, self.d, self.set_size, np.array([self.k]))[0][0])

    @property
    def q(self) -> float:
        """Probability that the reported set contains a given value that the user does not hold."""
        return float(_probabilities(self.epsilon, self.d, self.set_size, np.array([self.k]))[1][0])

    @property
    def _miss(self) -> float:
        return float(_probabilities(self.epsilon, self.d, self.set_size, np.array([self.k]))[2][0])

    @property
    def n_outputs(self) -> int:
        return math.comb(self.d, self.k)

    @property
    def _log2_outputs(self) -> float:
        d, k = self.d, self.k
        return (math.lgamma(d + 1) - math.lgamma(k + 1) - math.lgamma(d - k + 1)) / math.log(2)

    @property
    def _n_inputs(self) -> int:
        return math.comb(self.d, self.set_size)

    def aggregate(self, reports: npt.ArrayLike) -> Counts:
        bits = self._check_bits(reports)
        ones = bits.sum(axis=1, dtype=np.uint8 if self.d < 256 else np.int64)
        if (ones != self.k).any():
            row = int(np.argmax(ones != self.k))
            raise ValueError(f"reports must have k = {self.k} ones in each row, got {ones[row]} in row {row}")
        return column_sums(bits)

    def channel(self) -> Floats:
        held, reported = self.inputs(), self.outputs().astype(bool)
        meets = np.array([reported[:, row].any(axis=1) for row in held.reshape(len(held), -1)])
        weight = np.where(meets, 1.0, math.exp(-self.epsilon))
        return self._check_underflow(weight / weight.sum(axis=1, keepdims=True))

    def inputs(self) -> Codes:
        """List what a user can hold, as :meth:`encode` returns it, in the order of the rows of :meth:`channel`.

        Sets of codes come in lexicographic order, each ascending: C(d, set_size) of them.
        """
        self._check_enumerable()
        return np.array(list(combinations(range(self.d), self.set_size)))

    def outputs(self) -> Bits:
        # In lexicographic order of the sets.
        self._check_enumerable()
        members = np.array(list(combinations(range(self.d), self.k)))
        rows = np.zeros((len(members), self.d), dtype=np.uint8)
        np.put_along_axis(rows, members, 1, axis=1)
        return rows

    def _perturb_sets(self, codes: Codes, rng: Rng) -> Bits:
        """Draw the report of each user, who holds one row of codes."""
        generator = check_rng(rng, law=self._coins())
        reports = allocate((len(codes), self.d), np.uint8, "encoded")
        for rows in row_blocks(len(codes), self.d):
            self._fill_reports(reports[rows], codes[rows], generator)
        return reports

    def _fill_reports(self, out: Bits, codes: Codes, rng: np.random.Generator) -> None:
        """Fill each row of ``out`` with the report of a user who holds that row of codes.

        First how many of the user's own values it contains (their exact law), then which, uniformly; then as many of
        the other values as are missing from k, uniformly. Sets with equally many own values are equally likely under
        the mechanism, so this is its law.
        """
        overlap = self._draw_overlap(len(codes), rng)
        own = np.empty(codes.shape, dtype=np.uint8)
        fill_subsets(own, overlap, rng)
        fill_subsets(out, self.k - overlap, rng, closed=codes)
        np.put_along_axis(out, codes, own, axis=1)

    def _add_users(self, runs: Counts, codes: Codes, users: Counts, rng: np.random.Generator) -> None:
        """Add each run's support counts to its row: reports of one user after another, a block at a time."""
        who = np.repeat(np.arange(len(codes)), users.astype(np.intp, copy=False))
        for some in row_blocks(len(runs), who.size * self.d):  # one run, or several small ones
            for rows in row_blocks(who.size, self.d):
                held = codes[np.tile(who[rows], some.stop - some.start)]
                block = np.empty((len(held), self.d), dtype=np.uint8)
                self._fill_reports(block, held, rng)
                if len(runs[some]) == 1:
                    runs[some] += column_sums(block)
                else:
                    runs[some] += block.reshape(-1, who.size, self.d).sum(axis=1, dtype=np.int64)

    def _few(self, users: Counts) -> bool:
        """Whether it is cheaper to draw all users one by one than each set's users together."""
        return bool(users.sum() < ONE_BY_ONE * math.sqrt(self.k) * np.count_nonzero(users))

    def _law_of_overlap(self) -> Floats:
        """Law of the number j of own values in the report: hypergeometric, except that j = 0 is e^ε times rarer."""
        m, k = self.set_size, self.k
        j = np.arange(min(m, k))
        # Of C(m, j) C(d − m, k − j) only the quotients of neighbours are needed, taken from the largest one outwards:
        # nothing overflows, and nobody has to know C(d, k).
        quotient = (m - j) * (k - j) / ((j + 1) * (self.d - m - k + j + 1))
        mode = np.count_nonzero(quotient > 1)
        down, up = np.cumprod(1 / quotient[:mode][::-1])[::-1], np.cumprod(quotient[mode:])
        weight = np.concatenate([down, [1.0], up])
        weight[0] *= math.exp(-self.epsilon)
        law: Floats = weight / weight.sum()
        return law

    def _draw_overlap(self, n: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """Draw how many own values each of n reports contains."""
        law = self._law_of_overlap()
        # No own value at all is the rare case, e^ε times rarer: drawn exactly, on its own.
        none = bernoulli(float(law[0]), n, rng)
        some = 1 + np.searchsorted(np.cumsum(law[1:] / law[1:].sum())[:-1], rng.random(n), side="right")
        return np.where(none, 0, some)


class SubsetSelection(SubsetOracle):
    r"""Subset selection (k-subset mechanism): report k values, the own one among them with probability p.

    .. math::  p = \frac{k e^{\varepsilon}}{k e^{\varepsilon} + d - k}, \qquad
               q = p\,\frac{k-1}{d-1} + (1-p)\,\frac{k}{d-1}, \qquad k \approx \frac{d}{e^{\varepsilon}+1}.

    Its error is of the least possible order for every ε and d [1]_. With k = 1 it is direct encoding. A report is a row
    of d bits with k ones; ⌈log₂ C(d, k)⌉ bits suffice to send it.

    Parameters
    ----------
    k : int, optional
        Size of the reported set, 1 ≤ k < d; None takes :func:`optimal_k`.

    References
    ----------
    .. [1] M. Ye and A. Barg. Optimal schemes for discrete distribution estimation under locally differential privacy.
       IEEE Transactions on Information Theory 64(8), 2018.
    .. [2] S. Wang et al. Mutual information optimally local private discrete distribution estimation.
       arXiv:1607.08025, 2016 (the same mechanism, found independently).

    Examples
    --------
    >>> oracle = SubsetSelection(epsilon=1.0, domain=16)
    >>> oracle.k, round(oracle.p, 4), round(oracle.q, 4), oracle.bits
    (4, 0.4754, 0.235, 11)
    >>> oracle.privatize([3, 3, 9], rng=0).sum(axis=1)
    array([4, 4, 4], dtype=uint64)
    """

    def __init__(self, epsilon: float, domain: DomainLike, *, k: int | None = None) -> None:
        super().__init__(epsilon, domain, 1, k=k)

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> Bits:
        return self._perturb_sets(self._check_codes(encoded)[:, None], rng)

    def inputs(self) -> Codes:
        return super().inputs()[:, 0]

    def simulate(self, true_counts: npt.ArrayLike, rng: Rng = None, *, size: int | None = None) -> Counts:
        counts, shape = self._check_true_counts(true_counts, size)
        generator = check_rng(rng, law=self._coins())
        support = np.zeros((*shape, self.d), dtype=np.int64)
        runs = support.reshape(-1, self.d)
        if self._few(counts):
            self._add_users(runs, np.arange(self.d)[:, None], counts, generator)
        else:
            law = self._law_of_sides()
            for block in row_blocks(len(runs), law.size):
                runs[block] = self._simulate_together(counts, law, block.stop - block.start, generator)
        return support

    def _attack_success(self) -> float:
        return self.p / self.k  # the best guess is any value of the subset

    def _simulate_together(self, counts: Counts, law: Floats, runs: int, rng: np.random.Generator) -> Counts:
        """Draw support counts without drawing users, in d steps of two passes over the columns.

        A report that contains the own value v has r = k − 1 others, one that does not has r = k: a uniformly random
        set of r columns besides v. First, how many users of v have so many and so many of them below v, the rest above
        v: a multinomial for each v. Given these numbers, which ones they are is uniform on either side. So one pass
        goes upwards and takes in the users of v when it has passed v; all that it carries choose among all columns that
        are still to come: of those who have r left to choose out of w, each takes the next with probability r/w,
        independently. The other pass goes downwards, in the same way. Exact, jointly over all columns.
        """
        d, k = self.d, self.k
        split = rng.multinomial(np.broadcast_to(counts, (runs, d)), law.reshape(d, -1)).reshape(runs, d, 2, k + 1)
        support: Counts = split[..., 0, :].sum(axis=-1)
        # Users by value and number on a side: below as drawn, above what is missing from k − 1 or k.
        below = split.sum(axis=-2)
        above = split[..., 1, ::-1].copy()
        above[..., :k] += split[..., 0, k - 1 :: -1]
        sides = np.stack([above, below[..., ::-1, :]], axis=-2)  # the second pass sees the columns mirrored
        left = np.zeros((runs, 2, k + 1), dtype=np.int64)
        r = np.arange(k + 1)
        for column in range(d):
            took = rng.binomial(left, np.minimum(r / (d - column), 1.0))
            passed = took.sum(axis=-1)
            support[..., column] += passed[..., 0]
            support[..., d - 1 - column] += passed[..., 1]
            left += sides[..., column, :, :] - took
            left[..., :-1] += took[..., 1:]
        return support

    def _law_of_sides(self) -> Floats:
        """For each value v, Pr[own value in the report or not, number of other reported values below v]; (d, 2, k + 1).

        Of r values reported out of the d − 1 others, the number j below v is built up value by value: the next one is
        reported with probability (r − j)/(d − 1 − v). Sums of positive terms, which lose nothing.
        """
        d, k = self.d, self.k
        law = np.zeros((d, 2, k + 1))
        law[0, :, 0] = self._law_of_overlap()[::-1]
        missing = np.clip(np.array([[k - 1], [k]]) - np.arange(k + 1), 0, None)  # r − j
        for v in range(d - 1):
            moved = law[v] * np.minimum(missing / (d - 1 - v), 1)
            np.subtract(law[v], moved, out=law[v + 1])
            law[v + 1, :, 1:] += moved[:, :-1]
        normalized: Floats = law / law.sum(axis=(1, 2), keepdims=True)
        return normalized

    def _parameters(self) -> dict[str, Any]:
        return {"k": self.k}


def optimal_k(epsilon: float, d: int, *, set_size: int = 1) -> int:
    """Give the size of the reported set at which a rare value is estimated with the least variance.

    Each user holds set_size values, below d. It is the minimizer over k = 1, …, d − set_size, the smaller one in a tie;
    for single values about d/(e^ε + 1).

    Examples
    --------
    >>> [optimal_k(epsilon, 128) for epsilon in (0.1, 1.0, 4.0)]
    [61, 34, 2]
    """
    epsilon, d = check_epsilon(epsilon), check_int(d, "d", 2, MAX_DOMAIN)
    m = check_int(set_size, "set_size", 1, d - 1)
    # For single values the variance falls, then rises, and its slope is 0 where (e²ᵋ − 1)k² + 2(d − eᵋ)k = d(d − eᵋ):
    # only the whole numbers on either side need to be compared. For sets, all are.
    if m == 1:
        e = math.exp(min(epsilon, math.log(d)))  # from eᵋ = d on, nothing is left and one value is best
        rest = max(d - e, 0.0)
        turn = int(d * rest / (rest + math.sqrt(rest**2 + d * rest * (e**2 - 1)))) if rest else 0
        sizes = np.clip([turn, turn + 1], 1, d - 1)
    else:
        sizes = np.arange(1, d - m + 1)
    _, q, _, gap = _probabilities(epsilon, d, m, sizes)
    with np.errstate(divide="ignore", over="ignore"):
        return int(sizes[np.argmin(q * (1 - q) / gap**2)])


def _probabilities(epsilon: float, d: int, m: int, k: npt.NDArray[Any]) -> tuple[Floats, Floats, Floats, Floats]:
    """Give p, q, 1 − p and p − q for every size in k: the formulas of the class, divided by e^ε C(d, k)."""
    a = math.exp(-epsilon)
    # Shares of the k-sets that avoid a user's set S, of those that avoid it among the sets without (or with) one own
    # (other) value: quotients of binomial coefficients, multiplied out so that nothing overflows.
    avoid_rest = np.prod([(d - k - i) / (d - i) for i in range(1, m)], axis=0) * np.ones(len(k))
    avoid = (d - k) / d * avoid_rest
    avoid_with_other = np.prod([(d - k - i) / (d - 1 - i) for i in range(m)], axis=0)
    total = (1 - avoid) + a * avoid
    p = k / d / total
    q = k / d * ((1 - avoid_with_other) + a * avoid_with_other) / total
    miss = (d - k) / d * ((1 - avoid_rest) + a * avoid_rest) / total
    gap = k / d * avoid_with_other * -math.expm1(-epsilon) / total
    return p, q, miss, gap
