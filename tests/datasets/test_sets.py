"""Every data set: the real file has its published numbers, the stand-in has the same shape."""

from __future__ import annotations

from hashlib import sha256
from importlib import resources
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ldp_book import datasets
from ldp_book.datasets import compare, registry
from ldp_book.datasets.registry import SOURCES, find

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
    "wdbc": (569, 30, 0, {"benign": 357, "malignant": 212}),
    "arcene": (200, 10_000, 0, {"-1": 112, "1": 88}),
}
#: Stand-ins from a generator, which knows rounded figures of the file and no value of it.
GENERATED = ("diabetes", "arcene")


@pytest.mark.parametrize("source", [pytest.param("uci", marks=pytest.mark.data), "standin"])
@pytest.mark.parametrize("name", PUBLISHED)
def test_published_numbers(name: str, source: str, request: pytest.FixtureRequest) -> None:
    if source == "uci":
        folder = request.getfixturevalue("real")
        if not all((folder / file.path).is_file() for file in find(name).files):
            pytest.skip("LDP_BOOK_DATA names no folder with all real files")
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
    assert list(real.dtypes) == list(made.dtypes)
    numbers = real.select_dtypes("number").columns
    if name not in GENERATED:
        assert (made[numbers].min() >= real[numbers].min()).all()
        assert (made[numbers].max() <= real[numbers].max()).all()


@pytest.mark.parametrize("name", [name for name in PUBLISHED if name != "arcene"])
def test_a_standin_keeps_what_naive_bayes_needs(name: str) -> None:
    """Trained on the stand-in and tested on real rows it is about as good as trained on real rows."""
    accuracy = {(r["train"], r["test"]): r["accuracy"] for r in compare.report(name)["naive_bayes"]}
    assert accuracy["standin", "uci"] > accuracy["uci", "uci"] - 0.03


@pytest.mark.usefixtures("real")
@pytest.mark.parametrize("name", ["car", "nursery", "wdbc"])
def test_some_standins_are_the_real_file(name: str) -> None:
    """Two from decision tables, one from scikit-learn: every row, in the same order."""
    real, rebuilt = (datasets.load(name, source=source).frame for source in ("uci", "standin"))
    pd.testing.assert_frame_equal(real, rebuilt)


def test_diabetes_is_its_standin_unless_a_copy_is_asked_for(real, monkeypatch, tmp_path) -> None:
    assert datasets.load("diabetes").source == "standin"
    monkeypatch.setenv("LDP_BOOK_DATA", str(tmp_path))
    with pytest.raises(datasets.DataUnavailable, match=r"withdrawn|no longer"):
        datasets.load("diabetes", source="uci")


def test_diabetes_standin_agrees_with_its_figures() -> None:
    """The generator meets its own figures, means within four standard errors; fixed seed."""
    from ldp_book.datasets.sets.diabetes import PUBLISHED as FIGURES

    frame = datasets.load("diabetes", source="standin").frame
    for column, figures in FIGURES.items():
        for label, mean, deviation in zip("01", figures.means, figures.deviations, strict=True):
            values = frame.loc[frame["class"] == label, column].astype(float)
            assert abs(values.mean() - mean) < 4 * deviation / np.sqrt(len(values)) + 0.03 * mean, (column, label)
        assert (frame[column] == 0).sum() >= figures.zeros


def one_line_files(**changes: bytes) -> list[bytes]:
    """Give Arcene's four files with a row each, but for the changes."""
    row = b" ".join([b"7"] * 10_000) + b" \n"
    return list(({"train": row, "train_labels": b"1\n", "valid": row, "valid_labels": b"-1\n"} | changes).values())


def test_arcene_is_its_training_part_and_then_its_validation_part() -> None:
    frame = find("arcene").parse(*one_line_files(valid=b"9 " * 10_000))
    assert frame["f1"].tolist() == frame["f10000"].tolist() == [7, 9]
    assert frame["class"].tolist() == ["1", "-1"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"train": b"1 2 3\n"}, "line 1 must have 10,000 fields, got 3"),
        ({"valid": b"x " * 10_000}, "all fields must be whole numbers"),
        ({"valid": b"1000 " * 10_000}, r"all fields must lie in 0\.\.999, got 1000"),
        ({"valid": b""}, "a label for each of the 1 rows, got 2"),
        ({"valid_labels": b"2\n"}, "column 'class' holds '2'; allowed are -1, 1"),
    ],
)
def test_damaged_arcene(changes: dict[str, bytes], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        find("arcene").parse(*one_line_files(**changes))


def test_a_number_in_wdbc_that_is_none_is_named() -> None:
    with pytest.raises(ValueError, match="column 'worst fractal dimension' must hold decimal numbers"):
        find("wdbc").parse(b"842302,B" + b",?" * 29 + b",far")


def test_arcenes_standin_is_the_same_everywhere_and_shares_no_stream_with_another_seed() -> None:
    """A changed hash means that readers see other rows than the book's report measures."""
    from ldp_book.datasets import standin
    from ldp_book.datasets.sets import arcene

    frame = datasets.load("arcene", source="standin").frame
    cells = frame.drop(columns="class").to_numpy().astype("<i8").tobytes() + "".join(frame["class"]).encode()
    assert sha256(cells).hexdigest() == "b714e0bc3a2e4191f1b7ba84d66b9ab6fc7911bfa03830e52ce8dd613e4a85ae"
    seeds = [*range(5), *range(standin.SEED - 5, standin.SEED + 6), 2**64]
    streams = [stream for seed in seeds for stream in arcene._stream_seeds(seed)]
    assert len(set(streams)) == len(streams)
    assert arcene._stream_seeds(standin.SEED) == [standin.SEED, standin.SEED + 1, standin.SEED + 2]
    other = standin.draw(find("arcene"), seed=0)
    assert not other.equals(frame)


def test_every_file_of_a_set_is_in_the_registry() -> None:
    folder = resources.files("ldp_book.datasets.sets")
    files = {Path(file.name).stem for file in folder.iterdir() if file.name.endswith(".toml")}
    assert files == set(registry.NAMES) == set(SOURCES)
    assert set(registry.READERS) | set(registry.GENERATORS) <= files
