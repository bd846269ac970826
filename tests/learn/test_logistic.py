"""DPLogisticRegression: sensitivity by brute force, accounting, noiseless limit."""

import math

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from ldp_core.central import dp_to_zcdp, gaussian_delta, zcdp_gaussian
from ldp_core.learn import DPLogisticRegression, gradient_sum, shorten


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(2)
    X = rng.uniform(-1, 1, size=(3000, 4))
    score = X @ [2.0, -1.0, 0.5, 0.0] + 0.3
    return X, rng.random(3000) < 1 / (1 + np.exp(-3 * score))


def numerical_gradient(theta, x, sign):
    def loss(t):
        return math.log1p(math.exp(-sign * float(x @ t)))

    step = 1e-6
    return np.array([(loss(theta + step * e) - loss(theta - step * e)) / (2 * step) for e in np.eye(len(theta))])


def test_gradient_is_the_loss_s():
    rng = np.random.default_rng(3)
    for _ in range(20):
        theta, x, sign = rng.normal(size=3), rng.normal(size=3), float(rng.choice([-1.0, 1.0]))
        found = gradient_sum(theta, x[None], np.array([sign]), bound=None)
        np.testing.assert_allclose(found, numerical_gradient(theta, x, sign), atol=1e-6)


@pytest.mark.parametrize("clip", ["gradient", "features"])
def test_one_person_moves_the_sum_by_at_most_the_bound(clip):
    """Random weights and rows, some of them huge: one more row b, one replaced 2b; both are nearly attained."""
    rng, bound = np.random.default_rng(4), 0.7
    added = replaced = 0.0
    for _ in range(3000):
        theta = rng.normal(size=3) * rng.choice([0.1, 1, 30])
        rows = rng.normal(size=(2, 3)) * rng.choice([0.1, 1, 100], size=(2, 1))
        signs = rng.choice([-1.0, 1.0], size=2)
        rows = shorten(rows, bound=bound) if clip == "features" else rows
        one, other = (
            gradient_sum(theta, rows[i : i + 1], signs[i : i + 1], bound=bound if clip == "gradient" else None)
            for i in (0, 1)
        )
        added, replaced = max(added, np.linalg.norm(one)), max(replaced, np.linalg.norm(one - other))
    assert 0.95 * bound < added <= bound * (1 + 1e-12)
    assert 1.7 * bound < replaced <= 2 * bound * (1 + 1e-12)


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


@pytest.mark.parametrize("bound", [0.5, 1e-300, 1e300])
def test_rows_are_shortened_to_the_bound_whatever_their_size(bound):
    rows = np.array([[v, s * v, t] for v in (0.0, 1e-320, 1.0, *HUGE) for s in (-1.0, 0.3) for t in (0.0, 1.0, 1e308)])
    with np.errstate(under="ignore"):
        short = shorten(rows, bound=bound)
        sums = [gradient_sum(np.array([3.0, -2.0, 1e-3]), row[None], np.array([1.0]), bound=bound) for row in rows]
    for vector in (*short, *sums):
        assert math.hypot(*vector) <= bound * (1 + 1e-12)
    for row, vector in zip(rows, short, strict=True):
        length = math.hypot(*(row / 8)) * 8 if np.abs(row).max() < 1e307 else math.inf
        if length <= bound:
            np.testing.assert_allclose(vector, row, rtol=1e-12)
        else:  # as long as allowed, in the row's direction
            assert math.hypot(*vector) == pytest.approx(bound, rel=1e-12)
            np.testing.assert_allclose(
                vector / bound, row / np.abs(row).max() * np.abs(vector).max() / bound, rtol=1e-9
            )


def test_ordinary_gradients_are_what_they_were(data):
    """Against the plain formula, where nothing overflows."""
    X, signs, theta = data[0], np.where(data[1], 1.0, -1.0), np.array([1.0, -3.0, 0.2, 0.0])
    gradients = -(signs / (1 + np.exp(signs * (X @ theta))))[:, None] * X
    for bound in (None, 0.3, 10.0):
        length = np.linalg.norm(gradients, axis=1, keepdims=True)
        plain = gradients if bound is None else gradients * np.minimum(1, bound / length)
        np.testing.assert_allclose(gradient_sum(theta, X, signs, bound=bound), plain.sum(axis=0), rtol=1e-10)


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
