"""The same figure in a kernel: ipywidgets controls that draw afresh, at any value."""

from __future__ import annotations

import html
import math
from functools import cache
from importlib import resources
from typing import Any

from livefig.chance import Chance
from livefig.controls import Control
from livefig.figure import short_hash
from livefig.frames import Alt, Draw, draw_frame
from livefig.layout import Layout
from livefig.page import opened, stage
from livefig.prediction import Prediction

__all__ = ["build", "styles"]

#: A kernel that has died cannot say so itself.
HINT = "Drawn by the kernel. If it no longer follows: Kernel, then Restart Kernel and Run All Cells."


@cache
def styles() -> str:
    """Style sheet of the figures, for places where no page has linked it."""
    css = resources.files("livefig").joinpath("assets", "live.css").read_text(encoding="utf-8")
    return f"<style>{css}</style>"


def build(
    draw: Draw, controls: dict[str, Control], alt: Alt, label: str, play: bool, predict: Prediction | None = None
) -> Any:
    """Build the widget; it draws once now, and again whenever a control comes to rest."""
    import ipywidgets

    picture, meaning, layout = ipywidgets.HTML(), ipywidgets.HTML(), Layout()
    made = {name: _widget(control) for name, control in controls.items()}
    seeds = {name: control.values[0] for name, control in controls.items() if control.kind == "draws"}
    prefix = f"lf-{short_hash(label + repr(list(controls)))}-"

    def redraw(*_: Any) -> None:
        values = {name: seeds[name] if name in seeds else made[name].value for name in controls}
        try:
            frame = draw_frame(draw, values, alt, layout=layout)
        except Exception as error:  # shown where the reader looks; a callback's traceback would go nowhere
            message = html.escape(f"{type(error).__name__}: {error}")
            picture.value = f'{styles()}<p class="lf-note" role="status">The figure could not be drawn. {message}</p>'
            return
        picture.value = f"{styles()}{opened(frame, 'lf-figure lf-kernel')}{stage(frame, prefix)}</figure>"
        meaning.value = "<br>".join(
            html.escape(f"{control.label} = {control.format(values[name])}: {text}")
            for name, control in controls.items()
            if (text := control._means(values[name]))
        )

    for name, widget in made.items():
        if name in seeds:
            # Seeds go on without end: first those that the page has, then fresh ones.
            def fresh(_: Any, name: str = name) -> None:
                seeds[name] = Chance(seeds[name].seed + 1) if controls[name].by_law else seeds[name] + 1
                redraw()

            widget.on_click(fresh)
        else:
            widget.observe(redraw, "value")
    redraw()
    rows: list[Any] = [ipywidgets.HTML(f"<strong>{html.escape(label)}</strong>")]
    rows += [ipywidgets.HTML(predict.asked(f"{prefix}q") + predict.told(controls))] if predict else []
    rows += [picture, *made.values(), meaning]
    first = next(iter(made.values()), None)
    if play and first is not None and controls[next(iter(controls))].kind in ("log", "linear"):
        rows.append(_player(first, controls[next(iter(controls))]))
    rows.append(ipywidgets.HTML(f'<small class="lf-hint">{HINT}</small>'))
    box = ipywidgets.VBox(rows)
    box.picture, box.controls, box.meaning = picture, made, meaning
    return box


def _widget(control: Control) -> Any:
    import ipywidgets as w

    value, wide = control.values[control.start], w.Layout(width="min(100%, 36rem)")
    common: dict[str, Any] = {"description": control.label, "style": {"description_width": "initial"}}
    if control.kind == "draws":
        return w.Button(description=control.label, layout=w.Layout(width="auto"))
    if control.kind == "choice":
        options = list(zip(control.texts, control.values, strict=True))
        return w.ToggleButtons(options=options, value=value, **common)
    # Drawing takes longer than a mouse moves: draw when the slider rests, so that nothing queues up.
    common |= {"value": value, "layout": wide, "continuous_update": False}
    lo, hi = control.values[0], control.values[-1]
    if control.kind == "log":
        low, high = math.log10(lo), math.log10(hi)
        return w.FloatLogSlider(base=10, min=low, max=high, step=(high - low) / 500, readout_format=".3g", **common)
    if isinstance(value, int) and all(isinstance(v, int) for v in control.values):
        return w.IntSlider(min=lo, max=hi, **common)
    return w.FloatSlider(min=lo, max=hi, step=(hi - lo) / 500, readout_format=".3g", **common)


def _player(widget: Any, control: Control) -> Any:
    import ipywidgets as w

    play = w.Play(min=0, max=len(control.values) - 1, value=control.start, interval=700, description="Play")

    def step(change: Any) -> None:
        widget.value = control.values[change["new"]]

    play.observe(step, "value")
    return play
