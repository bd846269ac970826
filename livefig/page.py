"""The figure on a page without a kernel: first frame as it is, controls that wake up when the script runs."""

from __future__ import annotations

import html
import json
import re
from importlib import resources

from livefig.controls import Control, slug
from livefig.figure import short_hash, with_prefix
from livefig.frames import Frame
from livefig.prediction import Prediction

__all__ = ["SCRIPTS", "moving", "opened", "script", "stage", "still"]

#: A label that says more than what the figure is about, such as how to read its marks: it stays in sight.
_KEY = re.compile(r"[(:;]")
_SIZE = re.compile(r'<svg[^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"')

#: Scripts of a page, in this order: one idea each, and last the figure itself, which puts them to use.
SCRIPTS = (
    "live-memory.js", "live-questions.js", "live-state.js", "live-pin.js", "live-chance.js", "live-pile.js",
    "live-predict.js", "live-words.js", "live-glide.js", "live.js",
)  # fmt: skip


def script() -> str:
    """All scripts in one, for a page that no site makes."""
    assets = resources.files("livefig").joinpath("assets")
    return "\n".join(assets.joinpath(name).read_text(encoding="utf-8") for name in SCRIPTS)


def stage(frame: Frame, prefix: str) -> str:
    """Picture, and a phone's after it, with its alternative text; a table is read cell by cell, so it is no image."""
    picture = with_prefix(frame.svg, prefix) + with_prefix(frame.phone, f"{prefix}phone-")
    role = "img" if picture.startswith("<svg") else "group"
    return f'<div class="lf-stage" role="{role}" aria-label="{html.escape(frame.alt)}">{picture}</div>'


def opened(frame: Frame, classes: str, more: str = "") -> str:
    """Tag with classes and more that opens a frame's figure: its size, which that of letters follows, and colours."""
    size = _SIZE.match(frame.svg)
    phone = f";--lf-phone:{found[2]}" if (found := _SIZE.match(frame.phone)) else ""
    style = f' style="--lf-wide:{size[1]};--lf-high:{size[2]}{phone}"' if size else ""
    names = f' data-names="{html.escape(json.dumps(frame.names, ensure_ascii=False))}"' if frame.names else ""
    return f'<figure class="{classes}"{more}{style}{names}>'


def _titled(title: str, longest: str = "") -> str:
    """The sentence above a picture; the longest of them keeps room for all, so that the picture stands still."""
    room = f' data-longest="{html.escape(longest)}"' if longest and longest != title else ""
    return f'<p class="lf-finding"{room}><span>{html.escape(title)}</span></p>' if title or longest else ""


def still(frame: Frame, label: str = "") -> str:
    """Figure without controls."""
    prefix = f"lf-{short_hash(frame.svg + frame.alt)}-"
    caption = f"<figcaption>{html.escape(label)}</figcaption>" if label else ""
    return f"{opened(frame, 'lf-figure')}{_titled(frame.title)}{stage(frame, prefix)}{caption}</figure>"


def moving(
    first: Frame,
    controls: dict[str, Control],
    packed: str,
    label: str,
    play: bool,
    name: str = "",
    prediction: Prediction | None = None,
    longest: str = "",
) -> str:
    """Figure with controls over baked frames.

    The payload stands in the fragment; the Sphinx extension moves it to a file of its own, loaded when it is needed.
    The figure's id is its name, which readers put into addresses, so it comes from the label, not from the content.
    """
    prefix = f"lf-{short_hash(packed + label)}-"
    asked = prediction.places(controls) if prediction else {}
    parts = [
        opened(
            first,
            "lf-figure lf-live",
            f' id="{name or slug(label) or "figure"}" data-prefix="{prefix}" role="group" '
            f'aria-label="{html.escape(label)}"',
        ),
        f'<p class="lf-title{" lf-key" * bool(_KEY.search(label))}">{html.escape(label)}</p>',
        prediction.html(prefix, controls) if prediction else "",
        f'<div class="lf-view">{_titled(first.title, longest)}{stage(first, prefix)}</div>',
        '<div class="lf-controls">',
        *(
            _control(parameter, control, f"{prefix}c{i}", label, play and i == 0, asked.get(parameter))
            for i, (parameter, control) in enumerate(controls.items())
        ),
        "</div>",
        # Without scripts, or if one failed, this stays; the script takes it away.
        '<p class="lf-note" role="status">With scripts allowed this figure moves; this is its first frame.</p>',
        f'<script type="application/lf-frames" data-frames="{short_hash(packed)}">{packed}</script>',
        "</figure>",
    ]
    return "".join(parts)


def _list(values: tuple[str, ...]) -> str:
    return html.escape(json.dumps(values, ensure_ascii=False, separators=(",", ":")))


def _control(parameter: str, control: Control, name: str, figure: str, play: bool, asked: int | None) -> str:
    label, shown = html.escape(control.label), html.escape(control.texts[control.start])
    key = "draw" if control.kind == "draws" else slug(parameter)
    common = (
        f'data-size="{len(control.values)}" data-start="{control.start}" data-key="{key}" '
        f'data-label="{label}" data-keys="{_list(control.keys)}" data-texts="{_list(control.texts)}"'
    )
    output = f'<output for="{name}" class="lf-value">{shown}</output>'
    if control.kind == "draws":
        pile = '<button type="button" class="lf-more" disabled aria-pressed="false">Pile up a hundred</button>'
        return (
            f'<div class="lf-control lf-draws" {common}{" data-law" if control.by_law else ""} '
            f'data-pile="{html.escape(control.piled)}">'
            f'<button type="button" id="{name}" disabled>{label}</button>{output}{pile if control.pile else ""}</div>'
        )
    if control.kind == "choice":
        options = "".join(
            f'<label><input type="radio" name="{name}" value="{i}" disabled{" checked" if i == control.start else ""}>'
            f"<span>{html.escape(text)}</span></label>"
            for i, text in enumerate(control.texts)
        )
        return f'<fieldset class="lf-control lf-choice" {common}><legend>{label}</legend>{options}</fieldset>'
    last, meaning = len(control.values) - 1, control.meanings[control.start]
    meanings = f' data-meanings="{_list(control.meanings)}"' if any(control.meanings) else ""
    said = html.escape(f"{control.label} = {control.texts[control.start]}" + (f": {meaning}" if meaning else ""))
    low, high = (html.escape(end) for end in control.ends or ("", ""))
    ticks = "".join(
        f'<span style="left:{100 * i / last:.4g}%">{html.escape(control.texts[i])}</span>' for i in control.ticks
    )
    if asked is not None:
        side = " lf-right" if asked > 0.8 * last else ""
        ticks += f'<span class="lf-flag{side}" style="left:{100 * asked / last:.4g}%">asked here</span>'
    return (
        f'<div class="lf-control lf-range" {common}{meanings}>'
        f'<p class="lf-row"><label for="{name}">{label}</label>{output}'
        f'<span class="lf-meaning">{html.escape(meaning)}</span>'
        + ('<button type="button" class="lf-play" disabled aria-pressed="false">Play</button>' if play else "")
        + f'</p><div class="lf-rail"><span class="lf-end">{low}</span><input type="range" id="{name}" min="0" '
        f'max="{last}" step="1" value="{control.start}" aria-label="{label}, {html.escape(figure)}" '
        f'aria-valuetext="{said}" disabled><span class="lf-end">{high}</span>'
        f'<div class="lf-ticks" aria-hidden="true">{ticks}</div></div></div>'
    )
