"""Local hashing: the family is exactly universal, the server counts by the definition, limits are named."""

import itertools
import math

import numpy as np
import pytest

from ldp_core.frequency import LocalHashing, OptimizedUnary, optimal_g


def hash_value(coefficients, code, g):
    """h_a(x) from the definition, digit by digit, in plain Python."""
    total, i = 0, 0
    while code:
        total += int(coefficients[i]) * (code & 1)
        code, i = code >> 1, i + 1
    return total % g


@pytest.mark.parametrize(("d", "g"), [(2, 2), (3, 4), (5, 2), (5, 6), (8, 4), (9, 3), (16, 3)])
def test_family_is_exactly_universal(d, g):
    """Every pair of codes collides under exactly one function in g, for prime, even and composite g alike."""
    oracle = LocalHashing(1.0, d, g=g)
    functions = list(itertools.product(range(g), repeat=oracle.n_digits))
    hashes = np.array([[hash_value(a, x, g) for x in range(d)] for a in functions])
    for x, y in itertools.combinations(range(d), 2):
        assert g * np.count_nonzero(hashes[:, x] == hashes[:, y]) == len(functions)


@pytest.mark.parametrize(("d", "g"), [(2, 2), (7, 3), (64, 4), (100, 128), (100, 129), (33, 40_000), (10, 2**31)])
def test_server_counts_by_the_definition(d, g):
    """Bytes, 16 and 32 bits: the fast count agrees with one hash at a time."""
    oracle = LocalHashing(1.0, d, g=g)
    reports = oracle.perturb(np.arange(400) % d, rng=1)
    expected = [sum(hash_value(a[:-1], x, g) == a[-1] for a in reports) for x in range(d)]
    np.testing.assert_array_equal(oracle.aggregate(reports), expected)
    np.testing.assert_array_equal(oracle.aggregate(reports.astype(np.int64)), expected)


@pytest.mark.parametrize(("d", "g"), [(7, 3), (100, 129), (33, 40_000), (10, 2**31)])
def test_reported_bucket_is_the_true_one_with_probability_p(d, g):
    """20,000 users at ε = ln g, hence p near one half: within 6 standard errors."""
    oracle = LocalHashing(math.log(g), d, g=g)
    codes = np.arange(20_000) % d
    reports = oracle.perturb(codes, rng=2)
    true = np.array([hash_value(a, int(x), g) for a, x in zip(reports, codes, strict=True)])
    share = np.mean(true == reports[:, -1])
    assert abs(share - oracle.p) < 6 * math.sqrt(oracle.p * (1 - oracle.p) / codes.size)


def test_many_blocks_count_like_one():
    oracle = LocalHashing(1.0, 5_000)
    reports = oracle.perturb(np.arange(3_000), rng=0)
    parts = [oracle.aggregate(reports[i : i + 100]) for i in range(0, 3_000, 100)]
    np.testing.assert_array_equal(oracle.aggregate(reports), np.sum(parts, axis=0))


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 4.0])
def test_variance_is_near_that_of_optimized_unary(epsilon):
    """Equal at g = e^ε + 1; at these ε the best whole number costs less than 2 % more."""
    ratio = LocalHashing(epsilon, 100).variance(1) / OptimizedUnary(epsilon, 100).variance(1)
    assert 1 - 1e-9 <= ratio < 1.02


def test_g():
    for epsilon in np.geomspace(0.01, 4, 200):
        ways = {g: LocalHashing(epsilon, 4, g=g).variance(1) for g in range(2, 80)}
        assert ways[optimal_g(epsilon)] == min(ways.values())
    assert [optimal_g(epsilon) for epsilon in (1e-3, 1.0, math.log(3), 3.0, 50.0, 1e4)] == [2, 4, 4, 21, 2**31, 2**31]
    for bad in (1, 0, 2**31 + 1):
        with pytest.raises(ValueError, match="g must be between"):
            LocalHashing(1.0, 5, g=bad)
    with pytest.raises(TypeError, match="g must be an integer"):
        LocalHashing(1.0, 5, g=4.0)
    with pytest.raises(ValueError, match="epsilon"):
        optimal_g(0.0)
    assert repr(LocalHashing(1.0, 5)) == "LocalHashing(epsilon=1, domain=5, g=4)"


def test_huge_epsilon_tells_the_bucket_truly():
    oracle = LocalHashing(1e4, 9, g=7)
    codes = np.arange(500) % 9
    assert all(hash_value(a, int(x), 7) == a[-1] for a, x in zip(oracle.perturb(codes, rng=0), codes, strict=True))


def test_bits_grow_with_the_logarithm_of_d():
    assert LocalHashing(1.0, 128).bits == 16  # 7 coefficients and a bucket, 2 bits each
    assert LocalHashing(1.0, 2**20).bits == 42
    assert OptimizedUnary(1.0, 2**20).bits == 2**20


def test_joint_law_too_large_points_to_the_marginals():
    oracle = LocalHashing(3.0, 128)
    with pytest.raises(ValueError, match="simulate_marginals"):
        oracle.simulate([1] * 128, rng=0)
    with pytest.raises(ValueError, match=r"2\*\*24"):
        oracle.channel()
    counts = np.full(128, 10**7)
    estimates = oracle.estimate(oracle.simulate_marginals(counts, rng=0, size=200), int(counts.sum()))
    deviation = np.sqrt(oracle.variance(int(counts.sum()), counts) / 200)
    assert np.all(np.abs(estimates.mean(axis=0) - counts) < 6 * deviation)  # false alarm below 2e-9 an entry


@pytest.mark.parametrize("reports", [[], [0, 1, 2], [[0, 1]], [[0, 1, 4]], [[0, 1, -1]], np.empty((0, 3), dtype=int)])
def test_bad_reports(reports):
    oracle = LocalHashing(1.0, 4)  # two coefficients and a bucket, each below 4
    with pytest.raises(ValueError, match="reports"):
        oracle.aggregate(reports)


@pytest.mark.parametrize("reports", [[[0.0, 1.0, 2.0]], [["a", "b", "c"]], [[True, False, True]]])
def test_reports_of_wrong_type(reports):
    with pytest.raises(TypeError, match="reports"):
        LocalHashing(1.0, 4).aggregate(reports)
