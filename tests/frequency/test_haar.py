"""The Haar histogram: its law, by the channel, and what it is for. (Contract with the others: test_contract.py.)"""

import numpy as np
import pytest

from ldp_core.frequency import HaarHistogram, HierarchicalHistogram

DOMAINS = [2, 3, 5, 8, 11]


@pytest.mark.parametrize("d", DOMAINS)
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 8.0])
def test_every_range_is_unbiased_and_of_exactly_the_variance(epsilon, d):
    """For a user of each value: exact for any number of users, who are independent."""
    oracle = HaarHistogram(epsilon, d)
    channel = oracle.channel()
    each = np.array([oracle.estimate(row, 1) for row in np.eye(oracle.n_outputs, dtype=int)])
    np.testing.assert_allclose(channel @ each, np.eye(d), atol=1e-9 / epsilon)
    users = np.arange(1, d + 1)
    for low in range(d):
        for high in range(low, d):
            worth = each[:, low : high + 1].sum(axis=1)
            spread = (channel * (worth - (channel @ worth)[:, None]) ** 2).sum(axis=1)
            assert oracle.range_variance(users, low, high) == pytest.approx(users @ spread, rel=1e-6, abs=1e-9)


def test_estimates_of_many_runs_have_leading_axes():
    oracle = HaarHistogram(1.0, 11)
    runs = oracle.simulate(np.full(11, 900), rng=1, size=400)
    found = oracle.estimate(runs, 9_900)
    assert found.shape == (400, 11)
    np.testing.assert_allclose(found[3], oracle.estimate(runs[3], 9_900))
    reach = 5 * np.sqrt(oracle.range_variance(np.full(11, 900), 2, 7) / 400)
    assert abs(oracle.estimate_range(runs, 9_900, 2, 7).mean() - 5_400) < reach
    low, high = oracle.range_interval(runs, 9_900, 2, 7)
    assert 0.9 < np.mean((low <= 5_400) & (high >= 5_400)) < 0.99


def below_all(oracle):
    """Variance of the sums of the first values, for people spread evenly, on average over some sixty sums."""
    each = np.ones(oracle.d, dtype=int)
    return np.mean([oracle.range_variance(each, 0, k) for k in range(0, oracle.d - 1, max(1, oracle.d // 64) | 1)])


@pytest.mark.parametrize("d", [8, 64, 1024])
def test_it_errs_less_than_a_tree_at_small_epsilon_and_more_at_large(d):
    for epsilon, less in ((0.3, True), (1.0, True), (2.0, False), (4.0, False)):
        trees = min(below_all(HierarchicalHistogram(epsilon, d, branching=b)) for b in (2, 3, 4, 5, 8, 16))
        assert (below_all(HaarHistogram(epsilon, d)) < trees) == less
