"""SeveralAttributes: law, estimates and variances against an enumeration of all records and reports."""

import numpy as np
import pytest

from ldp_core.audit import exact_epsilon
from ldp_core.frequency import SeveralAttributes
from ldp_core.frequency.several import MODES

DOMAINS = [2, 2, 3]
FAKES = [[0.9, 0.1], [0.2, 0.8], [0.25, 0.75, 0.0]]
PAIRS = ("split", "set", "joint")


def made(mode, epsilon=1.0, fakes=None, domains=DOMAINS, k=None):
    return SeveralAttributes(epsilon, domains, mode, fakes=fakes, k=k)


CASES = [*((mode, None) for mode in MODES), ("fake", FAKES)]


@pytest.fixture(params=CASES, ids=lambda case: case[0] + ("" if case[1] is None else "-realistic"))
def asked(request):
    return made(request.param[0], fakes=request.param[1])


def several_people():
    """A table with records of nobody, of one and of many."""
    return np.random.default_rng(3).integers(0, 5, DOMAINS)


def moments(asked, estimates):
    """Mean and variance of estimates, of one person each and summed over the people, from the whole channel."""
    values = estimates(np.array([asked.aggregate(bits[None]) for bits in asked.outputs()]))
    values = values.reshape(len(values), -1)
    channel, people = asked.channel(), several_people().reshape(-1)
    mean = channel @ values
    return people @ mean, people @ (channel @ values**2 - mean**2)


def test_every_mode_keeps_epsilon_for_whole_records(asked):
    channel = asked.channel()
    assert channel.shape == (12, len(asked.outputs()))
    np.testing.assert_allclose(channel.sum(axis=1), 1)
    assert 0.99 * asked.epsilon < exact_epsilon(channel) <= asked.epsilon + 1e-9


@pytest.mark.parametrize("epsilon", [0.3, 2.0])
def test_amplified_fake_data_protect_one_answer_only(epsilon):
    """Used at ln(h(e^ε − 1) + 1): the exact ε between records that differ in one attribute, and in all."""
    amplified = np.log(3 * np.expm1(epsilon) + 1)

    def worst(domains):
        asked = made("fake", amplified, domains=domains)
        channel, rows = asked.channel(), asked.inputs()
        differ = (rows[:, None] != rows).sum(axis=2)
        return [max(exact_epsilon(channel[pair]) for pair in np.argwhere(differ == m)) for m in (1, 3)]

    np.testing.assert_allclose(worst([3, 3, 3]), [epsilon, amplified])
    one, every = worst([2, 2, 3])
    assert 1.05 * epsilon < one < every
    assert every == pytest.approx(amplified)


def test_reports_are_drawn_from_the_channel(asked):
    """Chi-square of 40,000 reports of one record; false alarms: 1e-6 a case."""
    from scipy import stats

    row, n = [1, 0, 2], 40_000
    bits = asked.perturb(np.tile(row, (n, 1)), rng=5)
    place = {out.tobytes(): y for y, out in enumerate(asked.outputs())}
    seen = np.bincount([place[b.tobytes()] for b in bits], minlength=len(place))
    law = asked.channel()[np.ravel_multi_index(row, DOMAINS)]
    assert not seen[law == 0].any()
    often = n * law >= 5
    expected, found = n * law[often], seen[often]
    if not often.all() and n * law[~often].sum() > 5:
        expected, found = np.append(expected, n * law[~often].sum()), np.append(found, seen[~often].sum())
    assert stats.chisquare(found, expected * found.sum() / expected.sum()).pvalue > 1e-6


def test_estimates_are_unbiased_and_their_variance_exact(asked):
    table = several_people()
    true = [table.sum(axis=tuple({0, 1, 2} - {j})) for j in range(3)]
    mean, variance = moments(asked, lambda counts: np.concatenate(asked.estimate(counts, 1), axis=1))
    np.testing.assert_allclose(mean, np.concatenate(true), atol=1e-8)
    np.testing.assert_allclose(variance, np.concatenate(asked.variance(table.sum(), true)))


@pytest.mark.parametrize("mode", PAIRS)
@pytest.mark.parametrize(("i", "j"), [(0, 1), (2, 0)])
def test_pairs_are_unbiased_and_their_variance_exact(mode, i, j):
    asked = made(mode, k=2 if mode == "set" else None)
    true = np.moveaxis(several_people(), (i, j), (0, 1)).sum(axis=2)
    mean, variance = moments(asked, lambda counts: asked.marginal(counts, 1, i, j))
    np.testing.assert_allclose(mean, true.reshape(-1), atol=1e-6)
    np.testing.assert_allclose(variance, asked.marginal_variance(true, i, j).reshape(-1))


@pytest.mark.parametrize("mode", ["sample", "fake"])
def test_pairs_that_no_report_holds_are_refused(mode):
    with pytest.raises(ValueError, match="no report uses two of a person's answers"):
        made(mode).marginal(np.zeros((7, 7)), 1, 0, 1)


def test_a_set_of_one_value_shows_no_pair():
    asked = made("set", 5.0)
    with pytest.raises(ValueError, match="'set' with k >= 2"):
        asked.marginal_variance(np.ones((2, 2)), 0, 1)


def test_simulated_counts_have_the_law_of_reports(asked):
    """Means and variances of 2,000 runs; false alarms: 1e-5 a case by the normal law, with room."""
    table, runs = 20 * several_people(), 2_000
    counts = asked.simulate(table, rng=2, size=runs)
    assert counts.shape == (runs, *asked.counts_shape)
    people = [table.sum(axis=tuple(a for a in range(3) if a != j)) for j in range(3)]
    for j, (found, variance) in enumerate(
        zip(asked.estimate(counts, table.sum()), asked.variance(table.sum(), people), strict=True)
    ):
        assert np.all(abs(found.mean(axis=0) - people[j]) < 6 * np.sqrt(variance / runs))
        assert np.all(abs(found.var(axis=0) / variance - 1) < 6 * np.sqrt(2 / runs))
    one = asked.simulate(table, rng=2)
    assert one.shape == asked.counts_shape


def test_posterior_of_the_attribute_that_was_drawn(asked):
    if asked.mode not in ("sample", "fake"):
        with pytest.raises(ValueError, match="mode must be 'sample' or 'fake'"):
            asked.sampled_posterior(asked.outputs())
        return
    priors = [np.array([0.3, 0.7]), np.array([0.1, 0.9]), np.array([0.4, 0.5, 0.1])]
    belief = np.array([np.prod([p[x] for p, x in zip(priors, row, strict=True)]) for row in asked.inputs()])
    outputs = asked.outputs()
    likelihood = np.zeros((len(outputs), 3))
    for y, bits in enumerate(outputs):
        sent = [np.flatnonzero(bits[part]) for part in (slice(0, 2), slice(2, 4), slice(4, 7))]
        for s, oracle in enumerate(asked._oracles):
            others = [a for a in range(3) if a != s]
            if asked.mode == "sample":
                likelihood[y, s] = float(sent[s].size > 0)
                continue
            fake = np.prod([asked._fakes[a][sent[a][0]] for a in others])
            told = sum(
                b * (oracle.p if row[s] == sent[s][0] else oracle.q)
                for b, row in zip(belief, asked.inputs(), strict=True)
            )
            likelihood[y, s] = fake * told
    possible = likelihood.sum(axis=1) > 0
    expected = likelihood[possible] / likelihood[possible].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(asked.sampled_posterior(outputs[possible], priors), expected)


def test_even_fakes_of_even_people_hide_the_attribute():
    asked = made("fake")
    np.testing.assert_allclose(asked.sampled_posterior(asked.outputs()), 1 / 3)


def test_values_and_parts_add_up():
    asked = SeveralAttributes(1.0, [["no", "yes"], ["red", "green", "blue"]], "split")
    rows = [["no", "red"], ["yes", "blue"], ["yes", "red"]] * 50
    reports = asked.privatize(rows, rng=1)
    whole = asked.aggregate(reports)
    np.testing.assert_array_equal(asked.aggregate(reports[:70]) + asked.aggregate(reports[70:]), whole)
    assert asked == SeveralAttributes(1.0, [["no", "yes"], ["red", "green", "blue"]], "split")
    assert asked != SeveralAttributes(1.0, [["no", "yes"], ["red", "green", "blue"]], "set")
    np.testing.assert_array_equal(asked.encode(np.array(rows, dtype=object)), asked.encode(rows))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: made("both"), "mode must be"),
        (lambda: made("split", domains=[3]), "domains must hold at least two"),
        (lambda: made("joint", domains=[2**13, 2**13]), r"2\*\*24 values together"),
        (lambda: made("sample", fakes=FAKES), "fakes must be None but in mode 'fake'"),
        (lambda: made("split", k=2), "k must be None but in mode 'set'"),
        (lambda: made("fake", fakes=[[0.5, 0.6], *FAKES[1:]]), r"fakes\[0\] must sum to 1"),
        (lambda: made("split").encode([[0, 1]]), r"rows must have shape \(n, 3\)"),
        (lambda: made("split").perturb([[0, 1, 3]]), "encoded must be integers between 0 and 2"),
        (lambda: made("split").aggregate(np.zeros((2, 8), np.uint8)), r"reports must have shape \(n, 7\)"),
        (lambda: made("sample").aggregate(np.ones((2, 7), np.uint8)), "as many ones as perturb gives them"),
        (lambda: made("fake").aggregate(np.full((2, 7), 7, np.uint8)), "bits of dtype uint8"),
        (lambda: made("split").marginal(np.zeros((7, 7)), 1, 1, 1), "another attribute"),
        (lambda: made("split").variance(5, [[6, 0], [0, 0], [0, 0, 0]]), r"\[0, 5\]"),
        (lambda: made("split").simulate(np.zeros(DOMAINS)), "table must hold counts"),
        (lambda: made("split", domains=[60, 60]).channel(), "domains must be smaller"),
        (lambda: made("split", 800.0).channel(), "epsilon must be smaller"),
        (
            lambda: made("sample").aggregate(np.array([[1, 0, 1, 0, 0, 0, 0]], np.uint8)),
            "reports must have as many ones",
        ),
        (
            lambda: made("sample").aggregate(np.array([[1, 1, 0, 0, 0, 0, 0]], np.uint8)),
            "reports must have as many ones",
        ),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
