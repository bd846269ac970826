"""Reports added up: numbers that merge, as counts do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Floats
from ldp_core._frozen import Comparable, Frozen
from ldp_core._validate import check_int, check_vector, first_where, shown

if TYPE_CHECKING:
    from ldp_core.numeric.base import NumericMechanism

__all__ = ["Sums"]


class Sums(Frozen):
    """Reports added up: what a server keeps of them, and what servers exchange.

    Made by :meth:`NumericMechanism.aggregate <ldp_core.numeric.NumericMechanism.aggregate>`; sums of reports from one
    mechanism add up with ``+``, and with the built-in ``sum``. ``estimate`` and ``interval`` take them in place of the
    reports and give the same.

    Parameters
    ----------
    mechanism : NumericMechanism
        What the users' devices run.
    n : int
        Number of reports, at least 1.
    total, squares : array_like of float, shape (dim,)
        Sum of the reports and sum of their squares, by coordinate.

    Notes
    -----
    Two sums are equal if their mechanisms and all numbers are. Doubles that are added in another order may differ in
    the last digit: servers that merge to the bit merge in an order that is fixed.

    Examples
    --------
    >>> from ldp_core.numeric import Laplace
    >>> mechanism = Laplace(epsilon=1.0, dim=2)
    >>> shards = [mechanism.aggregate([[3.0, -2.0]]), mechanism.aggregate([[1.0, 0.5], [-1.0, 1.5]])]
    >>> sum(shards)
    Sums(mechanism=Laplace(epsilon=1, dim=2), n=3, total=[3.0, 0.0], squares=[11.0, 6.5])
    >>> mechanism.estimate(sum(shards))
    array([1., 0.])
    """

    def __init__(self, mechanism: NumericMechanism, *, n: int, total: npt.ArrayLike, squares: npt.ArrayLike) -> None:
        if not isinstance(mechanism, Comparable) or not hasattr(mechanism, "dim"):  # all that is needed of it here
            raise TypeError(f"mechanism must be a NumericMechanism, got {shown(mechanism)}")
        self.mechanism = mechanism
        self.n = check_int(n, "n", 1)
        # Copies: what the caller changes later does not change what was reported.
        self.total = check_vector(total, "total", mechanism.dim).copy()
        self.squares = check_vector(squares, "squares", mechanism.dim).copy()
        if np.any(self.squares < 0):
            raise ValueError(f"squares must be >= 0, got {first_where(self.squares, self.squares < 0)}")
        for array in (self.total, self.squares):
            array.setflags(write=False)

    @property
    def mean(self) -> Floats:
        """Mean of the reports, by coordinate."""
        return self.total / self.n

    def __add__(self, other: Sums | int) -> Sums:
        if isinstance(other, int) and other == 0:  # where the built-in sum starts
            return self
        if not isinstance(other, Sums):
            return NotImplemented
        if self.mechanism != other.mechanism:
            raise ValueError(f"sums must be of one mechanism's reports, got {self.mechanism!r} and {other.mechanism!r}")
        total, squares = self.total + other.total, self.squares + other.squares
        return Sums(self.mechanism, n=self.n + other.n, total=total, squares=squares)

    __radd__ = __add__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sums):
            return NotImplemented
        return (
            self.mechanism == other.mechanism
            and self.n == other.n
            and np.array_equal(self.total, other.total)
            and np.array_equal(self.squares, other.squares)
        )

    def __hash__(self) -> int:
        return hash((self.mechanism, self.n))

    def __repr__(self) -> str:
        return (
            f"Sums(mechanism={self.mechanism!r}, n={self.n}, total={self.total.tolist()}, "
            f"squares={self.squares.tolist()})"
        )
