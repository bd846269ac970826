"""A survey's rehearsal: the people of a table that one already has are asked, as planned, and the truth stands beside.

How a column becomes answers is said in :func:`rehearse`; the book's page on rehearsing has the same rules.
"""

from __future__ import annotations

import math
import numbers
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Counts, Floats
from ldp_core._validate import LARGEST_BOUND, Rng, as_array, check_rng, is_missing, shown
from ldp_core.frequency import DirectEncoding, LocalHashing, OptimizedUnary, SubsetSelection, SymmetricUnary
from ldp_core.plan._survey import Plan, _mean_error, survey

__all__ = ["Rehearsal", "Trial", "rehearse"]

#: Most answers besides "other" and "missing", and most ranges of numbers; a rarer answer than one in so many is rare.
_MOST, _RARE = 24, 1000

_ORACLES = (DirectEncoding, SubsetSelection, OptimizedUnary, SymmetricUnary, LocalHashing)


class Trial(NamedTuple):
    """What one mechanism made of the survey. Arrays have a number of people for each answer, shape (d,).

    Attributes
    ----------
    mechanism : str
        Class in :mod:`ldp_core.frequency`.
    estimates : ndarray of float64
        Estimated counts, never clipped.
    low, high : ndarray of float64
        Ends of the 95% intervals.
    error : float
        Root mean square error of the estimates, over the answers, in people.
    promised : float
        What the plan expects of it: the root of the expected mean square error, in people.
    """

    mechanism: str
    estimates: Floats
    low: Floats
    high: Floats
    error: float
    promised: float


class Rehearsal(NamedTuple):
    """A rehearsed survey, made by :func:`rehearse`. True counts are the table's own: they are not private.

    Attributes
    ----------
    answers : tuple of str
        The d possible answers, as they were read off the column.
    true_counts : ndarray of int64, shape (d,)
        How many people hold each.
    trials : list of Trial
        One for each row of the plan, in its order.
    plan : Plan
        The plan of the same survey; ``plan.best`` is the recommended mechanism's place.
    note : str
        What was read off the column, and why a real survey may not do so.
    """

    answers: tuple[str, ...]
    true_counts: Counts
    trials: list[Trial]
    plan: Plan
    note: str

    def __str__(self) -> str:
        """Note, then a line for each mechanism: this draw's error, the promised one, intervals that hold the truth."""
        n, d = int(self.true_counts.sum()), len(self.answers)
        lines = [self.note, f"{f'ε = {self.plan.epsilon:.3g}, {n:,} people':24}{'error, %':>10}{'plan, %':>10}"]
        lines[-1] += f"{'intervals that hold the truth':>32}"
        for i, trial in enumerate(self.trials):
            name = ("* " if i == self.plan.best else "  ") + trial.mechanism
            held = np.count_nonzero((trial.low <= self.true_counts) & (self.true_counts <= trial.high))
            figures = f"{100 * trial.error / n:>10.3g}{100 * trial.promised / n:>10.3g}"
            lines.append(f"{name:24}{figures}{f'{held} of {d}':>32}")
        return "\n".join(lines)


def rehearse(frame: Any, column: Any, *, epsilon: float, rng: Rng = None) -> Rehearsal:
    """Ask the people of a table one of its columns, by every mechanism that a plan lists, and compare with the truth.

    Parameters
    ----------
    frame : mapping or data frame
        Whatever gives a column as ``frame[column]``: texts, numbers or truth values, one for each person.
    column : hashable
        Name of the column.
    epsilon : float
        ε of one report, 0.0001 to 20.
    rng : numpy.random.Generator, int or None
        A seed gives each mechanism the draw that its own ``simulate`` gives.

    Returns
    -------
    Rehearsal
        Answers, true counts, and per mechanism estimates, intervals and errors.

    Notes
    -----
    The answers are read off the column. Real people's devices must know them beforehand, from public knowledge: which
    answers there are, and how far numbers go, is otherwise itself learnt from secrets. Nothing of a rehearsal on a
    secret table is private, an ε that was chosen by its errors included.

    More than 24 different numbers are put into ranges of equal width, the smallest of 1, 2 or 5 times a power of ten
    that needs at most 24 ranges, all between multiples of it; the lower end belongs to a range. Other answers are rare,
    and become "other", if only one person gives them, or fewer than one in 1000, or 24 are commoner (of equally common
    ones, the first in order stay); a column of which more than half is rare is no question. Missing values (None, NaN,
    NA, and texts that are blank) are an answer, "missing".

    Support counts are drawn by the oracles' ``simulate``, at a cost that does not grow with the people. Those of local
    hashing are from ``simulate_marginals``: each has its exact law, and they are independent.

    Examples
    --------
    >>> table = {"colour": ["red"] * 6000 + ["blue"] * 3000 + [None] * 1000}
    >>> made = rehearse(table, "colour", epsilon=1.0, rng=0)
    >>> made.answers, made.true_counts.tolist()
    (('blue', 'red', 'missing'), [3000, 6000, 1000])
    >>> best = made.trials[made.plan.best]
    >>> best.mechanism, [round(100 * e / 10_000, 2) for e in (best.error, best.promised)]
    ('DirectEncoding', [1.12, 1.21])
    """
    answers, true_counts, said = _answers(_column(frame, column), column)
    n, d = int(true_counts.sum()), len(answers)
    plan = survey("one", n, d=d, epsilon=epsilon)
    check_rng(rng)
    trials = []
    for oracle, row in zip((kind(plan.epsilon, d) for kind in _ORACLES), plan.rows, strict=True):
        draw = oracle.simulate_marginals if isinstance(oracle, LocalHashing) else oracle.simulate
        counts = draw(true_counts, rng)
        estimates, (low, high) = oracle.estimate(counts, n), oracle.interval(counts, n)
        error = math.sqrt(np.mean((estimates - true_counts) ** 2))
        promised = n * _mean_error(row.sd, row.common_half_width or 0.0, d)
        trials.append(Trial(row.mechanism, estimates, low, high, error, promised))
    note = f"{said} A real survey must take its answers from public knowledge, not from the table."
    return Rehearsal(answers, true_counts, trials, plan, note)


def _column(frame: Any, column: Any) -> npt.NDArray[Any]:
    """Give the values of a column, one for each person."""
    if isinstance(frame, (str, bytes)) or not hasattr(frame, "__getitem__") or isinstance(frame, type):
        raise TypeError(f"frame must give a column as frame[column], got {shown(frame)}")
    try:
        found = frame[column]
    except Exception:  # each kind of table has its own, some of them several
        raise ValueError(f"column must be the name of a column of the frame, got {shown(column)}") from None
    values = as_array(found, "frame[column]")
    if values.ndim != 1 or values.size == 0:
        raise ValueError(f"column must be one column with at least one row, got shape {values.shape}")
    return values


def _answers(values: npt.NDArray[Any], column: Any) -> tuple[tuple[str, ...], Counts, str]:
    """Give the possible answers, how many hold each, and how they were made."""
    known: list[Any] | npt.NDArray[Any]
    times: list[int] | npt.NDArray[Any]
    if values.dtype.kind in "iuf":
        known, times = np.unique(values[values == values], return_counts=True)  # without NaN
    else:
        found = _tally(values)
        known, times = [*found], [*found.values()]
    kinds = set() if isinstance(known, np.ndarray) else set(map(type, known))
    if all(issubclass(kind, numbers.Real) and not issubclass(kind, bool) for kind in kinds):
        counts, said = _of_numbers(_as_floats(known), np.array(times, dtype=np.int64))
    else:
        texts: Counter[str] = Counter()
        for value, count in zip(known, times, strict=True):
            texts[value.strip() if isinstance(value, str) else _written(value)] += count
        counts, said = _common(dict(sorted(texts.items())))
    if missing := values.size - int(np.sum(times)):
        counts["missing"] = counts.get("missing", 0) + missing
    if len(counts) < 2:
        raise ValueError(
            f"column must have at least two answers that are not rare, got {shown(list(counts))} for {shown(column)}"
        )
    return tuple(counts), np.array(list(counts.values()), dtype=np.int64), said


def _tally(values: npt.NDArray[Any]) -> dict[Any, int]:
    """Count what is not missing among Python's own values."""
    try:
        found = Counter(values.tolist())
    except Exception:  # what has no hash, and what refuses to be compared
        raise TypeError("frame[column] must hold texts, numbers or truth values, got what has no hash") from None
    known = {value: times for value, times in found.items() if not _is_empty(value)}
    for kind, value in {type(value): value for value in known}.items():  # a million different numbers are of few kinds
        if not issubclass(kind, (str, numbers.Real, np.bool_)):
            raise TypeError(
                f"frame[column] must hold texts, numbers or truth values, got {shown(value)}: others become texts by "
                "astype(str)"
            )
    return known


def _as_floats(known: list[Any] | npt.NDArray[Any]) -> Floats:
    try:
        with np.errstate(over="ignore"):  # a long double too large for a double: refused below
            floats = np.array(known, dtype=np.float64)
    except OverflowError:
        floats = np.array([math.inf])
    if not np.all(large := np.abs(floats) <= LARGEST_BOUND):
        raise ValueError(
            f"frame[column] must hold numbers up to {LARGEST_BOUND:g} in size, got {shown(floats[~large][0].item())}"
        )
    return floats


def _is_empty(value: Any) -> bool:
    return not value.strip() if isinstance(value, str) else is_missing(value)


def _written(value: Any) -> str:
    """A number or truth value as an answer."""
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 2**53
    return str(int(value)) if whole else str(value)


def _of_numbers(known: Floats, times: Counts) -> tuple[dict[str, int], str]:
    """Give numbers as answers, in ascending order: as they are if they are few, else in ranges."""
    different, place = np.unique(known, return_inverse=True)
    if different.size <= _MOST:
        counts = np.bincount(place.ravel(), times).astype(np.int64)
        return _common(dict(zip(map(_written, different.tolist()), counts.tolist(), strict=True)))
    digit, power = _width(different[0].item(), different[-1].item())
    bins = np.floor(known / float(f"{digit}e{power}"))
    first = int(bins.min())
    counts = np.bincount((bins - first).astype(np.intp), times).astype(np.int64)  # 32 bits wide in a browser
    ends = [_written(float(f"{(first + i) * digit}e{power}")) for i in range(counts.size + 1)]
    said = f"The {counts.size} ranges, from {ends[0]} to {ends[-1]}, were read off the column."
    return {f"{a} to {b}": count for a, b, count in zip(ends, ends[1:], counts.tolist(), strict=False)}, said


def _width(low: float, high: float) -> tuple[int, int]:
    """Give the smallest of 1, 2 or 5 times a power of ten that needs at most 24 ranges: its digit and that power."""
    power = math.floor(math.log10((high - low) / _MOST))
    while True:
        for digit in (1, 2, 5):
            width = float(f"{digit}e{power}")
            if width > 0 and math.floor(high / width) - math.floor(low / width) < _MOST:
                return digit, power
        power += 1


def _common(counts: dict[str, int]) -> tuple[dict[str, int], str]:
    """Put rare answers together; the order stays."""
    least = max(2, sum(counts.values()) / _RARE)
    commonest = sorted(counts, key=lambda answer: -counts[answer])[:_MOST]
    kept = {answer for answer in commonest if counts[answer] >= least}
    rare = [answer for answer in counts if answer not in kept]
    if 2 * sum(counts[answer] for answer in rare) > sum(counts.values()):
        raise ValueError(
            f"column must have answers that people share, got {len(rare):,} that are rare, such as {shown(rare[0])}: "
            "for dates take the year, for names a group"
        )
    found = {answer: times for answer, times in counts.items() if answer in kept}
    # Last, whether or not the column has such texts itself.
    last = {name: found.pop(name, 0) for name in ("other", "missing")}
    last["other"] += sum(counts[answer] for answer in rare)
    found |= {name: times for name, times in last.items() if times}
    said = f", and {len(rare):,} rare ones became 'other'" if rare else ""
    return found, f"The answers were read off the column{said}."
