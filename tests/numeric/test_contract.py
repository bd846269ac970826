"""What every numeric mechanism promises, in one and in many dimensions."""

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, stats

from ldp_core import numeric
from ldp_core.numeric import DiscreteLaplace, Duchi, Hybrid, Laplace, NumericMechanism, Piecewise

from .conftest import MECHANISMS

FALSE_ALARM = 1e-6

#: The discrete law is enumerated in test_discrete_laplace.py.
ONE_D = [Laplace, Duchi, Piecewise, Hybrid]


def test_every_mechanism_of_the_package_is_held_to_its_promise():
    public = {mechanism for name in numeric.__all__ if isinstance(mechanism := getattr(numeric, name), type)}
    public = {mechanism for mechanism in public if issubclass(mechanism, NumericMechanism)} - {NumericMechanism}
    assert public == {type(make(1.0)) for make in MECHANISMS.values()}, "a line for each in conftest.py"
    assert public == {*ONE_D, DiscreteLaplace}, "a line for each in ONE_D"


def spread(n, dim, seed=1000):
    """Values that fill [−1, 1], both ends among them."""
    t = np.random.default_rng(seed).uniform(-1, 1, size=(n, dim))
    t[0], t[1] = -1, 1
    return t[:, 0] if dim == 1 else t


# ---- the exact law in one dimension --------------------------------------------------------------------------------


def moment(mechanism, t, power):
    """Integral of (y − t)^power over the report's law: atoms by sum, density by quadrature between its jumps."""
    total = sum(mechanism.density(a, t) * (a - t) ** power for a in mechanism.atoms)
    if isinstance(mechanism, Duchi):
        return total
    if isinstance(mechanism, Laplace):
        reach = 60 * mechanism.scale
        points = [t - reach, t - 5 * mechanism.scale, t, t + 5 * mechanism.scale, t + reach]
    else:
        piecewise = Piecewise(mechanism.epsilon)
        low, high = piecewise.centre(t)
        points = [-piecewise.C, float(low), float(high), piecewise.C]
        if isinstance(mechanism, Hybrid):
            points = sorted([*points, *mechanism.atoms])
    reach = max(abs(point) for point in points)
    for left, right in itertools.pairwise(points):
        if right > left:  # Gauss nodes lie strictly inside: no atom is counted twice
            total += integrate.quad(
                lambda y: mechanism.density(y, t) * (y - t) ** power,
                left,
                right,
                epsabs=1e-13 * reach**power,
                epsrel=1e-11,
            )[0]
    return total


@pytest.mark.parametrize("make", ONE_D, ids=lambda c: c.__name__)
@pytest.mark.parametrize("epsilon", [1e-3, 0.61, 1.0, 12.0])
@pytest.mark.parametrize("t", [-1.0, 0.0, 0.5])
def test_density_integrates_to_one_with_mean_t_and_the_stated_variance(make, epsilon, t):
    mechanism = make(epsilon)
    assert moment(mechanism, t, 0) == pytest.approx(1, abs=1e-9)
    deviation = math.sqrt(mechanism.variance(t))
    assert moment(mechanism, t, 1) == pytest.approx(0, abs=1e-8 * max(deviation, 1e-3))
    assert moment(mechanism, t, 2) == pytest.approx(mechanism.variance(t), rel=1e-7)


@pytest.mark.parametrize("make", ONE_D, ids=lambda c: c.__name__)
@pytest.mark.parametrize("epsilon", [1e-3, 0.61, 1.0, 50.0])
def test_density_ratio_never_exceeds_e_to_the_epsilon_and_reaches_it(make, epsilon):
    """Every piece of every density is looked at: plateaus, plains, atoms, and both ends of each."""
    mechanism = make(epsilon)
    inputs = np.array([-1.0, -1 + 1e-9, -0.3, 0.0, 0.3, 0.9, 1.0])
    if isinstance(mechanism, Laplace):
        reports = np.concatenate([inputs, np.linspace(-3, 3, 601) * (1 + mechanism.scale)])
    else:
        piecewise = Piecewise(epsilon)
        ends = np.concatenate(piecewise.centre(inputs))
        inside = np.concatenate([np.add(*piecewise.centre(inputs)) / 2, inputs, ends])
        reports = np.concatenate([inside, np.linspace(-piecewise.C, piecewise.C, 601), mechanism.atoms])
    density = mechanism.density(reports[:, None], inputs[None, :])
    possible = density.max(axis=1) > 0
    ratio = np.log(density[possible]).max(axis=1) - np.log(density[possible]).min(axis=1)
    assert np.all(ratio <= epsilon * (1 + 1e-9) + 1e-12)
    # No privacy is given away for nothing: some report is exactly e^epsilon times likelier under some other value.
    assert ratio.max() == pytest.approx(epsilon, rel=1e-9)


def test_density_broadcasts_and_is_one_dimensional():
    mechanism = Piecewise(1.0)
    assert isinstance(mechanism.density(0.3, 0.2), float)
    assert mechanism.density([[0.1], [0.2]], [0.0, 0.5, 1.0]).shape == (2, 3)
    for make in MECHANISMS.values():
        with pytest.raises(ValueError, match="density needs dim = 1, got dim = 2"):
            make(1.0, 2).density(0.0, 0.0)


# ---- variance ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_variances_are_the_literature_s_formulas(epsilon):
    t, e, root = np.linspace(-1, 1, 9), math.exp(epsilon), math.exp(epsilon / 2)
    duchi = ((e + 1) / (e - 1)) ** 2 - t**2
    piecewise = t**2 / (root - 1) + (root + 3) / (3 * (root - 1) ** 2)
    alpha = 1 - 1 / root if epsilon > 0.61 else 0
    np.testing.assert_allclose(Laplace(epsilon).variance(t), 8 / epsilon**2)
    np.testing.assert_allclose(Laplace(epsilon, 7).variance(t), 8 * 49 / epsilon**2)
    np.testing.assert_allclose(Duchi(epsilon).variance(t), duchi)
    np.testing.assert_allclose(Piecewise(epsilon).variance(t), piecewise)
    np.testing.assert_allclose(Hybrid(epsilon).variance(t), alpha * piecewise + (1 - alpha) * duchi)
    # Sampling one of seven coordinates: second moment times seven.
    np.testing.assert_allclose(Piecewise(epsilon, 7).variance(t), 7 * (piecewise + t**2) - t**2)


@pytest.mark.parametrize("dim", [1, 2, 7])
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 6.0])
def test_worst_and_average_variance_are_those_of_the_curve(make, epsilon, dim):
    mechanism = make(epsilon, dim)
    edges = np.linspace(-1, 1, 2 * getattr(mechanism, "grid", 500) + 1)
    ends, middles = mechanism.variance(edges), mechanism.variance((edges[1:] + edges[:-1]) / 2)
    assert mechanism.worst_variance == pytest.approx(max(ends.max(), middles.max()), rel=1e-12)
    # Simpson's rule is exact for parabolas, and between neighbouring edges every curve here is one.
    average = ((ends[1:] + ends[:-1] + 4 * middles) / 6).mean()
    assert mechanism.average_variance == pytest.approx(average, rel=1e-10)
    assert isinstance(mechanism.variance(0.5), float)
    assert mechanism.variance([[0.5, 0.1]]).shape == (1, 2)


# ---- reports -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "dim"), [(0.5, 1), (0.5, 5), (8.0, 6), (30.0, 2)])
def test_reports_are_unbiased_with_the_stated_variance(make, epsilon, dim):
    """For every coordinate at three values: mean and mean square, each within 6 standard errors.

    False alarm below 2e-9 for a mean; for a mean square, whose tails are heavier, below 1e-6.
    """
    mechanism, n = make(epsilon, dim), 40_000
    for value in (-1.0, 0.3, 1.0):
        t = np.full((n, dim), 0.1)
        t[:, 0] = value
        reports = mechanism.perturb(t[:, 0] if dim == 1 else t, rng=17).reshape(n, dim)
        error = reports - t
        variance = np.array([mechanism.variance(v) for v in t[0]])
        assert np.all(np.abs(error.mean(axis=0)) <= 6 * np.sqrt(variance / n) + 1e-12)
        square = error**2
        slack = 6 * square.std(axis=0) / math.sqrt(n)
        # Where a rare event carries the variance, the sample may not have seen it: 20 of them are enough.
        rare = math.exp(-epsilon / (2 * getattr(mechanism, "k", 1))) * n < 20
        if not rare:
            assert np.all(np.abs(square.mean(axis=0) - variance) <= slack + 1e-12)


@pytest.mark.parametrize("epsilon", [1e-3, 1.0, 700.0])
@pytest.mark.parametrize("dim", [1, 5, 64])
def test_reports_lie_in_the_support_and_are_finite(make, epsilon, dim):
    mechanism = make(epsilon, dim)
    reports = mechanism.perturb(spread(3_000, dim), rng=3)
    assert reports.shape == ((3_000,) if dim == 1 else (3_000, dim))
    assert reports.dtype == np.float64
    assert np.all(np.isfinite(reports))
    low, high = mechanism.support
    assert low == -high
    assert np.all((low <= reports) & (reports <= high))
    assert math.isfinite(mechanism.worst_variance)
    assert mechanism.worst_variance >= 0


def test_bits():
    assert [make(1.0).bits for make in (Laplace, Duchi, Piecewise, Hybrid)] == [64, 1, 64, 64]
    assert Hybrid(0.5).bits == 1  # below epsilon* it is Duchi
    assert [make(1.0, 16).bits for make in (Laplace, Duchi, Piecewise, Hybrid)] == [1024, 16, 4 + 64, 4 + 64]
    assert Hybrid(0.5, 16).bits == 4 + 1
    assert Piecewise(10.0, 16).bits == 11 + 4 * 64  # 1820 sets of four


@pytest.mark.parametrize("dim", [1, 3, 4])
def test_same_seed_same_reports_and_global_state_untouched(make, dim):
    mechanism, t = make(6.0, dim), spread(50, dim)
    np.random.seed(1)  # noqa: NPY002 -- the point is that this state is not used
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    first = mechanism.perturb(t, rng=9)
    np.testing.assert_array_equal(first, mechanism.perturb(t, rng=9))
    assert not np.array_equal(first, mechanism.perturb(t, rng=np.random.default_rng(9))), "the data's stream"
    assert not np.array_equal(first, mechanism.perturb(t, rng=10))
    assert not np.array_equal(mechanism.perturb(t), mechanism.perturb(t))
    np.testing.assert_array_equal(mechanism.simulate_mean(t, rng=4), mechanism.simulate_mean(t, rng=4))
    np.testing.assert_array_equal(before, np.random.get_state()[1])  # noqa: NPY002


def test_blocks_do_not_change_the_law_or_lose_users(make, monkeypatch):
    """Three users a block: all are served, and their mean is right within 6 standard errors (false alarm 2e-9)."""
    monkeypatch.setattr("ldp_core.numeric.base.BLOCK", 6)
    mechanism, n = make(2.0, 2), 3_001
    t = np.full((n, 2), [0.5, -1.0])
    reports = mechanism.perturb(t, rng=2)
    deviation = np.sqrt(mechanism.variance(t[0]) / n)
    assert np.all(np.abs(mechanism.estimate(reports) - t[0]) <= 6 * deviation)
    assert len(np.unique(reports, axis=0)) > 3  # not one block's draw repeated


# ---- estimates -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dim", [1, 3])
def test_estimate_is_the_mean_of_the_reports(make, dim):
    mechanism = make(0.5, dim)
    reports = mechanism.perturb(spread(200, dim), rng=5)
    rounding = 1e-14 * np.abs(reports).max()  # users are added in another order
    np.testing.assert_allclose(mechanism.estimate(reports), reports.mean(axis=0), rtol=0, atol=rounding)
    assert isinstance(mechanism.estimate(reports), float if dim == 1 else np.ndarray)
    low, high = mechanism.interval(reports, level=0.9)
    assert isinstance(low, float if dim == 1 else np.ndarray)
    assert np.all((low < mechanism.estimate(reports)) & (mechanism.estimate(reports) < high))


@pytest.mark.parametrize("dim", [1, 3])
def test_interval_is_z_exact_standard_errors(dim):
    t = spread(400, dim)
    for make in (Laplace, Hybrid, DiscreteLaplace):
        mechanism = make(2.0, 1)
        reports = mechanism.perturb(t if dim == 1 else t[:, 0], rng=5)
        low, high = mechanism.interval(reports, level=0.9)
        half = stats.norm.ppf(0.95) * math.sqrt(mechanism.worst_variance / 400)
        assert [low, high] == pytest.approx([reports.mean() - half, reports.mean() + half])
    # Piecewise: the variance grows with t², whose mean is estimated. For 40,000 users to within 2 %.
    mechanism, t = Piecewise(4.0, dim), spread(40_000, dim)
    low, high = mechanism.interval(mechanism.perturb(t, rng=6), level=0.9)
    exact = stats.norm.ppf(0.95) * np.sqrt(mechanism.variance(t).mean(axis=0) / 40_000)
    np.testing.assert_allclose((high - low) / 2, exact, rtol=0.02)


def coverage_of_duchi(mechanism, t, n, level):
    """Exact probability that the interval for n users, all at t, covers t: a sum over the numbers of reports +B."""
    plus, minus = mechanism.density(mechanism.B, t), mechanism.density(-mechanism.B, t)
    law = stats.binom.pmf(range(n + 1), n, plus) if plus < minus else stats.binom.pmf(range(n + 1), n, minus)[::-1]
    ends = [mechanism.interval(np.repeat([mechanism.B, -mechanism.B], [k, n - k]), level=level) for k in range(n + 1)]
    assert min(high - low for low, high in ends) > 0
    return sum(p for p, (low, high) in zip(law, ends, strict=True) if low - 1e-12 <= t <= high + 1e-12)


@pytest.mark.parametrize("epsilon", [0.5, 4.0])
@pytest.mark.parametrize("n", [1, 10, 100])
def test_interval_of_duchi_covers_as_often_as_it_says(epsilon, n):
    """Exactly enumerated: 95 % is missed by a quarter of a percentage point at most, 99 % by two."""
    for t in (0.0, 0.5, 0.9, 0.95, 0.99, 1.0):
        assert coverage_of_duchi(Duchi(epsilon), t, n, 0.95) >= 0.95 - 0.0025
        assert coverage_of_duchi(Duchi(epsilon), t, n, 0.99) >= 0.99 - 0.02


def test_interval_covers_the_mean_of_these_users_as_often_as_it_says(make):
    """The 90 % interval, 2,000 runs on 400 users: not below 0.90 by 6 standard errors and 0.01 for normality.

    Not above it either, by as much, where the variance is known exactly; Duchi's interval is on the safe side.
    """
    mechanism, runs, n = make(1.0, 2), 2_000, 400
    rng = np.random.default_rng(21)
    t = rng.uniform(-1, 1, size=(n, 2)) * [1.0, 0.5] + [0.0, 0.3]
    means = t.mean(axis=0)
    covered = np.zeros(2)
    for reports in mechanism.perturb(np.tile(t, (runs, 1)), rng).reshape(runs, n, 2):
        low, high = mechanism.interval(reports, level=0.9)
        covered += (low <= means) & (high >= means)
    slack = 6 * math.sqrt(0.09 / runs) + 0.01
    assert np.all(covered / runs > 0.9 - slack)
    assert np.all(covered / runs < (0.99 if isinstance(mechanism, Duchi) else 0.9 + slack))


# ---- simulation ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "dim"), [(1.0, 1), (1.0, 4), (6.0, 5), (8.0, 3)])
def test_simulated_mean_of_a_million_users(make, epsilon, dim):
    """Mean within 6 standard errors (false alarm 2e-9 a coordinate), variance within the chi-square band (1e-6)."""
    mechanism, runs = make(epsilon, dim), 300
    t = spread(5, dim)
    counts = np.array([100_000, 0, 300_000, 250_000, 350_000])
    means = mechanism.simulate_mean(t, counts, rng=6, size=runs).reshape(runs, dim)
    n, rows = counts.sum(), t.reshape(5, dim)
    variance = counts @ mechanism.variance(rows) / n**2
    assert np.all(np.abs(means.mean(axis=0) - counts @ rows / n) < 6 * np.sqrt(variance / runs))
    ratio = means.var(axis=0, ddof=1) / variance * (runs - 1)
    low, high = stats.chi2.ppf([FALSE_ALARM / 2, 1 - FALSE_ALARM / 2], runs - 1)
    assert np.all((low < ratio) & (ratio < high))


@pytest.mark.parametrize(("epsilon", "dim"), [(1.0, 1), (1.0, 3), (6.0, 3)])
def test_closed_form_and_users_one_by_one_have_the_same_law(make, epsilon, dim, monkeypatch):
    """Three users, two of them alike: coordinates, and one mixed sum, by the two-sample KS test (1e-6 each).

    The mixed sum is there for the joint law: it would differ if coordinates were drawn as if independent.
    """
    # Closed forms even for three users:
    monkeypatch.setattr("ldp_core.numeric._sampled.COST_OF_A_SUM", -1_000_000)
    monkeypatch.setattr("ldp_core.numeric.duchi.COST_OF_A_BINOMIAL", 0)
    mechanism, runs = make(epsilon, dim), 10_000
    t = np.array([[0.8, -1.0, 0.2], [-0.5, 1.0, 0.9]])[:, :dim]
    counts = np.array([2, 1])
    rng = np.random.default_rng(8)
    closed = mechanism.simulate_mean(t[:, 0] if dim == 1 else t, counts, rng=rng, size=runs).reshape(runs, dim)
    users = np.repeat(t, counts, axis=0)
    everyone = np.tile(users, (runs, 1))
    reports = mechanism.perturb(everyone[:, 0] if dim == 1 else everyone, rng)
    means = reports.reshape(runs, 3, dim).mean(axis=1)
    mix = np.array([1.0, 0.7, -0.4])[:dim]
    for one, other in [*zip(closed.T, means.T, strict=True), (closed @ mix, means @ mix)]:
        # Rounded: sums in another order differ in the last digit, and atoms must stay atoms.
        assert stats.ks_2samp(one.round(9), other.round(9), method="asymp").pvalue > FALSE_ALARM
