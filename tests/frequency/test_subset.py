"""Subset selection for one value and for sets of values: the mechanism by enumeration, k by search."""

import functools
import math
from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from ldp_core.frequency import SetSubsetSelection, SubsetSelection, _sampler, optimal_k, subset

FALSE_ALARM = 1e-6
EPSILONS = [1e-3, 1.0, 50.0]
#: (d, set_size, k)
SIZES = [(4, 2, 1), (5, 2, 3), (6, 3, 2), (7, 2, 5), (5, 1, 2)]


def by_enumeration(epsilon, d, m, k):
    """p and q from the definition: count sets, in exact rational arithmetic (e^ε taken as the double it is)."""
    weight = Fraction(math.exp(epsilon))
    own = set(range(m))
    sets = [set(t) for t in combinations(range(d), k)]
    weights = [weight if own & t else Fraction(1) for t in sets]
    total = sum(weights)
    with_own = sum(w for w, t in zip(weights, sets, strict=True) if 0 in t)
    with_other = sum(w for w, t in zip(weights, sets, strict=True) if d - 1 in t)
    return float(with_own / total), float(with_other / total), float(1 - with_own / total)


@pytest.mark.parametrize(("d", "m", "k"), SIZES)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_p_and_q_by_counting_sets(epsilon, d, m, k):
    oracle = SetSubsetSelection(epsilon, d, m, k=k)
    p, q, miss = by_enumeration(epsilon, d, m, k)
    assert oracle.p == pytest.approx(p, rel=1e-12)
    assert oracle.q == pytest.approx(q, rel=1e-12)
    assert oracle._miss == pytest.approx(miss, rel=1e-9)


@pytest.mark.parametrize(("d", "m", "k"), [*SIZES, (40, 12, 9), (40, 12, 20), (300, 20, 100), (10**6, 1, 268_941)])
@pytest.mark.parametrize("epsilon", [1e-3, 1.0, 50.0])
def test_law_of_overlap_is_the_definition(epsilon, d, m, k):
    """Hypergeometric but for the factor of the sets that are missed, in exact rational arithmetic where it is small."""
    law = SetSubsetSelection(epsilon, d, m, k=k)._law_of_overlap()
    if d > 10_000:
        np.testing.assert_allclose(law[1], k / (k + (d - k) * math.exp(-epsilon)), rtol=1e-12)
        return
    weights = [Fraction(math.comb(m, j) * math.comb(d - m, k - j)) for j in range(min(m, k) + 1)]
    weights[0] *= Fraction(math.exp(-epsilon))
    np.testing.assert_allclose(law, [float(w / sum(weights)) for w in weights], rtol=1e-11, atol=1e-300)


def law_of_three(oracle, first, second):
    """Support counts of three users, two of them with the first input: all combinations of reports enumerated."""
    law: dict[tuple[int, ...], float] = {}
    channel, outputs = oracle.channel(), oracle.outputs().astype(int)
    for a, b, c in product(range(len(outputs)), repeat=3):
        key = tuple((outputs[a] + outputs[b] + outputs[c]).tolist())
        law[key] = law.get(key, 0.0) + channel[first, a] * channel[first, b] * channel[second, c]
    return law


def three_reports(oracle, first, second):
    """Support counts of three such users who are asked, 10,000 times."""
    held = oracle.inputs()[[first, first, second]]
    reports = oracle.perturb(np.concatenate([held] * 4_000), rng=3)
    return reports.reshape(4_000, 3, oracle.d).sum(axis=1)


@pytest.mark.parametrize(("d", "m", "k"), [(4, 2, 2), (5, 2, 1), (5, 1, 4)])
def test_both_ways_to_simulate_have_the_exact_law(d, m, k, chi_square_p, monkeypatch):
    """All users of a set together; and users one by one, which is asking them, draw by draw."""
    oracle = SetSubsetSelection(1.0, d, m, k=k)
    inputs, law = oracle.inputs(), law_of_three(oracle, 0, -1)
    simulate = functools.partial(oracle.simulate_sets, inputs[[0, len(inputs) // 2, -1]], [2, 0, 1])
    ours, theirs = np.random.default_rng(4), np.random.default_rng(4)
    asked = oracle.perturb(np.concatenate([inputs[[0, 0, -1]]] * 5), theirs)
    np.testing.assert_array_equal(simulate(ours, size=5), asked.reshape(5, 3, d).sum(axis=1))
    draws = [three_reports(oracle, 0, -1)]
    if m == k == 2:  # how the bits of three reports are drawn depends on these three: one of all is enough
        draws.append(simulate(4, size=4_000))
    monkeypatch.setattr(subset, "ONE_BY_ONE", 0)
    draws.append(simulate(4, size=4_000))
    for drawn in draws:
        assert chi_square_p(Counter(map(tuple, drawn.tolist())), law, 4_000) > FALSE_ALARM


@pytest.mark.parametrize(("d", "k"), [(2, 1), (4, 2), (5, 4)])
def test_both_ways_to_simulate_single_values_have_the_exact_law(d, k, chi_square_p, monkeypatch):
    """The first and the last value have nothing on one side."""
    monkeypatch.setattr(_sampler, "BLOCK", 2**14)  # runs come in several blocks
    oracle = SubsetSelection(1.0, d, k=k)
    for first, second in [(0, d - 1), (d // 2, 0), (d - 1, d // 2)]:
        law, held = law_of_three(oracle, first, second), sorted([first, first, second])
        simulate = functools.partial(oracle.simulate, np.bincount(held, minlength=d))
        ours, theirs = np.random.default_rng(4), np.random.default_rng(4)
        monkeypatch.setattr(subset, "ONE_BY_ONE", math.inf)
        asked = oracle.perturb(held * 5, theirs)
        np.testing.assert_array_equal(simulate(ours, size=5), asked.reshape(5, 3, d).sum(axis=1))
        monkeypatch.setattr(subset, "ONE_BY_ONE", 0)
        for drawn in (three_reports(oracle, first, second), simulate(4, size=4_000)):
            assert chi_square_p(Counter(map(tuple, drawn.tolist())), law, 4_000) > FALSE_ALARM


def test_what_counts_of_sets_determine():
    """All values but one in common, or all: the same law as from the sets themselves, draw by draw."""
    oracle = SetSubsetSelection(1.0, 6, 3)
    for sets, users in (([[1, 4, 0], [1, 4, 5]], [300, 500]), ([[0, 1, 4]], [700])):
        counts = np.bincount(np.ravel(sets), np.repeat(users, 3), minlength=6).astype(int)
        np.testing.assert_array_equal(
            oracle.simulate(counts, rng=2, size=3), oracle.simulate_sets(sets, users, rng=2, size=3)
        )


def test_a_channel_too_large_is_refused_before_anything_is_counted():
    """C(2**24, 4512088) has fourteen million binary digits: nobody waits for them."""
    for oracle in (SubsetSelection(1.0, 2**24), SetSubsetSelection(1.0, 2**20, 3)):
        for verb in (oracle.channel, oracle.outputs, oracle.inputs):
            with pytest.raises(ValueError, match=r"at most 2\*\*24 entries to be written out, got 2\*\*"):
                verb()


def test_a_report_without_the_own_value_is_possible_at_any_epsilon():
    """At ε = 40 a uniform double is too coarse to decide it: coins that show their rarest side do."""

    class Zeros(np.random.Generator):
        def integers(self, low, high=None, size=None, dtype=np.int64, endpoint=False):
            return np.zeros(size, dtype=dtype)

        def random(self, size=None):
            return np.full(size, 2.0**-53)

    oracle = SubsetSelection(40.0, 4, k=1)
    assert oracle._draw_overlap(3, Zeros(np.random.PCG64(0))).tolist() == [0, 0, 0]
    assert oracle._draw_overlap(3, np.random.default_rng(0)).tolist() == [1, 1, 1]


@pytest.mark.parametrize("true", [[3, 2, 0, 0], [3, 0, 0, 0], [4, 0, 0, 0]])
def test_counts_that_no_sets_can_have(true):
    with pytest.raises(ValueError, match="true_counts"):
        SetSubsetSelection(1.0, 4, 2).simulate_marginals(true)


def test_marginal_counts_do_not_determine_the_joint_law_of_sets():
    with pytest.raises(ValueError, match=r"simulate_sets or simulate_marginals"):
        SetSubsetSelection(1.0, 6, 2).simulate([2, 2, 2, 0, 0, 0])


def test_sets_of_one_value_are_plain_subset_selection():
    one, plain = SetSubsetSelection(1.0, 7, 1), SubsetSelection(1.0, 7)
    assert (one.p, one.q, one.k) == (plain.p, plain.q, plain.k)
    np.testing.assert_array_equal(one.channel(), plain.channel())
    of_sets, of_values = (
        one.perturb([[3], [5]], np.random.default_rng(1)),
        plain.perturb([3, 5], np.random.default_rng(1)),
    )
    np.testing.assert_array_equal(of_sets, of_values)


@pytest.mark.parametrize(("d", "m"), [(2, 1), (3, 1), (20, 1), (300, 1), (20, 2), (20, 5)])
@pytest.mark.parametrize("epsilon", [1e-3, 1.0, 5.7, 50.0])
def test_k_is_the_best_of_all(epsilon, d, m):
    best = min(range(1, d - m + 1), key=lambda k: SetSubsetSelection(epsilon, d, m, k=k).variance(1))
    chosen = SetSubsetSelection(epsilon, d, m)
    assert chosen.variance(1) <= SetSubsetSelection(epsilon, d, m, k=best).variance(1) * (1 + 1e-9)
    assert optimal_k(epsilon, d, set_size=m) == chosen.k


@pytest.mark.parametrize("values", [[], [[0, 1, 2]], [[0, 9]], [[0, -1]], [[1, 1]]])
def test_what_is_no_set_is_refused(values):
    oracle = SetSubsetSelection(1.0, 5, 2)
    for use, name in ((oracle.encode, "values"), (oracle.perturb, "encoded")):
        with pytest.raises(ValueError, match=name):
            use(values)


def test_the_row_that_is_wrong_is_named():
    with pytest.raises(ValueError, match=r"distinct.*row 1"):
        SetSubsetSelection(1.0, ["a", "b", "c"], 2).encode([["a", "b"], ["c", "c"]])
    with pytest.raises(ValueError, match=r"reports must have k = 2 ones in each row, got 1 in row 0"):
        SubsetSelection(1.0, 4, k=2).aggregate(np.eye(4, dtype=np.uint8))
    with pytest.raises(ValueError, match=r"k = 1 ones in each row, got 2 in row 1"):  # two who agree on it
        SetSubsetSelection(1.0, 5, 2, k=1).aggregate([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [0, 0, 0, 0, 0]])
