"""Frames stand where the first one stands, or are laid out by themselves."""

import matplotlib.pyplot as plt
import pytest
from matplotlib.layout_engine import ConstrainedLayoutEngine

from livefig.figure import style, to_svg
from livefig.layout import Layout


@pytest.fixture
def laid_out(monkeypatch):
    """Figures for which places were looked for."""
    found = []
    look = ConstrainedLayoutEngine.execute
    monkeypatch.setattr(
        ConstrainedLayoutEngine, "execute", lambda self, figure: found.append(figure) or look(self, figure)
    )
    return found


def picture(height=1.0, title="one line", size=(6, 3), **change):
    with style():
        figure, axes = plt.subplots(1, 2, figsize=size)
        for ax in axes:
            ax.plot([0, 1], [0, height])
            ax.set(**{"ylim": (0, 1), "xlabel": "x", "ylabel": "y", "title": title} | change)
        figure.suptitle(f"height {height}")
    return figure


def places(figure):
    parts = [ax.get_position(original=True).bounds for ax in figure.axes]
    return parts + [text.get_position() for text in figure.texts]


def test_what_has_the_same_marks_is_not_laid_out_again(laid_out):
    layout, first, second = Layout(), picture(), picture(0.123, title="words of another length")
    second.axes[0].title.set_fontsize(11)  # to fit
    alone = to_svg(picture())
    assert to_svg(first, layout=layout) == alone, "the first frame is drawn as it is without others"
    laid_out.clear()
    drawn = to_svg(second, layout=layout)
    assert laid_out == []
    assert places(second) == places(first)
    assert ">words of another length<" in drawn
    by_itself = picture(0.123, title="words of another length")
    to_svg(by_itself)
    assert places(second)[0] == pytest.approx(places(by_itself)[0], abs=0.01), "as little room as it would take alone"


@pytest.mark.parametrize(
    "change",
    [
        {"ylim": (0, 1_000)},
        {"title": "two\nlines"},
        {"xlabel": ""},
        {"ylabel": "two\nlines"},
        {"size": (6, 4)},
        {"xticks": [0, 1]},
        {"xticks": [0, 1], "xticklabels": ["long and", "longer"]},
    ],
)
def test_what_needs_other_room_gets_it(laid_out, change):
    layout = Layout()
    to_svg(picture(), layout=layout)
    assert to_svg(picture(**change), layout=layout) == to_svg(picture(**change))
    assert len(laid_out) == 3


def test_what_only_looks_otherwise_gets_its_room(laid_out):
    changes = [
        lambda figure, ax: ax.tick_params(labelsize=20),
        lambda figure, ax: ax.tick_params(axis="x", rotation=90),
        lambda figure, ax: ax.xaxis.tick_top(),
        lambda figure, ax: ax.set_xticks([0.55], labels=["of three\nlines\nbetween"], minor=True),
        lambda figure, ax: ax.axis("off"),
        lambda figure, ax: ax.set_aspect("equal"),
        lambda figure, ax: ax.set_visible(False),
        lambda figure, ax: ax.set_ylim(1e9, 1e9 + 1),
        lambda figure, ax: ax.inset_axes((1, 0, 0.5, 0.5)),
        lambda figure, ax: ax.legend(labels=["a"], bbox_to_anchor=(1, 1), loc="upper left"),
        lambda figure, ax: figure.get_layout_engine().set(w_pad=0.5),
    ]

    def changed(change):
        figure = picture()
        with style():
            figure.axes[0].legend(labels=["a"], loc="upper left")
            change(figure, figure.axes[0])
        return figure

    layout = Layout()
    to_svg(changed(lambda figure, ax: None), layout=layout)
    figures = [changed(change) for change in changes]
    laid_out.clear()
    for figure in figures:
        to_svg(figure, layout=layout)
    assert [figures.index(figure) for figure in laid_out] == list(range(len(changes)))


def test_places_that_somebody_chose_are_kept(laid_out):
    def chosen(left):
        figure = plt.figure(layout="none")
        figure.add_axes((left, 0.2, 0.5, 0.5))
        return figure

    layout, second = Layout(), chosen(0.4)
    to_svg(chosen(0.1), layout=layout)
    to_svg(second, layout=layout)
    assert places(second)[0] == pytest.approx((0.4, 0.2, 0.5, 0.5))


def test_another_number_of_axes_or_words_within(laid_out):
    layout, more, words = Layout(), picture(), picture()
    to_svg(picture(), layout=layout)
    with style():
        more.add_subplot(3, 1, 3)
        words.axes[0].annotate("beyond the edge", (1, 1), annotation_clip=False)
        words.axes[1].plot([], [], label="line")
        words.axes[1].legend(loc="center left", bbox_to_anchor=(1, 0.5))
    laid_out.clear()
    for figure in (more, words):
        to_svg(figure, layout=layout)
    assert laid_out == [more, words]
