"""Hybrid: a mixture of two laws, where its coin begins, and what it gains."""

import math

import numpy as np
import pytest
from scipy import stats

from ldp_core.numeric import EPSILON_STAR, Duchi, Hybrid, Piecewise, crossings

FALSE_ALARM = 1e-6


def test_epsilon_star_is_where_piecewise_at_zero_beats_duchi():
    (root,) = crossings(lambda e: Piecewise(e).variance(0.0), lambda e: Duchi(e).variance(0.0))
    assert pytest.approx(root, rel=1e-12) == EPSILON_STAR
    assert round(EPSILON_STAR, 2) == 0.61


@pytest.mark.parametrize("epsilon", [0.3, 0.6, 0.62, 1.0, 3.0, 9.0])
def test_hybrid_is_never_worse_than_its_parts_at_their_worst(epsilon):
    mechanism, t = Hybrid(epsilon), np.linspace(-1, 1, 21)
    assert mechanism.worst_variance <= min(Piecewise(epsilon).worst_variance, Duchi(epsilon).worst_variance) + 1e-12
    if epsilon > EPSILON_STAR:
        assert mechanism.alpha == pytest.approx(1 - math.exp(-epsilon / 2))
        np.testing.assert_allclose(mechanism.variance(t), mechanism.variance(0.0), rtol=1e-12)
    else:
        assert mechanism.alpha == 0
        np.testing.assert_array_equal(mechanism.perturb(t, rng=1) ** 2, Duchi(epsilon).B ** 2)


@pytest.mark.parametrize("t", [-1.0, 0.25, 1.0])
def test_hybrid_reports_follow_the_law(t, chi_square_p, distribution_function):
    """The atoms by chi-square, the rest by Kolmogorov-Smirnov; false alarm 1e-6 each."""
    mechanism, runs = Hybrid(1.5), 20_000
    reports = mechanism.perturb(np.full(runs, t), rng=23)
    low, high = mechanism.atoms
    mass = [mechanism.density(low, t), mechanism.density(high, t)]
    kind = np.where(reports == low, 0, np.where(reports == high, 1, 2))
    law = {0: mass[0], 1: mass[1], 2: 1 - sum(mass)}
    assert chi_square_p(kind.tolist(), law) > FALSE_ALARM
    assert 1 - sum(mass) == pytest.approx(mechanism.alpha)
    rest = reports[kind == 2]
    assert stats.kstest(rest, distribution_function(Piecewise(1.5), t)).pvalue > FALSE_ALARM
