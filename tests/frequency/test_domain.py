"""Values in, codes out: whatever container and type they come in."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_core.frequency import DirectEncoding, RandomizedResponse


@pytest.mark.parametrize(
    ("domain", "values", "codes"),
    [
        (4, [0, 3, 1], [0, 3, 1]),
        (4, np.array([2.0, 0.0]), [2, 0]),
        (["b", "a", "c"], ["a", "c", "b", "a"], [1, 2, 0, 1]),
        (["b", "a"], pd.Series(["a", "b"]), [1, 0]),
        (["b", "a"], pd.Series(["a", "b"], dtype="category"), [1, 0]),
        (["b", "a"], np.array(["a", "b"], dtype=object), [1, 0]),
        (range(10, 101), [10, 100, 55], [0, 90, 45]),
        (np.array([0.5, 0.25]), [0.25, 0.5], [1, 0]),
        ([30, 10, 20], [10.0, 30.0], [1, 0]),
        ((False, True), [True, False, True], [1, 0, 1]),
        ((False, True), [1, 0], [1, 0]),
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
def test_encode_inverts_indexing(domain, data):
    codes = data.draw(st.lists(st.integers(0, len(domain) - 1), min_size=1, max_size=30))
    np.testing.assert_array_equal(DirectEncoding(1.0, domain).encode([domain[c] for c in codes]), codes)


@pytest.mark.parametrize(
    ("domain", "values", "words"),
    [
        (4, [4], r"values .*between 0 and 3.*got 4 at index 0"),
        (4, [0, -1], "got -1 at index 1"),
        (4, [0.0, math.nan], "got nan at index 1"),
        (["a", "b"], ["a", "z"], r"domain \{'a', 'b'\}, got 'z' at index 1"),
        (["a", "b"], ["a", None], "missing, got None at index 1"),
        (["a", "b"], pd.Series(["a", None, "b"]), "missing"),
        (["a", "b"], pd.Series(["a", pd.NA], dtype="object"), "missing"),
        ([10, 20], [10, math.nan], "got nan at index 1"),
        (["a", "b"], [], "not empty"),
        (["a", "b"], [["a"]], "one-dimensional"),
    ],
)
def test_values_outside(domain, values, words):
    with pytest.raises(ValueError, match=words):
        DirectEncoding(1.0, domain).encode(values)


@pytest.mark.parametrize(("domain", "values"), [(["a", "b"], [1, 2]), ([1, 2], ["1", "2"]), (4, ["1"]), (4, [1j])])
def test_values_of_another_type(domain, values):
    with pytest.raises(TypeError, match="values"):
        DirectEncoding(1.0, domain).encode(values)


@pytest.mark.parametrize("domain", [1, 0, -3, [], ["a"], ["a", "a"], [1, 1.0], ["a", None], [1.0, math.nan]])
def test_bad_domain(domain):
    with pytest.raises(ValueError, match="domain"):
        DirectEncoding(1.0, domain)


@pytest.mark.parametrize("domain", ["abc", 2.0, None, True, ["a", 1], [(1, 2), (3, 4)]])
def test_domain_of_wrong_type(domain):
    with pytest.raises(TypeError, match="domain"):
        DirectEncoding(1.0, domain)


def test_repr_is_how_to_make_it():
    assert repr(DirectEncoding(0.5, 14)) == "DirectEncoding(epsilon=0.5, domain=14)"
    assert repr(DirectEncoding(0.5, ["x", "y"])) == "DirectEncoding(epsilon=0.5, domain=['x', 'y'])"
    assert repr(RandomizedResponse(2)) == "RandomizedResponse(epsilon=2)"
