"""Piecewise in one dimension: the exact law of a report, and of sums of uniform numbers."""

import math

import numpy as np
import pytest
from scipy import stats

from ldp_core.audit import exact_epsilon
from ldp_core.numeric import Piecewise
from ldp_core.numeric.piecewise import sum_of_uniforms

from .conftest import distribution_function

FALSE_ALARM = 1e-6


@pytest.mark.parametrize("epsilon", [1e-3, 0.5, 1.0, 8.0, 60.0])
def test_the_plateau_touches_the_ends_exactly_at_the_boundary(epsilon):
    mechanism = Piecewise(epsilon)
    assert mechanism.centre(-1.0)[0] == -mechanism.C
    assert mechanism.centre(1.0)[1] == mechanism.C
    reports = mechanism.perturb(np.repeat([-1.0, 1.0], 50_000), rng=1)
    assert reports.min() >= -mechanism.C
    assert reports.max() <= mechanism.C
    # At t = 1 there is nothing to the right: the only other piece reaches from −C to 1.
    inside = (reports[50_000:] >= 1).mean()
    p = 1 / (1 + math.exp(-epsilon / 2))
    assert abs(inside - p) <= 6 * math.sqrt(p * (1 - p) / 50_000) + 1e-12  # false alarm 2e-9


@pytest.mark.parametrize("t", [-1.0, -0.4, 0.7])
@pytest.mark.parametrize("epsilon", [0.2, 5.0])
def test_reports_follow_the_law(t, epsilon):
    """Kolmogorov-Smirnov against the exact distribution function; false alarm 1e-6 each."""
    mechanism = Piecewise(epsilon)
    reports = mechanism.perturb(np.full(20_000, t), rng=11)
    assert stats.kstest(reports, distribution_function(mechanism, t)).pvalue > FALSE_ALARM


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 7.0, 35.0])
def test_channel_over_cells(epsilon):
    mechanism, t = Piecewise(epsilon), np.linspace(-1, 1, 9)
    channel, edges = mechanism.channel(t), mechanism.edges(t)
    assert channel.shape == (9, len(edges) - 1)
    np.testing.assert_allclose(channel.sum(axis=1), 1, atol=1e-12)
    assert exact_epsilon(channel) == pytest.approx(epsilon, rel=1e-6)
    if epsilon < 10:  # beyond, a plateau is so narrow that edges carry rounding
        np.testing.assert_allclose(channel @ ((edges[1:] + edges[:-1]) / 2), t, atol=1e-9 * mechanism.C)
        density = mechanism.density(((edges[1:] + edges[:-1]) / 2)[None, :], t[:, None])
        np.testing.assert_allclose(channel, density * np.diff(edges), atol=1e-12)


def test_channel_when_the_plateau_is_lost_in_rounding():
    with pytest.raises(ValueError, match="epsilon must leave a plateau"):
        Piecewise(100.0).channel()


def irwin_hall(n):
    def cdf(x):
        x = np.clip(x, 0, n)
        terms = [(-1) ** k * math.comb(n, k) * np.clip(x - k, 0, None) ** n for k in range(n + 1)]
        return np.sum(terms, axis=0) / math.factorial(n)

    return cdf


@pytest.mark.parametrize("n", [1, 2, 5])
def test_sum_of_uniforms_has_the_irwin_hall_law(n):
    """Kolmogorov-Smirnov, false alarm 1e-6."""
    sums = sum_of_uniforms(np.full(20_000, n), np.random.default_rng(n))
    assert stats.kstest(sums, irwin_hall(n)).pvalue > FALSE_ALARM


def test_sum_of_no_and_of_very_many_uniforms():
    """Mean within 6 standard errors (2e-9), variance within the chi-square band (1e-6)."""
    rng = np.random.default_rng(77)
    np.testing.assert_array_equal(sum_of_uniforms([0, 0], rng), [0, 0])
    n, runs = 10**12, 400
    sums = sum_of_uniforms(np.full(runs, n), rng)
    assert abs(sums.mean() - n / 2) < 6 * math.sqrt(n / 12 / runs)
    low, high = stats.chi2.ppf([FALSE_ALARM / 2, 1 - FALSE_ALARM / 2], runs - 1)
    assert low < sums.var(ddof=1) / (n / 12) * (runs - 1) < high
