"""The figure on a page without a kernel: first frame as it is, controls that wake up when the script runs."""

from __future__ import annotations

import html
import json

from ldp_core.live.controls import Control
from ldp_core.live.figure import short_hash, with_prefix
from ldp_core.live.frames import Frame

__all__ = ["moving", "stage", "still"]


def stage(frame: Frame, prefix: str) -> str:
    """Picture with its alternative text; a table is read cell by cell, so it is no image."""
    picture = with_prefix(frame.svg, prefix)
    role = "img" if picture.startswith("<svg") else "group"
    return f'<div class="ldp-stage" role="{role}" aria-label="{html.escape(frame.alt)}">{picture}</div>'


def still(frame: Frame, label: str = "") -> str:
    """Figure without controls."""
    prefix = f"ldp-{short_hash(frame.svg + frame.alt)}-"
    caption = f"<figcaption>{html.escape(label)}</figcaption>" if label else ""
    return f'<figure class="ldp-figure">{stage(frame, prefix)}{caption}</figure>'


def moving(first: Frame, controls: dict[str, Control], packed: str, label: str, play: bool) -> str:
    """Figure with controls over baked frames.

    The payload stands in the fragment; the Sphinx extension moves it to a file of its own, loaded when it is needed.
    """
    name = f"ldp-{short_hash(packed + label)}"
    parts = [
        f'<figure class="ldp-figure ldp-live" id="{name}" role="group" aria-label="{html.escape(label)}">',
        f'<p class="ldp-title">{html.escape(label)}</p>',
        stage(first, f"{name}-"),
        '<div class="ldp-controls">',
        *(_control(control, f"{name}-c{i}", play and i == 0) for i, control in enumerate(controls.values())),
        "</div>",
        # Without scripts, or if one failed, this stays; the script takes it away.
        '<p class="ldp-note" role="status">With scripts allowed this figure moves; this is its first frame.</p>',
        f'<script type="application/ldp-frames" data-frames="{short_hash(packed)}">{packed}</script>',
        "</figure>",
    ]
    return "".join(parts)


def _control(control: Control, name: str, play: bool) -> str:
    label, texts = html.escape(control.label), html.escape(json.dumps(control.texts, ensure_ascii=False))
    shown = html.escape(control.texts[control.start])
    common = f'data-size="{len(control.values)}" data-start="{control.start}"'
    if control.kind == "draws":
        return (
            f'<div class="ldp-control ldp-draws" {common}><button type="button" disabled>{label}</button>'
            f'<output class="ldp-value" data-texts="{texts}">{shown}</output></div>'
        )
    if control.kind == "choice":
        options = "".join(
            f'<label><input type="radio" name="{name}" value="{i}" disabled{" checked" if i == control.start else ""}>'
            f"<span>{html.escape(text)}</span></label>"
            for i, text in enumerate(control.texts)
        )
        return f'<fieldset class="ldp-control ldp-choice" {common}><legend>{label}</legend>{options}</fieldset>'
    button = '<button type="button" class="ldp-play" disabled aria-pressed="false">Play</button>' if play else ""
    return (
        f'<div class="ldp-control ldp-range" {common}><label for="{name}">{label}</label>'
        f'<input type="range" id="{name}" min="0" max="{len(control.values) - 1}" step="1" value="{control.start}" '
        f'aria-valuetext="{label} = {shown}" data-texts="{texts}" disabled>'
        f'<output for="{name}" class="ldp-value">{shown}</output>{button}</div>'
    )
