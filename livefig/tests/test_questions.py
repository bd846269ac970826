import json
import math
import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from livefig import number, quiz
from livefig.questions import parse_number

OPTIONS = {"✓ one < two": "since `1 < 2`", "two": "no"}


def test_quiz_page():
    html = quiz("Which *is* it?", OPTIONS).html
    assert "<legend" in html
    assert "Which <em>is</em> it?" in html
    assert "one &lt; two" in html
    said = json.loads(unescape(re.search(r'data-said="([^"]*)"', html)[1]))
    assert said == [[True, "since <code>1 &lt; 2</code>"], [False, "no"]]
    assert "<details" in html, "without scripts the answer can be unfolded"
    assert html.count("disabled") == 3
    assert "✓" not in html


def test_number_page():
    html = number("How many?", 28812, tolerance=0.01, unit="people", hint="h", explain="e").html
    assert 'inputmode="decimal"' in html
    assert "28,812" in html
    assert re.search(r'<label class="lf-question-text" for="([^"]+)"', html)[1] + '"' in html.split("<input")[1]


@given(st.floats(-1e9, 1e9))
def test_numbers_are_read_as_python_writes_them(value):
    assert parse_number(repr(value)) == value
    assert parse_number(f"{value:,.3f}") == pytest.approx(value, abs=1e-3)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234.5", 1234.5), ("1 234", 1234), ("0,5", 0.5), ("−3", -3), ("12 %", 0.12), ("1e-3", 1e-3), (" 7 ", 7),
        ("ln 4", math.log(4)), ("ln(4)/2", math.log(2)), ("1/3", 1 / 3), ("sqrt(2)", math.sqrt(2)), ("4^0.5", 2),
        ("e^1", math.e), ("2 ln 3", math.log(9)), ("e^-1", 1 / math.e), ("-2^2", -4), ("2^3^2", 512), ("½", 0.5),
        ("√2 · π", math.sqrt(2) * math.pi), ("(1 + 2) × 3", 9), ("1,000/4", 250), ("50 % / 2", 0.25), ("exp(0)", 1),
    ],
)  # fmt: skip
def test_numbers_and_formulas_as_people_type_them(text, value):
    assert parse_number(text) == pytest.approx(value)


@pytest.mark.parametrize("text", [
    "", "abc", "1.2.3", "inf", "nan", "%", "--2", "ln", "ln(-1)", "1/0", "(2", "2)", "log 2", "9^9^9^9", "(" * 60,
    "1" * 61,
])  # fmt: skip
def test_what_is_no_number(text):
    assert parse_number(text) is None


def test_tolerance_and_feedback():
    asked = number("x", math.log(3), tolerance=0.01, hint="hint", explain="because")
    assert asked.respond(1.10) == (True, "because")
    assert asked.respond(1.0) == (False, "Too low. hint")
    assert asked.respond(2.0) == (False, "Too high. hint")
    assert number("zero", 0.0, tolerance=0.01).respond(0.005)[0]


@given(st.floats(1e-6, 1e6), st.sampled_from([-1, 1]))
def test_by_default_three_digits_pass_and_one_per_cent_does_not(answer, sign):
    asked = number("x", sign * answer)
    assert asked.respond(float(f"{sign * answer:.3g}"))[0]
    assert not any(asked.respond(sign * answer * off)[0] for off in (0.99, 1.01))


@pytest.mark.parametrize(
    ("make", "error", "match"),
    [
        (lambda: quiz("q", {"✓ a": "x"}), ValueError, "at least 2"),
        (lambda: quiz("q", {"✓ a": "x", "✓ b": "y"}), ValueError, "exactly one right"),
        (lambda: quiz("q", {"a": "x", "b": "y"}), ValueError, "exactly one right"),
        (lambda: quiz("q", {"✓ a": "x", "b": ""}), ValueError, "a feedback"),
        (lambda: quiz("q", {"✓": "x", "b": "y"}), ValueError, "a text"),
        (lambda: quiz("q", {"✓ a": "x", "b": 3}), TypeError, "a feedback in options must be text"),
        (lambda: quiz("q", [("a", True, "x"), ("b", False, "y")]), TypeError, "options must map"),
        (lambda: quiz(3, OPTIONS), TypeError, "question must be text"),
        (lambda: number("q", math.nan), ValueError, "answer must be finite"),
        (lambda: number("q", "3"), TypeError, "answer must be a real number"),
        (lambda: number("q", 3, tolerance=0), ValueError, "tolerance must be > 0"),
    ],
)
def test_bad_input(make, error, match):
    with pytest.raises(error, match=match):
        make()
