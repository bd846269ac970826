"""k, ℓ and t agree with a plain loop over rows and with published examples."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ldp_book.anonymity import anonymity_level, class_sizes, is_k_anonymous, l_diversity, t_closeness

cells = st.tuples(st.integers(0, 2), st.sampled_from(["f", "m", None]), st.integers(0, 3))
tables = st.lists(cells, min_size=1, max_size=30).map(
    lambda rows: pd.DataFrame(rows, columns=["age", "sex", "illness"]).astype({"sex": object})
)


def textbook(frame, k):
    """One query for each row, as in the textbook (columns of numbers only)."""
    for _, row in frame.iterrows():
        query = " & ".join(f"`{column}`=={row[column]}" for column in frame.columns)
        if len(frame.query(query)) < k:
            return False
    return True


@settings(max_examples=30, deadline=None)
@given(tables)
def test_class_sizes_count_like_a_loop(frame):
    rows = [(a, b if isinstance(b, str) else None) for a, b in zip(frame["age"], frame["sex"], strict=True)]
    expected = [rows.count(row) for row in rows]
    assert class_sizes(frame, ["age", "sex"]).tolist() == expected
    assert anonymity_level(frame, ["age", "sex"]) == min(expected)
    for k in (1, min(expected), min(expected) + 1):
        assert is_k_anonymous(frame, k, quasi_identifiers=["age", "sex"]) == (min(expected) >= k)


def test_many_columns_do_not_overflow_the_codes():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 5_000, size=(3_000, 12)))
    doubled = pd.concat([frame, frame.iloc[:10]])
    assert np.bincount(class_sizes(doubled)).tolist() == [0, 2_990, 20]


@settings(max_examples=30, deadline=None)
@given(tables)
def test_l_and_t_like_a_loop(frame):
    quasi = ["age", "sex"]
    values = sorted(frame["illness"].unique())
    whole = np.array([np.mean(frame["illness"] == v) for v in values])
    distinct, entropy, equal, ordered = [], [], [], []
    for _, group in frame.groupby(quasi, dropna=False):
        shares = np.array([np.mean(group["illness"] == v) for v in values])
        distinct.append(group["illness"].nunique())
        entropy.append(math.exp(stats.entropy(shares)))
        equal.append(np.abs(shares - whole).sum() / 2)
        # earth mover's distance on ranks 0..m−1, in units of their range
        ranks = np.arange(len(values))
        ordered.append(stats.wasserstein_distance(ranks, ranks, shares, whole) / max(len(values) - 1, 1))
    assert l_diversity(frame, quasi, sensitive="illness") == min(distinct)
    assert l_diversity(frame, quasi, sensitive="illness", kind="entropy") == pytest.approx(min(entropy))
    assert t_closeness(frame, quasi, sensitive="illness") == pytest.approx(max(equal), abs=1e-12)
    assert t_closeness(frame, quasi, sensitive="illness", distance="ordered") == pytest.approx(max(ordered), abs=1e-12)


def test_t_closeness_of_the_salaries_in_the_paper_that_proposed_it():
    """Li, Li and Venkatasubramanian, section 4.1: of 3k…11k, {3, 4, 5}k is at 0.375 and {6, 8, 11}k at 0.167."""
    frame = pd.DataFrame({"salary": range(3, 12)})
    for members, t in (([3, 4, 5], 0.375), ([6, 8, 11], 1 / 6)):
        split = frame.assign(place=frame["salary"].isin(members))
        inside = t_closeness(split, ["place"], sensitive="salary", distance="ordered")
        # the six others are always half as far away: what is moved out of the three is moved into the six
        assert inside == pytest.approx(t)
