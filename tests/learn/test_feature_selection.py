"""FWELL and FELP: the margins, the optimum, the noise, and the bound that it rests on."""

import math

import numpy as np
import pytest

from ldp_core.central import laplace_l2
from ldp_core.learn import FELP, FWELL, fwell_weights, local_margins, longest_weights
from ldp_core.learn import feature_selection as module


def test_margins_by_the_definition(planted):
    X, y = planted[0][:60], planted[1][:60]
    found = local_margins(X, y)
    for i in range(60):
        distance = np.linalg.norm(X - X[i], axis=1)
        distance[i] = np.inf
        hit = np.argmin(np.where(y == y[i], distance, np.inf))
        miss = np.argmin(np.where(y != y[i], distance, np.inf))
        np.testing.assert_allclose(found[i], (np.abs(X[i] - X[miss]) - np.abs(X[i] - X[hit])) / math.sqrt(30))
    assert np.linalg.norm(found, axis=1).max() <= 1


def test_margins_of_many_rows_are_those_of_the_definition():
    """Beyond 700 rows an index is asked instead of all distances; both find the same neighbours."""
    rng = np.random.default_rng(4)
    X, y = rng.uniform(size=(800, 4)), rng.integers(3, size=800)
    distance = np.linalg.norm(X[:, None] - X, axis=2)
    np.fill_diagonal(distance, np.inf)
    own = y[:, None] == y
    hit, miss = (np.where(mask, distance, np.inf).argmin(axis=1) for mask in (own, ~own))
    np.testing.assert_allclose(local_margins(X, y), (np.abs(X - X[miss]) - np.abs(X - X[hit])) / 2, atol=1e-12)


def test_of_equally_near_rows_the_first_counts():
    """Rounding does not choose: 0.2 and 0.4 are equally far from 0.3, as are two copies of one row."""
    X = np.array([[0.3, 0.0], [0.2, 0.0], [0.4, 0.0], [0.3, 0.7], [0.3, 0.7], [0.3, 1.0]])
    found = local_margins(X, [0, 1, 1, 0, 0, 0]) * math.sqrt(2)
    np.testing.assert_allclose(found[0], [0.1, -0.7], atol=1e-12)  # the miss is row 1, the hit row 3
    np.testing.assert_allclose(found[3], [0.1, 0.7], atol=1e-12)  # the hit is the copy, at distance 0


def test_weights_are_the_optimum(planted):
    margins = local_margins(*planted)
    w = fwell_weights(margins, ridge=0.01)

    def loss(v):
        return np.mean(np.logaddexp(0, -margins @ v)) + 0.01 * v @ v

    rng = np.random.default_rng(2)
    assert all(loss(w) <= loss(w + step * rng.normal(size=30)) for step in (1e-3, 1e-2, 0.1, 1) for _ in range(50))
    assert np.linalg.norm(w) <= 1 / 0.02


def test_fewer_margins_than_features_have_the_same_optimum():
    """There the search runs in the margins' span; the gradient in all d numbers is 0 nevertheless."""
    margins = np.random.default_rng(3).normal(size=(20, 300)) / math.sqrt(300)
    for ridge in (0.001, 0.1, 10.0):
        w = fwell_weights(margins, ridge=ridge)
        pull = 1 / (1 + np.exp(margins @ w))
        np.testing.assert_allclose(2 * ridge * w, pull @ margins / 20, atol=1e-7)
    np.testing.assert_array_equal(fwell_weights(np.zeros((3, 5)), ridge=0.1), 0)
    # Margins that repeat span less than there are of them.
    twice = fwell_weights(np.vstack([margins, margins]), ridge=0.1)
    np.testing.assert_allclose(twice, fwell_weights(margins, ridge=0.1), atol=1e-6)


def test_planted_features_are_found(planted):
    assert FWELL(3).fit(*planted).get_support(indices=True).tolist() == [3, 11, 20]
    model = FELP(math.inf, n_members=5, n_features_to_select=3, random_state=0).fit(*planted)
    assert model.get_support(indices=True).tolist() == [3, 11, 20]


def test_every_row_is_in_one_chunk(planted, monkeypatch):
    X, y = planted[0].copy(), planted[1]
    X[:, 0] = np.arange(400) / 400  # a name for every row
    chunks = []
    monkeypatch.setattr(module, "local_margins", lambda rows, label: (chunks.append(rows[:, 0]), rows)[1])
    FELP(math.inf, n_members=7, random_state=0).fit(X, y)
    assert sorted(map(len, chunks)) == [57] * 6 + [58]
    np.testing.assert_allclose(np.sort(np.concatenate(chunks)), X[:, 0], atol=1e-12)


def test_noise_is_that_of_the_vector_mechanism_at_the_stated_sensitivity(planted):
    """With one stream the noise is laplace_l2's own; that it has its law is said in tests/central/test_vectors.py."""
    X, y = planted[0][:20, :5], planted[1][:20]
    for seed in range(3):
        noisy = FELP(0.5, n_members=2, random_state=np.random.default_rng(seed)).fit(X, y)
        rng = np.random.default_rng(seed)
        clear = FELP(math.inf, n_members=2, random_state=rng).fit(X, y)  # has dealt the rows, and drawn no noise
        expected = laplace_l2(clear.weights_, epsilon=0.5, sensitivity=clear.sensitivity_, rng=rng)
        np.testing.assert_allclose(noisy.weights_, expected, rtol=1e-12)


def test_the_bound_of_chunks_holds_for_every_single_replacement():
    ridge, members = 0.05, 4
    rng = np.random.default_rng(4)
    X, y = rng.choice([0.0, 0.5, 1.0], size=(60, 4)), np.arange(60) % 2
    settings = {"epsilon": math.inf, "n_members": members, "ridge": ridge, "random_state": 5}
    base = FELP(**settings).fit(X, y)
    changes = []
    for _ in range(20):
        i = rng.integers(len(X))
        moved, labels = X.copy(), y.copy()
        moved[i], labels[i] = rng.choice([0.0, 0.5, 1.0], size=4), rng.integers(2)
        changes.append(np.linalg.norm(FELP(**settings).fit(moved, labels).weights_ - base.weights_))
    assert base.sensitivity_ == pytest.approx(2 * math.sqrt(0.2784645427610738 / (2 * ridge)) / members)
    assert 0 < max(changes) <= base.sensitivity_


@pytest.mark.parametrize("ridge", [1e-4, 0.3, 1.9])
def test_no_weights_are_longer_than_their_bound(ridge):
    """On random and on aligned margins; with one margin of length 1 the bound is nearly attained at small λ.

    There w = s·z with 2λs = 1/(1 + e^s): the length is s, and 2λs² = s/(1 + e^s) is at most W(1/e).
    """
    rng, longest, found = np.random.default_rng(6), longest_weights(ridge), []
    for m, d in ((1, 1), (3, 2), (20, 5), (5, 40)):
        for _ in range(20):
            margins = rng.normal(size=(m, d)) + rng.choice([0, 3]) * rng.normal(size=d)
            margins *= (rng.random(m) ** rng.choice([0.0, 0.3]) / np.linalg.norm(margins, axis=1))[:, None]
            found.append(np.linalg.norm(fwell_weights(margins, ridge=ridge)))
    assert max(found) <= longest * (1 + 1e-9)
    assert longest <= 1 / (2 * ridge)


def test_the_bound_is_attained():
    """Largest length over margins of one length r ≤ 1, all in one direction: s = w·r with 2λs = r²/(1 + e^s).

    At r = 1 the equation 2λs = 1/(1 + e^s) gives 2λs² = W(1/e) exactly for the λ where s = 1 + W(1/e).
    """
    s = 1.2784645427610738
    ridge = math.exp(-s) / (2 * s**2)
    assert np.linalg.norm(fwell_weights(np.array([[1.0]]), ridge=ridge)) == pytest.approx(s, rel=1e-6)
    assert longest_weights(ridge) == pytest.approx(s, rel=1e-12)
    values = np.linspace(0, 20, 2_000_001)
    assert longest_weights(0.5) ** 2 == pytest.approx(np.max(values / (1 + np.exp(values))), abs=1e-10)
    assert longest_weights(0.01) == pytest.approx(3.7314, abs=1e-4)
    assert longest_weights(5.0) == 0.1


def test_a_search_that_stops_early_keeps_the_bound(planted, monkeypatch):
    """The noise must be enough for what the search returns, not for what it should have found."""
    monkeypatch.setattr(module, "fwell_weights", lambda margins, *, ridge: np.full(margins.shape[1], 1e3))
    model = FELP(math.inf, n_members=4).fit(*planted)
    assert np.linalg.norm(model.weights_) == pytest.approx(longest_weights(0.01), rel=1e-9)
    assert model.sensitivity_ == pytest.approx(2 * longest_weights(0.01) / 4)
