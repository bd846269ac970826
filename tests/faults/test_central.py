"""Faults of the central model: what each draws has the law that is stated, and the law breaks the promise."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from ldp_book.faults.central import (
    VARIANTS,
    average_by_position,
    composed_channel,
    constant_two,
    constant_two_pays_from,
    leaky_search_probabilities,
    narrow_noisy_max_probabilities,
    published_release_probability,
)
from ldp_core.audit import exact_delta, exact_epsilon, worst_pair
from ldp_core.central import advanced, noisy_max_probabilities


@pytest.mark.parametrize(("epsilon", "k"), [(0.1, 1), (1.0, 30), (3.0, 200), (0.01, 5000), (40.0, 3)])
def test_answers_of_randomized_response_add_up_to_binomial_laws(epsilon, k):
    p = 1 / (1 + math.exp(epsilon))
    yes = stats.binom.pmf(np.arange(k + 1), k, p)
    np.testing.assert_allclose(composed_channel(epsilon, k), [yes, yes[::-1]], rtol=1e-8, atol=1e-250)
    assert exact_epsilon(composed_channel(epsilon, min(k, 15))) == pytest.approx(epsilon * min(k, 15))


def test_the_form_with_constant_two_promises_too_much_for_large_epsilon():
    """At ε = 3 and k = 200 it lies below what Dwork and Roth prove, and the exact δ shows that it is wrong."""
    promised = constant_two(3.0, 200, delta=1e-5)
    assert promised < advanced(3.0, 200, delta=1e-5)
    assert exact_delta(composed_channel(3.0, 200), promised) > 0.9
    assert exact_delta(composed_channel(3.0, 200), advanced(3.0, 200, delta=1e-5)) <= 1e-5
    assert constant_two(0.1, 50, delta=math.exp(-4)) == pytest.approx(0.2 * 20)


@pytest.mark.parametrize("delta", [0.3, 1e-4, 1e-9])
@pytest.mark.parametrize("epsilon", [0.1, 2.0])
def test_crossing_of_the_form_with_constant_two_by_search(epsilon, delta):
    better = [j for j in range(1, 300) if constant_two(epsilon, j, delta=delta) < j * epsilon]
    assert constant_two_pays_from(delta=delta) == better[0]
    assert better == list(range(better[0], 300))


@pytest.mark.parametrize("noise", ["laplace", "exponential", "gumbel"])
def test_a_narrow_noisy_maximum_comes_near_twice_its_promise(noise):
    pair = [narrow_noisy_max_probabilities(s, epsilon=1.0, noise=noise) for s in ([0.0, -600.0], [-1.0, -599.0])]
    assert 1.99 < exact_epsilon(pair) <= 2 + 1e-9
    mend = [noisy_max_probabilities(s, epsilon=1.0, noise=noise) for s in ([0.0, -600.0], [-1.0, -599.0])]
    assert 0.99 < exact_epsilon(mend) <= 1 + 1e-9


def pairs(length):
    for base in itertools.product((-3.0, -0.5, 0.5), repeat=length):
        for move in itertools.product((-1, 1), repeat=length):
            yield base, np.add(base, move)


@pytest.mark.parametrize(("variant", "length", "at_least"), [("one-one", 3, 1.3), ("two-two", 4, 1.0)])
def test_with_too_little_noise_a_search_breaks_its_promise(variant, length, at_least):
    """A few answers exceed ε; 100 come near to the supremum (1/s + 2/t)ε."""

    def law(answers):
        return leaky_search_probabilities(answers, 0.0, epsilon=1.0, variant=variant)

    assert worst_pair(law, pairs(length)).epsilon > at_least
    base, move = np.append(np.full(99, -1.0), -8.0), np.append(np.ones(99), -1.0)
    s, t = VARIANTS[variant]
    assert 0.999 * (1 / s + 2 / t) < exact_epsilon([law(base), law(base + move)]) <= (1 / s + 2 / t) * (1 + 1e-9)


def test_without_noise_on_the_answers_two_questions_are_worse_than_one():
    """A published variant adds no noise to answers; its ε is infinite as soon as one may answer twice (Lyu et al.)."""

    def law(answers):
        return leaky_search_probabilities(answers, 0.0, epsilon=1.0, variant="exact-answers")

    assert worst_pair(law, pairs(1)).epsilon <= 1.0 + 1e-9
    assert worst_pair(law, pairs(2)).epsilon == math.inf


@pytest.mark.parametrize(("distance", "epsilon", "delta"), [(0, 1.0, 0.05), (2, 0.5, 0.05), (9, 1.0, 0.2)])
def test_the_published_test_is_passed_with_its_law(distance, epsilon, delta):
    exact = published_release_probability(distance, epsilon=epsilon, delta=delta)
    line = math.log(2 / delta) / (2 * epsilon)
    assert exact == pytest.approx(stats.laplace(scale=1 / epsilon).sf(line - distance))


def test_chunks_by_position_are_fewer_and_move_all_together():
    """32,561 rows for 600 chunks: 593 are cut, and one row at the top moves the median of each second one."""
    sizes = []
    settings = {"n_chunks": 600, "bounds": (20, 80)}
    average_by_position(np.zeros(32_561), lambda rows: sizes.append(len(rows)) or 20.0, **settings)
    assert len(sizes) == 593
    assert set(sizes[:-1]) == {55}
    undecided, settled = [20] * 27 + [80] * 27 + [20], [20] * 54 + [80]
    ages = np.array((undecided + settled) * 297)[:32_561]
    moved = average_by_position(np.r_[80, ages], np.median, **settings) - average_by_position(
        ages, np.median, **settings
    )
    assert moved / (60 / 600) > 250
    replaced = average_by_position(np.r_[[80] * 28, ages[28:]], np.median, **settings)
    assert replaced - average_by_position(ages, np.median, **settings) == pytest.approx(60 / 593)
