"""The published conditions, as the study of the experiments has them."""

import numpy as np
import pytest

from ldp_book import datasets
from ldp_book.studies import experiments
from ldp_core.frequency import ThresholdHistogram


@pytest.mark.parametrize(("name", "people", "trained"), [("car", 1728, 1623), ("connect-4", 67_557, 63_502)])
def test_the_published_split_has_the_published_size_and_lacks_the_first_row(name, people, trained):
    train, test = experiments.published_split(name, people)
    assert len(train) == trained  # the first line of the published tables
    assert sorted([*train, *test]) == list(range(1, people))


def test_halving_twice_biases_the_estimate_but_at_a_threshold_of_zero():
    n, biases = 1000, []
    for theta in (0.0, 0.5, 1.0):
        right = ThresholdHistogram(0.5, 3, theta=theta)
        expected = np.array([n * right.q, n * right.p, n * right.q])  # everybody holds the second value
        np.testing.assert_allclose(right.estimate(expected, n), [0, n, 0], atol=1e-9)
        biases.append(experiments.HalvedTwice(0.5, 3, theta=theta).estimate(expected, n)[0])
    assert biases[0] == pytest.approx(0)
    assert biases[2] < biases[1] < -50


@pytest.mark.parametrize("method", ["laplace", "sample", "duchi"])
def test_gaussians_of_the_published_code_learn_where_there_is_little_noise(method):
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1], 20_000)
    X = np.clip(np.where(y, 0.5, -0.5)[:, None] + rng.normal(0, 0.2, (40_000, 2)), -1, 1)
    model = experiments.ClearGaussian(8.0, method, rng).fit(X, y)
    np.testing.assert_allclose(model.theta_, [[-0.5, -0.5], [0.5, 0.5]], atol=0.06)
    np.testing.assert_allclose(model.var_, 0.04, atol=0.06)
    assert model.predict([[-0.6, -0.4], [0.4, 0.5]]).tolist() == [0, 1]


@pytest.mark.parametrize("part", ["car, joint code", "car, published split", "mushroom, published file", "australian"])
def test_a_repetition_runs_on_any_rows(part):
    what = experiments.STUDY[part]
    found = what.run(datasets.load(what.data, source="standin"), 1)
    shape = tuple(len(places) for places in what.at.values())
    assert {np.shape(values) for values in found.values()} == {shape}
    assert all(np.all((np.asarray(v) >= 0) & (np.asarray(v) <= 1)) for v in found.values())
