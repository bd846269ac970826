"""``live`` and ``show``: a drawing function on the page, with or without something to move."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from functools import cached_property
from typing import Any

from livefig import frames, page
from livefig._checks import check_bool, check_text, shown
from livefig.controls import Control, slug
from livefig.frames import Alt, Draw, Frame
from livefig.layout import Layout
from livefig.prediction import Prediction

__all__ = ["STATIC", "Html", "Live", "is_static", "live", "show"]

#: Set by the build of a site, and inherited by its kernels.
STATIC = "LIVEFIG_STATIC"


def is_static() -> bool:
    """Whether figures are baked for a page without a kernel."""
    return bool(os.environ.get(STATIC))


class Html:
    """Something that shows itself as HTML only, in a build as in a kernel."""

    def __init__(self, html: str) -> None:
        self.html = html

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002
        return {"text/html": self.html}


class Live:
    """A figure with controls; made by :func:`live`, which was given its draw and its controls.

    Its ``frames`` are every combination of the controls' values, the last control fastest; ``html`` is the figure for a
    page without a kernel, and ``widget`` that for a kernel. Each is made when it is first asked for.
    """

    def __init__(
        self,
        draw: Draw,
        controls: dict[str, Control],
        alt: Alt,
        label: str,
        play: bool,
        name: str = "",
        predict: Prediction | None = None,
    ) -> None:
        self.draw, self.controls, self.alt, self.label, self.play = draw, controls, alt, label, play
        self.name, self.predict = name, predict

    @cached_property
    def frames(self) -> list[Frame]:
        """Every frame of the page; the one that is shown first is drawn first, as the others stand where it stands.

        What suits the first frame and not all of them is not done: all are then drawn once more, from the frame on that
        tells. A figure is fullest at the ends of its sliders, so these come second.
        """
        pile = next((control.pile for control in self.controls.values() if control.by_law), None)
        places = list(enumerate(frames.grid(self.controls)))
        start = frames.start_index(self.controls)
        order = sorted(places, key=lambda numbered: (numbered[0] != start, numbered[0] not in (0, len(places) - 1)))
        layout = Layout()
        drawn: dict[int, Frame] = {}
        while len(drawn) < len(places):
            i, values = order[len(drawn)]
            drawn[i] = frames.draw_frame(self.draw, values, self.alt, pile, layout, lift=True)
            if layout.regrets:
                layout, drawn = Layout(layout.refused | layout.regrets), {}
        return [drawn[i] for i in range(len(places))]

    @cached_property
    def html(self) -> str:
        """Fragment for the page."""
        first = self.frames[frames.start_index(self.controls)]
        packed = frames.pack(self.frames, frames.piles(self.controls))
        longest = max((frame.title for frame in self.frames), key=len)
        return page.moving(first, self.controls, packed, self.label, self.play, self.name, self.predict, longest)

    @cached_property
    def widget(self) -> Any:
        """Widget for the kernel."""
        from livefig import widget

        return widget.build(self.draw, self.controls, self.alt, self.label, self.play, self.predict)

    def _ipython_display_(self) -> None:
        from IPython.display import display

        display(Html(self.html) if is_static() else self.widget)


def live(
    draw: Draw,
    *,
    alt: Alt = None,
    label: str | None = None,
    play: bool = False,
    anchor: str | None = None,
    predict: Prediction | None = None,
    **controls: Control,
) -> Live:
    """Show a figure that the reader can move.

    Parameters
    ----------
    draw : callable
        Takes every control by keyword and returns a Matplotlib figure, or a table (see :func:`table`) whose rows may
        hold small ones. It must depend on its arguments only (random draws take their seed from a ``draws`` control),
        so that page and kernel show the same. It is called for every combination when the book is built, for some
        more than once: share what can be computed beforehand, and keep it under 0.2 s.
    alt : str or callable, optional
        Text, or a function of the controls. By default the figure's own titles and labels.
    label : str, optional
        Heading of the figure.
    play : bool, default False
        Add a button that sweeps the first slider. It never starts by itself.
    anchor : str, optional
        What the figure is called in addresses, such as ``#twenty-surveys?epsilon=0.3``; by default its label in small
        letters with hyphens.
    predict : Prediction, optional
        What the reader is asked before the figure is seen: see :func:`predict`.
    **controls : Control
        What ``log_slider``, ``slider``, ``choice`` and ``draws`` (one at most) return, by the name of draw's parameter;
        they may have 600 combinations.
    """
    _check_draw(draw, controls)
    if not (alt is None or callable(alt)):
        check_text(alt, "alt")
    if label is not None:
        check_text(label, "label")
    play = check_bool(play, "play")
    if not controls:
        raise ValueError("controls must hold at least one control, such as epsilon=log_slider(0.1, 8), got none")
    for parameter, control in controls.items():
        if not isinstance(control, Control):
            raise TypeError(f"{parameter} must be a control such as log_slider(0.1, 8), got {shown(control)}")
    if len(random := [name for name, control in controls.items() if control.kind == "draws"]) > 1:
        raise ValueError(f"controls must hold one draws(...) at most, got {', '.join(random)}")
    frames.check_size(controls)
    named = {parameter: control.named(parameter, controls) for parameter, control in controls.items()}
    title = label or f"Figure with {', '.join(control.label for control in named.values())}"
    if anchor is not None and (anchor != slug(check_text(anchor, "anchor")) or not anchor):
        raise ValueError(f"anchor must be small letters, digits and hyphens, got {shown(anchor)}")
    if predict is not None:
        if not isinstance(predict, Prediction):
            raise TypeError(f"predict must be what predict(...) returns, got {shown(predict)}")
        predict.check(named)
    return Live(draw, named, alt, title, play, anchor or "", predict)


def show(draw: Callable[[], Any] | Any, *, alt: str | None = None, label: str = "") -> Html:
    """Show a figure that does not move, in the book's style.

    It is a Matplotlib figure, or a function without arguments that returns one (draw). A figure of the book's plots
    (``lines``, ``bars``, …) needs no ``alt``, a text here. The ``label`` is a caption.
    """
    if alt is not None and (not isinstance(alt, str) or not alt.strip()):
        raise ValueError(f"alt must say what the figure shows, got {shown(alt)}")
    check_text(label, "label")
    if callable(draw):
        _check_draw(draw, {})
    from matplotlib.figure import Figure

    def drawn() -> Any:
        figure = draw() if callable(draw) else draw
        if alt is None and isinstance(figure, Figure) and not hasattr(figure, "livefig"):
            raise ValueError("alt must say what the figure shows, got None: only the book's plots say it themselves")
        return figure

    frame = frames.draw_frame(drawn, {}, alt, lift=is_static())
    html = page.still(frame, label)
    if not is_static():
        from livefig.widget import styles

        html = styles() + html
    return Html(html)


def _check_draw(draw: Draw, controls: dict[str, Control]) -> None:
    if not callable(draw):
        raise TypeError(f"draw must be a function that returns a figure, got {shown(draw)}")
    try:
        inspect.signature(draw).bind(**dict.fromkeys(controls))
    except ValueError:  # some of Python's own functions do not say what they take
        raise TypeError(f"draw must be a function that says what it takes, got {shown(draw)}") from None
    except TypeError as error:
        raise TypeError(f"draw must take {', '.join(controls) or 'no argument'} by keyword: {error}") from None
