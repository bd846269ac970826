"""How figures look: one style, colours with a meaning, and SVG that follows the page's light or dark theme."""

from __future__ import annotations

import hashlib
import io
import re
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from typing import Any

from ldp_core._validate import shown

__all__ = [
    "DARK",
    "FONTS",
    "Palette",
    "check_figure",
    "describe",
    "palette",
    "short_hash",
    "style",
    "to_svg",
    "with_prefix",
]

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

    truth: str = "#0072b2"
    """What is true and private, blue."""
    estimate: str = "#c75300"
    """What the collector estimates, vermilion."""
    report: str = "#00805d"
    """What is reported, before anything is undone, green."""
    risk: str = "#a8428a"
    """What an attacker gains, purple."""
    accent: str = "#946200"
    """A fifth thing, ochre."""
    neutral: str = "#6b6b6b"
    """References and guides, grey."""
    ink: str = "#1c1c1c"
    """Text and axes."""
    grid: str = "#d4d4d4"
    """Grid lines."""

    @property
    def cycle(self) -> tuple[str, ...]:
        """Colours for categories, in order."""
        return (self.truth, self.estimate, self.report, self.risk, self.accent, self.neutral)


palette = Palette()

#: Font families: the metrics of the first are assumed when text is placed.
FONTS = ["DejaVu Sans", "Verdana", "Bitstream Vera Sans", "Segoe UI", "sans-serif"]


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

    return mpl.rc_context(
        {
            "font.family": ["sans-serif"],
            "font.sans-serif": ["DejaVu Sans"],
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
            "svg.hashsalt": "ldp",
            "image.cmap": "cividis",
            "axes.unicode_minus": True,
        }
    )


def to_svg(figure: Any) -> str:
    """Draw a figure as inline SVG whose palette colours are CSS custom properties.

    Deterministic: the same figure gives the same text, in a build and in a kernel. The figure is closed.
    """
    import matplotlib.pyplot as plt

    check_figure(figure, "draw must return")
    buffer = io.StringIO()
    with style():
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    plt.close(figure)
    return _tidy(buffer.getvalue())


def check_figure(figure: object, where: str) -> None:
    """Refuse what is not a Matplotlib figure."""
    from matplotlib.figure import Figure

    if not isinstance(figure, Figure):
        raise TypeError(f"{where} a matplotlib Figure, got {shown(figure)}")


def _tidy(svg: str) -> str:
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>|<title>.*?</title>", "", svg, flags=re.DOTALL)
    # Only ids that something points to are kept, under short names.
    used = re.findall(r'(?:xlink:href="#|url\(#)([\w.-]+)', svg)
    names = {old: f"i{i}" for i, old in enumerate(dict.fromkeys(used))}
    svg = re.sub(r' id="([\w.-]+)"', lambda m: f' id="{names[m[1]]}"' if m[1] in names else "", svg)
    svg = re.sub(r'(xlink:href="#|url\(#)([\w.-]+)', lambda m: m[1] + names[m[2]], svg)
    # A hundredth of a point is finer than any screen. Inside tags only: what the reader reads is left alone.
    svg = re.sub(r"<[^>]*>", lambda tag: re.sub(r"-?\d+\.\d{3,}", _hundredths, tag[0]), svg)
    svg = re.sub(r'(<svg[^>]*?) (?:width|height)="[\d.]+pt" ', r"\1 ", svg)
    svg = re.sub(r'(<svg[^>]*?) (?:width|height)="[\d.]+pt"', r"\1", svg)
    svg = svg.replace(' version="1.1"', "").replace("stroke-linejoin: miter", "stroke-linejoin:miter")
    families = ", ".join(f"'{name}'" if " " in name else name for name in FONTS)
    svg = re.sub(r"(font(?:-family)?: [^;\"]*?)'DejaVu Sans'(?:, sans-serif)?", lambda m: m[1] + families, svg)
    for field in fields(Palette):
        light = field.default
        svg = re.sub(rf"(?<=[:\s\"]){light}\b", f"var(--ldp-{field.name},{light})", svg, flags=re.IGNORECASE)
    return re.sub(r">\s+<", "><", svg).strip()


def _hundredths(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def with_prefix(svg: str, prefix: str) -> str:
    """Prefix the ids of a drawing, so that several can stand in one page."""
    return re.sub(r'( id="|xlink:href="#|url\(#)(i\d+)\b', rf"\g<1>{prefix}\2", svg)


def describe(figure: Any) -> str:
    """Say what a figure shows: what its plots said of their data, or else its titles and axis labels."""
    if hasattr(figure, "ldp"):
        return ". ".join(figure.ldp.said)
    parts = [figure.get_suptitle()] if figure.get_suptitle() else []
    for ax in figure.axes:
        title = ax.get_title() or ax.get_title("left") or ax.get_title("right")
        labels = [text for text in (ax.get_ylabel(), ax.get_xlabel()) if text]
        lines = [str(line.get_label()) for line in ax.get_lines() if not str(line.get_label()).startswith("_")]
        text = ": ".join(part for part in (title, " against ".join(labels)) if part)
        parts += [text + (f" ({', '.join(lines)})" if lines else "")] if text else []
    return ". ".join(parts) or "Figure"


def short_hash(text: str) -> str:
    """Name for a piece of content."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]
