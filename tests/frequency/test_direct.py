"""Direct encoding and randomized response: published figures and limits."""

import math

import numpy as np
import pytest

from ldp_core.audit import exact_epsilon
from ldp_core.frequency import DirectEncoding, RandomizedResponse


@pytest.mark.parametrize(("epsilon", "p", "q", "digits"), [(5.0, 0.92, 0.0062, (2, 4)), (0.1, 0.078, 0.071, (3, 3))])
def test_published_p_and_q_at_fourteen_occupations(epsilon, p, q, digits):
    oracle = DirectEncoding(epsilon, 14)
    assert (round(oracle.p, digits[0]), round(oracle.q, digits[1])) == (p, q)


def test_two_coins_is_the_textbook_survey():
    survey = RandomizedResponse.two_coins()
    assert survey.domain == (False, True)
    assert survey.epsilon == math.log(3)
    assert survey.p == pytest.approx(0.75, abs=1e-15)
    # Both coins, written out: heads (1/2) the truth, tails (1/2) a fair answer.
    coins = [[1 / 2 + 1 / 4, 1 / 4], [1 / 4, 1 / 2 + 1 / 4]]
    np.testing.assert_allclose(survey.channel(), coins, atol=1e-15)
    assert exact_epsilon(coins) == pytest.approx(math.log(3), rel=1e-15)


def test_two_coins_estimate_is_twice_yeses_less_half_of_n():
    survey = RandomizedResponse.two_coins()
    n, yes = 32_561, 11_424
    assert survey.estimate([n - yes, yes], n)[1] == pytest.approx(2 * yes - n / 2)


def test_expected_yeses_of_the_survey():
    """6,460 of 32,561 over 50 give 3/4 · 6,460 + 1/4 · 26,101 = 11,370.25 expected yeses; 11,424 is one draw of it."""
    survey = RandomizedResponse.two_coins()
    counts = np.array([26_101, 6_460])
    assert (counts @ survey.channel())[1] == pytest.approx(11_370.25)
    deviation = math.sqrt(32_561 * 3 / 16)
    assert abs(11_424 - 11_370.25) < deviation


@pytest.mark.parametrize("epsilon", [700.0, 1e4])
def test_huge_epsilon_is_the_truth(epsilon):
    oracle = DirectEncoding(epsilon, 5)
    codes = np.arange(1_000) % 5
    np.testing.assert_array_equal(oracle.perturb(codes, rng=0), codes)
    assert oracle.variance(1_000, 200) == pytest.approx(0, abs=1e-9)


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


def test_categories_nobody_reports_keep_their_place():
    oracle = DirectEncoding(1.0, ["a", "b", "c", "d"])
    np.testing.assert_array_equal(oracle.aggregate([2, 2]), [0, 0, 2, 0])


def test_every_user_reports_one_value():
    oracle = DirectEncoding(0.1, 6)
    counts = oracle.simulate([5, 0, 0, 7, 1, 0], rng=1, size=200)
    np.testing.assert_array_equal(counts.sum(axis=1), 13)
    # hence the estimates of one run sum to n exactly
    np.testing.assert_allclose(oracle.estimate(counts, 13).sum(axis=1), 13)
