"""Audit a client by its reports alone: a lower bound on its ε that holds with a stated confidence.

Whoever cannot read a client can still run it. One half of the runs chooses what to look at: two inputs, and an event
(a set of reports) that the first input makes likelier than the second. The other half, which had no say in that choice,
counts the event. Bounds of Clopper and Pearson for the two frequencies give the smallest ε that explains them. Such a
bound never shows that a client is private, only that it is not.
"""

from __future__ import annotations

import copy
import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Codes, Floats
from ldp_core._validate import (
    Rng,
    check_bool,
    check_callable,
    check_epsilon,
    check_int,
    check_iterable,
    check_non_negative,
    check_probability,
    check_rng,
    shown,
)

__all__ = ["LowerBound", "lower_bound", "samples_needed"]

#: A column of more different values, or of rare ones, is cut into bins; how many bins, at most, how many each is cut
#: into, at most, and with how many values each, at least; a value that comes so often is no bin's.
_VALUES, _BINS, _FINE, _FILL, _ATOM = 1_000, 64, 16, 60, 20

#: A field that fewer of the learning reports have proves nothing (:meth:`_Feature.weights`).
_RARE = 6

#: A field is unread if more than so large a share of the reports that are learnt from have a value there that comes
#: once; and more than so many have, or half of those that have the field.
_HIDDEN, _ONCE = 0.02, 30

#: Views of reports: besides each column by itself, half-lines and ranges of its sizes, the sum of a vector, where
#: numbers end, and then remainders.
_LINES, _RANGES, _SUM, _LAST_BITS, _REMAINDERS = -2, -1, 1, 2, 3

#: Last bits and remainders are counted if they promise so much more than sizes, of which they know too little and speak
#: less plainly; or if sizes promise nothing.
_CLEARLY = 0.5

#: Remainders of numbers of more than so many different values (others are told apart one by one): of whole numbers by
#: these, and of three digits after the point, from these on.
_FEW, _MODULI, _DIGITS = 64, (2, 3, 10, 16, 64, 100), (3, 5, 7, 9)

#: The remainder of what is no number; its size has told already.
_NONE = -(2**31)

#: Why fields are not read, and what to do about it: if most of their values come once, or else.
INSTEAD = (
    "values hardly ever repeat; leave out what only names a report, and in place of a hash's seed and bucket return "
    "(bucket, hash of each input) and both ends of the seed (its remainder by 64, its highest six bits)"
)
SELDOM = "values come too seldom to be told apart; make more runs, or leave out what only names a report"

#: What constant reports show that differ between inputs.
REMEMBERS = "BROKEN, or it remembers its answer: make it anew for each run"

#: Inputs, at most; pairs of them that are looked at closely; values of a field that an event names.
_INPUTS, _PAIRS, _NAMED = 100, 20, 6

#: Runs of one input, at most (their logarithms of factorials are still exact to seven digits) and at least.
_MOST, _FEWEST = 10**9, 40


class LowerBound(NamedTuple):
    """What the runs of a client show; see :func:`lower_bound`."""

    epsilon: float
    """The client's ε is at least this, with the confidence asked for; 0.0 if the runs show nothing."""
    value: Any
    """The input under which the event is likelier."""
    other: Any
    """The input under which it is rarer."""
    event: str
    """The reports that were counted, in words."""
    hits: int
    """How many reports on ``value`` belonged to the event, of ``runs``."""
    other_hits: int
    """How many reports on ``other`` did, of as many."""
    runs: int
    """Reports of each input that were counted: half of all."""
    unread: tuple[str, ...] = ()
    """Fields of which nothing could be learnt, since their values come too seldom."""
    constant: bool = False
    """Whether each input had one and the same report in all runs: it is bare, or the client remembers."""
    once: bool = False
    """Whether most values of a field that is unread come once, as names and the seeds of hashes do."""
    covered: bool = False
    """Whether ``epsilon`` is 0.0 only since δ covers the difference that was counted."""

    def __str__(self) -> str:
        """The bound and what it rests on, in two lines or three."""
        hits = f"{self.hits:,} of {self.runs:,} reports on {self.value!r}, {self.other_hits:,} on {self.other!r}"
        return f"ε is at least {self.epsilon:.3g}: {hits}\ncounted: {self.event}" + f"\n{REMEMBERS}" * self.constant


def lower_bound(
    client: Callable[[Any, np.random.Generator], Any],
    inputs: Sequence[Any],
    n: int,
    *,
    delta: float = 0.0,
    confidence: float = 0.99,
    vectorized: bool = False,
    rng: Rng = None,
) -> LowerBound:
    r"""Give a lower confidence bound on the ε of a client from n reports on each input.

    With probability at least ``confidence`` the client is not (ε', δ)-locally private for any ε' below it.

    Parameters
    ----------
    client : callable
        From an input and a generator to one report: a category, a number, a set, a vector, or a tuple or dictionary of
        them. Its coins may come from elsewhere (``lambda value, rng: f(value)``), but runs must be independent: a
        client that remembers is made anew in each (``lambda value, rng: Client()(value)``).
    inputs : sequence
        Inputs to try, 2 to 100, all different.
    n : int
        Runs of each input, 40 to 1,000,000,000.
    delta : float, default 0
        δ in [0, 1) of the guarantee that is put to the test.
    confidence : float, default 0.99
        Strictly between 0 and 1.
    vectorized : bool, default False
        Whether the client takes an array of inputs and returns as many reports.

    Raises
    ------
    ValueError
        Also if the runs show nothing and the reports, or fields of them, hardly ever repeat (text that holds a random
        name, say): nothing can be learnt from these. A field of whole numbers counts as such if its size shows nothing
        by itself, it has more than 500 values, or half as many as reports are learnt from, most of these come fewer
        than 20 times in a quarter of the runs, and they are spread evenly, as seeds are and noise is not. Reports that
        are all the same are refused, too: a fixed seed makes them so.

    Notes
    -----
    The first quarter of the runs gives each pair of inputs a score (the sum, over the coordinates of a report, of the
    logarithms of ratios of frequencies, where these differ by more than chance); the second chooses the pair and the
    height at which the score is cut. The rest counts how often it is passed: :math:`h` and :math:`h'` times of r. With
    :math:`\alpha` = 1 − confidence, and Clopper and Pearson's bounds at :math:`\alpha/2` each,

    .. math::  \hat\varepsilon = \ln \frac{p_{\text{low}}(h) - \delta}{p_{\text{high}}(h')}.

    One event is counted, so there is nothing else to correct for. Inputs take turns, in random order, so that a time or
    a number in the report says nothing (a vectorized client is given one input after the other, and must not look at
    the clock). Numbers are compared by size, whatever their types; or by their sign and the trailing zeros of their
    binary digits, which differ between inputs where noise is added in doubles (Haney and others 2022), until a client
    rounds its reports; or, if they take many values, by remainders and by three digits after the point at a time. Sizes
    of many values are cut into bins of a thousandth of the reports, finer at both ends: a narrow peak of fewer is not
    seen; neighbours are also taken together, and all sizes below a point, or from it on. What each field says, the sum
    of a vector, the size of a set, and whether whole reports come again, is looked at; what else only many fields say
    together is not seen, nor the order in a dictionary or a set: audit the bytes that are sent. A report that holds a
    fresh hash function tells little by its coordinates: let the client return its bucket beside the hash of each input.
    A bound of 0 is no pass: inputs that the client does not know show nothing.

    References
    ----------
    Z. Ding, Y. Wang, G. Wang, D. Zhang and D. Kifer. Detecting violations of differential privacy. CCS 2018.

    S. Haney, D. Desfontaines, L. Hartman, R. Shrestha and M. Hay. Precision-based attacks and interval refining: how to
    break, then fix, differential privacy on finite computers. arXiv:2207.13793, 2022.

    C. J. Clopper and E. S. Pearson. The use of confidence or fiducial limits illustrated in the case of the binomial.
    Biometrika 26(4), 1934.

    Examples
    --------
    A client that promises ε = 1, and says yes for "yes" nine times of ten:

    >>> liar = lambda value, rng: (rng.random(len(value)) < 0.9) == value
    >>> found = lower_bound(liar, [0, 1], 20_000, vectorized=True, rng=1)
    >>> 1 < found.epsilon < math.log(9)
    True
    """
    check_callable(client, "client")
    if hasattr(inputs, "columns"):
        raise TypeError("inputs must be a sequence of inputs, got a table: list its rows")
    values = list(check_iterable(inputs, "inputs", "inputs"))
    if not 2 <= len(values) <= _INPUTS:
        raise ValueError(f"inputs must hold 2 to {_INPUTS} inputs, got {len(values)}")
    _check_different(values)
    n = check_int(n, "n", _FEWEST, _MOST)
    delta = _below_1(delta)
    alpha = 1 - check_probability(confidence, "confidence")
    check_bool(vectorized, "vectorized")
    generator = check_rng(rng)
    learn, choose, count = slice(n // 4), slice(n // 4, n // 2), slice(n // 2, n)
    columns = _columns(_runs(client, values, n, vectorized, generator), learn)
    sizes = [column for column in columns if column.labels is None and column.view in (0, _SUM)]
    many = (len(np.unique(np.concatenate([part[learn] for part in column.parts]))) > _NAMED for column in sizes)
    columns += [column._replace(view=_RANGES) for column, is_many in zip(sizes, many, strict=True) if is_many]
    features = [_Feature(column, learn) for column in columns]
    a, b, weights, cut = _chosen(features, len(values), choose, n - n // 2, alpha, delta)
    if delta and cut <= _lowest(weights):  # any report; what does δ cover?
        a, b, weights, cut = _chosen(features, len(values), choose, n - n // 2, alpha, 0.0)
    most = int(np.argmax(_score(features, weights, a, choose)))
    hits, other_hits = (int(np.sum(_score(features, weights, which, count) >= cut)) for which in (a, b))
    runs = n - n // 2
    epsilon = _bound(hits, other_hits, runs, alpha, delta)

    def says_nothing(name: str) -> bool:
        sizes = [each for each in features if each.name == name and each.labels is None and each.view <= 0]
        scores = ([_score(sizes, each, k, choose) for k in (a, b)] for _, each in _candidates(sizes, a, b))
        return all(_best_cut(first, second, len(first), alpha, 0.0)[0] <= 0 for first, second in scores)

    pairs = zip(columns, features, strict=True)
    unread = {c.name: c.unread or f.once for c, f in pairs if c.unread or (f.seeds and says_nothing(c.name))}
    once = any(unread.values())
    if unread and not epsilon:
        raise ValueError(
            "client must return a number, a category, a vector or fields, nothing can be learnt from "
            f"{', '.join([*unread][:3])}: {INSTEAD if once else SELDOM}"
        )
    constant = all(len(np.unique(part)) == 1 for column in columns for part in column.parts)
    if constant and not epsilon:
        raise ValueError(
            "client must draw its coins anew in each run, and be made anew if it remembers: all reports were the same, "
            "as a constant or a fixed seed makes them"
        )
    words = _words(features, weights, cut, [feature.codes[a][choose][most] for feature in features])
    covered = not epsilon and _bound(hits, other_hits, runs, alpha, 0.0) > 0
    return LowerBound(
        epsilon, values[a], values[b], words, hits, other_hits, runs, tuple(unread), constant, once, covered
    )


def _chosen(
    features: list[_Feature], inputs: int, choose: slice, runs: int, alpha: float, delta: float
) -> tuple[int, int, list[Floats], float]:
    """Choose an event: give two inputs, the weights of values, and the height of the cut."""
    best: dict[bool, tuple[float, int, int, int, list[Floats], float]] = {}  # of sizes; of last bits and remainders

    def cut_at(view: int, weights: list[Floats], a: int, b: int) -> tuple[float, float]:
        part = slice(choose.stop) if view == _LINES else choose  # what is learnt of a half-line is hardly its height
        return _best_cut(_score(features, weights, a, part), _score(features, weights, b, part), runs, alpha, delta)

    for i, j in _promising(features, inputs):
        for a, b in ((i, j), (j, i)):
            for view, weights in _candidates(features, a, b):
                bound, cut = cut_at(view, weights, a, b)
                fine = view >= _LAST_BITS
                bound -= view / 100 if fine else 0  # the plainer of two that promise as much
                if fine not in best or bound > best[fine][0]:
                    best[fine] = (bound, view, a, b, weights, cut)
    clearly = _CLEARLY if best[False][0] > 0 else 0.0
    bound, view, a, b, weights, cut = best[True in best and best[True][0] > max(0.0, best[False][0]) + clearly]
    plain: list[tuple[int, list[Floats], float]] = []  # one field that promises as much, by how much it names
    others = sorted((each for each in _candidates(features, a, b) if each[0] < 0), key=lambda each: each[0])
    for of, alone in ((of, _alone(each, k)) for of, each in ((view, weights), *others) for k in _heaviest(each)):
        least, height = cut_at(of, alone, a, b)
        named = sum(len(f.names(np.round(w, 9) >= height)) for f, w in zip(features, alone, strict=True) if w.any())
        if least > bound - max(0.02, 0.05 * bound) and named <= _NAMED and height > _lowest(alone):
            plain.append((named, alone, height))
    weights, cut = min(plain, key=lambda each: each[0])[1:] if plain else (weights, cut)
    return a, b, weights, cut


def _candidates(features: list[_Feature], i: int, j: int) -> Iterator[tuple[int, list[Floats]]]:
    """Give weights of values, by view: of all fields together, and of the half-lines of one field."""
    for view in sorted({feature.view for feature in features}):
        yield view, [each.weights(i, j) if each.view == view else np.zeros(each.size) for each in features]
    halves = [feature.half_lines(i, j) for feature in features]
    for k in _heaviest(halves):
        yield _LINES, _alone(halves, k)


def _alone(weights: list[Floats], k: int) -> list[Floats]:
    return [weight * (place == k) for place, weight in enumerate(weights)]


def _check_different(inputs: list[Any]) -> None:
    seen = set()
    for value in inputs:
        try:
            key = _frozen(value)
            repeated = key in seen
        except TypeError:  # an object that is equal to itself only
            continue
        if repeated:
            raise ValueError(f"inputs must all be different, got {shown(value)} twice")
        seen.add(key)


def samples_needed(
    epsilon: float,
    claim: float,
    *,
    probability: float | None = None,
    delta: float = 0.0,
    confidence: float = 0.99,
    power: float = 0.9,
) -> int:
    r"""Give a number n of runs with which :func:`lower_bound` tells an ε from a smaller claim.

    With chance at least ``power`` (more, as a rule) the bound then exceeds the claim, provided that the first half of
    the runs finds an event that attains ε. A rare event beside one that attains the claim may be missed.

    Parameters
    ----------
    epsilon : float
        ε that the client really has, above the claim.
    claim : float
        ε that it promises, ≥ 0.
    probability : float, optional
        Of the event, under the input that makes it likelier; strictly between 0 and 1. That under the other input is
        :math:`e^{-\varepsilon}` times as large, after δ is taken off. None: e^ε/(1 + e^ε), as in randomized response.
    delta : float, default 0
        δ in [0, 1) of both, the client and the claim.
    confidence, power : float
        Strictly between 0 and 1.

    Examples
    --------
    >>> samples_needed(1.55, 1.0) < samples_needed(1.1, 1.0)
    True
    """
    claim = check_non_negative(claim, "claim")
    epsilon = check_epsilon(epsilon)
    if epsilon <= claim:
        raise ValueError(f"epsilon must exceed the claim of {claim!r} to be told from it, got {epsilon!r}")
    delta = _below_1(delta)
    p = 1 / (1 + math.exp(-epsilon)) if probability is None else check_probability(probability, "probability")
    if p <= delta:
        raise ValueError(f"probability must exceed delta = {delta!r}, got {p!r}")
    alpha, unlucky = 1 - check_probability(confidence, "confidence"), (1 - check_probability(power, "power")) / 2
    q = (p - delta) * math.exp(-epsilon)

    def enough(n: int) -> bool:
        runs = n - n // 2
        hits = _quantile(runs, p, unlucky)
        other = runs - _quantile(runs, 1 - q, unlucky)
        return _bound(hits, other, runs, alpha, delta) > claim

    high = _FEWEST
    while not enough(high):
        high *= 2
        if high > _MOST:
            raise ValueError(f"epsilon must be further from the claim of {claim!r} for {_MOST:,} runs, got {epsilon!r}")
    low = max(_FEWEST - 1, high // 2)
    while high - low > max(1, high // 1_000):
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


# ---- reports as columns ----------------------------------------------------------------------------------------------


class _Column(NamedTuple):
    """What is compared of the reports, by input: sizes, or codes of categories."""

    name: str
    parts: list[npt.NDArray[Any]]
    #: What the codes stand for, numbers by their type; None where values have a size.
    labels: Sequence[Any] | npt.NDArray[Any] | None = None
    #: Whether many reports have a category that comes once.
    unread: bool = False
    #: What it looks at: each column by itself, where numbers end, or a report's sum; one of these is counted.
    view: int = 0


def _runs(
    client: Callable[..., Any], values: list[Any], n: int, vectorized: bool, rng: np.random.Generator
) -> list[Any]:
    """Give the reports on each input."""
    if vectorized:
        return [_run_together(client, value, n, rng) for value in values]
    reports: list[list[Any]] = [[] for _ in values]
    for run in range(n):
        for i in rng.permutation(len(values)).tolist():
            value = values[i] if isinstance(values[i], _SIMPLE) else copy.deepcopy(values[i])
            try:
                reports[i].append(client(value, rng))
            except Exception as error:
                error.add_note(f"the client was asked for its report on {shown(values[i])}, in run {run + 1:,}")
                raise
    return reports


#: Inputs that no client can change.
_SIMPLE = (int, float, str, bytes, bool, np.generic, type(None))


def _run_together(client: Callable[..., Any], value: Any, n: int, rng: np.random.Generator) -> Any:
    one = np.asarray([value])
    if one.dtype.kind in "USO" and not isinstance(value, str):
        raise TypeError(f"inputs must be numbers, arrays of them or text for a vectorized client, got {shown(value)}")
    reports = client(np.repeat(one, n, axis=0), rng)
    if not hasattr(reports, "__len__") or len(reports) != n:
        raise ValueError(f"client must return one report for each of {n} inputs, got {shown(reports)}")
    return reports.to_numpy() if hasattr(reports, "to_numpy") else reports


def _columns(reports: list[Any], learn: slice, name: str = "report") -> list[_Column]:
    """Turn the reports on each input into columns that are compared one by one; each field is a report of its own."""
    arrays = [_numbers(each) for each in reports]
    tables = [each.reshape(len(each), -1) for each in arrays if each is not None]
    if len(tables) == len(reports) and len({(table.shape[1], table.dtype) for table in tables}) == 1:
        width = tables[0].shape[1]
        names = [f"{name}[{k}]" for k in range(width)] if width > 1 else [name]
        columns = [_Column(names[k], [np.ascontiguousarray(table[:, k]) for table in tables]) for k in range(width)]
        columns += [_last_bits(column) for column in columns if tables[0].dtype.kind == "f"]
        columns += [each for column in columns[:width] for each in _remainders(column, learn)]
        if width > 1 and tables[0].dtype.kind in "biuf":  # many coordinates may each say too little to be heard
            columns.append(_Column(f"sum of {name}", [table.sum(axis=1, dtype=float) for table in tables], view=_SUM))
        if width > 1:  # also each whole report, as a category
            rows = np.concatenate([np.ascontiguousarray(table) for table in tables])
            whole = rows.view(np.dtype((np.void, rows.dtype.itemsize * width))).ravel()
            _, first, codes = np.unique(whole, return_index=True, return_inverse=True)
            parts = np.split(codes.ravel(), np.cumsum([len(table) for table in tables])[:-1])
            columns.append(_Column(name, parts, rows[first]))
        return columns
    lists = [list(each) for each in reports]
    fields = [[_fields(report) for report in each] for each in lists]
    keys = Counter(key for each in fields for held in each[learn] for key in held)
    sizes = [np.fromiter(map(_size, each), float, len(each)) for each in lists]
    columns = [] if np.isnan(np.concatenate(sizes)).all() else [_Column(name, sizes)]
    columns += [each for column in columns for each in (_last_bits(column), *_remainders(column, learn))]
    parts, labels = _categories(lists, sizes)
    seen = Counter(code for part in parts for code in part[learn].tolist())
    once = [
        any(keys[key] == 1 for key in held) if held else seen[code] == 1
        for part, each in zip(parts, fields, strict=True)
        for code, held in zip(part[learn].tolist(), each[learn], strict=True)
    ]
    there = sum(report is not _ABSENT for each in lists for report in each[learn])
    columns.append(_Column(name, parts, labels, sum(once) > max(min(there / 2, _ONCE), _HIDDEN * len(once))))
    held = [np.array([len(each) if isinstance(each, set | frozenset) else -1 for each in of]) for of in lists]
    if any((sizes_of >= 0).any() for sizes_of in held):
        columns.append(_Column(f"len({name})", held))
    often = [key for key, times in keys.most_common(_VALUES) if times >= _RARE]
    if all((sizes_of >= 0).all() for sizes_of in held):
        return columns + _elements(fields, often, learn, name)
    for key in often:
        field = f"{name}[{shown(key[1])}]"
        columns += _columns([[held.get(key, _ABSENT) for held in each] for each in fields], learn, field)
    return columns


def _elements(fields: list[list[dict[Any, Any]]], keys: list[Any], learn: slice, name: str) -> list[_Column]:
    """Say which sets hold which element; those that show nothing in the runs that are learnt from are left out."""
    rows: list[dict[Any, list[int]]] = [{key: [] for key in keys} for _ in fields]  # the reports that hold it
    for each, held_by in zip(fields, rows, strict=True):
        for row, held in enumerate(each):
            for key in held.keys() & held_by.keys():
                held_by[key].append(row)
    n, columns = len(fields[0]), []
    for key in keys:
        times = np.array([bisect_left(held_by[key], learn.stop) for held_by in rows])
        counts = np.array([times, learn.stop - times])
        if _surprise(counts.max(1), counts.min(1)).any():
            parts = [np.bincount(held_by[key], minlength=n) > 0 for held_by in rows]
            columns.append(_Column(f"{shown(key[1])} in {name}", parts))
    return columns


def _last_bits(column: _Column) -> _Column:
    """Give each number's sign, power of two and trailing zeros, as a category.

    Doubles of one sign between two powers of two are equally far apart, and a sum of doubles skips some of them: below
    1/2, a value of 1 with noise is a multiple of 2^-53, noise alone may end in any bit.
    """
    parts = []
    for sizes in column.parts:
        share, exponent = np.frexp(np.where(np.isfinite(sizes), sizes, 0))
        whole = np.ldexp(share.astype(float), 53).astype(np.int64)  # the significand, of 53 bits
        last = np.frexp((whole & -whole).astype(float))[1]  # number of its last bit that is set, 1 to 53
        bits = (64 * exponent + last) * 2 + np.signbit(sizes)  # zero has a sign, too
        parts.append(np.where(np.isfinite(sizes), bits, _NONE))
    return _Column(column.name, parts, [], view=_LAST_BITS)


def _remainders(column: _Column, learn: slice) -> list[_Column]:
    """Give remainders of whole parts and digits after the point, which noise of many steps may leave as they were.

    Those that show nothing in the runs that are learnt from are left out: they would weigh nothing.
    """
    every = [part.astype(float) if part.dtype.kind == "f" else part for part in column.parts]
    learnt = [part[learn][np.isfinite(part[learn])] for part in every]
    some = np.concatenate([part[:: max(1, len(part) // 10_000)] for part in learnt])
    few = min(_FEW, len(some) // 4)
    if some.dtype.kind == "b" or len(np.unique(some)) <= few:
        return []
    whole = all((part % 1 == 0).all() for part in learnt)
    moduli = _MODULI if len(np.unique(np.floor(some))) > few else ()
    names = {(0, modulus): f"{column.name}{'' if whole else ' // 1'} % {modulus}" for modulus in moduli}
    names |= {} if whole else {(digits, 1000): f"round({column.name} * 1e{digits}) % 1000" for digits in _DIGITS}

    def remainder(part: npt.NDArray[Any], digits: int) -> npt.NDArray[Any]:  # by a multiple of all moduli
        if part.dtype.kind == "f":  # integers have more digits than a double
            with np.errstate(over="ignore"):
                part = np.rint(part * 10.0**digits) if digits else np.floor(part)
        finite = np.isfinite(part)
        return np.where(finite, np.where(finite, part, part.dtype.type(0)) % 24_000, _NONE).astype(np.int32)

    columns = []
    learnt_by = {digits: [remainder(part, digits) for part in learnt] for digits, _ in names}
    for view, ((digits, modulus), label) in enumerate(names.items(), _REMAINDERS):
        counts = np.array([np.bincount(rest[rest >= 0] % modulus, minlength=modulus) for rest in learnt_by[digits]])
        if _surprise(counts.max(0), counts.min(0)).any():
            rests = [remainder(part, digits) for part in every]
            columns.append(_Column(label, [np.where(rest < 0, rest, rest % modulus) for rest in rests], view=view))
    return columns


def _numbers(reports: Any) -> npt.NDArray[Any] | None:
    """Return reports of one type as an array of numbers, None if they are something else."""
    if not isinstance(reports, np.ndarray) and len(set(map(type, reports))) > 1:
        return None
    try:
        array = np.asarray(reports)
    except (ValueError, TypeError):  # rows of different length
        return None
    return array if array.dtype.kind in "biuf" and array.size else None


def _size(report: Any) -> float:
    """Give the size of a number of any type; NaN of everything else."""
    try:
        is_number = isinstance(report, int | float | np.integer | np.floating) and not isinstance(report, bool)
        return float(report) if is_number else math.nan
    except OverflowError:
        return math.nan


class _Absent(str):
    """What stands for a field that a report does not have; of a type of its own."""

    __slots__ = ()


_ABSENT = _Absent("absent")


def _fields(report: Any) -> dict[tuple[str, Any], Any]:
    """Give what a report holds, by place or name; an element of a set is a field that is there or not."""
    if isinstance(report, dict):
        return {_frozen(key): value for key, value in report.items()}
    if isinstance(report, set | frozenset):
        return {_frozen(element): True for element in report}
    if isinstance(report, tuple | list | np.ndarray):
        values = report.ravel() if isinstance(report, np.ndarray) else report
        return {("int", k): value for k, value in enumerate(values)}
    return {}


def _categories(lists: list[list[Any]], sizes: list[Floats]) -> tuple[list[npt.NDArray[Any]], list[Any]]:
    """Code each report as a whole, numbers by their type; and say what the codes stand for."""
    codes: dict[tuple[str, Any], int] = {}
    labels: list[Any] = []
    parts: list[npt.NDArray[Any]] = []
    for each, size in zip(lists, sizes, strict=True):
        part = np.empty(len(each), np.int64)
        for k, (report, other) in enumerate(zip(each, np.isnan(size).tolist(), strict=True)):
            key = _frozen(report) if other else (type(report).__name__, None)
            if key not in codes:
                codes[key] = len(labels)
                labels.append(report if other else type(report))
            part[k] = codes[key]
        parts.append(part)
    return parts, labels


def _frozen(report: Any) -> tuple[str, Any]:
    """Give a report's type, and what equal reports have in common and can be looked up."""
    kind = type(report).__name__
    if isinstance(report, (int, str, bytes)):  # most are: asked first
        return kind, report
    if isinstance(report, np.ndarray):
        return kind, (
            report.dtype.str,
            report.shape,
            report.tobytes() if report.dtype != object else _frozen([*report]),
        )
    if isinstance(report, dict):
        return kind, frozenset((_frozen(key), _frozen(value)) for key, value in report.items())
    if isinstance(report, set | frozenset):
        return kind, frozenset(map(_frozen, report))
    if isinstance(report, tuple | list):
        return kind, tuple(map(_frozen, report))
    if isinstance(report, float | np.floating):
        return kind, "nan" if math.isnan(report) else float(report)
    of_its_own: Any = type(report).__hash__
    if report is not None and of_its_own in {None, object.__hash__}:  # told apart by their address
        raise TypeError(f"client must return numbers, text, or sets or vectors of them, got {shown(report)}")
    return kind, report


class _Feature:
    """One column of the reports: which values are told apart, from those that may be learnt from."""

    def __init__(self, column: _Column, learn: slice) -> None:
        values = np.concatenate([part[learn] for part in column.parts])
        seen, counts = np.unique(values, return_counts=True)
        self.name, self.labels, self.view = column.name, column.labels, column.view
        many = len(seen) > min(_VALUES, len(values)) // 2 and 2 * counts[counts < _ATOM].sum() > len(values)
        self.seeds = many and column.labels is None and not column.view and _whole_and_even(values)
        self.once = 2 * np.sum(counts == 1) > len(values)
        if column.view == _RANGES:
            numbers = np.sort(values[~np.isnan(values)])
            self.atoms = np.array([np.nan]) if values.dtype.kind == "f" else seen[:0]
            self.edges = coarse = _edges(numbers, 1)[0] if len(numbers) else numbers
        elif len(seen) > min(_VALUES, counts.sum() // 4):  # values that come often, and bins for all between them
            self.atoms = seen[counts >= _ATOM][:_VALUES]
            rest = np.repeat(seen, np.where(counts >= _ATOM, 0, counts)) if column.labels is None else seen[:0]
            self.edges, coarse = _edges(rest) if len(rest) else (rest, rest)
        else:
            self.atoms, self.edges, coarse = seen, seen[:0], seen[:0]
        self.size = len(self.atoms) + len(self.edges) + 1
        bins = np.concatenate([[0], np.searchsorted(coarse, self.edges, side="right")])
        self.coarse = [  # ever more neighbours together
            np.concatenate([np.arange(len(self.atoms)), len(self.atoms) + (bins >> step)])
            for step in (range(1, 6) if column.view == _RANGES else (0,))
        ]
        self.codes = [self._code(part) for part in column.parts]
        self.counts = [np.bincount(codes[learn], minlength=self.size) for codes in self.codes]

    def _code(self, part: npt.NDArray[Any]) -> Codes:
        codes: Codes = len(self.atoms) + np.searchsorted(self.edges, part, side="right")
        if len(self.atoms):
            places = np.minimum(np.searchsorted(self.atoms, part), len(self.atoms) - 1)
            at = self.atoms[places] == part
            if part.dtype.kind == "f":
                at |= np.isnan(self.atoms[places]) & np.isnan(part)
            codes = np.where(at, places, codes)
        return codes

    def weights(self, i: int, j: int) -> Floats:
        """Give each value the logarithm of how much likelier it is under the i-th input; 0 if it may be chance."""
        weights = _surprise(self.counts[i], self.counts[j])
        for coarse in self.coarse:  # a bin that shows nothing by itself has what the one shows that it is part of
            together = _surprise(*(np.bincount(coarse, self.counts[k]) for k in (i, j)))[coarse]
            weights = np.where(weights == 0, together, weights)
        if self.view >= _LAST_BITS and len(self.atoms):
            weights[: len(self.atoms)][self.atoms == _NONE] = 0
        return weights

    def half_lines(self, i: int, j: int) -> Floats:
        """Give weights that rise to the end of the line where the i-th input is likelier; 0 if it may be chance."""
        atoms, weights = len(self.atoms), np.zeros(self.size)
        if self.view == _RANGES and len(self.edges):
            lines = [np.cumsum(self.counts[k][atoms:]) for k in (i, j)]
            below, above = np.split(_surprise(*(np.append(line[:-1], line[-1] - line[:-1]) for line in lines)), 2)
            most = (above - below)[np.argmax(np.maximum(np.abs(above), np.abs(below)))]
            weights[atoms:] = most * np.linspace(0, 1, self.size - atoms)
            weights[:atoms] = min(0.0, float(most))  # what is no number is on neither side
        return weights

    def names(self, chosen: npt.NDArray[np.bool_]) -> list[str]:
        """Say which values are meant; neighbouring bins are one."""
        atoms = len(self.atoms)
        values: list[Any] = self.atoms[chosen[:atoms]].tolist()
        if self.labels is not None and self.view != _LAST_BITS:
            values = [self.labels[value] for value in values]
        say = _doubles if self.view == _LAST_BITS else _label
        words = [f"{self.name} {say(value)}" for value in values]
        if self.labels is not None and chosen[atoms]:
            words.append(f"{self.name} = any rarer value")
        steps = np.diff(np.concatenate([[0], chosen[atoms:].astype(int), [0]])) if len(self.edges) else np.zeros(1)
        for start, end in zip(np.flatnonzero(steps == 1), np.flatnonzero(steps == -1), strict=True):
            low = f"{self.edges[start - 1].item()!r} <= " if start else ""
            high = f" < {self.edges[end - 1].item()!r}" if end <= len(self.edges) else ""
            words.append(f"{low}{self.name}{high}" if low or high else f"{self.name} is a number")
        return words


def _edges(ordered: npt.NDArray[Any], finest: int = _FINE) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Cut values into bins that hold equally many, each into finer ones, the two outermost ever again in half."""
    last, bins = len(ordered) - 1, min(_BINS, max(2, len(ordered) // _FILL))
    fine = bins * min(finest, max(1, len(ordered) // (bins * _FILL)))
    coarse, places = (np.linspace(0, last, parts + 1)[1:-1].astype(int) for parts in (bins, fine))
    tail = (places[0] / 2 ** np.arange(1, 40)).astype(int)
    tail = tail[tail >= _FILL]
    return np.unique(ordered[np.concatenate([coarse, places, tail, last - tail])]), np.unique(ordered[coarse])


def _surprise(one: npt.NDArray[Any], two: npt.NDArray[Any]) -> Floats:
    """Give the logarithms of ratios of counts, 0 where they may be chance."""
    clear = (one - two) ** 2 > (4 + 2 * math.log(len(one))) * (one + two)
    ratio: Floats = np.where(clear, np.log(one + 0.5) - np.log(two + 0.5), 0.0)
    return ratio


def _whole_and_even(values: npt.NDArray[Any]) -> bool:
    """Say whether the middle half of whole numbers takes about half of their range: that of noise takes less."""
    ordered = np.sort(values[np.isfinite(values)].astype(float))
    if not len(ordered) or (ordered % 1).any():
        return False
    low, high = ordered[[len(ordered) // 4, 3 * len(ordered) // 4]]
    return bool(high - low > 0.4 * (ordered[-1] - ordered[0]))


def _label(value: Any) -> str:
    if isinstance(value, _Absent):
        return "is absent"
    if isinstance(value, type):
        return f"= a number ({value.__name__})"
    if isinstance(value, float) and math.isnan(value):
        return "is NaN or no number"
    return f"= {shown(value.tolist() if isinstance(value, np.ndarray) else value)}"  # an array: the row of a table


def _doubles(bits: int) -> str:
    """Say which doubles have this sign, power of two and trailing zeros."""
    (power, last), sign = divmod(bits >> 1, 64), "-" * (bits & 1)
    return f"in {sign}[2^{power - 1}, 2^{power}), an odd multiple of 2^{power - 54 + last}" if last else f"= {sign}0.0"


def _promising(features: list[_Feature], inputs: int) -> Iterator[tuple[int, int]]:
    """Give the pairs of inputs whose reports differ most."""
    pairs = list(combinations(range(inputs), 2))

    def distance(pair: tuple[int, int]) -> float:
        return max(float(np.abs(feature.weights(*pair)).max()) for feature in features)

    return iter(sorted(pairs, key=distance, reverse=True)[:_PAIRS])


def _score(features: list[_Feature], weights: list[Floats], which: int, part: slice) -> Floats:
    """Add up, for each report, what its values weigh."""
    total = np.zeros(len(features[0].codes[which][part]))
    for feature, weight in zip(features, weights, strict=True):
        if weight.any():
            total += weight[feature.codes[which][part]]
    return np.round(total, 9)  # sums of the same weights in another order are the same


def _best_cut(one: Floats, two: Floats, n: int, alpha: float, delta: float) -> tuple[float, float]:
    """Give the height that promises the largest bound from n more runs, and that bound (Wilson's intervals).

    A rare event that these runs do not prove may be proved by as many again; but one height of many is high by luck.
    """
    cuts = np.unique(one)
    h, k = (n * (1 - np.searchsorted(np.sort(scores), cuts) / len(scores)) for scores in (one, two))
    z2 = NormalDist().inv_cdf(alpha / 2 / max(1, len(cuts) - 1)) ** 2
    low, high = (
        (x + z2 / 2 + sign * np.sqrt(z2 * (x * (1 - x / n) + z2 / 4))) / (n + z2) for x, sign in ((h, -1), (k, 1))
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        bounds = np.where(low > delta, np.log(low - delta) - np.log(high), -np.inf)
    best = int(np.argmax(bounds))
    return float(bounds[best]), float(cuts[best])


def _lowest(weights: list[Floats]) -> float:
    """Give the height that any report has."""
    return sum(float(weight.min()) for weight in weights) + 1e-9


def _heaviest(weights: list[Floats]) -> list[int]:
    """Give the fields that say most, three at most."""
    heavy = sorted(range(len(weights)), key=lambda k: float(np.abs(weights[k]).max()), reverse=True)[:3]
    return [k for k in heavy if weights[k].any()]


def _words(features: list[_Feature], weights: list[Floats], cut: float, example: list[int]) -> str:
    """Say which event is counted: a field's values, or what many fields say together, with a report as example."""
    if cut <= _lowest(weights):
        return "any report, as none came clearly more often under one input than under another"
    heavy = _heaviest(weights)
    if sum(bool(weight.any()) for weight in weights) == 1:
        names = features[heavy[0]].names(np.round(weights[heavy[0]], 9) >= cut)
        words = "; ".join(names[:_NAMED]) + ("; …" if len(names) > _NAMED else "")
    else:
        names = [name for k in heavy for name in features[k].names(np.arange(features[k].size) == example[k])]
        words = (
            f"fields that together speak for the first input (their logarithms of ratios add up to {cut:.3g} or more)"
        )
        words += f", most of all as in: {' and '.join(names)}"
    last_bits = features[heavy[0]].view == _LAST_BITS
    return words + last_bits * " (last bits, in doubles: round the reports to see the rest)"


def _below_1(delta: object) -> float:
    number = check_non_negative(delta, "delta")
    if number >= 1:
        raise ValueError(f"delta must be below 1, got {shown(delta)}")
    return number


# ---- the binomial law ------------------------------------------------------------------------------------------------


def _bound(hits: int, other_hits: int, n: int, alpha: float, delta: float) -> float:
    low = _least(hits, n, alpha / 2) - delta
    high = 1 - _least(n - other_hits, n, alpha / 2)
    return max(0.0, math.log(low / high)) if low > 0 else 0.0


def _least(hits: int, n: int, level: float) -> float:
    """Give Clopper and Pearson's lower bound: the p under which so many hits, or more, have probability `level`."""
    if hits == 0:
        return 0.0
    low, high = 0.0, hits / n
    while (middle := (low + high) / 2) not in (low, high) and high - low > 1e-12 * high:
        low, high = (middle, high) if _beta(hits, n - hits + 1, middle) < level else (low, middle)
    return low


def _quantile(n: int, p: float, level: float) -> int:
    """Give the least k with P[Bin(n, p) ≤ k] ≥ level."""
    low, high = -1, n
    while high - low > 1:
        middle = (low + high) // 2
        below = 1.0 if middle == n else 1 - _beta(middle + 1, n - middle, p)
        low, high = (low, middle) if below >= level else (middle, high)
    return high


def _beta(a: float, b: float, x: float) -> float:
    """Give I_x(a, b) = P[Bin(a + b − 1, x) ≥ a], the incomplete beta function; continued fraction (DLMF 8.17.22)."""
    if not 0 < x < 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    total, c, d = 1.0, 1.0, 0.0
    for i in range(100_000):
        m = i // 2
        if i == 0:
            term = 1.0
        elif i % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / (1 + term * d)
        c = 1 + term / c
        total *= c * d
        if abs(1 - c * d) < 1e-15:
            break
    return front * (total - 1)
