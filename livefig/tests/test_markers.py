"""Merged markers look as they did."""

import io
import xml.etree.ElementTree as ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pytest

from livefig.figure import style, to_svg
from livefig.markers import MANY, merge

PLACES = np.random.default_rng(0).uniform(size=(2, 40))


def drawn(*looks, **more):
    with style():
        figure, ax = plt.subplots(figsize=(4, 3))
        for look in looks:
            ax.plot(*PLACES, look, **more)
    return figure


@pytest.mark.parametrize("look", ["o", "s", "^", "D", "x", "*", "P"])
def test_a_kind_of_markers_is_one_path_without_a_style_element(look):
    svg = to_svg(drawn(look))
    assert "<style" not in svg
    assert svg.count("<use") < PLACES.shape[1], "those of the ticks"
    assert svg.count("M", svg.index("clip-path")) >= PLACES.shape[1]


@pytest.mark.parametrize("more", [{"alpha": 0.5}, {"markeredgecolor": "black"}])
def test_markers_that_show_where_they_overlap_stay(more):
    assert to_svg(drawn("o", **more)).count("<use") >= PLACES.shape[1]


def followers(change, around=""):
    uses = "".join(f'<use xlink:href="#a" x="1" y="2" {change.format(i, i + 1)}/>' for i in range(MANY))
    return ElementTree.fromstring(
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
        f'<defs><path id="a" d="M 0 0 L 1 1"/></defs><g style="{around}">{uses}</g></svg>'
    )


@pytest.mark.parametrize(
    ("change", "around"),
    [
        ('data-x="0 1 1 0"', ""),
        ('data-seen="{} {} 1 0"', "fill: red; stroke: blue"),
        ('data-seen="0 1 1 0"', ""),
        ("", "fill-opacity: 0.5"),
    ],
)
def test_markers_that_a_page_moves_or_that_show_where_they_overlap_stay(change, around):
    root = followers(change, around)
    before = ElementTree.tostring(root)
    merge(root)
    assert ElementTree.tostring(root) == before


def test_a_path_says_which_of_its_markers_are_seen():
    root = followers('data-seen="{} {} 1 0" display="none"', "fill: red; stroke: red")
    merge(root)
    (path,) = root[1]
    assert path.get("d") == "", "as in this draw"
    assert path.get("data-some") == "0 1 1 0"
    assert path.get("data-at").split(";") == ["1 2"] * MANY
    assert path.get("data-outline") == "l1 1"


def test_order_and_places_are_kept():
    uses = "".join(f'<use xlink:href="#{kind}" x="{i}" y="10"/>' for kind in "aba" for i in range(MANY))
    root = ElementTree.parse(
        io.StringIO(
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
            '<defs><path id="a" d="M -1 1 L 2 1 L 2 -1 z" style="fill: red"/><path id="b" d="M 0 0 L 0 3"/></defs>'
            f"<g>{uses}</g></svg>"
        )
    ).getroot()
    merge(root)
    defs, group = root
    assert len(defs) == 0, "nothing points to them any more"
    assert [path.get("style") for path in group] == ["fill: red", "", "fill: red"]
    assert group[0].get("d").startswith("M-1 11l3 0l0 -2zM0 11l3 0l0 -2z")
    assert group[1].get("d").startswith("M0 10l0 3M1 10l0 3")
