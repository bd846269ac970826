"""Hadamard response and hierarchical histograms: exact by enumeration, least squares another way, how they err."""

import itertools
import math

import numpy as np
import pytest

from ldp_core.frequency import (
    DirectEncoding,
    HadamardResponse,
    HierarchicalHistogram,
    OptimizedUnary,
)

TREES = [(2, 2), (3, 2), (5, 2), (5, 3), (7, 3), (16, 4), (17, 4), (9, 20)]


def shares(oracle):
    """Estimates as a function of reports: what one of each kind adds, (n_outputs, d), and what a user does, (d,)."""
    none = oracle.estimate(np.zeros(oracle.n_outputs), 1)
    return oracle.estimate(np.eye(oracle.n_outputs), 1) - none, none


def ranges(d):
    return list(itertools.combinations_with_replacement(range(d), 2))


# ---- Hadamard response ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [2, 3, 4, 7, 8, 20])
def test_halves_are_rows_of_the_hadamard_matrix(d):
    oracle = HadamardResponse(1.0, d)
    size = oracle.n_outputs
    assert size / 2 <= d < size
    matrix = np.ones((1, 1))
    while len(matrix) < size:
        matrix = np.kron([[1, 1], [1, -1]], matrix)
    lie = 1 / (math.e + 1)
    np.testing.assert_allclose(oracle.channel(), np.where(matrix[1 : d + 1] > 0, 1 - lie, lie) / (size / 2))
    support = [oracle.aggregate([number]) for number in range(size)]
    np.testing.assert_array_equal(support, matrix[1 : d + 1].T > 0)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_its_variance_is_a_cosine_above_that_of_optimized_unary_encoding(epsilon):
    ratio = HadamardResponse(epsilon, 5).variance(1) / OptimizedUnary(epsilon, 5).variance(1)
    assert ratio == pytest.approx(math.cosh(epsilon / 2) ** 2, rel=1e-12)


def test_the_largest_domain():
    oracle = HadamardResponse(1.0, 2**24)
    reports = oracle.perturb([0, 2**24 - 1], rng=0)
    assert oracle.bits == 25
    assert reports.max() < 2**25


# ---- the tree ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("d", "branching"), TREES)
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 3.0, 50.0])
def test_every_range_is_unbiased_and_of_exactly_the_variance(epsilon, d, branching):
    """For a user of each value, by the channel: exact for any number of users, who are independent."""
    oracle = HierarchicalHistogram(epsilon, d, branching=branching)
    channel, (each, base) = oracle.channel(), shares(oracle)
    np.testing.assert_allclose(channel @ each + base, np.eye(d), atol=1e-9 / epsilon)
    np.testing.assert_allclose(each.sum(axis=1) + base.sum(), 1, rtol=1e-9)  # whatever is reported
    users = np.arange(1, d + 1)
    for low, high in ranges(d):
        worth = each[:, low : high + 1].sum(axis=1)
        spread = (channel * (worth - (channel @ worth)[:, None]) ** 2).sum(axis=1)
        assert oracle.range_variance(users, low, high) == pytest.approx(users @ spread, rel=1e-6, abs=1e-9)
        assert oracle.range_variance(7, low, high) == pytest.approx(7 * spread.max(), rel=1e-6, abs=1e-9)
        alone = oracle.range_variance(np.eye(d, dtype=int)[low], low, high)
        assert alone == pytest.approx(spread[low], rel=1e-6, abs=1e-9)


def test_two_users_by_enumeration_of_their_reports():
    oracle = HierarchicalHistogram(1.0, 5, branching=2)
    channel, outputs = oracle.channel(), oracle.outputs()
    for first, second in ((0, 0), (1, 4)):
        pairs = list(itertools.product(outputs, repeat=2))
        chance = np.array([channel[first, a] * channel[second, b] for a, b in pairs])
        made = np.array([oracle.estimate_range(oracle.aggregate(pair), 2, 1, 3) for pair in pairs])
        true = np.bincount([first, second], minlength=5)
        assert chance @ made == pytest.approx(true[1:4].sum(), abs=1e-12)
        assert chance @ (made - chance @ made) ** 2 == pytest.approx(oracle.range_variance(true, 1, 3), rel=1e-12)


@pytest.mark.parametrize(("d", "branching"), [(5, 2), (7, 3), (17, 4)])
def test_variance_is_the_largest_and_attained(d, branching):
    oracle = HierarchicalHistogram(1.0, d, branching=branching)
    for own in (0, 2, 9):
        placed = []
        for value, other in itertools.permutations(range(d), 2):
            users = np.zeros(d, dtype=int)
            users[value], users[other] = own, 9 - own
            placed.append(oracle.range_variance(users, value, value))
        assert oracle.variance(9, own) == pytest.approx(max(placed), rel=1e-12)


@pytest.mark.parametrize(("d", "branching"), TREES)
def test_estimates_are_those_of_weighted_least_squares(d, branching):
    """By normal equations for the nodes of all levels, with the total as a side condition."""
    oracle = HierarchicalHistogram(1.0, d, branching=branching)
    n, counts = 5_000, oracle.simulate(np.full(d, 5_000 // d + 1), rng=0)
    design, weight, seen, first = [], [], [], 0
    for oracle_of_level, width in zip(oracle.levels, oracle._widths, strict=True):
        part = counts[first : first + oracle_of_level.n_outputs]
        first += part.size
        support = oracle_of_level.aggregate(np.repeat(np.arange(part.size), part))
        design.append(np.arange(d) // width == np.arange(oracle_of_level.d)[:, None])
        seen.append(len(oracle.levels) * oracle_of_level.estimate(support, int(part.sum())))
        weight.append(np.full(oracle_of_level.d, 1 / oracle._noise[len(weight)]))
    nodes, weights = np.vstack(design).astype(float), np.concatenate(weight)
    normal = np.block([[nodes.T @ (weights[:, None] * nodes), np.ones((d, 1))], [np.ones((1, d)), np.zeros((1, 1))]])
    solved = np.linalg.solve(normal, [*(nodes.T @ (weights * np.concatenate(seen))), n])[:d]
    np.testing.assert_allclose(oracle.estimate(counts, n), solved, rtol=1e-8, atol=1e-6)


def test_levels_are_asked_by_what_errs_less():
    kinds = [[type(level) for level in HierarchicalHistogram(e, 1024).levels] for e in (0.1, 1.0, 3.0, 9.0)]
    assert [kind.count(DirectEncoding) for kind in kinds] == [1, 1, 4, 5]
    assert {HadamardResponse, DirectEncoding} == {kind for level in kinds for kind in level}
    assert [level.d for level in HierarchicalHistogram(1.0, 17).levels] == [2, 5, 17]


def test_one_level_is_the_flat_oracle():
    """Least squares add only that counts sum to n."""
    tree, flat = HierarchicalHistogram(1.0, 20, branching=20), HadamardResponse(1.0, 20)
    reports = tree.perturb(np.arange(20), rng=0)
    raw = flat.estimate(flat.aggregate(reports), 20)
    np.testing.assert_allclose(tree.estimate(tree.aggregate(reports), 20), raw + (20 - raw.sum()) / 20, atol=1e-9)


@pytest.mark.parametrize("population", [False, True])
def test_range_intervals_cover_as_often_as_they_say(population):
    """Within 6 standard errors of 0.9 over 4,000 runs, plus 0.005 for normality."""
    oracle, runs, n = HierarchicalHistogram(1.0, 20), 4_000, 40_000
    law = np.arange(1.0, 21) / 210
    truth = n * law if population else np.random.default_rng(1).multinomial(n, law)
    generator = np.random.default_rng(2)
    if population:
        counts = np.array([oracle.simulate(generator.multinomial(n, law), generator) for _ in range(runs)])
    else:
        counts = oracle.simulate(truth, generator, size=runs)
    low, high = oracle.range_interval(counts, n, 3, 12, level=0.9, population=population)
    inside = truth[3:13].sum()
    assert abs(((low <= inside) & (inside <= high)).mean() - 0.9) < 6 * math.sqrt(0.09 / runs) + 0.005


def test_wide_ranges_err_less_than_sums_of_flat_estimates_and_single_values_more():
    """At ε = 1 and d = 1,024, users spread evenly: narrow ranges are the flat oracle's, wide ones the tree's."""
    d, n = 1024, 102_400
    tree, flat = HierarchicalHistogram(1.0, d), OptimizedUnary(1.0, d)
    users = np.full(d, n // d)
    one = tree.range_variance(users, 0, 0)
    assert one > 3 * flat.variance(n)
    assert tree.range_variance(users, 1, d - 1) == pytest.approx(one, rel=1e-6)  # the total is known
    assert tree.range_variance(users, 200, 800) < 0.1 * 601 * flat.variance(n)


def test_ranges_are_of_values_of_the_domain_and_errors_name_their_end():
    oracle = HierarchicalHistogram(1.0, range(18, 90))
    counts = oracle.simulate([10] * 72, rng=0)
    estimate = oracle.estimate(counts, 720)
    assert oracle.estimate_range(counts, 720, 30, 45) == pytest.approx(estimate[12:28].sum())
    assert oracle.estimate_range(counts, 720, 18, 89) == pytest.approx(720)
    assert oracle.range_variance([10] * 72, 18, 89) == pytest.approx(0, abs=1e-6)
    stacked = oracle.simulate([10] * 72, rng=0, size=3)
    assert oracle.estimate_range(stacked, 720, 30, 45).shape == (3,)
    for low, high, error in ((17, 45, "low must"), (30, 90, "high must"), (45, 30, "low must not come after high")):
        with pytest.raises(ValueError, match=error):
            oracle.estimate_range(counts, 720, low, high)
    with pytest.raises(ValueError, match="branching must"):
        HierarchicalHistogram(1.0, 8, branching=1)
