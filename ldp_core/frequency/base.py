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

from ldp_core._frozen import Frozen
from ldp_core._validate import (
    Rng,
    check_epsilon,
    check_int,
    check_numbers,
    check_probability,
    check_rng,
    first_where,
)
from ldp_core.frequency._domain import Domain, DomainLike

Codes = npt.NDArray[np.integer[Any]]
Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


#: Largest channel, in entries, that is written out: 128 MiB of float64.
CHANNEL_LIMIT = 2**24

#: Largest array, in bytes, that is asked of any machine; a smaller one may be more than this machine can give.
MEMORY_LIMIT = 2**40


class FrequencyOracle(Frozen):
    r"""Estimate how often each of ``d`` values occurs among users who trust nobody.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of one report, finite and > 0. Whatever the user's value, no report becomes more than
        :math:`e^{\varepsilon}` times likelier than under another value.
    domain : int or sequence
        The d ≥ 2 possible values, at most 2**24: an integer d stands for 0, 1, …, d − 1; a sequence lists the
        categories, each once, in the order of every vector of counts. Its order must be its own: sets are refused.

    Attributes
    ----------
    epsilon : float
        The privacy budget.
    domain : tuple
        The categories in the order of every vector of counts.
    d : int
        Their number.
    bits : int
        Communication cost: bits of one report in the shortest code of fixed length.

    Notes
    -----
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

    def __init__(self, epsilon: float, domain: DomainLike | Domain) -> None:
        self.epsilon = check_epsilon(epsilon)
        self._domain = domain if isinstance(domain, Domain) else Domain(domain)

    @property
    def domain(self) -> tuple[Any, ...]:
        """The categories, in the order of every vector of counts."""
        return self._domain.categories

    @property
    def d(self) -> int:
        """Number of categories."""
        return self._domain.size

    @property
    @abstractmethod
    def bits(self) -> int:
        """Bits of one report in the shortest code of fixed length."""

    # ---- on the user's device ---------------------------------------------------------------------------------

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

        Raises
        ------
        ValueError
            If values is empty, not one-dimensional, has missing entries, or one that is not in the domain.
        TypeError
            If values are of a type that the domain cannot hold.
        """
        return self._domain.encode(values)

    @abstractmethod
    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> npt.NDArray[Any]:
        """Randomise codes into reports, one per user, each ε-locally differentially private on its own.

        Parameters
        ----------
        encoded : array_like of int, shape (n,)
            What :meth:`encode` returned.
        rng : numpy.random.Generator, int or None
            Source of randomness: a generator, a seed, or fresh entropy.

        Returns
        -------
        ndarray, first axis of length n
            The reports, ready for :meth:`aggregate`.
        """

    def privatize(self, values: npt.ArrayLike, rng: Rng = None) -> npt.NDArray[Any]:
        """Encode and perturb: everything that happens on the users' devices.

        Parameters
        ----------
        values : array_like, shape (n,)
            One value per user, each in the domain.
        rng : numpy.random.Generator, int or None
            Source of randomness.

        Returns
        -------
        ndarray, first axis of length n
            The reports.
        """
        return self.perturb(self.encode(values), rng)

    # ---- on the server ----------------------------------------------------------------------------------------

    @abstractmethod
    def aggregate(self, reports: npt.ArrayLike) -> npt.NDArray[Any]:
        """Count, for each value, the reports that support it.

        Parameters
        ----------
        reports : array_like
            What :meth:`perturb` returned, or any part of it: counts of parts add up to the counts of the whole.

        Returns
        -------
        ndarray, shape (d,)
            Support counts.
        """

    @abstractmethod
    def estimate(self, counts: npt.ArrayLike, n: int) -> Floats:
        """Estimate, without bias, how many users hold each value.

        Parameters
        ----------
        counts : array_like, shape (..., d)
            What :meth:`aggregate` returned; leading axes are independent runs.
        n : int
            Number of users who reported, n ≥ 1.

        Returns
        -------
        ndarray of float64, shape (..., d)
            Estimates, never clipped or rounded, so possibly negative or above n; see :mod:`ldp_core.postprocess`.

        Raises
        ------
        ValueError
            If the last axis of counts is not d long, a count is not finite, or n < 1.
        """

    @abstractmethod
    def variance(self, n: int, count: npt.ArrayLike = 0) -> Any:
        """Exact variance of an estimated count.

        Parameters
        ----------
        n : int
            Number of users, n ≥ 1.
        count : float or array_like, default 0
            True count of the value, between 0 and n. At 0 this is the headline figure by which oracles are compared.

        Returns
        -------
        float or ndarray of float64
            Variance, in the shape of count.
        """

    def interval(self, counts: npt.ArrayLike, n: int, level: float = 0.95) -> tuple[Floats, Floats]:
        """Give a normal-approximation confidence interval for each true count.

        Parameters
        ----------
        counts : array_like, shape (..., d)
            Support counts.
        n : int
            Number of users.
        level : float, default 0.95
            Probability with which the interval covers the true count, strictly between 0 and 1.

        Returns
        -------
        low, high : ndarray of float64, shape (..., d)
            Estimate ∓ z standard deviations, the variance taken at the estimate moved into [0, n]. The ends are not
            clipped: a negative low end says how little the data know.
        """
        level = check_probability(level, "level")
        estimate = self.estimate(counts, n)
        deviation = np.sqrt(self.variance(n, np.clip(estimate, 0, n)))
        z = NormalDist().inv_cdf((1 + level) / 2)
        return estimate - z * deviation, estimate + z * deviation

    # ---- the exact law ----------------------------------------------------------------------------------------

    @abstractmethod
    def simulate(self, true_counts: npt.ArrayLike, rng: Rng = None, size: int | None = None) -> npt.NDArray[Any]:
        """Draw support counts as the server would see them, without touching users.

        Parameters
        ----------
        true_counts : array_like of int, shape (d,)
            How many users hold each value; at least one user in all.
        rng : numpy.random.Generator, int or None
            Source of randomness.
        size : int, optional
            Number of independent runs; None for a single one without the leading axis.

        Returns
        -------
        ndarray, shape (d,) or (size, d)
            A draw with exactly the distribution of ``aggregate(privatize(values))``; its cost does not depend on
            the number of users.
        """

    # ---- shared checks ----------------------------------------------------------------------------------------

    def _check_codes(self, encoded: npt.ArrayLike, name: str = "encoded") -> Codes:
        return self._domain.check_codes(encoded, name)

    def _check_support(self, counts: npt.ArrayLike) -> Floats:
        support = check_numbers(counts, "counts")
        if support.ndim == 0 or support.shape[-1] != self.d:
            raise ValueError(f"counts must have shape (..., {self.d}), one count per category, got {support.shape}")
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
        allocate((check_int(size, "size", 1), self.d), np.int64, "size")
        return (size,)

    # ---- what it is -------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FrequencyOracle):
            return NotImplemented
        return type(self) is type(other) and self._law() == other._law()

    def __hash__(self) -> int:
        return hash((type(self), *self._law().values()))

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name}={_digits(value)}" for name, value in self._law().items())
        return f"{type(self).__name__}({arguments})"

    def _law(self) -> dict[str, Any]:
        """Everything that the meaning of a count depends on, as arguments that make an equal oracle."""
        return {"epsilon": self.epsilon, "domain": self._domain, **self._parameters()}

    def _parameters(self) -> dict[str, Any]:
        """Parameters besides epsilon and domain that the meaning of a count depends on: part of :meth:`_law`."""
        return {}


def allocate(shape: tuple[int, ...], dtype: npt.DTypeLike, name: str) -> npt.NDArray[Any]:
    """Make an array, not filled; an error names the argument that asks for more memory than there is."""
    needed = math.prod(shape) * np.dtype(dtype).itemsize
    if needed <= MEMORY_LIMIT:
        with suppress(MemoryError):
            return np.empty(shape, dtype)
    raise ValueError(
        f"{name} must take less memory, got an array of shape {shape} and {needed / 2**30:,.1f} GiB, more than can be "
        "had here: work in blocks, whose counts add up"
    )


def _digits(value: object) -> str:
    """Write a value as short as can be read back exactly."""
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else repr(value)


class PureOracle(FrequencyOracle):
    r"""An oracle whose reports *support* values: the true one with probability p, any other with probability q < p.

    Everything on the server's side follows from that pair: if the value v is held by c of n users, its support count
    is the sum of Binomial(c, p) and Binomial(n − c, q). Such protocols are called pure [1]_.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of one report, finite and > 0.
    domain : int or sequence
        The d ≥ 2 possible values: an integer d stands for 0, 1, …, d − 1; a sequence lists the categories, each once.

    References
    ----------
    .. [1] T. Wang, J. Blocki, N. Li and S. Jha. Locally differentially private protocols for frequency estimation.
       USENIX Security 2017, definition 3 and theorem 2.
    """

    def __init__(self, epsilon: float, domain: DomainLike | Domain) -> None:
        super().__init__(epsilon, domain)
        # Both carry rounding errors of about 1e-16 of their size, which the estimate divides by the difference.
        if not self.p - self.q > 1e-10 * self.p:
            raise ValueError(
                f"epsilon must be large enough to tell p from q in double precision, got {epsilon!r} at d = {self.d}"
            )

    @property
    @abstractmethod
    def p(self) -> float:
        """Probability that a report supports the user's true value."""

    @property
    @abstractmethod
    def q(self) -> float:
        """Probability that a report supports one given other value."""

    @property
    def _miss(self) -> float:
        """1 − p; a mechanism with p close to 1 overrides it with a form that does not cancel."""
        return 1.0 - self.p

    @property
    @abstractmethod
    def n_outputs(self) -> int:
        """Number of possible reports."""

    @property
    def bits(self) -> int:
        """Bits of one report in the shortest code of fixed length: ⌈log₂ of the number of possible reports⌉."""
        return (self.n_outputs - 1).bit_length()

    @abstractmethod
    def aggregate(self, reports: npt.ArrayLike) -> Counts:
        """Count, for each value, the reports that support it.

        Parameters
        ----------
        reports : array_like
            What :meth:`perturb` returned, or any part of it: counts of parts add up to the counts of the whole.

        Returns
        -------
        ndarray of int64, shape (d,)
            Support counts.
        """

    def estimate(self, counts: npt.ArrayLike, n: int) -> Floats:
        """Estimate, without bias, how many users hold each value.

        Parameters
        ----------
        counts : array_like, shape (..., d)
            Support counts; leading axes are independent runs.
        n : int
            Number of users who reported, n ≥ 1.

        Returns
        -------
        ndarray of float64, shape (..., d)
            (counts − n·q) / (p − q): never clipped or rounded, so possibly negative or above n.

        Raises
        ------
        ValueError
            If the last axis of counts is not d long, a count is not finite, or n < 1.
        """
        n = check_int(n, "n", 1)
        support = self._check_support(counts)
        estimate: Floats = (support - n * self.q) / (self.p - self.q)
        return estimate

    def variance(self, n: int, count: npt.ArrayLike = 0) -> Any:
        r"""Exact variance of an estimated count.

        Parameters
        ----------
        n : int
            Number of users, n ≥ 1.
        count : float or array_like, default 0
            True count of the value, between 0 and n. At 0 this is the headline figure by which oracles are compared.

        Returns
        -------
        float or ndarray of float64
            Variance, in the shape of count.

        Notes
        -----
        The support count is a sum of two independent binomials, hence

        .. math::  \frac{c\,p(1-p) + (n-c)\,q(1-q)}{(p-q)^2} = \frac{n\,q(1-q)}{(p-q)^2} + c\,\frac{1-p-q}{p-q}.

        References
        ----------
        .. [1] Wang et al., USENIX Security 2017, theorem 2.
        """
        n, true_count = self._check_n_count(n, count)
        p, q = self.p, self.q
        variance = (true_count * (p * self._miss) + (n - true_count) * (q * (1 - q))) / (p - q) ** 2
        return float(variance) if np.ndim(count) == 0 else variance

    # ---- the exact law ----------------------------------------------------------------------------------------

    def simulate_marginals(self, true_counts: npt.ArrayLike, rng: Rng = None, size: int | None = None) -> Counts:
        """Draw support counts each of which has its exact law, but which are independent of each other.

        That is enough wherever counts are looked at one at a time: error bars, coverage, mean squared error. Where the
        joint law is wanted (sums or maxima over values, say) use :meth:`simulate`.

        Parameters
        ----------
        true_counts : array_like of int, shape (d,)
            How many users hold each value; at least one user in all.
        rng : numpy.random.Generator, int or None
            Source of randomness.
        size : int, optional
            Number of independent runs; None for a single one without the leading axis.

        Returns
        -------
        ndarray of int64, shape (d,) or (size, d)
            For each value the sum of Binomial(c, p) and Binomial(n − c, q); the cost does not depend on n.
        """
        counts, shape = self._check_true_counts(true_counts, size)
        n = self._number_of_users(counts)
        generator = check_rng(rng)
        missed = generator.binomial(counts, self._miss, size=(*shape, self.d))
        false = generator.binomial(n - counts, self.q, size=(*shape, self.d))
        support: Counts = counts - missed + false
        return support

    def _number_of_users(self, counts: Counts) -> int:
        return int(counts.sum())

    @abstractmethod
    def channel(self) -> Floats:
        """Give the exact probability of every report under every value.

        Returns
        -------
        ndarray of float64, shape (d, number of possible reports)
            Row v is the distribution of the report of a user who holds the v-th value; columns as in :meth:`outputs`.

        Raises
        ------
        ValueError
            If the matrix would have more than 2**24 entries, or one too small for a double (ε in the hundreds).
        """

    @abstractmethod
    def outputs(self) -> npt.NDArray[Any]:
        """List every possible report once, in the order of the columns of :meth:`channel`.

        Returns
        -------
        ndarray, first axis as long as there are possible reports
            Reports as :meth:`perturb` makes them, so that ``aggregate(outputs()[[y]])`` says what the y-th supports.

        Raises
        ------
        ValueError
            If the channel would have more than 2**24 entries.
        """

    def _check_underflow(self, channel: Floats) -> Floats:
        """Return the channel; as no report is impossible, an entry too small for a double would make ε infinite."""
        if channel.min() < np.finfo(np.float64).tiny:
            raise ValueError(
                f"epsilon must be smaller for the channel to be written out: at {self.epsilon!r} and d = {self.d} some "
                "probabilities are too small for a double"
            )
        return channel

    def _check_enumerable(self, inputs: int | None = None) -> None:
        entries = (self.d if inputs is None else inputs) * self.n_outputs
        if entries > CHANNEL_LIMIT:
            raise ValueError(
                f"the channel must have at most 2**24 entries to be written out, got 2**{math.log2(entries):.1f} "
                f"for {self!r}: try a smaller domain"
            )
