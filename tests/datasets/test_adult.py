"""Adult parses to the published numbers, and its stand-in has them too."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ldp_book import datasets
from ldp_book.datasets import fetch
from ldp_book.datasets.registry import find

from .conftest import CONTENT

ADULT = find("adult")


OCCUPATIONS = {
    "Adm-clerical": 3770,
    "Armed-Forces": 9,
    "Craft-repair": 4099,
    "Exec-managerial": 4066,
    "Farming-fishing": 994,
    "Handlers-cleaners": 1370,
    "Machine-op-inspct": 2002,
    "Other-service": 3295,
    "Priv-house-serv": 149,
    "Prof-specialty": 4140,
    "Protective-serv": 649,
    "Sales": 3650,
    "Tech-support": 928,
    "Transport-moving": 1597,
}
RACES = {"Amer-Indian-Eskimo": 311, "Asian-Pac-Islander": 1039, "Black": 3124, "Other": 271, "White": 27816}


@pytest.fixture(params=[pytest.param("uci", marks=pytest.mark.data), "standin"])
def adult(request: pytest.FixtureRequest) -> datasets.Dataset:
    if request.param == "uci":
        request.getfixturevalue("real")
    return datasets.load("adult", source=request.param)


def test_published_numbers(adult: datasets.Dataset) -> None:
    frame = adult.frame
    assert frame.shape == (32_561, 15)
    assert int((frame["age"] > 50).sum()) == 6460
    assert frame["occupation"].value_counts().to_dict() == OCCUPATIONS
    assert frame["race"].value_counts().to_dict() == RACES
    assert frame["income"].value_counts().to_dict() == {"<=50K": 24_720, ">50K": 7841}
    assert int(frame.isna().to_numpy().sum()) == 4262
    assert frame["occupation"].isna().sum() == 1843


def test_types(adult: datasets.Dataset) -> None:
    assert list(adult.frame.columns) == list(ADULT.columns)
    for name, kind in ADULT.columns.items():
        column = adult.frame[name]
        if kind is int:
            assert column.dtype == np.int64
        else:
            assert isinstance(column.dtype, pd.CategoricalDtype)
            assert not column.dtype.ordered
            assert tuple(column.cat.categories) == kind
            assert pd.api.types.is_string_dtype(column.cat.categories)
    assert isinstance(adult.frame.index, pd.RangeIndex)


@pytest.mark.usefixtures("real")
def test_first_and_last_row_of_the_real_file() -> None:
    frame = datasets.load("adult", source="uci").frame
    assert ", ".join(map(str, frame.iloc[0])) == (
        "39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, Male, "
        "2174, 0, 40, United-States, <=50K"
    )
    assert ", ".join(map(str, frame.iloc[-1])) == (
        "52, Self-emp-inc, 287927, HS-grad, 9, Married-civ-spouse, Exec-managerial, Wife, White, Female, "
        "15024, 0, 40, United-States, >50K"
    )


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


def test_no_rows() -> None:
    frame = ADULT.parse(b"\n")
    assert frame.shape == (0, 15)
    assert frame["age"].dtype == np.int64


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
