import json

import numpy as np
import pytest
from bs4 import BeautifulSoup

from livefig import choice, draws, live, log_slider, predict, slider


def test_a_question_is_there_without_scripts_and_its_fields_wait_for_one(line, static):
    asked = predict("At which ε < 1?", on="epsilon")
    html = live(line, epsilon=log_slider(0.1, 1, n=2), label="L", predict=asked).html
    form = BeautifulSoup(html, "html.parser").select_one("form.lf-predict")
    assert not form.has_attr("hidden")
    question, fields = form.select_one(".lf-question-text"), form.select_one(".lf-asks[hidden]")
    assert question.text == "At which ε < 1?"
    assert "ε = " in fields.text
    assert fields.input["aria-labelledby"] == question["id"]
    assert question.find_parent(hidden=True) is None
    assert html.index("lf-predict") < html.index("lf-stage"), "read before the picture"
    assert "lf-veiled" not in html


def test_a_prediction_among_answers(line, static):
    asked = predict("Which?", "the <local> one", "the central one")
    html = live(line, epsilon=log_slider(0.1, 1, n=2), label="L", predict=asked).html
    form = BeautifulSoup(html, "html.parser").form
    assert len(form.select('.lf-asks[hidden] input[type="radio"]')) == 2
    assert form.select_one(".lf-question-text").text == "Which? (the <local> one · the central one)"


def test_an_answer_is_a_number_an_option_or_its_place(line, static):
    for asked, answer, said in (
        (predict("Which?", on="epsilon", answer=np.float64(0.12345)), 0.12345, "0.123"),
        (predict("How many?", unit="people", answer=10_000), 10_000.0, "10,000"),
        (predict("Which?", "one", "another", answer="another"), "another", "another"),
        (predict("Which?", "one", "another", answer=np.argmin([2, 1])), "another", "another"),
        (predict("Which?", "one", "another"), None, ""),
    ):
        html = live(line, epsilon=log_slider(0.1, 1, n=2), label="L", predict=asked).html
        told = json.loads(BeautifulSoup(html, "html.parser").select_one("form.lf-predict")["data-said"])
        assert (told["answer"], told["computed"]) == (answer, said)


def test_a_kernel_has_the_answer_in_a_fold(line, kernel):
    for asked, said in ((predict("Where?", on="epsilon", answer=0.5), "ε = 0.5"), (predict("Where?"), None)):
        (row,) = (
            row
            for row in live(line, epsilon=log_slider(0.1, 1, n=2), predict=asked).widget.children
            if "Where?" in str(getattr(row, "value", ""))
        )
        fold = BeautifulSoup(row.value, "html.parser").details
        assert (fold and fold.text) == (said and f"Computed{said}")


def test_a_kernel_veils_nothing_and_asks_all_the_same(line, kernel):
    figure = live(line, epsilon=log_slider(0.1, 1, n=2), predict=predict("Which?", on="epsilon"))
    assert "<svg" in figure.widget.picture.value
    rows = list(figure.widget.children)
    (asked,) = (row for row in rows if "Which?" in str(getattr(row, "value", "")))
    assert 'class="lf-question-text"' in asked.value
    assert rows.index(asked) < rows.index(figure.widget.picture), "read before the picture"


def test_the_position_that_a_question_is_about():
    named = {"epsilon": log_slider(0.1, 10, n=5).named("epsilon"), "k": choice(5, 10).named("k")}
    for asked, places in (
        (predict("At ε = 3, k = 10: which?"), {"epsilon": 3, "k": 1}),
        (predict("From ε = 1 to ε = 3?"), {}),
        (predict("ε = 0.7, k = 100?"), {}),
        (predict("At ε = 3, which ε?", on="epsilon"), {}),
        (predict("At ε = 3?", at={"epsilon": 0.1}), {"epsilon": 0}),
    ):
        asked.check(named)
        assert asked.places(named) == places


@pytest.mark.parametrize(
    ("make", "error", "match"),
    [
        (lambda: predict(3), TypeError, "question must be text"),
        (lambda: predict(" "), ValueError, "question must say"),
        (lambda: predict("q", "one"), ValueError, "at least 2 different answers"),
        (lambda: predict("q", "one", "one"), ValueError, "at least 2 different answers"),
        (lambda: predict("q", "one", ""), ValueError, "at least 2 different answers"),
        (lambda: predict("q", "one", 2), TypeError, "an option must be text"),
        (lambda: predict("q", "a", "b", on="x"), ValueError, "on and unit must be left out"),
        (lambda: predict("q", at=1), TypeError, "at must map"),
        (lambda: predict("q", answer="5"), TypeError, "answer must be a real number"),
        (lambda: predict("q", answer=float("inf")), ValueError, "answer must be finite"),
        (lambda: predict("q", "one", "two", answer="three"), ValueError, "answer must be one of the options"),
        (lambda: predict("q", "one", "two", answer=2), ValueError, "answer must be one of the options"),
        (lambda: predict("q", "one", "two", answer=True), ValueError, "answer must be one of the options"),
        (lambda: predict("q", within=(1, 0)), ValueError, "within must be a number and a larger one"),
        (
            lambda: live(lambda x: None, x=slider(0, 3), predict=predict("q", on="x", answer=4)),
            ValueError,
            "from 0 to 3",
        ),
        (lambda: live(lambda x: None, x=choice(1, 2), predict=predict("q", at={"x": 3})), ValueError, "at must hold"),
        (lambda: live(lambda x: None, x=choice(1, 2), predict=predict("q", at={"y": 1})), ValueError, "at must hold"),
        (lambda: live(lambda x: None, x=draws(2), predict="q"), TypeError, "predict must be what predict"),
        (lambda: live(lambda x: None, x=draws(2), predict=predict("q", on="x")), ValueError, "on must name one"),
    ],
)
def test_bad_input(make, error, match):
    with pytest.raises(error, match=match):
        make()
