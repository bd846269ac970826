"""The numeric mechanism: what every way of reporting numbers has in common.

A user's device calls :meth:`~NumericMechanism.perturb`; only the report leaves it. The server calls
:meth:`~NumericMechanism.aggregate`, :meth:`~NumericMechanism.estimate` and :meth:`~NumericMechanism.interval`; it never
sees a value, and need not keep a report.

Inside, a row is a user and a column a coordinate, always: arrays have shape (n, dim). That one value per user may be
written without the second axis is the business of ``_rows`` and ``_shaped`` alone.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Counts, Floats
from ldp_core._frozen import Comparable
from ldp_core._validate import (
    Rng,
    check_bool,
    check_counts,
    check_epsilon,
    check_int,
    check_numbers,
    check_probability,
    check_rng,
    check_unit,
    first_where,
)
from ldp_core.numeric.sums import Sums

__all__ = ["NumericMechanism"]

#: Entries that are worked on at a time: 512 KiB of float64, so that intermediate results stay in the cache.
BLOCK = 2**16

#: Most runs of a simulation that are worked on at a time.
RUNS = 2**10

#: Largest report that is averaged: squares of fewer than 10^28 of them add up to a double.
LARGEST_REPORT = 1e140

#: Most values that a user may hold: a report of so many takes 128 MiB.
LARGEST_DIM = 2**24

#: Most numbers that a simulation returns: 1 GiB of float64.
LARGEST_RESULT = 2**27

#: Most numbers that a simulation draws where it has to go through the users: about a quarter of an hour.
LARGEST_DRAW = 2**36


class NumericMechanism(Comparable):
    r"""Report numbers in [−1, 1] so that the mean survives and no single number can be told.

    Every mechanism is unbiased: the report y of a user with values t has mean t, coordinate by coordinate. Reports
    scatter far outside [−1, 1]; that is the price of privacy, and it averages out.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of one user's whole report, finite and > 0, however many coordinates it has: whatever the
        user's values, no report becomes more than :math:`e^{\varepsilon}` times likelier than under other values.
    dim : int, default 1
        Number d of values that each user holds, up to 2**24.

    Notes
    -----
    Two mechanisms of one class are equal, and have one hash, if their parameters are, to the last bit. Then the sums of
    their reports add up.

    The guarantee is that of the mechanism over the real numbers, and a computer keeps it for DiscreteLaplace exactly,
    for Duchi up to the last digit of ε, and for no other. The others' noise has gaps that differ from value to value
    [1]_: a report in the gap of a value cannot come from it. At ε = 1 that holds, between the values 0 and 1, for 15%
    of Laplace's reports on 0, 45% of Piecewise's and 18% of Hybrid's, and for more at larger ε;
    :func:`ldp_core.floating.betrayed` measures it. They are here for learning, and for measuring mechanisms; the cure
    is :class:`~ldp_core.numeric.DiscreteLaplace`, whose reports have the exact law of the proof, or
    :class:`~ldp_core.numeric.Duchi`, whose report is a bit.

    References
    ----------
    .. [1] I. Mironov. On significance of the least significant bits for differential privacy. CCS 2012.
    """

    def __init__(self, epsilon: float, dim: int = 1) -> None:
        self.epsilon = check_epsilon(epsilon)
        self.dim = check_int(dim, "dim", 1, LARGEST_DIM)

    def _check_made(self) -> None:
        if not math.isfinite(self.worst_variance):
            raise ValueError(
                f"epsilon must be large enough for the variance to be finite in double precision, "
                f"got {self.epsilon!r} at dim = {self.dim}"
            )

    # ---- what a mechanism has to say ----------------------------------------------------------------------------

    @abstractmethod
    def _draw(self, t: Floats, rng: np.random.Generator) -> Floats:
        """Draw the reports of a block of users; t and the result have shape (n, dim)."""

    @abstractmethod
    def _variance_ends(self) -> tuple[float, float]:
        """Variance of a coordinate at t = 0 and at t = ±1; in between it is linear in t², unless told otherwise."""

    @property
    @abstractmethod
    def bits(self) -> int:
        """Bits of one report in the shortest code of fixed length, a float64 counted as 64."""

    @property
    @abstractmethod
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible coordinate of a report."""

    @property
    def atoms(self) -> tuple[float, ...]:
        """Values that a one-dimensional report takes with positive probability, where they can be listed."""
        return ()

    # ---- on the user's device -----------------------------------------------------------------------------------

    def perturb(self, t: npt.ArrayLike, rng: Rng = None) -> Floats:
        """Randomize values into reports, one per user, each ε-locally differentially private as a whole.

        Other ranges than [−1, 1] are brought there by :class:`~ldp_core.numeric.IntervalScaler`. Reports y are
        unbiased: the mean of y is t in every coordinate.
        """
        reports: Floats = self._shaped(self._perturb_rows(self._check_values(t), check_rng(rng, law=self._coins())))
        return reports

    def privatize(self, values: npt.ArrayLike, rng: Rng = None) -> Floats:
        """Do what :meth:`perturb` does, by the name that holds for oracles too: numbers need no encoding."""
        reports: Floats = self._shaped(
            self._perturb_rows(self._check_values(values, "values"), check_rng(rng, law=self._coins()))
        )
        return reports

    def _perturb_rows(self, rows: Floats, rng: np.random.Generator) -> Floats:
        """Draw reports block by block: checked values, and the result, have shape (n, dim)."""
        reports = np.empty_like(rows)
        for block in self._blocks(len(rows)):
            reports[block] = self._draw(rows[block], rng)
        return reports

    # ---- on the server ------------------------------------------------------------------------------------------

    def aggregate(self, reports: npt.ArrayLike) -> Sums:
        """Add up reports: all that the server needs of them.

        The sums of other users' reports can be added with ``+``.

        Examples
        --------
        >>> from ldp_core.numeric import Duchi
        >>> mechanism = Duchi(epsilon=1.0)
        >>> morning, evening = (mechanism.perturb([0.5] * n, rng=n) for n in (300, 200))
        >>> both = mechanism.aggregate(morning) + mechanism.aggregate(evening)
        >>> both.n, abs(mechanism.estimate(both) - mechanism.estimate([*morning, *evening])) < 1e-12
        (500, True)
        """
        return self._add_up(self._check_reports(reports))

    def _add_up(self, rows: Floats) -> Sums:
        total, squares = np.zeros(self.dim), np.zeros(self.dim)
        for block in self._blocks(len(rows)):  # einsum adds short rows quicker than np.sum does
            total += np.einsum("ij->j", rows[block])
            squares += np.einsum("ij,ij->j", rows[block], rows[block])
        return Sums(self, n=len(rows), total=total, squares=squares)

    def estimate(self, reports: npt.ArrayLike | Sums) -> Any:
        """Estimate, without bias, the mean of the users' values from reports, or what :meth:`aggregate` made of them.

        It is a float, or an array of shape (dim,), possibly outside [−1, 1], never clipped.
        """
        return self._shaped(self._sums(reports).mean)

    def interval(
        self, reports: npt.ArrayLike | Sums, *, level: float = 0.95, population: bool = False
    ) -> tuple[Any, Any]:
        r"""Give a confidence interval for the mean of these users' values, from the exact variance of the noise.

        With probability ``level`` it covers the true mean of its coordinate. It is never clipped to [−1, 1], and never
        of width zero while there is any noise.

        Notes
        -----
        It accounts for the mechanism's coins only: the users and their values are taken as given, and it is their mean
        that is covered. With ``population`` it is the mean of a population of which they are a random sample: the mean
        of the reports ∓ z of its own standard errors, those of the reports; but see the second case.

        The variance of a report is known exactly, except that it depends on t², and the mean of t² over the users
        is not known:

        * Laplace, DiscreteLaplace and Hybrid (above ε*): it does not depend on t² (or hardly: DiscreteLaplace takes
          its worst value). Mean ∓ z standard errors.
        * Duchi, and Hybrid up to ε*: :math:`y^2` is the same whatever t, so the reports say nothing about the mean of
          t². But it is never below the square of the mean, hence the variance of the mean of n reports never above
          :math:`(A - \mu^2)/n`, where A is the variance at t = 0. The interval holds all μ from which the mean of the
          reports is at most z such standard errors away, plus half the distance between two possible means: the score
          interval with continuity correction. For users whose values are drawn at random from a population,
          the variance of the mean is exactly :math:`(A - \mu^2)/n`: the population's mean is covered anyway.
        * Piecewise: the mean of t² is estimated by the mean of y², less the noise in it. Mean ∓ z standard errors.

        z is the quantile of a normal law: for a handful of users the mean of the reports is not normal, and coverage
        is a little off (one report of Laplace's lies in its 95% interval with probability 0.937).
        """
        level = check_probability(level, "level")
        sums, z = self._sums(reports), -NormalDist().inv_cdf((1 - level) / 2)
        low, high = self._interval(sums, z, check_bool(population, "population"))
        return self._shaped(low), self._shaped(high)

    def _interval(self, sums: Sums, z: float, population: bool) -> tuple[Floats, Floats]:
        mean, (at_zero, at_one) = sums.mean, self._variance_ends()
        if at_one - at_zero > -0.5:  # otherwise it is −1, rounding aside
            variance = self._mean_variance(sums)
            if population:
                variance = np.maximum(variance, sums.squares / sums.n - mean * mean)
            error = z * np.sqrt(variance / sums.n)
            return mean - error, mean + error
        # Solved for μ: |mean − μ| − half/n = z·√((A − μ²)/n).
        size, k, half = math.sqrt(at_zero), z * z / sums.n, self.support[1] / sums.n
        ends = []
        for sign in (-1, 1):
            moved = np.clip(mean + sign * half, -size, size)
            ends.append((moved + sign * np.sqrt(k * ((1 + k) * at_zero - moved * moved))) / (1 + k))
        return ends[0], ends[1]

    def _mean_variance(self, sums: Sums) -> Floats:
        """Estimate the variance of a report, averaged over the users, by coordinate; it grows with t²."""
        at_zero, at_one = self._variance_ends()
        slope = at_one - at_zero
        square = (sums.squares / sums.n - at_zero) / (1 + slope)  # the mean of y² is A + (1 + slope)·t²
        least = np.square(np.clip(sums.mean, -1, 1))
        return at_zero + slope * np.clip(square, least, 1)

    # ---- the exact law ------------------------------------------------------------------------------------------

    def variance(self, t: npt.ArrayLike) -> Any:
        """Give the exact variance of one coordinate of a report on the value t, in the shape of t.

        The user's other values play no part. The variance of the mean of n reports is the sum of theirs divided by n².
        """
        variance = self._variance(check_unit(t, "t"))
        return float(variance) if variance.ndim == 0 else variance

    def _variance(self, t: Floats) -> Floats:
        at_zero, at_one = self._variance_ends()
        # Both weights are >= 0 and no difference of large numbers occurs, whatever ε.
        return at_zero * ((1 - t) * (1 + t)) + at_one * t**2

    @property
    def worst_variance(self) -> float:
        """Largest variance of a coordinate of a report over all values in [−1, 1]."""
        return max(self._variance_ends())

    @property
    def average_variance(self) -> float:
        """Variance of a coordinate of a report, averaged over values uniform on [−1, 1]."""
        at_zero, at_one = self._variance_ends()
        return (2 * at_zero + at_one) / 3  # the mean of t² is 1/3

    def density(self, y: npt.ArrayLike, t: npt.ArrayLike) -> Any:
        """Give the density or mass of a one-dimensional report y on the value t; they are broadcast.

        At the points of :attr:`atoms` it is the probability of exactly that report, elsewhere the density. Its ratio
        between two values of t never exceeds e to the power ε.
        """
        if self.dim != 1:
            raise ValueError(f"density needs dim = 1, got dim = {self.dim}")
        reports, value = broadcast_reports(y, t)
        density = self._density(reports, value)
        return float(density) if density.ndim == 0 else density

    @abstractmethod
    def _density(self, y: Floats, t: Floats) -> Floats:
        """Density or mass in one dimension; y and t have the same shape."""

    def simulate_mean(
        self, t: npt.ArrayLike, counts: npt.ArrayLike | None = None, *, rng: Rng = None, size: int | None = None
    ) -> Any:
        """Draw the estimated mean as the server would compute it, without keeping reports.

        Parameters
        ----------
        t : array_like of float, shape (m,) if dim is 1, else (m, dim)
            The different values that users hold, in [−1, 1].
        counts : array_like of int, shape (m,), optional
            How many users hold each; by default one each.
        size : int, optional
            Number of independent runs; None for a single one without the leading axis.

        Returns
        -------
        float or ndarray of float64, shape (), (dim,), (size,) or (size, dim)
            Draws with exactly the joint distribution of ``estimate(perturb(values))``, rounding aside.

        Notes
        -----
        What a server must know about the values for that differs. Laplace: only their sum and the number of users;
        the noise of n users adds up to the difference of two Gamma(n) variables. For all others it is the histogram.
        Duchi in one dimension: each value adds a binomial; in at most 16 dimensions: multinomials over the corners of
        the cube. DiscreteLaplace: a binomial for each value, and for each binary digit of the noise. Piecewise and
        Hybrid: multinomials over the sets of sampled coordinates and the pieces, then sums of uniform numbers, drawn
        bit by bit. In these cases the cost grows with m, not with the number of users. Otherwise, and where it is
        quicker, users are drawn block by block in constant memory.
        """
        rows = self._check_values(t)
        users = np.ones(len(rows), dtype=np.int64) if counts is None else check_counts(counts, "counts", len(rows))
        n = int(users.sum())
        if n < 1:
            raise ValueError("counts must add up to at least 1 user, got 0")
        runs = 1 if size is None else check_int(size, "size", 1, LARGEST_RESULT // self.dim)
        generator = check_rng(rng, law=self._coins())
        sums = np.empty((runs, self.dim))
        step = max(1, min(RUNS, BLOCK // rows.size))
        for start in range(0, runs, step):
            part = sums[start : start + step]
            part[:] = self._draw_sums(rows, users, generator, len(part))
        return self._shaped(sums / n if size is not None else sums[0] / n)

    def _draw_sums(self, t: Floats, counts: Counts, rng: np.random.Generator, runs: int) -> Floats:
        """Draw sums over all users' reports, shape (runs, dim), user by user; subclasses know closed forms."""
        last = np.cumsum(counts)
        if int(last[-1]) * self.dim * runs > LARGEST_DRAW:
            raise ValueError(
                f"counts must add up to at most {LARGEST_DRAW // (self.dim * runs)} users at size = {runs}, got "
                f"{last[-1]}: {self!r} knows no closed form for these values and draws user by user"
            )
        sums = np.zeros((runs, self.dim))
        for run in range(runs):
            for block in self._blocks(int(last[-1])):
                row = np.searchsorted(last, np.arange(block.start, block.stop, dtype=np.int64), side="right")
                sums[run] += self._draw(t[row], rng).sum(axis=0)
        return sums

    # ---- shapes and checks --------------------------------------------------------------------------------------

    def _rows(self, array: Floats, name: str) -> Floats:
        """Bring one row per user to shape (n, dim): the way in."""
        shape, expected = (array.shape, f"(n, {self.dim})") if self.dim > 1 else ((*array.shape, 1), "(n,)")
        if len(shape) != 2 or shape[1] != self.dim:
            raise ValueError(f"{name} must have shape {expected} for dim = {self.dim}, got shape {array.shape}")
        if shape[0] == 0:
            raise ValueError(f"{name} must hold at least one user, got shape {array.shape}")
        return array.reshape(shape)

    def _shaped(self, array: Floats) -> Any:
        """Take away a last axis of length 1, and the array where nothing else is left: the way out."""
        if self.dim > 1:
            return array
        return float(array[0]) if array.ndim == 1 else array[..., 0]

    def _blocks(self, n: int) -> Iterator[slice]:
        rows = max(1, BLOCK // self.dim)
        for start in range(0, n, rows):
            yield slice(start, min(start + rows, n))

    def _check_values(self, t: npt.ArrayLike, name: str = "t") -> Floats:
        return self._rows(check_unit(t, name), name)

    def _check_reports(self, reports: npt.ArrayLike, name: str = "reports") -> Floats:
        rows = self._rows(check_numbers(reports, name), name)
        if max(rows.max(), -rows.min()) > LARGEST_REPORT:
            raise ValueError(
                f"{name} must be at most {LARGEST_REPORT:g} in size for their squares to add up in double precision, "
                f"got {first_where(rows, np.abs(rows) > LARGEST_REPORT)}"
            )
        low, high = (end * (1 + 1e-9) for end in self.support)  # rounding aside
        outside = (rows < low) | (rows > high)
        if outside.any():
            raise ValueError(
                f"{name} must lie in [{low:.6g}, {high:.6g}], where those of {self!r} do, "
                f"got {first_where(rows, outside)}"
            )
        return rows

    def _sums(self, reports: npt.ArrayLike | Sums, name: str = "reports") -> Sums:
        if not isinstance(reports, Sums):
            return self._add_up(self._check_reports(reports, name))
        if reports.mechanism != self:
            raise ValueError(f"{name} must be sums of {self!r}, got those of {reports.mechanism!r}")
        return reports

    def _law(self) -> dict[str, Any]:
        return {"epsilon": self.epsilon, "dim": self.dim, **self._parameters()}

    def _parameters(self) -> dict[str, Any]:
        """Parameters besides epsilon and dim."""
        return {}


def broadcast_reports(y: npt.ArrayLike, t: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Return reports and values, checked, in one shape."""
    reports, value = check_numbers(y, "y"), check_unit(t, "t")
    try:
        reports, value = np.broadcast_arrays(reports, value)
    except ValueError:
        raise ValueError(f"y and t must broadcast, got shapes {reports.shape} and {value.shape}") from None
    return reports, value
