"""Attacks find what a plain loop finds."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ldp_book.anonymity import difference, link, uniqueness

small = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["f", "m", None])), min_size=1, max_size=30)


def table(rows):
    return pd.DataFrame(rows, columns=["age", "sex"]).astype({"sex": object})


@settings(max_examples=30, deadline=None)
@given(small)
def test_uniqueness_counts_like_a_loop(rows):
    found = uniqueness(table(rows), ["age", "sex"])
    sizes = {row: rows.count(row) for row in rows}
    assert (found.rows, found.classes) == (len(rows), len(sizes))
    assert found.unique == sum(size == 1 for size in sizes.values())
    assert found.smallest == min(sizes.values())
    assert found.sizes.tolist() == sorted(sizes.values())
    assert found.share == found.unique / len(rows)
    assert found.expected_candidates == pytest.approx(np.mean([rows.count(row) for row in rows]))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=20), st.lists(st.integers(0, 5), min_size=1, max_size=20))
def test_link_counts_candidates_like_a_loop(known, released):
    register = pd.DataFrame(
        {"name": [f"P{i}" for i in range(len(known))], "zip": known}, index=range(7, 7 + len(known))
    )
    data = pd.DataFrame({"zip": released, "income": range(len(released))})
    found = link(register, data, on=["zip"])
    assert found.candidates.tolist() == [released.count(value) for value in known]
    assert found.identified == sum(released.count(value) == 1 for value in known)
    assert found.rate == found.identified / len(known)
    pairs = {(name, income) for name, income in zip(found.matches["name"], found.matches["income"], strict=True)}
    assert pairs == {(f"P{i}", j) for i, a in enumerate(known) for j, b in enumerate(released) if a == b}
    assert (found.matches["known_row"] == found.matches["name"].str[1:].astype(int)).all()


def test_link_keeps_both_versions_of_a_shared_column():
    found = link(pd.DataFrame({"zip": [1], "age": [30]}), pd.DataFrame({"zip": [1], "age": [31]}), on=["zip"])
    assert found.matches[["age_known", "age_released"]].to_numpy().tolist() == [[30, 31]]


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=30), st.data())
def test_difference_of_sums_is_the_persons_value(values, data):
    victim = data.draw(st.integers(0, len(values) - 1))
    frame = pd.DataFrame({"income": values})
    person = np.arange(len(values)) == victim
    assert difference(frame, lambda rows: rows["income"].sum(), person=person) == values[victim]
    found = difference(frame, lambda rows: len(rows) * rows["income"].mean(), person=pd.Series(person))
    assert found == pytest.approx(values[victim], abs=1e-8)
