"""The best channel: known optima, a bound that nothing gets below, and an oracle that does what its channel says."""

import pickle

import numpy as np
import pytest
from scipy import stats

from ldp_core import frequency
from ldp_core._relaxation import Relaxation
from ldp_core.audit import exact_epsilon
from ldp_core.optimal import _Problem, optimal_channel

FALSE_ALARM = 1e-6
SKEWED = np.array([0.4, 0.3, 0.15, 0.1, 0.05, 0.0])


def least_variance(channel, workload, prior):
    """Of the best unbiased linear estimate from a channel's reports, for each user."""
    likely = channel / (prior @ channel)
    inverse = np.linalg.inv(likely @ channel.T)
    return np.trace(workload @ inverse @ workload.T) - prior @ (workload.T**2).sum(axis=1)


def workloads(d):
    return {"counts": np.eye(d), "prefix": np.tri(d - 1, d), "mean": np.linspace(-1, 1, d)[None]}


@pytest.mark.parametrize(("workload", "known"), [("counts", 21.7364), ("prefix", 23.0314), ("mean", 3.9303)])
def test_optima_of_another_solver_come_out(workload, known):
    best = optimal_channel(1.0, 8, workload)
    assert best.per_user == pytest.approx(known, abs=1e-4)
    assert best.lower_bound <= best.per_user
    assert best.gap <= 1e-4


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
def test_for_counts_it_is_subset_selection(epsilon):
    d = 8
    oracle = frequency.SubsetSelection(epsilon, d)
    best = optimal_channel(epsilon, d, tolerance=1e-6)
    assert least_variance(oracle.channel(), np.eye(d), np.full(d, 1 / d)) == pytest.approx(best.per_user, rel=1e-6)
    if epsilon >= 1:
        assert set(best.patterns.sum(axis=1)) == {oracle.k}


@pytest.mark.parametrize("prior", [None, SKEWED], ids=["alike", "skewed"])
@pytest.mark.parametrize("epsilon", [0.05, 1.0, 8.0])
@pytest.mark.parametrize("workload", ["counts", "prefix", "mean"])
def test_no_private_channel_is_below_the_bound(workload, epsilon, prior):
    d = 6
    belief = np.full(d, 1 / d) if prior is None else prior
    best = optimal_channel(epsilon, d, workload, prior=prior)
    assert best.gap <= 1e-4
    assert best.per_user == pytest.approx(
        best.prior @ (best.channel() @ best._parts**2 - best.workload.T**2).sum(axis=1), rel=1e-9
    )
    rng = np.random.default_rng(1)
    channels = [
        kind(epsilon, d).channel()
        for kind in (frequency.DirectEncoding, frequency.SubsetSelection, frequency.OptimizedUnary)
    ]
    for size in (6, 12, 40):  # random columns with entries from 1 to e^ε, mixed with the best
        columns = np.exp(epsilon * rng.random((d, size)).round(rng.integers(2)))
        share = (columns / columns.sum(axis=1).max()) * 0.5
        rest = (1 - share.sum(axis=1))[:, None] * best.channel()
        channels.append(np.hstack([share, rest]))
    for channel in channels:
        if exact_epsilon(channel) <= epsilon * (1 + 1e-9):
            assert least_variance(channel, workloads(d)[workload], belief) >= best.lower_bound * (1 - 1e-9)


@pytest.mark.parametrize("epsilon", [1.0, 3.0])
@pytest.mark.parametrize("workload", ["counts", "prefix", "mean"])
@pytest.mark.parametrize("prior", [np.full(8, 1 / 8), np.arange(8) / 28], ids=["alike", "skewed"])
def test_the_relaxation_s_bound_is_just_below_the_exact_one(workload, epsilon, prior):
    asked = workloads(8)[workload]
    problem = _Problem(np.exp(-epsilon), asked - (asked @ prior)[:, None], prior)
    relaxed = Relaxation(problem.low, problem.square, prior)
    proved = relaxed.solve(problem.known, 1e-3)
    best = optimal_channel(epsilon, 8, workload, prior=prior)
    channel = best.channel()
    assert 0.98 * best.lower_bound < proved.lower - problem.known < best.per_user
    # The certificate holds for anything: spoilt, it proves less, never too much.
    rng = np.random.default_rng(2)
    inverse, weights = (
        np.linalg.inv(channel / (prior @ channel) @ channel.T),
        rng.random((len(relaxed.triangles), 4)) * 1e-3,
    )
    for spoilt in (0.0, 0.01, 0.3):
        noise = rng.normal(size=(8, 8)) * spoilt * abs(inverse).max()
        multipliers = -proved.multipliers * (1 + spoilt * rng.random(8))
        bound = relaxed.proved(inverse + noise + noise.T, multipliers, weights, rng.random(9))
        assert bound - problem.known < best.per_user


@pytest.mark.parametrize(
    ("workload", "prior", "near"),
    [("counts", None, 0.005), ("prefix", None, 0.02), ("mean", None, 0.01), ("mean", np.arange(20) / 190, 0.01)],
)
def test_above_16_values_the_bound_holds_and_is_near(workload, prior, near):
    d, epsilon = 20, 1.0
    belief, asked = np.full(d, 1 / d) if prior is None else prior, workloads(d)[workload]
    best = optimal_channel(epsilon, d, workload, prior=prior, tolerance=near)
    assert 0 <= best.gap < near
    assert exact_epsilon(best.channel()) == pytest.approx(epsilon, rel=1e-11)
    assert least_variance(best.channel(), asked, belief) == pytest.approx(best.per_user, rel=1e-6)
    rng, place = np.random.default_rng(3), np.arange(d)
    channels = [kind(epsilon, d).channel() for kind in (frequency.DirectEncoding, frequency.SubsetSelection)]
    for k in range(1, d):  # runs of each size, in all positions, mixed with the best
        columns = np.array([np.where(np.roll(place < k, shift), np.exp(epsilon), 1.0) for shift in place])
        channels.append(np.hstack([columns / columns[0].sum() * 0.9, 0.1 * best.channel()]))
    for size in (6, 40, 400):  # random columns, mixed so that rows add up to 1
        columns = np.exp(epsilon * rng.random((d, size)).round(rng.integers(2)))
        share = columns / columns.sum(axis=1).max() * 0.5
        channels.append(np.hstack([share, (1 - share.sum(axis=1))[:, None] * best.channel()]))
    for channel in channels:
        if exact_epsilon(channel) <= epsilon * (1 + 1e-9):
            assert least_variance(channel, asked, belief) >= best.lower_bound * (1 - 1e-9)
    if workload == "counts":
        unary = frequency.OptimizedUnary(epsilon, d)
        assert (d - 1) * unary.variance(1) + unary.variance(1, 1) >= best.lower_bound
        sets = frequency.SubsetSelection(epsilon, d).channel()
        assert least_variance(sets, asked, belief) == pytest.approx(best.lower_bound, rel=1e-9), "the bound is exact"


def test_a_workload_of_one_s_own():
    d, belief = 4, np.array([0.1, 0.2, 0.3, 0.4])
    one = np.array([[0.0, 1.0, 1.0, 0.0]])  # yes or no: Warner's is the best
    best = optimal_channel(1.5, d, one, prior=belief)
    assert best.per_user == pytest.approx(frequency.RandomizedResponse(1.5).variance(1), rel=1e-4)
    assert sorted(map(tuple, best.patterns.tolist())) == [(False, True, True, False), (True, False, False, True)]
    shifted = optimal_channel(1.5, d, one + 7.0, prior=belief)
    assert shifted.per_user == pytest.approx(best.per_user, rel=1e-6), "how many users there are is known"


ORACLES = [
    optimal_channel(1.0, 5),
    optimal_channel(0.3, ["a", "b", "c"], "prefix", prior=[0.6, 0.3, 0.1]),
    optimal_channel(4.0, 7, "mean"),
    optimal_channel(1e-3, 4),
    optimal_channel(20.0, 4),
]


@pytest.mark.parametrize("oracle", ORACLES, ids=lambda oracle: f"{oracle.epsilon:g}-{oracle.d}")
def test_the_channel_keeps_its_promise_and_estimates_are_unbiased(oracle):
    channel = oracle.channel()
    assert channel.shape == (oracle.d, oracle.n_outputs)
    assert np.allclose(channel.sum(axis=1), 1, rtol=0, atol=1e-12)
    assert exact_epsilon(channel) == pytest.approx(oracle.epsilon, rel=1e-11)
    one = np.eye(oracle.n_outputs)
    estimates = oracle.estimate(one, 1)
    scale = abs(estimates).max()
    assert np.allclose(channel @ estimates, oracle.workload.T, rtol=0, atol=1e-9 * scale)
    true = np.arange(oracle.d) * 3
    variance = sum(n * (row @ estimates**2 - (row @ estimates) ** 2) for n, row in zip(true, channel, strict=True))
    assert oracle.variance(int(true.sum()), true) == pytest.approx(variance, rel=1e-6)
    assert oracle.variance(10) == pytest.approx(10 * oracle.variance(1), rel=1e-12)
    assert oracle.variance(1).sum() == pytest.approx(oracle.per_user, rel=1e-9)


@pytest.mark.parametrize("oracle", ORACLES, ids=lambda oracle: f"{oracle.epsilon:g}-{oracle.d}")
def test_reports_have_the_law_of_the_channel(oracle):
    n = 40_000
    values = np.repeat(np.arange(oracle.d), n)
    support = [oracle.aggregate(oracle.perturb(values[values == v], rng=5 + v)) for v in range(oracle.d)]
    drawn = [oracle.simulate(np.eye(oracle.d, dtype=int)[v] * n, rng=9 + v) for v in range(oracle.d)]
    for counts in (np.array(support), np.array(drawn)):
        for seen, law in zip(counts, oracle.channel(), strict=True):
            enough = law * n > 20
            rest = law[~enough].sum()
            seen = np.append(seen[enough], seen[~enough].sum())
            law = np.append(law[enough], rest)
            law, seen = law[law * n > 5], seen[law * n > 5]
            assert len(seen) == 1 or stats.chisquare(seen, law / law.sum() * seen.sum()).pvalue > FALSE_ALARM / 50


def test_simulated_runs_have_the_mean_and_the_variance_and_intervals_hold():
    oracle, true = ORACLES[0], np.array([500, 0, 300, 1200, 2000])
    runs = oracle.simulate(true, rng=3, size=20_000)
    assert runs.shape == (20_000, oracle.n_outputs)
    assert (runs.sum(axis=1) == 4000).all()
    estimates, variance = oracle.estimate(runs, 4000), oracle.variance(4000, true)
    z = -stats.norm.ppf(FALSE_ALARM / 20)
    assert np.all(abs(estimates.mean(axis=0) - true) < z * np.sqrt(variance / 20_000))
    assert np.allclose(estimates.var(axis=0), variance, rtol=z * np.sqrt(2 / 20_000))
    for simultaneous in (False, True):
        low, high = oracle.interval(runs, 4000, simultaneous=simultaneous)
        held = (low <= true) & (true <= high)
        share = held.all(axis=1).mean() if simultaneous else held.mean(axis=0).min()
        assert 0.945 < share < 0.98, "a little more than 95%: the people's own spread is counted, too"


def test_it_is_one_of_the_oracles():
    oracle = ORACLES[1]
    assert pickle.loads(pickle.dumps(oracle)) == oracle
    assert oracle == optimal_channel(0.3, ["a", "b", "c"], "prefix", prior=[0.6, 0.3, 0.1])
    assert oracle != optimal_channel(0.3, ["a", "b", "c"], "counts", prior=[0.6, 0.3, 0.1])
    assert oracle.privatize(["a", "c"], rng=0).shape == (2,)
    assert oracle.attack_success() == pytest.approx(oracle.channel().max(axis=0).mean() * oracle.n_outputs / 3)
    assert oracle.outputs().tolist() == list(range(oracle.n_outputs))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"domain": 65}, "at most 64 values, got 65"), ({"epsilon": 21.0}, "epsilon must lie in"),
        ({"workload": "means"}, "workload"), ({"workload": np.ones((2, 3))}, "workload"),
        ({"workload": [[2.0, 2.0, 2.0, 2.0]]}, "a row that is not the same"), ({"prior": [0.5, 0.5]}, "prior"),
        ({"workload": np.empty((0, 4))}, "a row"), ({"tolerance": 0.0}, "tolerance"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        optimal_channel(**({"epsilon": 1.0, "domain": 4} | arguments))


def test_odd_reports_and_counts_are_refused():
    oracle = ORACLES[0]
    for reports in ([oracle.n_outputs], [-1], [0.5], []):
        with pytest.raises(ValueError, match="reports must"):
            oracle.aggregate(reports)
    with pytest.raises(ValueError, match="count must"):
        oracle.variance(10, 3)
    with pytest.raises(ValueError, match="count must"):
        oracle.variance(10, [1, 2])


def test_questions_of_few_rows_have_a_certificate_too():
    """The best M is singular, or nearly, for them: values that no row tells apart, sums that hang together."""
    rng = np.random.default_rng(7)
    for epsilon in (0.02, 0.3, 3.0):
        for rows in (1, 3):
            question = rng.integers(0, 2, (rows, 8))
            best = optimal_channel(epsilon, 8, question, prior=rng.dirichlet(np.ones(8)))
            assert 0 <= best.gap < 1e-4
    yes = optimal_channel(1.0, 8, [[1, 1, 0, 0, 0, 0, 0, 0]])  # asked directly, by randomized response
    assert yes.n_outputs == 2
    assert yes.per_user == pytest.approx(frequency.RandomizedResponse(1.0).variance(1), rel=1e-6)
