"""FWELL and FELP: the optimum, the law of the noise, the bound that holds and the one that does not.

Statistical tests compare with an exact law; they fail at p-values below 1e-6, with fixed seeds.
"""

import math

import numpy as np
import pytest
from scipy import stats
from sklearn.utils.estimator_checks import estimator_checks_generator

from ldp_core.learn import FELP, FWELL
from ldp_core.learn import feature_selection as module
from ldp_core.learn.feature_selection import fwell_weights, local_margins, longest_weights

CHECKS = [
    pytest.param(estimator, check, id=f"{type(estimator).__name__}-{check.func.__name__}")
    for estimator in (
        FWELL(0.5, bounds=(-10, 10)),
        FELP(5.0, n_members=3, n_features_to_select=0.5, bounds=(-10, 10), random_state=0),
    )
    for estimator, check in estimator_checks_generator(estimator)
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def planted():
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=400)
    X = rng.uniform(size=(400, 30))
    X[:, [3, 11, 20]] = np.clip(0.3 + 0.4 * y[:, None] + rng.normal(0, 0.1, size=(400, 3)), 0, 1)
    return X, y


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


def test_weights_are_the_optimum(planted):
    margins = local_margins(*planted)
    w = fwell_weights(margins, 0.01)

    def loss(v):
        return np.mean(np.logaddexp(0, -margins @ v)) + 0.01 * v @ v

    rng = np.random.default_rng(2)
    assert all(loss(w) <= loss(w + step * rng.normal(size=30)) for step in (1e-3, 1e-2, 0.1, 1) for _ in range(50))
    assert np.linalg.norm(w) <= 1 / 0.02


def test_fewer_margins_than_features_have_the_same_optimum():
    """There the search runs in the margins' span; the gradient in all d numbers is 0 nevertheless."""
    margins = np.random.default_rng(3).normal(size=(20, 300)) / math.sqrt(300)
    for reg in (0.001, 0.1, 10.0):
        w = fwell_weights(margins, reg)
        pull = 1 / (1 + np.exp(margins @ w))
        np.testing.assert_allclose(2 * reg * w, pull @ margins / 20, atol=1e-7)
    np.testing.assert_array_equal(fwell_weights(np.zeros((3, 5)), 0.1), 0)
    # Margins that repeat span less than there are of them.
    twice = fwell_weights(np.vstack([margins, margins]), 0.1)
    np.testing.assert_allclose(twice, fwell_weights(margins, 0.1), atol=1e-6)


def test_planted_features_are_found(planted):
    assert FWELL(3).fit(*planted).get_support(indices=True).tolist() == [3, 11, 20]
    for guarantee in ("published", "chunks"):
        model = FELP(math.inf, guarantee, n_members=5, n_features_to_select=3, random_state=0).fit(*planted)
        assert model.get_support(indices=True).tolist() == [3, 11, 20]


def test_bags_hold_no_row_twice_unless_they_are_bootstrapped(planted, monkeypatch):
    """Without replacement a row is in ⌈βn⌉/n of the bags, as the study's lemma counts; with it in 1 − (1 − 1/n)^m."""
    X, y = planted[0].copy(), planted[1]
    X[:, 0] = np.arange(400) / 400  # a name for every row
    for bootstrap, held in ((False, 0.9), (True, 1 - (1 - 1 / 400) ** 360)):
        bags = []
        monkeypatch.setattr(module, "local_margins", lambda rows, label, bags=bags: (bags.append(rows[:, 0]), rows)[1])
        FELP(math.inf, "published", n_members=50, bootstrap=bootstrap, random_state=0).fit(X, y)
        different = [len(np.unique(bag)) for bag in bags]
        assert all(len(bag) == 360 for bag in bags)
        assert np.mean(different) / 400 == pytest.approx(held, abs=0.01)
        assert bootstrap or set(different) == {360}
    with pytest.raises(TypeError, match="bootstrap"):
        FELP(bootstrap="yes").fit(*planted)


@pytest.mark.parametrize("guarantee", ["published", "chunks"])
def test_noise_has_its_law(planted, guarantee):
    """Length Gamma(d, Δ/ε), first coordinate symmetric: same bags with and without noise."""
    X, y = planted[0][:20, :5], planted[1][:20]
    lengths, signs = [], []
    for seed in range(60):
        settings = {"guarantee": guarantee, "n_members": 2, "random_state": seed}
        model = FELP(0.5, **settings).fit(X, y)
        noise = model.weights_ - FELP(math.inf, **settings).fit(X, y).weights_
        lengths.append(np.linalg.norm(noise) / model.sensitivity_ * 0.5)
        signs.append(noise[0] > 0)
    assert stats.kstest(lengths, stats.gamma(5).cdf).pvalue > 1e-6
    assert stats.binomtest(int(sum(signs)), 60, 0.5).pvalue > 1e-6


def test_density_ratio_of_the_noise():
    """−ε‖b‖/Δ is Lipschitz: a shift by Δ changes the log density by at most ε."""
    rng = np.random.default_rng(3)
    b, shift = rng.normal(size=(5000, 4)), rng.normal(size=(5000, 4))
    shift *= 0.7 / np.linalg.norm(shift, axis=1, keepdims=True)
    change = np.abs(np.linalg.norm(b, axis=1) - np.linalg.norm(b + shift, axis=1)) / 0.7
    assert change.max() <= 1 + 1e-12


def two_camps(n, position):
    """Class 0 at 0, class 1 at 1, but for one record of class 1 that stands at the given place; one feature."""
    y = np.arange(n) % 2
    x = y.astype(float)
    x[1] = position
    return x[:, None], y


def test_the_published_bound_is_broken_by_one_record():
    """Without any bagging: moving one record to the other camp makes half of all margins vanish, whatever n is."""
    reg = 0.01
    for n in (1000, 4000):
        one, other = (fwell_weights(local_margins(*two_camps(n, position)), reg) for position in (1.0, 0.0))
        assert abs(one[0] - other[0]) > 2 / (n * reg)
        assert abs(one[0] - other[0]) > 0.4


def test_the_bound_of_chunks_holds_for_every_single_replacement():
    reg, members = 0.05, 4
    rng = np.random.default_rng(4)
    X, y = rng.choice([0.0, 0.5, 1.0], size=(60, 4)), np.arange(60) % 2
    settings = {"epsilon": math.inf, "n_members": members, "reg": reg, "random_state": 5}
    base = FELP(**settings).fit(X, y)
    changes = []
    for _ in range(40):
        i = rng.integers(len(X))
        moved, labels = X.copy(), y.copy()
        moved[i], labels[i] = rng.choice([0.0, 0.5, 1.0], size=4), rng.integers(2)
        changes.append(np.linalg.norm(FELP(**settings).fit(moved, labels).weights_ - base.weights_))
    assert base.sensitivity_ == pytest.approx(2 * math.sqrt(0.2784645427610738 / (2 * reg)) / members)
    assert 0 < max(changes) <= base.sensitivity_


@pytest.mark.parametrize("reg", [1e-4, 0.01, 0.3, 1.7, 1.9, 50.0])
def test_no_weights_are_longer_than_their_bound(reg):
    """On random and on aligned margins; with one margin of length 1 the bound is nearly attained at small λ.

    There w = s·z with 2λs = 1/(1 + e^s): the length is s, and 2λs² = s/(1 + e^s) is at most W(1/e).
    """
    rng, longest, found = np.random.default_rng(6), longest_weights(reg), []
    for m, d in ((1, 1), (3, 2), (20, 5), (5, 40)):
        for _ in range(20):
            margins = rng.normal(size=(m, d)) + rng.choice([0, 3]) * rng.normal(size=d)
            margins *= (rng.random(m) ** rng.choice([0.0, 0.3]) / np.linalg.norm(margins, axis=1))[:, None]
            found.append(np.linalg.norm(fwell_weights(margins, reg)))
    assert max(found) <= longest * (1 + 1e-9)
    assert longest <= 1 / (2 * reg)


def test_the_bound_is_attained():
    """Largest length over margins of one length r ≤ 1, all in one direction: s = w·r with 2λs = r²/(1 + e^s).

    At r = 1 the equation 2λs = 1/(1 + e^s) gives 2λs² = W(1/e) exactly for the λ where s = 1 + W(1/e).
    """
    s = 1.2784645427610738
    reg = math.exp(-s) / (2 * s**2)
    assert np.linalg.norm(fwell_weights(np.array([[1.0]]), reg)) == pytest.approx(s, rel=1e-6)
    assert longest_weights(reg) == pytest.approx(s, rel=1e-12)
    values = np.linspace(0, 20, 2_000_001)
    assert longest_weights(0.5) ** 2 == pytest.approx(np.max(values / (1 + np.exp(values))), abs=1e-10)
    assert longest_weights(0.01) == pytest.approx(3.7314, abs=1e-4)
    assert longest_weights(5.0) == 0.1


def test_a_search_that_stops_early_keeps_the_bound(planted, monkeypatch):
    """The noise must be enough for what the search returns, not for what it should have found."""
    monkeypatch.setattr(module, "fwell_weights", lambda margins, reg: np.full(margins.shape[1], 1e3))
    model = FELP(math.inf, n_members=4).fit(*planted)
    assert np.linalg.norm(model.weights_) == pytest.approx(longest_weights(0.01), rel=1e-9)
    assert model.sensitivity_ == pytest.approx(2 * longest_weights(0.01) / 4)


@pytest.mark.parametrize("entry", [1e154, -1e200, np.finfo(float).max])
def test_no_finite_value_breaks_the_weights(planted, entry):
    X, y = planted[0].copy(), planted[1]
    X[0] = entry * np.where(np.arange(30) % 2, 1.0, -1.0)
    for model in (FWELL(), FELP(1.0), FELP(1.0, "published", n_members=2), FELP(1.0, bounds=(-1e308, 1e308))):
        assert np.all(np.isfinite(model.fit(X, y).weights_))


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({"epsilon": 0}, "epsilon"),
        ({"guarantee": "proved"}, "guarantee"),
        ({"n_members": 0}, "n_members"),
        ({"share": 0}, "share"),
        ({"reg": 0}, "reg"),
        ({"n_features_to_select": 31}, "n_features_to_select"),
        ({"n_features_to_select": 1.5}, "n_features_to_select"),
        ({"bounds": (1, 0)}, "lo"),
    ],
)
def test_bad_parameters(planted, parameters, name):
    with pytest.raises(ValueError, match=name):
        FELP(**parameters).fit(*planted)
