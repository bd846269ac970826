"""All frames of a figure, drawn once and packed small: what a page without a kernel moves through."""

from __future__ import annotations

import base64
import gzip
import itertools
import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from livefig._checks import shown
from livefig.chance import Chance, Drawn, plain, template
from livefig.controls import MAX_FRAMES, Control, Pile
from livefig.figure import check_figure, describe, lifted, names, style, to_svg
from livefig.layout import Layout
from livefig.tables import Table

__all__ = ["Alt", "Draw", "Frame", "check_size", "draw_frame", "grid", "pack", "piles", "start_index", "unpack"]

#: Draws in a pile.
PILE = 100
#: Letters of the longest picture up to which gzip, which looks back 32,768, finds in it what the one before has too.
_NEAR = 2**14
#: Where a longer picture is taken apart: between elements, and between the markers of one path.
_CUT = re.compile(r"(?<=>)(?=<)|(?<=z)(?=M)")

#: A drawing function.
Draw = Callable[..., Any]
#: What a figure shows: text, or a function of its controls.
Alt = str | Callable[..., str] | None


@dataclass(frozen=True)
class Frame:
    """One picture, or one table with pictures, and what it shows; if part of it is drawn by law, the law.

    A title that a page writes above the picture, and the colours of what has a name in it, stand by themselves; so does
    the picture for a phone, where that is another.
    """

    svg: str
    alt: str
    law: dict[str, Any] = field(default_factory=dict)
    title: str = ""
    names: dict[str, str] = field(default_factory=dict)
    phone: str = ""


def draw_frame(
    draw: Draw, values: dict[str, Any], alt: Alt, pile: Pile = None, layout: Layout | None = None, lift: bool = False
) -> Frame:
    """Draw one frame in the book's style; the same values after the same first frame give the same bytes.

    With ``lift``, for a page, its title is no part of the picture, and panels are drawn for a phone as well.
    """
    layout = layout or Layout()
    frame = _frame(draw, values, alt, pile, layout, lift)
    if not (lift and layout.phone):
        return frame
    return replace(frame, phone=_frame(draw, values, alt, pile, layout.phone, lift).svg)


def _frame(draw: Draw, values: dict[str, Any], alt: Alt, pile: Pile, layout: Layout, lift: bool) -> Frame:
    for name, chance in values.items():
        if isinstance(chance, Chance):
            others = {k: v for k, v in values.items() if k != name}
            return _by_law(draw, others, name, chance.seed, alt, pile, layout, lift)
    with style(), layout.decided():
        drawn = draw(**values)
    if callable(alt):
        text = alt(**values)
    elif alt is not None:
        text = alt
    elif isinstance(drawn, Table):
        text = drawn.caption
    else:
        text = describe(drawn) if hasattr(drawn, "axes") else ""
    if isinstance(drawn, Table):
        return Frame(drawn.html, text)
    svg, title = _picture(drawn, layout, lift)
    return Frame(svg, text, {}, title, names(drawn))


def _picture(figure: Any, layout: Layout, lift: bool, chance: Chance | None = None) -> tuple[str, str]:
    """The drawing, and the title that is no part of it."""
    check_figure(figure, "draw must return")
    title = lifted(figure) if lift else ""
    return to_svg(figure, chance, layout, title), title


def _by_law(
    draw: Draw, values: dict[str, Any], name: str, seed: int, alt: Alt, pile: Pile, layout: Layout, lift: bool
) -> Frame:
    """Draw a frame with the law of what is random in it; each function draws the same, in the same order."""
    if not callable(alt):
        raise TypeError(f"alt must be a function of what is drawn, for a page that draws it anew, got {shown(alt)}")
    pictured, told, piled = (Chance(seed, values) for _ in range(3))
    with style(), layout.decided():
        figure = draw(**values, **{name: pictured})
    svg, title = _picture(figure, layout, lift, pictured)
    text = alt(**values, **{name: told})
    number = None if pile is None else pile(**values, **{name: piled})
    if not (number is None or (isinstance(number, Drawn) and len(number.codes) == 1)):
        raise TypeError(f"pile must return one drawn number, got {shown(number)}")
    for chance, function in ((told, "alt"), (piled, "pile")):
        # The same steps may still be drawn in another order: one call for two surveys, or two calls.
        if chance.steps != pictured.steps[: len(chance.steps)] or chance.drawn != pictured.drawn[: len(chance.drawn)]:
            raise ValueError(f"{function} must draw what draw draws, in the same order, but not for {shown(values)}")
    law = {"steps": pictured.steps, "first": pictured.drawn, "alt": template(text, told.texts)}
    law |= {"title": template(title, pictured.texts)} if title else {}
    if number is not None:
        law["pile"] = number.codes[0]
    return Frame(svg, plain(text), law, plain(title), names(figure))


def grid(controls: dict[str, Control]) -> Iterator[dict[str, Any]]:
    """All combinations of the controls' values, the last control fastest."""
    for combination in itertools.product(*(control.values for control in controls.values())):
        yield dict(zip(controls, combination, strict=True))


def start_index(controls: dict[str, Control]) -> int:
    """Place of the first frame shown in the order of :func:`grid`."""
    index = 0
    for control in controls.values():
        index = index * len(control.values) + control.start
    return index


def check_size(controls: dict[str, Control]) -> None:
    """Refuse controls with more combinations than are baked, ``MAX_FRAMES``, and say what to do."""
    size = 1
    for control in controls.values():
        size *= len(control.values)
    if size > MAX_FRAMES:
        sizes = " × ".join(f"{len(c.values)} ({name})" for name, c in controls.items())
        raise ValueError(
            f"controls must have at most {MAX_FRAMES} combinations, got {sizes} = {size}: use fewer positions "
            "(log_slider(..., n=15)), fewer choices or fewer draws"
        )


def piles(controls: dict[str, Control]) -> list[list[float]]:
    """Draw a hundred numbers, to four digits, for every combination of the controls but the one with a pile."""
    random = next((name for name, control in controls.items() if control.pile and not control.by_law), None)
    if random is None:
        return []
    one, others = controls[random].pile, {name: c for name, c in controls.items() if name != random}
    assert one is not None
    found = []
    for values in grid(others):
        numbers = [float(one(**values, **{random: seed})) for seed in range(PILE)]
        if not all(math.isfinite(number) for number in numbers):
            raise ValueError(f"pile must give finite numbers, but not for {shown(values)}")
        found.append([float(f"{number:.4g}") for number in numbers])
    return found


def pack(frames: list[Frame], piled: list[list[float]] | None = None) -> str:
    """Pack frames as base64 of gzipped JSON: equal pictures, and equal parts of long ones, are stored once."""
    pictures = list(dict.fromkeys(svg for frame in frames for svg in (frame.svg, frame.phone) if svg))
    texts = list(dict.fromkeys(frame.alt for frame in frames))
    titles = list(dict.fromkeys(frame.title for frame in frames))
    place, said, above = ({part: i for i, part in enumerate(parts)} for parts in (pictures, texts, titles))
    parts: dict[str, int] = {}
    if max(map(len, pictures)) > _NEAR:
        apart = [[parts.setdefault(part, len(parts)) for part in _CUT.split(picture)] for picture in pictures]
    content: dict[str, Any] = {
        "svg": apart if parts else pictures,
        "alt": texts,
        "title": titles,
        "frames": [
            [place[frame.svg], said[frame.alt], above[frame.title], *([place[frame.phone]] if frame.phone else [])]
            for frame in frames
        ],
    }
    content |= ({"parts": list(parts)} if parts else {}) | ({"piles": piled} if piled else {})
    if any(frame.law for frame in frames):
        content["laws"] = [frame.law for frame in frames]
    raw = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return base64.b64encode(gzip.compress(raw, 9, mtime=0)).decode()


def unpack(packed: str) -> list[Frame]:
    """Undo :func:`pack`."""
    content = json.loads(gzip.decompress(base64.b64decode(packed)))
    laws = content.get("laws", [{}] * len(content["frames"]))
    pictures = content["svg"]
    if parts := content.get("parts"):
        pictures = ["".join(parts[i] for i in picture) for picture in pictures]
    return [
        Frame(pictures[at], content["alt"][text], law, content["title"][title], {}, *(pictures[i] for i in phone))
        for (at, text, title, *phone), law in zip(content["frames"], laws, strict=True)
    ]
