"""What every frequency oracle promises, checked by enumeration of its exact channel."""

import inspect
import itertools
import math
import pickle
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ldp_core import frequency
from ldp_core.audit import exact_epsilon
from ldp_core.frequency import (
    CountMeanSketch,
    DirectEncoding,
    DiscreteSummationHistogram,
    FrequencyOracle,
    HaarHistogram,
    HadamardCountMeanSketch,
    HadamardResponse,
    HierarchicalHistogram,
    LocalHashing,
    OptimizedUnary,
    PureOracle,
    RandomizedResponse,
    RangeHistogram,
    Rappor,
    SetSubsetSelection,
    Sketch,
    SubsetSelection,
    SummationHistogram,
    SymmetricUnary,
    ThresholdHistogram,
    optimal_theta,
)
from ldp_core.stream import Tally

FALSE_ALARM = 1e-6


def rappor(epsilon, d):
    """Basic RAPPOR whose two steps share the noise of an ε up to 5; what it is exactly, its own ``epsilon`` says."""
    lie = 1 / (1 + math.exp(min(epsilon, 5.0) / 2))
    return Rappor(d, f=lie, on=1 - lie / 2 / (1 - lie), off=lie / 2 / (1 - lie))


#: name -> (constructor from epsilon and d, the d it is tried at)
PURE = {
    "RandomizedResponse": (lambda epsilon, d: RandomizedResponse(epsilon), [2]),
    "DirectEncoding": (DirectEncoding, [2, 3, 5, 14]),
    "SymmetricUnary": (SymmetricUnary, [2, 3, 5, 8]),
    "OptimizedUnary": (OptimizedUnary, [2, 3, 5, 8]),
    "ThresholdHistogram": (ThresholdHistogram, [2, 3, 5, 8]),
    "ThresholdHistogram(theta=1)": (lambda epsilon, d: ThresholdHistogram(epsilon, d, theta=1.0), [2, 3]),
    "Rappor": (rappor, [2, 3, 5, 8]),
    "SubsetSelection": (SubsetSelection, [2, 3, 5, 10]),
    "SubsetSelection(k=2)": (lambda epsilon, d: SubsetSelection(epsilon, d, k=2), [3, 4, 9]),
    "SetSubsetSelection": (lambda epsilon, d: SetSubsetSelection(epsilon, d, 2), [3, 4, 6]),
    "SetSubsetSelection(k=2)": (lambda epsilon, d: SetSubsetSelection(epsilon, d, 3, k=2), [5, 6]),
    "LocalHashing": (LocalHashing, [2, 3, 5]),
    "HadamardResponse": (HadamardResponse, [2, 3, 4, 11]),
    "LocalHashing(g=3)": (lambda epsilon, d: LocalHashing(epsilon, d, g=3), [2, 3, 5, 14]),
}
FINITE = {
    **PURE,
    "CountMeanSketch": (lambda epsilon, d: CountMeanSketch(epsilon, d, rows=2, width=3), [2, 3, 6]),
    "HadamardCountMeanSketch": (lambda epsilon, d: HadamardCountMeanSketch(epsilon, d, rows=3, width=4), [2, 3, 6]),
    "HierarchicalHistogram": (HierarchicalHistogram, [2, 5, 17]),
    "HaarHistogram": (HaarHistogram, [2, 5, 9]),
    "HierarchicalHistogram(branching=2)": (
        lambda epsilon, d: HierarchicalHistogram(epsilon, d, branching=2),
        [3, 4, 9],
    ),
}
#: Summation histograms have no finite channel; they keep all other promises.
EVERY = {
    **FINITE,
    "SummationHistogram": (SummationHistogram, [2, 3, 5]),
    "DiscreteSummationHistogram": (DiscreteSummationHistogram, [2, 3, 5]),
}
#: What others inherit from, without probabilities of their own.
BASES = {"FiniteOracle", "FrequencyOracle", "NoisyHistogram", "PureOracle", "RangeHistogram", "Sketch", "UnaryEncoding"}
#: Most possible reports that a test goes through one by one: optimal hashing at large ε has far more.
ENUMERABLE = 3_000


def cases(oracles):
    return [
        pytest.param(make, epsilon, d, id=f"{name}-eps{epsilon:g}-d{d}")
        for name, (make, sizes) in oracles.items()
        for epsilon in (1e-3, math.log(3), 50.0)
        for d in sizes
        if make(epsilon, d).n_outputs <= ENUMERABLE
    ]


def small(oracles):
    return [pytest.param(make, sizes[min(1, len(sizes) - 1)], id=name) for name, (make, sizes) in oracles.items()]


def test_every_oracle_of_the_package_is_held_to_its_promise():
    public = {oracle for name in frequency.__all__ if isinstance(oracle := getattr(frequency, name), type)}
    tried = {type(make(1.0, sizes[-1])) for make, sizes in EVERY.values()}
    left = {oracle.__name__ for oracle in public - tried if issubclass(oracle, FrequencyOracle)}
    assert left == BASES, "a line for each oracle in PURE, FINITE or EVERY"


SMALL_PURE, SMALL_FINITE, SMALL = small(PURE), small(FINITE), small(EVERY)


# ---- where a family differs, once ----------------------------------------------------------------------------------


def inputs_of(oracle):
    """What encode can return, one input a row: codes, or sets of codes."""
    return oracle.inputs() if isinstance(oracle, SetSubsetSelection) else np.arange(oracle.d)


def held(oracle, inputs):
    """Which values each user holds, shape (n, d)."""
    table = np.zeros((len(inputs), oracle.d), dtype=int)
    np.put_along_axis(table, np.reshape(inputs, (len(inputs), -1)), 1, axis=1)
    return table


def population(oracle):
    """Inputs of which any number of users may hold each: true counts still tell how many users hold which."""
    inputs = inputs_of(oracle)
    return inputs if inputs.ndim == 1 else inputs[(inputs[:, :-1] == inputs[0, :-1]).all(axis=1)]


def mean_of_estimate(oracle, true):
    """The truth, and for given hash functions what collisions add to it."""
    return oracle.expectation(true) if isinstance(oracle, Sketch) else true


def variance_of_estimate(oracle, n, true):
    """The variance that is promised; for given hash functions the one under these, of a tree the one of these users."""
    if isinstance(oracle, RangeHistogram):
        return np.array([oracle.range_variance(true, value, value) for value in oracle.domain])
    return oracle.conditional_variance(true) if isinstance(oracle, Sketch) else oracle.variance(n, true)


# ---- the attacker --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("make", "epsilon", "d"), cases(FINITE))
def test_the_best_guess_from_one_report_is_right_as_often_as_the_channel_says(make, epsilon, d):
    oracle = make(epsilon, d)
    channel = oracle.channel()
    prior = np.arange(1.0, len(channel) + 1)
    prior /= prior.sum()
    assert oracle.attack_success() == pytest.approx(channel.max(axis=0).sum() / len(channel), rel=1e-9)
    assert oracle.attack_success(prior) == pytest.approx((prior[:, None] * channel).max(axis=0).sum(), rel=1e-9)


@pytest.mark.parametrize(("epsilon", "d"), [(0.1, 2), (1.0, 5), (5.0, 50)])
def test_the_best_guess_from_a_noisy_histogram(epsilon, d):
    """By cutting Laplace noise ever finer: whole-number noise of scale 2/ε, whose bars are steps/ε apart."""
    steps, a = 400, epsilon / 2
    reach = math.ceil(40 / a)
    x = np.arange(-reach * steps, (reach + 1) * steps) / steps  # a bar, and the noise on it
    law = np.exp(-a * np.abs(x)) * math.tanh(a / 2 / steps)
    own, score = np.exp(-a * np.abs(x - 1)) * math.tanh(a / 2 / steps), np.clip(2 * x - 1, -1, 1)
    levels = np.unique(score)
    below = np.array([law[score < level].sum() for level in levels])
    at = np.array([law[score == level].sum() for level in levels])
    mine = np.array([own[score == level].sum() for level in levels])
    expected = np.sum(mine * ((below + at) ** d - below**d) / (d * at))
    assert SummationHistogram(epsilon, d).attack_success() == pytest.approx(expected, rel=2e-2 / epsilon / steps + 1e-3)
    whole = DiscreteSummationHistogram(epsilon, d)
    assert whole.attack_success() == pytest.approx(SymmetricUnary(epsilon, d).attack_success(), rel=1e-12)
    for oracle in (whole, SummationHistogram(epsilon, d)):
        with pytest.raises(ValueError, match="prior must be None"):
            oracle.attack_success([1 / d] * d)


# ---- what all share ------------------------------------------------------------------------------------------------


def values_of(oracle, inputs):
    return np.array(oracle.domain)[inputs]


def aggregates(oracle):
    """What each possible report counts for, on its own."""
    outputs = oracle.outputs()
    return np.array([oracle.aggregate(outputs[[y]]) for y in range(len(outputs))])


def law_of_counts(oracle, rows):
    """Exact joint law of the counts of a few users, by enumeration of all their reports; rows of the channel."""
    channel, single = oracle.channel(), aggregates(oracle).reshape(oracle.n_outputs, -1)
    law: dict[tuple[int, ...], float] = {tuple([0] * single.shape[1]): 1.0}
    for row in rows:
        step: dict[tuple[int, ...], float] = {}
        for (counts, weight), y in itertools.product(law.items(), range(len(single))):
            key = tuple(np.add(counts, single[y]).tolist())
            step[key] = step.get(key, 0.0) + weight * channel[row, y]
        law = step
    return law


@pytest.mark.parametrize(("make", "epsilon", "d"), cases(FINITE))
def test_channel_is_a_channel_and_has_exactly_the_nominal_epsilon(make, epsilon, d):
    oracle = make(epsilon, d)
    channel = oracle.channel()
    epsilon = oracle.epsilon
    if isinstance(oracle, ThresholdHistogram):
        # Two bits tell two values apart. Comparing with a threshold throws information away, so this is less.
        p, q = oracle.p, oracle.q
        miss = math.exp(-epsilon * (1 - oracle.theta) / 2) / 2  # 1 − p without cancellation
        assert math.log(p / q) + math.log((1 - q) / miss) < epsilon
        epsilon = math.log(p / q) + math.log((1 - q) / miss)
    assert channel.shape == (len(inputs_of(oracle)), len(oracle.outputs()))
    np.testing.assert_allclose(channel.sum(axis=1), 1, atol=1e-12)
    if isinstance(oracle, Sketch) and len(np.unique(oracle.columns, axis=0)) < 2:
        epsilon = 0  # all values collide in every row: nothing is said
    # At most epsilon is the promise; exactly epsilon says that no privacy is given away for nothing.
    assert exact_epsilon(channel) == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.parametrize(("make", "epsilon", "d"), cases(PURE))
def test_p_and_q_are_the_channel_s(make, epsilon, d):
    oracle = make(epsilon, d)
    supported = oracle.channel() @ aggregates(oracle)  # Pr[report of a user who holds an input supports w]
    expected = np.where(held(oracle, inputs_of(oracle)), oracle.p, oracle.q)
    np.testing.assert_allclose(supported, expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(("make", "epsilon", "d"), cases(FINITE))
def test_estimate_is_unbiased_and_variance_exact_by_enumeration(make, epsilon, d):
    oracle = make(epsilon, d)
    channel, single = oracle.channel(), aggregates(oracle)
    inputs = inputs_of(oracle)
    users = np.arange(1, len(inputs) + 1)  # input i is held by i + 1 users
    n, true = int(users.sum()), users @ held(oracle, inputs)
    mean = np.tensordot(users @ channel, single, axes=1)
    expected = mean_of_estimate(oracle, true)
    makes = oracle.levels[-1] if isinstance(oracle, HierarchicalHistogram) else oracle
    gap = oracle._gap if isinstance(oracle, Sketch | HaarHistogram) else makes.p - makes.q
    np.testing.assert_allclose(oracle.estimate(mean, n), expected, rtol=1e-9, atol=1e-9 * n / gap)
    # Estimates are linear in the counts: each report's share of them. Squared deviations, not mean square less squared
    # mean: that would cancel to nothing at large epsilon.
    share = oracle.estimate(single, 1) - oracle.estimate(np.zeros(oracle.counts_shape), 1)
    deviation = share[None, :, :] - (channel @ share)[:, None, :]
    exact = users @ np.einsum("vy,vyw->vw", channel, deviation**2)
    np.testing.assert_allclose(variance_of_estimate(oracle, n, true), exact, rtol=1e-6, atol=1e-9 * n)
    assert isinstance(oracle.variance(n), float)
    assert oracle.variance(n, true).shape == (d,)
    if isinstance(oracle, PureOracle):
        spread = users @ np.einsum("vy,vyw->vw", channel, (single[None] - (channel @ single)[:, None]) ** 2)
        np.testing.assert_allclose(oracle.variance(n, true), spread / gap**2, rtol=1e-9)
        assert oracle.variance(n) == pytest.approx(n * oracle.q * (1 - oracle.q) / gap**2)


@pytest.mark.parametrize(("make", "epsilon", "d"), cases(FINITE))
def test_bits_number_the_outputs(make, epsilon, d):
    oracle = make(epsilon, d)
    assert oracle.n_outputs == len(oracle.outputs()) == len(np.unique(oracle.outputs(), axis=0))
    assert 2 ** (oracle.bits - 1) < oracle.n_outputs <= 2**oracle.bits


@pytest.mark.parametrize(("make", "d"), SMALL_FINITE)
def test_perturb_follows_the_channel(make, d, chi_square_p):
    oracle = make(1.0, d)
    runs = 20_000
    outputs = [tuple(np.atleast_1d(y).tolist()) for y in oracle.outputs()]
    for row, one in enumerate(inputs_of(oracle)):
        reports = oracle.perturb(np.array([one] * runs), rng=100 + row)
        assert len(reports) == runs
        observed = Counter(tuple(np.atleast_1d(r).tolist()) for r in reports)
        law = dict(zip(outputs, oracle.channel()[row], strict=True))
        assert chi_square_p(observed, law, runs) > FALSE_ALARM, "perturb draws other reports than channel() says"


@pytest.mark.parametrize("path", ["per user", "simulate"])
@pytest.mark.parametrize(("make", "d"), SMALL_FINITE)
def test_joint_law_of_counts(make, d, path, chi_square_p):
    """Both paths to the counts are compared with the same exact joint law."""
    oracle = make(1.0, d)
    rows = [0, 0, 1]
    encoded = inputs_of(oracle)[rows]
    runs = 4_000
    generator = np.random.default_rng(7)
    if path == "simulate":
        drawn = oracle.simulate(held(oracle, encoded).sum(axis=0), rng=generator, size=runs)
    else:
        reports = oracle.perturb(np.concatenate([encoded] * runs), rng=generator)
        drawn = np.array([oracle.aggregate(reports[3 * i : 3 * i + 3]) for i in range(runs)])
    assert drawn.shape == (runs, *oracle.counts_shape)
    observed = Counter(map(tuple, drawn.reshape(runs, -1).tolist()))
    p_value = chi_square_p(observed, law_of_counts(oracle, rows), runs)
    assert p_value > FALSE_ALARM, f"counts {path} have another law than aggregate gives them under channel()"


@pytest.mark.parametrize(("make", "d"), [p for p in SMALL_FINITE if p.values[1] > 2])
def test_mean_and_covariance_of_simulated_counts(make, d):
    """Every entry within 6 standard errors of the exact one (false alarm below 2e-9 an entry)."""
    oracle = make(0.7, d)
    inputs = population(oracle)
    users = np.arange(1, len(inputs) + 1) * 10_000
    single = aggregates(oracle).reshape(oracle.n_outputs, -1)
    rows = [np.flatnonzero((held(oracle, inputs_of(oracle)) == h).all(axis=1))[0] for h in held(oracle, inputs)]
    channel = oracle.channel()[rows]
    mean = users @ (channel @ single)
    covariance = np.zeros((single.shape[1], single.shape[1]))
    for c, row in zip(users, channel, strict=True):
        centred = single - row @ single
        covariance += c * (centred.T * row) @ centred
    runs = 3_000
    drawn = oracle.simulate(users @ held(oracle, inputs), rng=11, size=runs).reshape(runs, -1)
    variance = np.diag(covariance)
    assert np.all(np.abs(drawn.mean(axis=0) - mean) <= 6 * np.sqrt(variance / runs) + 1e-9 * np.abs(mean))
    error = np.sqrt((np.outer(variance, variance) + covariance**2) / runs)
    assert np.all(np.abs(np.cov(drawn.T) - covariance) <= 6 * error + 1e-9 * variance.max())


@pytest.mark.parametrize(("make", "d"), SMALL_PURE)
def test_simulate_marginals_have_the_law_of_each_count(make, d, chi_square_p):
    oracle = make(1.0, d)
    rows = [0, 0, 1]
    runs = 6_000
    true = held(oracle, inputs_of(oracle)[rows]).sum(axis=0)
    drawn = oracle.simulate_marginals(true, rng=2, size=runs)
    joint = law_of_counts(oracle, rows)
    for w in range(d):
        law: dict[int, float] = {}
        for key, weight in joint.items():
            law[key[w]] = law.get(key[w], 0.0) + weight
        assert chi_square_p(Counter(drawn[:, w].tolist()), law, runs) > FALSE_ALARM


@pytest.mark.parametrize(("make", "d"), SMALL)
def test_simulate_at_a_billion_users(make, d):
    """Mean within 6 standard errors (false alarm below 2e-9 a category), variance within the chi-square band."""
    oracle = make(1.0, d)
    inputs = population(oracle)
    users = np.full(len(inputs), 10**9 // len(inputs))
    n, runs, true = int(users.sum()), 500, users @ held(oracle, inputs)
    estimates = oracle.estimate(oracle.simulate(true, rng=3, size=runs), n)
    deviation = np.sqrt(variance_of_estimate(oracle, n, true))
    error = np.abs(estimates.mean(axis=0) - mean_of_estimate(oracle, true))
    assert np.all(error < 6 * deviation / math.sqrt(runs))
    ratio = estimates.var(axis=0, ddof=1) / deviation**2 * (runs - 1)
    low, high = stats.chi2.ppf([FALSE_ALARM / 2, 1 - FALSE_ALARM / 2], runs - 1)
    assert np.all((low < ratio) & (ratio < high))


@pytest.mark.parametrize(("make", "d"), [p for p in SMALL if "Sketch" not in p.id])
def test_interval_covers_as_often_as_it_says(make, d):
    """Coverage of the 90 % interval over 4,000 runs: within 6 standard errors of 0.90, plus 0.005 for normality.

    Sketches, whose interval takes the mean of the variance over all hash functions, have a test in test_sketch.
    """
    oracle = make(1.0, d)
    inputs = population(oracle)
    users = np.arange(1, len(inputs) + 1) * 2_000
    n, runs, true = int(users.sum()), 4_000, users @ held(oracle, inputs)
    counts = oracle.simulate(true, rng=5, size=runs)
    low, high = oracle.interval(counts, n, level=0.9)
    coverage = ((low <= true) & (true <= high)).mean(axis=0)
    assert np.all(np.abs(coverage - 0.9) < 6 * math.sqrt(0.09 / runs) + 0.005)
    low, high = oracle.interval(counts, n, level=0.9, simultaneous=True)
    assert ((low <= true) & (true <= high)).all(axis=1).mean() > 0.9 - 6 * math.sqrt(0.09 / runs) - 0.005
    # Of a population the variance of a random sample comes on top.
    single, whole = (np.subtract(*oracle.interval(counts, n, population=drawn)) / 2 for drawn in (False, True))
    moved = np.clip(oracle.estimate(counts, n), 0, n)
    assert np.allclose(whole**2 - single**2, 1.959964**2 * moved * (1 - moved / n), rtol=1e-5, atol=1e-6 * n)


@pytest.mark.parametrize(("make", "d"), SMALL)
def test_same_seed_same_reports_and_global_state_untouched(make, d):
    oracle = make(1.0, d)
    np.random.seed(1)  # noqa: NPY002 -- the point is that this state is not used
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    inputs = np.resize(population(oracle), (50, *population(oracle).shape[1:]))
    values = values_of(oracle, inputs)
    first = oracle.privatize(values, rng=9)
    np.testing.assert_array_equal(first, oracle.perturb(oracle.encode(values), rng=9))
    assert not np.array_equal(first, oracle.privatize(values, rng=np.random.default_rng(9))), "the data's stream"
    assert not np.array_equal(first, oracle.privatize(values, rng=10))
    oracle.privatize(values)
    oracle.simulate(held(oracle, inputs).sum(axis=0))
    np.testing.assert_array_equal(before, np.random.get_state()[1])  # noqa: NPY002


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_counts_of_shards_add_up(data):
    """In numbers and in tallies, for every oracle."""
    make, sizes = EVERY[data.draw(st.sampled_from(sorted(EVERY)))]
    oracle = make(1.0, data.draw(st.sampled_from(sizes)))
    inputs = inputs_of(oracle)
    rows = data.draw(st.lists(st.integers(0, len(inputs) - 1), min_size=2, max_size=40))
    cut = data.draw(st.integers(1, len(rows) - 1))
    reports = oracle.perturb(inputs[rows], rng=data.draw(st.integers(0, 2**32)))
    whole = oracle.aggregate(reports)
    assert whole.shape == oracle.counts_shape
    # Whole numbers add up exactly; sums of floats (summation histograms) up to rounding.
    allowed = 1e-9 if whole.dtype == float else 0
    parts = oracle.aggregate(reports[:cut]) + oracle.aggregate(reports[cut:])
    np.testing.assert_allclose(parts, whole, rtol=0, atol=allowed)
    first, second = Tally(oracle), Tally(pickle.loads(pickle.dumps(oracle)))
    first.add(reports[:cut])
    second.add(reports[cut:])
    np.testing.assert_allclose((first + second).counts, whole, rtol=0, atol=allowed)
    np.testing.assert_array_equal((first + second).estimate(), oracle.estimate((first + second).counts, len(rows)))


#: Oracles no two of which count the same thing.
DIFFERENT = [
    RandomizedResponse(math.log(3)), RandomizedResponse(1.09861), DirectEncoding(1.0, 4),
    DirectEncoding(1.0 + 2**-52, 4), DirectEncoding(1.0, 5), DirectEncoding(1.0, ["a", "b", "c", "d"]),
    DirectEncoding(1.0, ["b", "a", "c", "d"]), SymmetricUnary(1.0, 4), OptimizedUnary(math.log(3), 4),
    OptimizedUnary(1.09861, 4), ThresholdHistogram(1.0, 4), ThresholdHistogram(1.0, 4, theta=0.75),
    SummationHistogram(1.0, 4), DiscreteSummationHistogram(1.0, 4), SubsetSelection(1.0, 4, k=1),
    SubsetSelection(1.0, 4, k=2), SetSubsetSelection(1.0, 4, set_size=2, k=1),
    SetSubsetSelection(1.0, 4, set_size=3, k=1), LocalHashing(1.0, 4, g=2), LocalHashing(1.0, 4, g=3), Rappor(4),
    Rappor(4, f=0.5 + 2**-50), Rappor(4, on=0.8), Rappor(4, off=0.4), CountMeanSketch(1.0, 4),
    CountMeanSketch(1.0, 4, hash_seed=1), CountMeanSketch(1.0, 4, rows=17), CountMeanSketch(1.0, 4, width=65),
    HadamardCountMeanSketch(1.0, 4), HadamardResponse(1.0, 4),
    HierarchicalHistogram(1.0, 4), HierarchicalHistogram(1.0, 4, branching=3), HaarHistogram(1.0, 4),
]  # fmt: skip


@pytest.mark.parametrize("oracle", DIFFERENT, ids=repr)
def test_oracles_are_equal_if_their_counts_mean_the_same(oracle):
    again = pickle.loads(pickle.dumps(oracle))
    assert oracle == again
    assert hash(oracle) == hash(again)
    assert [other for other in DIFFERENT if other == oracle] == [oracle]
    assert oracle != repr(oracle)
    made = eval(repr(oracle), {type(oracle).__name__: type(oracle)})  # repr rounds nothing
    assert made == oracle


@pytest.mark.parametrize(("make", "d"), SMALL)
def test_what_counts_mean_depends_on_every_argument(make, d):
    oracle = make(1.0, d)
    left = set(inspect.signature(type(oracle)).parameters) - set(oracle._law())
    assert not left, "_parameters must give these: oracles that differ in them would pass for equal"


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
        SubsetSelection(800.0, 4),
        LocalHashing(800.0, 4, g=2),
        HadamardResponse(800.0, 4),
        HierarchicalHistogram(800.0, 4),
        HaarHistogram(800.0, 4),
        HadamardCountMeanSketch(708.0, 4, rows=2, width=4),
    ],
    ids=repr,
)
def test_a_channel_too_small_for_doubles_is_refused(oracle):
    """An entry that underflows to 0 would look like an output that betrays its input: an ε of infinity."""
    with pytest.raises(ValueError, match="epsilon must be smaller for the channel"):
        oracle.channel()


@pytest.mark.parametrize("make", [OptimizedUnary, SymmetricUnary, lambda epsilon, d: SubsetSelection(epsilon, d, k=1)])
def test_more_reports_than_memory(make):
    with pytest.raises(ValueError, match=r"encoded must take less memory, .* 16,384.0 GiB.* work in blocks"):
        make(1.0, 2**24).perturb(np.zeros(2**20, dtype=np.int64), rng=0)


@pytest.mark.parametrize(("make", "d"), SMALL_FINITE)
def test_reports_that_no_device_sends_are_refused(make, d):
    oracle = make(1.0, d)
    reports = oracle.perturb(inputs_of(oracle)[:2], rng=0).astype(np.int64)
    beyond = reports + oracle.outputs().astype(np.int64).max() + 1
    wrong = [[], reports[:0], reports[None], -reports - 1, beyond, reports + 0.5, reports * math.nan]
    for bad in [*wrong, reports[:, :-1]] if reports.ndim == 2 else wrong:
        with pytest.raises((ValueError, TypeError), match="reports must"):
            oracle.aggregate(bad)


@pytest.mark.parametrize(("make", "d"), SMALL)
def test_reports_are_not_taken_for_counts(make, d):
    """Rows of bytes would pass for independent runs."""
    oracle = make(1.0, d)
    reports = oracle.perturb(inputs_of(oracle)[:2], rng=0)
    if np.asarray(reports).dtype == np.uint8:
        with pytest.raises(ValueError, match=r"counts must .*aggregate"):
            oracle.estimate(reports, 2)
    assert np.isfinite(oracle.estimate(oracle.aggregate(reports), 2)).all()
