import math

import numpy as np
import pytest

from ldp_core.chapter import check, glue


def test_a_right_answer_is_true_and_says_so():
    verdict = check(lambda a, b: a + b, ((1, 2), 3), ((0.1, 0.2), 0.3))
    assert verdict
    assert repr(verdict) == "Right: all 2 cases."
    assert repr(check(lambda: math.nan, ((), math.nan))) == "Right."


@pytest.mark.parametrize(
    ("answer", "expected", "said"),
    [
        (lambda x: x, 2, "for (1,) it gives 1, expected 2"),
        (lambda x: None, 2, "returns nothing"),
        (lambda x: ..., 2, "returns nothing"),
        (lambda x: 1 / 0, 2, "stops with ZeroDivisionError"),
        (lambda x: np.ones(3), np.ones(2), "it gives array"),
        (lambda x: "yes", 2, "it gives 'yes'"),
        (lambda x: 1 + 1e-6, 1, "it gives"),
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


def test_bad_input():
    with pytest.raises(TypeError, match="answer must be a function"):
        check(3, ((), 3))
    with pytest.raises(ValueError, match="cases"):
        check(lambda: 3)


def test_glue_writes_the_record_that_the_book_reads(monkeypatch):
    seen = []
    monkeypatch.setattr("IPython.display.display", lambda data, **kw: seen.append((data, kw)))
    glue(rr_n="32,561")
    ((data, kw),) = seen
    assert data == {"application/papermill.record/text/plain": "'32,561'"}
    assert kw["metadata"]["scrapbook"]["name"] == "rr_n"
    assert kw["raw"] is True
