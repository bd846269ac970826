"""laplace_l2: the law of the noise, in one dimension and in several."""

import numpy as np
import pytest
from scipy import stats

from ldp_core.central import laplace_l2


def draws(d, epsilon, sensitivity, runs=4000):
    rng, answer = np.random.default_rng(d), np.arange(d) * 10.0
    noisy = [laplace_l2(answer, epsilon=epsilon, sensitivity=sensitivity, rng=rng) for _ in range(runs)]
    return np.array(noisy) - answer


@pytest.mark.parametrize(("d", "epsilon", "sensitivity"), [(2, 0.5, 3.0), (7, 2.0, 0.1)])
def test_length_is_gamma_and_direction_uniform_and_independent(d, epsilon, sensitivity):
    """Density ∝ e^(−ε‖b‖/Δ) times the sphere's area ‖b‖^(d−1): Gamma(d, Δ/ε)."""
    noise = draws(d, epsilon, sensitivity)
    length = np.linalg.norm(noise, axis=1)
    assert stats.kstest(length, stats.gamma(d, scale=sensitivity / epsilon).cdf).pvalue > 1e-6
    # A coordinate of a uniform direction, squared, is Beta(1/2, (d − 1)/2).
    direction = noise / length[:, None]
    for coordinate in direction.T:
        assert stats.kstest(coordinate**2, stats.beta(0.5, (d - 1) / 2).cdf).pvalue > 1e-6
        assert stats.binomtest(int(np.sum(coordinate > 0)), len(noise), 0.5).pvalue > 1e-6
    assert stats.spearmanr(length, direction[:, 0]).pvalue > 1e-6


def test_in_one_dimension_it_is_laplace_noise():
    assert stats.kstest(draws(1, 0.7, 2.0).ravel(), stats.laplace(scale=2.0 / 0.7).cdf).pvalue > 1e-6
