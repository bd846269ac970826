"""Checks at the boundary: independent streams for one seed; errors name argument, value and what is allowed."""

import math
from collections import deque
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from ldp_core._validate import (
    check_bool,
    check_callable,
    check_counts,
    check_epsilon,
    check_filled,
    check_int,
    check_interval,
    check_neighbours,
    check_non_negative,
    check_numbers,
    check_option,
    check_positive,
    check_probability,
    check_real,
    check_rng,
    check_scale,
    check_values,
    check_vector,
    is_missing,
    seeded,
    shown,
)


@pytest.mark.parametrize("seed", [0, 1, 12345])
def test_a_seed_does_not_repeat_the_stream_that_made_the_data(seed):
    """The streams of one integer for other uses, and NumPy's own, share no number among the first thousand."""
    uses = ("noise", "data", "hash", "memory", "reports", "assignment", "block")
    draws = [np.random.default_rng(seed), *(check_rng(seed, use) for use in uses)]
    draws += [seeded(seed, "block", 0), *check_rng(seed).spawn(2), np.random.default_rng(seed).spawn(1)[0]]
    numbers = np.concatenate([generator.random(1000) for generator in draws])
    assert len(np.unique(numbers)) == numbers.size
    assert np.array_equal(check_rng(seed).random(5), check_rng(np.int64(seed)).random(5))
    generator = np.random.default_rng(seed)
    assert check_rng(generator) is generator
    assert not np.array_equal(check_rng(None).random(5), check_rng(None).random(5))


@pytest.mark.parametrize("rng", [True, np.bool_(True), 1.5, "1", [1], np.random.RandomState(1)])
def test_what_is_no_source_of_randomness(rng):
    with pytest.raises(TypeError, match=r"rng must be a numpy.random.Generator, an int seed or None, got"):
        check_rng(rng)
    with pytest.raises(ValueError, match="rng must be a non-negative seed, got -1"):
        check_rng(-1)


@pytest.mark.parametrize("value", [10**400, Fraction(10**400), math.inf, math.nan, np.float16("inf"), -math.inf])
def test_real_numbers_are_finite_in_double_precision(value):
    with pytest.raises(ValueError, match="x must be finite"):
        check_real(value, "x")


@pytest.mark.parametrize(
    "value", [True, np.bool_(False), "1", b"1", None, 1j, [1], np.array(1.0), Decimal(1), pd.NA, np.timedelta64(1)]
)
def test_real_numbers_are_numbers(value):
    with pytest.raises(TypeError, match="x must be a real number, got"):
        check_real(value, "x")
    with pytest.raises(TypeError, match="x must be an integer, got"):
        check_int(value, "x", 0)


def test_ranges():
    assert (check_real(Fraction(1, 4), "x"), check_positive(np.float32(2), "x")) == (0.25, 2.0)
    assert (check_int(np.uint8(7), "x", 0), check_int(2**63 - 1, "x", 0)) == (7, 2**63 - 1)
    for bad in (0, -1.0, -1e-320):
        with pytest.raises(ValueError, match="x must be > 0, got"):
            check_positive(bad, "x")
    assert check_non_negative(0, "x") == 0
    with pytest.raises(ValueError, match=r"x must be >= 0, got -0\.5"):
        check_non_negative(-0.5, "x")
    for bad in (0, 1, 1.5, -0.1):
        with pytest.raises(ValueError, match="x must lie strictly between 0 and 1, got"):
            check_probability(bad, "x")
    with pytest.raises(ValueError, match="x must be >= 1, got 0"):
        check_int(0, "x", 1)
    with pytest.raises(ValueError, match="x must be between 1 and 5, got 6"):
        check_int(6, "x", 1, 5)
    with pytest.raises(ValueError, match=r"x must be between 1 and .*, got an integer of 1329 bits"):
        check_int(10**400, "x", 1)


@pytest.mark.parametrize("value", [math.inf, np.float64("inf")])
def test_an_infinite_epsilon_is_allowed_where_it_is_asked_for_only(value):
    assert check_epsilon(value, infinite=True) == math.inf
    with pytest.raises(ValueError, match="epsilon must be finite"):
        check_epsilon(value)


@pytest.mark.parametrize("value", [-math.inf, math.nan, 0, -1.0])
def test_no_privacy_is_infinity_and_nothing_else(value):
    with pytest.raises(ValueError, match="epsilon must be"):
        check_epsilon(value, infinite=True)
    for other in (None, "inf", True):
        with pytest.raises(TypeError, match="epsilon must be a real number"):
            check_epsilon(other, infinite=True)


def test_scales_of_noise():
    assert check_scale(3, 2.0) == 1.5
    assert check_scale(3, 2.0, 4) == 6.0
    for sensitivity, epsilon in ((1.0, 1e-320), (1e300, 1e-3), (1e-320, 1e300)):
        with pytest.raises(ValueError, match="width / epsilon must be > 0 and at most 1e"):
            check_scale(sensitivity, epsilon, name="width")
    for sensitivity, epsilon, name in ((0, 1, "sensitivity"), (1, 0, "epsilon")):
        with pytest.raises(ValueError, match=f"{name} must be > 0"):
            check_scale(sensitivity, epsilon)


def test_public_bounds_are_a_pair_in_order():
    assert check_interval((0, 1)) == (0.0, 1.0)
    assert check_interval(np.array([-1.5, 2])) == (-1.5, 2.0)
    for bad in ({0, 1}, 3, (1,), (1, 2, 3), (1, 1), (2, 1), (0, 1e300), (math.nan, 1)):
        with pytest.raises(ValueError, match="span"):
            check_interval(bad, "span")
    with pytest.raises(TypeError, match=r"bounds\[1\] must be a real number"):
        check_interval((0, "1"))


def test_truth_values_and_options():
    assert check_neighbours("replace") == "replace"
    with pytest.raises(ValueError, match="neighbours must be one of 'add-remove', 'replace', got 'both'"):
        check_neighbours("both")
    assert check_callable(len, "f") is len
    with pytest.raises(TypeError, match="f must be callable, got 5"):
        check_callable(5, "f")
    assert check_bool(np.True_, "flag") is True
    for bad in ("no", 1, 0.0, None):
        with pytest.raises(TypeError, match="flag must be True or False, got"):
            check_bool(bad, "flag")
    assert check_option("a", "way", ("a", "b")) == "a"
    for bad in ("c", None, ["a"], 1):
        with pytest.raises(ValueError, match="way must be one of 'a', 'b', got"):
            check_option(bad, "way", ("a", "b"))


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ([[1, 2], [3]], ValueError),
        ([1, None], ValueError),
        ([1, pd.NA], ValueError),
        ([1.0, math.nan], ValueError),
        ([10**400], ValueError),
        (["a"], TypeError),
        ([b"a"], TypeError),
        ([True], TypeError),
        ([1j], TypeError),
        ([pd.Timestamp(0)], TypeError),
        (np.array(["2020"], dtype="datetime64[Y]"), TypeError),
        (np.zeros(2, dtype=[("a", int)]), TypeError),
        ([object()], TypeError),
        ([True, 10**400], TypeError),
    ],
)
def test_arrays_of_numbers(values, error):
    with pytest.raises(error, match="x must"):
        check_numbers(values, "x")


def test_numbers_of_every_kind_become_floats():
    for values in ([1, 2], (1, 2), range(1, 3), deque([1, 2]), pd.Series([1, 2]), np.array([1, 2], dtype=object)):
        assert check_numbers(values, "x").tolist() == [1.0, 2.0]
    assert check_numbers([Fraction(1, 2), 2**70], "x").tolist() == [0.5, 2.0**70]
    assert check_numbers(3, "x").shape == ()
    with pytest.raises(ValueError, match=r"x must be finite, got nan$"):
        check_numbers(math.nan, "x")
    with pytest.raises(ValueError, match=r"x must be finite, got inf at index \(1, 0\)"):
        check_numbers([[1, 2], [math.inf, math.nan]], "x")
    assert check_values([True, False], "x").tolist() == [1.0, 0.0]
    assert check_values(3, "x", 3).shape == ()
    for bad, allowed in (([], math.inf), ([1, -4], 3)):
        with pytest.raises(ValueError, match="x must"):
            check_values(bad, "x", allowed)
    assert check_filled([[1]], "x").shape == (1, 1)
    with pytest.raises(ValueError, match=r"x must not be empty, got shape \(0,\)"):
        check_filled([], "x")
    assert check_vector([1, 2], "x", 2).tolist() == [1, 2]
    for bad in ([], [[1]], 1.0, [1, 2, 3]):
        with pytest.raises(ValueError, match="x must be"):
            check_vector(bad, "x", 2)


def test_counts_are_kept_to_the_last_digit_and_their_sum_fits():
    large = 2**62 - 1
    assert check_counts([large, 1], "counts", 2).tolist() == [large, 1]
    assert check_counts(np.array([3, 4], dtype=np.float16), "counts", 2).tolist() == [3, 4]
    assert check_counts(np.array([2**53 + 1, 0], dtype=object), "counts", 2).tolist() == [2**53 + 1, 0]
    assert check_counts([2**62, 2**62 - 1], "counts", 2).tolist() == [2**62, 2**62 - 1]
    with pytest.raises(ValueError, match=r"counts must add up to less than 2\*\*63, got 9223372036854775808"):
        check_counts([2**62, 2**62], "counts", 2)
    with pytest.raises(ValueError, match=r"counts must add up to less than 2\*\*63, got 23058430092136939520"):
        check_counts([2**62] * 5, "counts", 5)
    for bad in ([-1, 1], [0.5, 1], [math.nan, 1], [2**63, 0], [2**70, 0], [1], [[1, 2]]):
        with pytest.raises(ValueError, match="counts must"):
            check_counts(bad, "counts", 2)
    for bad in ([True, False], ["a", "b"], [1j, 0]):
        with pytest.raises(TypeError, match="counts must be"):
            check_counts(bad, "counts", 2)


def test_values_are_shown_in_one_short_line():
    class Silent:
        def __repr__(self):
            raise RuntimeError

    assert shown(0.5) == "0.5"
    assert shown(10**5000) == f"an integer of {(10**5000).bit_length()} bits"
    assert shown(np.zeros((3, 4))) == "an array of shape (3, 4) and dtype float64"
    assert len(shown("x" * 10**6)) < 120
    assert "\n" not in shown(pd.DataFrame({"a": range(100)}))
    assert shown(Silent()).startswith(("<Silent", "an object of type Silent"))


def test_missing_values():
    assert all(map(is_missing, [None, math.nan, pd.NA, pd.NaT, np.float32("nan")]))
    assert not any(map(is_missing, [0, "", "nan", False, np.array([1, 2]), object()]))
