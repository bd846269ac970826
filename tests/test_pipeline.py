"""The picture of who sees what: its words, its room and its colours."""

import re

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from ldp_book.pipeline import pipeline
from livefig import palette, style
from livefig.figure import describe, to_svg

BITS = "0 0 0 1 0 0 0\n0 0 0 0 0 0 0"
LONG = {
    "value": "married, a nurse, 37 years old",
    "encoded": BITS,
    "report": BITS,
    "aggregate": "how many reports have a 1 at each of the places",
    "estimate": "unbiased counts, of which some are negative",
}


@pytest.fixture(autouse=True)
def book_style():
    with style():
        yield


def drawn(figure):
    FigureCanvasAgg(figure).draw()
    return [text for text in figure.axes[0].texts if text.get_text()]


def test_every_text_is_drawn_and_said():
    figure = pipeline("over 50", "yes", "no", "Y yeses", "2 (Y − n/4)", ("code", "toss", "add", "undo"), "Two coins")
    words = [text.get_text() for text in drawn(figure)]
    for word in ("over 50", "yes", "no", "Y yeses", "2 (Y − n/4)", "code", "toss", "add", "undo", "Two coins"):
        assert words.count(word) == 1
    assert "trust boundary: only the report crosses" in words
    assert describe(figure) == (
        "Two coins. On each person’s device: over 50, code gives yes, toss gives no. "
        "Only the report crosses the trust boundary. At the collector: add gives Y yeses, undo gives 2 (Y − n/4)"
    )


def test_a_trusted_curator_stands_above_the_boundary():
    figure = pipeline("all rows", "count", "count + noise", "answers", "tables", trusted=True)
    words = [text.get_text() for text in drawn(figure)]
    assert "trust boundary: only the answer crosses" in words
    assert "at the curator, who holds everybody’s row" in words
    assert not any("device" in word or "collector" in word for word in words)
    assert describe(figure).startswith("At the curator, who holds everybody’s row: all rows, encode gives count")
    assert "Outside: aggregate gives answers, estimate gives tables" in describe(figure)
    with pytest.raises(TypeError, match="trusted"):
        pipeline(trusted="yes")


@pytest.mark.parametrize("given", [{}, LONG, {"title": "A heading so long that it has to be broken into lines " * 2}])
def test_nothing_is_cut_off_or_lies_on_another(given):
    """Six inches wide, as a phone can show it: every text inside the figure, and apart from every other."""
    figure = pipeline(**given)
    assert figure.get_figwidth() == 6
    boxes = [text.get_tightbbox() for text in drawn(figure)]
    page = figure.bbox
    for box in boxes:
        assert page.x0 <= box.x0
        assert box.x1 <= page.x1
        assert page.y0 <= box.y0
        assert box.y1 <= page.y1
    overlaps = [(i, j) for i, one in enumerate(boxes) for j, two in enumerate(boxes[:i]) if one.overlaps(two)]
    assert not overlaps


def test_colours_are_those_of_the_book():
    colours = {text.get_text(): text.get_color() for text in drawn(pipeline("a", "b", "c", "d", "e"))}
    assert [colours[word] for word in "abcde"] == [
        palette.truth, palette.truth, palette.report, palette.report, palette.estimate,
    ]  # fmt: skip
    svg = to_svg(pipeline())
    assert set(re.findall(r"#[0-9a-f]{6}", re.sub(r"var\(--lf-\w+,#[0-9a-f]{6}\)", "", svg))) == set()
