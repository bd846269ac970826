"""Smooth sensitivity against its definition, by trying every data set, and its noise against neighbours' densities."""

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, stats

from ldp_core.central import smooth_beta, smooth_median, smooth_noise_density, smooth_scale, smooth_sensitivity_median

GRID = (0.0, 1.0, 2.5, 4.0)
BOUNDS = (0.0, 4.0)


def lower_median(rows):
    return sorted(rows)[(len(rows) - 1) // 2]


def by_definition(n, beta):
    """S of every data set of n values of the grid, which holds the bounds."""
    every = list(itertools.product(GRID, repeat=n))
    local = {
        rows: max(
            abs(lower_median(rows) - lower_median((*rows[:i], value, *rows[i + 1 :])))
            for i in range(n)
            for value in GRID
        )
        for rows in every
    }
    return {
        rows: max(local[other] * math.exp(-beta * sum(map(float.__ne__, rows, other))) for other in every)
        for rows in every
        if list(rows) == sorted(rows)
    }


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("beta", [0.1, 1.0])
def test_smooth_sensitivity_is_that_of_the_definition(n, beta):
    for rows, expected in by_definition(n, beta).items():
        assert smooth_sensitivity_median(rows, beta=beta, bounds=BOUNDS) == pytest.approx(expected, rel=1e-12)


def all_pairs(values, beta, bounds):
    x = np.concatenate([[bounds[0]], np.sort(values), [bounds[1]]])
    m = (len(values) + 1) // 2
    i, j = np.ogrid[: m + 1, m : len(x)]
    with np.errstate(over="ignore", invalid="ignore"):
        found = (x[j] - x[i]) * np.exp(-beta * (j - i - 1))
    return max(found[i < j].max(), 1e-300)


def test_halving_finds_what_all_pairs_do():
    rng = np.random.default_rng(1)
    for _ in range(100):
        n = int(rng.integers(1, 60))
        values = rng.choice([rng.normal(0, 5, n), rng.integers(-3, 4, n), np.full(n, 2.0)]).clip(-9, 9)
        for beta in (1e-3, 0.1, 2.0, 50.0):
            got = smooth_sensitivity_median(values, beta=beta, bounds=(-9, 9))
            assert got == pytest.approx(all_pairs(values, beta, (-9, 9)), rel=1e-12)


def test_density_is_one_with_variance_one():
    assert integrate.quad(smooth_noise_density, -np.inf, np.inf)[0] == pytest.approx(1)
    assert integrate.quad(lambda z: z**2 * smooth_noise_density(z), -np.inf, np.inf)[0] == pytest.approx(1, rel=1e-6)


def loss(z, epsilon, shift, stretch):
    """Log ratio of the densities of two outputs whose noise has scales 1 and e^stretch, in units of the first."""
    other = (z - shift) * math.exp(-stretch)
    return np.log(smooth_noise_density(z)) - np.log(smooth_noise_density(other)) + stretch


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_pure_noise_keeps_epsilon_for_every_shift_and_stretching(epsilon):
    z, beta = np.concatenate([np.linspace(-30, 30, 20_001), np.geomspace(30, 1e12, 2000)]), smooth_beta(epsilon)
    worst = max(
        np.abs(loss(z, epsilon, shift, stretch)).max()
        for stretch in (-beta, -beta / 3, 0.0, beta / 2, beta)
        for shift in np.linspace(-1, 1, 5) / smooth_scale(epsilon) * min(1, math.exp(stretch))
    )
    assert epsilon / 2 < worst <= epsilon


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 1e-5), (1.0, 0.01), (3.0, 0.5), (8.0, 1e-9)])
def test_laplace_noise_keeps_epsilon_and_delta(epsilon, delta):
    """δ of the worst shift at both ends of the stretching, by the integral of what exceeds e^ε."""
    beta, scale = smooth_beta(epsilon, delta=delta), smooth_scale(epsilon, delta=delta)
    z = np.linspace(-80, 80, 400_001)
    for stretch in (-beta, beta):
        one = stats.laplace.pdf(z)
        two = stats.laplace.pdf(z, loc=min(1, math.exp(stretch)) / scale, scale=math.exp(stretch))
        excess = np.maximum(one - math.exp(epsilon) * two, 0).sum() * (z[1] - z[0])
        assert excess <= delta


def test_noise_is_drawn_from_its_density():
    """False alarm: 1e-4."""
    rng, n = np.random.default_rng(3), 5_000
    settings = {"epsilon": 1.0, "bounds": (0, 10)}
    drawn = np.array([smooth_median([5.0, 5.0, 6.0], rng=rng, **settings) for _ in range(n)])
    scale = smooth_sensitivity_median([5.0, 5.0, 6.0], beta=1 / 6, bounds=(0, 10)) * smooth_scale(1.0)
    z = np.linspace(-200, 200, 400_001)
    law = np.cumsum(smooth_noise_density(z)) * (z[1] - z[0])
    assert stats.kstest((drawn - 5.0) / scale, lambda x: np.interp(x, z, law)).pvalue > 1e-4
    with_delta = np.array([smooth_median([5.0, 5.0, 6.0], rng=rng, delta=1e-6, **settings) for _ in range(n)])
    beta = smooth_beta(1.0, delta=1e-6)
    wide = smooth_sensitivity_median([5.0, 5.0, 6.0], beta=beta, bounds=(0, 10)) * smooth_scale(1.0, delta=1e-6)
    assert stats.kstest((with_delta - 5.0) / wide, "laplace").pvalue > 1e-4


def test_noise_never_vanishes_and_a_crowd_is_no_matter_of_time():
    """100,000 equal values: e^(−βn) is zero in double precision, the noise is not."""
    values = np.full(100_000, 3.0)
    assert smooth_sensitivity_median(values, beta=1.0, bounds=(0, 10)) == 1e-300
    assert smooth_median([3.0], epsilon=1.0, bounds=(0, 10), rng=1) != 3.0


@pytest.mark.parametrize("delta", [None, 1e-6])
@pytest.mark.parametrize("values", [[0.0, 0.0, 0.0], [-1e290, 0.0, 1e290]])
def test_whether_a_budget_is_refused_does_not_depend_on_the_values(values, delta):
    """An infinite scale for some data sets only, or a NaN, would tell them apart."""
    bounds = (-1e290, 1e290)
    with pytest.raises(ValueError, match="bounds / epsilon must"):
        smooth_median(values, epsilon=1e-12, bounds=bounds, delta=delta)
    assert math.isfinite(smooth_median(values, epsilon=1e-3, bounds=bounds, delta=delta, rng=1))
