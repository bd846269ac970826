"""Axes stand still while a reader drags: else a curve may look the same while what it shows grows a hundredfold."""

import html
import re
import xml.etree.ElementTree as ElementTree

import nbformat
import pytest

from livefig.frames import unpack
from tools.results import Results
from tools.toc import chapters

pytestmark = pytest.mark.site

FRAMES = re.compile(r'<script type="application/lf-frames"[^>]*>([^<]+)<')
NAME = re.compile(r'<figure class="lf-figure lf-live"[^>]*aria-label="([^"]*)"')
SVG = "{http://www.w3.org/2000/svg}"

#: Figures whose axes change, and why that is right. None of them changes under a slider.
MOVING = {
    ("randomized-response", "Twenty surveys of the same people"): "a window of its own for each number of people",
    ("experiments-in-full", "How many components, after binning"): "another file has another number of columns",
    ("several", "The channel of PrivSet: four codes, two of them one’s own"): "reports of another size",
    ("ldpbayes", "LDPBayes and its rivals at equal budgets, on the real files"): "files of other accuracy",
    ("break-the-listing", "Two channels at the same nominal ε"): "channels of another size",
    ("synthetic-data", "Six columns from a private tree"): "accuracy or distance",
    (
        "feature-selection",
        "Accuracy: mean and deviation of all passes",
    ): "another file",
    ("feature-selection-in-full", "Figure 2: accuracy against the number of features"): "files of 5,000 or 24 columns",
}


def figures():
    for path in chapters():
        executed = nbformat.read(Results().file(path), as_version=4)
        for cell in executed.cells:
            for output in cell.get("outputs", []):
                page = "".join(output.get("data", {}).get("text/html", ""))
                if packed := FRAMES.search(page):
                    name = NAME.search(page)
                    yield path.stem, html.unescape(name[1]), unpack(packed[1])


def ticks(svg):
    """Labels of ticks, in the order of the drawing; a small tick has none."""
    marked = (part for part in ElementTree.fromstring(svg).iter(f"{SVG}g") if part.get("class") == "tick")
    return tuple("".join(text.itertext()) for tick in marked for text in tick.iter(f"{SVG}text"))


def test_axes_stand_still():
    moving = {}
    for chapter, name, frames in figures():
        found = {ticks(frame.svg) for frame in frames if frame.svg.startswith("<svg")}
        if len(found) > 1:
            moving[chapter, name] = f"{len(found)} sets of numbers in {len(frames)} frames"
    assert {figure: said for figure, said in moving.items() if figure not in MOVING} == {}
    assert set(MOVING) <= set(moving), "these stand still by now: take them off the list"
