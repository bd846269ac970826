"""The distances: by hand, by their properties, and as packaged."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from ldp_book import datasets
from ldp_book.datasets import compare, standin
from ldp_book.datasets.compare import accuracy, binned, report, total_variation
from ldp_book.datasets.registry import find


def test_total_variation_by_hand() -> None:
    one = pd.DataFrame({"x": ["a", "a", "b", None], "y": [1, 2, 1, 1]})
    other = pd.DataFrame({"x": ["a", "c"], "y": [1, 1]})
    # x: (1/2, 1/4, 1/4, 0) against (1/2, 0, 0, 1/2) over a, b, missing, c
    assert total_variation(one, other, ["x"]) == pytest.approx(0.5)
    assert total_variation(one, other, ["y"]) == pytest.approx(0.25)
    # pairs: a1 a2 b1 ?1 a quarter each, against a1 c1 a half each
    assert total_variation(one, other, ["x", "y"]) == pytest.approx(0.75)
    assert total_variation(one, one, ["x", "y"]) == 0
    assert total_variation(one.iloc[:1], other.iloc[1:], ["x"]) == 1


def test_total_variation_against_crosstabs() -> None:
    rng = np.random.default_rng(3)
    one = pd.DataFrame(rng.integers(4, size=(300, 3)), columns=list("abc"))
    other = pd.DataFrame(rng.integers(5, size=(200, 3)), columns=list("abc"))
    for columns in (["a"], ["a", "b"], ["c", "a", "b"]):
        p, q = one.value_counts(columns, normalize=True), other.value_counts(columns, normalize=True)
        expected = p.sub(q, fill_value=0).abs().sum() / 2
        assert total_variation(one, other, columns) == pytest.approx(expected)
        assert total_variation(other, one, columns) == pytest.approx(expected)


def test_binned() -> None:
    reference = pd.DataFrame({"wide": range(100), "narrow": [0, 1] * 50, "text": ["a"] * 100})
    frame = pd.DataFrame({"wide": [-5, 0, 24, 25, 99, 500], "narrow": [1] * 6, "text": ["b"] * 6})
    result = binned(frame, reference, bins=4)
    assert result["wide"].tolist() == [0, 0, 0, 1, 3, 3]
    assert result["narrow"].tolist() == [1] * 6
    assert result["text"].tolist() == ["b"] * 6
    assert frame["wide"].tolist() == [-5, 0, 24, 25, 99, 500]  # the argument is left alone


def test_accuracy() -> None:
    rng = np.random.default_rng(6)
    y = rng.integers(2, size=2000)
    x = np.where(rng.random(2000) < 0.9, y, 1 - y)
    frame = pd.DataFrame({"x": x, "noise": rng.integers(5, size=2000), "y": np.where(y, "yes", "no")})
    right = np.mean(x[1000:] == y[1000:])
    assert accuracy(frame[:1000], frame[1000:], "y") == pytest.approx(right, abs=0.01)
    # A value that only the test rows have is no error.
    assert accuracy(frame[:1000].replace({"noise": {4: 3}}), frame[1000:], "y") == pytest.approx(right, abs=0.01)


COUNTED = [name for name in datasets.names() if find(name).generate is None]


@pytest.mark.parametrize("name", datasets.names())
def test_packaged_report(name: str) -> None:
    """Complete, and in step with the packaged table."""
    packaged = report(name)
    dataset = datasets.load(name, source="standin")
    columns = list(dataset.frame.columns)
    assert packaged["rows"] == len(dataset.frame)
    assert packaged["bins"] == compare.BINS
    edges = standin.read_table(name)[1:] if name in COUNTED else []
    assert packaged["tree"] == [[edge.parent, edge.child] for edge in edges]
    if len(columns) > 101:
        columns = [*columns[:-1:100], dataset.target]
        assert packaged["pairs"] == []
    assert list(packaged["marginals"]) == columns
    if packaged["pairs"]:
        assert {tuple(pair["columns"]) for pair in packaged["pairs"]} == set(combinations(columns, 2))
    for model in ("naive_bayes", "decision_tree"):
        assert [(r["train"], r["test"]) for r in packaged[model]] == [
            ("uci", "uci"), ("uci", "standin"), ("standin", "uci"), ("standin", "standin"),
        ]  # fmt: skip
    commonest = dataset.frame[dataset.target].value_counts(normalize=True).max()
    assert packaged["majority"] == pytest.approx(commonest, abs=1e-6)
