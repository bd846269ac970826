"""Count-mean sketches: exact ε, exact mean and variance given the hash functions, and over their draw."""

import math
import pickle
import tracemalloc

import numpy as np
import pytest
from scipy import stats

from ldp_core._validate import seeded
from ldp_core.frequency import CountMeanSketch, HadamardCountMeanSketch
from ldp_core.frequency import sketch as module

BOTH = [CountMeanSketch, HadamardCountMeanSketch]


def peak_mb(action):
    """Largest memory, in MB, that is held at a time besides what was there before."""
    tracemalloc.start()
    action()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize(("rows", "width"), [(1, 2), (1, 4), (2, 2), (3, 2)])
def test_unbiased_and_of_the_variance_given_over_all_hash_functions(kind, rows, width):
    """A domain of four has two binary digits: there are width² functions for each row, and every one is met."""
    counts = np.array([3, 0, 5, 4])
    sketches = [kind(1.0, 4, rows=rows, width=width, hash_seed=seed) for seed in range(40 * width ** (2 * rows))]
    different = {sketch.columns.tobytes(): sketch for sketch in sketches}.values()
    assert len(different) == width ** (2 * rows)
    np.testing.assert_allclose(
        np.mean([sketch.expectation(counts) for sketch in different], axis=0), counts, atol=1e-12
    )
    variance = np.mean([sketch.conditional_variance(counts) for sketch in different], axis=0)
    np.testing.assert_allclose(sketches[0].variance(12, counts), variance, rtol=1e-12)
    assert sketches[0].variance(12) == pytest.approx(variance[1])


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize(("rows", "width"), [(1, 2), (3, 4), (16, 64), (5, 1024), (2**15, 2**16)])
def test_a_report_takes_the_bytes_that_bits_promises(kind, rows, width):
    sketch = kind(1.0, 100, rows=rows, width=width)
    reports = sketch.privatize(np.arange(100), rng=3)
    assert reports.dtype == np.uint8
    assert reports.nbytes == 100 * -(-sketch.bits // 8)
    row, *rest = sketch.unpack(reports)
    assert 0 <= row.min() <= row.max() < rows
    if kind is CountMeanSketch:
        assert rest[0].shape == (100, width)
        assert set(np.unique(rest[0])) == {0, 1}
    else:
        assert 0 <= rest[0].min() <= rest[0].max() < width
        assert set(rest[1].tolist()) == {-1, 1}


@pytest.mark.parametrize("kind", BOTH)
def test_unpacked_reports_support_the_column_of_the_row(kind):
    """With next to no noise, a report says where its value is hashed to."""
    sketch = kind(60.0, 50, rows=5, width=16, hash_seed=4)
    values = np.arange(50).repeat(20)
    row, *rest = sketch.unpack(sketch.privatize(values, rng=5))
    column = sketch.columns[values, row]
    if kind is CountMeanSketch:
        np.testing.assert_array_equal(rest[0], column[:, None] == np.arange(16))
    else:
        common = [bin(index & other).count("1") for index, other in zip(rest[0], column, strict=True)]
        np.testing.assert_array_equal(rest[1], (-1.0) ** np.array(common))


@pytest.mark.parametrize("kind", BOTH)
def test_memory_for_a_large_domain(kind):
    """2¹⁷ values, all held: a matrix of values and held values would take 17 GB a byte."""
    sketch = kind(1.0, 2**17, rows=4, width=64)
    counts = np.arange(2**17) % 3 + 1
    zero = np.zeros(sketch.counts_shape, dtype=np.int64)
    assert len(pickle.dumps(sketch)) - len(pickle.dumps(sketch._domain)) < 5_000
    for step in (
        lambda: sketch.conditional_variance(counts),
        lambda: sketch.expectation(counts),
        lambda: sketch.simulate(counts, 1),
        lambda: sketch.estimate(zero, 1),
    ):
        assert peak_mb(step) < 12 * 8 * sketch.d / 1e6  # a dozen numbers for each value


@pytest.mark.parametrize("kind", BOTH)
def test_variance_is_that_of_pairs_of_values(kind, monkeypatch):
    """Against the definition, value by held value; wide tables of pairs are not written out, with the same result."""
    sketch = kind(0.7, 40, rows=6, width=8, hash_seed=2)
    counts = np.random.default_rng(3).integers(0, 5, 40)
    share = (sketch.columns[:, None] == sketch.columns).mean(axis=2)
    c = math.tanh(0.7 / 4 if kind is CountMeanSketch else 0.7 / 2)
    noise = (1 / c**2 - 1) / (4 if kind is CountMeanSketch else 1)
    elsewhere = 0 if kind is CountMeanSketch else 1
    exact = (share + (1 - share) * elsewhere + noise - share**2) @ counts * (8 / 7) ** 2
    np.testing.assert_allclose(sketch.conditional_variance(counts), exact, rtol=1e-12)
    monkeypatch.setattr(module, "PAIR_CELLS", 0)
    np.testing.assert_allclose(sketch.conditional_variance(counts), exact, rtol=1e-12)


@pytest.mark.parametrize("kind", BOTH)
def test_a_seed_of_noise_is_not_that_of_the_hash_functions(kind):
    """From one stream, the first users' rows would repeat the hash functions' coefficients, number by number."""
    for seed in range(20):
        sketch = kind(1.0, 2**12, rows=64, width=64, hash_seed=seed)
        coefficients = sketch._coefficients.ravel()
        codes = np.zeros(coefficients.size, dtype=np.int64)
        same = seeded(seed, "hash")
        assert np.array_equal(sketch.unpack(sketch.perturb(codes, same))[0], coefficients)
        agree = np.count_nonzero(sketch.unpack(sketch.perturb(codes, seed))[0] == coefficients)
        assert agree < stats.binom.isf(1e-6 / 40, coefficients.size, 1 / 64)  # false alarm 1e-6 over both kinds


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: HadamardCountMeanSketch(1.0, 4, width=6), "width must be a power of two"),
        (lambda: CountMeanSketch(1.0, 4, rows=2, width=2).aggregate([[0.5]]), "reports must be packed bytes"),
        (lambda: CountMeanSketch(1.0, 4, width=4).aggregate([[0, 1]]), "reports must have shape"),
        (lambda: CountMeanSketch(1.0, 4, rows=2, width=7).aggregate([[256]]), "bytes 0 to 255, got 256 at index"),
        (lambda: CountMeanSketch(1.0, 4, rows=2, width=2).aggregate([[1]]), "reports must end in 5 zero bits"),
        (lambda: CountMeanSketch(1.0, 4, rows=3, width=6).aggregate([[0b11_000000]]), "row between 0 and 2, got 3"),
        (lambda: HadamardCountMeanSketch(1.0, 4, rows=3, width=2).aggregate([[0b1100_0000]]), "row between 0 and 2"),
        (lambda: HadamardCountMeanSketch(1.0, 4, rows=3, width=2).aggregate([[0b1000_1000]]), "4 zero bits"),
        (
            lambda: CountMeanSketch(1.0, 4).estimate(np.zeros((2, 2), dtype=int), 3),
            r"counts must have shape \(\.\.\., 16, 65\)",
        ),
        (lambda: CountMeanSketch(1.0, 4, width=64).channel(), "smaller width"),
    ],
)
def test_bad_input(make, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make()
