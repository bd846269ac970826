"""Many values from one: report a few randomly chosen coordinates, each with a larger share of the budget."""

from __future__ import annotations

import itertools
import math
from abc import abstractmethod
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Counts, Floats
from ldp_core.numeric._law import Law
from ldp_core.numeric.base import NumericMechanism

#: Budget that makes one more coordinate worth sending.
BUDGET_PER_COORDINATE = 2.5

#: Most sets of coordinates over which users are distributed at once when a mean is simulated.
SETS_LIMIT = 2**12

#: A choice of more coordinates than these, left out or sent, has more than ``SETS_LIMIT`` sets: comb(26, 13) has.
FEW = 12

#: From how many coordinates on, compared with the root of their number, a shuffle is quicker than Floyd's algorithm.
SHUFFLE = 2

#: Up to this k the number of sets is counted digit by digit.
COUNTED = 1000

#: Drawing the sum of many reports on one value costs about as much as drawing this many reports.
COST_OF_A_SUM = 1000


class SampledMechanism(NumericMechanism):
    """The law of one number, applied to d of them by sampling coordinates.

    Each user draws k = max(1, min(d, ⌊ε/2.5⌋)) coordinates without replacement, reports each with budget ε/k, scaled by
    d/k, and 0 for all others. A ``law`` is made of the budget of one report.

    References
    ----------
    N. Wang et al. Collecting and analyzing multidimensional data with local differential privacy. ICDE 2019,
    algorithm 4.
    """

    def __init__(self, epsilon: float, dim: int, law: Callable[[float], Law]) -> None:
        super().__init__(epsilon, dim)
        self.k = int(max(1, min(self.dim, self.epsilon // BUDGET_PER_COORDINATE)))
        self._one = law(self.epsilon / self.k)

    @property
    @abstractmethod
    def one(self) -> SampledMechanism:
        """The one-dimensional mechanism with budget ε/k that perturbs each coordinate that is sent."""

    @property
    def bits(self) -> int:
        """Bits of one report: which k of d coordinates, ⌈log₂ of the number of such sets⌉, and k perturbed values."""
        return bits_of_a_set(self.dim, self.k) + self.k * self._one.bits

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible coordinate of a report; coordinates that are not sent are 0."""
        bound = self._one.bound * self.dim / self.k
        return -bound, bound

    @property
    def atoms(self) -> tuple[float, ...]:
        return self._one.atoms

    def _variance_ends(self) -> tuple[float, float]:
        # A coordinate is sent with probability k/d and then scaled by d/k: its second moment grows by d/k.
        share = self.dim / self.k
        at_zero, at_one = self._one.ends
        return share * at_zero, share * at_one + (share - 1)

    def _draw(self, t: Floats, rng: np.random.Generator) -> Floats:
        if self.k == self.dim:
            return self._one.draw(t.ravel(), rng).reshape(t.shape)
        sent = sample_without_replacement(len(t), self.dim, self.k, rng)
        places = (sent + self.dim * np.arange(len(t))).ravel()  # of the sent coordinates, all rows in one line
        reports = np.zeros(t.size)
        reports[places] = self._one.draw(t.take(places), rng) * (self.dim / self.k)
        return reports.reshape(t.shape)

    def _density(self, y: Floats, t: Floats) -> Floats:
        return self._one.density(y, t)  # asked for in one dimension only, where k = 1 and the budget is all of ε

    def _draw_sums(self, t: Floats, counts: Counts, rng: np.random.Generator, runs: int) -> Floats:
        d, k = self.dim, self.k
        n_sets = math.comb(d, k) if min(k, d - k) <= FEW else math.inf
        listed = n_sets <= SETS_LIMIT or k == 1
        if not listed or int(counts.sum()) * k < len(counts) * (n_sets + COST_OF_A_SUM * d):
            return super()._draw_sums(t, counts, rng, runs)
        sent = np.empty((runs, len(t), d), dtype=np.int64)  # how often each coordinate of each row of t is sent
        if k == 1:
            for i, users in enumerate(counts):
                sent[:, i] = rng.multinomial(users, np.full(d, 1 / d), size=runs)
        else:
            sets = np.zeros((int(n_sets), d), dtype=np.int64)
            np.put_along_axis(sets, np.array(list(itertools.combinations(range(d), k))), 1, axis=1)
            for i, users in enumerate(counts):
                sent[:, i] = rng.multinomial(users, np.full(len(sets), 1 / len(sets)), size=runs) @ sets
        sums: Floats = self._one.draw_sums(t, sent, rng).sum(axis=1) * (d / k)
        return sums


def sample_without_replacement(n: int, d: int, k: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Draw n uniformly random sets of k out of d coordinates, shape (k, n), in no particular order.

    Floyd's algorithm, for all users at once: the i-th step draws from the first d − k + i + 1 coordinates, and takes
    the last of these where the draw was in the set already. That is k steps, each of which looks through the set so
    far. For large sets all d coordinates are shuffled instead, and the first k taken.
    """
    if k > SHUFFLE * math.sqrt(d):
        return rng.permuted(np.tile(np.arange(d), (n, 1)), axis=1)[:, :k].T
    sets = np.empty((k, n), dtype=np.int64)
    for i in range(k):
        last = d - k + i
        drawn = rng.integers(last + 1, size=n)
        taken = (sets[:i] == drawn).any(axis=0)
        sets[i] = np.where(taken, last, drawn)
    return sets


def bits_of_a_set(d: int, k: int) -> int:
    """Count the bits that name one of all sets of k out of d: ⌈log₂ of their number⌉."""
    if min(k, d - k) <= COUNTED:
        return (math.comb(d, k) - 1).bit_length()
    logarithm = math.lgamma(d + 1) - math.lgamma(k + 1) - math.lgamma(d - k + 1)
    return math.ceil(logarithm / math.log(2))
