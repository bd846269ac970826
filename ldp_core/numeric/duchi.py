"""Duchi, Jordan and Wainwright's mechanism: one random sign per value, nearly always on the right side."""

from __future__ import annotations

import math
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Counts, Floats
from ldp_core._validate import check_option, shown
from ldp_core.numeric._corners import (
    agreement_channel,
    corner_law,
    corners,
    draw_agreement,
    power_over_binomial,
    report_law,
)
from ldp_core.numeric._law import Law
from ldp_core.numeric.base import BLOCK, NumericMechanism

__all__ = ["Duchi"]

#: How a corner is treated that agrees with the user's in exactly half of the places.
Ties = Literal["split", "minus"]

#: Largest matrix that is written out has 2 to the power of this many entries: 128 MiB of float64.
LARGEST_EXPONENT = 24

#: Up to this dimension all 2^d corners are counted at once when a mean is simulated.
SIMULATED_DIM = 16

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
    either set and is e^ε + 1 times likelier than a corner of T⁻, so that ε' = ln(e^ε + 1).
    Two repairs, both exactly ε-LDP and unbiased:

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

    def __init__(self, epsilon: float, dim: int = 1, *, ties: Ties = "split") -> None:
        super().__init__(epsilon, dim)
        if not isinstance(ties, str):
            raise TypeError(f"ties must be a string, got {shown(ties)}")
        self.ties = check_option(ties, "ties", get_args(Ties))
        d, c_d = self.dim, power_over_binomial(self.dim // 2)
        lower = 1 if ties == "minus" and d % 2 == 0 else 0
        self._one = SignLaw(self.epsilon)  # in one dimension it is that
        self._excess = (c_d - 1 - lower) + c_d * self._one.excess
        self.B = 1 + self._excess

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
        d, low = self.dim, self._one.e
        weights = np.where(np.arange(d + 1) > d / 2, 1.0, low)
        if d % 2 == 0 and self.ties == "split":
            weights[d // 2] = (1 + low) / 2
        return weights

    def _draw(self, t: Floats, rng: np.random.Generator) -> Floats:
        if self.dim == 1:
            return self._one.draw(t[:, 0], rng)[:, None]
        place = rng.random(t.shape)
        place *= 2
        place -= 1  # uniform on [−1, 1), without rounding: below t with probability (1 + t)/2
        signs = place < t
        if self.ties == "minus" and self.dim % 2 == 0:
            agree = draw_agreement(self._weights(), len(t), rng)
        else:
            agree = fair_bits(t.shape, rng)
            # The rarer side of the coin is compared with "<": so it can come up, however small its probability.
            astray = rng.random(len(t)) < self._one.e / (1 + self._one.e)
            # A sum over the rows that is quicker than np.sum and np.count_nonzero where rows are short.
            minority = 2 * np.einsum("ij->i", agree.view(np.int8), dtype=np.int32) < self.dim
            agree ^= (minority != astray)[:, None]  # turning a tie round changes nothing: it stays a random tie
        return _signed(signs == agree, self.B)

    def _density(self, y: Floats, t: Floats) -> Floats:
        return self._one.density(y, t)

    # ---- the exact law ------------------------------------------------------------------------------------------

    def outputs(self) -> Floats:
        """List the 2^d possible reports, d ≤ 24, in the order of the columns of :meth:`channel`, first all −B."""
        self._check_enumerable(self.dim)
        return np.where(corners(self.dim) > 0, self.B, -self.B)

    def channel(self, t: npt.ArrayLike | None = None) -> Floats:
        """Give the exact distribution of the report, shape (m, 2**dim), on each of the inputs t, with dim up to 12.

        By default these are the 2^d corners of [−1, 1]^d, the first all −1, the last all 1. Rows of other inputs are
        mixtures of theirs, so no pair of inputs is easier to tell apart than some two corners.
        """
        self._check_enumerable(2 * self.dim)
        matrix = agreement_channel(self._weights())
        if t is None:
            return matrix
        return corner_law(self._check_values(t)) @ matrix

    def _check_enumerable(self, exponent: int) -> None:
        if exponent > LARGEST_EXPONENT:
            raise ValueError(
                f"dim must be small enough for at most 2**{LARGEST_EXPONENT} entries to be written out, "
                f"got 2**{exponent} for {self!r}"
            )

    def _draw_sums(self, t: Floats, counts: Counts, rng: np.random.Generator, runs: int) -> Floats:
        if self.dim == 1:
            each = self._one.draw_sums(t, np.broadcast_to(counts[:, None], (runs, *t.shape)), rng)
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


class SignLaw(Law):
    """The report on one number, with budget ε: ±B, as in randomized response."""

    bits = 1

    def __init__(self, epsilon: float) -> None:
        self.e = math.exp(-epsilon)
        # (e^ε + 1)/(e^ε − 1) = 1 + 2/(e^ε − 1). What B exceeds 1 by is kept apart: it can be far below 1e-16.
        self.excess = 2 * self.e / -math.expm1(-epsilon)
        self.bound = 1 + self.excess
        self.atoms = -self.bound, self.bound
        self.ends = self.bound * self.bound, self.excess * (self.bound + 1)  # B² and B² − 1

    def plus(self, t: Floats) -> Floats:
        """Probability of +B; a sum of positive terms, so nothing cancels for large ε."""
        return ((1 + t) + (1 - t) * self.e) / (2 * (1 + self.e))

    def draw(self, t: Floats, rng: np.random.Generator) -> Floats:
        # The rarer sign is compared with "<": so it can come up, however small its probability.
        rarer = rng.random(t.shape) < self.plus(-np.abs(t))
        return _signed((t < 0) == rarer, self.bound)

    def draw_sums(self, t: Floats, counts: Counts, rng: np.random.Generator) -> Floats:
        # The sign that t speaks against is the rarer one; its probability is the one that keeps its digits.
        rarer = rng.binomial(counts, self.plus(-np.abs(t)))
        sums: Floats = np.where(t < 0, -self.bound, self.bound) * (counts - 2 * rarer)
        return sums

    def density(self, y: Floats, t: Floats) -> Floats:
        return np.where(y == self.bound, self.plus(t), np.where(y == -self.bound, self.plus(-t), 0.0))


def fair_bits(shape: tuple[int, ...], rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Draw independent fair coins, eight to a random byte."""
    n = math.prod(shape)
    return np.unpackbits(rng.integers(256, size=-(-n // 8), dtype=np.uint8), count=n).view(np.bool_).reshape(shape)


def _signed(plus: npt.NDArray[np.bool_], size: float) -> Floats:
    """Give ``size`` where True, −size elsewhere."""
    reports: Floats = plus.astype(np.float64)
    reports *= 2 * size  # 0 and 2B, then exactly −B and B; np.where takes ten times as long
    reports -= size
    return reports
