"""Direct encoding and randomized response: the textbook's survey, and lies however rare."""

import math

import numpy as np
import pytest

from ldp_core.audit import exact_epsilon
from ldp_core.frequency import DirectEncoding, RandomizedResponse


def test_two_coins_is_the_textbook_survey():
    survey = RandomizedResponse.two_coins()
    assert survey.domain == (False, True)
    assert survey.epsilon == math.log(3)
    assert survey.p == pytest.approx(0.75, abs=1e-15)
    # Both coins, written out: heads (1/2) the truth, tails (1/2) a fair answer.
    coins = [[1 / 2 + 1 / 4, 1 / 4], [1 / 4, 1 / 2 + 1 / 4]]
    np.testing.assert_allclose(survey.channel(), coins, atol=1e-15)
    assert exact_epsilon(coins) == pytest.approx(math.log(3), rel=1e-15)


class Zeros(np.random.Generator):
    """A generator whose every coin shows the rarest side, and whose every code is the last."""

    def __init__(self):
        super().__init__(np.random.PCG64(0))

    def integers(self, low, high=None, size=None, dtype=np.int64, endpoint=False):
        return np.full(size, 0 if dtype is np.uint64 else low - 1, dtype=dtype)

    def random(self, size=None):
        return np.zeros(size)


@pytest.mark.parametrize("epsilon", [37.0, 40.0, 100.0, 600.0])
def test_somebody_can_lie_at_any_epsilon(epsilon):
    """However rare, another report is possible: else a report would be a proof, and the real ε infinite."""
    assert DirectEncoding(epsilon, 4).perturb([0, 1], rng=Zeros()).tolist() == [3, 3]


def test_simulated_lies_are_as_rare_as_the_channel_says():
    """At ε = 40 one report in 8e16 is a lie: of 2**53 users 0.038 name a given other value, 765 in 20,000 runs. That is
    a Poisson number, within 6 standard deviations of its mean (false alarm below 1e-8)."""
    oracle, n, runs = DirectEncoding(40.0, 4), 2**53, 20_000
    lies = oracle.simulate([n, 0, 0, 0], rng=0, size=runs)[:, 1:]
    mean = runs * n * oracle.q
    assert np.all(np.abs(lies.sum(axis=0) - mean) < 6 * math.sqrt(mean))
