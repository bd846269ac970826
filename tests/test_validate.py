"""Checks at the boundary: independent streams for one seed, whole counts, values in a line. See test_fuzz.py, too."""

import math

import numpy as np
import pandas as pd
import pytest

from ldp_core._validate import check_counts, check_rng, is_missing, seeded, shown


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
