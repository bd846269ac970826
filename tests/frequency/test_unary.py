"""Unary encodings: variances of the literature, why p = 1/2, what a report may look like, and thresholds of noise."""

import math

import numpy as np
import pytest
from scipy import optimize, stats

from ldp_core.audit import exact_epsilon
from ldp_core.frequency import (
    DirectEncoding,
    OptimizedUnary,
    SummationHistogram,
    SymmetricUnary,
    ThresholdHistogram,
    optimal_theta,
)

EPSILONS = [0.01, 0.5, 1.0, math.log(3), 2.0, 5.0]


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_headline_variances(epsilon):
    n, root, e = 1000, math.exp(epsilon / 2), math.exp(epsilon)
    assert SymmetricUnary(epsilon, 5).variance(n) == pytest.approx(n * root / (root - 1) ** 2, rel=1e-10)
    assert OptimizedUnary(epsilon, 5).variance(n) == pytest.approx(4 * n * e / (e - 1) ** 2, rel=1e-10)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_one_half_is_the_best_p(epsilon):
    """Against every other p, with q chosen to spend exactly the same ε."""
    p = np.linspace(0.01, 0.99, 99)
    q = p / (p + np.exp(epsilon) * (1 - p))
    variance = q * (1 - q) / (p - q) ** 2
    assert p[np.argmin(variance)] == pytest.approx(0.5)
    assert OptimizedUnary(epsilon, 5).variance(1) == pytest.approx(variance.min(), rel=1e-10)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_direct_encoding_wins_in_small_domains_only(epsilon):
    """For a rare value direct encoding has the smaller variance exactly where d < 3e^ε + 2."""
    limit = 3 * math.exp(epsilon) + 2
    for d in range(2, int(limit) + 10):
        direct, unary = DirectEncoding(epsilon, d).variance(1), OptimizedUnary(epsilon, d).variance(1)
        assert (direct < unary) == (d < limit)


@pytest.mark.parametrize("oracle", [SymmetricUnary(700.0, 5), SymmetricUnary(1e4, 5)])
def test_huge_epsilon_is_the_truth(oracle):
    codes = np.arange(1_000) % 5
    np.testing.assert_array_equal(oracle.perturb(codes, rng=0), np.eye(5, dtype=np.uint8)[codes])
    assert oracle.variance(1_000, 200) == pytest.approx(0, abs=1e-9)


def test_optimized_unary_never_tells_a_zero_as_a_one_at_huge_epsilon():
    reports = OptimizedUnary(1e4, 5).perturb(np.zeros(1_000, dtype=int), rng=0)
    assert not reports[:, 1:].any()
    assert 400 < reports[:, 0].sum() < 600  # 6 standard deviations of Binomial(1000, 1/2) are 95


def test_reports_are_rows_of_bits():
    reports = OptimizedUnary(1.0, 5).perturb([0, 4, 2], rng=0)
    assert (reports.shape, reports.dtype) == ((3, 5), np.uint8)


def test_reports_of_any_number_type_count_alike():
    oracle = SymmetricUnary(1.0, 4)
    reports = oracle.perturb(np.arange(600) % 4, rng=3)
    for other in (reports.astype(bool), reports.astype(np.int64), reports.astype(float), reports.tolist()):
        np.testing.assert_array_equal(oracle.aggregate(other), reports.sum(axis=0))


@pytest.mark.parametrize(
    "reports", [[], [0, 1, 0], [[0, 1]], [[0, 1, 2]], [[0, 1, -1]], [[0, 1, 0.5]], [[0, 1, math.nan]], np.empty((0, 3))]
)
def test_bad_reports(reports):
    with pytest.raises(ValueError, match="reports"):
        OptimizedUnary(1.0, 3).aggregate(reports)


def test_bad_byte_in_a_large_batch():
    reports = np.zeros((400_000, 3), dtype=np.uint8)
    reports[-1, 1] = 2
    with pytest.raises(ValueError, match="reports must be 0 and 1, got 2"):
        OptimizedUnary(1.0, 3).aggregate(reports)


def test_reports_of_wrong_type():
    with pytest.raises(TypeError, match="reports"):
        OptimizedUnary(1.0, 3).aggregate([["0", "1", "0"]])


def test_channel_too_large_says_so():
    with pytest.raises(ValueError, match=r"at most 2\*\*24 entries.*2\*\*24\.3.*domain=20"):
        OptimizedUnary(1.0, 20).channel()
    with pytest.raises(ValueError, match="smaller domain"):
        OptimizedUnary(1.0, 1000).outputs()
    assert OptimizedUnary(1.0, 1000).bits == 1000


# ---- threshold ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theta", [0.0, 0.25, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 2.0, 5.0, 20.0])
def test_p_and_q_are_laplace_tails(epsilon, theta):
    oracle = ThresholdHistogram(epsilon, 5, theta=theta)
    noise = stats.laplace(scale=2 / epsilon)
    assert oracle.p == pytest.approx(noise.sf(theta - 1), rel=1e-12)
    assert oracle.q == pytest.approx(noise.sf(theta), rel=1e-12)
    assert oracle.theta == theta


def test_bits_have_the_law_of_noise_then_threshold():
    """Both ways on 40,000 users: bits set differ by less than 6 standard errors, column by column."""
    epsilon, n = 1.0, 40_000
    threshold = ThresholdHistogram(epsilon, 3)
    codes = np.zeros(n, dtype=int)
    direct = threshold.perturb(codes, rng=1).mean(axis=0)
    detour = (SummationHistogram(epsilon, 3).perturb(codes, rng=2) > threshold.theta).mean(axis=0)
    assert np.all(np.abs(direct - detour) < 6 * math.sqrt(2 * 0.25 / n))


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 2.0, 5.0, 20.0])
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
    for bad in (0, -1.0, math.nan):
        with pytest.raises(ValueError, match="epsilon"):
            optimal_theta(bad)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 2.0, 5.0, 20.0])
def test_thresholding_spends_less_than_epsilon_and_optimized_unary_beats_it(epsilon):
    for theta in np.linspace(0, 1, 21):
        oracle = ThresholdHistogram(epsilon, 3, theta=float(theta))
        assert oracle.p > oracle.q
        if epsilon < 20:  # beyond, 1 − p falls below what the rounding of a channel's entries lets through
            assert exact_epsilon(oracle.channel()) < epsilon
        assert oracle.variance(1) > OptimizedUnary(epsilon, 3).variance(1)


def test_threshold_and_summation_which_is_better():
    """THE at its best beats SHE at every ε; at a badly chosen θ it does not."""
    for epsilon in [*EPSILONS, 20.0]:
        assert ThresholdHistogram(epsilon, 5).variance(1) < SummationHistogram(epsilon, 5).variance(1)
    assert ThresholdHistogram(5.0, 5, theta=0.0).variance(1) > SummationHistogram(5.0, 5).variance(1)


def test_threshold_at_one_half_is_symmetric_unary_only_in_form():
    oracle = ThresholdHistogram(1.0, 5, theta=0.5)
    assert oracle.p == pytest.approx(1 - oracle.q)
    assert oracle.p < SymmetricUnary(1.0, 5).p


@pytest.mark.parametrize("theta", [-0.1, 1.1, math.nan])
def test_theta_outside(theta):
    with pytest.raises(ValueError, match="theta"):
        ThresholdHistogram(1.0, 5, theta=theta)


@pytest.mark.parametrize("theta", ["0.5", True, [0.5]])
def test_theta_of_wrong_type(theta):
    with pytest.raises(TypeError, match="theta"):
        ThresholdHistogram(1.0, 5, theta=theta)


def test_repr_is_how_to_make_it():
    assert repr(ThresholdHistogram(0.5, 14, theta=0.25)) == "ThresholdHistogram(epsilon=0.5, domain=14, theta=0.25)"
