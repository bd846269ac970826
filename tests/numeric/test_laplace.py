"""Laplace noise: its law, and the law of its sums."""

import numpy as np
import pytest
from scipy import stats

from ldp_core.numeric import Laplace

FALSE_ALARM = 1e-6


@pytest.mark.parametrize(("epsilon", "dim"), [(0.1, 1), (1.0, 1), (2.0, 3)])
def test_noise_has_the_laplace_law_of_scale_2d_over_epsilon(epsilon, dim):
    """Kolmogorov-Smirnov for every coordinate, false alarm 1e-6."""
    t = np.full((20_000, dim), 0.25)
    reports = Laplace(epsilon, dim).perturb(t[:, 0] if dim == 1 else t, rng=5).reshape(-1, dim)
    for column in reports.T:
        assert stats.kstest(column - 0.25, stats.laplace(scale=2 * dim / epsilon).cdf).pvalue > FALSE_ALARM


def test_simulated_mean_of_one_user_is_a_laplace_variable():
    """Difference of two Gamma(1) variables; Kolmogorov-Smirnov, false alarm 1e-6."""
    means = Laplace(1.0).simulate_mean([0.5], rng=6, size=20_000)
    assert stats.kstest(means - 0.5, stats.laplace(scale=2.0).cdf).pvalue > FALSE_ALARM
