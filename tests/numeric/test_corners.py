"""Laws over the corners of a cube: shares, agreements, and how they are drawn."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from ldp_core.numeric._corners import agreement_channel, corners, draw_agreement, power_over_binomial, share_of_corners

FALSE_ALARM = 1e-6


def test_agreement_is_drawn_with_its_exact_law(chi_square_p):
    """Counts by chi-square, then, given the count, all sets of places alike; false alarm 1e-6 each."""
    weights, runs = np.array([1.0, 5.0, 0.0, 2.0, 7.0]), 30_000
    agree = draw_agreement(weights, runs, np.random.default_rng(5))
    mass = weights * [math.comb(4, k) for k in range(5)]
    law = dict(enumerate((mass / mass.sum()).tolist()))
    assert chi_square_p(agree.sum(axis=1).tolist(), law) > FALSE_ALARM
    for k in (1, 3):
        sets = [tuple(np.flatnonzero(row).tolist()) for row in agree if row.sum() == k]
        assert chi_square_p(sets, dict.fromkeys(itertools.combinations(range(4), k), 0.25)) > FALSE_ALARM


@pytest.mark.parametrize("d", [1, 4, 9, 1001, 1030])
def test_share_of_corners(d):
    np.testing.assert_allclose(share_of_corners(d), stats.binom.pmf(range(d + 1), d, 0.5), rtol=1e-9, atol=1e-300)


def test_agreement_channel_counts_agreements():
    channel = agreement_channel(np.array([1.0, 2.0, 4.0]))
    np.testing.assert_allclose(channel[0] * 9, [4, 2, 2, 1])
    np.testing.assert_array_equal(corners(2), [[-1, -1], [1, -1], [-1, 1], [1, 1]])


@pytest.mark.parametrize("m", [0, 1, 7, 499, 500, 501, 2_000])
def test_powers_over_binomials(m):
    assert power_over_binomial(m) == pytest.approx(4**m / math.comb(2 * m, m), rel=1e-15)
