"""Sensitivities by brute force over small data sets; propose-test-release and chunks by their exact laws."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from ldp_core.central import (
    clip,
    clipping_error,
    mean_distance,
    median_distance,
    noisy_mean,
    noisy_sum,
    propose_test_release,
    sample_and_aggregate,
    sum_sensitivity,
)

from .conftest import Recorder


@pytest.mark.parametrize("bounds", [(0.0, 3.0), (-1.0, 2.0), (2.0, 3.0), (-3.0, -1.0)])
def test_sum_sensitivity_by_brute_force(bounds):
    grid = np.linspace(*bounds, 5)
    added = max(abs(x) for x in grid)
    replaced = max(abs(x - y) for x, y in itertools.product(grid, grid))
    assert sum_sensitivity(bounds) == added
    assert sum_sensitivity(bounds, neighbours="replace") == replaced


def test_noise_of_a_sum_and_a_mean():
    """Variances over 4000 runs within 5 standard errors (kurtosis 6)."""
    values, rng = np.array([1.0, 2.0, 9.0]), np.random.default_rng(1)
    sums = np.array([noisy_sum(values, epsilon=2.0, bounds=(0, 4), rng=rng) for _ in range(4000)])
    expected = 2 * (4 / 2.0) ** 2
    assert abs(sums.mean() - 7.0) < 5 * math.sqrt(expected / 4000)
    assert abs(sums.var() - expected) < 5 * expected * math.sqrt(5 / 4000)
    people = np.linspace(0, 1, 5001)
    for neighbours in ("add-remove", "replace"):
        means = [noisy_mean(people, epsilon=1.0, bounds=(0, 1), neighbours=neighbours, rng=rng) for _ in range(300)]
        assert np.mean(means) == pytest.approx(0.5, abs=0.001)
        assert min(means) >= 0


def test_clipping_error_is_bias_and_noise():
    values = np.array([1.0, 5.0, 10.0])
    bias, deviation = clipping_error(values, upper=[0.5, 4.0, 20.0], epsilon=2.0)
    np.testing.assert_allclose(bias, [values.sum() - clip(values, (0, b)).sum() for b in (0.5, 4.0, 20.0)])
    np.testing.assert_allclose(deviation, math.sqrt(2) * np.array([0.5, 4.0, 20.0]) / 2)


def local_sensitivity_of_mean(n, width):
    """Worst case over data sets of n people in [0, width], one joining or leaving, by brute force over extremes."""
    worst = 0.0
    for ones in range(n + 1):
        mean = ones * width / n
        moved = [(ones * width + x) / (n + 1) for x in (0, width)]
        if n > 1:
            moved += [(ones * width - x) / (n - 1) for x in (0, width) if (x == 0 and ones < n) or (x > 0 and ones)]
        worst = max(worst, *(abs(m - mean) for m in moved))
    return worst


@pytest.mark.parametrize("proposed", [0.26, 0.5, 1.3])
@pytest.mark.parametrize("n", [1, 4, 9, 30])
def test_mean_distance_by_brute_force(n, proposed):
    width = 4.0
    k = mean_distance(n, bounds=(0, width), proposed=proposed)
    for smaller in range(1, n + 1):
        breaks = local_sensitivity_of_mean(smaller, width) > proposed + 1e-12
        assert breaks == (n - smaller >= k) or smaller == 1  # of one person nobody can leave
    assert abs(mean_distance(n + 1, bounds=(0, width), proposed=proposed) - k) <= 1


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_median_distance_by_brute_force(n):
    """All data sets over a small grid: the nearest to each whose np.median one replacement moves by more than b."""
    grid = np.array([0.0, 1.0, 3.0, 4.0])
    everything = list(itertools.combinations_with_replacement(grid, n))
    local = {
        values: max(
            abs(np.median((*values[:i], x, *values[i + 1 :])) - np.median(values)) for i in range(n) for x in grid
        )
        for values in everything
    }
    counts = {values: Counter(values) for values in everything}
    for proposed in (0.4, 0.5, 0.9, 1.2, 1.9, 2.5, 3.9):
        breaking = [values for values in everything if local[values] > proposed]
        for values in everything:
            replaced = (n - (counts[values] & counts[other]).total() for other in breaking)
            assert median_distance(values, bounds=(0, 4), proposed=proposed) == min(replaced, default=n)


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.05), (0.3, 0.2)])
def test_the_test_lets_through_at_most_delta(epsilon, delta):
    """At distance 0 it passes with probability exactly δ: binomial test over 8,000 runs, p-value above 1e-6."""
    rng = np.random.default_rng(2)
    passed = sum(
        propose_test_release(0.0, 0, proposed=1.0, epsilon=epsilon, delta=delta, rng=rng) is not None
        for _ in range(8_000)
    )
    assert stats.binomtest(passed, 8_000, delta).pvalue > 1e-6


def test_far_from_danger_it_releases_with_the_proposed_noise():
    rng = np.random.default_rng(3)
    released = [propose_test_release(5.0, 10**6, proposed=0.1, epsilon=1.0, delta=1e-6, rng=rng) for _ in range(5_000)]
    assert stats.kstest(released, stats.laplace(5.0, 0.2).cdf).pvalue > 1e-6


@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
@pytest.mark.parametrize("n_chunks", [8, 30])
def test_chunks_bound_what_one_record_can_do(neighbours, n_chunks):
    """The average over all neighbours, with the same draw of chunks: at most width/k, in proportion to the noise."""
    rows = np.random.default_rng(4).uniform(0, 1, size=40)
    settings = {"n_chunks": n_chunks, "bounds": (-5, 60), "epsilon": 2.0, "neighbours": neighbours}

    def average(data):
        rng = Recorder()  # no noise, the same chunks for the rows that are the same
        answer = sample_and_aggregate(data, lambda r: 100 * r.mean(), rng=rng, **settings)
        assert rng.scales == [pytest.approx(65 / n_chunks / 2.0)]
        return answer

    base = average(rows)
    if neighbours == "replace":
        others = [np.where(np.arange(40) == i, x, rows) for i in range(40) for x in (0.0, 1.0)]
    else:
        others = [np.append(rows, x) for x in np.linspace(0, 1, 21)] + [rows[:-1]]
    moved = [abs(average(other) - base) for other in others]
    assert 0 < max(moved) <= 65 / n_chunks + 1e-9


def test_every_row_draws_its_chunk_by_itself():
    """Under add/remove: chunk sizes of 4,000 rows in 4 chunks are binomial, and no chunk knows a row's position."""
    sizes, places = [], []

    def statistic(chunk):
        sizes.append(len(chunk))
        places.append(chunk.mean())
        return 0.0

    sample_and_aggregate(np.arange(4000.0), statistic, n_chunks=4, bounds=(0, 1), epsilon=1.0, rng=3)
    assert sum(sizes) == 4000
    assert len(set(sizes)) > 1
    assert stats.chisquare(sizes).pvalue > 1e-6
    assert np.allclose(places, 2000, atol=200)  # 5 standard deviations of a mean of 1,000 places


def test_a_chunk_without_rows_counts_as_the_lower_bound():
    def statistic(chunk):
        assert len(chunk)
        return 6.0

    settings = {"n_chunks": 1000, "bounds": (2, 6), "epsilon": 1e12, "rng": 1}
    assert sample_and_aggregate([1.0], statistic, **settings) == pytest.approx(2 + 4 / 1000, abs=1e-6)


@pytest.mark.parametrize(
    ("answer", "counts_as"),
    [
        (math.nan, 2.0), (math.inf, 6.0), (10**400, 6.0), (np.array(4.0), 4.0), (np.True_, 2.0),
        (ZeroDivisionError(), 2.0), (np.linalg.LinAlgError(), 2.0), (IndexError(), 2.0),
    ],
)  # fmt: skip
def test_no_record_can_stop_sample_and_aggregate(answer, counts_as):
    """A statistic that fails on the chunk with one person's record still gives an answer within width/chunks."""

    def statistic(rows):
        if 13.0 in rows:
            if isinstance(answer, Exception):
                raise answer
            return answer
        return 5.0

    settings = {"n_chunks": 10, "bounds": (2, 6), "epsilon": 1e12, "neighbours": "replace", "rng": 1}
    found = sample_and_aggregate(np.arange(40.0), statistic, **settings)
    assert found == pytest.approx((9 * 5.0 + counts_as) / 10, abs=1e-9)
    assert abs(found - sample_and_aggregate(np.zeros(40), statistic, **settings)) <= 4 / 10 + 1e-9


@pytest.mark.parametrize("statistic", [lambda rows: no_such_name, lambda rows: 1 + "", lambda rows: "2"])  # noqa: F821
def test_mistakes_in_a_statistic_are_passed_on(statistic):
    with pytest.raises((NameError, TypeError)):
        sample_and_aggregate([1.0], statistic, n_chunks=1, bounds=(0, 1), epsilon=1)


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e308, 10**400])
@pytest.mark.parametrize("distance", [0, 10**6])
def test_a_value_is_refused_whether_or_not_the_test_passes(value, distance):
    rng = np.random.default_rng(1)
    for _ in range(20):
        with pytest.raises(ValueError, match="value"):
            propose_test_release(value, distance, proposed=1.0, epsilon=1.0, delta=1e-6, rng=rng)


def test_distances_of_bounds_that_differ_by_orders_of_magnitude():
    assert mean_distance(10, bounds=(0, 1e200), proposed=1e-200) == 0
    k = mean_distance(10**18, bounds=(0, 1), proposed=1e-17)
    assert Fraction(1, 10**18 - k) > Fraction(1e-17) >= Fraction(1, 10**18 - k + 1)


def test_a_statistic_that_warns_says_nothing_about_the_rows():
    values = np.arange(12.0)  # a chunk of one row has no variance, and NumPy would say so: an error in this suite
    for seed in range(5):
        sample_and_aggregate(
            values, lambda rows: np.var(rows, ddof=1), n_chunks=11, bounds=(0, 100), epsilon=1.0, rng=seed
        )
