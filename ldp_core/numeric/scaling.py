"""From years or hours to [−1, 1], and back."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Floats
from ldp_core._frozen import Frozen
from ldp_core._validate import check_bool, check_numbers, shown

__all__ = ["IntervalScaler", "check_bounds"]


class IntervalScaler(Frozen):
    """Map [lo, hi] onto [−1, 1], where numeric mechanisms live, and estimates back.

    The bounds must be public: known before anybody looks at the data, such as "ages run from 17 to 90". That is why
    there is no ``fit``: bounds taken from the data would tell everybody the smallest and the largest value in it.

    Parameters
    ----------
    lo, hi : float or array_like of float, shape (dim,)
        Public bounds, lo < hi; one pair for all coordinates, or one for each.
    clip : bool, default False
        What to do with a value outside the bounds: raise an error, or, if True, move it to the nearer bound. Clipping
        happens on the user's device and keeps the guarantee; it makes the mean biased, towards the inside.

    Examples
    --------
    >>> scaler = IntervalScaler(17, 90)
    >>> scaler.transform([17, 53.5, 90])
    array([-1.,  0.,  1.])
    >>> float(scaler.inverse(0.5)), float(scaler.inverse_variance(1.0))
    (71.75, 1332.25)
    """

    def __init__(self, lo: npt.ArrayLike, hi: npt.ArrayLike, *, clip: bool = False) -> None:
        low, high = check_numbers(lo, "lo"), check_numbers(hi, "hi")
        if low.ndim > 1 or high.ndim > 1 or (low.ndim and high.ndim and low.shape != high.shape):
            raise ValueError(
                f"lo and hi must be numbers or vectors of one length, got shapes {low.shape} and {high.shape}"
            )
        if low.size == 0 or high.size == 0:
            raise ValueError(f"lo and hi must hold at least one bound, got shapes {low.shape} and {high.shape}")
        # Copies: bounds that the caller changes later do not move what was scaled already.
        self.lo, self.hi = (bound.copy() for bound in np.broadcast_arrays(low, high))
        if not np.all(self.lo < self.hi):
            raise ValueError(f"lo must be < hi, got lo = {self.lo.tolist()} and hi = {self.hi.tolist()}")
        self.clip = check_bool(clip, "clip")
        self.half_width: Floats = self.hi / 2 - self.lo / 2  # halves first: the difference could overflow
        if not np.all(self.half_width > 0):
            raise ValueError(f"lo and hi must lie further apart, got lo = {self.lo.tolist()}, hi = {self.hi.tolist()}")
        for bound in (self.lo, self.hi, np.asarray(self.half_width)):
            bound.setflags(write=False)

    def transform(self, values: npt.ArrayLike) -> Any:
        """Scale values in [lo, hi] to [−1, 1]: (values − (lo + hi)/2) / half_width, in the shape of values.

        One that lies outside is an error, unless ``clip``.
        """
        array = self._check(values, "values")
        outside = (array < self.lo) | (array > self.hi)
        if self.clip:
            array = np.clip(array, self.lo, self.hi)
        elif np.any(outside):
            raise ValueError(
                f"values must lie in [lo, hi] = [{self.lo}, {self.hi}], got {array[outside][0].item()!r}; "
                f"clip=True moves such values to the nearer bound"
            )
        # Distance to lo less distance to hi: exactly ±1 at the bounds, where (values − middle) would round.
        scaled = ((array / 2 - self.lo / 2) - (self.hi / 2 - array / 2)) / self.half_width
        return np.clip(scaled, -1.0, 1.0)  # against rounding in between

    def inverse(self, t: npt.ArrayLike) -> Any:
        """Bring scaled values t, a mean or the ends of an interval, in [−1, 1] or not, back to the original units."""
        scaled = self._check(t, "t")
        with np.errstate(over="ignore", invalid="ignore"):
            return _finite(self.lo * ((1 - scaled) / 2) + self.hi * ((1 + scaled) / 2), "t")

    def inverse_variance(self, variance: npt.ArrayLike) -> Any:
        """Bring a variance back to the original units, squared: variance times half_width²."""
        with np.errstate(over="ignore"):
            return _finite(self._check(variance, "variance") * self.half_width * self.half_width, "variance")

    def _check(self, values: npt.ArrayLike, name: str) -> Floats:
        array = check_numbers(values, name)
        if self.lo.ndim and array.shape[-1:] != self.lo.shape:
            raise ValueError(f"{name} must have shape (..., {len(self.lo)}), got shape {array.shape}")
        return array

    def __repr__(self) -> str:
        return f"IntervalScaler(lo={self.lo.tolist()}, hi={self.hi.tolist()}, clip={self.clip})"


def check_bounds(bounds: Any, n_features: int) -> IntervalScaler:
    """Make a scaler that clips from a pair of public bounds: numbers, or vectors of shape (n_features,).

    Values outside are moved to the nearer bound.

    Examples
    --------
    >>> check_bounds((0, [10, 100]), 2)
    IntervalScaler(lo=[0.0, 0.0], hi=[10.0, 100.0], clip=True)
    """
    pair: Any = None if isinstance(bounds, (Set, Iterator)) else bounds  # no order, and used up by the first fit
    try:
        lo, hi = pair
    except (TypeError, ValueError):
        raise ValueError(f"bounds must be a pair (lower, upper), got {shown(bounds)}") from None
    scaler = IntervalScaler(lo, hi, clip=True)
    if scaler.lo.ndim and len(scaler.lo) != n_features:
        raise ValueError(f"bounds must be one for all features or one for each of {n_features}, got {len(scaler.lo)}")
    return scaler


def _finite(values: Any, name: str) -> Any:
    if not np.all(np.isfinite(values)):
        raise ValueError(f"{name} must be small enough for the original units to hold it in double precision")
    return values
