"""Hierarchies merge whole classes, and losses count what a value may stand for."""

import doctest
import importlib
import itertools
import pkgutil

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ldp_core.anonymity
from ldp_core.anonymity import (
    Hierarchy,
    anonymity_level,
    by_digits,
    by_prefix,
    by_tree,
    by_width,
    class_sizes,
    clip,
    generalise,
    information_loss,
    is_k_anonymous,
    search,
    suppress,
)

TREE = by_tree({"a": "ab", "b": "ab", "c": "cd", "d": "cd", "e": "e"}, {"ab": "a-d", "cd": "a-d", "e": "e"})
HIERARCHIES = {
    "digits": (by_digits(3), pd.Series([-1, -10, 0, 9, 10, 99, 100, 1234])),
    "width": (by_width(5, 10, 40, origin=3), pd.Series([-4, 3, 7, 8, 12.5, 43])),
    "prefix": (by_prefix(3), pd.Series(["000", "001", "010", "900", "999"])),
    "tree": (TREE, pd.Series(list("abcde"))),
    "tree of categories": (TREE, pd.Series(list("abcde"), dtype="category")),
}


@pytest.mark.parametrize("name", HIERARCHIES)
def test_each_level_merges_whole_classes(name):
    hierarchy, values = HIERARCHIES[name]
    levels = [hierarchy.apply(values, level).astype(str).tolist() for level in range(hierarchy.depth + 1)]
    assert levels[0] == values.astype(str).tolist()
    assert set(levels[-1]) == {"*"}
    for fine, coarse in itertools.pairwise(levels):
        assert len({*zip(fine, coarse, strict=True)}) == len(set(fine))
        assert len(set(coarse)) <= len(set(fine))


@given(st.integers(-(10**9), 10**9), st.integers(1, 9))
def test_digits_round_down(number, digits):
    (lower,) = by_digits(digits).apply(pd.Series([number]), digits)
    assert lower % 10**digits == 0
    assert lower <= number < lower + 10**digits


@given(st.integers(-1000, 1000), st.integers(-50, 50), st.integers(1, 60))
def test_width_gives_the_lower_end_of_the_interval(number, origin, width):
    (lower,) = by_width(width, origin=origin).apply(pd.Series([number]), 1)
    assert lower <= number < lower + width
    assert (lower - origin) % width == 0


def test_missing_values_stay_missing_below_the_top():
    assert by_tree({"a": "x"}).apply(pd.Series(["a", None]), 1).isna().tolist() == [False, True]
    assert by_digits(1).apply(pd.Series([11, np.nan]), 1).tolist()[0] == 10
    assert by_prefix(2).apply(pd.Series(["11", None], dtype="str"), 1).isna().tolist() == [False, True]


def test_generalise_changes_only_what_it_is_told_to():
    frame = pd.DataFrame({"age": [42, 57], "zip": ["64152", "61523"], "sex": ["m", "f"]}, index=[5, 9])
    before = frame.copy()
    coarse = generalise(frame, {"age": 1, "zip": 2}, {"age": by_digits(2), "zip": by_prefix(5), "sex": TREE})
    pd.testing.assert_frame_equal(frame, before)
    assert coarse.index.tolist() == [5, 9]
    assert coarse["age"].tolist() == [40, 50]
    assert coarse["zip"].tolist() == ["641**", "615**"]
    assert coarse["sex"].tolist() == ["m", "f"]


def test_clip_moves_outliers_and_keeps_rows():
    frame = pd.DataFrame({"age": [17, 39, 90], "hours": [1, 40, 99]})
    assert clip(frame, {"age": (20, 60)}).to_numpy().tolist() == [[20, 1], [39, 40], [60, 99]]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=30), st.integers(1, 5))
def test_suppress_leaves_exactly_the_large_classes(rows, k):
    frame = pd.DataFrame(rows, columns=["a", "b"])
    kept = suppress(frame, k)
    assert kept.index.tolist() == [i for i, row in enumerate(rows) if rows.count(row) >= k]
    assert len(kept) == 0 or is_k_anonymous(kept, k)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=30), st.data())
def test_information_loss_like_a_loop(rows, data):
    frame = pd.DataFrame(rows, columns=["a", "b"])
    levels = {"a": data.draw(st.integers(0, 3)), "b": data.draw(st.integers(0, 3))}
    kept = data.draw(st.lists(st.sampled_from(range(len(rows))), unique=True, min_size=0, max_size=len(rows)))
    hierarchies = {"a": by_digits(2), "b": by_width(2, 4)}
    # the released table stands for what it could have been made from: of the kept rows
    released = generalise(frame, levels, hierarchies).loc[kept]
    expected = []
    for i, column in itertools.product(range(len(rows)), ("a", "b")):
        if i not in kept:
            expected.append(1)
            continue
        stands_for = {frame[column][j] for j in kept if released[column][j] == released[column][i]}
        values = frame[column].nunique()
        expected.append((len(stands_for) - 1) / (values - 1) if values > 1 else 0)
    assert information_loss(frame, released) == pytest.approx(np.mean(expected))


def test_loss_at_the_ends():
    frame = pd.DataFrame({"a": [1, 2, 3], "b": [5, 5, 5]})
    assert information_loss(frame, frame) == 0
    assert information_loss(frame, generalise(frame, {"a": 1}), ["a"]) == 1
    assert information_loss(frame, frame.iloc[:0]) == 1


# ---- the search ------------------------------------------------------------------------------------------------------

people = st.lists(
    st.tuples(st.integers(0, 30), st.sampled_from(list("abcde")), st.integers(0, 5)), min_size=1, max_size=40
).map(lambda rows: pd.DataFrame(rows, columns=["age", "school", "hours"]))


@settings(max_examples=80, deadline=None)
@given(people, st.data())
def test_search_finds_what_trying_everything_finds(frame, data):
    hierarchies = {"age": by_width(5, 10), "school": TREE, "hours": by_width(2)}
    k = data.draw(st.integers(1, len(frame)))
    allowed = data.draw(st.sampled_from([0, 0, 1, 3, len(frame)]))
    found = search(frame, hierarchies, k, max_suppressed=allowed)

    losses, reaching = {}, []
    for node in itertools.product(range(4), range(4), range(3)):
        coarse = generalise(frame, dict(zip(hierarchies, node, strict=True)), hierarchies)
        kept = class_sizes(coarse) >= k
        if (~kept).sum() <= allowed:
            reaching.append(node)
            cell = np.mean([_losses(frame[c], coarse[c]) for c in hierarchies], axis=0)
            losses[node] = np.where(kept, cell, 1.0).mean()
    best = min(losses.values())
    levels = tuple(found.levels.values())
    assert found.loss == pytest.approx(best)
    assert losses[levels] == pytest.approx(best)
    assert found.combinations == 48
    assert found.checked <= 48
    minimal = {
        node for node in reaching if not any(other != node and np.all(np.array(other) <= node) for other in reaching)
    }
    assert {tuple(each.values()) for each in found.minimal} == minimal
    released = suppress(generalise(frame, found.levels, hierarchies), k)
    assert len(frame) - len(released) == found.suppressed <= allowed
    assert len(released) == 0 or anonymity_level(released) >= k
    if found.suppressed == 0:
        assert information_loss(frame, released) == pytest.approx(found.loss)


def _losses(before, after):
    values = before.nunique()
    stands_for = before.groupby(after.to_numpy()).nunique()
    return np.zeros(len(before)) if values == 1 else (stands_for[after.to_numpy()].to_numpy() - 1) / (values - 1)


def test_search_asks_about_few_combinations():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.integers(0, 64, size=2_000) for name in "abcd"})
    hierarchies = {name: by_width(2, 4, 8, 16, 32) for name in "abcd"}
    found = search(frame, hierarchies, 5)
    assert found.combinations == 7**4
    assert found.checked < found.combinations / 4


def test_a_hierarchy_that_splits_a_class_is_refused():
    crossing = Hierarchy((lambda column: column // 2, lambda column: column // 3))
    with pytest.raises(ValueError, match="level 2 of 'age' splits one"):
        search(pd.DataFrame({"age": range(12)}), {"age": crossing}, 2)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda f: by_digits(0), ValueError, "digits"),
        (lambda f: by_width(), ValueError, "at least one width"),
        (lambda f: by_width(0), ValueError, "> 0"),
        (lambda f: by_width(4, 6), ValueError, "multiples"),
        (lambda f: by_width(4, 4), ValueError, "multiples"),
        (lambda f: by_width(4, origin="x"), TypeError, "origin"),
        (lambda f: by_prefix(0), ValueError, "length"),
        (lambda f: by_prefix(2).apply(f["s"], 1), ValueError, "2 characters"),
        (lambda f: by_tree(), ValueError, "at least one map"),
        (lambda f: by_tree({"x": "y"}).apply(f["s"], 1), ValueError, "'z'"),
        (lambda f: by_digits(1).apply(f["s"], 1), TypeError, "numbers"),
        (lambda f: by_digits(1).apply(f["a"], 3), ValueError, "level"),
        (lambda f: generalise(f, {}), ValueError, "at least one"),
        (lambda f: generalise(f, {"q": 1}), ValueError, "'q'"),
        (lambda f: generalise(f, {"a": -1}), ValueError, "level of 'a'"),
        (lambda f: generalise(f, {"a": 1}, {"s": TREE}), ValueError, "'a'"),
        (lambda f: clip(f, {"a": (3, 1)}), ValueError, "in order"),
        (lambda f: clip(f, {"a": (0, np.inf)}), ValueError, "upper bound"),
        (lambda f: suppress(f, 0), ValueError, "k must be"),
        (lambda f: information_loss(f, f.drop(columns="a")), ValueError, "'a'"),
        (lambda f: information_loss(f, f.set_axis([7, 8])), ValueError, "index"),
        (lambda f: information_loss(f.set_axis([7, 7]), f), ValueError, "twice"),
        (lambda f: information_loss(f, None), TypeError, "released"),
        (lambda f: search(f, {"a": by_digits(1)}, 3), ValueError, "at most the number of rows, 2"),
        (lambda f: search(f, {"q": by_digits(1)}, 1), ValueError, "'q'"),
        (lambda f: search(f, {"a": by_digits(1)}, 1, max_suppressed=-1), ValueError, "max_suppressed"),
        (
            lambda f: search(f.assign(**dict.fromkeys("bcdefg", 1)), dict.fromkeys("abcdefg", by_digits(15)), 1),
            ValueError,
            "100,000",
        ),
    ],
)
def test_bad_arguments(call, error, message):
    with pytest.raises(error, match=message):
        call(pd.DataFrame({"a": [1, 2], "s": ["z", "z"]}))


@pytest.mark.parametrize(
    "module", sorted(info.name for info in pkgutil.iter_modules(ldp_core.anonymity.__path__, "ldp_core.anonymity."))
)
def test_examples_in_the_documentation(module):
    assert doctest.testmod(importlib.import_module(module)).failed == 0
