"""Count-mean sketches: exact ε, exact mean and variance given the hash functions, and over their draw.

Statistical tests compare samples with an exact law; they fail at p-values below 1e-6, with fixed seeds.
"""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from ldp_core.audit import exact_epsilon
from ldp_core.frequency import CountMeanSketch, HadamardCountMeanSketch

BOTH = [CountMeanSketch, HadamardCountMeanSketch]


def outputs(sketch):
    """Every report, in the order of the channel's columns."""
    if isinstance(sketch, CountMeanSketch):
        bits = itertools.product((0, 1), repeat=sketch.width)
        return np.array([(row, *pattern) for row, pattern in itertools.product(range(sketch.rows), list(bits))])
    return np.array(list(itertools.product(range(sketch.rows), range(sketch.width), (-1, 1))))


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_channel_has_exactly_the_nominal_epsilon(kind, epsilon):
    sketch = kind(epsilon, 6, rows=3, width=4, hash_seed=1)
    channel = sketch.channel()
    np.testing.assert_allclose(channel.sum(axis=1), 1)
    assert channel.shape == (6, len(outputs(sketch)))
    assert exact_epsilon(channel) == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_expectation_and_variance_by_enumeration(kind, epsilon):
    """One user at a time: the mean and variance of the estimate over all reports, weighted with users' counts."""
    sketch = kind(epsilon, 5, rows=2, width=4, hash_seed=3)
    counts = np.array([5, 1, 0, 7, 2])
    n = int(counts.sum())
    zero = sketch.estimate(np.zeros(sketch._shape, dtype=int), n)
    single = np.array(
        [sketch.estimate(sketch.aggregate(outputs(sketch)[[y]]), n) - zero for y in range(len(outputs(sketch)))]
    )
    channel = sketch.channel()
    mean = channel @ single
    square = channel @ single**2
    np.testing.assert_allclose(zero + counts @ mean, sketch.expectation(counts), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(counts @ (square - mean**2), sketch.variance(counts), rtol=1e-9)


@pytest.mark.parametrize("kind", BOTH)
def test_unbiased_over_all_hash_functions(kind):
    """A domain of four has two binary digits: with one row of width 2 there are four hash functions."""
    counts = np.array([3, 0, 5, 4])
    sketch = kind(1.0, 4, rows=1, width=2)
    total = np.zeros(4)
    for a, b in itertools.product(range(2), repeat=2):
        sketch.columns = (np.array([[0], [a], [b], [a + b]])) % 2
        total += sketch.expectation(counts)
    np.testing.assert_allclose(total / 4, counts)


@pytest.mark.parametrize("kind", BOTH)
def test_per_user_path_and_simulation_agree_with_the_exact_moments(kind):
    """z tests of the mean over 400 runs each: the largest of 2 × 12 stays below the 1e-6 quantile."""
    sketch = kind(2.0, 12, rows=4, width=8, hash_seed=2)
    counts = np.arange(12) * 5 + 1
    values = np.repeat(np.arange(12), counts)
    rng = np.random.default_rng(8)
    mean, deviation = sketch.expectation(counts), np.sqrt(sketch.variance(counts))
    for draw in (lambda: sketch.aggregate(sketch.privatize(values, rng)), lambda: sketch.simulate(counts, rng)):
        runs = np.array([sketch.estimate(draw(), len(values)) for _ in range(400)])
        z = np.abs(runs.mean(axis=0) - mean) / (deviation / 20)
        assert z.max() < stats.norm.isf(1e-6 / 48)
        ratio = runs.var(axis=0, ddof=1) / deviation**2
        low, high = stats.chi2.ppf([1e-6 / 48, 1 - 1e-6 / 48], 399) / 399
        assert low * 0.8 < ratio.min()  # sums of many bounded terms: kurtosis close to a normal's
        assert ratio.max() < high * 1.2


@pytest.mark.parametrize("kind", BOTH)
def test_sketches_of_shards_add_up(kind):
    sketch = kind(1.0, 9, rows=3, width=4)
    reports = sketch.privatize(np.arange(9).repeat(20), rng=1)
    np.testing.assert_array_equal(
        sketch.aggregate(reports[:70]) + sketch.aggregate(reports[70:]), sketch.aggregate(reports)
    )


def test_many_users_one_value_of_a_million():
    sketch = HadamardCountMeanSketch(4.0, 2**20, rows=64, width=1024)
    values = np.full(50_000, 123_456)
    estimate = sketch.estimate(sketch.aggregate(sketch.privatize(values, rng=2)), n=50_000)
    assert int(np.argmax(estimate)) == 123_456
    assert sketch.bits == 6 + 10 + 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: CountMeanSketch(0.0, 4), "epsilon must be > 0"),
        (lambda: CountMeanSketch(1.0, 4, rows=0), "rows must be between 1"),
        (lambda: CountMeanSketch(1.0, 4, width=1), "width must be between 2"),
        (lambda: HadamardCountMeanSketch(1.0, 4, width=6), "width must be a power of two"),
        (lambda: CountMeanSketch(1.0, 4, width=4).aggregate([[0, 1]]), "shape"),
        (lambda: CountMeanSketch(1.0, 4, rows=2, width=2).aggregate([[0, 1, 2]]), "bits 0 and 1"),
        (lambda: CountMeanSketch(1.0, 4, rows=2, width=2).aggregate([[2, 1, 0]]), "row between 0 and 1"),
        (lambda: HadamardCountMeanSketch(1.0, 4, width=4).aggregate([[0, 4, 1]]), "index between 0 and 3"),
        (lambda: HadamardCountMeanSketch(1.0, 4, width=4).aggregate([[0, 1, 0]]), "sign of -1 or 1"),
        (lambda: CountMeanSketch(1.0, 4).estimate(np.zeros((2, 2), dtype=int), 3), "sketch must be"),
        (lambda: CountMeanSketch(1.0, 4, width=64).channel(), "smaller width"),
        (lambda: CountMeanSketch(1.0, 4).encode([4]), "values must be"),
        (lambda: CountMeanSketch(math.inf, 4), "epsilon must be finite"),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(ValueError, match=message):
        make()
