"""DPLogisticRegression: sensitivity by brute force, accounting, noiseless limit."""

import math

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from ldp_core.central import PrivacyLoss, dp_to_zcdp, gaussian_delta, gaussian_sigma, zcdp_gaussian
from ldp_core.learn import DPLogisticRegression
from ldp_core.learn.gradients import Scaled
from ldp_core.learn.logistic import draw_batch


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(2)
    X = rng.uniform(-1, 1, size=(3000, 4))
    score = X @ [2.0, -1.0, 0.5, 0.0] + 0.3
    return X, rng.random(3000) < 1 / (1 + np.exp(-3 * score))


HUGE = [1e154, 1e200, 1e308, np.finfo(float).max]


@pytest.mark.parametrize("clip", ["gradient", "features"])
@pytest.mark.parametrize("entry", [HUGE[0], -HUGE[-1], 5e-324])
def test_no_finite_record_breaks_the_model(data, clip, entry):
    """A record that turned the model into NaN told, at any ε, that it was there. Overflow warnings are errors here."""
    X, y = data[0].copy(), data[1]
    X[0] = entry * np.array([1.0, -1.0, 0.5, 1e-300])
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


@pytest.fixture
def fit_noisy(monkeypatch):
    """Fit a model, with noise or with noisy answers that are given; say what noise was added to, and the answers."""

    def fit(model, X, y, given=()):
        taken, answers, given = [], [], list(given)

        def add(answer, sigma, rng):
            taken.append((np.atleast_1d(answer), sigma))
            noisy = given.pop(0) if given else answer + rng.normal(0.0, sigma, getattr(answer, "shape", None))
            answers.append(noisy)
            return noisy

        monkeypatch.setattr("ldp_core.learn.logistic.add_gaussian", add)
        return model.fit(X, y), taken, answers

    return fit


@pytest.mark.parametrize("clip", ["gradient", "features"])
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
def test_the_model_is_made_of_noisy_answers_only(data, fit_noisy, neighbours, clip):
    """Record what noise is added to: for the same noisy answers, neighbours have the same model, whatever n is."""
    X, y, bound = data[0][:200], data[1][:200], 0.7
    settings = {"bound": bound, "clip": clip, "neighbours": neighbours, "classes": [False, True]}
    first, taken, answers = fit_noisy(DPLogisticRegression(0.8, iterations=5, **settings), X, y)
    neighbour = (X[1:], y[1:]) if neighbours == "add-remove" else (np.vstack([[9.0, 9, 9, 9], X[1:]]), y)
    second, others, _ = fit_noisy(DPLogisticRegression(0.8, iterations=5, **settings), *neighbour, answers)
    np.testing.assert_array_equal(first.coef_, second.coef_)
    np.testing.assert_array_equal(first.intercept_, second.intercept_)
    assert first.n_rows_ == second.n_rows_
    # In units of each answer's σ, the neighbours' answers lie no further apart than the accounting says.
    shift = math.sqrt(sum(np.sum(((a - b) / s) ** 2) for (a, s), (b, _) in zip(taken, others, strict=True)))
    allowed = bound * (1 if neighbours == "add-remove" else 2) * math.sqrt(first.n_answers_) / first.sigma_
    assert 0 < shift <= allowed * (1 + 1e-12)
    assert len(taken) == first.n_answers_


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


def test_a_rate_of_one_is_everybody(data):
    """The same noise, the same model, whether None or 1 is given, and whatever the neighbours."""
    for neighbours in ("add-remove", "replace"):
        models = [
            DPLogisticRegression(
                0.5, batch_rate=rate, neighbours=neighbours, random_state=np.random.default_rng(1), iterations=7
            ).fit(*data)
            for rate in (None, 1, 1.0)
        ]
        for model in models[1:]:
            np.testing.assert_array_equal(model.coef_, models[0].coef_)
            assert model.sigma_ == models[0].sigma_
        assert models[0].accountant_.epsilon(delta=1e-6) == pytest.approx(0.5, rel=1e-9)


@pytest.mark.parametrize(("epsilon", "delta", "rate", "steps"), [(1.0, 1e-6, 0.01, 60), (0.1, 1e-5, 0.3, 20)])
def test_batches_keep_the_promise(data, epsilon, delta, rate, steps):
    """The loss of the steps and of the number of rows, put together here from what was added to what."""
    model = DPLogisticRegression(
        epsilon, delta=delta, batch_rate=rate, iterations=steps, bound=0.5, classes=[False, True], random_state=None
    ).fit(*data)
    one = PrivacyLoss.gaussian(model.sigma_, 0.5).subsampled(rate)
    count = PrivacyLoss.gaussian(10 * gaussian_sigma(epsilon=epsilon, delta=delta))
    found = one.self_compose(steps).compose(count).epsilon(delta)
    assert found.upper <= epsilon
    assert found.lower > 0.99 * epsilon
    assert model.accountant_.interval(delta=delta) == pytest.approx(found)
    assert model.n_answers_ == steps + 1
    everybody = gaussian_sigma(epsilon=epsilon, delta=delta, sensitivity=0.5 * math.sqrt(steps))
    assert model.sigma_ < everybody
    assert rate * everybody < model.sigma_  # no free lunch: at the same noise in the mean, batches cost


@pytest.mark.parametrize("clip", ["gradient", "features"])
def test_batches_know_a_person_by_noisy_sums_only(data, monkeypatch, fit_noisy, clip):
    """With the same coins for all others and the same noisy answers, a person's presence leaves the model as it is."""
    X, y, bound = data[0][:200], data[1][:200], 0.7

    def run(skip, given=()):
        coins = np.random.default_rng(7)

        def batch(rows, signs, share, rng):
            drawn = (coins.random(200) < share)[skip:]
            return type(rows)(rows.size[drawn], rows.direction[drawn], rows.length[drawn]), signs[drawn]

        monkeypatch.setattr("ldp_core.learn.logistic.draw_batch", batch)
        model = DPLogisticRegression(0.8, iterations=30, bound=bound, clip=clip, batch_rate=0.2, classes=[False, True])
        return fit_noisy(model, X[skip:], y[skip:], given)

    first, taken, answers = run(0)
    second, others, _ = run(1, answers)
    np.testing.assert_array_equal(first.coef_, second.coef_)
    assert first.n_rows_ == second.n_rows_
    moves = np.array([np.linalg.norm(a - b) for (a, _), (b, _) in zip(taken, others, strict=True)])
    assert moves[0] == pytest.approx(1.0)
    assert np.all(moves[1:] <= bound * (1 + 1e-12))
    there = np.random.default_rng(7).random((30, 200))[:, 0] < 0.2
    np.testing.assert_array_equal(moves[1:] > 1e-12, there)  # she is in the sum when her coin says so, and only then
    assert 0 < there.sum() < 30
    assert all(sigma == first.sigma_ for _, sigma in taken[1:])
    assert taken[0][1] == pytest.approx(10 * gaussian_sigma(epsilon=0.8, delta=1e-6))


def test_batches_are_drawn_anew_from_everybody_and_may_be_empty(data):
    rows, signs = Scaled.of(data[0]), np.where(data[1], 1.0, -1.0)
    rng = np.random.default_rng(0)
    sizes = [len(draw_batch(rows, signs, 0.1, rng)[1]) for _ in range(200)]
    assert np.mean(sizes) == pytest.approx(300, abs=5)
    assert np.var(sizes) == pytest.approx(270, rel=0.4)
    nobody, none = draw_batch(rows, signs, 1e-300, rng)
    assert len(none) == 0
    np.testing.assert_array_equal(nobody.gradient_sum(np.zeros(4), none, 1.0), np.zeros(4))
    model = DPLogisticRegression(1.0, batch_rate=1e-9, iterations=20, classes=[False, True], random_state=rng)
    assert np.all(np.isfinite(model.fit(*data).coef_))


@pytest.mark.parametrize("epsilon", [1e-12, 1e9])
def test_extreme_budgets_have_a_model_or_a_reason(data, epsilon):
    model = DPLogisticRegression(epsilon, batch_rate=0.1, iterations=3, classes=[False, True])
    if epsilon < 1e-5:
        with pytest.raises(ValueError, match="certified"):
            model.fit(*data)
    else:
        assert np.all(np.isfinite(model.fit(*data).coef_))
        assert model.accountant_.epsilon(delta=1e-6) <= epsilon
