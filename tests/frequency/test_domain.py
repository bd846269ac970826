"""Values in, codes out: whatever container and type they come in."""

import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ldp_core.frequency import DirectEncoding, OptimizedUnary

BIG = 2**53


@pytest.mark.parametrize(
    ("domain", "values", "codes"),
    [
        (4, np.array([2.0, 0.0]), [2, 0]),
        (["b", "a", "c"], ["a", "c", "b", "a"], [1, 2, 0, 1]),
        (["b", "a"], pd.Series(["a", "b"], dtype="category"), [1, 0]),
        (["b", "a"], np.array(["a", "b"], dtype=object), [1, 0]),
        (range(10, 101), [10, 100, 55], [0, 90, 45]),
        (np.array([0.5, 0.25]), [0.25, 0.5], [1, 0]),
        ((False, True), [True, False, True], [1, 0, 1]),
        ((False, True), [1, 0], [1, 0]),
        # No two values are confused.
        ([BIG, BIG + 1], np.array([BIG + 1], dtype=object), [1]),
        ([BIG, BIG + 1], [BIG + 1, BIG], [1, 0]),
        ([BIG, BIG + 1, 0.5], [BIG + 1, BIG], [1, 0]),
        ([BIG, BIG + 1, 0.5], [BIG + 1, 0.5, BIG], [1, 2, 0]),
        ([BIG, BIG + 1], np.array([BIG + 1, BIG], dtype=np.uint64), [1, 0]),
        (np.array([2**63, 2**63 + 2**10], dtype=np.uint64), [2**63 + 2**10], [1]),
        ([10**30, 10**30 + 1, -1], [-1, 10**30 + 1, 10**30], [2, 1, 0]),
        ([True, 0.5, 7], [7, 1, 0.5], [2, 0, 1]),
        (["a", "a\0"], ["a\0", "a"], [1, 0]),
        (["a", "a\0"], np.array(["a\0", "a"], dtype=object), [1, 0]),
        (["a", "a\0", "\0"], pd.Series(["\0", "a\0"]), [2, 1]),
    ],
)
def test_encode(domain, values, codes):
    encoded = DirectEncoding(1.0, domain).encode(values)
    assert encoded.dtype == np.int64
    np.testing.assert_array_equal(encoded, codes)


@given(
    st.lists(st.text(max_size=5).filter(lambda s: not s.endswith("\0")), min_size=2, max_size=20, unique=True),
    st.data(),
)
@settings(max_examples=40, deadline=None)
def test_encode_inverts_indexing(domain, data):
    codes = data.draw(st.lists(st.integers(0, len(domain) - 1), min_size=1, max_size=30))
    np.testing.assert_array_equal(DirectEncoding(1.0, domain).encode([domain[c] for c in codes]), codes)


@pytest.mark.parametrize(
    ("domain", "values", "words"),
    [
        (4, [4], r"values .*between 0 and 3.*got 4 at index 0"),
        (4, [0.0, math.nan], "got nan at index 1"),
        (["a", "b"], ["a", "z"], r"domain \{'a', 'b'\}, got 'z' at index 1"),
        (["a", "b"], ["a", None], "missing, got None at index 1"),
        (["a", "b"], pd.Series(["a", None, "b"]), "missing"),
        (["a", "b"], pd.Series(["a", pd.NA], dtype="object"), "missing"),
        ([10, 20], [10, math.nan], "got nan at index 1"),
        (["a", "b"], [], "not empty"),
        (["a", "b"], [["a"]], "one-dimensional"),
        # Neighbours of a category.
        ([BIG - 1, 0.5], [BIG + 1], "in the domain"),
        ([BIG, 0.5], np.array([BIG + 1]), "in the domain"),
        ([BIG, 7], np.array([BIG + 1], dtype=np.uint64), "in the domain"),
        ([float(BIG), 0.5], np.array([BIG + 1]), "in the domain"),
        ([10**30, 1], [10**30 + 1], "in the domain"),
        ([1, 2], np.array([10**400, 1], dtype=object), "in the domain"),
        (["a", "b"], ["a\0"], "in the domain"),
        (["a", "b"], np.array(["a", "b\0"], dtype=object), "in the domain"),
    ],
)
def test_values_outside(domain, values, words):
    with pytest.raises(ValueError, match=words):
        DirectEncoding(1.0, domain).encode(values)


@pytest.mark.parametrize(("domain", "values"), [(["a", "b"], [1, 2]), ([1, 2], ["1", "2"]), (4, ["1"]), (4, [1j])])
def test_values_of_another_type(domain, values):
    with pytest.raises(TypeError, match="values"):
        DirectEncoding(1.0, domain).encode(values)


@pytest.mark.parametrize(
    "domain", [{"a", "b"}, {"a": 1, "b": 2}, iter("ab"), np.ma.array([1, 2, 3], mask=[0, 1, 0]), b"ab"]
)
def test_domain_without_an_order_of_its_own(domain):
    """Devices and server must number the categories alike: a set's order changes from process to process."""
    with pytest.raises(TypeError, match="domain must be an integer or a sequence"):
        DirectEncoding(1.0, domain)


@pytest.mark.parametrize(
    ("domain", "error", "words"),
    [
        (1, ValueError, "domain must be between 2"),
        (["a"], ValueError, "domain must have between 2"),
        ([1, 1.0], ValueError, "domain"),
        ([1.0, math.nan], ValueError, "domain must not contain missing values"),
        (2.0, TypeError, "domain must be an integer or a sequence"),
        (["a", 1], TypeError, "domain must be all numbers or all strings"),
        ([pd.NA, "a"], ValueError, "domain must not contain missing values, got <NA> at index 0"),
        ([[1, 2], [3, 4]], TypeError, "domain must be all numbers or all strings"),
        (np.eye(2), ValueError, "domain must be one-dimensional"),
        (2**24 + 1, ValueError, "domain must be between 2 and 16777216"),
        (10**400, ValueError, "domain must be between 2 and 16777216"),
        (range(10**12), ValueError, "domain must have between 2 and 16777216 categories, got 1000000000000"),
        (np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[D]"), TypeError, "all numbers or all strings"),
        ([1 + 0j, 2], TypeError, "all numbers or all strings"),
    ],
)
def test_domain_errors_say_what_is_wrong(domain, error, words):
    with pytest.raises(error, match=words):
        DirectEncoding(1.0, domain)


def test_largest_domain():
    oracle = OptimizedUnary(1.0, 2**24)
    assert (oracle.d, oracle.encode([2**24 - 1]).tolist()) == (2**24, [2**24 - 1])
    assert len(pickle.dumps(oracle)) < 1_000


@pytest.mark.parametrize("domain", [3, [0, 1, 2]])
def test_codes_are_not_the_caller_s_array(domain):
    values = np.array([0, 1, 2])
    assert not np.shares_memory(DirectEncoding(1.0, domain).encode(values), values)
