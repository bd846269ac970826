"""Sampling coordinates: which are sent, with which law, at which cost."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from ldp_core.numeric import Hybrid, Piecewise
from ldp_core.numeric._sampled import bits_of_a_set, sample_without_replacement

from .conftest import distribution_function

FALSE_ALARM = 1e-6


@pytest.mark.parametrize("make", [Piecewise, Hybrid])
@pytest.mark.parametrize(
    ("epsilon", "d", "k"), [(0.1, 5, 1), (4.9, 5, 1), (5.0, 5, 2), (7.4, 5, 2), (7.5, 5, 3), (99.0, 5, 5), (9.0, 1, 1)]
)
def test_each_user_sends_k_coordinates(make, epsilon, d, k):
    mechanism = make(epsilon, d)
    assert mechanism.k == k
    assert mechanism.one.epsilon == pytest.approx(epsilon / k)
    assert mechanism.one.dim == 1
    t = np.full((200, d), 0.3)
    reports = mechanism.perturb(t[:, 0] if d == 1 else t, rng=2).reshape(200, d)
    np.testing.assert_array_equal(np.count_nonzero(reports, axis=1), k)
    assert mechanism.support[1] == pytest.approx(mechanism.one.support[1] * d / k)


@pytest.mark.parametrize("shuffle", [0, 10], ids=["shuffled", "Floyd"])
@pytest.mark.parametrize("k", range(1, 6))
def test_sets_are_uniform(k, shuffle, chi_square_p, monkeypatch):
    """All C(5, k) sets by chi-square, false alarm 1e-6."""
    monkeypatch.setattr("ldp_core.numeric._sampled.SHUFFLE", shuffle)
    drawn = np.sort(sample_without_replacement(20_000, 5, k, np.random.default_rng(k)).T, axis=1)
    sets = list(itertools.combinations(range(5), k))
    assert chi_square_p([tuple(row) for row in drawn.tolist()], dict.fromkeys(sets, 1 / len(sets))) > FALSE_ALARM


def test_sent_coordinates_carry_the_scaled_one_dimensional_law():
    """d = 4, k = 2: sent coordinates, divided by d/k, by Kolmogorov-Smirnov; false alarm 1e-6 each."""
    mechanism = Piecewise(6.0, 4)
    t = np.array([-1.0, -0.2, 0.5, 1.0])
    reports = mechanism.perturb(np.tile(t, (20_000, 1)), rng=31)
    for j in range(4):
        sent = reports[reports[:, j] != 0, j] / 2
        assert abs(len(sent) / 20_000 - 0.5) < 6 * math.sqrt(0.25 / 20_000)
        assert stats.kstest(sent, distribution_function(Piecewise(3.0), t[j])).pvalue > FALSE_ALARM


@pytest.mark.parametrize(("d", "k"), [(5_000, 1_500), (4_001, 2_000), (100_000, 1_001)])
def test_bits_of_large_sets(d, k):
    assert bits_of_a_set(d, k) == (math.comb(d, k) - 1).bit_length()
