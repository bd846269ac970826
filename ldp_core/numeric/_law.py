"""What a mechanism is made of that reports numbers one by one: the law of a single report."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from ldp_core._arrays import Counts, Floats
from ldp_core._frozen import Frozen


class Law(Frozen):
    """How one number t in [−1, 1] is reported with budget ε."""

    #: Bits of a report, a float64 counted as 64.
    bits: int

    #: Largest possible report; the smallest is its negative.
    bound: float

    #: Reports with positive probability, where they can be listed.
    atoms: tuple[float, ...] = ()

    #: Variance of a report at t = 0 and at t = ±1; in between it is linear in t².
    ends: tuple[float, float]

    @abstractmethod
    def draw(self, t: Floats, rng: np.random.Generator) -> Floats:
        """Draw a report on each of the values t, shape (n,)."""

    @abstractmethod
    def draw_sums(self, t: Floats, counts: Counts, rng: np.random.Generator) -> Floats:
        """Draw, for each t, the sum of ``counts`` reports on it, whatever their number at the same cost; broadcasts."""

    @abstractmethod
    def density(self, y: Floats, t: Floats) -> Floats:
        """Density or, at an atom, mass of the reports y on the values t, which have one shape."""
