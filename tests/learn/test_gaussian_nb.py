"""LDPGaussianNB: its ε over whole reports, its noiseless limit, what it does when noise wins."""

import itertools

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from ldp_core.frequency import DirectEncoding
from ldp_core.learn import LDPGaussianNB
from ldp_core.learn import gaussian_nb as module
from ldp_core.numeric import Laplace, Piecewise


@pytest.fixture(scope="module")
def blobs():
    rng = np.random.default_rng(11)
    y = rng.choice(3, size=30_000, p=[0.5, 0.3, 0.2])
    centres = np.array([[-0.5, 0.2], [0.4, 0.3], [0.0, -0.6]])
    return np.clip(rng.normal(centres[y], 0.2), -1, 1), np.array(["a", "b", "c"])[y]


@pytest.mark.parametrize(("h", "k"), [(1, 2), (2, 2), (3, 2), (2, 3)])
def test_sensitivity_of_the_matrix_by_brute_force(h, k):
    """Largest L1 distance of two users' matrices: exactly 2h, whether their classes agree or not."""
    users = [(np.array([t]), np.array([j])) for t in itertools.product((-1.0, 0.0, 1.0), repeat=h) for j in range(k)]
    matrices = [module.hide_class(t, j, k).ravel() for t, j in users]
    distances = [np.abs(a - b).sum() for a, b in itertools.combinations(matrices, 2)]
    assert max(distances) == 2 * h
    assert max(distances) / Laplace(1.3, dim=h).scale == pytest.approx(1.3)  # the log ratio of two densities
    one_feature = [m.reshape(h, k)[0] for m in matrices]
    largest = max(np.abs(a - b).sum() for a, b in itertools.combinations(one_feature, 2))
    assert largest / Laplace(1.3).scale == pytest.approx(1.3)


@pytest.mark.parametrize(("report", "share"), [("groups", 1), ("split", 3)])
@pytest.mark.parametrize("method", ["laplace", "piecewise", "sample"])
def test_every_report_gets_its_budget_and_no_more(blobs, monkeypatch, method, report, share):
    """Everything that is drawn from data passes through an oracle or a numeric mechanism: record their budgets."""
    X, y = blobs
    seen = []
    original = module._reports

    def recorded(mechanism, rows, rng):
        assert np.abs(rows).max() <= 1
        seen.append((type(mechanism), mechanism.epsilon, mechanism.dim, len(rows)))
        return original(mechanism, rows, rng)

    monkeypatch.setattr(module, "_reports", recorded)
    oracles = []

    def oracle(epsilon, domain):
        oracles.append(epsilon)
        return DirectEncoding(epsilon, domain)

    LDPGaussianNB(1.5, method=method, report=report, oracle=oracle, random_state=3).fit(X, y)
    assert oracles == [1.5 / share]
    kind, dim = {"laplace": (Laplace, 2), "piecewise": (Piecewise, 6), "sample": (Laplace, 1)}[method]
    assert [s[:3] for s in seen] == [(kind, 1.5 / share, dim)] * 2
    n = len(X)
    rows = {"laplace": 3, "piecewise": 1, "sample": 3}[method]
    if report == "groups":
        assert sum(s[3] for s in seen) <= rows * 2 * -(-n // 3)
    else:
        assert [s[3] for s in seen] == [rows * n] * 2


@pytest.mark.parametrize("method", ["laplace", "sample"])
def test_without_noise_it_is_gaussian_naive_bayes(blobs, method):
    X, y = blobs
    model = LDPGaussianNB(1e7, method=method, report="split", random_state=0).fit(X, y)
    exact = GaussianNB(var_smoothing=0).fit(X, y)
    # "sample" looks at half of the users for each feature
    tolerance = 1e-4 if method == "laplace" else 0.02
    np.testing.assert_allclose(model.theta_.T, exact.theta_, atol=tolerance)
    np.testing.assert_allclose(model.var_.T, exact.var_, atol=tolerance)
    np.testing.assert_allclose(model.class_prior_, exact.class_prior_, atol=1e-6)
    assert np.mean(model.predict(X) == exact.predict(X)) > 0.99


@pytest.mark.parametrize("method", ["laplace", "piecewise", "sample"])
def test_moments_are_right_within_their_standard_deviations(blobs, method):
    """Mean over 40 runs of the estimated P(C)·mean: within 5 standard errors, 6 entries."""
    X, y = blobs
    label = np.unique(y, return_inverse=True)[1]
    truth = np.array([[np.mean(X[:, i] * (label == j)) for j in range(3)] for i in range(2)])
    rng = np.random.default_rng(5)
    runs = np.array([module.METHODS[method](X, label, 3, 2.0, rng) for _ in range(40)])
    error = runs.std(axis=0, ddof=1) / np.sqrt(40)
    assert np.all(np.abs(runs.mean(axis=0) - truth) < 5 * error)


@pytest.mark.parametrize("method", ["laplace", "piecewise", "sample"])
def test_learns_at_a_moderate_budget_and_stays_presentable_at_a_tiny_one(blobs, method):
    X, y = blobs
    assert LDPGaussianNB(8.0, method=method, random_state=1).fit(X, y).score(X, y) > 0.8
    noisy = LDPGaussianNB(0.001, method=method, random_state=1).fit(X, y)
    assert np.all(np.abs(noisy.theta_) <= 1)
    assert np.all((noisy.var_ >= 0.01) & (noisy.var_ <= 1))
    probabilities = noisy.predict_proba(X[:50])
    assert np.all(np.isfinite(probabilities))
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)


def test_bounds_scale_and_clip(blobs):
    X, y = blobs
    inside = LDPGaussianNB(5.0, random_state=np.random.default_rng(2)).fit(X, y)
    shifted = LDPGaussianNB(5.0, bounds=([0, 10], [2, 30]), random_state=np.random.default_rng(2)).fit(
        X * [1, 10] + [1, 20], y
    )
    np.testing.assert_allclose(inside.theta_, shifted.theta_, atol=1e-12)


@pytest.mark.parametrize("entry", [1e154, -np.finfo(float).max])
@pytest.mark.parametrize("method", ["laplace", "piecewise", "sample"])
def test_no_finite_value_breaks_the_model(blobs, method, entry):
    X, y = blobs[0][:600].copy(), blobs[1][:600]
    X[0] = [entry, -entry]
    for bounds in ((-1.0, 1.0), (-1e308, 1e308)):
        model = LDPGaussianNB(1.0, method=method, bounds=bounds, classes=["a", "b", "c"]).fit(X, y)
        assert np.all(np.isfinite(model.theta_))
        assert np.all(np.isfinite(model.var_))
        assert np.all(np.isfinite(model.predict_proba(X)))
