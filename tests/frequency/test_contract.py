"""What every frequency oracle promises, checked by enumeration of its exact channel.

Statistical tests: each compares a sample with an exact law by a chi-square test and fails when the p-value is below
``FALSE_ALARM`` = 1e-6; seeds are fixed, so a passing suite keeps passing.
"""

import itertools
import math
import pickle
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ldp_core.audit import exact_epsilon
from ldp_core.frequency import (
    DirectEncoding,
    DiscreteSummationHistogram,
    LocalHashing,
    OptimizedUnary,
    RandomizedResponse,
    Rappor,
    SetSubsetSelection,
    SubsetSelection,
    SummationHistogram,
    SymmetricUnary,
    ThresholdHistogram,
    optimal_theta,
)

FALSE_ALARM = 1e-6

#: name -> (constructor from epsilon and d, the d it is tried at)
PURE = {
    "RandomizedResponse": (lambda epsilon, d: RandomizedResponse(epsilon), [2]),
    "DirectEncoding": (DirectEncoding, [2, 3, 5, 14]),
    "SymmetricUnary": (SymmetricUnary, [2, 3, 5, 8]),
    "OptimizedUnary": (OptimizedUnary, [2, 3, 5, 8]),
    "ThresholdHistogram": (ThresholdHistogram, [2, 3, 5, 8]),
    "ThresholdHistogram(theta=1)": (lambda epsilon, d: ThresholdHistogram(epsilon, d, theta=1.0), [2, 3]),
    "SubsetSelection": (SubsetSelection, [2, 3, 5, 10]),
    "SubsetSelection(k=2)": (lambda epsilon, d: SubsetSelection(epsilon, d, k=2), [3, 4, 9]),
    "LocalHashing": (LocalHashing, [2, 3, 5]),
    "LocalHashing(g=3)": (lambda epsilon, d: LocalHashing(epsilon, d, g=3), [2, 3, 5, 14]),
}
#: Summation histograms have no finite channel; they keep all other promises.
EVERY = {
    **PURE,
    "SummationHistogram": (SummationHistogram, [2, 3, 5]),
    "DiscreteSummationHistogram": (DiscreteSummationHistogram, [2, 3, 5]),
}
#: Most possible reports that a test goes through one by one: optimal hashing at large ε has far more.
ENUMERABLE = 3_000
CASES = [
    pytest.param(make, epsilon, d, id=f"{name}-eps{epsilon:g}-d{d}")
    for name, (make, sizes) in PURE.items()
    for epsilon in (1e-3, 0.1, math.log(3), 5.0, 50.0)
    for d in sizes
    if make(epsilon, d).n_outputs <= ENUMERABLE
]


def small(oracles):
    return [pytest.param(make, sizes[min(1, len(sizes) - 1)], id=name) for name, (make, sizes) in oracles.items()]


SMALL_PURE, SMALL = small(PURE), small(EVERY)


def values_of(oracle, codes):
    return np.array(oracle.domain)[codes]


def support_matrix(oracle):
    """Row y says which values the y-th possible report supports."""
    outputs = oracle.outputs()
    return np.array([oracle.aggregate(outputs[[y]]) for y in range(len(outputs))])


def law_of_support(oracle, codes):
    """Exact joint law of the support counts of a few users, by enumeration of all their reports."""
    channel, support = oracle.channel(), support_matrix(oracle)
    law: dict[tuple[int, ...], float] = {tuple([0] * oracle.d): 1.0}
    for code in codes:
        step: dict[tuple[int, ...], float] = {}
        for (counts, weight), y in itertools.product(law.items(), range(len(support))):
            key = tuple(np.add(counts, support[y]).tolist())
            step[key] = step.get(key, 0.0) + weight * channel[code, y]
        law = step
    return law


@pytest.mark.parametrize(("make", "epsilon", "d"), CASES)
def test_channel_is_a_channel_and_has_exactly_the_nominal_epsilon(make, epsilon, d):
    oracle = make(epsilon, d)
    channel = oracle.channel()
    if isinstance(oracle, ThresholdHistogram):
        # Two bits tell two values apart. Comparing with a threshold throws information away, so this is less.
        p, q = oracle.p, oracle.q
        miss = math.exp(-epsilon * (1 - oracle.theta) / 2) / 2  # 1 − p without cancellation
        assert math.log(p / q) + math.log((1 - q) / miss) < epsilon
        epsilon = math.log(p / q) + math.log((1 - q) / miss)
    assert channel.shape == (d, len(oracle.outputs()))
    np.testing.assert_allclose(channel.sum(axis=1), 1, atol=1e-12)
    # At most epsilon is the promise; exactly epsilon says that no privacy is given away for nothing.
    assert exact_epsilon(channel) == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.parametrize(("make", "epsilon", "d"), CASES)
def test_p_and_q_are_the_channel_s(make, epsilon, d):
    oracle = make(epsilon, d)
    supported = oracle.channel() @ support_matrix(oracle)  # Pr[report of a user with value v supports w]
    expected = np.full((d, d), oracle.q)
    np.fill_diagonal(expected, oracle.p)
    np.testing.assert_allclose(supported, expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(("make", "epsilon", "d"), CASES)
def test_estimate_is_unbiased_and_variance_exact_by_enumeration(make, epsilon, d):
    oracle = make(epsilon, d)
    channel, support = oracle.channel(), support_matrix(oracle)
    counts = np.arange(1, d + 1)  # value v is held by v + 1 users
    n = int(counts.sum())
    mean = counts @ (channel @ support)
    np.testing.assert_allclose(oracle.estimate(mean, n), counts, rtol=1e-9, atol=1e-9 * n / (oracle.p - oracle.q))
    # Squared deviations, not mean square less squared mean: that would cancel to nothing at large epsilon.
    deviation = support[None, :, :] - (channel @ support)[:, None, :]
    per_user = np.einsum("vy,vyw->vw", channel, deviation**2)
    exact = (counts @ per_user) / (oracle.p - oracle.q) ** 2
    np.testing.assert_allclose(oracle.variance(n, counts), exact, rtol=1e-9)
    assert oracle.variance(n) == pytest.approx(n * oracle.q * (1 - oracle.q) / (oracle.p - oracle.q) ** 2)
    assert isinstance(oracle.variance(n), float)


@pytest.mark.parametrize(("make", "epsilon", "d"), CASES)
def test_bits_number_the_outputs(make, epsilon, d):
    oracle = make(epsilon, d)
    assert oracle.n_outputs == len(oracle.outputs()) == len(np.unique(oracle.outputs(), axis=0))
    assert 2 ** (oracle.bits - 1) < oracle.n_outputs <= 2**oracle.bits


@pytest.mark.parametrize(("make", "d"), SMALL_PURE)
def test_perturb_follows_the_channel(make, d, chi_square_p):
    oracle = make(1.0, d)
    runs = 20_000
    outputs = [tuple(np.atleast_1d(y).tolist()) for y in oracle.outputs()]
    for code in range(d):
        reports = oracle.perturb(np.full(runs, code), rng=100 + code)
        assert len(reports) == runs
        observed = Counter(tuple(np.atleast_1d(r).tolist()) for r in reports)
        law = dict(zip(outputs, oracle.channel()[code], strict=True))
        assert chi_square_p(observed, law, runs) > FALSE_ALARM


@pytest.mark.parametrize("path", ["per user", "simulate"])
@pytest.mark.parametrize(("make", "d"), SMALL_PURE)
def test_joint_law_of_support_counts(make, d, path, chi_square_p):
    """Both paths to the support counts are compared with the same exact joint law."""
    oracle = make(1.0, d)
    codes = np.array([0, 0, 1])
    runs = 6_000
    generator = np.random.default_rng(7)
    if path == "simulate":
        drawn = oracle.simulate(np.bincount(codes, minlength=d), rng=generator, size=runs)
    else:
        reports = oracle.perturb(np.tile(codes, runs), rng=generator)
        drawn = np.array([oracle.aggregate(reports[3 * i : 3 * i + 3]) for i in range(runs)])
    observed = Counter(map(tuple, drawn.tolist()))
    assert chi_square_p(observed, law_of_support(oracle, codes), runs) > FALSE_ALARM


@pytest.mark.parametrize("path", ["per user", "simulate"])
@pytest.mark.parametrize(("make", "d"), [p for p in SMALL_PURE if p.values[1] > 2])
def test_mean_and_covariance_of_support_counts(make, d, path):
    """Every entry within 6 standard errors of the exact one (false alarm below 2e-9 an entry)."""
    oracle = make(0.7, d)
    counts = np.arange(1, d + 1) * (4 if path == "per user" else 10_000)
    channel, support = oracle.channel(), support_matrix(oracle)
    mean = counts @ (channel @ support)
    covariance = np.zeros((d, d))
    for c, row in zip(counts, channel, strict=True):
        centred = support - row @ support
        covariance += c * (centred.T * row) @ centred
    runs = 3_000
    generator = np.random.default_rng(11)
    if path == "simulate":
        drawn = oracle.simulate(counts, rng=generator, size=runs)
    else:
        n = int(counts.sum())
        reports = oracle.perturb(np.tile(np.repeat(np.arange(d), counts), runs), rng=generator)
        drawn = np.array([oracle.aggregate(reports[n * i : n * (i + 1)]) for i in range(runs)])
    variance = np.diag(covariance)
    assert np.all(np.abs(drawn.mean(axis=0) - mean) <= 6 * np.sqrt(variance / runs))
    error = np.sqrt((np.outer(variance, variance) + covariance**2) / runs)
    assert np.all(np.abs(np.cov(drawn.T) - covariance) <= 6 * error)


@pytest.mark.parametrize(("make", "d"), SMALL_PURE)
def test_simulate_marginals_have_the_law_of_each_count(make, d, chi_square_p):
    oracle = make(1.0, d)
    codes = np.array([0, 0, 1])
    runs = 6_000
    drawn = oracle.simulate_marginals(np.bincount(codes, minlength=d), rng=2, size=runs)
    joint = law_of_support(oracle, codes)
    for w in range(d):
        law: dict[int, float] = {}
        for key, weight in joint.items():
            law[key[w]] = law.get(key[w], 0.0) + weight
        assert chi_square_p(Counter(drawn[:, w].tolist()), law, runs) > FALSE_ALARM


@pytest.mark.parametrize(("make", "d"), SMALL)
def test_simulate_at_a_billion_users(make, d):
    """Mean within 6 standard errors (false alarm below 2e-9 a category), variance within the chi-square band."""
    oracle = make(1.0, d)
    counts = np.full(d, 10**9 // d)
    n, runs = int(counts.sum()), 500
    estimates = oracle.estimate(oracle.simulate(counts, rng=3, size=runs), n)
    deviation = np.sqrt(oracle.variance(n, counts))
    assert np.all(np.abs(estimates.mean(axis=0) - counts) < 6 * deviation / math.sqrt(runs))
    ratio = estimates.var(axis=0, ddof=1) / deviation**2 * (runs - 1)
    low, high = stats.chi2.ppf([FALSE_ALARM / 2, 1 - FALSE_ALARM / 2], runs - 1)
    assert np.all((low < ratio) & (ratio < high))


@pytest.mark.parametrize(("make", "d"), SMALL)
def test_interval_covers_as_often_as_it_says(make, d):
    """Coverage of the 90 % interval over 4,000 runs: within 6 standard errors of 0.90, plus 0.005 for normality."""
    oracle = make(1.0, d)
    counts = np.arange(1, d + 1) * 2_000
    n, runs = int(counts.sum()), 4_000
    low, high = oracle.interval(oracle.simulate(counts, rng=5, size=runs), n, level=0.9)
    coverage = ((low <= counts) & (counts <= high)).mean(axis=0)
    assert np.all(np.abs(coverage - 0.9) < 6 * math.sqrt(0.09 / runs) + 0.005)


@pytest.mark.parametrize(("make", "d"), SMALL)
def test_same_seed_same_reports_and_global_state_untouched(make, d):
    oracle = make(1.0, d)
    np.random.seed(1)  # noqa: NPY002 -- the point is that this state is not used
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    values = values_of(oracle, np.arange(50) % d)
    first = oracle.privatize(values, rng=9)
    np.testing.assert_array_equal(first, oracle.perturb(oracle.encode(values), rng=9))
    assert not np.array_equal(first, oracle.privatize(values, rng=np.random.default_rng(9))), "the data's stream"
    assert not np.array_equal(first, oracle.privatize(values, rng=10))
    oracle.privatize(values)
    oracle.simulate(np.ones(d, dtype=int))
    np.testing.assert_array_equal(before, np.random.get_state()[1])  # noqa: NPY002


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_counts_of_shards_add_up(data):
    make, sizes = EVERY[data.draw(st.sampled_from(sorted(EVERY)))]
    oracle = make(1.0, data.draw(st.sampled_from(sizes)))
    codes = data.draw(st.lists(st.integers(0, oracle.d - 1), min_size=2, max_size=40))
    cut = data.draw(st.integers(1, len(codes) - 1))
    reports = oracle.perturb(codes, rng=data.draw(st.integers(0, 2**32)))
    parts = oracle.aggregate(reports[:cut]) + oracle.aggregate(reports[cut:])
    # Whole numbers add up exactly; sums of floats (summation histograms) up to rounding.
    np.testing.assert_allclose(parts, oracle.aggregate(reports), rtol=0, atol=1e-9 if parts.dtype == float else 0)


#: Oracles no two of which count the same thing.
DIFFERENT = [
    RandomizedResponse(math.log(3)),
    RandomizedResponse(1.09861),
    DirectEncoding(1.0, 4),
    DirectEncoding(1.0 + 2**-52, 4),
    DirectEncoding(1.0, 5),
    DirectEncoding(1.0, ["a", "b", "c", "d"]),
    DirectEncoding(1.0, ["b", "a", "c", "d"]),
    SymmetricUnary(1.0, 4),
    OptimizedUnary(math.log(3), 4),
    OptimizedUnary(1.09861, 4),
    ThresholdHistogram(1.0, 4),
    ThresholdHistogram(1.0, 4, theta=0.75),
    SummationHistogram(1.0, 4),
    SubsetSelection(1.0, 4, k=1),
    SubsetSelection(1.0, 4, k=2),
    SetSubsetSelection(1.0, 4, set_size=2, k=1),
    SetSubsetSelection(1.0, 4, set_size=3, k=1),
    LocalHashing(1.0, 4, g=2),
    LocalHashing(1.0, 4, g=3),
    Rappor(4),
    Rappor(4, f=0.5 + 2**-50),
    Rappor(4, on=0.8),
    Rappor(4, off=0.4),
]


@pytest.mark.parametrize("oracle", DIFFERENT, ids=repr)
def test_oracles_are_equal_if_their_counts_mean_the_same(oracle):
    again = pickle.loads(pickle.dumps(oracle))
    assert oracle == again
    assert hash(oracle) == hash(again)
    assert [other for other in DIFFERENT if other == oracle] == [oracle]
    assert oracle != repr(oracle)
    made = eval(repr(oracle), {type(oracle).__name__: type(oracle)})  # repr rounds nothing
    assert made == oracle


def test_equality_looks_at_meaning_not_at_how_a_domain_or_a_default_was_given():
    assert DirectEncoding(1, 3) == DirectEncoding(1.0, [0, 1, 2]) == DirectEncoding(1.0, np.arange(3.0))
    assert len({DirectEncoding(1, 3), DirectEncoding(1.0, [0, 1, 2]), DirectEncoding(1.0, range(3))}) == 1
    assert LocalHashing(1.0, 5) == LocalHashing(1.0, 5, g=4)
    assert SubsetSelection(1.0, 16) == SubsetSelection(1.0, 16, k=4)
    assert ThresholdHistogram(1.0, 5) == ThresholdHistogram(1.0, 5, theta=optimal_theta(1.0))


@pytest.mark.parametrize(
    "oracle",
    [
        DirectEncoding(800.0, 4),
        OptimizedUnary(300.0, 4),
        SymmetricUnary(700.0, 4),
        ThresholdHistogram(700.0, 4),
        SubsetSelection(800.0, 4),
        LocalHashing(800.0, 4, g=2),
    ],
    ids=repr,
)
def test_a_channel_too_small_for_doubles_is_refused(oracle):
    """An entry that underflows to 0 would look like an output that betrays its input: an ε of infinity."""
    with pytest.raises(ValueError, match="epsilon must be smaller for the channel"):
        oracle.channel()


@pytest.mark.parametrize(("make", "d"), SMALL)
def test_true_counts_that_no_integer_holds(make, d):
    with pytest.raises(ValueError, match=r"true_counts must add up to less than 2\*\*63"):
        make(1.0, d).simulate([2**62] * d, rng=0)


@pytest.mark.parametrize("path", ["simulate", "simulate_marginals"])
@pytest.mark.parametrize(("make", "d"), SMALL)
def test_more_runs_than_memory(make, d, path):
    oracle = make(1.0, d)
    if hasattr(oracle, path):
        with pytest.raises(ValueError, match=r"size must take less memory, got an array of shape \(9007199254740992, "):
            getattr(oracle, path)([1] * d, rng=0, size=2**53)


@pytest.mark.parametrize("make", [OptimizedUnary, SymmetricUnary, lambda epsilon, d: SubsetSelection(epsilon, d, k=1)])
def test_more_reports_than_memory(make):
    with pytest.raises(ValueError, match=r"encoded must take less memory, .* 16,384.0 GiB.* work in blocks"):
        make(1.0, 2**24).perturb(np.zeros(2**20, dtype=np.int64), rng=0)


@pytest.mark.parametrize(("make", "d"), SMALL)
class TestBadInput:
    @pytest.mark.parametrize("epsilon", [0, -1.0, math.nan, math.inf, -math.inf])
    def test_epsilon_value(self, make, d, epsilon):
        with pytest.raises(ValueError, match=r"epsilon .*got"):
            make(epsilon, d)

    @pytest.mark.parametrize("epsilon", ["1", None, True, [1.0], 1j])
    def test_epsilon_type(self, make, d, epsilon):
        with pytest.raises(TypeError, match=r"epsilon .*got"):
            make(epsilon, d)

    def test_epsilon_too_small_to_compute_with(self, make, d):
        for epsilon in (1e-300, 1e-17):
            with pytest.raises(ValueError, match=r"epsilon .*(double precision|at least)"):
                make(epsilon, d)

    @pytest.mark.parametrize("codes", [[], [[0, 1]], [-1], [99], [0.5], [math.nan], 0])
    def test_codes(self, make, d, codes):
        with pytest.raises(ValueError, match="encoded"):
            make(1.0, d).perturb(codes, rng=0)

    def test_nothing_is_drawn_before_the_error(self, make, d):
        generator = np.random.default_rng(0)
        state = generator.bit_generator.state
        for bad in (lambda o: o.perturb([99], generator), lambda o: o.simulate([-1] * d, generator)):
            with pytest.raises(ValueError):
                bad(make(1.0, d))
        assert generator.bit_generator.state == state

    @pytest.mark.parametrize("rng", ["0", 1.5, True, np.random.RandomState(0)])
    def test_rng(self, make, d, rng):
        with pytest.raises(TypeError, match="rng"):
            make(1.0, d).perturb([0], rng)

    def test_negative_seed(self, make, d):
        with pytest.raises(ValueError, match="rng"):
            make(1.0, d).perturb([0], -1)

    @pytest.mark.parametrize("counts", [[1.0] * 99, 3, [math.nan] * 99])
    def test_estimate(self, make, d, counts):
        with pytest.raises(ValueError, match="counts"):
            make(1.0, d).estimate(counts, 10)
        with pytest.raises(ValueError, match="finite"):
            make(1.0, d).estimate([math.inf] * d, 10)

    def test_n_and_count(self, make, d):
        oracle = make(1.0, d)
        for n in (0, -5):
            with pytest.raises(ValueError, match="n must be"):
                oracle.estimate([0] * d, n)
            with pytest.raises(ValueError, match="n must be"):
                oracle.variance(n)
        with pytest.raises(TypeError, match="n must be"):
            oracle.variance(10.5)
        for count in (-1, 11, math.nan, [0, 12]):
            with pytest.raises(ValueError, match=r"count must (lie in|be finite)"):
                oracle.variance(10, count)

    @pytest.mark.parametrize("bad", [-1, 0.5, math.nan])
    def test_simulate(self, make, d, bad):
        with pytest.raises(ValueError, match="true_counts"):
            make(1.0, d).simulate([bad] + [1] * (d - 1), rng=0)
        with pytest.raises(ValueError, match="true_counts"):
            make(1.0, d).simulate([0] * d, rng=0)
        with pytest.raises(ValueError, match="size"):
            make(1.0, d).simulate([1] * d, rng=0, size=0)

    @pytest.mark.parametrize("level", [0.0, 1.0, -0.1, 1.1, math.nan])
    def test_level(self, make, d, level):
        with pytest.raises(ValueError, match="level"):
            make(1.0, d).interval([1] * d, 10, level=level)
