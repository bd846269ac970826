r"""The best ε-private channel for a question, with a certificate that no other is better.

"Best" needs a question, a belief and a number to minimize: a workload, the matrix W whose rows are sums of the counts
that somebody wants to know; a prior π, the shares of the values among users; and the variance of the best unbiased
linear estimate of W times the counts, added up over its rows.
"""

from __future__ import annotations

import math
from contextlib import suppress
from statistics import NormalDist
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Codes, Counts, Floats
from ldp_core._relaxation import Relaxation
from ldp_core._validate import (
    Rng,
    check_bool,
    check_in_range,
    check_matrix,
    check_numbers,
    check_option,
    check_prior,
    check_probability,
    check_rng,
    first_where,
)
from ldp_core.frequency._domain import DomainLike
from ldp_core.frequency._sampler import bernoulli
from ldp_core.frequency.base import FiniteOracle

__all__ = ["OptimalChannel", "optimal_channel"]

#: Largest domain, and the largest one for which all 2ᵈ − 2 patterns are looked at.
MAX_D, ALL_D = 64, 16

#: Below and above, doubles do not tell reports, or the variance from 0, apart well enough for the certificate.
MIN_EPSILON, MAX_EPSILON = 1e-4, 20.0

#: Weights of patterns are whole numbers with about this sum, so that what is drawn from is exactly what is written out.
_TOTAL = 2.0**50

#: Patterns are added so many times at most; a few are enough, and the gap says how far it came.
_ROUNDS = 50

#: The same for larger domains, where a round takes seconds, and what gap ends them at the latest.
_SEARCHES, _NEAR = 10, 0.005

#: How much of every count is asked besides, while weights are sought; the certificate is of the question alone.
_RIDGE = 1e-10

#: At most so many blocks, each in d positions, make subset selection for larger domains.
_BLOCKS = 16

Workload = Literal["counts", "prefix", "mean"]


class OptimalChannel(FiniteOracle):
    r"""The ε-private channel with the least variance for a workload, as a frequency oracle, and a bound for all others.

    A report is the number of a pattern, a set of values. Whatever the user's value, with one and the same probability
    any pattern is drawn, by its weight; otherwise one of those that hold the value.

    Parameters
    ----------
    epsilon : float
        ε of a report, 0.0001 to 20.
    domain : int or sequence
        The values, at most 64.
    workload : {"counts", "prefix", "mean"} or array_like, shape (rows, d), default "counts"
        What is estimated: the counts of all values; the d − 1 sums of the first 1, 2, … of them; the sum of the users'
        places, which lie evenly on [−1, 1]; or any sums of counts, a row of factors for each.
    prior : array_like, shape (d,), optional
        The shares of the values among users, for which the channel is the best one. None: all alike. It is private, and
        its estimates are unbiased, whatever the true shares are.
    tolerance : float, default 1e-4
        The largest ``gap``, 1e-6 to 1, as long as doubles bear it out. Above 16 values it is only aimed at: ``gap``
        says what was reached, mostly below 0.01 for the three named workloads, up to 0.1 for others, and it takes
        seconds to a minute or two.

    Attributes
    ----------
    patterns : ndarray of bool, shape (n_outputs, d)
        Which values each report is likelier for.
    workload, prior : ndarray of float64, shape (rows, d) and (d,)
        W and π.
    per_user : float
        Variance of the estimate for each user, added up over the rows, if users are spread as the prior says.
    lower_bound : float
        No ε-private channel has a smaller one.
    gap : float
        The part of ``per_user`` that is above ``lower_bound``, 0 to 1.

    Notes
    -----
    Counts are those of the patterns; estimates and intervals are of the workload, shape (..., rows). Intervals cover
    what a row would be for users drawn from a population as well, and for these users a little oftener than they say.

    There is a best channel whose columns are, up to a factor, :math:`K_o \in \{1, e^{\varepsilon}\}^d` (Kairouz, Oh and
    Viswanath): a pattern o with a weight :math:`w_o \ge 0`. Rows add up to 1, :math:`\sum_o w_o K_o = 1`, and with

    .. math::  M(w) = \sum_o w_o \frac{K_o K_o^{\top}}{\pi \cdot K_o}

    the variance is :math:`\operatorname{tr}(W M^{-1} W^{\top}) - \sum_v \pi_v \|W e_v\|^2`, convex in w. It is
    minimized over some patterns by Newton's method with a barrier; those that would lower it most are added until none
    would.

    *The certificate.* For :math:`C = M^{-1} W^{\top} W M^{-1}` at any w, and any λ with
    :math:`\lambda \cdot K \le -K^{\top} C K / (\pi \cdot K)` for all patterns K, no channel has a first term below
    :math:`2 \operatorname{tr}(W M^{-1} W^{\top}) + \sum_v \lambda_v`, as the first term is convex, and of degree −1 in
    w. All patterns are looked at.

    *Above 16 values* they are too many. A search finds patterns, and the bound is that of a semidefinite relaxation,
    which allows more than channels can do: so it holds for all of them, but neither it nor the channel need be the best
    one. For counts, and a prior that is the same for all values, the bound is exact: it is subset selection's.

    References
    ----------
    P. Kairouz, S. Oh and P. Viswanath. Extremal mechanisms for local differential privacy. JMLR 17, 2016.

    R. McKenna, R. K. Maity, A. Mazumdar and G. Miklau. A workload-adaptive mechanism for linear queries under local
    differential privacy. PVLDB 13(11), 2020: the same question, for larger domains.

    Examples
    --------
    >>> best = optimal_channel(1.0, 8)
    >>> round(best.per_user, 2), bool(best.gap < 1e-4)
    (21.74, True)
    >>> sorted(set(best.patterns.sum(axis=1).tolist()))  # subset selection with k = 2
    [2]
    """

    def __init__(
        self,
        epsilon: float,
        domain: DomainLike,
        workload: Workload | npt.ArrayLike = "counts",
        *,
        prior: npt.ArrayLike | None = None,
        tolerance: float = 1e-4,
    ) -> None:
        super().__init__(epsilon, domain)
        check_in_range(self.epsilon, "epsilon", MIN_EPSILON, MAX_EPSILON)
        if self.d > MAX_D:
            raise ValueError(f"domain must have at most {MAX_D} values, got {self.d}")
        self.tolerance = check_in_range(tolerance, "tolerance", 1e-6, 1.0)
        self.workload = _asked(workload, self.d)
        self._named = workload if isinstance(workload, str) else tuple(map(tuple, self.workload.tolist()))
        self.prior = np.full(self.d, 1 / self.d) if prior is None else check_prior(prior, self.d)
        # Values with one column in the workload are one value to it: merged, they leave the least error as it is.
        columns, merged = np.unique(self.workload, axis=1, return_inverse=True)
        prior = np.bincount(merged.ravel(), self.prior).astype(np.float64)
        # Users' number is known: what is the same for all values costs nothing, and only hides what does.
        problem = _Problem(math.exp(-self.epsilon), columns - (self.workload @ self.prior)[:, None], prior)
        patterns, weights, self.lower_bound = problem.solve(self.tolerance)
        self.patterns = patterns[:, merged.ravel()]
        self._weights = np.rint(weights / weights.sum() * _TOTAL).astype(np.int64)
        # Every value is held by the same weight of patterns, but for rounding: the least one decides, so that the
        # channel keeps ε whatever was rounded.
        held = self._weights @ self.patterns
        self._blind = 1 / (1 + math.expm1(self.epsilon) * (int(held.min()) / int(self._weights.sum())))
        any_pattern, its_own = self._weights / self._weights.sum(), self._weights * self.patterns.T / held[:, None]
        self._channel = self._blind * any_pattern + (1 - self._blind) * its_own
        likely = self._channel / (self.prior @ self._channel)
        information = likely @ self._channel.T
        centre = self.workload @ self.prior
        around = likely.T @ np.linalg.pinv(information, hermitian=True) @ (self.workload.T - centre)
        self._variances = np.maximum(self._channel @ around**2 - (self.workload.T - centre) ** 2, 0)
        #: What a report adds to the estimate, shape (n_outputs, rows).
        self._parts = around + centre
        self.per_user = float(self.prior @ self._variances.sum(axis=1))
        self.gap = max(0.0, 1 - self.lower_bound / self.per_user)

    @property
    def n_outputs(self) -> int:
        return len(self.patterns)

    @property
    def counts_shape(self) -> tuple[int, ...]:
        return (self.n_outputs,)

    def channel(self) -> Floats:
        return np.array(self._channel)

    def outputs(self) -> Codes:
        return np.arange(self.n_outputs)

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> Codes:
        codes = self._check_codes(encoded)
        generator = check_rng(rng, law=self._coins())
        reports = np.empty(codes.size, dtype=np.int64)
        blind = bernoulli(self._blind, codes.size, generator)
        for users, weights in [
            (np.flatnonzero(blind), self._weights),
            *((np.flatnonzero(~blind & (codes == v)), self._weights * self.patterns[:, v]) for v in range(self.d)),
        ]:
            ends = np.cumsum(weights)
            places = generator.integers(ends[-1], size=users.size)
            reports[users] = np.searchsorted(ends, places, side="right")
        return reports

    def aggregate(self, reports: npt.ArrayLike) -> Counts:
        codes = check_numbers(reports, "reports")
        wrong = ~((codes >= 0) & (codes < self.n_outputs) & (codes == np.floor(codes)))
        if codes.ndim != 1 or codes.size == 0:
            raise ValueError(f"reports must have shape (n,) with n >= 1, got shape {codes.shape}")
        if wrong.any():
            raise ValueError(
                f"reports must be whole numbers from 0 to {self.n_outputs - 1}, got {first_where(codes, wrong)}"
            )
        return np.bincount(codes.astype(np.intp), minlength=self.n_outputs).astype(np.int64, copy=False)

    def estimate(self, counts: npt.ArrayLike, n: int) -> Floats:
        support = self._check_support(counts)
        self._check_n_count(n, 0)
        return np.asarray(support @ self._parts)

    def variance(self, n: int, count: npt.ArrayLike = 0) -> Any:
        """Give the exact variance of each row's estimate.

        Parameters
        ----------
        count : array_like, shape (..., d), or 0
            True counts of all values. 0: n users who are spread as the prior says.
        """
        n, true = self._check_n_count(n, count)
        if true.ndim == 0:
            if true:
                raise ValueError(f"count must be the true counts of all {self.d} values, or 0, got {true}")
            true = n * self.prior
        if true.shape[-1] != self.d:
            raise ValueError(f"count must have shape (..., {self.d}), got {true.shape}")
        return np.asarray(true @ self._variances)

    def interval(
        self,
        counts: npt.ArrayLike,
        n: int,
        *,
        level: float = 0.95,
        simultaneous: bool = False,
        population: bool = False,
    ) -> tuple[Floats, Floats]:
        # By the variance of the reports: so the users' own spread is in it.
        check_bool(population, "population")
        level = check_probability(level, "level")
        missed = (1 - level) / (len(self.workload) if check_bool(simultaneous, "simultaneous") else 1)
        estimate, squares = self.estimate(counts, n), self._check_support(counts) @ self._parts**2
        reach = -NormalDist().inv_cdf(missed / 2) * np.sqrt(np.maximum(squares - estimate**2 / n, 0))
        return estimate - reach, estimate + reach

    def simulate(self, true_counts: npt.ArrayLike, rng: Rng = None, *, size: int | None = None) -> Counts:
        counts, shape = self._check_true_counts(true_counts, size)
        generator = check_rng(rng, law=self._coins())
        blind = generator.binomial(counts, self._blind, size=(*shape, self.d))
        support = generator.multinomial(blind.sum(axis=-1), self._weights / self._weights.sum())
        for v in range(self.d):
            own = self._weights * self.patterns[:, v]
            support += generator.multinomial((counts - blind)[..., v], own / own.sum())
        return support

    def _parameters(self) -> dict[str, Any]:
        return {"workload": self._named, "prior": tuple(self.prior.tolist()), "tolerance": self.tolerance}


def optimal_channel(
    epsilon: float,
    domain: DomainLike,
    workload: Workload | npt.ArrayLike = "counts",
    *,
    prior: npt.ArrayLike | None = None,
    tolerance: float = 1e-4,
) -> OptimalChannel:
    """Return the best channel for a question.

    Parameters
    ----------
    epsilon, domain, workload, prior, tolerance
        Those of :class:`OptimalChannel`.

    Returns
    -------
    OptimalChannel
        A frequency oracle with its certificate.
    """
    return OptimalChannel(epsilon, domain, workload, prior=prior, tolerance=tolerance)


def _asked(workload: Workload | npt.ArrayLike, d: int) -> Floats:
    """The workload as a matrix."""
    if not isinstance(workload, str):
        asked = check_matrix(workload, "workload", d)
        if len(asked) == 0 or np.ptp(asked, axis=1).max() == 0:
            raise ValueError("workload must have a row that is not the same for all values")
        return asked
    check_option(workload, "workload", ("counts", "prefix", "mean"))
    if workload == "mean":
        return np.linspace(-1, 1, d)[None]
    return np.eye(d) if workload == "counts" else np.tri(d - 1, d)


class _Point(NamedTuple):
    """Weights of patterns, and what follows from them."""

    weights: Floats
    value: float  # tr(W M⁻¹ Wᵀ)
    gradient: Floats  # C = M⁻¹ Wᵀ W M⁻¹
    multipliers: Floats  # λ


class _Problem:
    """Minimize tr(W M(w)⁻¹ Wᵀ), with columns scaled to entries in {e^−ε, 1}."""

    def __init__(self, low: float, workload: Floats, prior: Floats) -> None:
        self.low, self.prior, self.d = low, prior, len(prior)
        self.square = workload.T @ workload
        # A little of every count is asked, too: with a question of few rows the best M is nearly singular.
        self.ridged = self.square + _RIDGE * np.trace(self.square) / self.d * np.eye(self.d)
        self.known = float(prior @ np.diag(self.square))

    def columns(self, patterns: npt.NDArray[np.bool_]) -> Floats:
        return np.where(patterns, 1.0, self.low)

    def solve(self, tolerance: float) -> tuple[npt.NDArray[np.bool_], Floats, float]:
        """Return patterns, their weights, and a lower bound that is nearer than the tolerance, up to ALL_D values."""
        if self.d > ALL_D:
            return self.blocks(tolerance) if self.alike() else self.search(tolerance)
        every = (np.arange(1, 2**self.d - 1)[:, None] >> np.arange(self.d) & 1).astype(bool)
        all_columns = self.columns(every)
        place = np.arange(self.d)
        patterns = np.unique([np.roll(place < k, shift) for k in range(1, self.d) for shift in place], axis=0)
        for _ in range(_ROUNDS):
            chosen = patterns
            at = self.settle(self.columns(chosen), tolerance / 10, 1e-6)
            # The barrier's multipliers leave room below each of these patterns; lowered, they do for all patterns.
            excess = (self.gains(at, all_columns) + all_columns @ at.multipliers) / (all_columns @ self.prior)
            lower = 2 * at.value + at.multipliers.sum() - max(0.0, excess.max())
            if at.value - lower <= tolerance / 2 * (at.value - self.known):
                break
            kept = chosen[at.weights > 1e-6 * at.weights.max()]
            best = np.argsort(-excess)[: 4 * self.d]
            patterns = np.unique(np.concatenate([kept, every[best[excess[best] > 0.05 * excess.max()]]]), axis=0)
        return *self.thinned(chosen, at, at.value - lower, tolerance), lower - self.known

    def thinned(
        self, patterns: npt.NDArray[np.bool_], at: _Point, gap: float, tolerance: float
    ) -> tuple[npt.NDArray[np.bool_], Floats]:
        """Leave patterns out whose weights are slight, as long as the value hardly moves: by gap / 20 at most."""
        columns = self.columns(patterns)
        # The barrier leaves every pattern a weight. Without the slight ones the others are moved as little as possible.
        for slight in (0.03, 0.01, 1e-3, 1e-4):
            kept = at.weights > slight * at.weights.max()
            some, weights = columns[kept], at.weights[kept]
            weights = weights + np.linalg.lstsq(some.T, 1 - some.T @ weights, rcond=None)[0]
            inverse = np.linalg.pinv((some.T * (weights / (some @ self.prior))) @ some, rcond=1e-11, hermitian=True)
            value = float(np.trace(self.square @ inverse))
            known = self.square @ inverse @ np.linalg.pinv(inverse, rcond=1e-11, hermitian=True)
            if (
                weights.min() > 0
                and abs(some.T @ weights - 1).max() < 1e-12
                and np.allclose(known, self.square, rtol=0, atol=1e-9 * abs(self.square).max())
                and value - at.value <= max(gap / 20, tolerance * (value - self.known) - gap)
            ):
                return patterns[kept], weights
        return patterns, at.weights

    def alike(self) -> bool:
        """Tell whether no value differs from another, in the belief and in the question."""
        even = np.eye(self.d) - 1 / self.d
        scale = float(np.trace(self.square)) / (self.d - 1)
        return bool(np.ptp(self.prior) == 0 and np.allclose(self.square, scale * even, rtol=0, atol=1e-12 * scale))

    def blocks(self, tolerance: float) -> tuple[npt.NDArray[np.bool_], Floats, float]:
        """Subset selection, with as many of its sets as the tolerance needs: blocks of k values in all d positions.

        The mean of M over all orders of the values is no worse, as the value is convex in M. It has one eigenvalue
        d − 1 times, which grows with weights of sizes, and rows add up to 1: one size is the best. M of blocks in all
        positions is a circulant matrix; its eigenvalues are made as alike as a search among some blocks can.
        """
        sizes = np.arange(1, self.d)
        held = sizes + (self.d - sizes) * self.low
        values = (self.d - 1) * held**2 / (sizes * (self.d - sizes) * (1 - self.low) ** 2) * np.trace(self.square)
        k, lower = int(sizes[values.argmin()]), float(values.min()) / self.d
        rng, place = np.random.default_rng(0), np.arange(self.d)
        tries = rng.permuted(np.tile(place < k, (2000, 1)), axis=1)
        spectra = np.maximum(abs(np.fft.fft(self.columns(tries))[:, 1:]) ** 2, 1e-9)  # 0: what tells nothing
        chosen: list[int] = []
        total, value = np.zeros(self.d - 1), math.inf
        while len(chosen) < _BLOCKS and value - lower > tolerance / 2 * (lower - self.known):
            means = np.reciprocal(total + spectra).mean(axis=1)
            chosen.append(int(means.argmin()))
            total = total + spectra[chosen[-1]]
            value = lower * float(means.min() * total.mean())
        patterns = np.concatenate([np.roll(tries[chosen], shift, axis=1) for shift in place])
        patterns, often = np.unique(patterns, axis=0, return_counts=True)
        return patterns, often.astype(float), lower * (1 - 1e-13) - self.known

    def search(self, tolerance: float) -> tuple[npt.NDArray[np.bool_], Floats, float]:
        """Patterns that a search finds, and the relaxation's bound for all others."""
        rng, place = np.random.default_rng(0), np.arange(self.d)
        relaxed = Relaxation(self.low, self.square, self.prior).solve(self.known, max(tolerance / 4, 2e-3))
        # Starts: runs, and signs of normal draws that vary together as the relaxation's best signs do.
        lengths, axes = np.linalg.eigh(relaxed.signs)
        signs = (rng.standard_normal((64 * self.d, self.d + 1)) * np.sqrt(np.maximum(lengths, 0))) @ axes.T
        starts = np.concatenate(
            [[np.roll(place < k, shift) for k in range(1, self.d) for shift in place], signs[:, 1:] * signs[:, :1] > 0]
        )
        starts = np.unique(starts[starts.any(axis=1) & ~starts.all(axis=1)], axis=0)
        kept, most, scale = np.eye(self.d, dtype=bool), 8 * self.d, 1e-3 * relaxed.lower
        gradient, multipliers = relaxed.gradient, relaxed.multipliers
        patterns = kept
        at: _Point | None = None
        for _ in range(_SEARCHES):
            found = np.unique(np.concatenate([self.climb(starts, gradient, multipliers), starts]), axis=0)
            excess = self.excess(self.columns(found), gradient, multipliers)
            # Many are nearly as good: chance among them keeps those that are added from being all alike.
            best = np.argsort(-excess / scale - rng.gumbel(size=len(excess)))[:most]
            # With single values M is regular, however few patterns a question needs.
            tried = np.unique(np.concatenate([np.eye(self.d, dtype=bool), kept, found[best]]), axis=0)
            new = self.settle(self.columns(tried), max(tolerance, 1e-3))
            if at is not None and new.value >= at.value:
                break
            patterns, at = tried, new
            kept, most = patterns[at.weights > 1e-3 * at.weights.max()], 4 * self.d
            gradient, multipliers = at.gradient, at.multipliers
            scale = 0.1 * max(0, self.excess(self.columns(found), gradient, multipliers).max())
            gap = (at.value - relaxed.lower) / (at.value - self.known)
            if gap <= max(tolerance / 2, _NEAR) or scale < 1e-5 * (at.value - self.known):
                break
        assert at is not None
        return *self.thinned(patterns, at, at.value - relaxed.lower, tolerance), relaxed.lower - self.known

    def settle(self, columns: Floats, tolerance: float, centred: float = 1e-2) -> _Point:
        """Descend, less far where doubles give out: few patterns are enough for some questions, and M is singular."""
        for coarser in (1, 10, 100):
            with suppress(np.linalg.LinAlgError):
                return self.descend(columns, coarser * tolerance, centred)
        return self.descend(columns, 1.0, 1e-2)

    def excess(self, columns: Floats, gradient: Floats, multipliers: Floats) -> Floats:
        """By how much a pattern's column keeps the multipliers from a proof."""
        held = columns @ self.prior
        return np.asarray((np.einsum("ij,ij->i", columns @ gradient, columns) / held + columns @ multipliers) / held)

    def climb(self, patterns: npt.NDArray[np.bool_], gradient: Floats, multipliers: Floats) -> npt.NDArray[np.bool_]:
        """Put in or take out the one value that raises a pattern's excess most, until none does."""
        columns, live = self.columns(patterns), np.arange(len(patterns))
        while len(live):
            some = columns[live]
            flip = np.where(some == 1, self.low - 1, 1 - self.low)
            along = some @ gradient
            held = (some @ self.prior)[:, None] + flip * self.prior
            square = np.einsum("ij,ij->i", along, some)[:, None] + 2 * flip * along + flip**2 * np.diag(gradient)
            then = (square / held + (some @ multipliers)[:, None] + flip * multipliers) / held
            place, now = then.argmax(axis=1), self.excess(some, gradient, multipliers)
            better = then.max(axis=1) > now + 1e-9 * abs(now)
            live, place = live[better], place[better]
            columns[live, place] = np.where(columns[live, place] == 1, self.low, 1.0)
        return np.asarray(columns == 1)

    def gains(self, at: _Point, columns: Floats) -> Floats:
        """How fast a pattern's weight lowers the value."""
        return np.asarray(np.einsum("ij,ij->i", columns @ at.gradient, columns) / (columns @ self.prior))

    def point(self, square: Floats, weights: Floats, scaled: Floats, multipliers: Floats) -> _Point:
        inverse = np.linalg.inv((scaled.T * weights) @ scaled)
        return _Point(weights, float(np.trace(square @ inverse)), inverse @ square @ inverse, multipliers)

    def descend(self, columns: Floats, tolerance: float, centred: float = 1e-6) -> _Point:
        """Newton's method with a logarithmic barrier, from equal weights, which need not be feasible.

        How well each barrier's least point is `centred` matters for a proof, not for a search.
        """
        scaled = columns / np.sqrt(columns @ self.prior)[:, None]  # M is their squares, weighed
        weights = np.full(len(columns), 1 / columns.sum(axis=0).mean())
        at = self.point(self.ridged, weights, scaled, np.zeros(self.d))
        barrier = at.value / len(weights) / 10
        while True:
            for _ in range(50):
                inverse = np.linalg.inv((scaled.T * at.weights) @ scaled)
                slope = -np.einsum("ij,ij->i", scaled @ at.gradient, scaled) - barrier / at.weights
                # Steps are taken as parts of the weights: some of those are slight, and doubles would give out.
                of = at.weights[:, None]
                curve = 2 * of * (scaled @ at.gradient @ scaled.T) * (scaled @ inverse @ scaled.T) * of.T
                curve[np.diag_indices_from(curve)] += barrier
                root = np.linalg.cholesky(curve)
                both = np.linalg.solve(root, of * np.column_stack([columns, slope]))
                rows, down = both[:, :-1], both[:, -1]
                missing = columns.T @ at.weights - 1
                multipliers = np.linalg.lstsq(rows.T @ rows, missing - rows.T @ down, rcond=0.0)[0]
                step = -at.weights * np.linalg.solve(root.T, down + rows @ multipliers)
                size = min(1.0, 0.99 / max(1e-300, float(np.max(-step / at.weights))))
                new = self.point(self.ridged, at.weights + size * step, scaled, -multipliers)
                height = at.value - barrier * np.log(at.weights).sum()
                # Away from the plane of rows that add up to 1 the height may have to grow.
                while (
                    abs(missing).max() < 1e-9
                    and size > 1e-10
                    and new.value - barrier * np.log(new.weights).sum() > height + 1e-12 * abs(height)
                ):
                    size /= 2
                    new = self.point(self.ridged, at.weights + size * step, scaled, -multipliers)
                at = new
                if size <= 1e-10 or (abs(float(slope @ step)) < centred * barrier * len(weights) and size == 1.0):
                    break
            if barrier * len(weights) < tolerance * (at.value - self.known):
                return self.point(self.square, at.weights, scaled, at.multipliers)
            barrier /= 10
