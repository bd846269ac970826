"""The faults are as broken as they are said to be, and what mends them does."""

import math

import numpy as np
import pytest
from scipy import stats

from ldp_book.faults.frequency import (
    NeverClearedUnary,
    offset_from_zero_channel,
    seen_only_counts,
    support_law,
    wrong_sign_estimate,
    wrong_sign_probabilities,
)
from ldp_core.audit import exact_epsilon
from ldp_core.frequency import DirectEncoding, OptimizedUnary, SymmetricUnary, ThresholdHistogram

EPSILONS = [0.1, 1.0, 5.0]


@pytest.mark.parametrize("d", [2, 3, 4, 14])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_offset_from_zero_has_no_privacy_at_any_nominal_epsilon(epsilon, d):
    channel = offset_from_zero_channel(epsilon, d)
    np.testing.assert_allclose(channel.sum(axis=1), 1, atol=1e-12)
    values = np.arange(d)
    assert np.all(channel[values, (values - 1) % d] == 0)
    assert exact_epsilon(channel) == math.inf
    # The truth comes out more often than p, so the published estimator is biased besides: its counts sum to n, but
    # what belongs to a value and its neighbour is mixed up.
    oracle = DirectEncoding(epsilon, d)
    np.testing.assert_allclose(np.diag(channel), oracle.p + (1 - oracle.p) / (d - 1))
    assert exact_epsilon(oracle.channel()) == pytest.approx(epsilon)


def test_unreported_category_shifts_all_that_follow():
    reports = np.array([0] * 5 + [2] * 7 + [3] * 9)
    assert seen_only_counts(reports).tolist() == [5, 7, 9]
    assert DirectEncoding(1.0, 4).aggregate(reports).tolist() == [5, 0, 7, 9]
    # Paired with the domain, as published, the 7 lands on category 1 and category 3 disappears.
    assert list(zip("abcd", seen_only_counts(reports).tolist(), strict=False)) == [("a", 5), ("b", 7), ("c", 9)]


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_wrong_sign_agrees_at_theta_one_only(epsilon):
    right = ThresholdHistogram(epsilon, 5, theta=1.0)
    assert wrong_sign_probabilities(epsilon, 1.0) == pytest.approx((right.p, right.q))
    for theta in (0.0, 0.25, 0.5, 0.75):
        right = ThresholdHistogram(epsilon, 5, theta=theta)
        p, q = wrong_sign_probabilities(epsilon, theta)
        assert q == right.q
        assert p < 0.5 < right.p


def test_wrong_sign_turns_the_ranking_round():
    epsilon, theta, n = 5.0, 0.25, 1000
    oracle = ThresholdHistogram(epsilon, 3, theta=theta)
    true = np.array([700, 200, 100])
    expected_counts = true * oracle.p + (n - true) * oracle.q
    np.testing.assert_allclose(oracle.estimate(expected_counts, n), true)
    wrong = wrong_sign_estimate(expected_counts, n=n, epsilon=epsilon, theta=theta)
    p, q = wrong_sign_probabilities(epsilon, theta)
    np.testing.assert_allclose(wrong, true * (oracle.p - oracle.q) / (p - q))
    assert wrong.argmin() == 0
    assert np.all(wrong < 0)


@pytest.mark.parametrize(("n", "count"), [(1, 0), (40, 13), (500, 500), (3_000, 700)])
@pytest.mark.parametrize("oracle", [DirectEncoding(1.0, 14), OptimizedUnary(0.3, 5), DirectEncoding(60.0, 3)])
def test_support_law_is_the_sum_of_two_binomials(oracle, n, count):
    law = support_law(oracle, n=n, count=count)
    reference = np.convolve(
        stats.binom.pmf(np.arange(count + 1), count, oracle.p),
        stats.binom.pmf(np.arange(n - count + 1), n - count, oracle.q),
    )
    np.testing.assert_allclose(law, reference, rtol=1e-7, atol=1e-14)
    assert law.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_bit_that_is_never_cleared_costs_at_least_ln_3(epsilon):
    """The whole channel's exact ε against the closed form, and the mend's against the nominal one."""
    for optimized, expected in ((True, math.exp(epsilon) + 2), (False, math.exp(epsilon) + math.exp(epsilon / 2) + 1)):
        then = NeverClearedUnary(epsilon, 4, optimized=optimized)
        np.testing.assert_allclose(then.channel().sum(axis=1), 1, atol=1e-12)
        assert exact_epsilon(then.channel()) == pytest.approx(math.log(expected), rel=1e-9)
        assert exact_epsilon(then.channel()) > math.log(3)
        assert exact_epsilon(then.mended.channel()) == pytest.approx(epsilon, rel=1e-9)
        assert then.p == pytest.approx(then.mended.p + (1 - then.mended.p) * then.q)
    assert then.mended == SymmetricUnary(epsilon, 4)
    assert NeverClearedUnary(epsilon, 4) != then


def test_a_bit_that_is_never_cleared_as_its_client_drew_it():
    """Chi-square of 40,000 reports of the literal steps, and of the class, false alarm 1e-6 each."""
    then, runs = NeverClearedUnary(1.0, 3), 40_000
    rng = np.random.default_rng(3)
    steps = rng.random((runs, 3)) < then.q  # every bit like a zero
    steps[rng.random(runs) < then.mended.p, 1] = True  # the true one is set, or left as it is
    for reports in (steps, then.perturb(np.ones(runs, dtype=int), rng)):
        observed = np.bincount(np.asarray(reports, dtype=int) @ [4, 2, 1], minlength=8)
        assert stats.chisquare(observed, then.channel()[1] * runs).pvalue > 1e-6


@pytest.mark.parametrize("optimized", [True, False])
def test_its_estimates_are_too_large_by_one_factor(optimized):
    then, true = NeverClearedUnary(0.5, 4, optimized=optimized), np.array([600, 300, 100, 0])
    support = true * then.p + (1000 - true) * then.q
    np.testing.assert_allclose(then.estimate(support, 1000), then.factor * true, atol=1e-9)
    meant = then.mended
    assert then.factor == pytest.approx(meant.p * (1 - meant.q) / (meant.p - meant.q))
    runs = then.estimate(then.simulate(true, rng=1, size=20_000), 1000)
    for column, count in enumerate(true):
        assert runs[:, column].var() == pytest.approx(then.variance(1000, count), rel=6 * math.sqrt(2 / 20_000))
