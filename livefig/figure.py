"""How figures look: one style, colours with a meaning, and SVG that follows the page's light or dark theme."""

from __future__ import annotations

import functools
import hashlib
import io
import math
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from typing import Any, ParamSpec, TypeVar

import numpy as np

from livefig._checks import shown
from livefig.chance import Chance, annotate
from livefig.layout import Layout
from livefig.markers import merge

__all__ = [
    "DARK", "Palette", "check_figure", "describe", "lifted", "names", "on_cell", "palette", "short_hash", "style",
    "styled", "to_svg", "with_prefix",
]  # fmt: skip

P = ParamSpec("P")
R = TypeVar("R")

#: Names of colours, and their values on a dark page. The light values are those of Palette; both keep a contrast of at
#: least 3 to 1 with their page. Hues follow Okabe and Ito, so that colour-blind readers can tell them apart.
DARK = {
    "truth": "#5ab4f0",
    "estimate": "#f28e4c",
    "report": "#35c49c",
    "risk": "#e394c6",
    "accent": "#e8b13a",
    "neutral": "#a9a9a9",
    "ink": "#e6e6e6",
    "grid": "#474c55",
}


@dataclass(frozen=True)
class Palette:
    """One colour for one meaning, in the whole book."""

    truth: str = "#0072b2"  #: What is true and private, blue.
    estimate: str = "#c75300"  #: What the collector estimates, vermilion.
    report: str = "#00805d"  #: What is reported, before anything is undone, green.
    risk: str = "#a8428a"  #: What an attacker gains, purple.
    accent: str = "#946200"  #: A fifth thing, ochre.
    neutral: str = "#6b6b6b"  #: References and guides, grey.
    ink: str = "#1c1c1c"  #: Text and axes.
    grid: str = "#d4d4d4"  #: Grid lines.

    @property
    def cycle(self) -> tuple[str, ...]:
        """Colours for categories, in order."""
        return (self.truth, self.estimate, self.report, self.risk, self.accent, self.neutral)


#: The one that all figures have.
palette = Palette()


def style() -> AbstractContextManager[None]:
    """Give the book's Matplotlib style as a context manager; ``live`` and ``show`` draw inside it.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> with style():
    ...     fig, ax = plt.subplots()
    >>> plt.close(fig)
    """
    import matplotlib as mpl
    from cycler import cycler

    if SCALE not in mpl.colormaps:
        mpl.colormaps.register(fade(palette.report), name=SCALE)
    return mpl.rc_context(
        {
            "font.family": ["sans-serif"],
            "font.sans-serif": [
                "DejaVu Sans"
            ],  # by its metrics text is placed; a page sets it in its own, no wider face
            "font.size": 12,
            "axes.titlesize": 13,
            "axes.titlelocation": "left",
            "axes.labelsize": 12,
            "xtick.labelsize": 11,
            "ytick.labelsize": 11,
            "legend.fontsize": 11,
            "legend.frameon": False,
            "lines.linewidth": 2.4,
            "lines.markersize": 7,
            "axes.prop_cycle": cycler(color=palette.cycle),
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "axes.axisbelow": True,
            "grid.linewidth": 0.8,
            "text.color": palette.ink,
            "axes.edgecolor": palette.ink,
            "axes.labelcolor": palette.ink,
            "xtick.color": palette.ink,
            "ytick.color": palette.ink,
            "grid.color": palette.grid,
            "figure.facecolor": "none",
            "axes.facecolor": "none",
            "savefig.facecolor": "none",
            "figure.figsize": (6, 3.8),
            "figure.constrained_layout.use": True,
            "figure.max_open_warning": 0,
            "svg.fonttype": "none",
            "svg.hashsalt": "livefig",
            "image.cmap": SCALE,
            "axes.unicode_minus": True,
        }
    )


#: The scale of a heat map that names none: from nothing to what is reported, so that it suits a light and a dark page.
SCALE = "livefig-report"


def fade(colour: str) -> Any:
    """Give a scale from nothing to a colour, a hexadecimal value: seen through the more, the smaller a value is."""
    from matplotlib.colors import LinearSegmentedColormap, to_rgb

    full = to_rgb(colour)
    return LinearSegmentedColormap.from_list("fade", [(*full, 0.0), (*full, 1.0)])


def on_cell(share: float) -> str:
    """Colour of a number on a cell of "report", full to a share, 0 to 1: black or white, whichever can be read."""
    # A light page's cell is pale until it is nearly full, a dark page's is dark until a little above the half.
    return "#000001" if share < 0.64 else "#000000" if share < 0.955 else "#fffffe"


def styled(draw: Callable[P, R]) -> Callable[P, R]:
    """Let a function that draws do so in the book's style, wherever it is called."""

    @functools.wraps(draw)
    def inside(*args: P.args, **kwargs: P.kwargs) -> R:
        with style():
            return draw(*args, **kwargs)

    return inside


def to_svg(figure: Any, chance: Chance | None = None, layout: Layout | None = None, title: str = "") -> str:
    """Draw a figure as inline SVG whose palette colours are CSS custom properties.

    Deterministic: the same figure gives the same text, in a build and in a kernel. The figure is closed. Where some of
    it is drawn by law, the drawing says what follows what; so does the title that stands outside of it.
    """
    import matplotlib.pyplot as plt
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    check_figure(figure, "draw must return")
    for ax in figure.axes:
        for part in (ax.patch, *ax.spines.values()):
            part.set_gid("axes")  # what is drawn on them has another name: a veil hides that, and leaves the axes
    buffer = io.StringIO()
    unwanted = {"Date": None, "Creator": None, "Format": None, "Type": None}
    with style():
        if layout is not None:
            layout.before(figure)
        # Not savefig, which draws twice: once for nothing, to have the layout, which the drawing itself makes.
        FigureCanvasSVG(figure).print_svg(buffer, metadata=unwanted)  # type: ignore[no-untyped-call]
        if layout is not None:
            layout.after(figure)
    plt.close(figure)
    return _tidy(buffer.getvalue(), chance, title)


def check_figure(figure: object, where: str) -> None:
    """Refuse what is not a Matplotlib figure."""
    from matplotlib.figure import Figure

    if not isinstance(figure, Figure):
        raise TypeError(f"{where} a matplotlib Figure, got {shown(figure)}")


_SVG, _XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_POINTS_TO = re.compile(r"url\(#([\w.-]+)\)|^#([\w.-]+)$")
_WORD = re.compile(r"[^\W\d]{2}")
_TICK = re.compile(r"[xy]tick_")
_LINE = re.compile(r"translate\(([-\d.]+) ([-\d.]+)\)(?: rotate\(([-\d.]+)\))?$")
_LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}")
#: Letters are as large as they were laid out, or smaller where a page draws a figure large; their face is the page's.
_FONT = re.compile(r"font(?:-size)?: ([\d.]+)px(?:; font-family:)? 'DejaVu Sans', sans-serif")
_AXES = re.compile(r"axes|legend|matplotlib\.axis|patch_1$")
_ROLES = {str(field.default): f"var(--lf-{field.name},{field.default})" for field in fields(Palette)}
_ROLES |= {"#000001": "var(--lf-on-pale,#000)", "#fffffe": "var(--lf-on-full,#fff)"}
_ROLE = re.compile(rf"(?<![\w#])(?:{'|'.join(_ROLES)})\b", re.IGNORECASE)


def _tidy(svg: str, chance: Chance | None, title: str) -> str:
    """Make Matplotlib's SVG small and themed; what the reader reads is left as it is."""
    ElementTree.register_namespace("", _SVG)
    ElementTree.register_namespace("xlink", _XLINK)
    root = ElementTree.fromstring(svg)  # without comments
    if chance is not None:
        annotate(root, chance, title)
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.set("stroke-linejoin", "round")
    names: dict[str, str] = {}
    for parent in list(root.iter()):
        for child in list(parent):
            # A style element restyles the whole page at each step of a slider; its one rule stands on the drawing.
            if child.tag in (f"{{{_SVG}}}metadata", f"{{{_SVG}}}title", f"{{{_SVG}}}style"):
                parent.remove(child)
        for value in parent.attrib.values():
            for match in _POINTS_TO.finditer(value):
                names.setdefault(match[1] or match[2], f"i{len(names)}")
    for part in [part for part in root.iter() if re.match(r"axes_|figure_", part.get("id", ""))]:
        for child in part:
            if not _AXES.match(child.get("id", "")):
                child.set("class", "mark")
    for part in root.iter():
        _align(part)
        if part.get("transform", "").startswith("rotate(-0 "):
            del part.attrib["transform"]
        kept = {k: v if k.startswith("data-") else _attribute(v, names) for k, v in part.items() if k != "id"}
        if _TICK.match(part.get("id", "")):
            kept["class"] = "tick"  # so that a test can tell whether axes stand still
        part.attrib = kept | ({"id": names[part.attrib["id"]]} if part.get("id") in names else {})
        if not (part.text or "").strip():
            part.text = None
        if not (part.tail or "").strip() and "data-text" not in part.attrib:  # a space between two numbers
            part.tail = None
    merge(root)
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=True).replace(" />", "/>")


def _align(group: ElementTree.Element) -> None:
    """Let the lines of one text share their middle or their end in any face.

    Matplotlib says of each where it begins in its own face; in a page's, which is narrower, they would be ragged.
    """
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    lines = group.findall(f"{{{_SVG}}}text")
    found = [_LINE.match(line.get("transform", "")) for line in lines]
    if len(lines) < 2 or not all(found):
        return
    places = [(float(match[1]), float(match[2]), math.radians(float(match[3] or 0))) for match in found if match]
    widths = []
    for line in lines:
        size = re.search(r"([\d.]+)px", line.get("style", ""))
        font = FontProperties(size=float(size[1]) if size else None)
        widths.append(text_to_path.get_text_width_height_descent(line.text or "", font, False)[0])
    for share, anchor in ((0.5, "middle"), (1.0, "end")):
        ends = [x * math.cos(a) + y * math.sin(a) + share * w for (x, y, a), w in zip(places, widths, strict=True)]
        if max(ends) - min(ends) > 0.5:
            continue
        for line, (x, y, a), width in zip(lines, places, widths, strict=True):
            x, y = x + share * width * math.cos(a), y + share * width * math.sin(a)
            line.set("transform", f"translate({x:f} {y:f})" + (f" rotate({math.degrees(a):g})" if a else ""))
            line.set("style", f"{line.get('style', '')}; text-anchor: {anchor}")
        return


def _attribute(value: str, names: dict[str, str]) -> str:
    """Short names for what is pointed to, hundredths of a point, fonts at hand, and colours of the page."""
    value = _POINTS_TO.sub(lambda m: f"url(#{names[m[1]]})" if m[1] else f"#{names[m[2]]}", value)
    value = _LONG_NUMBER.sub(lambda m: f"{float(m[0]):.2f}".rstrip("0").rstrip("."), value)
    value = _FONT.sub(r"font-size: calc(\1px*var(--lf-letters,1))", value)
    return " ".join(_ROLE.sub(lambda m: _ROLES[m[0].lower()], value).split())


def with_prefix(svg: str, prefix: str) -> str:
    """Prefix the ids of a drawing, so that several can stand in one page."""
    return re.sub(r'( id="|xlink:href="#|url\(#)(i\d+)\b', rf"\g<1>{prefix}\2", svg)


def describe(figure: Any) -> str:
    """Say what a figure shows: what its plots said of their data, or else its titles and axis labels."""
    if hasattr(figure, "livefig"):
        return ". ".join(figure.livefig.said)
    parts = [figure.get_suptitle()] if figure.get_suptitle() else []
    for ax in figure.axes:
        title = ax.get_title() or ax.get_title("left") or ax.get_title("right")
        labels = [text for text in (ax.get_ylabel(), ax.get_xlabel()) if text]
        lines = [str(line.get_label()) for line in ax.get_lines() if not str(line.get_label()).startswith("_")]
        text = ": ".join(part for part in (title, " against ".join(labels)) if part)
        parts += [text + (f" ({', '.join(lines)})" if lines else "")] if text else []
    return ". ".join(parts) or "Figure"


def lifted(figure: Any) -> str:
    """Take the title off a figure that is not drawn yet, and return it in one line: a page writes it above the picture.

    The titles of several panels stay, and so does one with a formula: then the result is empty.
    """
    from matplotlib.cbook import is_math_text

    titles = [part for ax in figure.axes for part in (ax.title, ax._left_title, ax._right_title) if part.get_text()]
    whole = figure._suptitle if figure.get_suptitle() else titles[0] if len(titles) == 1 else None
    if whole is None or whole.axes not in (None, figure.axes[0]) or is_math_text(whole.get_text()):
        return ""
    text = " ".join(whole.get_text().split())
    whole.set(text="", in_layout=False)
    return text


def names(figure: Any) -> dict[str, str]:
    """Say which colour of the palette each name in a figure has, so that a page's words can have it; no greys."""
    from matplotlib.colors import to_hex

    texts = [(" ".join(text.get_text().split()), text.get_color()) for ax in figure.axes for text in ax.texts]
    found = dict(texts)
    for legend in filter(None, [*figure.legends, *(ax.get_legend() for ax in figure.axes)]):
        for text, handle in zip(legend.get_texts(), legend.legend_handles, strict=True):
            of = getattr(handle, "get_color", None) or handle.get_facecolor
            colour = np.ravel(of())  # a line's has a name or a number, that of many marks is the first of them
            found[text.get_text()] = colour[0] if colour.dtype.kind == "U" else tuple(colour[:3])
    roles = {getattr(palette, role): role for role in ("truth", "estimate", "report", "risk", "accent")}
    named = {name.strip(): roles.get(to_hex(colour)) for name, colour in found.items() if len(np.ravel(colour))}
    twice = {name for name, colour in texts if colour != found[name]}  # it says of neither which it is
    return {name: role for name, role in named.items() if role and name not in twice and _WORD.search(name)}


def short_hash(text: str) -> str:
    """Name for a piece of content."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]
