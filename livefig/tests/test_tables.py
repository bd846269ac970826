"""A table whose rows have pictures: ids that do not clash, cells that are escaped, frames that a page moves through."""

import re
from collections import Counter

import matplotlib.pyplot as plt
import pytest

from livefig import Link, Picture, live, log_slider, table
from livefig.frames import unpack


def clipped(level):
    """Two curves cut off by the frame: such a drawing has ids, and something that points to them."""
    fig, ax = plt.subplots(figsize=(2, 1))
    ax.plot([0, 1], [0, level])
    ax.imshow([[0, level]], extent=(0, 1, 0, 1))
    return fig


def rows(epsilon):
    return table(
        [
            {"name": "a < b", "law": Picture(clipped(epsilon), "a line & an image"), "read": Link("here", "x.html")},
            {"name": "second", "law": Picture(clipped(2 * epsilon), "another"), "read": 3},
        ],
        caption=f"at {epsilon:g}",
    )


def test_ids_are_unique_and_everything_pointed_to_is_there(static):
    page = live(rows, epsilon=log_slider(0.1, 1, n=3)).html.split("<script")[0]
    ids = Counter(re.findall(r' id="([^"]+)"', page))
    assert max(ids.values()) == 1
    pointed = set(re.findall(r'(?:xlink:href="#|url\(#)([\w.-]+)', page))
    assert len(pointed) >= 2
    assert pointed <= set(ids)


def test_cells(static):
    html = rows(1.0).html
    assert '<th scope="row">a &lt; b</th>' in html
    assert 'aria-label="a line &amp; an image"' in html
    assert '<a href="x.html">here</a>' in html
    assert html.count("<svg") == 2
    assert html.count('<th scope="col">') == 3
    assert not plt.get_fignums(), "every figure is closed"


def test_it_moves_and_is_read_as_a_table(static):
    figure = live(rows, epsilon=log_slider(0.1, 1, n=3, value=1.0), label="L")
    assert [frame.alt for frame in figure.frames] == ["at 0.1", "at 0.3", "at 1"]
    assert unpack(re.search(r"lf-frames[^>]*>([^<]+)<", figure.html)[1]) == figure.frames
    assert '<div class="lf-stage" role="group" aria-label="at 1">' in figure.html


def test_in_a_kernel():
    widget = live(rows, epsilon=log_slider(0.1, 1, n=3)).widget
    widget.controls["epsilon"].value = 1.0
    assert "<caption>at 1</caption>" in widget.picture.value


@pytest.mark.parametrize(
    ("bad", "message"), [([], "at least one row"), ([{"a": 1}, {"b": 1}], "rows must all have the columns a; got b")]
)
def test_bad_rows(bad, message):
    with pytest.raises(ValueError, match=message):
        table(bad, caption="c")


@pytest.mark.parametrize("address", [
    "javascript:alert(1)", " JavaScript:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "\x01vbscript:x",
    "//host", "\\/host",
])  # fmt: skip
def test_a_link_that_would_run_something_is_refused(address):
    with pytest.raises(ValueError, match="address must be relative, or begin with http"):
        Link("here", address)


@pytest.mark.parametrize("address", ["x.html", "../a/b.html#c:d", "?a=b:c", "https://example.org", "mailto:a@b.c", ""])
def test_a_link_that_leads_somewhere(address):
    assert Link("here", address).address == address
