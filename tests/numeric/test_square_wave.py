"""The Square Wave mechanism: its density, its channel, its draws, and what a computer makes of them."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from ldp_core.audit import exact_epsilon
from ldp_core.numeric import SquareWave
from ldp_core.postprocess import em

FALSE_ALARM = 1e-6


def best_half_width(epsilon):
    """The paper's b, for values in [0, 1]."""
    e = math.exp(epsilon)
    return (epsilon * e - e + 1) / (2 * e * (e - 1 - epsilon))


@pytest.mark.parametrize("epsilon", [0.2, 0.999, 1.0, 4.0, 12.0])
def test_density_is_the_paper_s(epsilon):
    mechanism, b, e = SquareWave(epsilon), best_half_width(epsilon), math.exp(epsilon)
    assert mechanism.width == pytest.approx(2 * b, rel=1e-9)
    assert mechanism.support == pytest.approx((-1 - 2 * b, 1 + 2 * b))
    low = 1 / (2 * b * e + 1) / 2  # half of that on [0, 1], which is half as long
    assert mechanism.density([0.3, 1.0 + b, 1.1 + 2 * b], [0.3, -1.0, 1.0]) == pytest.approx(
        [low * e, low, 0], rel=1e-9
    )


@pytest.mark.parametrize("epsilon", [1e-9, 0.5, 1.0, 8.0, 30.0, 700.0])
@pytest.mark.parametrize("t", [-1.0, 0.3, 1.0])
def test_density_integrates_to_one_and_its_ratio_is_e_to_the_epsilon(epsilon, t):
    mechanism = SquareWave(epsilon)
    low, high = mechanism.support
    w = mechanism.width
    # Constant between these points: the middle of each piece says all, except where no double lies in a window.
    pieces = [(low, t - w), (t - w, t + w), (t + w, high)] if epsilon < 30 else []
    total = sum((b - a) * mechanism.density((a + b) / 2, t) for a, b in pieces)
    assert not pieces or total == pytest.approx(1, abs=1e-9)
    # The window holds 2wp, what is outside it has the length 2 whatever t.
    inside, outside = mechanism.density(t, t), mechanism.density(-1 if t > 0 else 1, t)
    assert 2 * w * inside + 2 * outside == pytest.approx(1, rel=1e-12)
    assert math.log(inside) - math.log(outside) == pytest.approx(epsilon, rel=1e-6 if epsilon < 1e-6 else 1e-12)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_the_width_maximizes_the_bound_of_the_mutual_information(epsilon):
    """ln of the support's length, the most that the entropy of a report can be, less its entropy given the value."""

    def bound(w):
        p, q = math.exp(epsilon) / (2 * w * math.exp(epsilon) + 2), 1 / (2 * w * math.exp(epsilon) + 2)
        return math.log(2 + 2 * w) + 2 * w * p * math.log(p) + 2 * q * math.log(q)

    best = optimize.minimize_scalar(lambda w: -bound(w), bounds=(0, 3), method="bounded", options={"xatol": 1e-9})
    assert SquareWave(epsilon).width == pytest.approx(best.x, rel=1e-5)


def test_the_width_falls_from_one_to_zero_without_a_jump():
    epsilons = np.geomspace(1e-9, 700, 2_000)
    widths = np.array([SquareWave(e).width for e in epsilons])
    assert widths[0] == pytest.approx(1 - 2 * epsilons[0] / 3, abs=1e-15)
    assert np.all(np.diff(widths) <= 0)
    assert SquareWave(np.nextafter(1.0, 0)).width == pytest.approx(SquareWave(1.0).width, rel=1e-14)
    assert 0 < widths[-1] < 1e-15


# ---- the channel ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "bins"), [(0.5, 2), (1.0, 5), (3.0, 7), (6.0, 4)])
def test_channel_is_the_density_integrated(epsilon, bins):
    mechanism = SquareWave(epsilon)
    channel, w = mechanism.channel(bins), mechanism.width
    values, reports = np.linspace(-1, 1, bins + 1), np.linspace(*mechanism.support, bins + 1)
    p, q = mechanism.density(0, 0), mechanism.density(0, 1)

    def mass(t, low, high):  # the inner integral, exactly
        return q * (high - low) + (p - q) * max(0.0, min(high, t + w) - max(low, t - w))

    for i in range(bins):
        for j in range(bins):
            corners = sorted(c for end in reports[j : j + 2] for c in (end - w, end + w))
            expected = integrate.quad(
                mass, values[i], values[i + 1], args=(reports[j], reports[j + 1]), points=corners, epsabs=1e-13
            )[0]
            assert channel[i, j] == pytest.approx(expected * bins / 2, abs=1e-12)


@pytest.mark.parametrize("epsilon", [1e-3, 0.5, 1.0, 6.0, 20.0, 700.0])
@pytest.mark.parametrize("bins", [2, 3, 64, 257])
def test_channel_is_symmetric_sums_to_one_and_keeps_the_guarantee(epsilon, bins):
    channel = SquareWave(epsilon).channel(bins)
    np.testing.assert_allclose(channel.sum(axis=1), 1, atol=1e-12)
    np.testing.assert_allclose(channel, channel[::-1, ::-1], atol=1e-12)
    assert exact_epsilon(channel) <= epsilon * (1 + 1e-9)


# ---- draws ---------------------------------------------------------------------------------------------------------

#: Few enough cells that every report can be listed.
FEW = 12


@pytest.fixture
def few_cells(monkeypatch):
    monkeypatch.setattr("ldp_core.numeric.square_wave.CELLS", FEW)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("t", [-1.0, -0.37, 0.0, 0.9, 1.0])
def test_reports_on_few_cells_have_exactly_two_probabilities(epsilon, t, few_cells, chi_square_p):
    """The sampler's own law, listed: p in as many cells for every value, p/e^ε in all others (false alarm 1e-6)."""
    mechanism, n = SquareWave(epsilon), 40_000
    window, w = mechanism._window, mechanism.width
    assert w == window / (FEW - window)
    cells = (2 * np.arange(FEW) + 1 - FEW) / (FEW - window)
    first = round((t + 1) / 2 * (FEW - window))
    weight = np.ones(FEW)
    weight[first : first + window] = math.exp(epsilon)
    law = dict(zip(cells.tolist(), weight / weight.sum(), strict=True))
    drawn = Counter(mechanism.perturb(np.full(n, t), rng=5).tolist())
    assert chi_square_p(drawn, law, n) > FALSE_ALARM
    inside = weight[first] / weight.sum() * (FEW - window) / 2  # per length: a cell has 2/(FEW − window) of it
    assert mechanism.density(cells[first + window // 2], cells[first : first + window].mean()) == pytest.approx(inside)


def test_all_values_have_the_same_possible_reports(few_cells):
    mechanism = SquareWave(1.0)
    seen = [set(mechanism.perturb(np.full(3_000, t), rng=1).tolist()) for t in (-1.0, -1 / 3, 0.1, 0.7, 1.0)]
    assert all(reports == seen[0] for reports in seen)
    assert len(seen[0]) == FEW


@pytest.mark.parametrize("epsilon", [1e-6, 1.0, 30.0, 700.0])
@pytest.mark.parametrize("t", [-1.0, -1 / 3, 0.1, 1.0])
def test_reports_lie_on_the_one_grid_whatever_the_value(epsilon, t):
    mechanism = SquareWave(epsilon)
    reports = mechanism.perturb(np.full(5_000, t), rng=2)
    cells = [round((Fraction(y) * mechanism._rest + 2**52 - 1) / 2) for y in reports.tolist()]
    assert min(cells) >= 0
    assert max(cells) < 2**52
    assert [(2 * cell + 1 - 2**52) / mechanism._rest for cell in cells] == reports.tolist()


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 5.0])
@pytest.mark.parametrize("t", [-1.0, 0.4, 1.0])
def test_reports_follow_the_density(epsilon, t):
    """Kolmogorov-Smirnov against the exact distribution function; false alarm 1e-6 each."""
    mechanism = SquareWave(epsilon)
    knots = [mechanism.support[0], t - mechanism.width, t + mechanism.width, mechanism.support[1]]
    masses = np.diff(knots) * [mechanism.density((a + b) / 2, t) for a, b in itertools.pairwise(knots)]
    reports = mechanism.privatize(np.full(20_000, t), rng=3)
    assert stats.kstest(reports, lambda y: np.interp(y, knots, [0, *np.cumsum(masses)])).pvalue > FALSE_ALARM


def test_counts_of_parts_add_up_and_the_ends_of_the_range_count():
    mechanism = SquareWave(0.7)
    reports = mechanism.perturb(np.linspace(-1, 1, 1_000), rng=1)
    counts = mechanism.aggregate(reports, 16)
    assert counts.tolist() == np.histogram(reports, 16, range=mechanism.support)[0].tolist()
    assert (mechanism.aggregate(reports[:300], 16) + mechanism.aggregate(reports[300:], 16)).tolist() == counts.tolist()
    assert mechanism.aggregate(mechanism.support, 3).tolist() == [1, 0, 1]


def test_simulated_counts_have_the_law_of_users_one_by_one():
    """Mean and covariance are those of the channel, for users and for simulation: each bin's within 6 standard errors.

    False alarm: 2e-9 for each of the means and variances.
    """
    mechanism, true_counts, runs = SquareWave(1.0), np.array([30, 0, 10, 20]), 4_000
    channel, rng = mechanism.channel(4), np.random.default_rng(7)
    mean = true_counts @ channel
    covariance = np.diag(mean) - (channel.T * true_counts) @ channel
    bins = np.tile(np.repeat(np.arange(4), true_counts), (runs, 1))
    values = (bins + rng.random(bins.shape)) / 2 - 1
    reports = mechanism.perturb(values.ravel(), rng).reshape(runs, -1)
    users = np.array([mechanism.aggregate(run, 4) for run in reports])
    for drawn in (users, mechanism.simulate(true_counts, rng, size=runs)):
        assert drawn.shape == (runs, 4)
        assert set(drawn.sum(axis=1).tolist()) == {60}
        assert np.all(np.abs(drawn.mean(axis=0) - mean) < 6 * np.sqrt(np.diag(covariance) / runs))
        slack = 6 * np.sqrt((np.outer(np.diag(covariance), np.diag(covariance)) + covariance**2) / runs)
        assert np.all(np.abs(np.cov(drawn.T) - covariance) < slack)


def test_simulation_of_one_user_is_a_row_of_the_channel(chi_square_p):
    mechanism, runs = SquareWave(2.0), 20_000
    drawn = mechanism.simulate([0, 1, 0], rng=1, size=runs).argmax(axis=1).tolist()
    assert chi_square_p(drawn, dict(enumerate(mechanism.channel(3)[1])), runs) > FALSE_ALARM


def test_simulation_and_em_of_a_billion_users():
    mechanism, true_counts = SquareWave(1.0), np.array([4, 3, 2, 1, 0, 0, 0, 0]) * 10**8
    counts = mechanism.simulate(true_counts, rng=1)
    assert counts.sum() == 10**9
    np.testing.assert_allclose(em(counts, mechanism.channel(8), tolerance=1e-4), true_counts / 1e9, atol=0.01)


@pytest.mark.parametrize("epsilon", [1e-12, 709.0])
def test_budgets_that_no_double_can_tell_are_refused(epsilon):
    with pytest.raises(ValueError, match="epsilon must be large enough"):
        SquareWave(epsilon)


def test_bad_reports_and_bins():
    mechanism = SquareWave(1.0)
    for reports, bins, message in (
        ([2.0], 4, "reports must lie in"), ([0.0], 1, "bins must be"), ([0.0], 2**13, "bins must be"),
        ([], 4, "reports must be one-dimensional"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            mechanism.aggregate(reports, bins)
    for counts in ([5], [[1, 2]], [0, 0], np.ones(2**13)):
        with pytest.raises(ValueError, match="true_counts must"):
            mechanism.simulate(counts)
    with pytest.raises(ValueError, match="t must lie in"):
        mechanism.perturb([1.5])


def test_what_it_is():
    assert SquareWave(1.0) == SquareWave(1)
    assert SquareWave(1.0) != SquareWave(2.0)
    assert repr(SquareWave(1.0)) == "SquareWave(epsilon=1)"
    assert SquareWave(1.0).bits == 52
