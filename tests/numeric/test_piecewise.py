"""Piecewise and Hybrid: the exact law of a report, sampling of coordinates, sums of uniform numbers."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from ldp_core.audit import exact_epsilon
from ldp_core.numeric import EPSILON_STAR, Duchi, Hybrid, Piecewise, crossings
from ldp_core.numeric._sampled import bits_of_a_set, sample_without_replacement
from ldp_core.numeric.piecewise import sum_of_uniforms

FALSE_ALARM = 1e-6


def distribution_function(mechanism, t):
    """CDF of the continuous part of a report, piece by piece."""
    low, high = (float(end) for end in mechanism.centre(t))
    knots = np.array([-mechanism.C, low, high, mechanism.C])
    outside = 1 / (math.exp(mechanism.epsilon / 2) + 1)
    left = outside * (low + mechanism.C) / (mechanism.C + 1)
    return lambda y: np.interp(y, knots, [0, left, left + 1 - outside, 1])


def test_constants_are_the_literature_s():
    for epsilon in (0.1, 1.0, 4.0):
        root = math.exp(epsilon / 2)
        mechanism = Piecewise(epsilon)
        c = (root + 1) / (root - 1)
        assert pytest.approx(c) == mechanism.C
        t = np.linspace(-1, 1, 11)
        low, high = mechanism.centre(t)
        np.testing.assert_allclose(low, (c + 1) / 2 * t - (c - 1) / 2)
        np.testing.assert_allclose(high, low + c - 1)
        assert mechanism.density(0.0, 0.0) == pytest.approx((root**2 - root) / (2 * root + 2))
        assert mechanism.worst_variance == pytest.approx(4 * root / (3 * (root - 1) ** 2))


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


@pytest.mark.parametrize("t", [-1.0, -0.4, 0.0, 0.7, 1.0])
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 5.0])
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


# ---- Hybrid --------------------------------------------------------------------------------------------------------


def test_epsilon_star_is_where_piecewise_at_zero_beats_duchi():
    (root,) = crossings(lambda e: Piecewise(e).variance(0.0), lambda e: Duchi(e).variance(0.0))
    assert pytest.approx(root, rel=1e-12) == EPSILON_STAR
    assert round(EPSILON_STAR, 2) == 0.61


@pytest.mark.parametrize("epsilon", [0.3, 0.6, 0.62, 1.0, 3.0, 9.0])
def test_hybrid_is_never_worse_than_its_parts_at_their_worst(epsilon):
    mechanism, t = Hybrid(epsilon), np.linspace(-1, 1, 21)
    assert mechanism.worst_variance <= min(Piecewise(epsilon).worst_variance, Duchi(epsilon).worst_variance) + 1e-12
    if epsilon > EPSILON_STAR:
        assert mechanism.alpha == pytest.approx(1 - math.exp(-epsilon / 2))
        np.testing.assert_allclose(mechanism.variance(t), mechanism.variance(0.0), rtol=1e-12)
    else:
        assert mechanism.alpha == 0
        np.testing.assert_array_equal(mechanism.perturb(t, rng=1) ** 2, Duchi(epsilon).B ** 2)


@pytest.mark.parametrize("t", [-1.0, 0.25, 1.0])
def test_hybrid_reports_follow_the_law(t, chi_square_p):
    """The atoms by chi-square, the rest by Kolmogorov-Smirnov; false alarm 1e-6 each."""
    mechanism, runs = Hybrid(1.5), 20_000
    reports = mechanism.perturb(np.full(runs, t), rng=23)
    low, high = mechanism.atoms
    mass = [mechanism.density(low, t), mechanism.density(high, t)]
    kind = np.where(reports == low, 0, np.where(reports == high, 1, 2))
    law = {0: mass[0], 1: mass[1], 2: 1 - sum(mass)}
    assert chi_square_p(kind.tolist(), law) > FALSE_ALARM
    assert 1 - sum(mass) == pytest.approx(mechanism.alpha)
    rest = reports[kind == 2]
    assert stats.kstest(rest, distribution_function(Piecewise(1.5), t)).pvalue > FALSE_ALARM


# ---- sampling coordinates ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [Piecewise, Hybrid])
@pytest.mark.parametrize(
    ("epsilon", "d", "k"), [(0.1, 5, 1), (4.9, 5, 1), (5.0, 5, 2), (7.4, 5, 2), (7.5, 5, 3), (99.0, 5, 5), (9.0, 1, 1)]
)
def test_each_user_sends_k_coordinates(make, epsilon, d, k):
    mechanism = make(epsilon, d)
    assert mechanism.k == k
    assert mechanism.one.epsilon == pytest.approx(epsilon / k)
    assert mechanism.one.dim == 1
    t = np.full((200, d), 0.3)
    reports = mechanism.perturb(t[:, 0] if d == 1 else t, rng=2).reshape(200, d)
    np.testing.assert_array_equal(np.count_nonzero(reports, axis=1), k)
    assert mechanism.support[1] == pytest.approx(mechanism.one.support[1] * d / k)


@pytest.mark.parametrize("shuffle", [0, 10], ids=["shuffled", "Floyd"])
@pytest.mark.parametrize("k", range(1, 6))
def test_sets_are_uniform(k, shuffle, chi_square_p, monkeypatch):
    """All C(5, k) sets by chi-square, false alarm 1e-6."""
    monkeypatch.setattr("ldp_core.numeric._sampled.SHUFFLE", shuffle)
    drawn = np.sort(sample_without_replacement(20_000, 5, k, np.random.default_rng(k)).T, axis=1)
    sets = list(itertools.combinations(range(5), k))
    assert chi_square_p([tuple(row) for row in drawn.tolist()], dict.fromkeys(sets, 1 / len(sets))) > FALSE_ALARM


def test_sent_coordinates_carry_the_scaled_one_dimensional_law():
    """d = 4, k = 2: sent coordinates, divided by d/k, by Kolmogorov-Smirnov; false alarm 1e-6 each."""
    mechanism = Piecewise(6.0, 4)
    t = np.array([-1.0, -0.2, 0.5, 1.0])
    reports = mechanism.perturb(np.tile(t, (20_000, 1)), rng=31)
    for j in range(4):
        sent = reports[reports[:, j] != 0, j] / 2
        assert abs(len(sent) / 20_000 - 0.5) < 6 * math.sqrt(0.25 / 20_000)
        assert stats.kstest(sent, distribution_function(Piecewise(3.0), t[j])).pvalue > FALSE_ALARM


# ---- sums of uniform numbers ---------------------------------------------------------------------------------------


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


def test_a_large_share_of_many_coordinates_takes_no_quadratic_time():
    """Not timed: 400,000 steps of Floyd's algorithm, each through all steps before, would take minutes."""
    mechanism = Piecewise(1e6, 10**6)
    reports = mechanism.perturb(np.zeros((1, 10**6)), rng=1)
    assert np.count_nonzero(reports) == mechanism.k == 400_000
    assert mechanism.bits == 970_941 + 64 * 400_000


@pytest.mark.parametrize(("d", "k"), [(5_000, 1_500), (4_001, 2_000), (100_000, 1_001)])
def test_bits_of_large_sets(d, k):
    assert bits_of_a_set(d, k) == (math.comb(d, k) - 1).bit_length()


def test_a_billion_users_who_send_one_of_many_coordinates():
    """More sets than are listed elsewhere; 6 standard errors for each of 5,000 coordinates: false alarm 1e-5."""
    t = np.linspace(-1, 1, 5_000)
    mechanism = Hybrid(1.0, 5_000)
    mean = mechanism.simulate_mean(t[None, :], [10**12], rng=1)
    assert np.all(np.abs(mean - t) < 6 * np.sqrt(mechanism.variance(t) / 1e12))
