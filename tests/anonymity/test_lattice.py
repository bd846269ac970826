"""The search of the lattice of levels finds what trying every combination finds."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ldp_book.anonymity import (
    Hierarchy,
    anonymity_level,
    by_digits,
    by_tree,
    by_width,
    generalize,
    information_loss,
    search,
    suppress,
)

TREE = by_tree({"a": "ab", "b": "ab", "c": "cd", "d": "cd", "e": "e"}, {"ab": "a-d", "cd": "a-d", "e": "e"})

people = st.lists(
    st.tuples(st.integers(0, 30), st.sampled_from(list("abcde")), st.integers(0, 5)), min_size=1, max_size=40
).map(lambda rows: pd.DataFrame(rows, columns=["age", "school", "hours"]))


def try_everything(frame, hierarchies, k, allowed):
    """The loss of the release that each allowed combination gives, by the combination's levels."""
    losses = {}
    for node in itertools.product(*(range(h.depth + 1) for h in hierarchies.values())):
        coarse = generalize(frame, dict(zip(hierarchies, node, strict=True)), hierarchies=hierarchies)
        released = suppress(coarse, k, quasi_identifiers=list(hierarchies))
        if len(frame) - len(released) <= allowed:
            losses[node] = information_loss(frame, released, columns=list(hierarchies))
    return losses


def check_search(frame, hierarchies, k, allowed):
    """What is found is the first of the least losses, and its loss is that of the release."""
    found = search(frame, hierarchies, k=k, max_suppressed=allowed)
    losses = try_everything(frame, hierarchies, k, allowed)
    best = min(losses.values())
    assert tuple(found.levels.values()) == min(node for node in losses if losses[node] <= best + 1e-12)
    released = suppress(
        generalize(frame, found.levels, hierarchies=hierarchies), k, quasi_identifiers=list(hierarchies)
    )
    assert found.loss == pytest.approx(information_loss(frame, released, columns=list(hierarchies)), abs=1e-12)
    assert len(frame) - len(released) == found.suppressed <= allowed
    assert len(released) == 0 or anonymity_level(released, list(hierarchies)) >= k
    assert found.combinations == math.prod(h.depth + 1 for h in hierarchies.values())
    assert found.checked <= found.combinations
    minimal = [
        node for node in losses if not any(other != node and np.all(np.array(other) <= node) for other in losses)
    ]
    minimal.sort(key=lambda node: (round(losses[node], 12), node))
    assert [tuple(each.values()) for each in found.minimal] == minimal


@settings(max_examples=20, deadline=None)
@given(people, st.data())
def test_search_finds_what_trying_everything_finds(frame, data):
    hierarchies = {"age": by_width(5, 10), "school": TREE, "hours": by_width(2)}
    k = data.draw(st.integers(1, len(frame)))
    check_search(frame, hierarchies, k, data.draw(st.sampled_from([0, 0, 1, 3, len(frame)])))


@pytest.mark.parametrize("seed", range(20))
def test_search_with_suppression_on_random_tables(seed):
    """Small tables with many values, where leaving people out also takes away values that a cell may stand for."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 14))
    frame = pd.DataFrame({"a": rng.integers(0, 6, size=n), "b": rng.integers(0, 9, size=n)})
    hierarchies = {"a": Hierarchy(()), "b": by_width(2, 4)}
    check_search(frame, hierarchies, int(rng.integers(1, min(n, 5) + 1)), int(rng.integers(0, n + 1)))


def test_a_hierarchy_that_splits_a_class_is_refused():
    crossing = Hierarchy((lambda column: column // 2, lambda column: column // 3))
    with pytest.raises(ValueError, match="level 2 of 'age' splits one"):
        search(pd.DataFrame({"age": range(12)}), {"age": crossing}, k=2)


def test_more_combinations_than_can_be_tried_are_refused():
    with pytest.raises(ValueError, match="100,000"):
        search(pd.DataFrame([[1] * 7], columns=list("abcdefg")), dict.fromkeys("abcdefg", by_digits(15)), k=1)
