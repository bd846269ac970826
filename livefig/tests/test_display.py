import base64
import gzip
import itertools
import json
import re
import subprocess
import sys
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
import pytest

from livefig import choice, draws, lines, live, log_slider, panels, show, slider
from livefig.display import Html
from livefig.figure import with_prefix
from livefig.frames import Frame, pack, unpack


def payload(html):
    return re.search(r'<script type="application/lf-frames" data-frames="\w+">([^<]+)</script>', html)[1]


def test_every_combination_is_baked_in_order(line, static):
    figure = live(line, epsilon=log_slider(0.1, 1, n=3), d=choice(4, 8))
    frames = unpack(payload(figure.html))
    assert frames == figure.frames
    values = list(itertools.product(log_slider(0.1, 1, n=3).values, (4, 8)))
    first, ends = values[2], [values[0], values[-1]]
    assert line.calls == [first, *ends, *(v for v in values if v not in (first, *ends))], "each once"
    for (epsilon, _), frame in zip(values, frames, strict=True):
        assert frame.title == f"ε = {epsilon:.3g}"
        assert frame.title not in frame.svg, "it stands above the picture"


def test_what_long_pictures_have_in_common_is_stored_once():
    """Gzip looks back 32 kB: it would find nothing of the one before."""
    x, y = np.random.default_rng(0).uniform(size=(2, 1500)).round(8)
    markers = "".join(f"M{a} {b}h1v1h-1z" for a, b in zip(x, y, strict=True))
    frames = [Frame(f'<svg><path d="{markers}"/><text>{i}</text></svg>', f"{i}") for i in range(5)]
    assert len(frames[0].svg) > 2**15
    assert unpack(pack(frames)) == frames
    assert len(pack(frames)) < 1.4 * len(pack(frames[:1]))


@pytest.mark.parametrize(("shared", "pictures"), [(False, 2), (True, 1)])
def test_panels_that_share_no_axis_stand_below_one_another_on_a_phone(static, shared, pictures):
    def draw(epsilon):
        for name, ax in zip("ab", panels(1, 2, sharey=shared), strict=True):
            figure = lines([0, 1], {"": [0, epsilon]}, title=f"panel {name}", ax=ax)
        return figure

    figure = live(draw, epsilon=log_slider(0.1, 1, n=3))
    assert unpack(payload(figure.html)) == figure.frames
    first = re.search(r'<div class="lf-stage".*?</div>', figure.html)[0]
    assert first.count("<svg") == first.count(">panel b<") == pictures
    assert ("--lf-phone" in figure.html) is not shared
    for frame in figure.frames:
        below = [float(y) for y in re.findall(r'y="([\d.]+)"[^>]*>panel', frame.phone)]
        assert below == sorted(set(below))
        assert len(below) == (0 if shared else 2)


def test_first_frame_is_visible_before_any_script(line, static):
    figure = live(line, epsilon=log_slider(0.1, 10, n=5, value=10.0), d=choice(4, 8, value=8))
    page = figure.html.split("<script")[0]
    prefix = re.search(r'<figure[^>]* data-prefix="([^"]+)"', page)[1]
    assert with_prefix(figure.frames[9].svg, prefix) in page
    assert "disabled" in page, "controls sleep until the script wakes them"


def test_equal_frames_are_stored_once(static):
    def draw(epsilon, d):
        fig, ax = plt.subplots()
        ax.plot([0, d])
        return fig

    figure = live(draw, epsilon=log_slider(0.1, 1, n=5), d=choice(4, 8))
    content = json.loads(gzip.decompress(base64.b64decode(payload(figure.html))))
    assert len(content["svg"]) == 2
    assert len(content["frames"]) == 10


def test_page_and_kernel_draw_the_same(line, static):
    """The same values give the same picture, byte for byte, whether baked or drawn by the widget, which has a title."""

    def draw(epsilon, d, title=""):
        figure = line(epsilon, d)
        figure.axes[0].set_title(title)
        return figure

    figure = live(draw, epsilon=log_slider(0.1, 10, n=5), d=choice(4, 8))
    for title in ("", "words"):
        widget = live(partial(draw, title=title), epsilon=log_slider(0.1, 10, n=5), d=choice(4, 8)).widget
        widget.controls["epsilon"].value = 10.0
        widget.controls["d"].value = 8
        shown = re.search(r"<svg.*</svg>", widget.picture.value, re.DOTALL)[0]
        prefix = re.search(r' id="(lf-\w+-)i0"', shown)[1]
        assert (shown == with_prefix(figure.frames[-1].svg, prefix)) == (title == "")
        assert (">words<" in shown) == (title == "words")


def test_the_same_bytes_in_a_fresh_process(line, static):
    code = (
        "import matplotlib; matplotlib.use('agg')\n"
        "import matplotlib.pyplot as plt, hashlib\n"
        "from livefig import live, log_slider, draws\n"
        "import numpy as np\n"
        "def draw(epsilon, seed):\n"
        "    fig, ax = plt.subplots()\n"
        "    ax.plot(np.random.default_rng(seed).random(5) * epsilon)\n"
        "    return fig\n"
        "print(hashlib.sha256(live(draw, epsilon=log_slider(0.1, 1, n=2), seed=draws(2)).html.encode()).hexdigest())\n"
    )
    runs = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout for _ in "ab"
    }
    assert len(runs) == 1


def test_alternative_texts(line, static):
    frames = live(line, epsilon=log_slider(0.1, 1, n=3)).frames
    assert all("ε = " in frame.alt for frame in frames), "from the figure"
    frames = live(line, epsilon=log_slider(0.1, 1, n=3), alt=lambda epsilon: f"at {epsilon}").frames
    assert [frame.alt for frame in frames] == ["at 0.1", "at 0.3", "at 1.0"]


def test_a_figure_has_a_name_that_its_content_does_not_change(line, static):
    for figure, name in (
        (live(line, epsilon=log_slider(0.1, 1, n=2), label="Twenty surveys, ε = ½"), "twenty-surveys-epsilon-1-2"),
        (live(line, epsilon=log_slider(0.1, 1, n=3), label="Twenty surveys, ε = ½"), "twenty-surveys-epsilon-1-2"),
        (live(line, epsilon=log_slider(0.1, 1, n=2), label="Twenty", anchor="dots"), "dots"),
        (live(line, epsilon=log_slider(0.1, 1, n=2), label="二十"), "figure"),
    ):
        assert f' id="{name}" ' in figure.html


def test_two_figures_of_one_name_get_two_names_on_a_page():
    from livefig.sphinx_ext import _unique

    figure = '<figure class="lf-figure lf-live" id="a" data-prefix="x">'
    assert re.findall(r'id="([^"]+)"', _unique(f'<p id="a-2"></p>{figure}{figure}')) == ["a-2", "a", "a-3"]
    assert 'id="a-2"' in _unique(f'<section id="a">{figure}</section>')


def test_what_a_label_means_is_not_said_where_another_parameter_is(static):
    def draw(epsilon, delta):
        return plt.figure()

    html = live(draw, epsilon=log_slider(0.1, 1, n=2), delta=choice(1e-5, 1e-9)).html
    assert "in words" not in html
    assert ">less<" in html


def test_many_draws_are_numbers(static):
    def draw(d, seed):
        return plt.figure()

    figure = live(draw, d=choice(4, 8), seed=draws(2, pile=lambda d, seed: d + seed / 3, piled="<b>"))
    content = json.loads(gzip.decompress(base64.b64decode(payload(figure.html))))
    assert len(content["frames"]) == 4
    assert [len(numbers) for numbers in content["piles"]] == [100, 100]
    assert content["piles"][1][:3] == [8.0, 8.333, 8.667]
    assert 'data-pile="&lt;b&gt;"' in figure.html
    with pytest.raises(ValueError, match="pile must give finite numbers"):
        _ = live(draw, d=choice(4, 8), seed=draws(2, pile=lambda d, seed: float("nan"))).html


def test_labels_are_escaped(line, static):
    html = live(
        line, epsilon=log_slider(0.1, 1, n=2, label="<script>alert(1)</script>"), label='"><img>', alt="<i>"
    ).html
    assert "<script>alert" not in html
    assert "<img>" not in html
    assert 'aria-label="&lt;i&gt;"' in html


def test_accessible_markup(line, static):
    html = live(line, epsilon=log_slider(0.1, 1, n=3), d=choice(4, 8), play=True).html
    name = re.search(r'<label for="([^"]+)">ε</label>', html)[1]
    assert re.search(rf'<input type="range" id="{name}"[^>]*aria-valuetext="ε = 0.3: 0.3 in words"', html)
    assert 'aria-label="ε, Figure with ε, d"' in html, "which of the sliders of the page"
    assert f'<output for="{name}"' in html
    assert "<fieldset" in html
    assert "<legend>d</legend>" in html
    assert 'role="img" aria-label=' in html
    assert '<button type="button" class="lf-play" disabled aria-pressed="false">Play</button>' in html


def test_frames_are_small(static):
    """25 frames of a usual chart stay below 100 kB, so that a page with four sliders stays light."""

    def bars(epsilon):
        fig, ax = plt.subplots(figsize=(6, 3.5))
        ax.bar(range(14), [epsilon * i for i in range(14)])
        ax.set(title=f"{epsilon}", xlabel="x", ylabel="y")
        return fig

    html = live(bars, epsilon=log_slider(0.1, 8)).html
    assert len(payload(html)) < 100_000


def test_display(line, static, monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    figure = live(line, epsilon=log_slider(0.1, 1, n=2))
    figure._ipython_display_()
    assert isinstance(shown[0], Html)
    assert set(shown[0]._repr_mimebundle_()) == {"text/html"}
    monkeypatch.delenv("LIVEFIG_STATIC")
    figure._ipython_display_()
    assert shown[1] is figure.widget


def test_show(static):
    def draw():
        fig, ax = plt.subplots()
        ax.plot([1, 2])
        return fig

    once = show(draw, alt="A line.", label="Caption")
    assert 'aria-label="A line."' in once.html
    assert "<figcaption>Caption</figcaption>" in once.html
    assert show(draw(), alt="A line.", label="Caption").html.count("<svg") == 1
    for alt in ("", "  ", None):
        with pytest.raises(ValueError, match="alt must say"):
            show(draw, alt=alt)


EPSILON = log_slider(0.1, 1)


@pytest.mark.parametrize(
    ("make", "error", "match"),
    [
        (lambda line: live(3, epsilon=EPSILON), TypeError, "draw must be a function"),
        (lambda line: live(line, epsilon=EPSILON, wrong=choice(1, 2)), TypeError, "draw must take epsilon, wrong by"),
        (lambda line: live(lambda: None), ValueError, "at least one control"),
        (lambda line: live(line, epsilon=(0.1, 8)), TypeError, "epsilon must be a control"),
        (lambda line: live(line, epsilon=EPSILON, d=slider(1, 30)), ValueError, r"25 \(epsilon\) × 30 \(d\) = 750"),
        (lambda line: live(line, epsilon=EPSILON, anchor=""), ValueError, "anchor must be small letters"),
        (lambda line: live(line, epsilon=EPSILON, anchor="a b"), ValueError, "anchor must be small letters"),
        (lambda line: live(line, epsilon=EPSILON, anchor="ε"), ValueError, "anchor must be small letters"),
        (lambda line: live(lambda k: None, k=choice(1, 2)).html, TypeError, "draw must return a matplotlib Figure"),
    ],
)
def test_bad_input(line, static, make, error, match):
    with pytest.raises(error, match=match):
        make(line)
    assert not line.calls, "nothing is drawn before the error"
