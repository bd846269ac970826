"""Synthetic data: sensitivities by brute force, tables, trees, and what comes out without noise."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from ldp_core import synthetic
from ldp_core.synthetic import EDGE_SENSITIVITY, consistent, edge_score, fit_tree, marginal, noisy_marginal, sample

SIZES = [2, 3, 4]


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(1)
    a = rng.integers(2, size=5000)
    b = np.where(rng.random(5000) < 0.8, a, rng.integers(3, size=5000))
    c = np.where(rng.random(5000) < 0.7, b, rng.integers(4, size=5000))
    return np.column_stack([a, b, c])


@pytest.fixture
def drawn(monkeypatch):
    """What is drawn for, with which ε and sensitivity, in place of any noise."""
    calls = []

    def spied(what, answer):
        def draw(values, *, epsilon, sensitivity, rng):
            calls.append((what, epsilon, sensitivity))
            return answer(values)

        return draw

    monkeypatch.setattr(synthetic, "laplace", spied("table", np.asarray))
    monkeypatch.setattr(synthetic, "exponential", spied("score", lambda values: int(np.argmax(values))))
    return calls


def test_marginal_is_a_table_of_counts(rows):
    table = marginal(rows, [2, 0], sizes=SIZES)
    assert table.shape == (4, 2)
    assert table[3, 1] == np.sum((rows[:, 2] == 3) & (rows[:, 0] == 1))
    assert table.sum() == 5000


def test_noise_has_its_law_in_every_cell_also_in_empty_ones():
    few = np.zeros((3, 2), dtype=int)
    rng = np.random.default_rng(2)
    draws = np.array([noisy_marginal(few, [0, 1], sizes=[2, 2], epsilon=0.5, rng=rng) for _ in range(2_000)])
    assert stats.kstest(draws[:, 1, 1], stats.laplace(scale=2).cdf).pvalue > 1e-6
    assert stats.kstest(draws[:, 0, 0] - 3, stats.laplace(scale=2).cdf).pvalue > 1e-6


def test_consistent_is_the_nearest_table():
    table = consistent([[5.0, -1.0], [2.0, 0.5]], total=6.0)
    assert table.sum() == pytest.approx(6)
    assert table.min() >= 0
    for other in np.random.default_rng(3).dirichlet(np.ones(4), size=500) * 6:
        assert np.sum((table.ravel() - [5, -1, 2, 0.5]) ** 2) <= np.sum((other - [5, -1, 2, 0.5]) ** 2) + 1e-9


def test_sample_follows_the_table():
    table = np.array([[10.0, 0.0, 30.0], [5.0, 5.0, 50.0]])
    drawn = marginal(sample(table, 20_000, rng=4), [0, 1], sizes=[2, 3])
    assert drawn[0, 1] == 0
    keep = table > 0
    assert stats.chisquare(drawn[keep], table[keep] / table.sum() * 20_000).pvalue > 1e-6


def test_edge_score_sensitivity_by_brute_force():
    """All 2 × 2 and many 2 × 3 tables of up to 9 people, one more person in any cell."""
    worst = 0.0
    for cells in itertools.product(range(10), repeat=4):
        if sum(cells) <= 9:
            table = np.array(cells, dtype=float).reshape(2, 2)
            for i in range(4):
                more = table.copy()
                more.flat[i] += 1
                worst = max(worst, abs(edge_score(more) - edge_score(table)))
    rng = np.random.default_rng(5)
    for _ in range(4_000):
        table = rng.integers(0, rng.integers(2, 60), size=rng.integers(2, 6, size=2)).astype(float)
        more = table.copy()
        more.flat[rng.integers(table.size)] += 1
        worst = max(worst, abs(edge_score(more) - edge_score(table)))
    assert 0.9 < worst <= EDGE_SENSITIVITY


@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_what_one_person_changes_is_what_the_noise_covers(drawn, neighbours):
    """All neighbours of 60 random data sets: the changes of all tables and scores, against what is drawn with."""
    rng, worst = np.random.default_rng(6), {"table": 0.0, "score": 0.0}
    for _ in range(60):
        rows = rng.integers(0, 2, size=(rng.integers(2, 7), 2))
        one = marginal(rows, [0, 1], sizes=[2, 2])
        for cell in itertools.product(range(2), repeat=2):
            other = np.vstack([rows[1:] if neighbours == "replace" else rows, cell])
            there = marginal(other, [0, 1], sizes=[2, 2])
            worst["table"] = max(worst["table"], np.abs(there - one).sum())
            worst["score"] = max(worst["score"], abs(edge_score(there) - edge_score(one)))
    fit_tree(rows, [2, 2], epsilon=1.0, neighbours=neighbours)
    noisy_marginal(rows, [0], sizes=[2, 2], epsilon=1.0, neighbours=neighbours)
    assert {sensitivity for what, _, sensitivity in drawn if what == "table"} == {worst["table"]}
    (covered,) = {sensitivity for what, _, sensitivity in drawn if what == "score"}
    assert covered / 4 < worst["score"] <= covered


def test_without_noise_the_tree_is_found_and_its_tables_come_out(rows):
    model = fit_tree(rows, SIZES, epsilon=math.inf)
    assert model.epsilon == math.inf
    assert set(map(frozenset, model.edges)) == {frozenset({0, 1}), frozenset({1, 2})}
    drawn = model.sample(200_000, rng=6)
    for pair in ([0, 1], [1, 2]):
        expected = marginal(rows, pair, sizes=SIZES) / 5000
        assert np.abs(marginal(drawn, pair, sizes=SIZES) / 200_000 - expected).sum() / 2 < 0.01


def test_budget_is_divided_among_edges_and_choice(rows, drawn):
    fit_tree(rows, SIZES, epsilon=3.0)
    assert sum(epsilon for _, epsilon, _ in drawn) == pytest.approx(3.0)
    drawn.clear()
    fit_tree(rows, SIZES, epsilon=3.0, tree=[(1, 0), (1, 2)])
    assert [epsilon for _, epsilon, _ in drawn] == [1.5, 1.5]


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda r: marginal(r, [0, 1, 2], sizes=[10**3] * 3), "columns must have at most 10,000,000"),
        (lambda r: fit_tree(r[:, :1], [2], epsilon=1), "columns"),
        (lambda r: fit_tree(r, SIZES, epsilon=1, tree=[(0, 1)]), "span"),
        (lambda r: fit_tree(r, SIZES, epsilon=1, tree=[(0, 1), (2, 0)]), "parents before"),
    ],
)
def test_bad_input(rows, call, name):
    with pytest.raises(ValueError, match=name):
        call(rows)
