"""Noise in whole numbers: its law, and the exact ε between neighbours."""

import math

import numpy as np
import pytest

from ldp_core.central import discrete_gaussian, discrete_laplace


@pytest.mark.parametrize(("epsilon", "sensitivity"), [(0.5, 1), (1.0, 3), (math.log(3), 1)])
def test_discrete_laplace_law_and_epsilon(epsilon, sensitivity, chi_square_p):
    rate = epsilon / sensitivity
    reach = np.arange(-200, 201)
    law = np.exp(-rate * np.abs(reach)) * math.tanh(rate / 2)
    rng = np.random.default_rng(5)
    draws = [discrete_laplace(7, epsilon=epsilon, sensitivity=sensitivity, rng=rng) - 7 for _ in range(2_000)]
    assert chi_square_p(draws, dict(zip(reach.tolist(), law.tolist(), strict=True))) > 1e-6
    shifted = np.array([np.roll(law, shift) for shift in range(sensitivity + 1)])[:, 50:-50]
    ratios = np.log(shifted.max(axis=0) / shifted.min(axis=0))
    assert ratios.max() == pytest.approx(epsilon)


@pytest.mark.parametrize("sigma", [0.4, 3.3])
def test_discrete_gaussian_law(sigma, chi_square_p):
    reach = np.arange(-60, 61)
    law = np.exp(-(reach**2) / (2 * sigma**2))
    law /= law.sum()
    rng = np.random.default_rng(6)
    draws = [discrete_gaussian(0, sigma=sigma, rng=rng) for _ in range(2_000)]
    assert chi_square_p(draws, dict(zip(reach.tolist(), law.tolist(), strict=True))) > 1e-6
