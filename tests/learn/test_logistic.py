"""DPLogisticRegression: sensitivity by brute force, accounting, noiseless limit."""

import math

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from ldp_core.central import dp_to_zcdp, gaussian_delta, zcdp_gaussian
from ldp_core.learn import DPLogisticRegression


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(2)
    X = rng.uniform(-1, 1, size=(3000, 4))
    score = X @ [2.0, -1.0, 0.5, 0.0] + 0.3
    return X, rng.random(3000) < 1 / (1 + np.exp(-3 * score))


HUGE = [1e154, 1e200, 1e308, np.finfo(float).max]


@pytest.mark.parametrize("clip", ["gradient", "features"])
@pytest.mark.parametrize("entry", [*HUGE, *(-v for v in HUGE), 5e-324])
@pytest.mark.parametrize("mixed", [False, True])
def test_no_finite_record_breaks_the_model(data, clip, entry, mixed):
    """A record that turned the model into NaN told, at any ε, that it was there. Overflow warnings are errors here."""
    X, y = data[0].copy(), data[1]
    X[0] = entry * (np.array([1.0, -1.0, 0.5, 1e-300]) if mixed else 1.0)
    with np.errstate(under="ignore"):
        model = DPLogisticRegression(1.0, clip=clip, classes=[False, True], iterations=20).fit(X, y)
        scores = model.predict_proba(X)
    assert np.all(np.isfinite(model.coef_))
    assert np.all(np.isfinite(model.intercept_))
    assert np.all(np.isfinite(scores))


@pytest.mark.parametrize(("neighbours", "factor", "more"), [("add-remove", 1, 1), ("replace", 2, 0)])
@pytest.mark.parametrize("iterations", [1, 30])
def test_all_answers_together_keep_the_promise(data, neighbours, factor, more, iterations):
    model = DPLogisticRegression(
        1.5, delta=1e-5, neighbours=neighbours, iterations=iterations, bound=0.5, random_state=0
    )
    model.fit(*data)
    answers = iterations + more  # under add-remove the number of rows is asked as well
    assert model.n_answers_ == answers
    # Gaussians one after another are a single one with σ over the root of their number: its exact δ, used up
    exact = gaussian_delta(epsilon=1.5, sigma=model.sigma_ / math.sqrt(answers), sensitivity=factor * 0.5)
    assert exact <= 1e-5
    assert exact == pytest.approx(1e-5, rel=1e-6)
    assert model.rho_ == pytest.approx(answers * zcdp_gaussian(sigma=model.sigma_, sensitivity=factor * 0.5))
    # the detour over zCDP would have needed more noise for the same promise
    detour = factor * 0.5 * math.sqrt(answers / (2 * dp_to_zcdp(1.5, delta=1e-5)))
    assert model.sigma_ < 0.85 * detour


@pytest.mark.parametrize("clip", ["gradient", "features"])
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_the_model_is_made_of_noisy_answers_only(data, monkeypatch, neighbours, clip):
    """Record what noise is added to: for the same noisy answers, neighbours have the same model, whatever n is."""
    X, y = data[0][:200], data[1][:200]
    bound, answers = 0.7, []

    def run(X, y, given=None):
        taken = []

        def add(answer, sigma, rng):
            taken.append((np.atleast_1d(answer), sigma))
            return answer + rng.normal(0.0, sigma, getattr(answer, "shape", None)) if given is None else given.pop(0)

        monkeypatch.setattr(
            "ldp_core.learn.logistic.add_gaussian", lambda *a: (answers.append(add(*a)), answers[-1])[1]
        )
        model = DPLogisticRegression(
            0.8, iterations=5, bound=bound, clip=clip, neighbours=neighbours, classes=[False, True]
        )
        return model.fit(X, y), taken

    first, taken = run(X, y)
    neighbour = (X[1:], y[1:]) if neighbours == "add-remove" else (np.vstack([[9.0, 9, 9, 9], X[1:]]), y)
    second, others = run(*neighbour, given=list(answers))
    np.testing.assert_array_equal(first.coef_, second.coef_)
    np.testing.assert_array_equal(first.intercept_, second.intercept_)
    assert first.n_rows_ == second.n_rows_
    # In units of each answer's σ, the neighbours' answers lie no further apart than the accounting says.
    shift = math.sqrt(sum(np.sum(((a - b) / s) ** 2) for (a, s), (b, _) in zip(taken, others, strict=True)))
    allowed = bound * (1 if neighbours == "add-remove" else 2) * math.sqrt(first.n_answers_) / first.sigma_
    assert 0 < shift <= allowed * (1 + 1e-12)
    assert len(taken) == first.n_answers_


def test_few_rows_and_much_noise_leave_a_model_of_finite_numbers():
    """The noisy number of rows is at least 1, so that nothing is divided by 0 or turned round."""
    for seed in range(20):
        model = DPLogisticRegression(0.01, classes=[0, 1], random_state=np.random.default_rng(seed))
        model.fit([[0.1], [0.9], [-0.4]], [0, 1, 0])
        assert model.n_rows_ >= 1
        assert np.all(np.isfinite(model.coef_))


def test_scores_beyond_the_largest_number_have_probabilities_nevertheless(data):
    model = DPLogisticRegression(1e6, random_state=0, classes=[False, True]).fit(*data)
    X = np.array([[1.0, 0, 0, 0], [-1.0, 0, 0, 0]]) * np.finfo(float).max
    model.coef_ = model.coef_ * 1e10
    np.testing.assert_array_equal(model.predict(X), model.decision_function(X) > 0)
    np.testing.assert_array_equal(model.predict_proba(X), [[0.0, 1.0], [1.0, 0.0]])


def test_without_noise_it_is_logistic_regression(data):
    X, y = data
    model = DPLogisticRegression(1e12, bound=10.0, iterations=3000, learning_rate=4.0, ridge=1e-3, random_state=0).fit(
        X, y
    )
    n = len(X)
    # scikit-learn minimizes C · sum of losses + ‖w‖²/2, without a penalty on the intercept
    exact = LogisticRegression(C=1 / (n * 1e-3), tol=1e-10).fit(X, y)
    np.testing.assert_allclose(model.coef_, exact.coef_, rtol=0.02, atol=0.02)
    np.testing.assert_allclose(model.predict_proba(X[:50]), exact.predict_proba(X[:50]), atol=0.01)


def test_more_budget_is_better(data):
    X, y = data

    def mean_score(epsilon):
        return np.mean([DPLogisticRegression(epsilon, random_state=s).fit(X, y).score(X, y) for s in range(10)])

    assert mean_score(0.05) < mean_score(0.5) < mean_score(10.0)


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({"epsilon": 0}, "epsilon"),
        ({"delta": 0}, "delta"),
        ({"clip": "rows"}, "clip"),
        ({"bound": 0}, "bound"),
        ({"neighbours": "swap"}, "neighbours"),
        ({"iterations": 0}, "iterations"),
        ({"learning_rate": -1}, "learning_rate"),
        ({"ridge": -1}, "ridge"),
        ({"random_state": -1}, "random_state must"),
        ({"learning_rate": 1e101}, "learning_rate"),
        ({"ridge": 2.1}, "ridge"),
    ],
)
def test_bad_parameters(data, parameters, name):
    with pytest.raises(ValueError, match=name):
        DPLogisticRegression(**parameters).fit(*data)


def test_two_classes_only(data):
    X, _ = data
    with pytest.raises(ValueError, match="binary"):
        DPLogisticRegression().fit(X, np.arange(3000) % 3)
    with pytest.raises(ValueError, match="binary"):
        DPLogisticRegression(classes=[0, 1, 2]).fit(X, np.arange(3000) % 2)
    with pytest.raises(ValueError, match="y must hold the classes"):
        DPLogisticRegression(classes=[0, 2]).fit(X, np.arange(3000) % 2)
    with pytest.raises(ValueError, match="at least 2"):
        DPLogisticRegression(classes=[0]).fit(X, np.zeros(3000))
