"""DPNaiveBayes: sensitivity of everything it releases by brute force, and noiseless limits."""

import itertools

import numpy as np
import pytest
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from ldp_book.faults.learn import PublishedDPNaiveBayes
from ldp_core.central import laplace
from ldp_core.learn import DPNaiveBayes, Schema

RECORDS = [(a, b, t, j) for a in range(2) for b in range(3) for t in (-1.0, 0.25, 1.0) for j in range(2)]
#: The model, and the published one, which is as right where nothing has to be hidden.
BOTH = pytest.mark.parametrize("model", [DPNaiveBayes, PublishedDPNaiveBayes])


def released(model, rows):
    """The parts and their sensitivities, for rows (a, b, t, class)."""
    array = np.array(rows, dtype=float).reshape(-1, 4)
    schema = Schema.of_sizes([2, 3], 2)
    return model.parts(array[:, :2].astype(int), array[:, 2:3], array[:, 3].astype(int), schema)


def log_ratio(model, one, other):
    """Largest log ratio of the joint density of everything released: L1 distances over Laplace scales add up."""
    (a, changes), (b, other_changes) = released(model, one), released(model, other)
    assert changes == other_changes
    return model.epsilon / len(a) * sum(np.sum(np.abs(x - y)) / s for x, y, s in zip(a, b, changes, strict=True))


@pytest.mark.parametrize("epsilon", [0.3, 2.0])
def test_epsilon_is_exact_under_add_remove(epsilon):
    model = DPNaiveBayes(epsilon, neighbours="add-remove")
    base = [RECORDS[i] for i in (0, 3, 7, 11, 20, 30)]
    ratios = [log_ratio(model, base, [*base, record]) for record in RECORDS]
    assert max(ratios) == pytest.approx(epsilon)


@pytest.mark.parametrize("epsilon", [0.3, 2.0])
def test_epsilon_holds_under_replacement(epsilon):
    model = DPNaiveBayes(epsilon, neighbours="replace")
    base = [RECORDS[i] for i in (0, 3, 7, 11)]
    ratios = [log_ratio(model, [*base, x], [*base, y]) for x, y in itertools.permutations(RECORDS, 2)]
    assert max(ratios) <= epsilon * (1 + 1e-12)
    assert max(ratios) == pytest.approx(epsilon)  # two people who differ in everything
    half = DPNaiveBayes(epsilon, neighbours="add-remove")
    assert log_ratio(half, [*base, RECORDS[0]], [*base, RECORDS[-1]]) > epsilon


def test_every_part_gets_its_share_of_the_budget(monkeypatch):
    """What is drawn passes through the Laplace mechanism: record its calls."""
    seen = []

    def recorded(value, *, epsilon, sensitivity, rng):
        seen.append((np.shape(value), epsilon, sensitivity))
        return laplace(value, epsilon=epsilon, sensitivity=sensitivity, rng=rng)

    monkeypatch.setattr("ldp_core.learn.dp_naive_bayes.laplace", recorded)
    X, y = [[0, 0, 0.5], [1, 2, 0.1]] * 5, [0, 1] * 5
    for neighbours, persons in (("add-remove", 1), ("replace", 2)):
        seen.clear()
        model = DPNaiveBayes(1.5, neighbours=neighbours, numeric={2: (0, 1)}, categories=[2, 3], classes=[0, 1])
        model.fit(X, y)
        assert [shape for shape, _, _ in seen] == [(2,), (2, 2), (3, 2), (2,), (2,)]
        assert {(epsilon, sensitivity) for _, epsilon, sensitivity in seen} == {(1.5 / 5, persons)}


def test_without_noise_it_is_categorical_naive_bayes(labelled):
    X, y = labelled
    model = DPNaiveBayes(1e9, random_state=0).fit(X, y)
    exact = CategoricalNB(alpha=1.0).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X[:500]), exact.predict_proba(X[:500]), atol=1e-6)


@BOTH
def test_without_noise_it_is_gaussian_naive_bayes(model):
    rng = np.random.default_rng(12)
    y = rng.integers(2, size=5000)
    X = np.clip(rng.normal(y[:, None] - 0.5, 0.3, size=(5000, 2)), -1, 1)
    bounds = {0: (-1, 1), 1: (-1, 1)}
    fitted = model(1e9, numeric=bounds, random_state=0).fit(X, y)
    exact = GaussianNB(var_smoothing=0).fit(X, y)
    np.testing.assert_allclose(fitted.theta_.T, exact.theta_, atol=1e-5)
    np.testing.assert_allclose(fitted.var_.T, exact.var_, atol=1e-5)
    assert np.mean(fitted.predict(X) == exact.predict(X)) > 0.999


@BOTH
def test_no_finite_value_breaks_the_model(model):
    rng = np.random.default_rng(13)
    X, y = rng.uniform(-1, 1, size=(300, 3)), rng.integers(2, size=300)
    X[0] = np.finfo(float).max * np.array([1, -1, 0.5])
    numeric = {0: (-1, 1), 1: (-1e300, 1e300), 2: (-1e308, 1e308)}
    fitted = model(0.5, numeric=numeric, classes=[0, 1]).fit(X, y)
    assert np.all(np.isfinite(fitted.theta_))
    assert np.all(np.isfinite(fitted.predict_proba(X)))
