"""Adult's file is read by its schema, and what the schema does not allow is an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from ldp_book import datasets
from ldp_book.datasets import fetch
from ldp_book.datasets.registry import find

from .conftest import CONTENT

ADULT = find("adult")


@pytest.mark.usefixtures("real")
def test_every_allowed_value_occurs_in_the_real_file() -> None:
    """So the schema lists the file's values and no others."""
    frame = datasets.load("adult", source="uci").frame
    for name, kind in ADULT.columns.items():
        if kind is not int:
            assert set(frame[name].dropna().unique()) == set(kind)


def test_the_test_part(real: Path) -> None:
    if not (real / "adult" / "adult.test").is_file():
        pytest.skip("LDP_BOOK_DATA names no folder with the real adult/adult.test")
    frame = ADULT.parse(*fetch.read(ADULT.test_files))
    assert len(frame) == 16_281
    assert frame["income"].value_counts().to_dict() == {"<=50K": 12_435, ">50K": 3846}


def test_missing_values_blank_lines_and_comments() -> None:
    frame = ADULT.parse(b"|1x3 Cross validator\n" + CONTENT.rstrip(b"\n") + b".\n\n")
    assert len(frame) == 3
    assert frame["workclass"].isna().tolist() == [False, True, False]
    assert frame["native-country"].isna().tolist() == [False, False, True]
    assert frame["income"].tolist() == ["<=50K", ">50K", ">50K"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b", Male, 2174", b", 2174", "line 1 must have 15 fields, got 14"),
        (b"39, State-gov", b"39, State-gov, x", "line 1 must have 15 fields, got 16"),
        (b"State-gov", b"Stategov", "column 'workclass' holds 'Stategov'; allowed are Federal-gov, "),
        (b"39, ", b"old, ", "column 'age' must hold whole numbers"),
        (b"39, ", b"?, ", "column 'age' must hold whole numbers"),
    ],
)
def test_what_the_schema_does_not_allow_is_an_error(old: bytes, new: bytes, message: str) -> None:
    assert old in CONTENT
    with pytest.raises(ValueError, match=message):
        ADULT.parse(CONTENT.replace(old, new, 1))
