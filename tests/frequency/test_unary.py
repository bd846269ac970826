"""Unary encodings: variances of the literature, why p = 1/2, and what a report may look like."""

import math

import numpy as np
import pytest

from ldp_core.frequency import DirectEncoding, OptimizedUnary, SymmetricUnary

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


def test_optimised_unary_never_tells_a_zero_as_a_one_at_huge_epsilon():
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
