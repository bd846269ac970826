"""Summation histograms: the noise is Laplace noise, or its discrete brother, and sums of it have a law of their own."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from scipy import integrate, stats

from ldp_core.audit import exact_epsilon
from ldp_core.frequency import DiscreteSummationHistogram, SummationHistogram

#: A Kolmogorov-Smirnov test fails below this p-value; seeds are fixed.
FALSE_ALARM = 1e-6


@pytest.mark.parametrize("n", [1, 7])
def test_simulated_sums_have_the_law_of_summed_reports(n):
    """Against n = 1 exactly, and for n > 1 both paths against each other by a two-sample test."""
    oracle = SummationHistogram(1.0, 2)
    runs = 20_000
    simulated = oracle.simulate([n, 0], rng=2, size=runs)
    reports = oracle.perturb(np.zeros(n * runs, dtype=int), rng=3)
    summed = np.array([oracle.aggregate(reports[n * i : n * i + n]) for i in range(runs)])
    for column, true in ((0, n), (1, 0)):
        assert stats.ks_2samp(simulated[:, column], summed[:, column]).pvalue > FALSE_ALARM
        if n == 1:
            law = stats.laplace(loc=true, scale=2)
            assert stats.kstest(simulated[:, column], law.cdf).pvalue > FALSE_ALARM
    assert abs(np.corrcoef(simulated.T)[0, 1]) < 6 / math.sqrt(runs)


def test_variance_is_eight_n_over_epsilon_squared_whatever_the_count():
    oracle = SummationHistogram(0.5, 3)
    assert oracle.variance(100) == 8 * 100 / 0.25
    np.testing.assert_array_equal(oracle.variance(100, [0, 50, 100]), [3200.0] * 3)
    assert isinstance(oracle.variance(100), float)


def test_density_is_one_and_bounded_by_e_to_the_epsilon():
    epsilon = 1.3
    oracle = SummationHistogram(epsilon, 2)
    grid = np.linspace(-15, 16, 621)  # steps of 0.05, through the kinks at 0 and 1
    points = np.array(list(itertools.product(grid, grid)))
    density = [oracle.density(points, np.full(len(points), v)) for v in range(2)]
    mass = integrate.trapezoid(integrate.trapezoid(density[0].reshape(len(grid), -1), grid), grid)
    assert mass == pytest.approx(1, abs=1e-3)
    ratio = np.log(density[0]) - np.log(density[1])
    assert ratio.max() == pytest.approx(epsilon, abs=1e-9)
    assert -ratio.min() == pytest.approx(epsilon, abs=1e-9)
    # entry by entry, from the definition
    x = np.array([[0.3, 1.7]])
    laplace = stats.laplace(scale=2 / epsilon).pdf
    assert oracle.density(x, [1])[0] == pytest.approx(laplace(0.3) * laplace(0.7))


def marginal(epsilon, own, reach):
    """Exact law of one component: tanh(ε/4)·e^(−ε|y − own|/2) for y = −reach, …, reach."""
    y = np.arange(-reach, reach + 1)
    return dict(zip(y.tolist(), math.tanh(epsilon / 4) * np.exp(-epsilon / 2 * np.abs(y - own)), strict=True))


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0, 20.0])
def test_discrete_noise_follows_its_law_in_every_component(epsilon, chi_square_p):
    """Chi-square, false alarm 1e-6 each; components are independent: correlations within 6 standard errors."""
    oracle, runs = DiscreteSummationHistogram(epsilon, 3), 20_000
    reports = oracle.perturb(np.ones(runs, dtype=int), rng=1)
    assert reports.dtype == np.int64
    reach = 2 + math.ceil(80 / epsilon)
    for j, own in enumerate((0, 1, 0)):
        observed = Counter(reports[:, j].tolist())
        assert chi_square_p(observed, marginal(epsilon, own, reach), runs) > FALSE_ALARM
    if epsilon < 20:
        off_diagonal = np.corrcoef(reports.T)[~np.eye(3, dtype=bool)]
        assert np.all(np.abs(off_diagonal) < 6 / math.sqrt(runs))


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 5.0])
def test_exact_epsilon_of_discrete_noise_by_enumeration(epsilon):
    """All pairs of components up to a reach; what is beyond has less than 1e-12 of the mass, and the same ratios."""
    oracle, reach = DiscreteSummationHistogram(epsilon, 2), 2 + math.ceil(60 / epsilon)
    y = np.arange(-reach, reach + 1)
    reports = np.array(list(itertools.product(y, y)))
    channel = np.array([oracle.density(reports, np.full(len(reports), v)) for v in range(2)])
    np.testing.assert_allclose(channel.sum(axis=1), 1, atol=1e-12)
    assert exact_epsilon(channel / channel.sum(axis=1, keepdims=True)) == pytest.approx(epsilon, rel=1e-9)
    ratio = np.log(channel[0]) - np.log(channel[1])
    assert np.abs(ratio).max() <= epsilon * (1 + 1e-12)
    # The law that is enumerated is that of perturb: entry by entry, from the marginals.
    first, second = marginal(epsilon, 1, reach), marginal(epsilon, 0, reach)
    expected = [first[a] * second[b] for a, b in reports[::997].tolist()]
    np.testing.assert_allclose(channel[0][::997], expected, rtol=1e-9)


def test_discrete_variance_is_exact_and_below_that_of_laplace():
    for epsilon in (0.01, 0.5, 1.0, 5.0, 50.0):
        oracle = DiscreteSummationHistogram(epsilon, 3)
        law = marginal(epsilon, 0, math.ceil(100 / epsilon))
        assert oracle.variance(7) == pytest.approx(7 * sum(p * y * y for y, p in law.items()), rel=1e-9)
        assert oracle.variance(7) == pytest.approx(7 / (2 * math.sinh(epsilon / 4) ** 2))
        assert oracle.variance(7) < SummationHistogram(epsilon, 3).variance(7)
    np.testing.assert_array_equal(oracle.variance(9, [0, 5, 9]), [oracle.variance(9)] * 3)


@pytest.mark.parametrize("n", [1, 7])
def test_simulated_discrete_sums_have_the_law_of_summed_reports(n, chi_square_p):
    """Chi-square against the n-fold convolution for both paths, false alarm 1e-6 each."""
    epsilon, runs = 2.0, 20_000
    oracle = DiscreteSummationHistogram(epsilon, 2)
    simulated = oracle.simulate([n, 0], rng=2, size=runs)
    assert simulated.dtype == np.int64
    reports = oracle.perturb(np.zeros(n * runs, dtype=int), rng=3)
    summed = reports.reshape(runs, n, 2).sum(axis=1)
    np.testing.assert_array_equal(oracle.aggregate(reports[:n]), summed[0])
    reach = 60
    noise = np.array(list(marginal(epsilon, 0, reach).values()))
    law = np.array([1.0])
    for _ in range(n):
        law = np.convolve(law, noise)
    for column, true in ((0, n), (1, 0)):
        exact = dict(enumerate(law.tolist(), start=true - n * reach))
        assert chi_square_p(Counter(simulated[:, column].tolist()), exact, runs) > FALSE_ALARM
        assert chi_square_p(Counter(summed[:, column].tolist()), exact, runs) > FALSE_ALARM
    assert abs(np.corrcoef(simulated.T)[0, 1]) < 6 / math.sqrt(runs)


def test_discrete_reports_are_checked():
    oracle = DiscreteSummationHistogram(1.0, 2)
    np.testing.assert_array_equal(oracle.aggregate([[1.0, -2.0], [3, 4]]), [4, 2])
    for bad in ([[0.5, 1]], [[1e19, 0]], [[1.0, math.nan]], [[1, 2, 3]], [], [1, 2]):
        with pytest.raises(ValueError, match="reports must"):
            oracle.aggregate(bad)
    with pytest.raises(TypeError, match="reports must be real numbers"):
        oracle.aggregate([[True, False]])
    with pytest.raises(ValueError, match=r"epsilon must be at least 5\.68e-14"):
        DiscreteSummationHistogram(1e-14, 2)
    with pytest.raises(ValueError, match="true_counts must add up to fewer users"):
        DiscreteSummationHistogram(1e-13, 2).simulate([2**61, 0])


def test_sums_of_whole_numbers_never_wrap_around():
    oracle = DiscreteSummationHistogram(1.0, 2)
    assert oracle.aggregate([[2**61, 0], [-(2**61), 1]]).tolist() == [0, 1]
    with pytest.raises(ValueError, match=r"reports must add up to less than 2\*\*62"):
        oracle.aggregate([[2**63 - 1, 0], [1, 0]])
