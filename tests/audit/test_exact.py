"""The audit itself: known channels, densities, the worst of many pairs."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_core.audit import density_epsilon, exact_delta, exact_epsilon, posterior, worst_pair

probabilities = st.lists(st.floats(0.01, 1), min_size=3, max_size=3).map(lambda w: np.array(w) / sum(w))


@pytest.mark.parametrize(
    ("channel", "epsilon"),
    [
        ([[0.75, 0.25], [0.25, 0.75]], math.log(3)),
        ([[0.5, 0.5], [0.5, 0.5]], 0.0),
        ([[1, 0], [0, 1]], math.inf),
        ([[1, 0, 0], [0.5, 0.5, 0]], math.inf),
        ([[0.5, 0.5, 0], [0.5, 0.5, 0]], 0.0),  # an impossible output tells nothing
        ([[1 - 1e-300, 1e-300], [0.5, 0.5]], math.log(0.5) - math.log(1e-300)),
    ],
)
def test_known_channels(channel, epsilon):
    assert exact_epsilon(channel) == pytest.approx(epsilon, rel=1e-12)


@given(st.lists(probabilities, min_size=2, max_size=4))
def test_against_the_definition(rows):
    channel = np.array(rows)
    by_definition = max(
        math.log(channel[a, y] / channel[b, y]) for a in range(len(rows)) for b in range(len(rows)) for y in range(3)
    )
    assert exact_epsilon(channel) == pytest.approx(by_definition, abs=1e-12)


@given(st.lists(probabilities, min_size=2, max_size=3), st.floats(0, 3))
def test_delta_is_the_largest_excess_over_all_sets_of_outputs(rows, epsilon):
    """By the definition: Pr[S | x] − e^ε Pr[S | x'] over all pairs and all eight sets S of three outputs."""
    channel, sets = np.array(rows), np.array(list(np.ndindex(2, 2, 2))).T
    at = channel @ sets
    worst = max((here - math.exp(epsilon) * there).max() for here in at for there in at)
    assert exact_delta(channel, epsilon) == pytest.approx(max(worst, 0), abs=1e-12)


def test_known_deltas():
    publish_everybody = [[0.99, 0.01, 0.0], [0.99, 0.0, 0.01]]
    assert exact_delta(publish_everybody, 0.0) == pytest.approx(0.01)
    assert exact_delta(publish_everybody, 1e308) == pytest.approx(0.01)
    assert exact_delta(np.eye(3), 700.0) == 1
    assert exact_delta(np.full((2, 5), 0.2), 0.0) == 0
    for bad in (-0.1, math.inf, math.nan):
        with pytest.raises(ValueError, match="epsilon must"):
            exact_delta(np.eye(2), bad)


def test_densities_and_masses_side_by_side():
    """Of a law with density 1/2 or 1 on an interval and an atom beside it; rows that sum to 1 change nothing."""
    assert density_epsilon([[0.5, 1.0, 0.3], [1.0, 0.5, 0.3]]) == pytest.approx(math.log(2))
    assert density_epsilon([[0.0, 1.0], [0.0, 1e-300]]) == pytest.approx(300 * math.log(10))
    assert density_epsilon([[0.0, 1.0], [1.0, 1.0]]) == math.inf
    assert density_epsilon(np.zeros((2, 2))) == 0
    channel = [[0.75, 0.25], [0.25, 0.75]]
    assert density_epsilon(channel) == exact_epsilon(channel)


def test_worst_pair_goes_through_all_and_names_the_first():
    def law(p):
        return [p, 1 - p]

    found = worst_pair(law, ((a, b) for a, b in [(0.5, 0.6), (0.2, 0.1), (0.1, 0.2), (0.4, 0.5)]))
    assert found == (exact_epsilon([law(0.2), law(0.1)]), 0.2, 0.1)
    assert found.epsilon == pytest.approx(math.log(2))
    assert worst_pair(law, [(0.5, 0.5)]).epsilon == 0
    assert worst_pair(law, [(0.5, 1.0), (0.5, 0.6)]) == (math.inf, 0.5, 1.0)


@given(st.lists(probabilities, min_size=3, max_size=3), probabilities)
def test_posterior_odds_move_by_at_most_epsilon(rows, prior):
    channel = np.array(rows)
    belief = posterior(channel, prior)
    np.testing.assert_allclose(belief.sum(axis=0), 1)
    shift = np.log(belief[0] / belief[1]) - math.log(prior[0] / prior[1])
    assert np.all(np.abs(shift) <= exact_epsilon(channel) + 1e-9)
