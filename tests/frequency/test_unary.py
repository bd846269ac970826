"""Unary encodings: variances of the literature, what a report may look like, and thresholds of noise."""

import math

import numpy as np
import pytest
from scipy import optimize, stats

from ldp_core.frequency import OptimizedUnary, SymmetricUnary, ThresholdHistogram, optimal_theta

EPSILONS = [0.01, 1.0, 5.0]


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_headline_variances(epsilon):
    n, root, e = 1000, math.exp(epsilon / 2), math.exp(epsilon)
    assert SymmetricUnary(epsilon, 5).variance(n) == pytest.approx(n * root / (root - 1) ** 2, rel=1e-10)
    assert OptimizedUnary(epsilon, 5).variance(n) == pytest.approx(4 * n * e / (e - 1) ** 2, rel=1e-10)


def test_reports_of_any_number_type_count_alike():
    oracle = SymmetricUnary(1.0, 4)
    reports = oracle.perturb(np.arange(600) % 4, rng=3)
    for other in (reports.astype(bool), reports.astype(np.int64), reports.astype(float), reports.tolist()):
        np.testing.assert_array_equal(oracle.aggregate(other), reports.sum(axis=0))


def test_bad_byte_in_a_large_batch():
    reports = np.zeros((400_000, 3), dtype=np.uint8)
    reports[-1, 1] = 2
    with pytest.raises(ValueError, match="reports must be 0 and 1, got 2"):
        OptimizedUnary(1.0, 3).aggregate(reports)


def test_channel_too_large_says_so():
    with pytest.raises(ValueError, match=r"at most 2\*\*24 entries.*2\*\*24\.3.*domain=20"):
        OptimizedUnary(1.0, 20).channel()
    with pytest.raises(ValueError, match="smaller domain"):
        OptimizedUnary(1.0, 1000).outputs()
    assert OptimizedUnary(1.0, 1000).bits == 1000


@pytest.mark.parametrize("theta", [0.0, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 20.0])
def test_p_and_q_are_laplace_tails(epsilon, theta):
    oracle = ThresholdHistogram(epsilon, 5, theta=theta)
    noise = stats.laplace(scale=2 / epsilon)
    assert oracle.p == pytest.approx(noise.sf(theta - 1), rel=1e-12)
    assert oracle.q == pytest.approx(noise.sf(theta), rel=1e-12)
    assert oracle.theta == theta


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 5.0, 20.0])
def test_theta_minimizes_the_variance(epsilon):
    def variance(theta):
        return ThresholdHistogram(epsilon, 5, theta=float(theta)).variance(1)

    found = optimize.minimize_scalar(variance, bounds=(0, 1), method="bounded", options={"xatol": 1e-9})
    assert optimal_theta(epsilon) == pytest.approx(found.x, abs=1e-5)
    assert ThresholdHistogram(epsilon, 5).variance(1) <= found.fun * (1 + 1e-12)
    assert all(variance(theta) >= found.fun * (1 - 1e-12) for theta in np.linspace(0, 1, 101))


def test_limits_of_theta():
    assert optimal_theta(1e-12) == pytest.approx(0.5, abs=1e-9)
    assert optimal_theta(1e5) == pytest.approx(1, abs=1e-4)
    assert np.all(np.diff([optimal_theta(epsilon) for epsilon in np.geomspace(1e-6, 1e3, 200)]) > 0)
