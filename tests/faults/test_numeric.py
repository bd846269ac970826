"""Faults for numbers are real: each figure is proved by enumeration."""

import itertools
import math

import numpy as np
import pytest

from ldp_book.faults import numeric as faults
from ldp_core.audit import exact_epsilon
from ldp_core.numeric import Duchi, Piecewise
from ldp_core.numeric._corners import corners


@pytest.mark.parametrize("d", [1, 2, 5, 8])
def test_unequal_ties_by_counting_corners(d):
    """T⁺: strictly more than half of the places agree; T⁻: all other corners. Written out without weights."""
    epsilon = 0.7
    signs = corners(d).astype(int)
    above = signs @ signs.T > 0
    likely = math.exp(epsilon) / (math.exp(epsilon) + 1)
    size = above.sum(axis=1, keepdims=True)
    channel = np.where(above, likely / size, (1 - likely) / (2**d - size))
    np.testing.assert_allclose(faults.unequal_ties_channel(epsilon, d), channel, rtol=1e-12)
    expected = epsilon + math.log((2**d - size[0, 0]) / size[0, 0])
    assert exact_epsilon(channel) == pytest.approx(expected)
    assert (expected > epsilon + 1e-9) == (d % 2 == 0)


@pytest.mark.parametrize("d", [1, 2, 5, 8])
@pytest.mark.parametrize("epsilon", [0.1, 4.0])
def test_closed_ties_lose_privacy_but_not_the_mean(d, epsilon):
    channel, size = faults.closed_ties_channel(epsilon, d), faults.published_size(epsilon, d)
    expected = math.log(math.exp(epsilon) + 1) if d % 2 == 0 else epsilon
    assert exact_epsilon(channel) == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(size * channel @ corners(d), corners(d), atol=1e-12 * size)
    # The repair beside it: epsilon holds, the mean holds.
    mended = Duchi(epsilon, d)
    assert exact_epsilon(mended.channel()) == pytest.approx(epsilon, rel=1e-12)
    t = np.linspace(-0.8, 1, d)
    np.testing.assert_allclose(faults.mean_report(mended.channel(), mended.B, t), t, atol=1e-12)


def test_fair_coin_figures():
    assert round(float(faults.fair_coin_mean(1.0, 0.5)), 2) == 1.03
    for epsilon in (0.1, 1.0, 5.0):
        root, t = math.exp(epsilon / 2), np.linspace(-1, 1, 5)
        off = t * (root + 2) / (2 * (math.exp(epsilon) - 1))
        np.testing.assert_allclose(faults.fair_coin_mean(epsilon, t) - t, off, atol=1e-12)
        channel, edges, c = faults.fair_coin_channel(epsilon, t), Piecewise(epsilon).edges(t), Piecewise(epsilon).C
        np.testing.assert_allclose(channel.sum(axis=1), 1, atol=1e-12)
        middles = np.concatenate([[-c], (edges[1:] + edges[:-1]) / 2, [c]])
        np.testing.assert_allclose(channel @ middles, faults.fair_coin_mean(epsilon, t), atol=1e-10)
        assert channel[-1, -1] == pytest.approx(1 / (root + 1) / 2), "where the side has no length, at its end"
        assert exact_epsilon(faults.fair_coin_channel(epsilon)) == math.inf
        # Even away from the ends, where no side has length 0, the short side is too dense.
        assert exact_epsilon(faults.fair_coin_channel(epsilon, [-0.9, 0.9])) > epsilon + 0.1
        assert exact_epsilon(Piecewise(epsilon).channel([-0.9, 0.9])) <= epsilon * (1 + 1e-9)


@pytest.mark.parametrize(("epsilon", "d"), [(5.0, 2), (7.5, 3), (10.0, 4), (10.0, 9)])
def test_with_replacement_factor_by_enumeration(epsilon, d):
    """All d^k draws: how often the first coordinate is among them, against the k/d that the scale presumes."""
    k = Piecewise(epsilon, d).k
    sent = sum(0 in draw for draw in itertools.product(range(d), repeat=k))
    assert faults.with_replacement_factor(epsilon, d) == pytest.approx(sent / d**k * d / k)
    assert faults.with_replacement_factor(epsilon, d) < 1
    assert faults.with_replacement_factor(4.9, 16) == 1.0


def test_the_published_size_of_many_coordinates():
    assert faults.published_size(1.0, 2**24) == pytest.approx(Duchi(1.0, 2**24).B + 1 / math.tanh(0.5))
