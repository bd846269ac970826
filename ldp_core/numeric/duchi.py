"""Duchi, Jordan and Wainwright's mechanism: one random sign per value, nearly always on the right side."""

from __future__ import annotations

import math
from functools import cache
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from ldp_core._validate import check_option, check_vector, shown
from ldp_core.numeric.base import BLOCK, Counts, Floats, NumericMechanism

Signs = npt.NDArray[np.int8]

#: How a corner is treated that agrees with the user's in exactly half of the places.
Ties = Literal["split", "minus"]

#: Largest matrix that is written out has 2 to the power of this many entries: 128 MiB of float64.
LARGEST_EXPONENT = 24

#: Up to this dimension all 2^d corners are counted at once when a mean is simulated.
SIMULATED_DIM = 16

#: Up to this many pairs, 4^m over a binomial coefficient is computed from integers; beyond, a series is as exact.
COUNTED_PAIRS = 500

#: Up to this dimension shares of corners are computed from integers.
COUNTED_DIM = 1000

#: Adding one corner to a law, or drawing how often it is reported, costs about as much as drawing this many reports.
COST_OF_A_BINOMIAL = 1


class Duchi(NumericMechanism):
    r"""Report a corner of the cube {−B, B}^d that tends to lie on the same side as the user's values.

    1. Round each value to a sign, without bias: v_j = 1 with probability (1 + t_j)/2, otherwise −1.
    2. Draw a corner y uniformly from {−B, B}^d, and decide with probability :math:`e^\varepsilon/(e^\varepsilon+1)`
       that it shall agree with v in more than half of the places, otherwise that it shall disagree. If it does not
       do so, turn all its signs round.

    In one dimension this is ±B with :math:`B = (e^\varepsilon + 1)/(e^\varepsilon - 1)` and
    :math:`\Pr[+] = \frac12 + t(e^\varepsilon-1)/(2e^\varepsilon+2)`: randomized response for a number. In general
    :math:`B = C_d(e^\varepsilon + 1)/(e^\varepsilon - 1)` with :math:`C_d = 2^{d-1}/\binom{d-1}{\lfloor d/2\rfloor}`,
    and the variance of a coordinate is :math:`B^2 - t^2`. A report is d bits.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of one user's whole report, finite and > 0.
    dim : int, default 1
        Number d of values that each user holds.
    ties : {"split", "minus"}, default "split"
        What happens, for even d, to corners that agree in exactly half of the places; see Notes. For odd d there are
        none and both are the same mechanism.

    Attributes
    ----------
    B : float
        Size of each coordinate of a report.
    ties : str
        The treatment of ties.

    Notes
    -----
    As published, with T⁺ and T⁻ both containing the ties, the mechanism is not ε-LDP for even d: a tie can come out of
    either set and is e^ε + 1 times likelier than a corner of T⁻, so that ε' = ln(e^ε + 1)
    (:func:`ldp_core.numeric.exhibits.closed_ties_channel`). Two repairs, both exactly ε-LDP and unbiased:

    "split"
        A tie has the mean weight of the two sides, (e^ε + 1)/2 against e^ε and 1. This is what step 2 does by itself:
        a tie turned round is still a tie.
    "minus"
        Ties belong to T⁻ and the coin is weighted anew, Pr[T⁺] = e^ε·N/((e^ε − 1)·N + 2^d) with N corners in T⁺, so
        that every corner of T⁺ is exactly e^ε times likelier than every other. This is the literature's repair [2]_.
        Its B is smaller than that of "split", by exactly 1 for every even d and every ε, and so is its variance.

    References
    ----------
    .. [1] J. C. Duchi, M. I. Jordan and M. J. Wainwright. Minimax optimal procedures for locally private estimation.
       Journal of the American Statistical Association 113(521), 2018, section 4.2.
    .. [2] T. T. Nguyên, X. Xiao, Y. Yang, S. C. Hui, H. Shin and J. Shin. Collecting and analyzing data from smart
       device users with local differential privacy. arXiv:1606.05053, 2016.
    .. [3] N. Wang et al. Collecting and analyzing multidimensional data with local differential privacy. ICDE 2019,
       algorithms 1 and 3.

    Examples
    --------
    >>> from ldp_core.audit import exact_epsilon
    >>> mechanism = Duchi(epsilon=1.0, dim=4)
    >>> round(mechanism.B, 3), round(Duchi(1.0, 4, ties="minus").B, 3)
    (5.771, 4.771)
    >>> round(exact_epsilon(mechanism.channel()), 9)
    1.0
    """

    def __init__(self, epsilon: float, dim: int = 1, ties: Ties = "split") -> None:
        super().__init__(epsilon, dim)
        if not isinstance(ties, str):
            raise TypeError(f"ties must be a string, got {shown(ties)}")
        self.ties = check_option(ties, "ties", get_args(Ties))
        d, c_d = self.dim, power_over_binomial(self.dim // 2)
        lower = 1 if ties == "minus" and d % 2 == 0 else 0
        e = math.exp(-self.epsilon)
        # (e^ε + 1)/(e^ε − 1) = 1 + 2/(e^ε − 1). What B exceeds 1 by is kept apart: it can be far below 1e-16.
        self._excess = (c_d - 1 - lower) + 2 * c_d * e / -math.expm1(-self.epsilon)
        self.B = 1 + self._excess
        self._check_computable()

    @property
    def bits(self) -> int:
        """Bits of one report: d signs."""
        return self.dim

    @property
    def support(self) -> tuple[float, float]:
        """The interval from −B to B; only its ends occur."""
        return -self.B, self.B

    @property
    def atoms(self) -> tuple[float, ...]:
        """The two possible values of a coordinate, −B and B."""
        return -self.B, self.B

    def _variance_ends(self) -> tuple[float, float]:
        return self.B * self.B, self._excess * (self.B + 1)  # B² and B² − 1

    def _weights(self) -> Floats:
        """Likelihood of a corner that agrees with v in k = 0, …, d places, relative to one that agrees in all."""
        d, low = self.dim, math.exp(-self.epsilon)
        weights = np.where(np.arange(d + 1) > d / 2, 1.0, low)
        if d % 2 == 0 and self.ties == "split":
            weights[d // 2] = (1 + low) / 2
        return weights

    def _draw(self, t: Floats, rng: np.random.Generator) -> Floats:
        place = rng.random(t.shape)
        place *= 2
        place -= 1  # uniform on [−1, 1), without rounding: below t with probability (1 + t)/2
        signs = place < t
        if self.ties == "minus" and self.dim % 2 == 0:
            agree = draw_agreement(self._weights(), len(t), rng)
        else:
            agree = rng.integers(2, size=t.shape, dtype=np.uint8).view(np.bool_)
            # The rarer side of the coin is compared with "<": so it can come up, however small its probability.
            astray = rng.random(len(t)) < math.exp(-self.epsilon) / (1 + math.exp(-self.epsilon))
            minority = 2 * np.count_nonzero(agree, axis=1) < self.dim
            agree ^= (minority != astray)[:, None]  # turning a tie round changes nothing: it stays a random tie
        reports: Floats = (signs == agree).astype(np.float64)
        reports *= 2 * self.B  # 0 and 2B, then exactly −B and B; np.where takes ten times as long
        reports -= self.B
        return reports

    def _density(self, y: Floats, t: Floats) -> Floats:
        plus, minus = self._one_sign(t), self._one_sign(-t)
        return np.where(y == self.B, plus, np.where(y == -self.B, minus, 0.0))

    def _one_sign(self, t: Floats) -> Floats:
        """Probability of +B in one dimension; a sum of positive terms, so nothing cancels for large ε."""
        e = math.exp(-self.epsilon)
        plus: Floats = ((1 + t) + (1 - t) * e) / (2 * (1 + e))
        return plus

    # ---- the exact law ------------------------------------------------------------------------------------------

    def outputs(self) -> Floats:
        """List the 2^d possible reports.

        Returns
        -------
        ndarray of float64, shape (2**dim, dim)
            Reports in the order of the columns of :meth:`channel`; the first is all −B, the last all B.
        """
        self._check_enumerable(self.dim)
        return np.where(corners(self.dim) > 0, self.B, -self.B)

    def channel(self, t: npt.ArrayLike | None = None) -> Floats:
        """Give the exact distribution of the report.

        Parameters
        ----------
        t : array_like, shape (m,) if dim is 1, else (m, dim), optional
            Inputs in [−1, 1]. By default the 2^d corners of [−1, 1]^d, the first all −1, the last all 1. Rows of
            other inputs are mixtures of theirs, so no pair of inputs is easier to tell apart than some two corners.

        Returns
        -------
        ndarray of float64, shape (m or 2**dim, 2**dim)
            Row by input, column by report.

        Raises
        ------
        ValueError
            If the matrix would have more than 2**24 entries: dim up to 12.
        """
        self._check_enumerable(2 * self.dim)
        matrix = agreement_channel(self._weights())
        if t is None:
            return matrix
        mixed: Floats = corner_law(self._check_values(t)) @ matrix
        return mixed

    def _check_enumerable(self, exponent: int) -> None:
        if exponent > LARGEST_EXPONENT:
            raise ValueError(
                f"dim must be small enough for at most 2**{LARGEST_EXPONENT} entries to be written out, "
                f"got 2**{exponent} for {self!r}"
            )

    def _draw_sums(self, t: Floats, counts: Counts, rng: np.random.Generator, runs: int) -> Floats:
        if self.dim == 1:
            each = draw_sign_sums(self, t, np.broadcast_to(counts[:, None], (runs, *t.shape)), rng)
            total: Floats = each.sum(axis=1)
            return total
        n_corners = 2 ** min(self.dim, 64)
        cost = COST_OF_A_BINOMIAL * n_corners * len(counts) * (self.dim + runs)
        if self.dim > SIMULATED_DIM or int(counts.sum()) * runs < cost:
            return super()._draw_sums(t, counts, rng, runs)
        sums, outputs = np.zeros((runs, self.dim)), self.outputs()
        step = max(1, BLOCK // n_corners)
        for row, users in zip(t, counts, strict=True):
            law = report_law(row, self._weights())
            for start in range(0, runs, step):
                part = sums[start : start + step]
                part += rng.multinomial(users, law, size=len(part)) @ outputs
        return sums

    def _parameters(self) -> dict[str, Any]:
        return {} if self.ties == "split" else {"ties": self.ties}


def draw_sign_sums(mechanism: Duchi, t: Floats, counts: Counts, rng: np.random.Generator) -> Floats:
    """Draw, for each entry, the sum of ``counts`` one-dimensional reports on the value t: binomials."""
    # The sign that t speaks against is the rarer one; its probability is the one that keeps its digits.
    rarer = rng.binomial(counts, mechanism._one_sign(-np.abs(t)))
    sums: Floats = np.where(t < 0, -mechanism.B, mechanism.B) * (counts - 2 * rarer)
    return sums


def corners(d: int) -> Signs:
    """List the 2^d corners of {−1, 1}^d, shape (2**d, d): bit j of the row's number is coordinate j."""
    bits: Signs = ((np.arange(2**d)[:, None] >> np.arange(d)) & 1).astype(np.int8)
    return 2 * bits - 1


def corner_law(t: Floats) -> Floats:
    """Law of the randomly rounded signs v of each row of t, shape (m, 2**d)."""
    law = np.ones((len(t), 1))
    for column in t.T:  # coordinate j is bit j of a corner's number: its 1 adds 2^j, the length so far
        plus = ((1 + column) / 2)[:, None]
        law = np.concatenate([law * (1 - plus), law * plus], axis=1)
    return law


def report_law(t: Floats, weights: Floats) -> Floats:
    """Give the law of the report of a user with values t over the 2^d corners, in the order of :func:`corners`.

    In how many places the rounded signs v agree with a corner y is a sum of independent coins, with probabilities
    (1 + t_j·y_j)/2. Coordinate by coordinate the laws of these sums are built up for all corners at once: sums of
    positive terms, in which nothing cancels.

    Parameters
    ----------
    t : ndarray, shape (d,)
        Values in [−1, 1].
    weights : ndarray, shape (d + 1,)
        Relative likelihood of one corner that agrees with v in k = 0, …, d places.

    Returns
    -------
    ndarray of float64, shape (2**d,)
        Probabilities.
    """
    agree = np.ones((1, 1))  # row by corner, column by number of places that agree
    for value in t:
        halves = []
        for sign in (-1, 1):
            one_more = np.pad(agree, ((0, 0), (0, 1)))
            one_more *= (1 - sign * value) / 2
            one_more[:, 1:] += agree * ((1 + sign * value) / 2)
            halves.append(one_more)
        agree = np.concatenate(halves)
    law = agree @ weights
    normalised: Floats = law / law.sum()
    return normalised


def agreement_channel(weights: npt.ArrayLike) -> Floats:
    """Channel over the corners when a corner's likelihood depends only on how many places agree.

    Parameters
    ----------
    weights : array_like, shape (d + 1,)
        Relative likelihood of one corner that agrees with the input in k = 0, …, d places.

    Returns
    -------
    ndarray of float64, shape (2**d, 2**d)
        Row v, column y, both in the order of :func:`corners`.
    """
    weight = check_vector(weights, "weights")
    if weight.size > LARGEST_EXPONENT // 2 + 1:
        raise ValueError(f"weights must have at most {LARGEST_EXPONENT // 2 + 1} entries, got {weight.size}")
    signs = corners(len(weight) - 1).astype(np.int64)
    d = signs.shape[1]
    matrix = weight[(signs @ signs.T + d) // 2]
    normalised: Floats = matrix / matrix.sum(axis=1, keepdims=True)
    return normalised


def power_over_binomial(m: int) -> float:
    """Give 4^m over the binomial coefficient (2m over m): C_d for d = 2m and for d = 2m + 1, about √(πm)."""
    if m <= COUNTED_PAIRS:
        ratio: float = 4**m / math.comb(2 * m, m)
        return ratio
    # The next term of the series, 399/(262144·m^5), is below the rounding of a double.
    return math.sqrt(math.pi * m) * (1 + (1 + (1 - (5 + 21 / (32 * m)) / (8 * m)) / (16 * m)) / (8 * m))


@cache
def share_of_corners(d: int) -> Floats:
    """Share of the 2^d corners that agree with a given one in k = 0, …, d places."""
    if d <= COUNTED_DIM:
        counts = [1]
        for k in range(d):
            # Python's integers: a quotient is right although both its parts are too large for a double.
            counts.append(counts[k] * (d - k) // (k + 1))
        array = np.array([count / 2**d for count in counts])
    else:  # from the middle outwards, each share from its neighbour
        steps = np.arange(d // 2, d)
        middle = (1 if d % 2 == 0 else d / (d + 1)) / power_over_binomial(d // 2)
        right = np.concatenate([[middle], middle * np.cumprod((d - steps) / (steps + 1))])
        array = np.concatenate([right[:0:-1], right[d % 2 :]])
    array.setflags(write=False)  # every caller gets the same array
    return array


def draw_agreement(weights: Floats, n: int, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Draw in which places each of n reports agrees: first in how many, then, all sets being alike, in which.

    Parameters
    ----------
    weights : ndarray, shape (d + 1,)
        Relative likelihood of one corner that agrees in k = 0, …, d places.
    n : int
        Number of reports.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    ndarray of bool, shape (n, d)
        True where a report agrees.
    """
    d = len(weights) - 1
    law = weights * share_of_corners(d)
    how_many = rng.choice(d + 1, size=n, p=law / law.sum())
    return rng.permuted(np.arange(d) < how_many[:, None], axis=1)
