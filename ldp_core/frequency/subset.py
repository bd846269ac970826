"""Subset selection: report k of the d values, a set more likely to come out if it contains what the user holds."""

from __future__ import annotations

import math
from itertools import chain, combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._validate import Rng, as_array, check_counts, check_epsilon, check_int, check_rng
from ldp_core.frequency._bits import BitOracle
from ldp_core.frequency._domain import MAX_DOMAIN, Domain, DomainLike
from ldp_core.frequency._sampler import Bits, bernoulli, column_sums, fill_subsets, row_blocks
from ldp_core.frequency.base import Codes, Counts, Floats, allocate

#: Drawing all users of a set together costs about as much as drawing this many, times √k, one by one (measured).
ONE_BY_ONE = 50


class SetSubsetSelection(BitOracle):
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
    epsilon : float
        Privacy budget ε of one report, finite and > 0.
    domain : int or sequence
        The possible values: an integer d stands for 0, 1, …, d − 1; a sequence lists the categories, each once.
    set_size : int
        Number m of values that every user holds, 1 ≤ m < d.
    k : int, optional
        Size of the reported set, 1 ≤ k ≤ d − m; None takes :func:`optimal_k`.

    Attributes
    ----------
    set_size, k : int
        The sizes in use.

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

    def __init__(self, epsilon: float, domain: DomainLike, set_size: int, k: int | None = None) -> None:
        epsilon = check_epsilon(epsilon)
        resolved = Domain(domain)
        d = resolved.size
        # Set first: the base class compares p with q, and both depend on them.
        self.set_size = check_int(set_size, "set_size", 1, d - 1)
        self.k = optimal_k(epsilon, d, self.set_size) if k is None else check_int(k, "k", 1, d - self.set_size)
        super().__init__(epsilon, resolved)

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
        """Number of possible reports, C(d, k)."""
        return math.comb(self.d, self.k)

    def encode(self, values: npt.ArrayLike) -> Codes:
        """Turn sets of values into sets of codes.

        Parameters
        ----------
        values : array_like, shape (n, set_size)
            One row per user: distinct values, each in the domain, in any order.

        Returns
        -------
        ndarray of int64, shape (n, set_size)
            Codes 0, …, d − 1.

        Raises
        ------
        ValueError
            If values has another shape, is empty, has missing entries, one that is not in the domain, or a row with
            the same value twice.
        """
        array = self._check_shape(values, "values")
        # Lists are handed on as lists, whose values no array has rounded or cut.
        flat = list(chain.from_iterable(values)) if isinstance(values, (list, tuple)) else array.reshape(-1)
        return self._check_distinct(self._domain.encode(flat).reshape(array.shape), "values")

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> Bits:
        """Draw every user's report.

        First how many of the user's own values it contains (their exact law), then which, uniformly; then as many of
        the other values as are missing from k, uniformly. Sets with equally many own values are equally likely under
        the mechanism, so this is its law.

        Parameters
        ----------
        encoded : array_like of int, shape (n, set_size)
            Distinct codes 0, …, d − 1 in each row.
        rng : numpy.random.Generator, int or None
            Source of randomness.

        Returns
        -------
        ndarray of uint8, shape (n, d)
            Rows of zeros with k ones.
        """
        array = self._check_shape(encoded, "encoded")
        codes = self._domain.check_codes(array.reshape(-1), "encoded").reshape(array.shape)
        self._check_distinct(codes, "encoded")
        generator = check_rng(rng)
        reports = allocate((len(codes), self.d), np.uint8, "encoded")
        for rows in row_blocks(len(codes), self.d):
            self._fill_reports(reports[rows], codes[rows], generator)
        return reports

    def _fill_reports(self, out: Bits, codes: Counts, rng: np.random.Generator) -> None:
        """Fill each row of ``out`` with the report of a user who holds that row of codes."""
        overlap = self._draw_overlap(len(codes), rng)
        own = np.empty(codes.shape, dtype=np.uint8)
        fill_subsets(own, overlap, rng)
        fill_subsets(out, self.k - overlap, rng, closed=codes)
        np.put_along_axis(out, codes, own, axis=1)

    def aggregate(self, reports: npt.ArrayLike) -> Counts:
        """Count, for each value, the reported sets that contain it.

        Parameters
        ----------
        reports : array_like of 0 and 1, shape (n, d)
            What :meth:`perturb` returned, or any of its rows.

        Returns
        -------
        ndarray of int64, shape (d,)
            Column sums, n·k in all.

        Raises
        ------
        ValueError
            If reports is empty, not n × d, has an entry other than 0 and 1, or not k ones in each row on average.
        """
        counts = super().aggregate(reports)
        if counts.sum() != self.k * np.shape(reports)[0]:
            mean = counts.sum() / np.shape(reports)[0]
            raise ValueError(f"reports must have k = {self.k} ones in each row, got {mean:g} on average")
        return counts

    def simulate(self, true_counts: npt.ArrayLike, rng: Rng = None, size: int | None = None) -> Counts:
        """Draw support counts from their joint law, where true counts determine it: with one value a user only.

        With larger sets the covariance of two support counts depends on how many users hold both values, which counts
        of single values do not tell. Use :meth:`simulate_sets` where the sets are known, and
        :meth:`simulate_marginals` where each count is looked at on its own.

        Parameters
        ----------
        true_counts : array_like of int, shape (d,)
            How many users hold each value; at least one user in all.
        rng : numpy.random.Generator, int or None
            Source of randomness.
        size : int, optional
            Number of independent runs.

        Returns
        -------
        ndarray of int64, shape (d,) or (size, d)
            Support counts.

        Raises
        ------
        ValueError
            If set_size is above 1.
        """
        if self.set_size > 1:
            raise ValueError(
                f"set_size must be 1 for true_counts to determine the joint law, got {self.set_size}: "
                "use simulate_sets or simulate_marginals"
            )
        counts, _ = self._check_true_counts(true_counts, size)
        return self.simulate_sets(np.arange(self.d)[:, None], counts, rng, size)

    def simulate_sets(
        self, sets: npt.ArrayLike, users: npt.ArrayLike, rng: Rng = None, size: int | None = None
    ) -> Counts:
        """Draw support counts from their exact joint law, given how many users hold each set.

        Parameters
        ----------
        sets : array_like of int, shape (s, set_size)
            The sets that occur, as codes.
        users : array_like of int, shape (s,)
            How many users hold each of them; at least one user in all.
        rng : numpy.random.Generator, int or None
            Source of randomness.
        size : int, optional
            Number of independent runs.

        Returns
        -------
        ndarray of int64, shape (d,) or (size, d)
            Support counts; each run sums to n·k. The cost grows with s·d·k at most: not with the number of users,
            who are drawn one by one only where they are so few that this is cheaper.
        """
        array = self._check_shape(sets, "sets")
        codes = self._domain.check_codes(array.reshape(-1), "sets").reshape(array.shape)
        self._check_distinct(codes, "sets")
        holders = check_counts(users, "users", len(codes))
        if not holders.any():
            raise ValueError("users must hold at least one user, got all zeros")
        support = np.zeros((*self._check_size(size), self.d), dtype=np.int64)
        generator = check_rng(rng)
        codes, holders = codes[holders > 0], holders[holders > 0]
        few = holders.sum() < ONE_BY_ONE * math.sqrt(self.k) * len(codes)
        draw = self._add_users if few else self._add_groups
        for total in support.reshape(-1, self.d):
            draw(total, codes, holders, generator)
        return support

    def _add_users(self, total: Counts, codes: Counts, holders: Counts, rng: np.random.Generator) -> None:
        """Add one run's support counts to ``total``: reports of one user after another, a block at a time."""
        users = np.repeat(np.arange(len(codes)), holders)
        for rows in row_blocks(users.size, self.d):
            block = np.empty((rows.stop - rows.start, self.d), dtype=np.uint8)
            self._fill_reports(block, codes[users[rows]], rng)
            total += column_sums(block)

    def _add_groups(self, total: Counts, codes: Counts, holders: Counts, rng: np.random.Generator) -> None:
        """Add one run's support counts to ``total``: all users of a set together."""
        # Users by set and by the number j of own values in the report; k − j others are then missing.
        overlap = rng.multinomial(holders, self._law_of_overlap())
        wanted = np.zeros((len(codes), self.k + 1), dtype=np.int64)
        wanted[:, self.k - np.arange(overlap.shape[1])] = overlap
        closed = np.zeros((len(codes), self.d), dtype=np.bool_)
        np.put_along_axis(closed, codes, True, axis=1)
        others = np.nonzero(~closed)[1].reshape(len(codes), -1)
        np.add.at(total, codes, _sums_of_subsets(overlap, self.set_size, rng))
        np.add.at(total, others, _sums_of_subsets(wanted, self.d - self.set_size, rng))

    def channel(self) -> Floats:
        """Give the exact probability of every reported set under every set a user can hold.

        Returns
        -------
        ndarray of float64, shape (C(d, set_size), C(d, k))
            Rows as in :meth:`inputs`, columns as in :meth:`outputs`.

        Raises
        ------
        ValueError
            If the matrix would have more than 2**24 entries, or one too small for a double (ε in the hundreds).
        """
        held, reported = self.inputs(), self.outputs().astype(bool)
        meets = np.array([reported[:, row].any(axis=1) for row in held])
        weight = np.where(meets, 1.0, math.exp(-self.epsilon))
        return self._check_underflow(weight / weight.sum(axis=1, keepdims=True))

    def inputs(self) -> Codes:
        """List every set of codes a user can hold, in the order of the rows of :meth:`channel`.

        Returns
        -------
        ndarray of int64, shape (C(d, set_size), set_size)
            Ascending codes, in lexicographic order.
        """
        self._check_enumerable(math.comb(self.d, self.set_size))
        return np.array(list(combinations(range(self.d), self.set_size)))

    def outputs(self) -> Bits:
        """List every set of k values, in lexicographic order of the sets.

        Returns
        -------
        ndarray of uint8, shape (C(d, k), d)
            Rows of zeros with k ones.
        """
        self._check_enumerable(math.comb(self.d, self.set_size))
        members = np.array(list(combinations(range(self.d), self.k)))
        rows = np.zeros((len(members), self.d), dtype=np.uint8)
        np.put_along_axis(rows, members, 1, axis=1)
        return rows

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

    def _number_of_users(self, counts: Counts) -> int:
        n, rest = divmod(int(counts.sum()), self.set_size)
        if rest or counts.max() > n:
            raise ValueError(
                f"true_counts must sum to n * set_size with no entry above n, got sum {counts.sum()} and "
                f"largest entry {counts.max()} at set_size = {self.set_size}"
            )
        return n

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


class SubsetSelection(SetSubsetSelection):
    r"""Subset selection (k-subset mechanism): report k values, the own one among them with probability p.

    .. math::  p = \frac{k e^{\varepsilon}}{k e^{\varepsilon} + d - k}, \qquad
               q = p\,\frac{k-1}{d-1} + (1-p)\,\frac{k}{d-1}, \qquad k \approx \frac{d}{e^{\varepsilon}+1}.

    Its error is of the least possible order for every ε and d [1]_. With k = 1 it is direct encoding. A report is a row
    of d bits with k ones; ⌈log₂ C(d, k)⌉ bits suffice to send it.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of one report, finite and > 0.
    domain : int or sequence
        The d ≥ 2 possible values: an integer d stands for 0, 1, …, d − 1; a sequence lists the categories, each once.
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

    def __init__(self, epsilon: float, domain: DomainLike, k: int | None = None) -> None:
        super().__init__(epsilon, domain, set_size=1, k=k)

    def encode(self, values: npt.ArrayLike) -> Codes:
        """Turn values into codes: positions in the domain.

        Parameters
        ----------
        values : array_like, shape (n,)
            One value per user, each in the domain.

        Returns
        -------
        ndarray of int64, shape (n,)
            Codes 0, …, d − 1.
        """
        return self._domain.encode(values)

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> Bits:
        """Draw every user's report: the own value with probability p, and random others up to k.

        Parameters
        ----------
        encoded : array_like of int, shape (n,)
            Codes 0, …, d − 1.
        rng : numpy.random.Generator, int or None
            Source of randomness.

        Returns
        -------
        ndarray of uint8, shape (n, d)
            Rows of zeros with k ones.
        """
        return super().perturb(self._check_codes(encoded)[:, None], rng)

    def _parameters(self) -> dict[str, Any]:
        return {"k": self.k}


def optimal_k(epsilon: float, d: int, set_size: int = 1) -> int:
    """Give the size of the reported set at which a rare value is estimated with the least variance.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε, finite and > 0.
    d : int
        Size of the domain, 2 to 2**24.
    set_size : int, default 1
        Number of values that each user holds, below d.

    Returns
    -------
    int
        The minimiser over k = 1, …, d − set_size, the smaller one in a tie; for single values about d/(e^ε + 1).

    Examples
    --------
    >>> [optimal_k(epsilon, 128) for epsilon in (0.1, 1.0, 4.0)]
    [61, 34, 2]
    """
    epsilon, d = check_epsilon(epsilon), check_int(d, "d", 2, MAX_DOMAIN)
    m = check_int(set_size, "set_size", 1, d - 1)
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
