"""Axes that stand still while a figure moves, although each of its frames is a figure of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

__all__ = ["Layout", "once", "stacked"]

_DECISIONS: ContextVar[Layout | None] = ContextVar("decisions", default=None)


def once(question: Any, decide: Callable[[], bool], holds: Callable[[], bool] = lambda: True) -> bool:
    """Decide a question (hashable) for all frames of a figure in the first of them, as ``decide`` says.

    Where it was decided for, and ``holds`` says no in a later frame, that is a regret of the layout.
    """
    layout = _DECISIONS.get()
    if layout is None:
        return decide()
    known = layout.decisions
    if question not in known:
        known[question] = decide()
    elif known[question] and not holds():
        layout.regrets.add(question)
    return known[question]


def stacked() -> bool:
    """Whether panels stand below one another, as on a phone; where they do not, a phone's layout is made ready."""
    layout = _DECISIONS.get()
    if layout is None:
        return False
    if not layout.stacked and layout.phone is None:
        layout.phone = Layout(layout.refused, stacked=True)
        layout.phone.regrets = layout.regrets
    return layout.stacked


class Layout:
    """Where the axes of a first picture stand: those after it stand there too, if as much is written around them.

    So axes stand still, and to find their places takes longer than to draw what is in them. What is ``refused`` is
    decided against beforehand (see :func:`once`). Where panels stand side by side, ``phone`` is the layout of a second
    drawing, on which they are ``stacked``.
    """

    def __init__(self, refused: Iterable[Any] = (), stacked: bool = False) -> None:
        self.refused, self.stacked = frozenset(refused), stacked
        self.phone: Layout | None = None
        self._written: list[Any] | None = None
        self._places: list[Any] = []
        self.decisions: dict[Any, bool] = dict.fromkeys(self.refused, False)
        self.regrets: set[Any] = set()

    @contextmanager
    def decided(self) -> Iterator[None]:
        """While a frame is made: what was decided in the first one (see :func:`once`) holds for it."""
        before = _DECISIONS.set(self)
        try:
            yield
        finally:
            _DECISIONS.reset(before)

    def before(self, figure: Any) -> None:
        """Let the axes of a figure stand where those of the first stood, if they have the same marks and lines."""
        written = _written(figure)
        if not self._places:
            self._written = written
        elif written is not None and written == self._written:
            figure.set_layout_engine("none")
            for part, place in zip((*figure.axes, *figure.texts), self._places, strict=True):
                part.set_position(place)

    def after(self, figure: Any) -> None:
        """Remember the places of the first figure, which were found as it was drawn."""
        if not self._places:
            self._places = [ax.get_position(original=True) for ax in figure.axes]
            self._places += [text.get_position() for text in figure.texts]


def _written(figure: Any) -> list[Any] | None:
    """What takes room around axes: marks and legends as they look, numbers of lines elsewhere, lengths of words within.

    Titles may be set smaller, to fit, without other room. None where insets hang on axes, or figures in figures.
    """
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    engine = figure.get_layout_engine()
    if not isinstance(engine, ConstrainedLayoutEngine) or figure.subfigs or any(ax.child_axes for ax in figure.axes):
        return None
    written: list[Any] = [figure.get_size_inches().tolist(), engine.get(), [_legend(part) for part in figure.legends]]
    written += [(text.get_position(), _lines(text.get_text())) for text in figure.texts]
    for ax in figure.axes:
        titles = [ax.get_title(place) for place in ("left", "center", "right")]
        written += [
            (ax.get_position(original=True).bounds, ax.get_visible(), ax.axison, ax.get_aspect()),
            [_marks(axis) for axis in (ax.xaxis, ax.yaxis)],
            [_lines(text) for text in (*titles, ax.get_xlabel(), ax.get_ylabel())],
            [len(text.get_text()) for text in ax.texts],
            ax.get_legend() and _legend(ax.get_legend()),
        ]
    return written


def _marks(axis: Any) -> list[Any]:
    """Labels of marks, large and small, their side, and the factor or summand that all of them share."""
    labels = axis.get_majorticklabels()  # brings the small ones up to date as well; to ask for these, too, takes time
    labels += [tick.label1 for tick in axis.minorTicks]
    return [axis.get_ticks_position(), _looks(labels), axis.get_major_formatter().get_offset()]


def _legend(legend: Any) -> list[Any]:
    return [legend.get_bbox_to_anchor().bounds, _looks(legend.get_texts())]


def _looks(texts: list[Any]) -> list[Any]:
    return [(text.get_text(), text.get_fontsize(), text.get_rotation(), text.get_visible()) for text in texts]


def _lines(text: str) -> int:
    return text.count("\n") + bool(text)
