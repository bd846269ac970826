"""Intervals from noisy counts: their coverage is computed from the exact law, not sampled."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import optimize, stats

from ldp_core.central import exponential_probabilities, intervals, laplace_interval, quantile_interval, share_interval


def reach_of(**how):
    low, high = laplace_interval(0, **how)
    assert low == -high
    return high


@pytest.mark.parametrize(("epsilon", "sensitivity"), [(0.01, 1), (1.0, 2), (7.0, 0.5)])
@pytest.mark.parametrize("level", [0.5, 0.95, 1 - 1e-9])
def test_an_interval_covers_as_often_as_it_says(epsilon, sensitivity, level):
    noise = stats.laplace(scale=sensitivity / epsilon)
    one = reach_of(epsilon=epsilon, sensitivity=sensitivity, level=level)
    assert 2 * noise.sf(one) == pytest.approx(1 - level, rel=1e-6)
    low, high = laplace_interval(
        np.zeros((3, 40)), epsilon=epsilon, sensitivity=sensitivity, level=level, simultaneous=True
    )
    assert low.shape == high.shape == (3, 40)
    assert noise.cdf(high[0, 0]) - noise.cdf(low[0, 0]) == pytest.approx(level ** (1 / 40), rel=1e-12)


@pytest.mark.parametrize("r", [Fraction(1, 3), Fraction(9, 10), Fraction(1, 1000)])
@pytest.mark.parametrize("level", [0.1, 0.5, 0.95, 0.999])
def test_with_whole_numbers_it_is_the_shortest_that_covers(r, level):
    """In fractions: Pr[|X| <= t] is (1 − r)/(1 + r) times 1 + 2r + … + 2r^t."""

    def covered(t):
        return (1 - r) / (1 + r) * (1 + 2 * sum((r**k for k in range(1, t + 1)), Fraction(0)))

    reach = reach_of(epsilon=-math.log(r), sensitivity=1, level=level, discrete=True)
    assert reach == int(reach)
    assert covered(int(reach)) >= level
    assert reach == 0 or covered(int(reach) - 1) < level


def test_a_number_gives_numbers_and_a_vector_vectors():
    assert laplace_interval(12, epsilon=1.0, sensitivity=1, simultaneous=True) == laplace_interval(
        12, epsilon=1.0, sensitivity=1
    )
    for discrete in (False, True):
        low, high = laplace_interval([[5, 0]], epsilon=1e-300, sensitivity=1, discrete=discrete)
        assert np.isfinite(low).all()
        assert np.isfinite(high).all()
        assert reach_of(epsilon=1e300, sensitivity=1, discrete=discrete) == pytest.approx(0, abs=1e-290)


def law(n, share, scale):
    """Distribution function of a binomial plus a Laplace variable, in SciPy's words."""
    k = np.arange(n + 1)
    weights = stats.binom.pmf(k, n, share)
    return lambda y: float(weights @ stats.laplace.cdf(y, k, scale))


@pytest.mark.parametrize(("n", "share"), [(1, 0.5), (20, 0.05), (300, 0.3), (2000, 0.999)])
@pytest.mark.parametrize("epsilon", [0.02, 1.0, 30.0])
def test_a_share_is_covered_exactly_as_often_as_it_says(n, share, epsilon):
    """The answers whose interval holds the share lie between two, at which an end is the share."""

    def end(which, y):
        return share_interval(y, n, epsilon=epsilon, sensitivity=1, level=0.9)[which] - share

    far = n + 20 / epsilon
    first, last = (optimize.brentq(lambda y, which=which: end(which, y), -far, far, xtol=1e-10) for which in (1, 0))
    below = law(n, share, 1 / epsilon)
    assert below(first) == pytest.approx(0.05, abs=1e-6)
    assert below(last) == pytest.approx(0.95, abs=1e-6)


@pytest.mark.parametrize("share", [0.0, 0.03, 0.5, 1.0])
@pytest.mark.parametrize("epsilon", [1.0, 3.0])
def test_with_whole_noise_a_share_is_covered_at_least_so_often(share, epsilon):
    n, r, counts = 12, math.exp(-epsilon), np.arange(13)
    weights = stats.binom.pmf(counts, n, share)
    covered = 0.0
    for y in range(-20, n + 21):
        low, high = share_interval(y, n, epsilon=epsilon, sensitivity=1, level=0.9, discrete=True)
        noise = (1 - r) / (1 + r) * r ** np.abs(y - counts)
        covered += float(weights @ noise) * (low <= share <= high)
    assert 0.9 <= covered <= 1.0 + 1e-12


@pytest.mark.parametrize(("count", "n"), [(0, 5), (3, 5), (40, 1000), (1000, 1000)])
def test_without_noise_it_is_the_interval_of_clopper_and_pearson(count, n):
    expected = stats.binomtest(count, n).proportion_ci(0.95, method="exact")
    found = share_interval(count, n, epsilon=1e6, sensitivity=1, discrete=True)
    assert found == pytest.approx(tuple(expected), abs=1e-12)


def test_a_share_of_many_people_is_nearly_normal():
    n, scale = 10**6, 300.0
    low, high = share_interval(0.3 * n, n, epsilon=1 / scale, sensitivity=1)
    deviation = math.sqrt(0.21 / n + 2 * (scale / n) ** 2)
    assert (high - low) / (2 * stats.norm.ppf(0.975) * deviation) == pytest.approx(1, abs=0.02)


def test_what_cannot_be_is_answered_by_the_nearest_share():
    assert share_interval(-300, 100, epsilon=1.0, sensitivity=1) == (0.0, 0.0)
    assert share_interval(400, 100, epsilon=1.0, sensitivity=1) == (1.0, 1.0)


def test_discrete_noise_leaves_whole_numbers():
    with pytest.raises(ValueError, match=r"answers must be whole numbers if their noise was discrete, got 1\.5 at"):
        laplace_interval([1.0, 1.5], epsilon=1.0, sensitivity=1, discrete=True)
    with pytest.raises(ValueError, match=r"count must be a whole number if its noise was discrete, got 1\.5"):
        share_interval(1.5, 10, epsilon=1.0, sensitivity=1, discrete=True)


OPTIONS = np.arange(0.0, 12.0)


@pytest.fixture
def laws_of(monkeypatch):
    """The exact laws of both ends: from what the exponential mechanism is asked."""

    def laws(values, **how):
        asked = []
        monkeypatch.setattr(
            intervals,
            "exponential",
            lambda scores, *, rng, **law: asked.append((np.roll(scores, 1), law)) or len(asked),
        )
        quantile_interval(values, OPTIONS, **how)
        assert sum(law["epsilon"] for _, law in asked) == how["epsilon"]
        low, high = (exponential_probabilities(scores, **law) for scores, law in asked)
        return low, high[::-1]  # from −∞ on, and up to ∞

    return laws


@pytest.mark.parametrize("q", [0.1, 0.5, 0.7])
@pytest.mark.parametrize("epsilon", [0.2, 2.0])
def test_a_quantile_is_covered_whatever_the_file(laws_of, epsilon, q):
    rng = np.random.default_rng(5)
    files = [[], [3], [0] * 7, rng.integers(0, 12, 90), np.repeat([2, 9], 200), np.repeat([0, 5, 11], [150, 1, 151])]
    files += [np.repeat([1, 4, 11], [k, 2, 400]) for k in range(0, 240, 8)]  # where a low end is tempted
    for values in files:
        low, high = laws_of(values, epsilon=epsilon, quantile=q, level=0.8)
        ordered, n = np.sort(values), len(values)
        for option in range(12):  # every quantile: at most qn below it, and (1 − q)n above
            if np.sum(ordered < option) <= q * n + 1e-9 and np.sum(ordered > option) <= (1 - q) * n + 1e-9 and n:
                assert low[: option + 2].sum() >= 0.9
                assert high[option:].sum() >= 0.9
    for low, high in (laws_of(np.full(5_000, 6), epsilon=epsilon, quantile=q),):  # and not by being infinite
        assert low[7] > 0.99 < high[6]


def test_neighbours_hardly_change_the_choice(laws_of):
    rng = np.random.default_rng(6)
    how = {"epsilon": 1.0, "quantile": 0.3}
    for n in (1, 2, 60, 400):
        values = rng.integers(0, 12, n)
        for other in (values[1:], np.append(values, 11), np.append(values[1:], 0), np.append(values[1:], 11)):
            pairs = zip(laws_of(values, **how), laws_of(other, **how), strict=True)
            assert sum(np.abs(np.log(one) - np.log(two)).max() for one, two in pairs) <= 1 + 1e-9


def test_a_population_needs_more(laws_of):
    """The census's median, from samples: exactly for each, on average over many."""
    rng = np.random.default_rng(7)
    shares = np.array([4, 6, 9, 12, 18, 2, 14, 13, 9, 7, 4, 2]) / 100  # median 5
    covered = {None: [], 400: []}
    for _ in range(150):
        values = rng.choice(12, 400, p=shares)
        for sample in covered:
            low, high = laws_of(values, epsilon=50.0, sample=sample, level=0.8)
            covered[sample].append(low[:7].sum() * high[5:].sum())
    assert np.mean(covered[400]) > 0.8 > np.mean(covered[None])


def test_values_go_to_the_nearest_option_in_any_order():
    rng = np.random.default_rng(8)
    values = rng.normal(5, 2, 3_000)
    ends = quantile_interval(values, OPTIONS, epsilon=1.0, rng=1)
    assert ends == quantile_interval(np.round(values)[::-1], OPTIONS, epsilon=1.0, rng=1)
    for wrong, message in (([3, 3], "options must increase"), ([], "options must be one-dim"), ([np.nan], "options")):
        with pytest.raises(ValueError, match=message):
            quantile_interval(values, wrong, epsilon=1.0)
    with pytest.raises(ValueError, match="values must be one-dimensional"):
        quantile_interval([values], OPTIONS, epsilon=1.0)
