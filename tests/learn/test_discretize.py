"""Bins: equal width from public bounds only; equal frequency by private reports, with what it costs."""

import math

import numpy as np

from ldp_core.learn import EqualFrequencyDiscretizer, EqualWidthDiscretizer


def test_equal_width_does_not_look_at_the_data():
    rng = np.random.default_rng(1)
    fits = [EqualWidthDiscretizer(5, bounds=(-2, 3)).fit(rng.normal(size=(50, 2)) * scale) for scale in (1, 100)]
    np.testing.assert_array_equal(fits[0].edges_, fits[1].edges_)
    np.testing.assert_allclose(fits[0].edges_[0], [-2, -1, 0, 1, 2, 3])
    assert fits[0].epsilon_spent_ == 0


def test_values_on_and_beyond_the_edges():
    model = EqualWidthDiscretizer(4, bounds=([0, -1], [4, 1])).fit(np.zeros((1, 2)))
    codes = model.transform([[-5, -1], [0, -0.5], [0.999, -0.51], [1, 0], [4, 1], [99, 0.5]])
    assert codes.tolist() == [[0, 0], [0, 1], [0, 0], [1, 2], [3, 3], [3, 3]]
    assert codes.dtype == np.int64


def test_equal_frequency_in_the_clear_is_the_quantiles():
    values = np.random.default_rng(2).exponential(size=(10_000, 1))
    model = EqualFrequencyDiscretizer(math.inf, n_bins=4, bounds=(0, 20)).fit(values)
    assert np.bincount(model.transform(values).ravel()).tolist() == [2500] * 4
    assert model.epsilon_spent_ == np.inf


def test_private_quantiles_are_close_and_declare_their_price():
    """Shares of four bins at ε = 4, n = 200,000: within 0.02 of a quarter, more than 5 standard deviations."""
    values = np.random.default_rng(3).beta(2, 5, size=(200_000, 2))
    model = EqualFrequencyDiscretizer(4.0, n_bins=4, bounds=(0, 1), resolution=32, random_state=4).fit(values)
    for column in model.transform(values).T:
        np.testing.assert_allclose(np.bincount(column) / len(column), 0.25, atol=0.02)
    assert model.epsilon_spent_ == 4.0
    assert np.all(np.diff(model.edges_, axis=1) >= 0)


def test_each_user_reports_on_one_feature_at_the_whole_budget():
    seen = []

    def oracle(epsilon, domain):
        from ldp_core.frequency import OptimizedUnary

        class Watched(OptimizedUnary):
            def perturb(self, encoded, rng=None):
                seen.append((self.epsilon, len(encoded)))
                return super().perturb(encoded, rng)

        return Watched(epsilon, domain)

    values = np.random.default_rng(5).uniform(size=(999, 3))
    EqualFrequencyDiscretizer(1.2, n_bins=3, bounds=(0, 1), oracle=oracle, random_state=6).fit(values)
    assert {epsilon for epsilon, _ in seen} == {1.2}
    assert sum(users for _, users in seen) == 999
