"""The audit itself: known channels, limits, bad input."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_core.audit import exact_epsilon, posterior

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


def test_the_published_direct_encoding_listing_has_no_privacy():
    """Offset 0..d-2 instead of 1..d-1 (d = 4): a lie can be the truth and one code never comes out."""
    d, p = 4, math.e / (math.e + 3)
    channel = np.zeros((d, d))
    for v in range(d):
        channel[v, v] += p
        for offset in range(d - 1):
            channel[v, (v + offset) % d] += (1 - p) / (d - 1)
    assert exact_epsilon(channel) == math.inf


@given(st.lists(probabilities, min_size=2, max_size=4))
def test_against_the_definition(rows):
    channel = np.array(rows)
    by_definition = max(
        math.log(channel[a, y] / channel[b, y]) for a in range(len(rows)) for b in range(len(rows)) for y in range(3)
    )
    assert exact_epsilon(channel) == pytest.approx(by_definition, abs=1e-12)


@given(st.lists(probabilities, min_size=2, max_size=4), st.data())
def test_post_processing_never_raises_epsilon(rows, data):
    after = np.array([data.draw(probabilities) for _ in range(3)])
    assert exact_epsilon(np.array(rows) @ after) <= exact_epsilon(rows) + 1e-9


@given(st.lists(probabilities, min_size=3, max_size=3), probabilities)
def test_posterior_odds_move_by_at_most_epsilon(rows, prior):
    channel = np.array(rows)
    belief = posterior(channel, prior)
    np.testing.assert_allclose(belief.sum(axis=0), 1)
    shift = np.log(belief[0] / belief[1]) - math.log(prior[0] / prior[1])
    assert np.all(np.abs(shift) <= exact_epsilon(channel) + 1e-9)


def test_posterior_of_an_impossible_output_is_nan():
    belief = posterior([[1.0, 0.0], [0.5, 0.5]], [1.0, 0.0])
    np.testing.assert_array_equal(np.isnan(belief), [[False, True], [False, True]])


@pytest.mark.parametrize(
    "channel",
    [
        [0.5, 0.5],
        [[1.0]],
        [[]],
        [[0.5, 0.6], [0.5, 0.5]],
        [[1.5, -0.5], [0.5, 0.5]],
        [[math.nan, 1], [0.5, 0.5]],
        [[0.5, 0.5], [1.0]],
        [[0.5, None], [0.5, 0.5]],
        [[10**400, 0], [0.5, 0.5]],
        [[1e308, 1e308], [0.5, 0.5]],
    ],
)
def test_not_a_channel(channel):
    with pytest.raises(ValueError, match="channel"):
        exact_epsilon(channel)


@pytest.mark.parametrize(
    "channel", [[["a", "b"]] * 2, np.ma.array(np.eye(2)), {1, 2}, [[0.5, "x"], [0.5, 0.5]], [[1j, 0]] * 2]
)
def test_not_numbers(channel):
    for audit in (exact_epsilon, lambda channel: posterior(channel, [0.5, 0.5])):
        with pytest.raises(TypeError, match="channel must"):
            audit(channel)


@pytest.mark.parametrize("prior", [np.ma.array([0.5, 0.5], mask=[0, 1]), "half", {0.5}, ["a", "b"], [True, False]])
def test_prior_of_wrong_type(prior):
    with pytest.raises(TypeError, match="prior must"):
        posterior([[0.5, 0.5], [0.4, 0.6]], prior)


@pytest.mark.parametrize("prior", [[1.0], [0.5, 0.6], [1.5, -0.5], [math.nan, 1.0], [1e308, 1e308], [0.5, None], []])
def test_not_a_prior(prior):
    with pytest.raises(ValueError, match="prior"):
        posterior([[0.5, 0.5], [0.4, 0.6]], prior)
