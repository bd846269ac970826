"""What oracles for ranges of ordered values share: estimates of ranges, their exact variances and intervals."""

from __future__ import annotations

import numbers
from abc import abstractmethod
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Codes, Counts, Floats
from ldp_core._validate import check_bool, check_int, check_probability
from ldp_core.frequency._domain import check_codes
from ldp_core.frequency.base import FiniteOracle

__all__ = ["RangeHistogram"]


class RangeHistogram(FiniteOracle):
    """A frequency oracle whose reports are numbers below ``n_outputs``, and whose ranges have an exact variance.

    Its estimates need not be independent, nor need all users of other values weigh alike: ``_spread`` says what each
    user gives to the variance of a weighted sum of estimates.
    """

    @abstractmethod
    def _spread(self, query: Floats) -> Floats:
        """Variance that one user of each value gives to an estimated sum of values, weighted by the last axis."""

    @property
    def counts_shape(self) -> tuple[int, ...]:
        return (self.n_outputs,)

    def aggregate(self, reports: npt.ArrayLike) -> Counts:
        # How often each report came.
        drawn = check_codes(reports, "reports", self.n_outputs).astype(np.intp, copy=False)
        return np.bincount(drawn, minlength=self.n_outputs).astype(np.int64, copy=False)

    def estimate_range(self, counts: npt.ArrayLike, n: int, low: Any, high: Any) -> Floats:
        """Estimate, without bias, how many users hold a value from low to high, both included.

        These are two values of the domain, in its order; shape of the estimate: (...), the leading axes of counts.
        """
        inside = self._range(low, high)
        total: Floats = self.estimate(counts, n)[..., inside].sum(axis=-1)
        return total

    def range_interval(
        self, counts: npt.ArrayLike, n: int, low: Any, high: Any, *, level: float = 0.95, population: bool = False
    ) -> tuple[Floats, Floats]:
        """Give an interval for :meth:`estimate_range` of the counts from low to high, as two arrays of shape (...).

        What ``level`` and ``population`` say, :meth:`interval` does.
        Its variance is :meth:`range_variance` at the estimates of all values, clipped at 0 and scaled to n users.
        """
        inside, level = self._range(low, high), check_probability(level, "level")
        values = self.estimate(counts, n)
        total = values[..., inside].sum(axis=-1)
        variance = _plausible(values, n) @ self._spread(self._query(inside))
        if check_bool(population, "population"):
            moved = np.clip(total, 0, n)
            variance = variance + moved * (1 - moved / n)
        reach = NormalDist().inv_cdf((1 + level) / 2) * np.sqrt(variance)
        return total - reach, total + reach

    def range_variance(self, true_counts: npt.ArrayLike, low: Any, high: Any) -> float:
        """Give the exact variance of :meth:`estimate_range` from low to high, both included.

        Parameters
        ----------
        true_counts : array_like of int, shape (d,), or int
            How many users hold each value. For their number n alone it is the largest variance: all hold one value.
        """
        spread = self._spread(self._query(self._range(low, high)))
        if isinstance(true_counts, numbers.Integral):
            return check_int(true_counts, "true_counts", 1) * float(spread.max())
        return float(self._domain.check_true_counts(true_counts) @ spread)

    def variance(self, n: int, count: npt.ArrayLike = 0) -> Any:
        """Give the largest variance of an estimated count: for any value, wherever the users are that do not hold it.

        It is in the shape of ``count``, and attained. What it is for given users says :meth:`range_variance`.
        """
        n, true_count = self._check_n_count(n, count)
        spread = self._spread_of_values()
        own = spread.diagonal().copy()
        np.fill_diagonal(spread, -np.inf)
        held = true_count[..., None]
        variance = np.max(held * own + (n - held) * spread.max(axis=1), axis=-1)
        return float(variance) if np.ndim(count) == 0 else variance

    def _variance_at(self, estimate: Floats, n: int) -> Any:
        return _plausible(estimate, n) @ self._spread_of_values().T

    def _spread_of_values(self) -> Floats:
        self._check_enumerable()  # a table of that size
        return self._spread(np.eye(self.d))

    def outputs(self) -> Codes:
        return np.arange(self.n_outputs)

    def _range(self, low: Any, high: Any) -> slice:
        first, last = (self._code(value, name) for value, name in ((low, "low"), (high, "high")))
        if first > last:
            raise ValueError(f"low must not come after high in the domain, got {low!r} and {high!r}")
        return slice(first, last + 1)

    def _query(self, inside: slice) -> Floats:
        query = np.zeros(self.d)
        query[inside] = 1
        return query

    def _code(self, value: Any, name: str) -> int:
        try:
            return int(self.encode([value])[0])
        except (TypeError, ValueError) as error:
            raise type(error)(f"{name} must be one value of the domain: {error}") from None


def _plausible(values: Floats, n: int) -> Floats:
    """Estimates of all values, which add up to n, without what is below 0, scaled to n users."""
    clipped = np.maximum(values, 0.0)
    plausible: Floats = clipped * (n / np.maximum(clipped.sum(axis=-1, keepdims=True), n))
    return plausible
