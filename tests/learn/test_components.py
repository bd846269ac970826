"""DCA against Fisher's discriminant, a direct eigenproblem, and its own definition."""

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from ldp_core.learn import DCA, projection_bounds


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(4)
    y = rng.integers(3, size=3000)
    mixing = rng.normal(size=(5, 5))
    return (rng.normal(size=(3000, 5)) + 1.5 * rng.normal(size=(3, 5))[y]) @ mixing, y


def scatters(X, y):
    within = sum(len(X[y == j]) * np.cov(X[y == j].T, bias=True) for j in np.unique(y)) / len(X)
    return within, np.cov(X.T, bias=True)


def test_components_solve_the_generalized_eigenproblem(data):
    X, y = data
    model = DCA(n_components=5, ridge=0.7).fit(X, y)
    within, total = scatters(X, y)
    noise = within + 0.7 * np.eye(5)
    for w, ratio in zip(model.components_, model.discriminant_ratio_, strict=True):
        np.testing.assert_allclose(total @ w, ratio * noise @ w, atol=1e-8)
    np.testing.assert_allclose(model.components_ @ noise @ model.components_.T, np.eye(5), atol=1e-9)
    assert np.all(np.diff(model.discriminant_ratio_) <= 0)
    assert np.all(model.components_[np.arange(5), np.abs(model.components_).argmax(axis=1)] > 0)


def test_with_a_small_ridge_it_spans_fishers_discriminant(data):
    X, y = data
    mine = DCA(n_components=2, ridge=1e-10).fit(X, y)
    fisher = LinearDiscriminantAnalysis(n_components=2, solver="eigen").fit(X, y)
    a, b = np.linalg.qr(mine.components_.T)[0], np.linalg.qr(fisher.scalings_[:, :2])[0]
    np.testing.assert_allclose(np.linalg.svd(a.T @ b)[1], 1, atol=1e-6)  # cosines of the principal angles
    assert np.all(DCA(5, ridge=1e-10).fit(X, y).discriminant_ratio_[2:] <= 1 + 1e-9)  # at most k − 1 separate means


def test_transform_is_centred_and_linear(data):
    X, y = data
    model = DCA(n_components=2).fit(X, y)
    np.testing.assert_allclose(model.transform(X).mean(axis=0), 0, atol=1e-10)
    assert model.get_feature_names_out().tolist() == ["dca0", "dca1"]


@pytest.mark.parametrize("projection", [DCA(2), PCA(2)])
def test_projection_bounds_are_reached_at_corners_and_never_passed(data, projection):
    import itertools

    X, y = data
    low, high = np.full(5, -3.0), np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    fitted = projection.fit(X, y)
    corners = fitted.transform(np.array(list(itertools.product(*zip(low, high, strict=True)))))
    least, largest = projection_bounds(fitted, bounds=(low, high))
    np.testing.assert_allclose(corners.min(axis=0), least)
    np.testing.assert_allclose(corners.max(axis=0), largest)


def test_bad_data(data):
    with pytest.raises(ValueError, match="2 classes"):
        DCA().fit(data[0], np.zeros(3000))
    with pytest.raises(ValueError, match="whiten"):
        projection_bounds(PCA(1, whiten=True).fit(data[0]))
