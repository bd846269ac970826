import pytest

from ldp_core.live import draws, live, log_slider, predict


def test_in_a_kernel_the_question_stands_above_the_picture(line, kernel):
    for asked, words in (
        (predict("How <many>?"), "How &lt;many&gt;?"),
        (predict("Which?", "a", "b"), "Which? (a; or b)"),
    ):
        widget = live(line, epsilon=log_slider(0.1, 1, n=2), label="L", predict=asked).widget
        assert words in widget.children[0].value
        assert widget.children[1] is widget.picture


def test_without_scripts_there_is_the_question_alone(line, static):
    asked = predict("At which ε < 1?", on="epsilon")
    html = live(line, epsilon=log_slider(0.1, 1, n=2), label="L", predict=asked).html
    question = html.index("At which ε &lt; 1?")
    assert html.index('<form class="ldp-predict"') < question < html.index('<div class="ldp-guessing" hidden>')
    assert "At which ε &lt; 1?" in html
    assert "ε = <input" in html
    assert html.index("ldp-predict") < html.index("ldp-stage"), "read before the picture"
    assert "ldp-veiled" not in html


def test_a_prediction_among_answers(line, static):
    asked = predict("Which?", "the <local> one", "the central one")
    html = live(line, epsilon=log_slider(0.1, 1, n=2), label="L", predict=asked).html
    assert html.count('type="radio"') == 2
    assert "the &lt;local&gt; one" in html


def test_a_kernel_veils_nothing(line, kernel):
    figure = live(line, epsilon=log_slider(0.1, 1, n=2), predict=predict("Which?", on="epsilon"))
    assert "<svg" in figure.widget.picture.value


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
        (lambda: live(lambda x: None, x=draws(2), predict="q"), TypeError, "predict must be what predict"),
        (lambda: live(lambda x: None, x=draws(2), predict=predict("q", on="x")), ValueError, "on must name one"),
    ],
)
def test_bad_input(make, error, match):
    with pytest.raises(error, match=match):
        make()
