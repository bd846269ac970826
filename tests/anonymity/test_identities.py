"""Invented people are consistent with their rows, reproducible, and nobody."""

import re
from datetime import date

import numpy as np
import pandas as pd
import pytest

from ldp_book.anonymity import with_identities

INVENTED = ["name", "birth_date", "zip_code", "identity_number"]


def ages(n, seed=0, low=17, high=90):
    return pd.DataFrame({"age": np.random.default_rng(seed).integers(low, high + 1, size=n)})


def age_on(birth, day):
    return day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))


def test_birth_dates_give_the_age():
    frame = ages(4_000, low=0, high=130)
    births = with_identities(frame, rng=1)["birth_date"]
    assert [age_on(birth, date(1994, 3, 31)) for birth in births.dt.date] == frame["age"].tolist()


def test_identity_numbers_are_different_and_cannot_be_real():
    numbers = with_identities(ages(30_000), rng=5)["identity_number"]
    assert numbers.is_unique
    # area 000 is never assigned, and a taxpayer number begins with 9
    assert all(re.fullmatch(r"000-\d\d-\d{4}", number) for number in numbers)


def test_zip_codes_share_beginnings_as_real_ones_do():
    codes = with_identities(ages(100_000), rng=9)["zip_code"].drop_duplicates()
    assert [codes.str[:digits].nunique() for digits in (5, 3, 2, 1)] == [600, 30, 10, 4]


def test_what_is_invented_does_not_depend_on_anything_but_the_age():
    frame = ages(300)
    one = with_identities(frame.assign(income=0), rng=8)[INVENTED]
    other = with_identities(frame.assign(income=np.arange(300)), rng=8)[INVENTED]
    pd.testing.assert_frame_equal(one, other)


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame({"age": [3.5]}), "integers"),
        (pd.DataFrame({"age": [-1]}), "between 0 and 130"),
        (pd.DataFrame({"age": [131]}), "between 0 and 130"),
        (ages(3).assign(name="x"), "'name'"),
    ],
)
def test_bad_arguments(frame, message):
    with pytest.raises((TypeError, ValueError), match=message):
        with_identities(frame)
