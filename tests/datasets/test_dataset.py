"""Codes and numbers out of a frame: what every chapter that trains a model starts from."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from ldp_book import datasets
from ldp_book.datasets import Dataset
from ldp_book.datasets.registry import SOURCES, find

NUMBERS = ["age", "education-num", "hours-per-week"]


def small(**columns: object) -> Dataset:
    """Give three people of Adult; the columns not named are everybody's first value."""
    about = find("adult")
    frame = {}
    for name, kind in about.columns.items():
        values = columns.get(name, [kind[0] if isinstance(kind, tuple) else about.bounds[name][0]] * 3)
        frame[name] = pd.Categorical(values, categories=kind) if isinstance(kind, tuple) else values
    return Dataset(pd.DataFrame(frame), "standin", about)


@pytest.fixture(scope="module")
def adult() -> Dataset:
    return datasets.load("adult", source="standin")


@pytest.mark.parametrize("name", SOURCES)
def test_every_set_gives_codes_in_public_domains_and_numbers_between_0_and_1(name: str) -> None:
    dataset = datasets.load(name, source="standin")
    for missing in ("drop", "code", "lowest"):
        coded = dataset.xy(bins=5, missing=missing)
        assert coded.columns == list(dataset.features)
        assert coded.X.dtype == coded.y.dtype == np.int64
        assert coded.X.min() >= 0
        assert (coded.sizes > coded.X).all()
        assert set(coded.y) <= set(coded.classes)
        answered = dataset.frame.notna().all(axis=1)
        assert len(coded.X) == len(coded.y) == (answered.sum() if missing == "drop" else len(dataset.frame))
        if missing == "lowest":
            scaled = dataset.scaled(missing=missing)
            assert scaled.X.shape == coded.X.shape
            assert (scaled.X >= 0).all()
            assert (scaled.X <= 1).all()
            assert np.array_equal(scaled.y, coded.y)
            assert scaled.classes == coded.classes


@pytest.mark.parametrize("name", SOURCES)
def test_bounds_and_missing_answers_are_declared_for_every_column(name: str) -> None:
    about = find(name)
    numbers = [column for column, kind in about.columns.items() if not isinstance(kind, tuple)]
    assert list(about.bounds) == numbers
    assert all(low < high for low, high in about.bounds.values())
    assert bool(about.bounds_from) == bool(numbers)
    assert set(about.log) <= set(numbers)
    assert all(unit > 0 for unit in about.log.values())
    missing = datasets.load(name, source="standin").frame.isna().any()
    assert set(missing.index[missing]) == about.missing


@pytest.mark.usefixtures("real")
@pytest.mark.parametrize("name", SOURCES)
def test_the_real_file_lies_between_the_bounds_and_lacks_only_what_is_declared(name: str) -> None:
    dataset = datasets.load(name, source="uci")
    for column, (low, high) in dataset.bounds.items():
        assert dataset.frame[column].min() >= low
        assert dataset.frame[column].max() <= high
    missing = dataset.frame.isna().any()
    assert set(missing.index[missing]) == dataset.about.missing


def test_codes_are_the_positions_in_the_schema(adult: Dataset) -> None:
    coded = adult.xy(["sex", "race", "income"])
    for j, name in enumerate(coded.columns):
        values = adult.about.columns[name]
        assert [values[code] for code in coded.X[:, j]] == list(adult.frame[name])
    assert coded.sizes == [2, 5, 2]
    assert np.array_equal(coded.X[:, 2], coded.y)
    assert coded.domains == {"categories": [2, 5, 2], "classes": [0, 1]}


def test_whole_numbers_are_their_own_codes(adult: Dataset) -> None:
    coded = adult.xy(["age"])
    assert np.array_equal(coded.X[:, 0], adult.frame["age"] - 17)
    assert coded.sizes == [74]
    assert adult.xy(["age"], bounds={"age": (20, 29)}).sizes == [10]


def test_bins_are_those_of_the_scaled_numbers(adult: Dataset) -> None:
    """So two models of one chapter, one of codes and one of numbers, see the same people in the same place."""
    columns = [*NUMBERS, "capital-gain", "sex"]
    for bins in (2, 4, 7):
        coded, scaled = adult.xy(columns, bins=bins), adult.scaled(columns)
        assert np.array_equal(coded.X[:, :4], np.minimum(np.floor(bins * scaled.X[:, :4]), bins - 1))
        assert coded.sizes == [bins] * 4 + [2]


def test_numbers_are_scaled_between_bounds_and_moved_to_them() -> None:
    three = small(age=[5, 31.6, 200])
    assert three.scaled(["age"]).X[:, 0].tolist() == pytest.approx([0, 0.2, 1])
    assert three.scaled(["age"], bounds={"age": (0, 200)}).X[:, 0].tolist() == pytest.approx([0.025, 0.158, 1])
    assert three.xy(["age"], bins=5).X[:, 0].tolist() == [0, 1, 4]
    assert three.xy(["age"]).X[:, 0].tolist() == [0, 14, 73]


def test_a_logarithmic_scale_and_its_unit() -> None:
    three = small(**{"capital-gain": [0, 900, 100_000]})
    own = three.scaled(["capital-gain"]).X[:, 0]
    assert own.tolist() == pytest.approx([0, math.log(10) / math.log(1001), 1])
    other = three.scaled(["capital-gain"], log={"capital-gain": 1}).X[:, 0]
    assert other.tolist() == pytest.approx([0, math.log(901) / math.log(100_001), 1])
    assert three.scaled(["capital-gain"], log={}).X[:, 0].tolist() == pytest.approx([0, 0.009, 1])


def test_one_column_for_each_value() -> None:
    three = small(sex=["Male", "Female", "Male"])
    scaled = three.scaled(["age", "sex"], one_hot=True)
    assert scaled.columns == ["age", "sex=Female", "sex=Male"]
    assert scaled.X[:, 1:].tolist() == [[0, 1], [1, 0], [0, 1]]
    assert three.scaled(["sex"]).X[:, 0].tolist() == [1, 0, 1]


def test_missing_answers() -> None:
    three = small(workclass=["Private", None, "Federal-gov"], income=["<=50K", ">50K", ">50K"])
    dropped, coded, lowest = (three.xy(["workclass"], missing=m) for m in ("drop", "code", "lowest"))
    assert (dropped.X[:, 0].tolist(), dropped.y.tolist(), dropped.sizes) == ([3, 0], [0, 1], [8])
    assert (coded.X[:, 0].tolist(), coded.y.tolist(), coded.sizes) == ([3, 8, 0], [0, 1, 1], [9])
    assert (lowest.X[:, 0].tolist(), lowest.sizes) == ([3, 0, 0], [8])
    assert three.scaled(["workclass"], missing="lowest").X[:, 0].tolist() == pytest.approx([3 / 7, 0, 0])
    # Whether a column has a code for it does not hang on the rows.
    assert small().xy(["workclass", "sex"], missing="code").sizes == [9, 2]
    # Where the schema knows of no missing answer, it has no code.
    with pytest.raises(ValueError, match="column 'sex' of the frame lacks answers"):
        small(sex=["Male", None, "Male"]).xy(["sex"], missing="code")
    # Nor has a class that is missing one: it would be taken for a class of its own.
    unknown = small(income=[None, ">50K", ">50K"])
    assert unknown.xy(["sex"]).y.tolist() == unknown.scaled(["sex"]).y.tolist() == [1, 1]
    for call in (Dataset.xy, Dataset.scaled):
        with pytest.raises(ValueError, match="missing must be 'drop': the target 'income' of the frame lacks answers"):
            call(unknown, ["sex"], missing="lowest")


@pytest.mark.parametrize("method", ["xy", "scaled"])
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"columns": "age"}, TypeError, "columns must be a list of names, got 'age'"),
        ({"columns": []}, ValueError, "columns must name at least one column, got none"),
        ({"columns": ["age", "Age"]}, ValueError, "columns must be of 'age', .*, got 'Age'"),
        ({"bounds": {"sex": (0, 1)}}, ValueError, "bounds must be for columns of numbers of UCI Adult, got 'sex'"),
        ({"bounds": {"age": (1, 2, 3)}}, TypeError, r"bounds of 'age' must be a pair"),
        ({"bounds": {"age": (3, 3)}}, ValueError, r"bounds of 'age' must be low < high, got \(3, 3\)"),
        ({"bounds": {"age": (0, math.inf)}}, ValueError, "bounds of 'age' must be finite, got inf"),
        ({"log": {"income": 1}}, ValueError, "log must be for columns of numbers of UCI Adult, got 'income'"),
        ({"log": {"age": 0}}, ValueError, "log of 'age' must be > 0, got 0"),
        ({"missing": "mean"}, ValueError, "missing must be one of 'drop', .*, got 'mean'"),
    ],
)
def test_what_is_not_allowed_is_named(
    adult: Dataset, method: str, arguments: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        getattr(adult, method)(**arguments)


def test_bins_and_decimal_numbers(adult: Dataset) -> None:
    for wrong in (1, 0, 2.5, True, "4"):
        with pytest.raises((TypeError, ValueError), match="bins must be"):
            adult.xy(bins=wrong)
    with pytest.raises(ValueError, match="bins must be an integer, since column 'mean radius' holds decimal numbers"):
        datasets.load("wdbc", source="standin").xy()
    with pytest.raises(ValueError, match=r"bounds must be whole numbers .* got \(0.5, 3.0\) for 'age'"):
        adult.xy(["age"], bounds={"age": (0.5, 3)})
    with pytest.raises(TypeError, match="one_hot must be True or False"):
        adult.scaled(one_hot=1)
    with pytest.raises(ValueError, match="missing must be one of 'drop', 'lowest', got 'code'"):
        adult.scaled(missing="code")


def test_a_frame_that_was_changed_beyond_its_schema_is_refused() -> None:
    gone, other, text = small(), small(), small()
    del gone.frame["age"]
    other.frame["sex"] = other.frame["sex"].cat.add_categories("?")
    text.frame["age"] = "old"
    for call in (Dataset.xy, Dataset.scaled):
        with pytest.raises(ValueError, match="the frame must have the columns that were loaded; 'age' is gone"):
            call(gone)
        with pytest.raises(ValueError, match="column 'sex' of the frame must hold the categories Female, Male"):
            call(other)
        with pytest.raises(TypeError, match="column 'age' of the frame must hold numbers, got dtype"):
            call(text)
