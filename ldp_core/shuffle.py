r"""Reports in random order: what it is worth that nobody knows who sent which.

A *shuffler* stands between the people and the collector and hands on everybody's reports, each randomized at home with
ε₀, in random order. Two data sets are neighbours if they differ in one person's value; n is public. What the collector
sees is (ε, δ)-differentially private with an ε far below ε₀, as each report could be anybody's.

**How it is computed.** Every bound here compares two laws of a bag of zeros, ones and others: one ballot is the
person's, zero and one in the proportion :math:`e^{\varepsilon_0} : 1` or the other way round, and the rest are noise,
each zero or one with equal odds. Given the number T of ballots that are zero or one, the best test counts the zeros,
and :math:`\delta(\varepsilon)` is a sum over T of binomial tails.

* *Any randomizer* ("clones", Feldman, McMillan and Talwar 2021): whatever another person holds, the report is, with
  probability :math:`e^{-\varepsilon_0}`, one drawn from the equal mixture of the two laws in question.
* *Direct encoding, d ≥ 3*: from above the "blanket" (Balle, Bell, Gascón and Nissim 2019): with probability dq a report
  is a uniform draw, and whoever is told which of the others' reports are such draws can remove the rest. From below
  two data sets, in which all others hold a third value, or (tried up to a thousand people) the person's own.
* *Randomized response*: the bag is one number, the count of "yes", and the best test a threshold, since the likelihood
  ratio is monotone (its law is that of a sum of independent bits, which is log-concave). With P and Q the probabilities
  of "at most t" under both, :math:`\varepsilon = \max_t \ln((P - \delta)/Q)`, maximized over the number c of others who
  hold "yes" besides. That all others agree (c = 0) is mostly, but not always, the worst of cases, and c is therefore
  searched: exactly for small n, for larger n in blocks, a bound for each of which follows from telling the collector
  the reports of those who may hold either value. The search ends when no block exceeds the worst data set found by
  more than half a per cent (one per cent from ten million people on), rounding errors not counted.

**Why the interval is certain.** Neighbouring T are taken together, with the smallest of them for the upper end, the
largest for the lower: more ballots of noise never make two laws easier to tell apart. Ends of binomial laws that are
left out, and rounding errors, are counted in δ.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Counts, Floats
from ldp_core._validate import (
    Rng,
    check_epsilon,
    check_int,
    check_numbers,
    check_positive,
    check_probability,
    check_rng,
    check_rows,
    shown,
)
from ldp_core.central.privacy_loss import Interval
from ldp_core.frequency import DirectEncoding

__all__ = ["needed_epsilon0", "shuffle", "shuffled_epsilon"]

#: Largest crowd and largest ε₀.
_MOST_PEOPLE, _MOST_EPSILON = 10**10, 500.0

#: What is left out of a law, relative to δ e^−ε₀; how far apart the T of a group may be.
_LEFT_OUT, _APART = 1e-8, 4e-4

#: Largest crowd in which every data set of yes and no is tried; from which on the search in blocks is a coarser one;
#: largest in which others who hold the person's own value are worth a look, under direct encoding.
_SMALL, _LARGE, _FEW = 400, 10**7, 1_000


def shuffle(reports: npt.ArrayLike, rng: Rng = None) -> npt.NDArray[Any]:
    """Mix reports, as a shuffler does: the same reports in an order that says nothing.

    All orders of the reports, rows of shape (n, ...), are equally likely under ``rng``, in earnest
    :func:`ldp_core.secure_rng`. A seed gives an order, too: whoever knows it can undo the mix.

    Examples
    --------
    >>> mixed = shuffle([0, 0, 1, 3], rng=1)
    >>> sorted(mixed.tolist())
    [0, 0, 1, 3]
    """
    rows = check_rows(reports, "reports")
    if rows.dtype.kind == "f":
        check_numbers(rows, "reports")
    return rows[check_rng(rng, "assignment").permutation(len(rows))]


def shuffled_epsilon(epsilon0: float, n: int, *, delta: float, mechanism: DirectEncoding | None = None) -> Interval:
    """Give the ε of n shuffled reports, each ε₀-locally private, at a given δ, as an interval.

    The upper end is the one to rely on, at most ε₀. With a mechanism the smallest ε that shuffled reports satisfy, for
    all neighbouring data sets, lies between the two. Without one they enclose the ε of the clones: the upper end holds
    for every randomizer, but a given one may have a smaller ε, also below the lower end, which says only how exactly
    the ε of the clones has been computed.

    Parameters
    ----------
    epsilon0 : float
        ε₀ of one report, > 0 and at most 500.
    n : int
        How many reports are shuffled, one from each person, 1 to 10,000,000,000.
    delta : float
        δ strictly between 0 and 1.
    mechanism : DirectEncoding, RandomizedResponse or None
        How reports are made, with the same ε₀. None: by any ε₀-local randomizer, the same for all.

    Notes
    -----
    Shuffling buys a small ε with δ > 0 only: everybody may have reported the same by chance, all but one, and for δ = 0
    ε stays ε₀.

    The tighter reduction of 2023 is not used: its authors have found an error in the proof, and now state it for a
    restricted class of randomizers. For direct encoding the blanket, proved for itself, takes its place.

    References
    ----------
    V. Feldman, A. McMillan and K. Talwar. Hiding among the clones. FOCS 2021, section 3 (the clones).

    V. Feldman, A. McMillan and K. Talwar. Stronger privacy amplification by shuffling for Rényi and approximate
    differential privacy. SODA 2023, with the errata of its version on arXiv (2208.04591).

    B. Balle, J. Bell, A. Gascón and K. Nissim. The privacy blanket of the shuffle model. CRYPTO 2019, section 3.

    Examples
    --------
    >>> lower, upper = shuffled_epsilon(1.0, n=10_000, delta=1e-6)
    >>> round(lower, 4), round(upper, 4)
    (0.053, 0.053)
    >>> from ldp_core.frequency import DirectEncoding
    >>> lower, upper = shuffled_epsilon(1.0, n=10_000, delta=1e-6, mechanism=DirectEncoding(1.0, 2))
    >>> round(lower, 3), round(upper, 3)
    (0.036, 0.036)
    """
    epsilon0, n, delta = _check_epsilon0(epsilon0), _check_crowd(n), check_probability(delta, "delta")
    if mechanism is None:
        d = None
    elif isinstance(mechanism, DirectEncoding):
        if mechanism.epsilon != epsilon0:
            raise ValueError(f"mechanism must have ε = epsilon0 = {epsilon0!r}, got {shown(mechanism.epsilon)}")
        d = mechanism.d
    else:
        raise TypeError(f"mechanism must be direct encoding, randomized response or None, got {shown(mechanism)}")
    return _interval(epsilon0, n, delta, d)


def needed_epsilon0(epsilon: float, n: int, *, delta: float, d: int | None = None) -> float:
    """Give the largest ε₀ with which n people may randomize, if the shuffled reports are to be (ε, δ)-private.

    It is an ε₀ ≥ ε for which the upper end of :func:`shuffled_epsilon` (by any randomizer, or by direct encoding with d
    categories) is at most epsilon, for n people and a delta: the largest such to 0.1%, and for d = 2 and more than 400
    people to about 1%, as the upper end wavers by as much as the interval is wide.

    Examples
    --------
    >>> epsilon0 = needed_epsilon0(0.1, n=100_000, delta=1e-8)
    >>> round(epsilon0, 2), shuffled_epsilon(epsilon0, 100_000, delta=1e-8).upper <= 0.1
    (2.73, True)
    """
    epsilon, n, delta = _check_epsilon0(epsilon, "epsilon"), _check_crowd(n), check_probability(delta, "delta")
    d = None if d is None else check_int(d, "d", 2, 2**24)

    def allowed(epsilon0: float) -> bool:
        if d == 2:
            return _upper(epsilon0, n, delta, d) <= epsilon
        return _above(epsilon0, n, delta, d).delta(epsilon, epsilon0, upper=True) <= delta

    good = epsilon  # what one report is allowed to cost, the crowd may cost as well
    bad = min(good + 1.0, _MOST_EPSILON)
    while bad < _MOST_EPSILON and allowed(bad):
        good, bad = bad, min(bad + 1.0, _MOST_EPSILON)
    while bad - good > 1e-3 * good:
        middle = (good + bad) / 2
        good, bad = (middle, bad) if allowed(middle) else (good, middle)
    while good > epsilon and _upper(good, n, delta, d) > epsilon:  # the end of an interval is a little above
        good = max(epsilon, good * (1 - 1e-4))
    return good


def _check_epsilon0(value: object, name: str = "epsilon0") -> float:
    number = check_epsilon(value) if name == "epsilon" else check_positive(value, name)
    if number > _MOST_EPSILON:
        raise ValueError(f"{name} must be at most {_MOST_EPSILON:g}, got {shown(value)}")
    return number


def _check_crowd(n: object) -> int:
    return check_int(n, "n", 1, _MOST_PEOPLE)


def _interval(epsilon0: float, n: int, delta: float, d: int | None) -> Interval:
    if d == 2:
        return _randomized_response(epsilon0, n, delta)
    left_out = _left_out(delta, epsilon0)
    below = _clones(epsilon0, n, left_out) if d is None else _third_value(epsilon0, n, d, left_out)
    lower = _smallest(lambda e: below.delta(e, epsilon0, upper=False), delta, epsilon0)[0]
    if d is not None and n <= _FEW:
        odds, chance = _same_value(epsilon0, n, d)
        lower = max(lower, _smallest(lambda e: _excess(e, odds, chance), delta, epsilon0)[0])
    upper = _upper(epsilon0, n, delta, d)
    return Interval(min(lower, upper), upper)


def _upper(epsilon0: float, n: int, delta: float, d: int | None) -> float:
    """Give the upper end alone."""
    if d == 2:
        return _randomized_response(epsilon0, n, delta).upper
    above = _above(epsilon0, n, delta, d)
    return _smallest(lambda e: above.delta(e, epsilon0, upper=True), delta, epsilon0)[1]


def _above(epsilon0: float, n: int, delta: float, d: int | None) -> _Bags:
    """Give a pair of laws that tells at least as much as the shuffled reports."""
    left_out = _left_out(delta, epsilon0)
    return _clones(epsilon0, n, left_out) if d is None else _blanket(epsilon0, n, d, left_out)


def _left_out(delta: float, epsilon0: float) -> float:
    """Say how much of a law may be left out: little beside δ, even if it counts e^ε₀ times."""
    return max(delta * _LEFT_OUT * math.exp(-epsilon0), 1e-300)


def _smallest(delta_at: Callable[[float], float], delta: float, most: float) -> tuple[float, float]:
    """Enclose the smallest ε with δ(ε) ≤ δ, for a δ(ε) that falls: above the first number, at most the second."""
    low, high = 0.0, most
    if delta_at(0.0) <= delta:
        return 0.0, 0.0
    for _ in range(60):
        middle = (low + high) / 2
        if high - low <= 1e-7 * high or not low < middle < high:
            break
        low, high = (low, middle) if delta_at(middle) <= delta else (middle, high)
    return low, high


# ---- bags of zeros and ones --------------------------------------------------------------------------------------


def _rounding(numbers: int) -> float:
    """Bound the relative error of a probability that came from as many quotients, each with a few roundings."""
    return 1e-12 + 1e-15 * numbers


class _Law(NamedTuple):
    """A law of whole numbers from `first` on; what is missing is at most `left_out`."""

    first: int
    mass: Floats


def _binomial(n: int, p: float, rest: float, left_out: float) -> _Law:
    """Give the law of a binomial number, without its ends (Bernstein's inequality says where they begin).

    `rest` is 1 − p, given by itself since a difference would lose the digits of a small one.
    """
    if rest <= 0.0 or p <= 0.0:
        return _Law(n if p > 0.0 else 0, np.ones(1))
    far = math.log(2 / left_out)
    reach = far / 3 + math.sqrt(far**2 / 9 + 2 * far * n * p * rest)
    first, last = max(0, math.floor(n * p - reach)), min(n, math.ceil(n * p + reach))
    mode = min(max(math.floor((n + 1) * p), first), last)
    up, down = np.arange(mode, last, dtype=np.float64), np.arange(mode, first, -1, dtype=np.float64)
    odds = p / rest
    above = np.cumprod((n - up) / (up + 1) * odds)
    below = np.cumprod(down / (n - down + 1) / odds)
    mass = np.concatenate([below[::-1], [1.0], above])
    return _Law(first, mass / mass.sum())


class _Bags(NamedTuple):
    """Two laws of a bag, given T, its ballots that are zero or one, in groups of neighbouring T.

    With probability `weight` one of the T is the person's, the others are fair; against it stand, with `hidden` times
    that probability, T fair ones, when the person's ballot is none of them.
    """

    fewest: Counts
    most: Counts
    weight: Floats
    hidden_fewest: Floats
    hidden_most: Floats
    left_out: float
    tails: dict[bool, _Tails]

    def delta(self, epsilon: float, epsilon0: float, *, upper: bool) -> float:
        """Bound δ(ε) from above or from below."""
        size = (self.fewest if upper else self.most).astype(np.float64)
        hidden = self.hidden_most if upper else self.hidden_fewest
        lie, gap = math.exp(-epsilon0) / (1 + math.exp(-epsilon0)), math.tanh(epsilon0 / 2)
        grown, shrunk = math.expm1(epsilon), -math.expm1(-epsilon)
        # A bag with k zeros counts where the person's law of it exceeds e^ε times the other one.
        least = size * (gap + lie * shrunk + shrunk * hidden / 2) / (gap * (2 - shrunk))
        zeros = np.ceil(least * (1 - 1e-14))
        if upper not in self.tails:
            self.tails[upper] = _fair_tails(self.fewest if upper else self.most, self.left_out)
        at, above = self.tails[upper].at(zeros)
        more = (1 - lie) * -math.expm1(epsilon - epsilon0) - grown * hidden / 2
        less = grown * (1 + hidden)
        off = _rounding(self.tails[upper].at_place.shape[1] + int(self.most.max() - self.fewest.min()))
        if not upper:
            off = -off
        each = more * at * (1 + off * np.sign(more)) - less * above * (1 - off)
        total = float(np.sum(self.weight * np.maximum(each, 0.0)))
        cut = 3 * self.left_out * (1 + grown)
        return total * (1 + off) + (cut if upper else -cut)


class _Tails(NamedTuple):
    """For each group: probabilities of k − 1 and of at least k heads in T − 1 fair tosses, from the middle on."""

    row: Counts
    first: Counts
    at_place: Floats
    above_place: Floats

    def at(self, zeros: Floats) -> tuple[Floats, Floats]:
        """Give both for a number of zeros in each group."""
        width = self.at_place.shape[1]
        place = np.maximum(zeros - 1 - self.first, 0)
        inside = place < width
        column = np.where(inside, place, 0).astype(np.int64)
        return (
            np.where(inside, self.at_place[self.row, column], 0.0),
            np.where(inside, self.above_place[self.row, column], 0.0),
        )


def _fair_tails(sizes: Counts, left_out: float) -> _Tails:
    """Tabulate the upper halves of binomial laws with T − 1 fair tosses each (Hoeffding says where they end)."""
    distinct, row = np.unique(sizes, return_inverse=True)
    tosses = distinct - 1
    width = int(math.sqrt(float(tosses.max()) * math.log(2 / left_out) / 2)) + 3
    first = tosses // 2
    k = first[:, None] + np.arange(width - 1)
    ratios = np.maximum((tosses[:, None] - k) / (k + 1.0), 0.0)
    mass = np.cumprod(np.concatenate([np.ones((len(tosses), 1)), ratios], axis=1), axis=1)
    above = np.cumsum(mass[:, ::-1], axis=1)[:, ::-1]
    total = np.where(tosses % 2 == 0, 2 * above[:, 0] - 1, 2 * (above[:, 0] - 1))
    mass, above = mass / total[:, None], above / total[:, None]
    return _Tails(row, first[row], mass, np.concatenate([above[:, 1:], np.zeros((len(tosses), 1))], axis=1))


def _bags(law: _Law, hidden: Callable[[Floats], Floats], share: float, left_out: float) -> _Bags:
    """Take neighbouring T together, where T − 1 has the given law."""
    step = max(1, math.floor(_APART * (law.first + len(law.mass) / 2)))
    starts = np.arange(0, len(law.mass), step)
    fewest = law.first + 1 + starts
    most = np.append(fewest[1:] - 1, law.first + len(law.mass))
    weight = share * np.add.reduceat(law.mass, starts)
    return _Bags(fewest, most, weight, hidden(_real(fewest)), hidden(_real(most)), left_out, {})


def _real(numbers: Counts) -> Floats:
    return numbers.astype(np.float64)


def _clones(epsilon0: float, n: int, left_out: float) -> _Bags:
    return _bags(_binomial(n - 1, math.exp(-epsilon0), -math.expm1(-epsilon0), left_out), np.zeros_like, 1.0, left_out)


def _lie(epsilon0: float, d: int) -> float:
    return math.exp(-epsilon0) / (1 + (d - 1) * math.exp(-epsilon0))


def _third_value(epsilon0: float, n: int, d: int, left_out: float) -> _Bags:
    """All others hold a third value: each of their ballots is a zero or a one with probability q."""
    q = _lie(epsilon0, d)
    share = 1 - (d - 2) * q
    odds = 2 * q / (1 - 2 * q)
    return _bags(
        _binomial(n - 1, 2 * q, 1 - 2 * q, left_out),
        lambda t: (1 - share) / share * odds * (n - t) / t,
        share,
        left_out,
    )


def _same_value(epsilon0: float, n: int, d: int) -> tuple[Floats, Floats]:
    """All others hold the person's value: for every bag the odds of the other law, and its probability under this."""
    q = _lie(epsilon0, d)
    ones, rest = _binomial(n, q, 1 - q, 1e-30), _binomial(n, (d - 2) * q, 1 - (d - 2) * q, 1e-30)
    one = (ones.first + np.arange(len(ones.mass)))[:, None]
    other = rest.first + np.arange(len(rest.mass))
    possible = one + other <= n
    truths = np.maximum(n - one - other, 0)
    factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    logs = factorial[n] - factorial[one] - factorial[other] - factorial[truths]
    logs = logs + one * math.log(q) + other * math.log((d - 2) * q) + truths * math.log1p(-(d - 1) * q)
    odds = (math.exp(-epsilon0) * truths + math.exp(min(epsilon0, 300.0)) * one + other) / n
    return odds[possible], np.exp(logs[possible])


def _excess(epsilon: float, odds: Floats, chance: Floats) -> float:
    """δ(ε) from below."""
    with np.errstate(over="ignore"):  # odds beyond a double count as little as odds of 1
        return float(np.sum(chance * np.maximum(1 - math.exp(epsilon) * odds, 0.0))) * (1 - _rounding(_FEW))


def _blanket(epsilon0: float, n: int, d: int, left_out: float) -> _Bags:
    """Only uniform draws are left of the others' ballots, and how many is known."""
    q = _lie(epsilon0, d)
    share = 1 - (d - 2) * q
    blanket = _binomial(n - 1, min(1.0, d * q), math.expm1(epsilon0) * q, left_out)
    step = max(1, math.floor(4 * _APART * (blanket.first + len(blanket.mass) / 2)), len(blanket.mass) // 100)
    starts = np.arange(0, len(blanket.mass), step)
    masses = np.add.reduceat(blanket.mass, starts)
    each = []
    for size, mass in zip((blanket.first + starts).tolist(), masses.tolist(), strict=True):
        law = _binomial(size, 2 / d, 1 - 2 / d, left_out)

        def hidden(t: Floats, size: int = size) -> Floats:
            return (1 - share) / share * 2 / (d - 2) * (size + 1 - t) / t

        group = max(1, math.floor(_APART * (law.first + len(law.mass) / 2)), len(law.mass) // 300)
        starts_t = np.arange(0, len(law.mass), group)
        fewest = law.first + 1 + starts_t
        most = np.append(fewest[1:] - 1, law.first + len(law.mass))
        each.append((fewest, most, mass * share * np.add.reduceat(law.mass, starts_t), hidden(_real(most))))
    few, many, weight, hid = (np.concatenate(parts) for parts in zip(*each, strict=True))
    return _Bags(few, many, weight, hid, hid, left_out, {})


# ---- yes or no ---------------------------------------------------------------------------------------------------


def _randomized_response(epsilon0: float, n: int, delta: float) -> Interval:
    """Search the number of others who hold "yes"."""
    others, left_out = n - 1, _left_out(delta, epsilon0)

    def bound(yes: int, either: int) -> tuple[float, float]:
        return _threshold(yes, others - yes - either, epsilon0, delta, left_out)

    slack = 0.0 if n <= _SMALL else 0.005 if n < _LARGE else 0.01
    lower = max(bound(c, 0)[0] for c in range(min(others, 4) + 1))
    upper, yes, width = 0.0, 0, int(1.8 * slack * n)
    while yes <= others:
        either = min(width, others - yes)
        ends = bound(yes, either)
        while ends[0] > lower * (1 + slack) and either > 0:  # by the lower bound: no block is cut for rounding's sake
            either = 2 * either // 3
            ends = bound(yes, either)
        if either == 0:
            lower = max(lower, ends[0])
        upper = max(upper, ends[1])
        if upper > epsilon0 * (1 - 1e-9):  # no data set can have more
            return Interval(min(lower, epsilon0), epsilon0)
        yes, width = yes + either + 1, max(6 * either // 5, either + 1) if slack else 0
    return Interval(min(lower, upper), upper)


def _threshold(yes: int, no: int, epsilon0: float, delta: float, left_out: float) -> tuple[float, float]:
    """Enclose ε where the others' counts of yes and of no are given: the best threshold for the number of "yes"."""
    q = _lie(epsilon0, 2)
    p = 1 - q
    one, two = _binomial(yes, p, q, left_out), _binomial(no, q, p, left_out)
    if len(one.mass) > len(two.mass):
        one, two = two, one
    reversed_one = one.mass[::-1].copy()
    long = len(one.mass)
    # t counts from the least sum; below[long + j] is the probability that the second is at most j above its own least
    below = np.concatenate([np.zeros(long), np.cumsum(two.mass), np.ones(long + 4)])

    def sums(t: int) -> float:
        """Probability that both together exceed their least sum by at most t."""
        return float(reversed_one @ below[t + 1 : t + 1 + long]) if t >= 0 else 0.0

    off = _rounding(long + len(two.mass)) + 3 * left_out  # a law without its ends is scaled up by as much

    def at(t: int) -> tuple[float, float]:
        here, before = sums(t), sums(t - 1)
        most, least = p * here + q * before, q * here + p * before
        low_top, high_top = most * (1 - off) - delta, most * (1 + off) + 3 * left_out - delta
        high_bottom, low_bottom = least * (1 + off) + 3 * left_out, least * (1 - off)
        low = math.log(low_top / high_bottom) if low_top > 0 else -math.inf
        if high_top <= 0:
            return low, -math.inf
        return low, math.log(high_top / low_bottom) if low_bottom > 0 else epsilon0

    # ln((P − δ)/Q) rises and then falls with the threshold; where P ≤ δ it has not begun to.
    left, right = 0, long + len(two.mass) - 2
    while right - left > 4:
        middle = (left + right) // 2
        here, after = at(middle)[1], at(middle + 1)[1]
        left, right = (middle, right) if here == -math.inf or here < after else (left, middle + 1)
    values = [at(t) for t in range(max(left - 2, 0), right + 3)]
    low, high = max(v[0] for v in values), max(v[1] for v in values)
    return min(max(low, 0.0), epsilon0), min(max(high, 0.0), epsilon0)
