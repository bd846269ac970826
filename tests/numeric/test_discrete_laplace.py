"""Laplace on a grid: its exact law, enumerated, is ε-private and has the stated mean and variance."""

import math
from fractions import Fraction

import numpy as np
import pytest

from ldp_core.audit import exact_epsilon
from ldp_core.numeric import DiscreteLaplace

FALSE_ALARM = 1e-6


def law(mechanism, t, reach):
    """Probabilities of the reports −reach, …, reach steps."""
    return mechanism.density(np.arange(-reach, reach + 1) / mechanism.grid, t)


def reach_of(mechanism):
    """Steps beyond which less than e^−40 of the law lies: the tail is bounded by e^(−r·(reach − g))."""
    return mechanism.grid + math.ceil(40 / (mechanism.epsilon / (2 * mechanism.grid))) + 1


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 40.0])
@pytest.mark.parametrize("grid", [1, 3, 50])
@pytest.mark.parametrize("t", [-1.0, -0.37, 0.5])
def test_enumerated_law_has_mass_one_mean_t_and_the_stated_variance(epsilon, grid, t):
    mechanism = DiscreteLaplace(epsilon, grid=grid)
    reach = reach_of(mechanism)
    mass, y = law(mechanism, t, reach), np.arange(-reach, reach + 1) / grid
    assert mass.sum() == pytest.approx(1, abs=1e-12)
    assert mass @ y == pytest.approx(t, abs=1e-10 * max(1, 1 / epsilon))
    assert mass @ (y - t) ** 2 == pytest.approx(mechanism.variance(t), rel=1e-10)


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 5.0, 20.0])
@pytest.mark.parametrize("grid", [1, 3, 16])
def test_exact_epsilon_is_the_nominal_one(epsilon, grid):
    """A truncated grid of reports, and the rest as two more outputs: beyond the ends the ratio stays what it is."""
    mechanism = DiscreteLaplace(epsilon, grid=grid)
    inputs = np.concatenate([np.linspace(-1, 1, 2 * grid + 1), [-0.99, -0.3, 0.123, 0.77]])
    channel = np.array([law(mechanism, t, 3 * grid) for t in inputs])
    # The tails are geometric series that start with the outermost masses.
    tail = 1 / math.expm1(epsilon / (2 * grid))
    channel = np.column_stack([channel[:, 0] * tail, channel, channel[:, -1] * tail])
    np.testing.assert_allclose(channel.sum(axis=1), 1, rtol=1e-12)
    assert exact_epsilon(channel) == pytest.approx(epsilon, rel=1e-9)
    assert exact_epsilon(channel) <= epsilon * (1 + 1e-12)


@pytest.mark.parametrize(("epsilon", "dim", "grid"), [(1.0, 1, 1024), (0.1, 3, 50), (math.pi, 7, 11)])
def test_the_rate_is_exact(epsilon, dim, grid):
    """2·g·d steps at the sampler's rate, in fractions: ε to the last bit."""
    assert DiscreteLaplace(epsilon, dim, grid=grid)._rate * 2 * grid * dim == Fraction(epsilon)


@pytest.mark.parametrize(("epsilon", "grid", "t"), [(0.5, 2, 0.3), (2.0, 5, -0.95), (8.0, 4, 1.0), (30.0, 3, 0.1)])
def test_reports_follow_the_law(epsilon, grid, t, chi_square_p):
    """Chi-square over all multiples of the step, false alarm 1e-6 each."""
    mechanism, runs = DiscreteLaplace(epsilon, grid=grid), 40_000
    reports = mechanism.perturb(np.full(runs, t), rng=int(10 * epsilon))
    steps = np.rint(reports * grid)
    np.testing.assert_array_equal(reports, steps / grid)
    reach = reach_of(mechanism)
    exact = dict(zip(range(-reach, reach + 1), law(mechanism, t, reach).tolist(), strict=True))
    assert chi_square_p(steps.astype(int).tolist(), exact) > FALSE_ALARM


def test_values_on_the_grid_are_not_rounded_and_others_without_bias():
    mechanism = DiscreteLaplace(2_000.0, grid=50)  # hardly any noise
    hours = np.arange(101) / 50 - 1
    np.testing.assert_array_equal(mechanism.perturb(hours, rng=1), np.rint(hours * 50) / 50)
    between = mechanism.perturb(np.full(40_000, 0.315), rng=2)
    assert set(np.unique(between)) == {15 / 50, 16 / 50}
    assert abs(between.mean() - 0.315) < 6 * math.sqrt(mechanism.variance(0.315) / 40_000)  # false alarm 2e-9


def test_too_small_an_epsilon():
    with pytest.raises(ValueError, match=r"epsilon must be at least 5.82e-11 at grid = 1024 and dim = 1"):
        DiscreteLaplace(1e-11)
