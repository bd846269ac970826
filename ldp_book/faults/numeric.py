"""Faults found in published listings for numbers, rebuilt in our own words to be broken and mended.

Each function says what is wrong, what that costs, and which class does it right. ``epsilon`` is the nominal budget,
finite and > 0, ``dim`` the number d of values, ``t`` lies in [−1, 1]. A channel of corners has shape (2^d, 2^d), in
the order of :meth:`Duchi.channel <ldp_core.numeric.Duchi.channel>`, for d up to 12.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Floats
from ldp_core._validate import check_epsilon, check_int, check_numbers, check_real, check_unit
from ldp_core.numeric import Piecewise
from ldp_core.numeric._corners import agreement_channel, corner_law, corners, power_over_binomial
from ldp_core.numeric._sampled import BUDGET_PER_COORDINATE
from ldp_core.numeric.base import LARGEST_DIM

__all__ = [
    "closed_ties_channel", "fair_coin_channel", "fair_coin_mean", "mean_report", "published_size",
    "unequal_ties_channel", "with_replacement_factor",
]  # fmt: skip

#: Largest dimension whose 2^d × 2^d channel is written out.
ENUMERATED_DIM = 12


# ---- Duchi in many dimensions: corners that lie on neither side --------------------------------------------------


def published_size(epsilon: float, dim: int) -> float:
    r"""Give the size B of a coordinate as published, for T⁺ and T⁻ that both contain the ties.

    It is :math:`C_d\,(e^\varepsilon+1)/(e^\varepsilon-1)` with :math:`C_d = 2^{d-1}/\binom{d-1}{(d-1)/2}` for odd d and
    :math:`(2^{d-1} + \frac12\binom{d}{d/2})/\binom{d-1}{d/2}` for even d; an ε for which it overflows is refused.

    Examples
    --------
    >>> round(published_size(1.0, 2), 3)
    6.492
    """
    epsilon, d = check_epsilon(epsilon), check_int(dim, "dim", 1, LARGEST_DIM)
    closed, slope = power_over_binomial(d // 2) + (1 if d % 2 == 0 else 0), math.tanh(epsilon / 2)
    size = closed / slope if slope > 0 else math.inf
    if not math.isfinite(size):
        raise ValueError(f"epsilon must be large enough for the size to be finite in double precision, got {epsilon!r}")
    return size


def closed_ties_channel(epsilon: float, dim: int) -> Floats:
    """Give the exact channel of Duchi's mechanism as published.

    For even d a tie can be drawn from either set, with 1 against 1/(e^ε + 1) for a corner of T⁻ alone: the mean is
    right (with :func:`published_size`), but the exact ε is ln(e^ε + 1). Mended in :class:`~ldp_core.numeric.Duchi`.

    Examples
    --------
    >>> from ldp_core.audit import exact_epsilon
    >>> round(exact_epsilon(closed_ties_channel(1.0, 2)), 3), round(exact_epsilon(closed_ties_channel(1.0, 3)), 3)
    (1.313, 1.0)
    """
    epsilon, d = check_epsilon(epsilon), check_int(dim, "dim", 1, ENUMERATED_DIM)
    places, odds = 2 * np.arange(d + 1), math.exp(-epsilon)  # both sets have the same size
    return agreement_channel(1.0 * (places >= d) + odds * (places <= d))


def unequal_ties_channel(epsilon: float, dim: int) -> Floats:
    """Give the exact channel of a listing that rejects "≤ 0" in one loop and "> 0" in the other.

    A corner that agrees in exactly half of the places is never accepted for T⁺ and always for T⁻, so that T⁻ is the
    larger set and each of its corners the rarer. At nominal ε = 1 the exact ε is 2.10 for d = 2 and 1.79 for d = 4;
    with B for closed sets (:func:`published_size`) the mean is wrong as well, 2.08 where it should be 0.5 for d = 2.
    For odd d there are no ties and no fault. Mended in :class:`~ldp_core.numeric.Duchi`.

    Examples
    --------
    >>> from ldp_core.audit import exact_epsilon
    >>> round(exact_epsilon(unequal_ties_channel(1.0, 2)), 2), round(exact_epsilon(unequal_ties_channel(1.0, 4)), 2)
    (2.1, 1.79)
    """
    epsilon, d = check_epsilon(epsilon), check_int(dim, "dim", 1, ENUMERATED_DIM)
    tie = 1 / power_over_binomial(d // 2) if d % 2 == 0 else 0.0
    share = (1 - tie) / 2  # of all corners, those in T⁺
    above = np.arange(d + 1) > d / 2
    return agreement_channel(np.where(above, 1 / share, math.exp(-epsilon) / (1 - share)))


def mean_report(channel: npt.ArrayLike, size: float, t: npt.ArrayLike) -> Floats:
    """Compute the mean of a report that is a corner, drawn from a channel, by enumeration.

    Every coordinate of a report has the given size, t has shape (d,), and the mean is t itself if the mechanism is
    right.

    Examples
    --------
    >>> mean_report(unequal_ties_channel(1.0, 2), published_size(1.0, 2), [0.5, 0.5]).round(2)
    array([2.08, 2.08])
    >>> mean_report(closed_ties_channel(1.0, 2), published_size(1.0, 2), [0.5, 0.5]).round(2)
    array([0.5, 0.5])
    """
    values, matrix = check_unit(t, "t"), check_numbers(channel, "channel")
    size = check_real(size, "size")
    if values.ndim != 1 or matrix.shape != (2**values.size, 2**values.size):
        raise ValueError(
            f"channel must have shape (2**d, 2**d) for t of shape (d,), got {matrix.shape}, {values.shape}"
        )
    mean: Floats = (corner_law(values[None, :]) @ matrix @ corners(values.size))[0] * size
    return mean


# ---- Piecewise: a fair coin for unfair sides ---------------------------------------------------------------------


def fair_coin_mean(epsilon: float, t: npt.ArrayLike) -> Floats:
    r"""Compute the mean of a report where the side outside the plateau is chosen by a fair coin.

    It should be chosen by length. As it is, a value above 0 gets too many reports from the short side on its right, up
    to all of that side's half at the single point C when t = 1: the mean is off by
    :math:`t\,(e^{\varepsilon/2}+2)/(2(e^\varepsilon-1))`. Mended in :class:`~ldp_core.numeric.Piecewise`.

    Examples
    --------
    >>> round(float(fair_coin_mean(1.0, 0.5)), 2)
    1.03
    """
    mechanism = Piecewise(epsilon)
    low, high = mechanism.centre(t)
    outside = _outside(mechanism.epsilon)
    # Each side is uniform: its mean is the middle, (−C + l)/2 or (r + C)/2, and the coin takes half of each.
    return (1 - outside) * (low + high) / 2 + outside * (low + high) / 4


def fair_coin_channel(epsilon: float, t: npt.ArrayLike = (-1.0, 0.0, 1.0)) -> Floats:
    """Give the exact channel of Piecewise with a fair coin for the sides, over its cells and the two end points.

    What is wrong is said at :func:`fair_coin_mean`. Rows are inputs t; columns are: the report is exactly −C; each
    cell, as in :meth:`Piecewise.channel <ldp_core.numeric.Piecewise.channel>`; the report is exactly C. An ε above
    about 43 is refused.

    Examples
    --------
    >>> from ldp_core.audit import exact_epsilon
    >>> from ldp_core.numeric import Piecewise
    >>> exact_epsilon(fair_coin_channel(0.1))  # C comes from t = 1 alone
    inf
    >>> round(exact_epsilon(Piecewise(0.1).channel()), 9)
    0.1
    """
    mechanism, inputs = Piecewise(epsilon), check_unit(t, "t").reshape(-1, 1)
    cells, edges, (low, high) = mechanism.channel(inputs), mechanism.edges(inputs), mechanism.centre(inputs)
    middle = (edges[1:] + edges[:-1]) / 2
    # By length the left side has (1 + t)/2 of what lies outside, and the right (1 − t)/2; the coin gives each a half.
    length = np.where(middle < low, 1 + inputs, np.where(middle > high, 1 - inputs, 1.0))
    cells = np.divide(cells, length, out=np.zeros_like(cells), where=length > 0)
    half = _outside(mechanism.epsilon) / 2  # of a side without length, all at its end
    return np.column_stack([np.where(inputs == -1, half, 0.0), cells, np.where(inputs == 1, half, 0.0)])


def _outside(epsilon: float) -> float:
    """Probability that a report of Piecewise is not on the plateau."""
    return math.exp(-epsilon / 2) / (1 + math.exp(-epsilon / 2))


# ---- coordinates drawn twice -------------------------------------------------------------------------------------


def with_replacement_factor(epsilon: float, dim: int) -> float:
    """Give the factor by which coordinates drawn with replacement shrink every mean: 1 while k = 1, below ε = 5.

    A coordinate that Piecewise draws twice is perturbed twice and written to the same place: its budget is spent, and
    the scale d/k counts on k different coordinates. Mended in :class:`~ldp_core.numeric.Piecewise`. The factor is
    (d/k)·(1 − (1 − 1/d)^k): the probability that a coordinate is sent, over the k/d that the scale presumes.

    Examples
    --------
    >>> with_replacement_factor(5.0, 2)
    0.75
    """
    epsilon, d = check_epsilon(epsilon), check_int(dim, "dim", 1, LARGEST_DIM)
    k = max(1, min(d, int(epsilon // BUDGET_PER_COORDINATE)))
    missed: float = (1 - 1 / d) ** k
    return d / k * (1 - missed)
