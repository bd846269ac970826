"""The stand-in: exact where it promises to be, the same rows everywhere, and made from the real file."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ldp_book import datasets
from ldp_book.datasets import compare, standin
from ldp_book.datasets.registry import SOURCES, find
from tools import fit_standin as tool

ADULT = find("adult")


@pytest.fixture(scope="module")
def drawn() -> pd.DataFrame:
    return standin.draw(ADULT)


def digest(frame: pd.DataFrame) -> str:
    """Hash the cells in a form that does not depend on pandas."""
    total = hashlib.sha256()
    for name in frame.columns:
        cells = "\n".join("?" if pd.isna(cell) else str(cell) for cell in frame[name])
        total.update(f"{name}\n{cells}\n".encode())
    return total.hexdigest()


def test_the_same_rows_on_every_platform(drawn: pd.DataFrame) -> None:
    """A changed hash means that readers see other rows than the book prints: only a new table may change it."""
    assert digest(drawn) == "24c7932d24aab1c3442dfb5b865b0ef0f40bcdc0c5ad55a6ab4a918dedbe548d"


@pytest.mark.parametrize("name", sorted(name for name, source in SOURCES.items() if source.generate is None))
def test_rows_have_exactly_the_counts_of_the_table(name: str) -> None:
    source = find(name)
    frame = standin.draw(source)
    table = standin.read_table(name)
    texts = {"": pd.Series([""] * len(frame), dtype=object)}
    for column in frame.columns:
        values = {value for edge in table if edge.child == column for _, _, value in edge.counts}
        texts[column] = as_in_table(frame[column], values)
    for edge in table:
        columns = zip(texts[source.target], texts[edge.parent], texts[edge.child], strict=True)
        assert Counter(columns) == edge.counts, (edge.parent, edge.child)


def as_in_table(column: pd.Series, values: set[str]) -> pd.Series:
    wide = [value for value in values if standin.BETWEEN in value]
    if not wide:
        return column.astype(object).where(column.notna(), "?").map(str)
    written = {value: tuple(map(float, (value.split(standin.BETWEEN) * 2)[:2])) for value in values if value != "?"}
    ends = sorted(written.values())
    assert all(a[1] < b[0] for a, b in pairwise(ends))  # intervals do not overlap
    place = np.searchsorted([low for low, _ in ends], column, side="right") - 1
    assert (place >= 0).all()
    assert all(number <= ends[i][1] for number, i in zip(column, place, strict=True))
    text = {both: value for value, both in written.items()}
    return pd.Series([text[ends[i]] for i in place], dtype=object)


def test_children_of_one_parent_are_shuffled_apart() -> None:
    """Given the parent, two children are independent: |z| > 5 has probability below 6e-7 (the seed is fixed)."""
    root = standin.Edge("", "a", {("n", "", "1"): 5000, ("p", "", "1"): 3000})
    half = {(label, "1", value): n for label, n in (("n", 2500), ("p", 1500)) for value in "01"}
    table = [root, standin.Edge("a", "b", half), standin.Edge("a", "c", half)]
    source = dataclasses.replace(ADULT, columns={"a": int, "b": int, "c": int, "y": ("n", "p")}, target="y")
    frame = standin.sample(table, source, seed=0)
    assert frame["y"].value_counts().to_dict() == {"n": 5000, "p": 3000}
    for label in ("n", "p"):
        rows = frame[frame["y"] == label]
        assert abs(rows["b"].corr(rows["c"])) * np.sqrt(len(rows) - 1) < 5


def test_intervals_are_spread_evenly() -> None:
    key = np.arange(8, dtype=np.uint64)[::-1].copy()
    numbers = standin._numbers(["0..99", "7"], np.array([0, 1, 0, 0, 1, 0, 0, 1]), key)
    assert sorted(numbers[[0, 2, 3, 5, 6]]) == [10, 30, 50, 70, 90]
    assert (numbers[[1, 4, 7]] == 7).all()


def test_counts_that_do_not_add_up_are_an_error() -> None:
    table = standin.read_table("adult")
    triple = next(iter(table[3].counts))
    table[3].counts[triple] += 1
    with pytest.raises(ValueError, match="do not add up"):
        standin.sample(table, ADULT, 0)


@pytest.mark.usefixtures("real")
def test_exact_where_promised(drawn: pd.DataFrame) -> None:
    """Single columns, each with the target, each edge with the target: the real file's counts, fnlwgt excepted."""
    real = datasets.load("adult", source="uci").frame
    narrow = [name for name in ADULT.columns if name != "fnlwgt"]
    for name in narrow:
        assert compare.total_variation(real, drawn, [name]) == 0
        assert name == "income" or compare.total_variation(real, drawn, [name, "income"]) == 0
    edges = [(edge.parent, edge.child) for edge in standin.read_table("adult")[1:]]
    assert len(edges) == 13
    for parent, child in edges:
        if "fnlwgt" not in (parent, child):
            assert compare.total_variation(real, drawn, sorted({parent, child, "income"})) == 0


def test_packaged_files_are_what_the_tool_makes(
    real: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not (real / "adult" / "adult.test").is_file():
        pytest.skip("LDP_BOOK_DATA names no folder with the real adult/adult.test")
    packaged = tool.FOLDER
    monkeypatch.setattr(tool, "FOLDER", tmp_path)
    assert tool.main(["adult"]) == 0
    assert "decision tree, trained on standin" in capsys.readouterr().out
    assert (tmp_path / "adult.csv").read_bytes() == (packaged / "adult.csv").read_bytes()
    assert json.loads((tmp_path / "adult.json").read_text("utf-8")) == compare.report("adult")
    text = (tmp_path / "adult.csv").read_text("utf-8")
    (tmp_path / "adult.csv").write_text(text.replace("17,1", "17,2", 1), "utf-8")
    assert tool.main(["adult", "--check"]) == 1
    assert "not what the real file gives: adult.csv" in capsys.readouterr().out


def test_the_tree_is_the_best_one() -> None:
    """Against every spanning tree of four columns (there are 16), by the same weights."""
    rng = np.random.default_rng(5)
    n = 4000
    y = rng.integers(2, size=n)
    a = rng.integers(3, size=n)
    b = np.where(rng.random(n) < 0.7, a, rng.integers(3, size=n))
    c = np.where(rng.random(n) < 0.5, b, rng.integers(3, size=n))
    d = np.where(rng.random(n) < 0.6, b + y, rng.integers(4, size=n))
    texts = pd.DataFrame({"a": a, "b": b, "c": c, "d": d, "y": y}).astype(str)
    weight = {
        pair: tool.penalized_information(texts[pair[0]], texts[pair[1]], texts["y"]) for pair in combinations("abcd", 2)
    }

    def spans(edges: tuple[tuple[str, str], ...]) -> bool:
        reached = {"a"}
        for _ in edges:
            reached |= {v for edge in edges if reached & set(edge) for v in edge}
        return reached == set("abcd")

    trees = [edges for edges in combinations(weight, 3) if spans(edges)]
    assert len(trees) == 16
    best = max(trees, key=lambda edges: sum(weight[edge] for edge in edges))
    found = tool.maximum_tree(texts, "y")
    assert found[0] == ("", "a")
    assert {tuple(sorted(edge)) for edge in found[1:]} == set(best) == {("a", "b"), ("b", "c"), ("b", "d")}
