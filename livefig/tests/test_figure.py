import re

import matplotlib.pyplot as plt
import numpy as np
import pytest

from livefig import palette, style
from livefig.figure import DARK, Palette, describe, lifted, names, on_cell, to_svg, with_prefix


def luminance(colour: str) -> float:
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", [name for name in DARK if name != "grid"])
def test_colours_stand_out_on_both_pages(name):
    assert contrast(getattr(palette, name), "#ffffff") >= 3
    assert contrast(DARK[name], "#14181e") >= 3
    assert contrast(getattr(palette, name), "#ffffff") >= 4.5, "text is drawn in these colours too"
    assert contrast(DARK[name], "#14181e") >= 4.5


def test_style_sheet_and_palette_agree():
    from importlib import resources

    css = resources.files("livefig").joinpath("assets", "live.css").read_text(encoding="utf-8")
    assert set(DARK) == set(Palette.__dataclass_fields__)
    for name, dark in DARK.items():
        found = set(re.findall(rf"--lf-{name}: (#\w+)", css))
        assert found == {dark, getattr(palette, name)}, name


@pytest.mark.parametrize(("full", "page", "pale", "on_full"), [
    (palette.report, "#ffffff", "#000000", "#ffffff"), (DARK["report"], "#121212", "#ffffff", "#000000"),
])  # fmt: skip
def test_numbers_on_cells_can_be_read_on_both_pages(full, page, pale, on_full):
    inks = {"#000001": pale, "#000000": "#000000", "#fffffe": on_full}
    for share in np.linspace(0, 1, 101):
        mixed = [round(share * int(full[i : i + 2], 16) + (1 - share) * int(page[i : i + 2], 16)) for i in (1, 3, 5)]
        assert contrast("#" + "".join(f"{part:02x}" for part in mixed), inks[on_cell(share)]) >= 4.5, share


def figure():
    with style():
        fig, ax = plt.subplots()
        ax.plot([0, 1], [0, 1], color=palette.truth, label="truth")
        ax.bar([0, 1], [1, 2], color=palette.estimate, clip_on=True)
        ax.set(title="Title <b>", xlabel="x & y", ylabel="$\\epsilon$ plain")
        ax.legend()
    return fig


def test_numbers_that_are_read_are_not_rounded():
    """Coordinates are rounded to a hundredth of a point; a small ε in a title is not."""
    with style():
        fig, ax = plt.subplots()
        ax.set_title("ε = 0.001, exact 1.31326")
    svg = to_svg(fig)
    assert ">ε = 0.001, exact 1.31326<" in svg
    assert not re.search(r"<[^>]*\d\.\d{3,}[^>]*>", svg)


def test_svg_is_small_deterministic_and_themed():
    svg = to_svg(figure())
    assert svg == to_svg(figure())
    assert svg.startswith("<svg")
    assert "<metadata" not in svg
    assert "<!--" not in svg
    assert f"var(--lf-truth,{palette.truth})" in svg
    assert f"var(--lf-ink,{palette.ink})" in svg
    assert not re.search(r"-?\d+\.\d{3,}", svg), "no needless digits"
    assert "Title &lt;b&gt;" in svg
    assert re.search(r'<svg[^>]*viewBox="[\d. ]+"', svg)
    assert not re.search(r"<svg[^>]*\swidth=", svg), "it scales with the page"
    assert "<text" in svg, "text stays text"


def test_lines_of_a_label_end_where_a_single_one_does_in_any_face():
    with style():
        fig, ax = plt.subplots()
    ax.set_yticks([0, 1], ["one", "two or\nmore lines"])
    svg = to_svg(fig)
    single = re.search(r'text-anchor: end;[^>]* x="([\d.]+)"[^>]*>one<', svg)[1]
    assert re.findall(rf'text-anchor: end" transform="translate\({single} [\d.]+\)">([^<]+)<', svg) == [
        "two or", "more lines",
    ]  # fmt: skip


def test_every_id_is_used_and_every_reference_resolves():
    svg = to_svg(figure())
    ids = re.findall(r' id="([^"]+)"', svg)
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', svg))
    assert len(ids) == len(set(ids))
    assert set(ids) == used
    moved = with_prefix(svg, "fig-")
    assert set(re.findall(r' id="([^"]+)"', moved)) == {f"fig-{name}" for name in ids}
    assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', moved)) == {f"fig-{name}" for name in ids}


def test_figures_are_closed_and_style_does_not_leak():
    before, size = plt.get_fignums(), plt.rcParams["font.size"]
    to_svg(figure())
    assert plt.get_fignums() == before
    assert plt.rcParams["font.size"] == size


def test_description_names_titles_axes_and_lines():
    fig = figure()
    text = describe(fig)
    plt.close(fig)
    for word in ("Title", "x & y", "truth"):
        assert word in text


def test_a_title_that_a_page_writes_is_taken_off():
    def titled(*titles, whole=""):
        fig, axes = plt.subplots(1, len(titles))
        for ax, title in zip(np.ravel(axes), titles, strict=True):
            ax.set_title(title)
        fig.suptitle(whole)
        return fig

    assert lifted(fig := titled("two\nlines")) == "two lines"
    assert "lines" not in to_svg(fig)
    assert lifted(titled("a", "b", whole="both")) == "both"
    for kept in (titled("a", "b"), titled("", "b"), titled(r"$\epsilon$"), titled("")):
        assert lifted(kept) == "", "panels have titles of their own, and a formula is set by Matplotlib"


def test_what_is_drawn_on_the_axes_is_a_mark_and_axes_and_legend_are_none():
    fig = figure()
    fig.axes[0].text(0, 0, "at the line")
    marks = re.sub(r'<g class="mark">', "\0", to_svg(fig)).split("\0")
    assert len(marks) == 1 + 5, "a line, two bars, a text and the title"
    assert ">x &amp; y<" in marks[0], "the axes come first"
    assert names(fig) == {"truth": "truth"}
    fig.axes[0].texts[0].set_color(palette.risk)
    assert names(fig) == {"truth": "truth", "at the line": "risk"}


def test_not_a_figure():
    with pytest.raises(TypeError, match="draw must return a matplotlib Figure"):
        to_svg("a figure")
