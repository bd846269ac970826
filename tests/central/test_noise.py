"""Noise of a curator: exact laws, exact δ, exact samplers.

Statistical tests compare with an exact law; they fail at p-values below 1e-6, with fixed seeds.
"""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from ldp_core.audit import exact_epsilon
from ldp_core.central import (
    discrete_gaussian,
    discrete_laplace,
    floating_point_outputs,
    gaussian,
    gaussian_delta,
    gaussian_sigma,
    laplace,
)


def test_laplace_has_its_law():
    noise = laplace(np.zeros(50_000), epsilon=0.7, sensitivity=3, rng=1)
    assert stats.kstest(noise, stats.laplace(scale=3 / 0.7).cdf).pvalue > 1e-6
    assert isinstance(laplace(3, epsilon=1.0, sensitivity=1, rng=2), float)
    assert laplace([[1, 2]], epsilon=1.0, sensitivity=1, rng=2).shape == (1, 2)


@pytest.mark.parametrize("k", [1, 3])
def test_laplace_epsilon_of_a_vector_is_exact_by_density_ratio(k):
    """Neighbours whose answers differ by Δ₁ in all, spread over the entries."""
    epsilon, sensitivity = 0.8, 2.0
    scale = sensitivity / epsilon
    change = np.full(k, sensitivity / k)
    y = np.random.default_rng(3).normal(0, 10, size=(5000, k))
    ratio = (np.abs(y - change) - np.abs(y)).sum(axis=1) / scale
    assert np.abs(ratio).max() == pytest.approx(epsilon, rel=1e-6)


def test_gaussian_has_its_law():
    noise = gaussian(np.zeros(50_000), epsilon=0.5, delta=1e-5, sensitivity=2, rng=1)
    sigma = gaussian_sigma(epsilon=0.5, delta=1e-5, sensitivity=2)
    assert stats.kstest(noise, stats.norm(scale=sigma).cdf).pvalue > 1e-6


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 1.0, 4.0])
@pytest.mark.parametrize("sigma", [0.3, 1.0, 5.0])
def test_gaussian_delta_is_the_integral_of_what_exceeds(epsilon, sigma):
    """δ(ε) = ∫ max(0, f(y) − e^ε g(y)) dy, by quadrature; the integrand is positive from a known point on."""
    start = sigma**2 * epsilon - 0.5  # mean 0 against mean −1 … f > e^ε g to the right of this point
    f, g = stats.norm(0, sigma).pdf, stats.norm(-1, sigma).pdf
    value = integrate.quad(
        lambda y: f(y) - math.exp(epsilon) * g(y), start, start + 40 * sigma + 40, epsabs=1e-13, limit=400
    )[0]
    assert gaussian_delta(epsilon=epsilon, sigma=sigma) == pytest.approx(value, rel=1e-6, abs=1e-11)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 5.0, 50.0, 700.0, 2000.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-5, 0.1])
def test_analytic_sigma_is_just_enough(epsilon, delta):
    sigma = gaussian_sigma(epsilon=epsilon, delta=delta)
    assert gaussian_delta(epsilon=epsilon, sigma=sigma) <= delta
    assert gaussian_delta(epsilon=epsilon, sigma=sigma * (1 - 1e-6)) > delta
    assert gaussian_sigma(epsilon=epsilon, delta=delta, sensitivity=7) == pytest.approx(7 * sigma)


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 0.99])
def test_the_classic_formula_is_enough_below_one(epsilon):
    for delta in (1e-9, 1e-5, 1e-2):
        sigma = gaussian_sigma(epsilon=epsilon, delta=delta, calibration="classic")
        assert gaussian_delta(epsilon=epsilon, sigma=sigma) < delta
        assert sigma > gaussian_sigma(epsilon=epsilon, delta=delta)


def test_the_classic_formula_fails_for_large_epsilon_and_is_refused():
    epsilon, delta = 20.0, 1e-5
    sigma = math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    assert gaussian_delta(epsilon=epsilon, sigma=sigma) > delta
    with pytest.raises(ValueError, match="epsilon must be < 1"):
        gaussian_sigma(epsilon=1.0, delta=1e-5, calibration="classic")


@pytest.mark.parametrize(("epsilon", "sensitivity"), [(0.5, 1), (1.0, 3), (math.log(3), 1)])
def test_discrete_laplace_law_and_epsilon(epsilon, sensitivity):
    rate = epsilon / sensitivity
    reach = np.arange(-200, 201)
    law = np.exp(-rate * np.abs(reach)) * math.tanh(rate / 2)
    rng = np.random.default_rng(5)
    draws = np.array([discrete_laplace(7, epsilon=epsilon, sensitivity=sensitivity, rng=rng) - 7 for _ in range(6000)])
    big = law * len(draws) >= 5
    observed = np.array([(draws == z).sum() for z in reach])
    cells = np.append(observed[big], len(draws) - observed[big].sum())
    expected = np.append(law[big], 1 - law[big].sum()) * len(draws)
    assert stats.chisquare(cells, expected).pvalue > 1e-6
    shifted = np.array([np.roll(law, shift) for shift in range(sensitivity + 1)])[:, 50:-50]
    ratios = np.log(shifted.max(axis=0) / shifted.min(axis=0))
    assert ratios.max() == pytest.approx(epsilon)


@pytest.mark.parametrize("sigma", [0.4, 1.0, 3.3])
def test_discrete_gaussian_law(sigma):
    reach = np.arange(-60, 61)
    law = np.exp(-(reach**2) / (2 * sigma**2))
    law /= law.sum()
    rng = np.random.default_rng(6)
    draws = np.array([discrete_gaussian(0, sigma=sigma, rng=rng) for _ in range(6000)])
    big = law * len(draws) >= 5
    observed = np.array([(draws == z).sum() for z in reach])
    cells = np.append(observed[big], len(draws) - observed[big].sum())
    expected = np.append(law[big], max(1 - law[big].sum(), 1e-12)) * len(draws)
    keep = expected > 1e-6
    assert stats.chisquare(cells[keep], expected[keep] * cells[keep].sum() / expected[keep].sum()).pvalue > 1e-6
    assert (law * reach**2).sum() <= sigma**2


def test_rounding_tells_neighbours_apart():
    """Answers that only one of two neighbours can give: the channel has exact ε = ∞."""
    zero, one = (floating_point_outputs(v, epsilon=1.0, bits=8) for v in (0.0, 1.0))
    outputs = np.union1d(zero, one)
    channel = np.array([np.isin(outputs, zero) / len(zero), np.isin(outputs, one) / len(one)])
    assert exact_epsilon(channel) == math.inf
    assert np.isin(zero, one).mean() < 0.1


@pytest.mark.parametrize(
    ("call", "error", "name"),
    [
        (lambda: laplace(1, epsilon=0, sensitivity=1), ValueError, "epsilon"),
        (lambda: laplace(1, epsilon=1, sensitivity=0), ValueError, "sensitivity"),
        (lambda: laplace(math.nan, epsilon=1, sensitivity=1), ValueError, "value"),
        (lambda: laplace("1", epsilon=1, sensitivity=1), TypeError, "value"),
        (lambda: gaussian(1, epsilon=1, delta=0, sensitivity=1), ValueError, "delta"),
        (lambda: gaussian(1, epsilon=1, delta=1, sensitivity=1), ValueError, "delta"),
        (lambda: gaussian_sigma(epsilon=1, delta=0.1, calibration="best"), ValueError, "calibration"),
        (lambda: gaussian_delta(epsilon=-1, sigma=1), ValueError, "epsilon"),
        (lambda: discrete_laplace(1.5, epsilon=1), TypeError, "value"),
        (lambda: discrete_laplace(1, epsilon=1, sensitivity=0), ValueError, "sensitivity"),
        (lambda: discrete_gaussian(1, sigma=-1), ValueError, "sigma"),
        (lambda: floating_point_outputs(0, epsilon=1, bits=40), ValueError, "bits"),
    ],
)
def test_bad_input(call, error, name):
    with pytest.raises(error, match=name):
        call()
