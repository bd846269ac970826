"""A survey's plan: which mechanism, which ε and how many people, before anybody is asked.

All numbers are closed forms of one person's report, so that a plan costs no draw and no array. Functions whose names
begin with an underscore are the arithmetic, and all that they use is ``math``: the book's pages that plan and rehearse
have the same functions, translated from this file when they are built.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, get_args

from ldp_core._validate import (
    check_in_range,
    check_int,
    check_interval,
    check_option,
    check_probability,
    check_text,
    shown,
)

__all__ = ["Plan", "Row", "survey"]

#: What may be asked: yes or no; one of d answers; so many of d, or any number of them; the bin of a number; its mean.
Question = Literal["yes-no", "one", "several", "any", "number", "mean"]

#: Whose half-width is wished: of an answer that nobody gives, of one that half of the people give, or of that one in
#: the population of which the people are a random sample.
HalfWidthOf = Literal["rare", "common", "population"]

#: Smallest and largest ε of a plan: local hashing has as many buckets as it can at ε = 21.5.
_SMALLEST, _LARGEST = 1e-4, 20.0

#: Normal quantiles: 97.5% (intervals of 95%), 80% (what is there is found in four surveys of five).
_Z, _POWER = 1.959963984540054, 0.8416212335729143

#: Subset selection is taken as long as it saves so much of unary encoding's variance; the longest such report, in bits.
_SAVING, _MOST_BITS = 0.01, 1024

#: Above this ε the hybrid mechanism mixes; steps of the discrete Laplace mechanism's grid from 0 to 1.
_EPSILON_STAR = math.log(
    (-5 + 2 * (6353 - 405 * math.sqrt(241)) ** (1 / 3) + 2 * (6353 + 405 * math.sqrt(241)) ** (1 / 3)) / 27
)
_GRID = 1024

#: Most answers, most that a person holds, most people, most surveys a year.
_MOST_ANSWERS, _MOST_HELD, _MOST_PEOPLE, _MOST_SURVEYS = 2**24, 100, 10**10, 10**6

#: The program makes up so many people at most, fewer where local hashing would compare more pairs of a person and an
#: answer than are done in a minute; and it prints so many answers.
_MADE_UP, _PAIRS, _PRINTED = 10_000, 1e10, 20


class Wish(NamedTuple):
    """What has to be seen: a share, a half-width, and whose (see :func:`survey`)."""

    share: float | None
    half_width: float | None
    of: str
    spread: float | None


class Row(NamedTuple):
    """What one mechanism does at the plan's ε.

    Attributes
    ----------
    mechanism : str
        Class in :mod:`ldp_core.frequency` or :mod:`ldp_core.numeric`, perhaps with a remark in brackets.
    sd : float
        Standard deviation of the estimated share of an answer that nobody gives; for a mean the largest, in the unit
        of ``bounds``.
    half_width : float
        Half of the width of the 95% interval around it: 1.96 sd.
    common_half_width : float or None
        The same for a share of one half. None for a mean.
    population_half_width : float
        That of a share of one half in the population of which the people are a random sample; of a population's mean
        the largest. All other errors are about the people who answer.
    smallest_share : float or None
        Smallest share that can be told from zero: a test with one false alarm in forty finds it in four surveys of
        five. None for a mean, and where even a share of 1 would be missed.
    people : float or None
        People needed for what has to be seen; None where nothing has to be.
    attack : float
        Chance that the best guess from one report is right: of the answer, or of all answers that a person holds, where
        all are alike beforehand; for a mean, of which end of the range the value is. For local hashing at most that.
    odds : float or None
        The most by which one report multiplies the odds of one answer, where the others are alike beforehand; whatever
        is known of them, it is at most exp(ε). For local hashing at most that. None for a mean.
    bits : int
        Bits of a report.
    """

    mechanism: str
    sd: float
    half_width: float
    common_half_width: float | None
    population_half_width: float
    smallest_share: float | None
    people: float | None
    attack: float
    odds: float | None
    bits: int


class Plan(NamedTuple):
    """A survey's plan, made by :func:`survey`.

    Attributes
    ----------
    epsilon : float
        ε of one report.
    rows : list of Row
        What the mechanisms do at that ε.
    best : int
        Which row is recommended.
    reason : str
        Why.
    possible : bool
        Whether some ε meets all wishes.
    low, high : float
        The smallest ε that lets everything be seen that has to be (None if even 20 does not), and the largest that the
        belief allows: every ε between them meets all wishes.
    verdict : str
        The same in a sentence or two, and what makes it possible if it is not.
    times : float
        How many times as many people are needed at this ε; at most 1 where there are enough, or nothing has to be seen.
    epsilon_year : float
        ε of all reports of a year, each with fresh noise.
    shuffled_epsilon : float
        ε of the reports in random order, at δ: of reports at this ε or, where no ε meets all wishes, at ``low``. Never
        above that: at most the bound of theorem 3.1 of Feldman, McMillan and Talwar.
    central_half_width : float
        Half of the width of the 95% interval under a trusted curator, Laplace noise at this ε.
    unit : str
        In what errors are printed: % for a share, else the ``unit`` of the mean.
    code : str
        A program that asks made-up people as planned.
    """

    epsilon: float
    rows: list[Row]
    best: int
    reason: str
    possible: bool
    low: float | None
    high: float
    verdict: str
    times: float
    epsilon_year: float
    shuffled_epsilon: float
    central_half_width: float
    unit: str
    code: str

    def __str__(self) -> str:
        """Verdict, and a line for each mechanism: standard deviation, half-width, the same at a share of one half."""
        head = f"in {self.unit}" if self.unit else ""
        lines = [self.verdict, f"{head:40}{'sd':>10}{'±':>10}{'± at 50%':>10}{'bits':>10}"]
        for i, row in enumerate(self.rows):
            name = ("* " if i == self.best else "  ") + row.mechanism
            scale = 1 if row.common_half_width is None else 100
            common = "" if row.common_half_width is None else f"{scale * row.common_half_width:.3g}"
            lines.append(f"{name:40}{scale * row.sd:>10.3g}{scale * row.half_width:>10.3g}{common:>10}{row.bits:>10,}")
        return "\n".join(lines)


def survey(
    question: Question,
    n: int,
    *,
    epsilon: float | None = None,
    d: int | None = None,
    held: int = 1,
    per_year: int = 1,
    share: float | None = None,
    half_width: float | None = None,
    half_width_of: HalfWidthOf = "rare",
    spread: float | None = None,
    belief: float | None = None,
    prior: float | None = None,
    bounds: tuple[float, float] = (0.0, 1.0),
    unit: str = "",
    delta: float = 1e-6,
) -> Plan:
    r"""Plan a survey under local differential privacy.

    Parameters
    ----------
    question : {"yes-no", "one", "several", "any", "number", "mean"}
        Yes or no; one of d answers; ``held`` of d answers; any number of d answers; in which of d bins of a public
        range a number lies; the mean of numbers in a public range.
    n : int
        People who answer, 1 to 10,000,000,000.
    epsilon : float, optional
        ε of one report, 0.0001 to 20. None: the smallest that lets everything be seen that has to be, or else the
        largest that ``belief`` allows.
    d : int, optional
        Number of answers or bins, 2 to 2**24; not for "yes-no" and "mean".
    held : int, default 1
        How many of the answers everybody gives, below d and at most 100; for "several" only.
    per_year : int, default 1
        How often the same person is asked in a year, up to 1,000,000, each time with fresh noise.
    share : float, optional
        A wish: a share so small, between 0 and 1, has to be told from zero (see :class:`Row`). Not for "mean".
    half_width : float, optional
        A wish: half of the width of a 95% interval, of a share or of the mean, in the unit of ``bounds``.
    half_width_of : {"rare", "common", "population"}, default "rare"
        Of which one: of the share of an answer that nobody gives; of a share of one half; of a share of one half in the
        population of which those who answer are a random sample. Of a mean the first two are the same, the largest
        over all values, and so is the third, unless a spread is given.
    spread : float, optional
        For "mean" only: the standard deviation of the numbers in the population, if known; at most half of the range.
    belief : float, optional
        A wish: whoever gave a statement about a person the probability ``prior`` gives it at most this one after one
        report.
    prior : float, optional
        Between 0 and ``belief``, and only with it; None: held/d, but one half for "yes-no", "any" and "mean".
    bounds : tuple of float, default (0, 1)
        Lowest and highest number of the public range; for "number" and "mean" only.
    unit : str, default ""
        What the bounds of a mean are in, such as "minutes".
    delta : float, default 1e-6
        δ of shuffled reports.

    Returns
    -------
    Plan
        The table, the recommended mechanism and the range of ε.

    Notes
    -----
    Standard deviations are those of the coins alone. Who was asked, and who did not answer, is not in them.

    The recommended mechanism is that of the decision table in the chapter "Which oracle when". Among d answers that is
    direct encoding up to :math:`2e^{\varepsilon} + 1`; then subset selection, as long as it saves 1% of unary
    encoding's variance in a report of at most 1024 bits; then optimized unary encoding up to 1024 answers; then local
    hashing. Where the half-width of a common answer is wished, it is the one that needs the fewest people for all
    wishes, in a report of at most 1024 bits, with the size of sets or the number of buckets that is best for them.
    Several answers go into one report of a set; of any number of answers each person is asked about one. For a mean it
    is the more accurate of the two mechanisms that keep their promise on a computer as well, Duchi's and discrete
    Laplace.

    A belief of :math:`\beta` after :math:`\pi` allows :math:`\varepsilon \le \ln\frac{\beta}{1-\beta} -
    \ln\frac{\pi}{1-\pi}`.

    References
    ----------
    V. Feldman, A. McMillan and K. Talwar. Hiding among the clones. FOCS 2021, theorem 3.1 (shuffled reports).

    Examples
    --------
    >>> plan = survey("one", 10_000, d=16, share=0.05, belief=0.5)
    >>> plan.rows[plan.best].mechanism, plan.low, plan.high
    ('SubsetSelection', 0.993, 2.7)
    >>> plan.verdict.partition(". ")[0]
    'Every ε from 0.993 to 2.7 meets all wishes if every answer is equally likely beforehand (6.25%)'
    >>> plan = survey("mean", 10_000, epsilon=1.0, bounds=(0, 120), unit="minutes")
    >>> f"{plan.rows[plan.best].half_width:.2f} {plan.unit}"
    '2.54 minutes'
    """
    check_option(question, "question", get_args(Question))
    n, per_year = check_int(n, "n", 1, _MOST_PEOPLE), check_int(per_year, "per_year", 1, _MOST_SURVEYS)
    answers = question not in ("yes-no", "mean")
    if (d is not None) != answers:
        raise ValueError(f"d must be {'given' if answers else 'None'} for the question {question!r}, got {shown(d)}")
    d = 2 if d is None else check_int(d, "d", 2, _MOST_ANSWERS)
    held = check_int(held, "held", 1, min(d - 1, _MOST_HELD) if question == "several" else 1)
    if question == "mean" and share is not None:
        raise ValueError(f"share must be None for the question 'mean', got {shown(share)}")
    if epsilon is not None:
        epsilon = check_in_range(epsilon, "epsilon", _SMALLEST, _LARGEST)
    elif share is None and half_width is None and belief is None:
        raise ValueError("epsilon must be given where no share, half_width or belief is wished, got None")
    low_bound, high_bound, unit = check_range(question, bounds, unit)
    width = high_bound - low_bound if question == "mean" else 1.0
    share = None if share is None else check_in_range(share, "share", 1e-9, 1.0)
    half_width = None if half_width is None else check_in_range(half_width, "half_width", 1e-9 * width, width)
    check_option(half_width_of, "half_width_of", get_args(HalfWidthOf))
    if spread is not None:
        if question != "mean":
            raise ValueError(f"spread must be None for the question {question!r}, got {shown(spread)}")
        spread = check_in_range(spread, "spread", 0.0, width / 2)
    before = _before(question, d, held) if prior is None else check_probability(prior, "prior")
    if belief is not None:
        belief = check_probability(belief, "belief")
        if _most(belief, before) < _SMALLEST:
            raise ValueError(f"belief must be above prior = {before:g} by ε = {_SMALLEST:g} or more, got {belief:g}")
    elif prior is not None:
        raise ValueError(f"prior must be None where no belief is wished, got {prior:g}")
    delta = check_in_range(delta, "delta", 1e-100, 0.5)
    return _plan(
        question,
        n,
        epsilon,
        d,
        held,
        per_year,
        share,
        half_width,
        half_width_of,
        spread,
        belief,
        prior,
        low_bound,
        high_bound,
        unit,
        delta,
    )


def check_range(question: str, bounds: object, unit: object) -> tuple[float, float, str]:
    """Return what numbers lie between, and the unit of their mean, which goes into a sentence."""
    low, high = check_interval(bounds)
    if high - low < max(1e-290, 1e-12 * max(abs(low), abs(high))):
        raise ValueError(f"bounds must lie further apart, got {shown(bounds)}")
    unit = check_text(unit, "unit")
    if len(unit) > 20 or not unit.isprintable():
        raise ValueError(f"unit must have at most 20 characters on one line, got {shown(unit)}")
    if question != "mean" and unit:
        raise ValueError(f"unit must be left out for the question {question!r}, got {shown(unit)}")
    if question not in ("number", "mean") and (low, high) != (0, 1):
        raise ValueError(f"bounds must be left out for the question {question!r}, got {shown(bounds)}")
    return low, high, unit


# ---- one report: variance of a share for each person (of a rare one, and what holders add), attack, odds, bits ----


def _pure(p: float, q: float, gap: float) -> tuple[float, float]:
    """Variance of an estimated share for each person: where nobody holds the value, and its slope in the share."""
    return q * (1 - q) / gap**2, (1 - p - q) / gap


def _direct_law(epsilon: float, d: int) -> tuple[float, float, float]:
    """Chance that a report supports the own value, p, and another one, q; and p − q, which does not cancel."""
    a = math.exp(-epsilon)
    p = 1 / (1 + (d - 1) * a)
    return p, a * p, -math.expm1(-epsilon) * p


def _symmetric_law(epsilon: float) -> tuple[float, float, float]:
    a = math.exp(-epsilon / 2)
    p = 1 / (1 + a)
    return p, a * p, -math.expm1(-epsilon / 2) * p


def _optimized_law(epsilon: float) -> tuple[float, float, float]:
    a = math.exp(-epsilon)
    return 0.5, a / (1 + a), -math.expm1(-epsilon) / (2 * (1 + a))


def _buckets(epsilon: float, g: int) -> tuple[float, float, float]:
    p = 1 / (1 + (g - 1) * math.exp(-epsilon))
    return p, 1 / g, (g - 1) / g * -math.expm1(-epsilon) * p


def _cost(law: tuple[float, float, float], wish: Wish) -> float:
    """What sizes are chosen by: the variance of a rare share or, where a common answer counts, the people needed."""
    p, q, gap = law
    zero, slope = _pure(p, q, gap)
    people = None if _share(wish) == 0 else _needed(zero, slope, 0, wish)
    return zero if people is None else people


def _hashing_size(epsilon: float, wish: Wish) -> int:
    """The number of buckets. For a rare answer it is known; a common one takes fewer: halve where the turn lies."""
    x = math.exp(epsilon)
    high = max(1, math.ceil((math.sqrt(1 + 4 * x * x) - 1) / 2)) + 1
    low = high if _share(wish) == 0 else 2
    while low < high:
        middle = math.floor((low + high) / 2)
        if _cost(_buckets(epsilon, middle), wish) <= _cost(_buckets(epsilon, middle + 1), wish):
            high = middle
        else:
            low = middle + 1
    return low


def _hashing_law(epsilon: float, wish: Wish) -> tuple[float, float, float, int]:
    """The same, and the number of buckets."""
    g = _hashing_size(epsilon, wish)
    p, q, gap = _buckets(epsilon, g)
    return p, q, gap, g


def _after(before: float, odds: float) -> float:
    """The belief that a belief becomes where its odds are multiplied."""
    return before * odds / (1 + before * (odds - 1))


def _direct(epsilon: float, d: int) -> tuple[float, float, float, float, int]:
    p, q, gap = _direct_law(epsilon, d)
    zero, slope = _pure(p, q, gap)
    return zero, slope, p, math.exp(epsilon), math.ceil(math.log2(d))


def _unary(law: tuple[float, float, float], d: int) -> tuple[float, float, float, float, int]:
    p, q, gap = law
    zero, slope = _pure(p, q, gap)
    none = d * math.log1p(-q)
    attack = (p / q * -math.expm1(none) + (1 - p) / (1 - q) * math.exp(none)) / d
    return zero, slope, attack, p * (1 - q) / (q * (1 - p)), d  # of a report that names one answer alone


def _hashing(epsilon: float, d: int, wish: Wish) -> tuple[float, float, float, float, int]:
    p, q, gap, g = _hashing_law(epsilon, wish)
    zero, slope = _pure(p, q, gap)
    filled = min(g, d)  # buckets that hold a value, at most
    attack = (filled * p + (g - filled) * p / math.exp(epsilon)) / d
    return zero, slope, attack, math.exp(epsilon), math.ceil((math.ceil(math.log2(d)) + 1) * math.log2(g))


def _set_law(epsilon: float, d: int, m: int, k: int) -> tuple[float, float, float, float]:
    """Sets of k for people who hold m: p, q, p − q, and how much likelier than a blind draw a set is that meets."""
    a = math.exp(-epsilon)
    rest = 1.0
    for i in range(1, m):
        rest *= (d - k - i) / (d - i)
    avoid = (d - k) / d * rest
    other = 1.0
    for i in range(m):
        other *= (d - k - i) / (d - 1 - i)
    total = (1 - avoid) + a * avoid
    q = k / d * ((1 - other) + a * other) / total
    return k / d / total, q, k / d * other * -math.expm1(-epsilon) / total, 1 / total


def _set_cost(epsilon: float, d: int, m: int, k: int, wish: Wish) -> float:
    p, q, gap, _ = _set_law(epsilon, d, m, k)
    return _cost((p, q, gap), wish)


def _set_size(epsilon: float, d: int, m: int, wish: Wish) -> int:
    """The best size, as the cost falls in k and then rises: halve where the turn lies."""
    low, high = 1, d - m
    while low < high:
        middle = math.floor((low + high) / 2)
        if _set_cost(epsilon, d, m, middle, wish) <= _set_cost(epsilon, d, m, middle + 1, wish):
            high = middle
        else:
            low = middle + 1
    return low


def _log_factorial(n: int) -> float:
    """Stirling's series, for n from 256 on."""
    return (n + 0.5) * math.log(n) - n + 0.9189385332046727 + (1 / 12 - (1 / 360) / n**2) / n


def _set_bits(d: int, k: int) -> int:
    """Bits of one of the sets of k."""
    few = min(k, d - k)
    log = 0.0
    if few < 256:
        for i in range(few):
            log += math.log2((d - i) / (few - i))
    else:
        log = (_log_factorial(d) - _log_factorial(few) - _log_factorial(d - few)) / math.log(2)
    return math.ceil(log - 1e-12)


def _one_set(d: int, m: int) -> float:
    """Probability of each set of m of d."""
    chance = 1.0
    for i in range(m):
        chance *= (m - i) / (d - i)
    return chance


def _sets(epsilon: float, d: int, m: int, wish: Wish) -> tuple[float, float, float, float, int]:
    k = _set_size(epsilon, d, m, wish)
    p, q, gap, likelier = _set_law(epsilon, d, m, k)
    zero, slope = _pure(p, q, gap)
    return zero, slope, likelier * _one_set(d, m), p / q, _set_bits(d, k)


def _drawn(epsilon: float, d: int, m: int) -> tuple[float, float, float, float, int]:
    """One of the m, drawn at random, by subset selection: a holder has drawn it once in m times."""
    k = _set_size(epsilon, d, 1, Wish(share=None, half_width=None, of="rare", spread=None))
    _, q, gap, likelier = _set_law(epsilon, d, 1, k)
    zero, slope = _pure(q + gap / m, q, gap / m)
    a = math.exp(-epsilon)
    own = min(m, k) / m
    return zero, slope, likelier * (own + a * (1 - own)) * _one_set(d, m), 1 + gap / (m * q), _set_bits(d, k)


def _of_one(epsilon: float, d: int) -> tuple[float, float, float, float, int]:
    """Any number of answers, each person asked about one of them, drawn: all of ε for it, and people for 1/d of all."""
    p, q, gap = _direct_law(epsilon, 2)
    zero, _ = _pure(p, q, gap)
    return d * zero, d - 1, p * 0.5 ** (d - 1), math.exp(epsilon), 1 + math.ceil(math.log2(d))


def _of_each(epsilon: float, d: int) -> tuple[float, float, float, float, int]:
    """Any number of answers, each of them asked about, for a share of ε."""
    p, q, gap = _direct_law(epsilon / d, 2)
    zero, _ = _pure(p, q, gap)
    return zero, 0, p**d, math.exp(epsilon / d), d


# ---- one number in [−1, 1]: largest variance, the same of people who are drawn, attack, bits -------------------------


def _duchi(epsilon: float) -> tuple[float, float, float, int]:
    """Every report has the same size: to draw people from a population adds nothing to its variance around 0."""
    variance = 1 / math.tanh(epsilon / 2) ** 2
    return variance, variance, 1 / (1 + math.exp(-epsilon)), 1


def _discrete_laplace(epsilon: float) -> tuple[float, float, float, int]:
    rate = epsilon / (2 * _GRID)
    variance = (2 * math.exp(-rate) / math.expm1(-rate) ** 2 + 0.25) / _GRID**2
    return variance, variance + 1, 1 - math.exp(-epsilon / 2) / 2, 64


def _piecewise(epsilon: float) -> tuple[float, float, float, int]:
    w = 1 / math.expm1(epsilon / 2)
    variance = 4 * w * (1 + w) / 3
    return variance, variance + 1, 1 - math.exp(-epsilon / 2) / 2, 64


def _hybrid(epsilon: float) -> tuple[float, float, float, int]:
    sign, signs_population, signs_attack, bits = _duchi(epsilon)
    if epsilon <= _EPSILON_STAR:
        return sign, signs_population, signs_attack, bits
    alpha = -math.expm1(-epsilon / 2)
    w = 1 / math.expm1(epsilon / 2)
    variance = alpha * w * (1 + 4 * w) / 3 + (1 - alpha) * sign  # whatever the number
    return variance, variance + 1, alpha * (1 - math.exp(-epsilon / 2) / 2) + (1 - alpha) * signs_attack, 64


# ---- the table -------------------------------------------------------------------------------------------------------


def _share(wish: Wish) -> float:
    """The share whose error counts."""
    return 0 if wish.half_width is None or wish.of == "rare" else 0.5


def _needed(zero: float, slope: float, bend: float, wish: Wish) -> float | None:
    """People who are needed for what has to be seen."""
    people = 0.0
    if wish.half_width is not None:
        at = _share(wish)
        variance = zero + slope * at - bend * at**2 + (0.25 if wish.of == "population" else 0)
        people = _Z**2 * variance / wish.half_width**2
    if wish.share is not None:
        share = wish.share
        there = math.sqrt(zero + slope * share - bend * share**2)
        people = max(people, ((_Z * math.sqrt(zero) + _POWER * there) / share) ** 2)
    return people if people > 0 else None


def _smallest(zero: float, slope: float, bend: float, n: int) -> float | None:
    """Smallest share s at which n people are enough: s − 1.96 sd(0) = 0.84 sd(s), a quadratic equation."""
    lead = 1 + _POWER**2 * bend / n
    half = (_Z * math.sqrt(zero / n) + _POWER**2 * slope / n / 2) / lead
    least = half + math.sqrt(max(0.0, half**2 - (_Z**2 - _POWER**2) * zero / n / lead))
    return least if least <= 1 else None


def _row(mechanism: str, one: tuple[float, float, float, float, int], bend: float, n: int, wish: Wish) -> Row:
    """What one report's law gives; the variance of a share s is zero + slope·s − bend·s²."""
    zero, slope, attack, odds, bits = one
    sd = math.sqrt(zero / n)
    common = zero + slope / 2 - bend / 4
    return Row(
        mechanism=mechanism,
        sd=sd,
        half_width=_Z * sd,
        common_half_width=_Z * math.sqrt(common / n),
        population_half_width=_Z * math.sqrt((common + 0.25) / n),
        smallest_share=_smallest(zero, slope, bend, n),
        people=_needed(zero, slope, bend, wish),
        attack=attack,
        odds=odds,
        bits=bits,
    )


def _mean_row(mechanism: str, one: tuple[float, float, float, int], n: int, wish: Wish, span: float) -> Row:
    variance, population, attack, bits = one
    radius = span / 2  # the range is 2 long in [−1, 1]
    if wish.spread is not None:
        population = min(population, variance + (wish.spread / radius) ** 2)
    sd = radius * math.sqrt(variance / n)
    people = None
    if wish.half_width is not None:
        counted = population if wish.of == "population" else variance
        people = counted * (_Z * radius / wish.half_width) ** 2
    return Row(
        mechanism=mechanism,
        sd=sd,
        half_width=_Z * sd,
        common_half_width=None,
        population_half_width=_Z * radius * math.sqrt(population / n),
        smallest_share=None,
        people=people,
        attack=attack,
        odds=None,
        bits=bits,
    )


def _rows(question: str, n: int, epsilon: float, d: int, held: int, wish: Wish, span: float) -> list[Row]:
    if question == "mean":
        return [
            _mean_row("Duchi", _duchi(epsilon), n, wish, span),
            _mean_row("DiscreteLaplace", _discrete_laplace(epsilon), n, wish, span),
            _mean_row("Piecewise", _piecewise(epsilon), n, wish, span),
            _mean_row("Hybrid", _hybrid(epsilon), n, wish, span),
        ]
    if question == "yes-no":
        return [_row("RandomizedResponse", _direct(epsilon, 2), 0, n, wish)]
    if question == "any":
        return [
            _row("RandomizedResponse (of one answer, drawn)", _of_one(epsilon, d), d - 1, n, wish),
            _row("RandomizedResponse (of each answer, ε/d)", _of_each(epsilon, d), 0, n, wish),
        ]
    if question == "several":
        return [
            _row("SetSubsetSelection", _sets(epsilon, d, held, wish), 0, n, wish),
            _row("SubsetSelection (of one answer, drawn)", _drawn(epsilon, d, held), 0, n, wish),
        ]
    return [
        _row("DirectEncoding", _direct(epsilon, d), 0, n, wish),
        _row("SubsetSelection", _sets(epsilon, d, 1, wish), 0, n, wish),
        _row("OptimizedUnary", _unary(_optimized_law(epsilon), d), 0, n, wish),
        _row("SymmetricUnary", _unary(_symmetric_law(epsilon), d), 0, n, wish),
        _row("LocalHashing", _hashing(epsilon, d, wish), 0, n, wish),
    ]


def _laws(epsilon: float, d: int) -> list[tuple[float, ...]]:
    """The mechanisms for one of d answers, in the rows' order: p, q, p − q, and the size of the set or 0."""
    none = Wish(share=None, half_width=None, of="rare", spread=None)
    p, q, gap, _ = _hashing_law(epsilon, none)
    k = _set_size(epsilon, d, 1, none)
    p_set, q_set, gap_set, _ = _set_law(epsilon, d, 1, k)
    return [
        (*_direct_law(epsilon, d), 0),
        (p_set, q_set, gap_set, k),
        (*_optimized_law(epsilon), 0),
        (*_symmetric_law(epsilon), 0),
        (p, q, gap, 0),
    ]


def _mean_error(sd: float, common_half_width: float, d: int) -> float:
    """The root of the mean, over d answers whose shares add up to 1, of the variances that a row stands for."""
    slope = 2 * ((common_half_width / _Z) ** 2 - sd**2)
    return math.sqrt(sd**2 + slope / d)


def _choice(question: str, epsilon: float, d: int, wish: Wish, rows: list[Row]) -> tuple[int, str]:
    """Which row the book's decision table takes, and why; where a common answer counts, the best one for that."""
    if question == "mean":
        ratio = rows[0].sd / rows[1].sd
        if wish.half_width is not None and wish.of == "population":
            ratio = rows[0].population_half_width / rows[1].population_half_width
        if ratio <= 1:
            return 0, "Of the two mechanisms that are private on a computer too, its error is the smaller one."
        return 1, "Of the two mechanisms that are private on a computer too, its error is the smaller one."
    if question == "yes-no":
        return 0, "Two answers need no other mechanism."
    if question == "several":
        return 0, "One report speaks for all answers of a person, and ε is not divided among them."
    if question == "any":
        best = _fewest(rows)
        if _share(wish) == 0:
            best = 0 if rows[0].sd <= rows[1].sd else 1
        if best == 1:
            return 1, "With so large an ε each answer is asked about, for its part of ε."
        return 0, "All of ε is for the one answer that a person is asked about."
    if _share(wish) > 0:
        return _fewest(rows), f"Of all whose reports have at most {_MOST_BITS} bits, it needs the fewest people."
    if d <= 2 * math.exp(epsilon) + 1:
        return (
            0,
            f"There are at most 2·exp(ε) + 1 = {2 * math.exp(epsilon) + 1:.3g} answers: least error, short reports.",
        )
    saved = 1 - (rows[1].sd / rows[2].sd) ** 2
    if saved >= _SAVING and rows[1].bits <= _MOST_BITS:
        return 1, f"It has {100 * saved:.2g}% less variance than unary encoding, and no more than direct encoding."
    if d <= _MOST_BITS:
        return 2, f"A report has only {d} bits, and hardly anything has less error."
    return 4, f"A report of unary encoding would have {d:,.0f} bits; this one has {rows[4].bits}."


def _fewest(rows: list[Row]) -> int:
    """Of reports that are not too long, the one that needs the fewest people for all wishes."""
    best, least = 0, math.inf
    for i in range(len(rows)):
        people = rows[i].people
        if people is not None and people < least * (1 - 1e-9) and rows[i].bits <= _MOST_BITS:
            best, least = i, people
    return best


def _best(question: str, n: int, epsilon: float, d: int, held: int, wish: Wish, span: float) -> Row:
    rows = _rows(question, n, epsilon, d, held, wish, span)
    best, _ = _choice(question, epsilon, d, wish, rows)
    return rows[best]


# ---- the range of ε ------------------------------------------------------------------------------------------------


def _before(question: str, d: int, held: int) -> float:
    """The belief in an answer of somebody to whom all are alike."""
    return 0.5 if question == "any" else held / d


def _most(belief: float, prior: float) -> float:
    """The largest ε under which no report turns the prior into more than the belief."""
    return math.log(belief / (1 - belief)) - math.log(prior / (1 - prior))


def _least(question: str, n: int, d: int, held: int, wish: Wish, span: float) -> float:
    """The smallest ε at which the recommended mechanism sees what it has to; infinite if there is none."""
    low, high = _SMALLEST, _LARGEST
    if wish.share is None and wish.half_width is None:
        return low
    people = _best(question, n, high, d, held, wish, span).people
    if people is not None and people > n:
        return math.inf
    while high > low * (1 + 1e-12):
        middle = math.sqrt(low * high)
        people = _best(question, n, middle, d, held, wish, span).people
        if people is not None and people <= n:
            high = middle
        else:
            low = middle
    return high


def _digits(epsilon: float, up: bool) -> float:
    """Round to three digits, up or down."""
    if epsilon <= _SMALLEST or epsilon >= _LARGEST:
        return epsilon
    scale = 10.0 ** (2 - math.floor(math.log10(epsilon)))
    return math.ceil(epsilon * scale - 1e-9) / scale if up else math.floor(epsilon * scale + 1e-9) / scale


def _shuffled(epsilon: float, n: int, delta: float) -> float:
    """Theorem 3.1 of Feldman, McMillan and Talwar (FOCS 2021); ε itself where it says nothing."""
    if epsilon > math.log(n / (16 * math.log(2 / delta))):
        return epsilon
    x = math.exp(epsilon)
    noise = 8 * math.sqrt(x * math.log(4 / delta) / n) + 8 * x / n
    return min(epsilon, math.log1p(math.tanh(epsilon / 2) * noise))


def _central(question: str, n: int, epsilon: float, d: int, held: int) -> float:
    """Half-width under a curator: of Laplace noise one draw in twenty is above log(20) times its scale in size."""
    changed = 1 if question == "yes-no" or question == "mean" else 2 * held
    if question == "any":
        changed = d
    return math.log(20) * changed / (epsilon * n)


def _curator(question: str, n: int, epsilon: float, d: int, held: int, wish: Wish, span: float, unit: str) -> str:
    """What a curator could do about a wish."""
    coins = span * _central(question, n, epsilon, d, held)
    if wish.half_width is None or wish.of != "population":
        return f"A trusted curator has a half-width of {_amount(question, coins, unit)} at ε = {epsilon:.3g}."
    spread = span / 2 if wish.spread is None else wish.spread
    drawing = _Z * spread / math.sqrt(n)
    if drawing > wish.half_width:
        people = math.ceil((_Z * spread / wish.half_width) ** 2)
        return f"Even without any noise it takes {people:,.0f} people."
    both = math.sqrt(coins**2 + drawing**2)
    return f"A trusted curator has a half-width of {_amount(question, both, unit)} at ε = {epsilon:.3g}."


def _plan(
    question: str,
    n: int,
    epsilon: float | None,
    d: int,
    held: int,
    per_year: int,
    share: float | None,
    half_width: float | None,
    of: str,
    spread: float | None,
    belief: float | None,
    prior: float | None,
    low_bound: float,
    high_bound: float,
    unit: str,
    delta: float,
) -> Plan:
    span = high_bound - low_bound if question == "mean" else 1.0
    seen = share is not None or half_width is not None
    wish = Wish(share=share, half_width=half_width, of=of, spread=spread)
    low = _digits(_least(question, n, d, held, wish, span), True)
    before = _before(question, d, held) if prior is None else prior
    high = _LARGEST if belief is None else _digits(min(_LARGEST, _most(belief, before)), False)
    chosen = high
    if epsilon is not None:
        chosen = epsilon
    elif seen:
        chosen = min(low, high)
    rows = _rows(question, n, chosen, d, held, wish, span)
    best, reason = _choice(question, chosen, d, wish, rows)
    people = rows[best].people
    at = low if low > high and low <= _LARGEST else chosen
    shuffled = _shuffled(at, n, delta)
    allowed = _best(question, n, high, d, held, wish, span).people
    verdict = _verdict(
        n,
        chosen,
        low,
        high,
        seen,
        belief is not None,
        _alike(question, before) if prior is None else "",
        allowed,
        shuffled,
        _curator(question, n, high, d, held, wish, span, unit),
        question == "mean" and of == "population" and half_width is not None and spread is None,
    )
    if belief is not None and low <= chosen <= high and per_year * chosen > high:
        verdict += f" The belief allows ε = {high:.3g}, but the {per_year:,.0f} reports of a year add up to "
        verdict += f"ε = {per_year * chosen:.3g}."
    return Plan(
        epsilon=chosen,
        rows=rows,
        best=best,
        reason=reason,
        possible=low <= high,
        low=low if low <= _LARGEST else None,
        high=high,
        verdict=verdict,
        times=0.0 if people is None else people / n,
        epsilon_year=per_year * chosen,
        shuffled_epsilon=shuffled,
        central_half_width=span * _central(question, n, chosen, d, held),
        unit=unit if question == "mean" else "%",
        code=_code(
            question,
            n,
            chosen,
            d,
            held,
            low_bound,
            high_bound,
            rows[best].mechanism,
            _size(rows[best].mechanism, chosen, d, held, wish),
            wish.half_width is not None and of == "population",
            spread,
        ),
    )


def _amount(question: str, value: float, unit: str) -> str:
    """A share in per cent, or a mean in its unit."""
    if question != "mean":
        return f"{100 * value:.3g}%"
    return f"{value:.3g}" if unit == "" else f"{value:.3g} {unit}"


def _alike(question: str, before: float) -> str:
    """What a plan assumes where nobody has said what is likely beforehand."""
    what = "every answer is"
    if question == "mean":
        what = "both ends of the range are"
    elif question == "any":
        what = "yes and no are"
    return f" if {what} equally likely beforehand ({100 * before:.3g}%)"


def _verdict(
    n: int,
    epsilon: float,
    low: float,
    high: float,
    seen: bool,
    believed: bool,
    alike: str,
    allowed: float | None,
    shuffled: float,
    curator: str,
    worst: bool,
) -> str:
    if not seen and not believed:
        return f"No wish is set: ε = {epsilon:.3g} is your own choice."
    if low <= high:
        span = f"from {low:.3g} to {high:.3g}"
        assumed = alike
        if not believed:
            span = f"from {low:.3g} on"
            assumed = ""
        elif not seen:
            span = f"up to {high:.3g}"
        if low <= epsilon <= high:
            return f"Every ε {span} meets all wishes{assumed}. This plan has ε = {epsilon:.3g}."
        return f"ε = {epsilon:.3g} does not meet all wishes. Every ε {span} does{assumed}."
    text = "No ε meets all wishes. "
    if believed:
        text += f"The belief allows ε = {high:.3g} at most{alike}. "
    if low <= _LARGEST:
        text += f"What has to be seen needs ε = {low:.3g} at least. "
    else:
        text += f"What has to be seen is out of reach up to ε = {_LARGEST:.3g}. "
    if allowed is not None and allowed > n:
        text += f"At ε = {high:.3g} ask {math.ceil(allowed):,.0f} people. "
    if low <= _LARGEST:
        if shuffled <= high:
            text += f"A trusted shuffler would do: it turns ε = {low:.3g} into {shuffled:.3g}. "
        else:
            text += "A trusted shuffler may not be enough: "
            text += f"our bound for it is ε = {shuffled:.3g}, and exact values are lower. "
    if worst:
        text += "All this is for the worst case, half of the people at either end: a known spread makes it better. "
    return text + curator


# ---- a program -----------------------------------------------------------------------------------------------------


def _size(mechanism: str, epsilon: float, d: int, held: int, wish: Wish) -> str:
    """What a program says of the size of reports, where it is not the usual one."""
    if _share(wish) == 0:
        return ""
    if mechanism == "LocalHashing":
        return f", g={_hashing_size(epsilon, wish)}"
    if mechanism == "SubsetSelection" or mechanism == "SetSubsetSelection":
        return f", k={_set_size(epsilon, d, held, wish)}"
    return ""


def _code(
    question: str,
    n: int,
    epsilon: float,
    d: int,
    held: int,
    low_bound: float,
    high_bound: float,
    mechanism: str,
    size: str,
    population: bool,
    spread: float | None,
) -> str:
    if question == "any":
        return _code_of_any(n, epsilon, d, mechanism, population)
    numeric = question == "mean"
    ends = f"{low_bound:.15g}, {high_bound:.15g}"
    people = min(n, _MADE_UP, math.floor(_PAIRS / d))
    lines = ["# In a copy of the book: pip install .", "import json", "", "import numpy as np", "", "import ldp_core"]
    if numeric:
        lines = [*lines, f"from ldp_core.numeric import {mechanism}, IntervalScaler", ""]
        lines = [
            *lines,
            f"mechanism = {mechanism}(epsilon={epsilon:.10g})",
            f"scaler = IntervalScaler({ends}, clip=True)",
        ]
        report = "[report] = mechanism.privatize(scaler.transform([value]), rng=ldp_core.secure_rng())"
    else:
        parameters = f"epsilon={epsilon:.10g}, domain={d}{size}"
        if question == "yes-no":
            parameters = f"epsilon={epsilon:.10g}"
        elif question == "several":
            parameters = f"epsilon={epsilon:.10g}, domain={d}, set_size={held}{size}"
        lines = [*lines, f"from ldp_core.frequency import {mechanism}", "", f"oracle = {mechanism}({parameters})"]
        report = "[report] = oracle.privatize([answer], rng=ldp_core.secure_rng())"
    if question == "number":
        lines = [*lines, f"edges = np.linspace({ends}, {d + 1})"]
        report = f"    answer = np.digitize(value, edges[1:-1])\n    {report}"
        report = (
            f'value = float(value)\n    if not np.isfinite(value):\n        raise ValueError("no number")\n{report}'
        )
    argument = "value" if numeric or question == "number" else "answer"
    lines = [
        *lines,
        f"\n\ndef device({argument}):",
        '    """On the device of one person: the line of text that is sent. Nothing else leaves it."""',
        f"    {report}",
        "    return json.dumps(report.tolist())",
        "\n\ndef collector(lines):",
        '    """At the collector, who sees these lines only: estimates between the ends of their 95% intervals."""',
        "    reports = np.array([json.loads(line) for line in lines if line.strip()])",
    ]
    trial = "\n\n# A trial with made-up people."
    if people < n:
        trial += f" They are {people} of {n:,.0f}, so that it is quick: its intervals are wider."
    whom = "the population" if population else "these people"
    asked = ", population=True" if population else ""
    if numeric:
        interval = [
            f"    low, high = mechanism.interval(reports{asked})",
            "    return scaler.inverse([low, mechanism.estimate(reports), high])",
        ]
        made = f"values = rng.uniform({ends}, size={people})"
        if spread is not None:
            middle = (low_bound + high_bound) / 2
            made = f"values = rng.normal({middle:.15g}, {spread:.10g}, size={people})"
        digits = 4 - math.floor(math.log10(high_bound - low_bound))
        return "\n".join(
            [
                *lines,
                *interval,
                trial,
                "rng = np.random.default_rng(1)",
                made,
                "low, estimate, high = collector([device(value) for value in values])",
                f'print("The mean of {whom}, each clipped to the range, between the ends of its 95% interval:")',
                f"print(*np.round([low, estimate, high], {digits}))",
            ]
        )
    made = f"answers = rng.integers({d}, size={people})  # codes from 0 to {d - 1}"
    names = f"names = range({d})  # or a list of what the codes mean"
    if question == "yes-no":
        made = f"answers = rng.random({people}) < 0.3  # whether the answer is yes"
        names = 'names = ["no", "yes"]'
    elif question == "number":
        made = f"values = rng.uniform({ends}, size={people})"
        names = 'names = [f"{low:g} to {high:g}" for low, high in zip(edges[:-1], edges[1:])]\n'
        names += 'names[0], names[-1] = f"below {edges[1]:g}", f"{edges[-2]:g} or more"'
    elif question == "several":
        made = f"# A row for each person: {held} different codes from 0 to {d - 1}.\n"
        made += f"answers = np.array([rng.choice({d}, {held}, replace=False) for _ in range({people})])"
    lines = [
        *lines,
        "    counts, n = oracle.aggregate(reports), len(reports)",
        f"    low, high = oracle.interval(counts, n{asked})  # simultaneous=True: all answers together",
        "    return 100 / n * np.column_stack([low, oracle.estimate(counts, n), high])",
        trial,
        "rng = np.random.default_rng(1)",
        made,
        names,
        f"shares = collector([device({argument}) for {argument} in {argument}s])",
    ]
    if d > _PRINTED:
        lines = [*lines, f"names, shares = names[:{_PRINTED}], shares[:{_PRINTED}]  # of {d}"]
    lines = [
        *lines,
        f'print("Share of {whom} in %, between the ends of its 95% interval: low, estimate, high")',
        "for name, share in zip(names, shares.round(2).tolist()):",
        '    print(name, *share, sep="  ")',
        'print(f"A report supports what is true with p = {oracle.p:.6g}, all else with q = {oracle.q:.6g}.")',
        'print("An estimate is (support / n - q) / (p - q).")',
    ]
    return "\n".join(lines)


def _code_of_any(n: int, epsilon: float, d: int, mechanism: str, population: bool) -> str:
    whom = "the population" if population else "these people"
    people = min(n, _MADE_UP, math.floor(_MADE_UP * 1000 / d))
    others = "1" if population else "1 - n / len(table)"
    drawn = mechanism == "RandomizedResponse (of one answer, drawn)"
    lines = ["# In a copy of the book: pip install .", "import json"]
    if drawn:
        lines = [*lines, "import secrets"]
    part = epsilon if drawn else epsilon / d
    lines = [
        *lines,
        "",
        "import numpy as np",
        "",
        "import ldp_core",
        "from ldp_core.frequency import RandomizedResponse",
        "",
        f"oracle = RandomizedResponse(epsilon={part:.10g})",
        "\n\ndef device(answers):",
        '    """On the device of one person: the line of text that is sent. Nothing else leaves it."""',
    ]
    if drawn:
        lines = [
            *lines,
            f"    if len(answers) != {d}:",
            f'        raise ValueError("{d} answers, please")',
            f"    asked = secrets.randbelow({d})",
            "    [report] = oracle.privatize([answers[asked]], rng=ldp_core.secure_rng())",
            "    return json.dumps([asked, report.tolist()])",
        ]
    else:
        lines = [*lines, "    return json.dumps(oracle.privatize(answers, rng=ldp_core.secure_rng()).tolist())"]
    lines = [
        *lines,
        "\n\ndef collector(lines):",
        '    """At the collector, who sees these lines only: estimates between the ends of their 95% intervals."""',
        "    table, shares = np.array([json.loads(line) for line in lines if line.strip()]), []",
        f"    for j in range({d}):",
    ]
    if drawn:
        lines = [*lines, "        reports = table[table[:, 0] == j, 1]  # of those who were asked about this answer"]
    else:
        lines = [*lines, "        reports = table[:, j]"]
    lines = [
        *lines,
        "        n = len(reports)",
        "        if n == 0:",
        "            shares.append([np.nan] * 3)",
        "            continue",
        "        share = oracle.estimate(oracle.aggregate(reports), n)[1] / n",
        f"        others = {others}  # part of the people for whom these stand",
        "        variance = oracle.variance(n) / n**2 + others * max(0, share * (1 - share)) / n",
        "        half_width = 1.96 * np.sqrt(variance)",
        "        shares.append([share - half_width, share, share + half_width])",
        "    return 100 * np.array(shares)",
        "\n\n# A trial with made-up people.",
    ]
    if people < n:
        lines = [*lines, f"# They are {people} of {n:,.0f}, so that it is quick: its intervals are wider."]
    lines = [
        *lines,
        "rng = np.random.default_rng(1)",
        f"answers = rng.random(({people}, {d})) < 0.3  # a row for each person: which of the answers apply",
        f"names = range({d})  # or a list of what the answers mean",
        "shares = collector([device(row) for row in answers])",
        f'print("Share of {whom} in %, between the ends of its 95% interval: low, estimate, high")',
    ]
    if d > _PRINTED:
        lines = [*lines, f"names, shares = names[:{_PRINTED}], shares[:{_PRINTED}]  # of {d}"]
    lines = [
        *lines,
        "for name, share in zip(names, shares.round(2).tolist()):",
        '    print(name, *share, sep="  ")',
        'print(f"A report is true with p = {oracle.p:.6g}; a share is (reported - q) / (p - q), with q = 1 - p.")',
    ]
    return "\n".join(lines)
