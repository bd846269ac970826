import ast
import json
import math
from unittest.mock import ANY

import numpy as np
import pytest

from ldp_book.chapter import ONE_RUN, check, glue, one_run


def test_a_right_answer_is_true_and_says_so():
    verdict = check(lambda a, b: a + b, ((1, 2), 3), ((0.1, 0.2), 0.3))
    assert verdict
    assert repr(verdict) == "Right: all 2 cases."
    assert repr(check(lambda: math.nan, ((), math.nan))) == "Right."


@pytest.mark.parametrize(
    ("answer", "expected", "said"),
    [
        (lambda x: x, 2, "for x = 1 it gives 1, expected 2"),
        (lambda x: None, 2, "returns nothing"),
        (lambda x: ..., 2, "returns nothing"),
        (lambda x: 1 / 0, 2, "stops with ZeroDivisionError"),
        (lambda x: np.ones(3), np.ones(2), "it gives [1, 1, 1], expected [1, 1]"),
        (lambda x: np.ones((2, 5)), 1, "it gives an array of shape (2, 5)"),
        (lambda *x: -1e-6, 1, "it gives −10⁻⁶, expected 1"),
        (lambda x: "yes", 2, "it gives 'yes'"),
        (lambda x: 1 + 1e-7, 1.0, "it gives 1.0000001, expected 1.0"),
        (lambda x: (0.1 + 0.2, "a"), 2, "it gives (0.3, 'a')"),
        (lambda: 3, 2, "Not yet: for 1 it stops with TypeError"),
    ],
)
def test_a_wrong_answer_is_false_and_says_why(answer, expected, said):
    verdict = check(answer, ((1,), expected))
    assert not verdict
    assert repr(verdict).startswith("Not yet")
    assert said in repr(verdict)


def test_text_and_arrays_are_compared_as_such():
    assert check(lambda: "grr", ((), "grr"))
    assert check(lambda: [0.5, 0.5], ((), np.array([0.5, 0.5])))


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ("0.5", 0.5), (["1", "2"], [1, 2]), (np.datetime64(5, "D"), 5), ([[1], [2, 3]], [1, 2]),
        pytest.param(10**400, 1.0, id="huge"),
    ],
)  # fmt: skip
def test_what_is_no_number_is_not_taken_for_one(result, expected):
    assert not check(lambda: result, ((), expected))
    assert check(lambda: result, ((), result))


def test_glue_writes_the_record_that_the_book_reads(monkeypatch):
    seen = []
    monkeypatch.setattr("IPython.display.display", lambda data, **kw: seen.append((data, kw)))
    glue(rr_n="32,561")
    ((data, kw),) = seen
    assert data == {"application/papermill.record/text/plain": "'32,561'"}
    assert kw["metadata"]["scrapbook"]["name"] == "rr_n"
    assert kw["raw"] is True


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (32_561, "32,561"), (np.int64(-1_000), "−1,000"), (0.5, "0.5"), (True, "True"), ("-0.3 to 0.4", "−0.3 to 0.4"),
        (f"{-0.25:.0%}", "−25%"), ("k-2", "k-2"), ("1e-05", "10⁻⁵"), ("about 2.5e-07 %", "about 2.5·10⁻⁷ %"),
        ("2014-05-01", "2014-05-01"),
    ],
)  # fmt: skip
def test_glue_writes_numbers_as_the_book_does(monkeypatch, value, shown):
    seen = []
    monkeypatch.setattr("IPython.display.display", lambda data, **kw: seen.append(data))
    glue(n=value)
    assert [ast.literal_eval(text) for text in seen[0].values()] == [shown]


class TestOneRun:
    def test_it_records_z_scores_and_shows_nothing(self, monkeypatch):
        shown = []
        monkeypatch.setattr("IPython.display.display", lambda data, **more: shown.append((data, more)))
        one_run("survey", [12.0, 7.0], 10, [1.0, 2.0])
        ((data, more),) = shown
        assert more["metadata"]["scrapbook"]["name"] == ONE_RUN + "survey"
        assert list(data) == ["application/papermill.record/text/plain"]
        record = json.loads(ast.literal_eval(next(iter(data.values()))))
        assert record == {"z": [2.0, -1.5]}


@pytest.mark.parametrize(("answer", "expected"), [(ANY, 1.0), (ANY, "a"), ([ANY, ANY], [1.0, 2.0]), (ANY, {1, 2})])
def test_what_equals_anything_is_no_answer(answer, expected):
    assert not check(lambda: answer, ((), expected))
