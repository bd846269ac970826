"""Local hashing: the family is exactly universal, the server counts by the definition, limits are named."""

import itertools
import math

import numpy as np
import pytest

from ldp_core.frequency import LocalHashing, optimal_g


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


def test_many_blocks_count_like_one():
    oracle = LocalHashing(1.0, 5_000)
    reports = oracle.perturb(np.arange(3_000), rng=0)
    parts = [oracle.aggregate(reports[i : i + 100]) for i in range(0, 3_000, 100)]
    np.testing.assert_array_equal(oracle.aggregate(reports), np.sum(parts, axis=0))


def test_g():
    for epsilon in np.geomspace(0.01, 4, 200):
        ways = {g: LocalHashing(epsilon, 4, g=g).variance(1) for g in range(2, 80)}
        assert ways[optimal_g(epsilon)] == min(ways.values())
    assert [optimal_g(epsilon) for epsilon in (1e-3, 1.0, math.log(3), 3.0, 50.0, 1e4)] == [2, 4, 4, 21, 2**31, 2**31]


def test_joint_law_too_large_points_to_the_marginals():
    oracle = LocalHashing(3.0, 128)
    with pytest.raises(ValueError, match="simulate_marginals"):
        oracle.simulate([1] * 128, rng=0)
    with pytest.raises(ValueError, match=r"2\*\*24"):
        oracle.channel()
