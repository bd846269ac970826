"""The faults are real: each figure is proved by enumeration, and each sampler has the faulty law."""

import math

import numpy as np
import pytest
from scipy import stats

from ldp_core.audit import exact_epsilon
from ldp_core.numeric import Duchi, Piecewise, exhibits
from ldp_core.numeric.duchi import corners

FALSE_ALARM = 1e-6


def test_unequal_ties_figures():
    assert round(exact_epsilon(exhibits.unequal_ties_channel(1.0, 2)), 2) == 2.10
    assert round(exact_epsilon(exhibits.unequal_ties_channel(1.0, 4)), 2) == 1.79
    mean = exhibits.mean_report(exhibits.unequal_ties_channel(1.0, 2), exhibits.published_size(1.0, 2), [0.5, 0.5])
    np.testing.assert_array_equal(mean.round(2), [2.08, 2.08])


@pytest.mark.parametrize("d", range(1, 9))
def test_unequal_ties_by_counting_corners(d):
    """T⁺: strictly more than half of the places agree; T⁻: all other corners. Written out without weights."""
    epsilon = 0.7
    signs = corners(d).astype(int)
    above = signs @ signs.T > 0
    likely = math.exp(epsilon) / (math.exp(epsilon) + 1)
    size = above.sum(axis=1, keepdims=True)
    channel = np.where(above, likely / size, (1 - likely) / (2**d - size))
    np.testing.assert_allclose(exhibits.unequal_ties_channel(epsilon, d), channel, rtol=1e-12)
    expected = epsilon + math.log((2**d - size[0, 0]) / size[0, 0])
    assert exact_epsilon(channel) == pytest.approx(expected)
    assert (expected > epsilon + 1e-9) == (d % 2 == 0)


@pytest.mark.parametrize("d", range(1, 9))
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_closed_ties_lose_privacy_but_not_the_mean(d, epsilon):
    channel, size = exhibits.closed_ties_channel(epsilon, d), exhibits.published_size(epsilon, d)
    expected = math.log(math.exp(epsilon) + 1) if d % 2 == 0 else epsilon
    assert exact_epsilon(channel) == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(size * channel @ corners(d), corners(d), atol=1e-12 * size)
    # The repair beside it: epsilon holds, the mean holds.
    mended = Duchi(epsilon, d)
    assert exact_epsilon(mended.channel()) == pytest.approx(epsilon, rel=1e-12)
    t = np.linspace(-0.8, 1, d)
    np.testing.assert_allclose(exhibits.mean_report(mended.channel(), mended.B, t), t, atol=1e-12)


def test_closed_ties_by_counting_corners():
    """d = 4: draw T⁺ or T⁻, both with the ties, then a corner of it; a tie can come from either."""
    signs = corners(4).astype(int)
    agree, epsilon = signs @ signs.T, 1.0
    likely = math.exp(epsilon) / (math.exp(epsilon) + 1)
    n = (agree[0] >= 0).sum()
    np.testing.assert_allclose(
        exhibits.closed_ties_channel(epsilon, 4), likely / n * (agree >= 0) + (1 - likely) / n * (agree <= 0)
    )


def test_unequal_ties_sampler(chi_square_p):
    """All 16 corners by chi-square against the exact law, false alarm 1e-6."""
    runs, t = 20_000, np.array([1.0, -1.0, 1.0, 1.0])
    reports = exhibits.unequal_ties_perturb(np.tile(t, (runs, 1)), 1.0, rng=4)
    size = exhibits.published_size(1.0, 4)
    row = int(np.flatnonzero((corners(4) == t).all(axis=1))[0])
    names = [tuple(y) for y in np.where(corners(4) > 0, size, -size).tolist()]
    law = dict(zip(names, exhibits.unequal_ties_channel(1.0, 4)[row], strict=True))
    assert chi_square_p([tuple(y) for y in reports.tolist()], law) > FALSE_ALARM


def test_fair_coin_figures():
    assert round(float(exhibits.fair_coin_mean(0.5, 1.0)), 2) == 1.03
    for epsilon in (0.1, 1.0, 5.0):
        root, t = math.exp(epsilon / 2), np.linspace(-1, 1, 5)
        off = t * (root + 2) / (2 * (math.exp(epsilon) - 1))
        np.testing.assert_allclose(exhibits.fair_coin_mean(t, epsilon) - t, off, atol=1e-12)
        assert exact_epsilon(exhibits.fair_coin_channel(epsilon)) == math.inf
        # Even away from the ends, where no side has length 0, the short side is too dense.
        assert exact_epsilon(exhibits.fair_coin_channel(epsilon, [-0.9, 0.9])) > epsilon + 0.1
        assert exact_epsilon(Piecewise(epsilon).channel([-0.9, 0.9])) <= epsilon * (1 + 1e-9)


def test_fair_coin_channel_and_sampler(chi_square_p):
    """Cells and both end points by chi-square, false alarm 1e-6; at t = 1, C itself has positive mass."""
    inputs, runs = np.array([-1.0, 0.5, 1.0]), 20_000
    channel, edges = exhibits.fair_coin_channel(1.0, inputs), Piecewise(1.0).edges(inputs)
    np.testing.assert_allclose(channel.sum(axis=1), 1, atol=1e-12)
    assert channel[2, -1] == pytest.approx(0.5 / (math.exp(0.5) + 1))
    for t, law in zip(inputs, channel, strict=True):
        reports = exhibits.fair_coin_perturb(np.full(runs, t), 1.0, rng=6)
        cell = np.clip(np.searchsorted(edges, reports, side="right"), 1, len(edges) - 1)
        cell = np.where(reports == edges[0], 0, np.where(reports == edges[-1], len(edges), cell))
        assert chi_square_p(cell.tolist(), dict(enumerate(law.tolist()))) > FALSE_ALARM
        error = 6 * reports.std() / math.sqrt(runs)  # false alarm 2e-9
        assert abs(reports.mean() - exhibits.fair_coin_mean(t, 1.0)) < error


def test_with_replacement_shrinks_the_mean():
    """ε = 10, d = 4, k = 4 draws: mean within 6 standard errors of the shrunken value (2e-9), and far from the true."""
    t, n = np.array([1.0, -1.0, 0.5, 0.8]), 40_000
    factor = exhibits.with_replacement_factor(10.0, 4)
    assert factor == pytest.approx(1 - 0.75**4)
    reports = exhibits.with_replacement_perturb(np.tile(t, (n, 1)), 10.0, rng=8)
    error = reports.std(axis=0) / math.sqrt(n)
    assert np.all(np.abs(reports.mean(axis=0) - factor * t) < 6 * error)
    assert np.all(np.abs(reports.mean(axis=0) - t) > 20 * error)
    assert exhibits.with_replacement_factor(4.9, 16) == 1.0


def test_with_replacement_sends_fewer_coordinates():
    """The number of different coordinates among k = 2 draws of d = 3, by chi-square: 1 with probability 1/3."""
    reports = exhibits.with_replacement_perturb(np.full((9_000, 3), 0.4), 5.0, rng=9)
    sent = np.bincount(np.count_nonzero(reports, axis=1), minlength=3)[1:3]
    assert stats.chisquare(sent, [3_000, 6_000]).pvalue > FALSE_ALARM


def test_bad_input():
    for function in (exhibits.unequal_ties_perturb, exhibits.with_replacement_perturb):
        for t in ([0.1], [], [[]], [[1.2]]):
            with pytest.raises(ValueError, match="t must"):
                function(t, 1.0, rng=0)
    for function in (exhibits.closed_ties_channel, exhibits.unequal_ties_channel):
        with pytest.raises(ValueError, match="dim must be between 1 and 12, got 13"):
            function(1.0, 13)
        with pytest.raises(ValueError, match="epsilon must be > 0"):
            function(0.0, 2)
    with pytest.raises(ValueError, match="channel must have shape"):
        exhibits.mean_report(np.eye(4), 1.0, [0.1, 0.2, 0.3])
