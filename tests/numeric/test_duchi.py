"""Duchi's mechanism by enumeration of all corners, for both treatments of ties."""

import math

import numpy as np
import pytest

from ldp_core.audit import exact_epsilon
from ldp_core.numeric import Duchi, Piecewise
from ldp_core.numeric._corners import corners

FALSE_ALARM = 1e-6
TIES = ["split", "minus"]


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("d", [1, 2, 5, 8])
@pytest.mark.parametrize("epsilon", [1e-3, 1.0, 50.0])
def test_exact_epsilon_mean_and_variance_over_all_inputs_and_outputs(d, epsilon, ties):
    mechanism = Duchi(epsilon, d, ties=ties)
    channel, outputs, inputs = mechanism.channel(), mechanism.outputs(), corners(d)
    assert channel.shape == (2**d, 2**d)
    np.testing.assert_allclose(channel.sum(axis=1), 1, atol=1e-12)
    # At most epsilon is the promise; exactly epsilon says that no privacy is given away for nothing.
    assert exact_epsilon(channel) == pytest.approx(epsilon, rel=1e-9)
    np.testing.assert_allclose(channel @ outputs, inputs, atol=1e-12 * mechanism.B)
    np.testing.assert_array_equal(np.abs(outputs), mechanism.B)
    # Hence the second moment is B² and the variance B² − t².
    t = np.array([-1.0, -0.6, 0.0, 0.4, 1.0])
    np.testing.assert_allclose(
        mechanism.variance(t), mechanism.B**2 - t**2, rtol=1e-9, atol=1e-14 if mechanism.B > 1 + 1e-9 else 1e-9
    )


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("d", [1, 3, 6])
def test_inner_values_are_mixtures_of_corners(d, ties):
    mechanism = Duchi(1.5, d, ties=ties)
    t = np.random.default_rng(d).uniform(-1, 1, size=(40, d))
    channel = mechanism.channel(t[:, 0] if d == 1 else t)
    np.testing.assert_allclose(channel.sum(axis=1), 1, atol=1e-12)
    np.testing.assert_allclose(channel @ mechanism.outputs(), t, atol=1e-12)
    assert exact_epsilon(channel) <= 1.5
    # The mixture, written out: each coordinate rounded to +1 with probability (1 + t)/2.
    law = np.array([[np.prod(np.where(v > 0, (1 + row) / 2, (1 - row) / 2)) for v in corners(d)] for row in t])
    np.testing.assert_allclose(channel, law @ mechanism.channel(), atol=1e-13)
    np.testing.assert_array_equal(mechanism.channel(corners(d)[:, 0] if d == 1 else corners(d)), mechanism.channel())


@pytest.mark.parametrize("d", [1, 2, 5, 16, 101, 3000])
@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_sizes(d, epsilon):
    c_d = 2 ** (d - 1) / math.comb(d - 1, d // 2)
    split, minus = Duchi(epsilon, d), Duchi(epsilon, d, ties="minus")
    assert pytest.approx(c_d * (math.exp(epsilon) + 1) / (math.exp(epsilon) - 1)) == split.B
    # The literature's repair: its size is smaller by exactly one for even d, and there is nothing to repair for odd d.
    assert pytest.approx(split.B - (1 if d % 2 == 0 else 0)) == minus.B
    if d % 2 == 0:
        n = (2**d - math.comb(d, d // 2)) // 2
        published = (2**d / math.expm1(epsilon) + n) / math.comb(d - 1, d // 2) if d < 1000 else minus.B
        assert pytest.approx(published) == minus.B


def test_split_ties_have_the_mean_weight_and_minus_ties_the_lower():
    for ties, weight in (("split", (math.e + 1) / 2), ("minus", 1.0)):
        row = Duchi(1.0, 2, ties=ties).channel()[3]  # both values 1
        np.testing.assert_allclose(row / row[0], [1, weight, weight, math.e])


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("d", [1, 3, 4])
@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_reports_follow_the_channel(d, epsilon, ties, chi_square_p):
    """Chi-square over all corners, for a corner and for inner values; false alarm 1e-6 each."""
    mechanism, runs = Duchi(epsilon, d, ties=ties), 20_000
    for row in ([1.0, -1.0, 1.0, 1.0], [0.3, -0.8, 0.0, 0.95]):
        t = np.tile(row[:d], (runs, 1))
        reports = mechanism.perturb(t[:, 0] if d == 1 else t, rng=40 + d).reshape(runs, d)
        law = mechanism.channel(t[0, :1] if d == 1 else t[:1])[0]
        names = [tuple(v) for v in mechanism.outputs().tolist()]
        assert chi_square_p([tuple(y) for y in reports.tolist()], dict(zip(names, law, strict=True))) > FALSE_ALARM


def test_the_unlikely_sign_keeps_its_probability_at_large_epsilon():
    mechanism = Duchi(50.0)
    assert mechanism.density(-mechanism.B, 1.0) == pytest.approx(math.exp(-50), rel=1e-12)
    assert mechanism.variance(1.0) == pytest.approx(4 * math.exp(-50), rel=1e-9)


def test_too_large_channels():
    with pytest.raises(ValueError, match=r"dim must be small enough .*2\*\*26"):
        Duchi(1.0, 13).channel()
    with pytest.raises(ValueError, match=r"dim must be small enough .*2\*\*25"):
        Duchi(1.0, 25).outputs()


def test_more_users_than_can_be_drawn_one_by_one():
    generator = np.random.default_rng(0)
    state = generator.bit_generator.state
    with pytest.raises(
        ValueError, match=r"counts must add up to at most 4042322160 users .*Duchi\(epsilon=1, dim=17\)"
    ):
        Duchi(1.0, 17).simulate_mean([[0.0] * 17], [2**40], rng=generator)
    with pytest.raises(ValueError, match="counts must add up to at most"):
        Piecewise(100.0, 50).simulate_mean([[0.0] * 50], [2**40], rng=generator)
    assert generator.bit_generator.state == state
