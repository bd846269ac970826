"""Every data set: the real file has its published numbers, the stand-in has the same shape."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from ldp_core import datasets
from ldp_core.datasets import compare, rules
from ldp_core.datasets.registry import SOURCES, find

#: rows, features, missing values, and the sizes of the classes: as UCI's own descriptions have them.
PUBLISHED = {
    "adult": (32_561, 14, 4262, {"<=50K": 24_720, ">50K": 7841}),
    "car": (1728, 6, 0, {"unacc": 1210, "acc": 384, "good": 69, "vgood": 65}),
    "chess": (3196, 36, 0, {"won": 1669, "nowin": 1527}),
    "mushroom": (8124, 22, 2480, {"e": 4208, "p": 3916}),
    "connect-4": (67_557, 42, 0, {"win": 44_473, "loss": 16_635, "draw": 6449}),
    "australian": (690, 14, 0, {"0": 383, "1": 307}),
    "diabetes": (768, 8, 0, {"0": 500, "1": 268}),
    "nursery": (
        12_960,
        8,
        0,
        {"not_recom": 4320, "priority": 4266, "spec_prior": 4044, "very_recom": 328, "recommend": 2},
    ),
    "bank": (45_211, 16, 0, {"no": 39_922, "yes": 5289}),
    "soybean": (307, 35, 712, None),
    "breast": (699, 9, 16, {"benign": 458, "malignant": 241}),
}
SEVERAL = [(name, source) for name in PUBLISHED for source in ("uci", "standin")]


def test_every_data_set_is_here() -> None:
    assert set(PUBLISHED) <= set(datasets.names())


@pytest.mark.parametrize(("name", "source"), SEVERAL)
def test_published_numbers(name: str, source: str, request: pytest.FixtureRequest) -> None:
    if source == "uci":
        folder = request.getfixturevalue("real")
        if not all((folder / file.path).is_file() for file in find(name).files):
            pytest.skip(f"LDP_BOOK_DATA has no files of {name}")
    rows, features, missing, classes = PUBLISHED[name]
    dataset = datasets.load(name, source=source)
    assert dataset.source == source
    assert dataset.frame.shape == (rows, features + 1)
    assert len(dataset.features) == features
    assert dataset.target not in dataset.features
    assert int(dataset.frame.isna().to_numpy().sum()) == missing
    sizes = dataset.frame[dataset.target].value_counts()
    if classes is not None:
        assert sizes[sizes > 0].to_dict() == classes
    else:
        assert sorted(sizes, reverse=True)[:7] == [40, 40, 40, 40, 20, 20, 10]
        assert len(sizes) == 19


@pytest.mark.usefixtures("real")
@pytest.mark.parametrize("name", PUBLISHED)
def test_the_standin_has_the_real_file_s_columns_and_types(name: str) -> None:
    real, made = (datasets.load(name, source=source).frame for source in ("uci", "standin"))
    assert list(real.columns) == list(made.columns)
    for column in real.columns:
        assert real[column].dtype == made[column].dtype
        if not isinstance(real[column].dtype, pd.CategoricalDtype):
            assert made[column].min() >= real[column].min() or name == "diabetes"
            assert made[column].max() <= real[column].max() or name == "diabetes"


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_standin_keeps_what_naive_bayes_needs(name: str) -> None:
    """Trained on the stand-in and tested on real rows it is about as good as trained on real rows."""
    accuracy = {(r["train"], r["test"]): r["accuracy"] for r in compare.report(name)["naive_bayes"]}
    assert accuracy["standin", "uci"] > accuracy["uci", "uci"] - 0.03


@pytest.mark.usefixtures("real")
@pytest.mark.parametrize("name", ["car", "nursery"])
def test_decision_tables_give_every_row_of_the_real_file(name: str) -> None:
    real, rebuilt = (datasets.load(name, source=source).frame for source in ("uci", "standin"))
    pd.testing.assert_frame_equal(real, rebuilt)


def test_a_table_with_a_gap_is_an_error() -> None:
    tables = [rules.Table("y", ("x",), {("a",): "no"})]
    with pytest.raises(KeyError):
        rules.evaluate(tables, {"x": ("a", "b"), "y": ("no", "yes")})


@pytest.mark.parametrize("name", PUBLISHED)
def test_credits_and_size(name: str) -> None:
    source = find(name)
    assert source.title
    assert source.citation
    assert source.licence
    assert source.url.startswith("https://archive.ics.uci.edu/") or source.withdrawn
    assert source.doi in source.citation
    assert all(len(file.sha256) == 64 and file.size > 0 for file in source.files)


def test_diabetes_is_its_standin_unless_a_copy_is_asked_for(real, monkeypatch, tmp_path) -> None:
    assert datasets.load("diabetes").source == "standin"
    monkeypatch.setenv("LDP_BOOK_DATA", str(tmp_path))
    with pytest.raises(datasets.DataUnavailable, match=r"withdrawn|no longer"):
        datasets.load("diabetes", source="uci")


def test_diabetes_standin_agrees_with_its_figures() -> None:
    """The generator meets its own figures, means within four standard errors; fixed seed."""
    from ldp_core.datasets.diabetes import PUBLISHED as FIGURES

    frame = datasets.load("diabetes", source="standin").frame
    for column, figures in FIGURES.items():
        for label, mean, deviation in zip("01", figures.means, figures.deviations, strict=True):
            values = frame.loc[frame["class"] == label, column].astype(float)
            assert abs(values.mean() - mean) < 4 * deviation / np.sqrt(len(values)) + 0.03 * mean, (column, label)
        assert (frame[column] == 0).sum() >= figures.zeros


def test_registry_names_are_the_sources_own() -> None:
    assert all(name == source.name for name, source in SOURCES.items())
