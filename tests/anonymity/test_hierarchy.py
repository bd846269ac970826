"""Hierarchies merge whole classes, and losses count what a value may stand for."""

import itertools
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ldp_book.anonymity import (
    Hierarchy,
    by_digits,
    by_prefix,
    by_tree,
    by_width,
    clip,
    generalize,
    information_loss,
    is_k_anonymous,
    suppress,
)

TREE = by_tree({"a": "ab", "b": "ab", "c": "cd", "d": "cd", "e": "e"}, {"ab": "a-d", "cd": "a-d", "e": "e"})
HIERARCHIES = {
    "digits": (by_digits(3), pd.Series([-1, -10, 0, 9, 10, 99, 100, 1234])),
    "width": (by_width(5, 10, 40), pd.Series([-7, 0, 4, 5, 9.5, 40])),
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


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint64, np.int64, "Int8", "UInt64", "Int64"])
def test_whole_numbers_neither_wrap_nor_overflow(dtype):
    info = np.iinfo(str(dtype).lower() if isinstance(dtype, str) else dtype)
    column = pd.Series([info.min, 0, 7, info.max], dtype=dtype)
    for level in (1, 3):
        width = 10**level
        lower = by_digits(3).apply(column, level)
        assert lower.tolist() == [int(v) // width * width for v in (info.min, 0, 7, info.max)]


@pytest.mark.parametrize("width", [0.1, 0.2, 0.7, 1e-3])
def test_numbers_mean_what_they_say_in_decimal(width):
    """Every multiple of a width begins an interval, although few doubles are multiples of another."""
    written = [float(f"{width * i:.6f}") for i in range(60)]
    assert by_width(width).apply(pd.Series(written), 1).tolist() == written


@pytest.mark.parametrize("name", HIERARCHIES)
def test_hierarchies_can_be_sent_compared_and_hashed(name):
    hierarchy, values = HIERARCHIES[name]
    copy = pickle.loads(pickle.dumps(hierarchy))
    assert copy == hierarchy
    assert hash(copy) == hash(hierarchy)
    for level in range(hierarchy.depth + 1):
        pd.testing.assert_series_equal(copy.apply(values, level), hierarchy.apply(values, level))
    assert hierarchy != Hierarchy(())


def test_missing_values_stay_missing_below_the_top():
    assert by_tree({"a": "x"}).apply(pd.Series(["a", None]), 1).isna().tolist() == [False, True]
    assert by_digits(1).apply(pd.Series([11, np.nan]), 1).tolist()[0] == 10
    assert by_prefix(2).apply(pd.Series(["11", None]), 1).isna().tolist() == [False, True]


def test_generalize_changes_only_what_it_is_told_to():
    frame = pd.DataFrame({"age": [42, 57], "zip": ["64152", "61523"], "sex": ["m", "f"]}, index=[5, 9])
    before = frame.copy()
    coarse = generalize(
        frame, {"age": 1, "zip": 2}, hierarchies={"age": by_digits(2), "zip": by_prefix(5), "sex": TREE}
    )
    pd.testing.assert_frame_equal(frame, before)
    assert coarse.index.tolist() == [5, 9]
    assert coarse["age"].tolist() == [40, 50]
    assert coarse["zip"].tolist() == ["641**", "615**"]
    assert coarse["sex"].tolist() == ["m", "f"]


def test_clip_moves_outliers_and_keeps_rows():
    frame = pd.DataFrame({"age": [17, 39, 90], "hours": [1, 40, 99]})
    assert clip(frame, {"age": (20, 60)}).to_numpy().tolist() == [[20, 1], [39, 40], [60, 99]]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=30), st.integers(1, 5))
def test_suppress_leaves_exactly_the_large_classes(rows, k):
    frame = pd.DataFrame(rows, columns=["a", "b"])
    kept = suppress(frame, k)
    assert kept.index.tolist() == [i for i, row in enumerate(rows) if rows.count(row) >= k]
    assert len(kept) == 0 or is_k_anonymous(kept, k)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=30), st.data())
def test_information_loss_like_a_loop(rows, data):
    frame = pd.DataFrame(rows, columns=["a", "b"])
    levels = {"a": data.draw(st.integers(0, 3)), "b": data.draw(st.integers(0, 3))}
    kept = data.draw(st.lists(st.sampled_from(range(len(rows))), unique=True, min_size=0, max_size=len(rows)))
    hierarchies = {"a": by_digits(2), "b": by_width(2, 4)}
    # the released table stands for what it could have been made from: of the kept rows
    released = generalize(frame, levels, hierarchies=hierarchies).loc[kept]
    expected = []
    for i, column in itertools.product(range(len(rows)), ("a", "b")):
        if i not in kept:
            expected.append(1)
            continue
        stands_for = {frame[column][j] for j in kept if released[column][j] == released[column][i]}
        values = frame[column].nunique()
        expected.append((len(stands_for) - 1) / (values - 1) if values > 1 else 0)
    assert information_loss(frame, released) == pytest.approx(np.mean(expected))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda f: by_prefix(2).apply(f["s"], 1), ValueError, "2 characters"),
        (lambda f: by_tree({"x": "y"}).apply(f["s"], 1), ValueError, "'z'"),
        (lambda f: by_digits(1).apply(f["s"], 1), TypeError, "numbers"),
        (lambda f: by_digits(1).apply(f["a"], 3), ValueError, "level"),
        (lambda f: Hierarchy((len,)).apply(f["a"], 1), TypeError, "steps must return a Series"),
        (lambda f: by_digits(1).apply(f["a"] > 1, 1), TypeError, "'a' must hold real numbers"),
        (lambda f: by_tree({"x": "y"}).apply(pd.Series([["x"]], name="s"), 1), TypeError, "'s' must hold values"),
        (lambda f: generalize(f, {"a": 1}, hierarchies={"s": TREE}), ValueError, "'a'"),
        (lambda f: suppress(f.assign(a=[[1], [2]]), 1), TypeError, "'a' must hold values that can be told apart"),
        (lambda f: suppress(pd.concat([f, f], axis=1), 1), ValueError, "'a' twice"),
        (lambda f: suppress(pd.concat({"x": f}, axis=1), 1), ValueError, "one level of column names"),
        (lambda f: information_loss(f, f.set_axis([7, 8])), ValueError, "index"),
        (lambda f: information_loss(f.set_axis([7, 7]), f), ValueError, "twice"),
    ],
)
def test_bad_arguments(call, error, message):
    with pytest.raises(error, match=message):
        call(pd.DataFrame({"a": [1, 2], "s": ["z", "z"]}))
