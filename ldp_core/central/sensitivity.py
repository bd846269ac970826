"""How much one person can change an answer, and what to do when it is too much: clip, propose and test, or divide.

Counts and clipped sums have a global sensitivity. Where the worst case over all data sets is hopeless but the data at
hand are harmless, propose-test-release and sample-and-aggregate use that, without giving away how harmless they are.
"""

from __future__ import annotations

import math
import numbers
import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Floats
from ldp_core._validate import (
    LARGEST_BOUND,
    LARGEST_VALUE,
    Neighbours,
    Rng,
    check_callable,
    check_epsilon,
    check_in_range,
    check_int,
    check_interval,
    check_neighbours,
    check_positive,
    check_probability,
    check_rng,
    check_rows,
    check_scale,
    check_values,
    shown,
)
from ldp_core.central.noise import add_laplace, laplace

__all__ = [
    "clip", "clipping_error", "mean_distance", "median_distance", "noisy_mean", "noisy_sum", "propose_test_release",
    "sample_and_aggregate", "sum_sensitivity",
]  # fmt: skip

#: Most chunks of :func:`sample_and_aggregate`.
MOST_CHUNKS = 1_000_000

#: From some rows, one per person, to a number.
Statistic = Callable[[npt.NDArray[Any]], float]


def clip(values: npt.ArrayLike, bounds: tuple[float, float]) -> Floats:
    """Move values outside public bounds, at most 1e290 in size and not taken from the data, to the nearer bound.

    Examples
    --------
    >>> clip([17, 39, 90], (20, 60))
    array([20., 39., 60.])
    """
    return np.clip(check_values(values, "values"), *check_interval(bounds))


def sum_sensitivity(bounds: tuple[float, float], *, neighbours: Neighbours = "add-remove") -> float:
    r"""Give the sensitivity of a sum of values that lie in [lower, upper].

    For one person more or less it is :math:`\max(|l|, |u|)`, for one record replaced :math:`u - l`. Texts that mix the
    two ``neighbours`` up calibrate the noise of one for the guarantee of the other.

    Examples
    --------
    >>> sum_sensitivity((20, 80)), sum_sensitivity((20, 80), neighbours="replace")
    (80.0, 60.0)
    """
    low, high = check_interval(bounds)
    return max(abs(low), abs(high)) if check_neighbours(neighbours) == "add-remove" else high - low


def noisy_sum(
    values: npt.ArrayLike,
    *,
    epsilon: float,
    bounds: tuple[float, float],
    neighbours: Neighbours = "add-remove",
    rng: Rng = None,
) -> float:
    """Give the sum of clipped values, with Laplace noise for :func:`sum_sensitivity`.

    Examples
    --------
    >>> round(noisy_sum([30, 40, 99], epsilon=1.0, bounds=(20, 80), rng=0), 6)
    60.332285
    """
    total = float(clip(values, bounds).sum())
    noisy: float = laplace(total, epsilon=epsilon, sensitivity=sum_sensitivity(bounds, neighbours=neighbours), rng=rng)
    return noisy


def noisy_mean(
    values: npt.ArrayLike,
    *,
    epsilon: float,
    bounds: tuple[float, float],
    neighbours: Neighbours = "add-remove",
    rng: Rng = None,
) -> float:
    """Give the mean of clipped values: a noisy sum over a noisy count, ε/2 each, or over the public count.

    Values are first moved so that the middle of the bounds is 0: that halves the sensitivity of the sum under
    "add-remove" and costs nothing. Under "replace" the number of people is public and takes no budget. The mean is
    moved into the bounds (post-processing).

    Examples
    --------
    >>> round(noisy_mean(range(1000), epsilon=1.0, bounds=(0, 1000), rng=0), 6)
    498.87345
    """
    epsilon, (low, high) = check_epsilon(epsilon), check_interval(bounds)
    generator = check_rng(rng, law=("noisy mean", epsilon, low, high))
    middle, half = (low + high) / 2, (high - low) / 2
    centred = clip(values, bounds) - middle
    around_zero = (-half, half)
    if check_neighbours(neighbours) == "replace":
        total = noisy_sum(centred, epsilon=epsilon, bounds=around_zero, neighbours="replace", rng=generator)
        mean = total / centred.size
    else:
        total = noisy_sum(centred, epsilon=epsilon / 2, bounds=around_zero, rng=generator)
        count: float = laplace(centred.size, epsilon=epsilon / 2, sensitivity=1, rng=generator)
        mean = total / max(count, 1.0)
    return float(np.clip(middle + mean, low, high))


def clipping_error(values: npt.ArrayLike, *, upper: npt.ArrayLike, epsilon: float) -> tuple[Floats, Floats]:
    """Say what each upper clipping bound costs a noisy sum of values ≥ 0: bias below it, noise above it.

    The bias is what clipping takes from the sum, the deviation that of the noise, √2·upper/ε. The result is about these
    data: a curator may look at it, nobody else.

    Examples
    --------
    >>> bias, deviation = clipping_error([1.0, 5.0, 10.0], upper=[4.0], epsilon=2.0)
    >>> bias, deviation.round(4)
    (array([7.]), array([2.8284]))
    """
    amounts = check_values(values, "values", LARGEST_BOUND).ravel()
    bounds = check_values(upper, "upper", LARGEST_BOUND)
    if amounts.min() < 0:
        raise ValueError(f"values must be >= 0, got {float(amounts.min())!r}")
    if bounds.min() <= 0:
        raise ValueError(f"upper must be > 0, got {float(bounds.min())!r}")
    check_scale(float(bounds.max()), epsilon, name="upper")
    ordered = np.sort(amounts)
    tail = np.concatenate([np.cumsum(ordered[::-1])[::-1], [0.0]])
    place = np.searchsorted(ordered, bounds, side="right")
    bias: Floats = tail[place] - (ordered.size - place) * bounds
    return bias, math.sqrt(2) * bounds / check_epsilon(epsilon)


# ---- local sensitivity -----------------------------------------------------------------------------------------------


def mean_distance(n: int, *, bounds: tuple[float, float], proposed: float) -> int:
    """Give how many people must leave before the mean of clipped values can move by more than a proposed bound b > 0.

    Of n people it is the smallest k such that a data set of n − k has a mean that one more person, joining or leaving,
    may change by more than b. Neighbours differ by one person more or less here (add/remove); :func:`median_distance`
    counts replaced records instead. It is read off the number of people alone.

    Notes
    -----
    If one of m people leaves or joins, the mean moves by at most width/m, where m ≥ 1 counts the larger data set
    when a person joins (m + 1) and those present when one leaves (m). A record that is replaced moves the mean of n
    people by at most width/n, which is at most b at every distance of at least 1, and does not change the distance at
    all: what :func:`propose_test_release` promises with it under add/remove holds for replaced records, too.

    Examples
    --------
    >>> mean_distance(1000, bounds=(0, 100), proposed=0.2)
    501
    """
    n = check_int(n, "n", 1)
    low, high = map(Fraction, check_interval(bounds))
    fewest = math.ceil((high - low) / Fraction(check_positive(proposed, "proposed")))  # m must be at least this
    return max(0, n - fewest + 1)


def median_distance(values: npt.ArrayLike, *, bounds: tuple[float, float], proposed: float) -> int:
    r"""Give how many records must be replaced before the median can move by more than a proposed bound b > 0.

    The median is that of ``numpy.median``: the middle value, of an even number of values the mean of the two middle
    ones. It is what has to be released with this distance, which is n where nothing moves it so far.

    Neighbours are data sets of one size that differ in one record (replace-one), and n is public;
    :func:`mean_distance` counts people who leave or join instead. Under add/remove this number is no distance at all:
    one person more may change it from 0 to hundreds (see the example).

    Notes
    -----
    With values sorted, and the bounds in place of values beyond the ends, that is the smallest k with

    - :math:`\max_{m-k-1 \le a \le m} x_{a+k+1} - x_a > b` for odd n, m being the place of the middle value: all that
      lies between two values is replaced, and they become neighbours at the middle;
    - :math:`\max_{m-k-1 \le a \le m} (x_{a+k+2} - x_a)/2 > b` for even n, m being the lower of the two middle places:
      one value stays between, and half of what the middle pair spans is moved.

    References
    ----------
    K. Nissim, S. Raskhodnikova and A. Smith. Smooth sensitivity and sampling in private data analysis. STOC 2007,
    section 3.1 (odd n).

    Examples
    --------
    >>> median_distance([3, 3, 3, 4], bounds=(0, 4), proposed=0.4)
    0

    A thousand and one people, and a person more: of an even number of values the median never moves by all of a gap.

    >>> ages = [40.0] * 501 + [41.5] * 500
    >>> [median_distance(x, bounds=(0, 100), proposed=1) for x in (ages, [*ages, 40.0])]
    [0, 500]
    """
    ordered = np.sort(clip(values, bounds), axis=None)
    b = check_positive(proposed, "proposed")
    n = ordered.size
    low, high = check_interval(bounds)
    padded = np.concatenate([np.full(n + 1, low), ordered, np.full(n + 2, high)])
    m = n + 1 + (n - 1) // 2
    between, share = (1, 1.0) if n % 2 else (2, 0.5)
    first, last = 0, n  # at k = n all values may be replaced
    while first < last:  # the largest gap grows with k: bisection
        k = (first + last) // 2
        a = np.arange(m - k - 1, m + 1)
        if np.max(padded[a + k + between] - padded[a]) * share > b:
            last = k
        else:
            first = k + 1
    return first


def propose_test_release(
    value: float, distance: int, *, proposed: float, epsilon: float, delta: float, rng: Rng = None
) -> float | None:
    r"""Release a value with noise for a proposed local sensitivity b, if the data are far from any that break it.

    1. The noisy distance is :math:`\hat k = k + \mathrm{Lap}(2/\varepsilon)`.
    2. If :math:`\hat k \le \frac{2}{\varepsilon}\ln\frac{1}{2\delta}`, the result is None.
    3. Otherwise it is the answer with :math:`\mathrm{Lap}(2b/\varepsilon)`.

    The guarantee holds for the neighbours that ``distance`` counts, and for no others: replaced records with
    :func:`median_distance`; people who join or leave with :func:`mean_distance` (and, as that one depends on n alone,
    replaced records as well). δ is below 1/2, which is checked before the test, whatever its outcome.

    Parameters
    ----------
    distance : int
        In how many steps between neighbours the local sensitivity of this very statistic can exceed ``proposed``: a
        number that changes by at most 1 between neighbours, such as :func:`mean_distance` (a step: a person leaves or
        joins) or :func:`median_distance` (a step: a record is replaced). Distance and local sensitivity have to mean
        the same neighbours.
    proposed : float
        Proposed bound b > 0 on the local sensitivity, chosen without looking at the data.

    Notes
    -----
    Why: if k ≥ 1, the local sensitivity is at most b, and test and release are ε/2 each. If k = 0, the test is passed
    with probability at most :math:`\Pr[\mathrm{Lap}(2/\varepsilon) > \frac2\varepsilon\ln\frac1{2\delta}] = \delta`.
    A threshold of :math:`\ln(2/\delta)/(2\varepsilon)` with noise of scale 1/ε, as one may read, is passed at k = 0
    with probability :math:`\frac12\sqrt{\delta/2}` instead.

    References
    ----------
    C. Dwork and J. Lei. Differential privacy and robust statistics. STOC 2009.

    Examples
    --------
    >>> k = mean_distance(1000, bounds=(0, 100), proposed=0.2)
    >>> round(propose_test_release(48.5, k, proposed=0.2, epsilon=1.0, delta=1e-6, rng=0), 6)
    48.35759
    """
    # Everything is checked before the test: whether an argument is refused may not depend on how the test ends.
    value = check_in_range(value, "value", -LARGEST_VALUE, LARGEST_VALUE)
    delta, b = check_probability(delta, "delta"), check_positive(proposed, "proposed")
    if delta >= 0.5:
        raise ValueError(f"delta must be < 1/2, got {delta!r}")
    half = check_epsilon(epsilon) / 2
    scale = check_scale(1.0, half)
    check_scale(b, half, name="proposed")
    k, generator = check_int(distance, "distance", 0), check_rng(rng, law=("propose", half, delta, b))
    if add_laplace(k, scale, generator) <= -math.log(2 * delta) * scale:
        return None
    released: float = laplace(value, epsilon=half, sensitivity=b, rng=generator)
    return released


def sample_and_aggregate(
    values: npt.ArrayLike,
    statistic: Statistic,
    *,
    n_chunks: int,
    bounds: tuple[float, float],
    epsilon: float,
    neighbours: Neighbours = "add-remove",
    rng: Rng = None,
) -> float:
    """Compute any statistic privately: on chunks of the data, clipped, averaged, with noise.

    One record changes one chunk, hence the average of the answers by at most (upper − lower)/n_chunks, whatever the
    statistic is: nobody has to know its sensitivity. That holds for a statistic that fails on some rows, too: a chunk
    without an answer counts as the lower bound, instead of telling by an error what is in the data.

    Parameters
    ----------
    statistic : callable
        From some rows to a number. NaN counts as the lower bound, and so does an error that rows may cause
        (``ArithmeticError``, ``ValueError``, ``LookupError``). Other errors are taken for mistakes in the statistic and
        are passed on.
    n_chunks : int
        Number of chunks, 1 to a million, under "replace" at most n. More: less noise, and a statistic of fewer people.
    bounds : tuple of (float, float)
        Public bounds of the statistic; answers outside, infinite ones included, are clipped.
    neighbours : {"add-remove", "replace"}, default "add-remove"
        One person more or less: every row draws its chunk by itself, so that a newcomer leaves all others where they
        are; chunks differ in size, and an empty one counts as the lower bound. (A replaced record is covered as well.)
        One record replaced: the number of rows is public, and a random permutation is cut into chunks of the same
        size, give or take one row.

    Notes
    -----
    Chunks cut by position are no chunks of this kind under add/remove: one row more at the top moves all others down,
    and may change every chunk.

    References
    ----------
    K. Nissim, S. Raskhodnikova and A. Smith. Smooth sensitivity and sampling in private data analysis. STOC 2007,
    section 4.
    """
    rows = check_rows(values, "values")
    check_callable(statistic, "statistic")
    by_permutation = check_neighbours(neighbours) == "replace"
    n_chunks = check_int(n_chunks, "n_chunks", 1, min(len(rows), MOST_CHUNKS) if by_permutation else MOST_CHUNKS)
    low, high = check_interval(bounds)
    check_scale((high - low) / n_chunks, epsilon)
    generator = check_rng(rng, law=("sample and aggregate", float(epsilon), n_chunks, low, high))
    if by_permutation:
        chunks = np.array_split(generator.permutation(len(rows)), n_chunks)
    else:
        home = generator.integers(n_chunks, size=len(rows)).astype(np.intp, copy=False)
        chunks = np.split(np.argsort(home, kind="stable"), np.cumsum(np.bincount(home, minlength=n_chunks))[:-1])
    answers = [clipped_answer(statistic, rows[chunk], low, high) if chunk.size else low for chunk in chunks]
    noisy: float = laplace(float(np.mean(answers)), epsilon=epsilon, sensitivity=(high - low) / n_chunks, rng=generator)
    return noisy


def clipped_answer(statistic: Statistic, rows: npt.NDArray[Any], low: float, high: float) -> float:
    """Give a statistic of some rows, moved into the bounds; the lower one where there is none."""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():  # one would tell something about the rows as well
            warnings.simplefilter("ignore")
            answer = statistic(rows)
    except (ArithmeticError, LookupError, ValueError):
        return low
    except TypeError as error:
        raise TypeError(f"statistic must take rows of values, got from it: {error}") from error
    if isinstance(answer, np.generic) or (isinstance(answer, np.ndarray) and answer.ndim == 0):
        answer = answer.item()
    if not isinstance(answer, numbers.Real):
        raise TypeError(f"statistic must give a number for every chunk, got {shown(answer)}")
    return low if answer != answer else float(min(max(answer, low), high))
