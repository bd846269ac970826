"""Presentable estimates: what each step guarantees, what it costs, and that no oracle takes it by itself."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_core.frequency import DirectEncoding, SubsetSelection
from ldp_core.numeric import SquareWave
from ldp_core.postprocess import clip_negative, em, ems, normalize, project_simplex, quantile

VECTORS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30)


@given(VECTORS)
def test_clip(estimates):
    clipped = clip_negative(estimates)
    assert clipped.tolist() == [max(x, 0.0) for x in estimates]


@given(VECTORS, st.floats(0.1, 1e6))
def test_normalize(estimates, total):
    if sum(estimates) <= 1e-3:
        estimates = [abs(x) + 1 for x in estimates]
    scaled = normalize(estimates, total)
    size = total * np.abs(estimates).sum() / sum(estimates)  # what rounding errors are relative to
    assert scaled.sum() == pytest.approx(total, abs=1e-12 * size)
    np.testing.assert_allclose(scaled * sum(estimates), np.array(estimates) * total, rtol=1e-9, atol=1e-9)


@given(VECTORS, st.floats(0.1, 1e6))
def test_projection_is_the_nearest_point(estimates, total):
    """Optimality (Karush-Kuhn-Tucker): one shift for all entries kept, and no entry dropped that exceeds it."""
    projected = project_simplex(estimates, total)
    assert projected.min() >= 0
    assert projected.sum() == pytest.approx(total, rel=1e-9)
    shift = np.array(estimates) - projected
    kept = projected > 0
    tolerance = 1e-9 * (np.abs(estimates).max() + total)
    assert np.ptp(shift[kept]) <= tolerance
    assert np.all(np.array(estimates)[~kept] <= shift[kept].max() + tolerance)


def test_projection_leaves_a_valid_vector_alone_and_forgets_a_common_offset():
    valid = np.array([0.5, 0.25, 0.25, 0.0])
    np.testing.assert_allclose(project_simplex(valid), valid, atol=1e-15)
    np.testing.assert_allclose(project_simplex(valid + 2.0**40), valid, atol=1e-3)


@pytest.mark.parametrize("estimates", [[1e-320, 0.0], [1e308, 1e308, 1e308], [1e308, -1e307], [3.0, 1.0]])
@pytest.mark.parametrize("total", [1e-300, 1.0, 1e300])
def test_sizes_at_the_edge_of_double_precision(estimates, total):
    """No sum overflows and no quotient is infinite, where the answer itself is an ordinary number."""
    exact = [Fraction(e) * Fraction(total) / sum(map(Fraction, estimates)) for e in estimates]
    np.testing.assert_allclose(normalize(estimates, total), [float(x) for x in exact], rtol=1e-12)
    projected = project_simplex(estimates, total)
    assert np.isfinite(projected).all()
    assert projected.min() >= 0


def test_scaling_that_no_double_holds():
    with pytest.raises(ValueError, match="total must be small enough"):
        normalize([1.0, -1.0 + 1e-15], total=1e308)


# ---- shares that explain the counts of reports -----------------------------------------------------------------------


def likelihood(counts, shares, channel):
    return counts @ np.log(shares @ channel)


@given(st.lists(st.integers(0, 1000), min_size=6, max_size=6).filter(any), st.sampled_from([0.1, 1.0, 5.0]))
def test_em_never_makes_the_counts_less_likely(counts, epsilon):
    counts, channel = np.array(counts), SquareWave(epsilon).channel(6)
    steps = [em(counts, channel, tolerance=0, iterations=k) for k in range(1, 15)]
    climbed = [likelihood(counts, shares, channel) for shares in [np.full(6, 1 / 6), *steps]]
    assert np.all(np.diff(climbed) >= -1e-12 * np.abs(climbed[0]))
    for shares in steps:
        assert shares.min() >= 0
        assert shares.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("channel", [DirectEncoding(1.0, 5).channel(), SubsetSelection(1.0, 5, k=2).channel()])
def test_em_finds_the_truth_behind_counts_without_noise(channel):
    truth = np.array([0.4, 0.3, 0.15, 0.1, 0.05])
    found = em(1e6 * (truth @ channel), channel, tolerance=0, iterations=20_000)
    np.testing.assert_allclose(found, truth, atol=1e-6)


def test_em_reaches_the_maximum():
    """Certified: the log-likelihood is concave, so its slope at θ bounds what any other shares could gain."""
    counts, channel = np.array([40, 25, 60, 10, 15, 50]), SquareWave(2.0).channel(6)
    shares = em(counts, channel, tolerance=0, iterations=20_000)
    slope = channel @ (counts / (shares @ channel))
    assert slope.max() - counts.sum() < 1e-3


def test_the_tolerance_is_the_gain_of_the_last_step_in_nats():
    counts, channel = SquareWave(1.0).simulate(np.arange(16) * 1000, rng=1), SquareWave(1.0).channel(16)
    for tolerance in (1.0, 0.01):
        stopped = em(counts, channel, tolerance=tolerance)
        steps = [em(counts, channel, tolerance=0, iterations=k) for k in range(1, 500)]
        gains = np.diff([likelihood(counts, shares, channel) for shares in steps])
        last = int(np.argmax(gains <= tolerance)) + 1  # the first step that gains no more
        np.testing.assert_allclose(stopped, steps[last], atol=1e-12)


def test_runs_are_independent_and_what_never_came_may_be_left_out():
    channel = SquareWave(1.0).channel(5)
    counts = np.array([[[5, 0, 3, 2, 9], [1, 1, 1, 1, 1]], [[0, 0, 7, 0, 0], [2, 4, 6, 8, 1]]])
    for fit in (em, ems):
        together = fit(counts, channel)
        assert together.shape == (2, 2, 5)
        np.testing.assert_allclose(together[1, 0], fit(counts[1, 0], channel), rtol=1e-12)
    padded = np.pad(channel, ((0, 0), (0, 1)))  # a report that no input makes, and that never came
    np.testing.assert_allclose(em([5, 0, 3, 2, 9, 0], padded), em(counts[0, 0], channel), atol=1e-15)


def test_ems_is_smoother_and_leaves_an_even_distribution_alone():
    mechanism, bins = SquareWave(1.0), 64
    channel = mechanism.channel(bins)
    counts = mechanism.simulate(np.full(bins, 1_000), rng=2)
    rough, smooth = (fit(counts, channel) for fit in (em, ems))
    assert np.abs(np.diff(smooth)).sum() < 0.5 * np.abs(np.diff(rough)).sum()
    even = channel.sum(axis=0)
    np.testing.assert_allclose(ems(even, channel), np.full(bins, 1 / bins), atol=1e-12)
    # Without noise in the channel a step of em gives the counts back: what is left is the smoothing.
    one_step = ems([0.0, 0.0, 8.0, 0.0, 4.0], np.eye(5), iterations=1)
    np.testing.assert_allclose(one_step, np.array([0, 2, 4, 3, 3]) / 12)


@pytest.mark.parametrize("size", [1e-280, 1.0, 1e280])
def test_counts_at_the_edge_of_double_precision(size):
    channel = DirectEncoding(1.0, 3).channel()
    for fit in (em, ems):
        shares = fit(np.array([3.0, 0.0, 1.0]) * size, channel, iterations=50)
        assert np.isfinite(shares).all()
    assert np.isfinite(em([1e290, 1e-290, 0.0], channel)).all()
    assert np.isfinite(em([5e-324, 1.0, 1.0], channel)).all()


def test_bad_counts():
    channel = DirectEncoding(1.0, 3).channel()
    for counts, message in (
        ([1, 2], r"counts must have shape \(\.\.\., 3\)"),
        (5.0, "counts must have shape"),
        ([-1, 2, 3], "counts must be >= 0, .* got -1.0 at index 0"),
        ([[1, 2, 3], [0, 0, 0]], "counts must add up to more than 0"),
    ):
        with pytest.raises(ValueError, match=message):
            em(counts, channel)
    with pytest.raises(ValueError, match=r"reports that the channel never makes, got 1.0 at index 2"):
        ems([1, 1, 1], [[0.5, 0.5, 0.0], [0.1, 0.9, 0.0]])


# ---- quantiles -------------------------------------------------------------------------------------------------------


def test_quantiles_of_known_histograms():
    assert quantile([1.0, 1.0], 0.5) == 0.0
    assert isinstance(quantile([1.0, 1.0], 0.5), float)
    np.testing.assert_allclose(quantile([1, 3], [[0, 0.25], [0.5, 1]], bounds=(0, 2)), [[0, 1], [4 / 3, 2]])
    # Empty bins: the least value that is reached, and never one outside what is filled.
    np.testing.assert_allclose(quantile([0, 2, 0, 2, 0], [0, 0.25, 0.5, 0.75, 1], bounds=(0, 5)), [1, 1.5, 2, 3.5, 4])
    even = quantile(np.full(10, 7), np.linspace(0, 1, 101), bounds=(20, 70))
    np.testing.assert_allclose(even, np.linspace(20, 70, 101), atol=1e-12)


@given(st.lists(st.floats(0, 1e300), min_size=1, max_size=20).filter(any), st.lists(st.floats(0, 1), min_size=1))
def test_quantiles_rise_and_the_distribution_function_undoes_them(shares, levels):
    shares, levels = np.array(shares) / max(shares), np.sort(levels)
    values = quantile(shares, levels, bounds=(0, len(shares)))
    assert np.all(np.diff(values) >= -1e-9)
    reached = np.interp(values, np.arange(len(shares) + 1), np.concatenate([[0], np.cumsum(shares)]) / shares.sum())
    np.testing.assert_allclose(reached, levels, atol=1e-9)


def test_bad_shares_and_levels():
    with pytest.raises(ValueError, match=r"shares must be >= 0, got -0.1 at index 1: try project_simplex"):
        quantile([1.0, -0.1], 0.5)
    with pytest.raises(ValueError, match=r"levels must lie in \[0, 1\], got 1.5"):
        quantile([1.0, 1.0], 1.5)
