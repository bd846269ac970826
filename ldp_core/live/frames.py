"""All frames of a figure, drawn once and packed small: what a page without a kernel moves through."""

from __future__ import annotations

import base64
import gzip
import itertools
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ldp_core._validate import shown
from ldp_core.live.controls import MAX_FRAMES, Control
from ldp_core.live.figure import describe, style, to_svg
from ldp_core.live.tables import Table

__all__ = ["Alt", "Draw", "Frame", "check_size", "draw_frame", "grid", "pack", "piles", "start_index", "unpack"]

#: Draws in a pile.
PILE = 100

Draw = Callable[..., Any]
Alt = str | Callable[..., str] | None


@dataclass(frozen=True)
class Frame:
    """One picture, or one table with pictures, and what it shows."""

    svg: str
    alt: str


def draw_frame(draw: Draw, values: dict[str, Any], alt: Alt) -> Frame:
    """Draw one frame in the book's style; the same values give the same bytes."""
    with style():
        drawn = draw(**values)
    if callable(alt):
        text = alt(**values)
    elif alt is not None:
        text = alt
    elif isinstance(drawn, Table):
        text = drawn.caption
    else:
        text = describe(drawn) if hasattr(drawn, "axes") else ""
    return Frame(drawn.html if isinstance(drawn, Table) else to_svg(drawn), text)


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
    """Refuse a grid that is too large to bake, and say what to do."""
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
    """Draw many numbers for every combination of the other controls.

    Parameters
    ----------
    controls : dict of str to Control
        Those of the figure.

    Returns
    -------
    list of list of float
        A hundred numbers each, to four digits; empty if no control has a pile.

    Raises
    ------
    ValueError
        If a number is not finite.
    """
    random = next((name for name, control in controls.items() if control.pile), None)
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
    """Pack frames as base64 of gzipped JSON: equal pictures are stored once, equal frames give equal bytes."""
    pictures = list(dict.fromkeys(frame.svg for frame in frames))
    texts = list(dict.fromkeys(frame.alt for frame in frames))
    place, said = {svg: i for i, svg in enumerate(pictures)}, {alt: i for i, alt in enumerate(texts)}
    content = {
        "svg": pictures,
        "alt": texts,
        "frames": [[place[frame.svg], said[frame.alt]] for frame in frames],
    } | ({"piles": piled} if piled else {})
    raw = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return base64.b64encode(gzip.compress(raw, 9, mtime=0)).decode()


def unpack(packed: str) -> list[Frame]:
    """Undo :func:`pack`."""
    content = json.loads(gzip.decompress(base64.b64decode(packed)))
    return [Frame(content["svg"][picture], content["alt"][text]) for picture, text in content["frames"]]
