"""Words that nobody listed: one law for people and counts, exact recall, a bound, and what sketches get wrong."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from ldp_core.audit import exact_epsilon
from ldp_core.frequency import (
    CountMeanSketch,
    DirectEncoding,
    HadamardResponse,
    LocalHashing,
    OptimizedUnary,
    PrefixTree,
    SketchTree,
    findable_share,
)

WORDS = ["aab", "aba", "bba", "bbb"]
SHARES = np.array([0.4, 0.3, 0.25, 0.05])


def prefix_shares(word, lengths):
    """Share of people whose word begins like this one, for each length."""
    return [sum(s for w, s in zip(WORDS, SHARES, strict=True) if w[:k] == word[:k]) for k in lengths]


def tree(**options):
    return PrefixTree(2.0, "ab", (1, 2, 3), **{"kept": 8, "sigmas": 2.0} | options)


@pytest.mark.parametrize("oracle", ["oue", "de", HadamardResponse])
@pytest.mark.parametrize("word", ["bba", "bbb", "aaa"])
def test_recall_is_a_product_of_binomial_tails(oracle, word):
    made, n = tree(oracle=oracle), 400
    shares = prefix_shares(word, made.lengths)
    expected = []
    for level, theta, m in zip(made.levels, shares, made.sizes(n), strict=True):
        bar = 2.0 * math.sqrt(level.variance(int(m), 0))
        passing = [s for s in range(m + 1) if level.estimate(np.full(level.d, s), int(m))[0] >= bar]
        expected.append(stats.binom.sf(passing[0] - 1, m, level.q + theta * (level.p - level.q)))
    np.testing.assert_allclose(made.recall(shares, n), np.cumprod(expected), rtol=1e-9)


@pytest.mark.parametrize("way", ["simulate", "collect"])
def test_words_are_found_as_often_as_recall_says(way):
    """Each of 2 × 4 words over 800 runs: a binomial test at 1e-6 / 8 each. All extensions fit: only bars decide."""
    made, runs, n, rng = tree(), 800, 150, np.random.default_rng(3)
    found = dict.fromkeys(WORDS, 0)
    for _ in range(runs):
        if way == "simulate":
            levels = made.simulate(WORDS, rng.multinomial(made.sizes(n), SHARES), rng)
        else:
            levels = made.collect(rng.choice(WORDS, n, p=SHARES).tolist(), rng)
        for word in set(WORDS) & set(levels[-1].found):
            found[word] += 1
    for word, times in found.items():
        assert 0.01 < (recall := made.recall(prefix_shares(word, made.lengths), n)[-1]) < 0.99
        assert stats.binomtest(times, runs, recall).pvalue > 1e-6 / 8


def test_a_billion_people_and_a_word_of_few():
    made = PrefixTree(1.0, "abcdefgh", (2, 4, 6), kept=50)
    enough = made.sigmas * math.sqrt(made.levels[-1].variance(10**9 // 3) / (10**9 / 3) ** 2)
    law = made.recall([0.5, 0.1, enough], 10**9)
    assert law[1] == pytest.approx(1.0, abs=1e-12)
    assert law[2] == pytest.approx(0.5, abs=0.01)
    assert made.recall([0, 0, 0], 10**9)[0] == pytest.approx(stats.norm.sf(4.0), rel=0.02)


@pytest.mark.parametrize("oracle", [OptimizedUnary, DirectEncoding, HadamardResponse, LocalHashing])
def test_with_next_to_no_noise_the_words_above_the_bar_are_found_by_any_oracle(oracle):
    made = PrefixTree(12.0, "abc", (1, 3), oracle=oracle, kept=3)
    people = ["abc"] * 500 + ["cab"] * 300 + ["abb"] * 200
    levels = made.collect(np.random.default_rng(0).permutation(people).tolist(), rng=1)
    assert levels[0].found == ("a", "c")
    assert set(levels[1].found) == {"abc", "abb", "cab"}
    assert levels[1].candidates == tuple("".join(w) for w in itertools.product("ac", "abc", "abc"))


def test_shares_are_unbiased_and_only_the_best_are_kept():
    """The mean of 400 runs is within 5 standard deviations, for each of 2 candidates: false alarm 1.2e-6."""
    made, rng, m = tree(kept=1, sigmas=1e-9), np.random.default_rng(1), 1_000
    runs = [made.simulate(WORDS, rng.multinomial([m] * 3, SHARES), rng) for _ in range(400)]
    assert all(level.kept.sum() <= 1 for levels in runs for level in levels)
    mean = np.mean([levels[0].shares for levels in runs], axis=0)
    for share, truth in zip(mean, (0.7, 0.3), strict=True):
        variance = made.levels[0].variance(m, m * truth) / m**2 + truth * (1 - truth) / m
        assert abs(share - truth) < 5 * math.sqrt(variance / 400)


def test_where_nothing_passes_nothing_is_asked_further():
    levels = tree(sigmas=50.0).simulate(WORDS, np.full((3, 4), 5), rng=0)
    assert [len(level.candidates) for level in levels] == [2, 0, 0]
    assert levels[-1].found == ()


def test_everybody_spends_epsilon_and_no_oracle_spends_more():
    assert all(exact_epsilon(level.channel()) == pytest.approx(2.0) for level in tree(oracle="de").levels)
    with pytest.raises(ValueError, match="oracle must use epsilon"):
        tree(oracle=lambda epsilon, d: OptimizedUnary(2 * epsilon, d))


def test_equal_trees_and_their_coins():
    assert tree() == tree()
    assert tree() != tree(sigmas=2.5)
    drawn = [made.simulate(WORDS, np.full((3, 4), 50), rng=0)[0].shares for made in (tree(), tree(), tree(sigmas=2.5))]
    np.testing.assert_array_equal(drawn[0], drawn[1])
    assert not np.array_equal(drawn[0], drawn[2])
    assert "rows=4" in repr(SketchTree(1.0, "ab", (1,), rows=4))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"alphabet": "aab"}, "alphabet must"), ({"alphabet": "a"}, "alphabet must"), ({"lengths": ()}, "lengths must"),
        ({"lengths": (2, 2)}, "lengths must rise"), ({"lengths": (21,)}, "lengths must leave"),
        ({"kept": 2**20}, "lengths must leave"), ({"sigmas": 0.0}, "sigmas must"),
    ],
)  # fmt: skip
def test_bad_trees_are_refused(change, message):
    arguments = {"epsilon": 1.0, "alphabet": "ab", "lengths": (1, 2)} | change
    with pytest.raises(ValueError, match=message):
        PrefixTree(**arguments)


@pytest.mark.parametrize(("made", "sketch"), [(PrefixTree, {}), (SketchTree, {"rows": 16, "width": 64})])
def test_collisions_let_a_sketch_find_words_that_nobody_holds_however_many_people(made, sketch):
    rng, alphabet = np.random.default_rng(0), "abcdefghijklmnop"
    words = sorted({"".join(rng.choice(list(alphabet), 4)) for _ in range(500)})
    shares = 1 / np.arange(1, len(words) + 1)
    asked = made(2.0, alphabet, (1, 2, 3, 4), **sketch)
    found = asked.simulate(words, rng.multinomial(asked.sizes(10**9), shares / shares.sum()), rng=0)[-1].found
    false = len(set(found) - set(words))
    assert false > 40 if sketch else false == 0


def test_a_sketch_hashes_every_prefix_and_has_no_exact_recall():
    made = SketchTree(2.0, "ab", (1, 2), rows=4, width=8)
    assert [type(level) for level in made.levels] == [CountMeanSketch] * 2
    assert made.collect(["ab"] * 900 + ["ba"] * 300, rng=0)[-1].found[0] == "ab"
    with pytest.raises(TypeError, match="oracle must have p and q"):
        made.recall([1.0, 1.0], 100)


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
def test_no_channel_tells_more_of_a_word_than_the_bound_says(epsilon):
    n, words = 10**6, 64
    share = findable_share(epsilon, n, words=words)
    allowed = (0.5 * math.log(words) - math.log(2)) / n  # nats a person
    for oracle in (DirectEncoding, OptimizedUnary, HadamardResponse):
        channel = oracle(epsilon, 5).channel()
        without = channel[1:].mean(axis=0)
        mixed = without + share * (channel[0] - without)
        told = np.sum(mixed * np.log(mixed / without))
        assert 0 < told < allowed
    low = math.exp(-epsilon)  # the most that any two laws differ: one bit
    without, word = np.array([1, low]) / (1 + low), np.array([low, 1]) / (1 + low)
    assert np.sum((word - without) ** 2 / without) == pytest.approx((math.exp(epsilon) - 1) ** 2 / math.exp(epsilon))


def test_the_tree_finds_no_word_below_the_bound():
    made, words = PrefixTree(1.0, "abcd", (2, 4, 6)), 4**6
    for n in (10**4, 10**6, 10**9):
        share = findable_share(1.0, n, words=words)
        assert made.recall([share] * 3, n)[-1] < 0.5
        assert made.recall([min(1.0, 12 * share)] * 3, n)[-1] > 0.9
