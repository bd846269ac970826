"""The frequency oracle: what every mechanism for counting values has in common.

A user's device calls :meth:`~FrequencyOracle.encode` and :meth:`~FrequencyOracle.perturb`; only the report leaves it.
The server calls :meth:`~FrequencyOracle.aggregate` and :meth:`~FrequencyOracle.estimate`; it never sees a value.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from contextlib import suppress
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Codes, Counts, Floats
from ldp_core._frozen import Comparable
from ldp_core._validate import (
    LARGEST_BOUND,
    Rng,
    check_bool,
    check_epsilon,
    check_int,
    check_numbers,
    check_prior,
    check_probability,
    first_where,
)
from ldp_core.frequency._domain import Domain, DomainLike

__all__ = ["CHANNEL_LIMIT", "MEMORY_LIMIT", "FiniteOracle", "FrequencyOracle", "allocate"]

#: Largest channel, in entries, that is written out: 128 MiB of float64.
CHANNEL_LIMIT = 2**24

#: Largest array, in bytes, that is asked of any machine; a smaller one may be more than this machine can give.
MEMORY_LIMIT = 2**40


class FrequencyOracle(Comparable):
    r"""Estimate how often each of ``d`` values occurs among users who trust nobody.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of one report, finite and > 0. Whatever the user's value, no report becomes more than
        :math:`e^{\varepsilon}` times likelier than under another value.
    domain : int or sequence
        The d ≥ 2 possible values, at most 2**24: an integer d stands for 0, 1, …, d − 1; a sequence lists the
        categories, each once, in the order of every vector of counts. Its order must be its own: sets are refused.

    Notes
    -----
    *Where a family differs, and why.* Users of :class:`SetSubsetSelection` hold sets: ``encode`` and ``perturb`` take
    a row of values for each, and true counts do not always determine the joint law that ``simulate`` draws from.
    Sketches keep a table of counts instead of one for each value; their estimates are unbiased over the draw of their
    hash functions, of which the variance that they give is a mean, and intervals leave out what collisions add.
    :class:`RangeHistogram` gives the largest variance, since the exact one depends on where everybody is.
    :class:`Rappor` takes no epsilon: it follows from the three probabilities that it does take. Summation histograms
    have infinitely many reports, hence no channel.

    Two oracles of one class are equal, and have one hash, if counts of either mean the same under the other: if ε, the
    domain and its order, and all further parameters are equal, to the last bit. Then their counts add up.

    ``simulate`` is as exact as NumPy's binomial and multinomial draws, which compute in double precision: with more
    than about 2**50 users they are visibly off for rare events.

    See Also
    --------
    PureOracle : Oracles whose reports support values, with probabilities p and q. All but summation histograms are.

    References
    ----------
    T. Wang, J. Blocki, N. Li and S. Jha. Locally differentially private protocols for frequency estimation.
    USENIX Security 2017.
    """

    def __init__(self, epsilon: float, domain: DomainLike) -> None:
        # Subclasses call this first and then set what else they have; _check_made sees the whole.
        self.epsilon = check_epsilon(epsilon)
        self._domain = Domain(domain)

    @property
    def domain(self) -> tuple[Any, ...]:
        """The categories, in the order of every vector of counts."""
        return self._domain.categories

    @property
    def d(self) -> int:
        """Number of categories."""
        return self._domain.size

    @property
    def counts_shape(self) -> tuple[int, ...]:
        """Shape of what :meth:`aggregate` returns."""
        return (self.d,)

    @property
    @abstractmethod
    def bits(self) -> int:
        """Bits of one report in the shortest code of fixed length."""

    # ---- on the user's device ---------------------------------------------------------------------------------

    def encode(self, values: npt.ArrayLike) -> Codes:
        """Turn values, one per user, into codes 0, …, d − 1: positions in the domain, int64, shape (n,).

        A value that is missing or not in the domain is an error.
        """
        return self._domain.encode(values)

    @abstractmethod
    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> npt.NDArray[Any]:
        """Randomize codes into reports, one per user, each ε-locally differentially private on its own.

        What :meth:`encode` returned is ``encoded``; the reports, with a first axis of length n, are ready for
        :meth:`aggregate`.
        """

    def privatize(self, values: npt.ArrayLike, rng: Rng = None) -> npt.NDArray[Any]:
        """Encode values and perturb them, all checked before anything is drawn: what happens on the users' devices."""
        return self.perturb(self.encode(values), rng)

    # ---- on the server ----------------------------------------------------------------------------------------

    @abstractmethod
    def aggregate(self, reports: npt.ArrayLike) -> npt.NDArray[Any]:
        """Add reports up: count, for each value, those that support it.

        Parameters
        ----------
        reports : array_like
            What :meth:`perturb` returned, or any part of it: counts of parts add up to the counts of the whole.

        Returns
        -------
        ndarray, shape counts_shape
            Support counts; for summation histograms sums, for sketches a table.
        """

    @abstractmethod
    def estimate(self, counts: npt.ArrayLike, n: int) -> Floats:
        """Estimate, without bias, how many users hold each value.

        Parameters
        ----------
        counts : array_like, shape ``(..., *counts_shape)``
            What :meth:`aggregate` returned; leading axes are independent runs.

        Returns
        -------
        ndarray of float64, shape (..., d)
            Estimates, never clipped or rounded, so possibly negative or above n; see :mod:`ldp_core.postprocess`.
        """

    @abstractmethod
    def variance(self, n: int, count: npt.ArrayLike = 0) -> Any:
        """Give the exact variance of an estimated count, in the shape of ``count``.

        That is the true count of the value, between 0 and n. At 0 this is the headline figure by which oracles are
        compared.
        """

    def interval(
        self,
        counts: npt.ArrayLike,
        n: int,
        *,
        level: float = 0.95,
        simultaneous: bool = False,
        population: bool = False,
    ) -> tuple[Floats, Floats]:
        """Give a normal-approximation confidence interval for each true count, as two arrays of shape (..., d).

        Its ends are the estimate from ``counts`` ∓ z standard deviations, the variance taken at the estimate moved into
        [0, n]; with probability ``level`` it covers the true count. With ``simultaneous`` all d intervals together
        cover all true counts so often, or oftener (Bonferroni: each has the level 1 − (1 − level)/d). With
        ``population`` they cover n times the shares in a population of which the users are a random sample: the
        variance of the sample, n s (1 − s), is added. The ends are not clipped: a negative low end says how little the
        data know.
        """
        level = check_probability(level, "level")
        missed = (1 - level) / (self.d if check_bool(simultaneous, "simultaneous") else 1)
        estimate = self.estimate(counts, n)
        moved = np.clip(estimate, 0, n)
        variance = self._variance_at(estimate, n)
        if check_bool(population, "population"):
            variance = variance + moved * (1 - moved / n)
        reach = -NormalDist().inv_cdf(missed / 2) * np.sqrt(variance)
        return estimate - reach, estimate + reach

    def _variance_at(self, estimate: Floats, n: int) -> Any:
        """Variance of each estimated count, for an interval: that at the estimate moved into [0, n]."""
        return self.variance(n, np.clip(estimate, 0, n))

    # ---- the attacker -----------------------------------------------------------------------------------------

    @abstractmethod
    def attack_success(self, prior: npt.ArrayLike | None = None) -> float:
        r"""Give the chance that an attacker's best guess from one report is the value.

        That is :math:`\sum_y \max_v \pi_v \Pr[y \mid v]`, reached by the posterior's mode (Bayes' rule).

        Parameters
        ----------
        prior : array_like, shape (d,), optional
            What the attacker believed before: probabilities that sum to 1. None: every value alike.
        """

    # ---- the exact law ----------------------------------------------------------------------------------------

    @abstractmethod
    def simulate(self, true_counts: npt.ArrayLike, rng: Rng = None, *, size: int | None = None) -> npt.NDArray[Any]:
        """Draw support counts as the server would see them, without touching users.

        An error says so where the true counts do not determine the joint law (users who hold sets), or it has no cheap
        form (local hashing with many functions).

        Parameters
        ----------
        true_counts : array_like of int, shape (d,)
            How many users hold each value; at least one user in all.
        size : int, optional
            Number of independent runs; None for a single one without the leading axis.

        Returns
        -------
        ndarray, shape counts_shape or ``(size, *counts_shape)``
            A draw with exactly the distribution of ``aggregate(privatize(values))``, jointly over all entries; its
            cost does not depend on the number of users.
        """

    # ---- shared checks ----------------------------------------------------------------------------------------

    def _check_codes(self, encoded: npt.ArrayLike, name: str = "encoded") -> Codes:
        return self._domain.check_codes(encoded, name)

    def _check_support(self, counts: npt.ArrayLike) -> Floats:
        support = check_numbers(counts, "counts")
        shape = self.counts_shape
        if np.asarray(counts).dtype == np.uint8 and support.ndim > len(shape):
            raise ValueError(
                "counts must be what aggregate returned, got rows of bytes, which look like reports: aggregate them"
            )
        if support.size and max(support.max(), -support.min()) > LARGEST_BOUND:
            raise ValueError(
                f"counts must be at most {LARGEST_BOUND:g} in size, got {max(support.max(), -support.min()):g}"
            )
        if support.shape[-len(shape) :] != shape:
            axes = ", ".join(map(str, shape))
            raise ValueError(f"counts must have shape (..., {axes}), as aggregate returns them, got {support.shape}")
        return support.astype(np.float64)  # a copy: estimates are never the caller's array

    def _check_n_count(self, n: int, count: npt.ArrayLike) -> tuple[int, Floats]:
        n = check_int(n, "n", 1)
        true_count = check_numbers(count, "count")
        outside = ~((true_count >= 0) & (true_count <= n))
        if outside.any():
            raise ValueError(f"count must lie in [0, n] = [0, {n}], got {first_where(true_count, outside)}")
        return n, true_count

    def _check_true_counts(self, true_counts: npt.ArrayLike, size: int | None) -> tuple[Counts, tuple[int, ...]]:
        counts = self._domain.check_true_counts(true_counts)
        return counts, self._check_size(size)

    def _check_size(self, size: int | None) -> tuple[int, ...]:
        """Leading axes of ``size`` runs: none, or one; an error if so many would not fit the memory."""
        if size is None:
            return ()
        allocate((check_int(size, "size", 1), *self.counts_shape), np.int64, "size")
        return (size,)

    # ---- what it is -------------------------------------------------------------------------------------------

    def _law(self) -> dict[str, Any]:
        """Everything that the meaning of a count depends on, as arguments that make an equal oracle."""
        return {"epsilon": self.epsilon, "domain": self._domain, **self._parameters()}

    def _coins(self) -> tuple[object, ...]:
        return (type(self).__name__, self.epsilon, self.d, *self._parameters().values())  # not a million categories

    def _parameters(self) -> dict[str, Any]:
        """Parameters besides epsilon and domain that the meaning of a count depends on: part of :meth:`_law`."""
        return {}


def allocate(shape: tuple[int, ...], dtype: npt.DTypeLike, name: str) -> npt.NDArray[Any]:
    """Make an array of a shape and dtype, not filled; an error names the argument that asks for too much memory.

    The ``name`` is that argument's.
    """
    needed = math.prod(shape) * np.dtype(dtype).itemsize
    if needed <= MEMORY_LIMIT:
        with suppress(MemoryError):
            return np.empty(shape, dtype)
    raise ValueError(
        f"{name} must take less memory, got an array of shape {shape} and {needed / 2**30:,.1f} GiB, more than can be "
        "had here: work in blocks, whose counts add up"
    )


class FiniteOracle(FrequencyOracle):
    """An oracle with finitely many possible reports, whose law can be written out: all but summation histograms."""

    #: What makes the channel large, and may be made smaller.
    _largest = "domain"

    @property
    @abstractmethod
    def n_outputs(self) -> int:
        """Number of possible reports."""

    @property
    def bits(self) -> int:
        """Bits of one report in the shortest code of fixed length: ⌈log₂ of the number of possible reports⌉."""
        return (self.n_outputs - 1).bit_length()

    @abstractmethod
    def channel(self) -> Floats:
        """Give the exact probability of every report under every value, shape (d, n_outputs).

        Row v is the distribution of the report of a user who holds the v-th value; columns are as in :meth:`outputs`. A
        matrix of more than 2**24 entries, or with one too small for a double (ε in the hundreds), is refused.
        """

    @abstractmethod
    def outputs(self) -> npt.NDArray[Any]:
        """List every possible report once, in the order of the columns of :meth:`channel`.

        They are as :meth:`perturb` makes them, so that ``aggregate(outputs()[[y]])`` says what the y-th supports.
        """

    def attack_success(self, prior: npt.ArrayLike | None = None) -> float:
        if prior is None and (closed := self._attack_success()) is not None:
            return closed
        channel = self.channel()
        belief = np.full(len(channel), 1 / len(channel)) if prior is None else check_prior(prior, len(channel))
        return min(1.0, float(np.max(belief[:, None] * channel, axis=0).sum()))

    def _attack_success(self) -> float | None:
        """The same for a prior under which every value is alike, where it has a closed form."""
        return None

    @property
    def _n_inputs(self) -> int:
        """Number of rows of the channel."""
        return self.d

    @property
    def _log2_outputs(self) -> float:
        """Logarithm of the number of possible reports, which may itself be too long to write down."""
        return math.log2(self.n_outputs)

    def _check_enumerable(self) -> None:
        entries = math.log2(self._n_inputs) + self._log2_outputs
        if entries > math.log2(CHANNEL_LIMIT) + 1e-6:
            raise ValueError(
                f"the channel must have at most 2**24 entries to be written out, got 2**{entries:.1f} for {self!r}: "
                f"try a smaller {self._largest}"
            )

    def _check_underflow(self, channel: Floats) -> Floats:
        """Return the channel; as no report is impossible, an entry too small for a double would make ε infinite."""
        if channel.min() < np.finfo(np.float64).tiny:
            raise ValueError(
                f"epsilon must be smaller for the channel to be written out: at {self.epsilon!r} and d = {self.d} some "
                "probabilities are too small for a double"
            )
        return channel
