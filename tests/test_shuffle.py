"""Shuffled reports: intervals against every data set and every output, and published values."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ldp_core import shuffle as module
from ldp_core.central import Interval
from ldp_core.frequency import DirectEncoding, OptimizedUnary, RandomizedResponse
from ldp_core.shuffle import needed_epsilon0, shuffle, shuffled_epsilon


def histogram_law(channel, counts):
    """Law of the histogram of all reports, by adding one person after the other."""
    law = {(0,) * len(channel[0]): 1}
    for value, people in enumerate(counts):
        for _ in range(people):
            new = Counter()
            for seen, chance in law.items():
                for y, each in enumerate(channel[value]):
                    new[*seen[:y], seen[y] + 1, *seen[y + 1 :]] += chance * each
            law = new
    return law


@pytest.mark.parametrize(("epsilon0", "delta"), [(0.5, 1e-6), (2.0, 1e-4), (4.0, 1e-7)])
def test_blocks_bound_what_every_data_set_gives(epsilon0, delta, monkeypatch):
    blocks = shuffled_epsilon(epsilon0, 900, delta=delta, mechanism=RandomizedResponse(epsilon0))
    monkeypatch.setattr(module, "_SMALL", 1_000)
    exact = shuffled_epsilon(epsilon0, 900, delta=delta, mechanism=RandomizedResponse(epsilon0))
    assert exact.width < 1e-5 * exact.upper
    assert blocks.lower <= exact.upper * (1 + 1e-9)
    assert blocks.upper >= exact.lower * (1 - 1e-9)
    assert blocks.width < 0.0051 * blocks.upper


def clones_delta(epsilon, epsilon0, n):
    """δ(ε) of the clones, term by term with SciPy's binomials."""
    c = np.arange(n)
    weight = stats.binom.pmf(c, n - 1, math.exp(-epsilon0))
    p = 1 / (1 + math.exp(-epsilon0))
    total = 0.0
    for clones, w in zip(c, weight, strict=True):
        fair = stats.binom.pmf(np.arange(-1, clones + 2), clones, 0.5)
        one, other = p * fair[:-1] + (1 - p) * fair[1:], (1 - p) * fair[:-1] + p * fair[1:]
        total += w * np.maximum(one - math.exp(epsilon) * other, 0).sum()
    return total


@pytest.mark.parametrize(("epsilon0", "n"), [(0.4, 40), (1.0, 200), (3.0, 150)])
@pytest.mark.parametrize("share", [0.2, 0.6, 0.9])
def test_the_clones_term_by_term(epsilon0, n, share):
    epsilon = share * epsilon0
    delta = clones_delta(epsilon, epsilon0, n)
    if delta > 1e-13:
        found = shuffled_epsilon(epsilon0, n, delta=delta)
        assert found.lower - 1e-6 <= epsilon <= found.upper + 1e-6
        assert found.width < 1e-3 * found.upper


@pytest.mark.parametrize(
    ("odds", "d", "n"), [(2, 2, 6), (20, 2, 4), (5, 3, 4), (10**9, 2, 3), (10**12, 3, 2), (Fraction(5, 4), 2, 8)]
)
def test_the_ends_hold_without_any_tolerance(odds, d, n):
    """Laws in whole fractions: with a δ just below δ(ε) no upper end is below ε, just above no lower end above."""
    total = Fraction(odds) + d - 1
    channel = [[(odds if x == y else 1) / total for y in range(d)] for x in range(d)]
    epsilon0 = math.log(odds)
    m = DirectEncoding(epsilon0, d)
    for share in (Fraction(1, 9), Fraction(2, 3), Fraction(99, 100)):
        e, delta = 1 + (odds - 1) * share, Fraction(0)
        for others in itertools.combinations_with_replacement(range(d), n - 1):
            counts = [others.count(x) for x in range(d)]
            laws = [histogram_law(channel, [c + (x == y) for y, c in enumerate(counts)]) for x in range(d)]
            for p, q in itertools.permutations(laws, 2):
                delta = max(delta, sum(max(p[key] - e * q[key], 0) for key in p))
        below, above = math.nextafter(float(delta), 0), math.nextafter(float(delta), 1)
        found = shuffled_epsilon(epsilon0, n, delta=below, mechanism=m)
        assert found.upper >= math.log(e)
        assert d > 2 or found.width < 1e-6
        assert shuffled_epsilon(epsilon0, n, delta=below).upper >= math.log(e)
        assert shuffled_epsilon(epsilon0, n, delta=above, mechanism=m).lower <= math.log(e)


@pytest.mark.parametrize(
    ("epsilon0", "n", "delta"),
    [(500.0, 10**10, 1e-9), (20.0, 10**10, 1e-9), (40.0, 10**6, 0.1), (6.0, 2_000, 0.1), (12.0, 10**5, 0.3)],
)
@pytest.mark.parametrize("d", [None, 2, 5])
def test_budgets_too_large_for_the_crowd(epsilon0, n, delta, d):
    """The search ends soon, and the ends are not far apart: what is left out of the laws counts e^ε₀ times."""
    found = shuffled_epsilon(epsilon0, n, delta=delta, mechanism=DirectEncoding(epsilon0, d) if d else None)
    assert found.width <= (0.05 if d == 5 else 0.011) * found.upper  # d = 5: two laws that differ


@pytest.mark.parametrize(
    ("epsilon0", "n", "delta", "low", "high"),
    [(1, 10_000, 1e-6, 0.0530, 0.0550), (2, 100_000, 1e-8, 0.0587, 0.0589), (4, 1_000_000, 1e-9, 0.0706, 0.0708)],
)
def test_reference_points(epsilon0, n, delta, low, high):
    found = shuffled_epsilon(epsilon0, n, delta=delta)
    assert isinstance(found, Interval)
    assert low <= found.lower <= found.upper <= high


@given(
    st.floats(0.02, 7),
    st.one_of(st.integers(1, 60), st.integers(60, 40_000)),
    st.floats(-11, -0.5),
    st.sampled_from([None, 2, 3, 9]),
)
@settings(max_examples=20, deadline=None)
def test_more_people_a_smaller_budget_or_a_larger_delta_never_hurt(epsilon0, n, log_delta, d):
    def found(e, people, delta):
        return shuffled_epsilon(e, people, delta=delta, mechanism=DirectEncoding(e, d) if d else None)

    delta = 10**log_delta
    here = found(epsilon0, n, delta)
    assert 0 <= here.lower <= here.upper <= epsilon0
    assert here.lower <= found(1.1 * epsilon0, n, delta).upper
    assert found(epsilon0, 2 * n, delta).lower <= here.upper
    assert found(epsilon0, n, 1.5 * delta).lower <= here.upper
    if d:  # what holds for every randomizer holds for this one
        assert here.lower <= shuffled_epsilon(epsilon0, n, delta=delta).upper


@pytest.mark.parametrize("d", [None, 2, 7])
@pytest.mark.parametrize(
    ("epsilon", "n", "delta"), [(0.1, 20_000, 1e-7), (1.0, 500, 1e-5), (0.5, 1, 1e-3), (0.01, 90, 1e-6)]
)
def test_the_budget_at_home(epsilon, n, delta, d):
    found = needed_epsilon0(epsilon, n, delta=delta, d=d)

    def upper(e):
        return shuffled_epsilon(e, n, delta=delta, mechanism=DirectEncoding(e, d) if d else None).upper

    assert found >= epsilon
    assert found == epsilon or upper(found) <= epsilon
    assert upper(found * 1.012) > epsilon


def test_reports_stay_what_they_are():
    oracle = OptimizedUnary(1.0, 5)
    reports = oracle.privatize([0, 1, 4, 4, 2, 2], rng=1)
    before = reports.copy()
    mixed = shuffle(reports, rng=1)
    assert np.array_equal(reports, before)
    assert mixed.dtype == reports.dtype
    assert np.array_equal(oracle.aggregate(mixed), oracle.aggregate(reports))
    assert sorted(map(tuple, mixed.tolist())) == sorted(map(tuple, reports.tolist()))
    assert np.array_equal(shuffle(reports, rng=7), shuffle(reports, rng=7))


def test_nothing_overflows_at_the_largest_budgets():
    assert shuffled_epsilon(450.0, 500, delta=1e-6, mechanism=DirectEncoding(450.0, 10)).upper <= 450
