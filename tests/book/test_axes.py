"""Axes stand still while a reader drags: else a curve may look the same while what it shows grows a hundredfold."""

import html
import re

import nbformat
import pytest

from ldp_core.live.frames import unpack
from tools.results import Results
from tools.toc import chapters

pytestmark = pytest.mark.site

FRAMES = re.compile(r'<script type="application/ldp-frames"[^>]*>([^<]+)<')
NAME = re.compile(r'<figure class="ldp-figure ldp-live"[^>]*aria-label="([^"]*)"')
TICK = re.compile(r'<g class="tick">.*?<text[^>]*>([^<]*)</text>')

#: Figures whose axes change, and why that is right.
MOVING: dict[tuple[str, str], str] = {}


def figures():
    for path in chapters():
        executed = nbformat.read(Results().file(path), as_version=4)
        for cell in executed.cells:
            for output in cell.get("outputs", []):
                page = "".join(output.get("data", {}).get("text/html", ""))
                if packed := FRAMES.search(page):
                    name = NAME.search(page)
                    yield path.stem, html.unescape(name[1]), unpack(packed[1])


def test_axes_stand_still():
    moving = {}
    for chapter, name, frames in figures():
        ticks = {tuple(TICK.findall(frame.svg)) for frame in frames if frame.svg.startswith("<svg")}
        if len(ticks) > 1:
            moving[chapter, name] = f"{len(ticks)} sets of numbers in {len(frames)} frames"
    assert {figure: said for figure, said in moving.items() if figure not in MOVING} == {}
    assert set(MOVING) <= set(moving), "these stand still by now: take them off the list"
