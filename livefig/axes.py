"""What all plots share: labels, limits, ticks, guides, names that cover nothing, and words for who does not see."""

from __future__ import annotations

import itertools
import math
import numbers
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypedDict

import numpy as np

from livefig._checks import (
    Floats,
    check_bool,
    check_int,
    check_numbers,
    check_option,
    check_real,
    check_text,
    check_vector,
    shown,
)
from livefig.figure import palette, styled
from livefig.layout import once, stacked
from livefig.looks import Look, look, look_of
from livefig.words import RAISED, in_words, rounded

__all__ = [
    "NAME_SIZE", "Frame", "Kept", "Named", "begin", "finish", "fitted", "guided", "kept", "panels", "say",
    "text_width", "told",
]  # fmt: skip

Limits = tuple[float | None, float | None]
Ticks = Sequence[float] | Mapping[float, str]
Colours = Mapping[str, str] | Sequence[str] | str | None


class Frame(TypedDict, total=False):
    """Keywords that every plot takes.

    Attributes
    ----------
    x, y, title : str
        Labels of the axes, and what the figure finds.
    log : {"", "x", "y", "xy"}
        Which axes are logarithmic.
    xlim, ylim : (float or None, float or None)
        Ends of the axes. Give both wherever a slider changes the data: axes stand still while one drags.
    xticks, yticks : sequence of float, or mapping of float to str
        Where the ticks are, and what they say.
    guides, uprights : mapping of str to float
        Levels and places to compare with: a thin line across, or upright, for each.
    shade : mapping of str to (float, float)
        Stretches of x that lie behind the data in grey.
    notes : mapping of str to (float, float)
        Words at places of the data. The name of a curve stands there in its colour, and nowhere else: give it where
        curves are apart in the middle and not at their ends.
    colours : str, sequence or mapping
        See :func:`livefig.looks.looks`.
    legend : {"auto", "ends", "below", "none"}
        "ends" writes names at the lines' ends, or above the axes where lines leave them (in all frames or in none),
        "below" under the axes; "auto" prefers ends where names are short, run up to the right end and do not meet
        there in the first frame. Levels are named at the right wherever they are in sight.
    size : (float, float)
        Width and height in inches, without the legend; 6 wide by default, so that a phone can show it.
    ax : matplotlib.axes.Axes
        Where to draw; see :func:`panels`. By default a figure of its own.
    """

    x: str
    y: str
    title: str
    log: str
    xlim: Limits
    ylim: Limits
    xticks: Ticks
    yticks: Ticks
    guides: Mapping[str, float]
    uprights: Mapping[str, float]
    shade: Mapping[str, tuple[float, float]]
    notes: Mapping[str, tuple[float, float]]
    colours: Colours
    legend: Literal["auto", "ends", "below", "none"]
    size: tuple[float, float]
    ax: Any


#: What names beside the axes may take of a figure's width, in points; with several panels each has its share.
_ROOM = 100
#: Size of the names of lines, in points: on a phone the whole figure is drawn a fifth smaller.
NAME_SIZE = 11


def begin(frame: Frame, size: tuple[float, float] = (6, 3.6)) -> Any:
    """Return the axes to draw on, with scales set; a wrong keyword is an error before anything is drawn."""
    if strange := sorted(set(frame) - Frame.__optional_keys__):
        raise TypeError(f"plots take {', '.join(sorted(Frame.__optional_keys__))}; got {', '.join(strange)}")
    log = check_option(frame.get("log", ""), "log", ("", "x", "y", "xy"))
    check_option(frame.get("legend", "auto"), "legend", ("auto", "ends", "below", "none"))
    for name, value in frame.items():
        if name in ("x", "y", "title"):
            check_text(value, name)
        elif name in ("guides", "uprights", "shade", "notes") and not isinstance(value, Mapping):
            raise TypeError(f"{name} must map words to places, got {shown(value)}")
        elif name in ("xlim", "ylim"):
            if not isinstance(value, tuple | list) or len(value) != 2:
                raise TypeError(f"{name} must be a pair of numbers, or of None for an open end, got {shown(value)}")
            check_numbers([end for end in value if end is not None], name)
    for label, level in _levels(frame):
        check_real(level, f"the place of {label!r}")
    ax = frame.get("ax")
    if ax is None:
        (ax,) = panels(1, 1, size=frame.get("size", size))
    for name in log:
        ax.set(**{f"{name}scale": "log"})
    return ax


@styled
def panels(
    rows: int, columns: int, *, sharex: bool = False, sharey: bool = False, size: tuple[float, float] | None = None,
    title: str = "",
) -> list[Any]:  # fmt: skip
    """Make axes side by side: plots draw on them with ``ax=``, and any of them returns the figure of all.

    Parameters
    ----------
    rows, columns : int
        How many, 1 to 6; the axes are listed row by row.
    sharex, sharey : bool, default False
        Whether they have one axis in common. On a phone, panels that do not share y stand below one another.
    size : (float, float), optional
        Width and height of the whole in inches, without the legend; no higher than wide, so that a laptop's screen
        shows it together with its sliders.
    title : str, optional
        Heading of the whole.

    Examples
    --------
    >>> from livefig import lines
    >>> left, right = panels(1, 2, sharey=True)
    >>> lines([0, 1], {"one": [0, 1]}, ax=left) is lines([0, 1], {"two": [1, 0]}, ax=right)
    True
    """
    from matplotlib.figure import Figure

    rows, columns = check_int(rows, "rows", 1, 6), check_int(columns, "columns", 1, 6)
    sharex, sharey = check_bool(sharex, "sharex"), check_bool(sharey, "sharey")
    title = check_text(title, "title")
    width, height = _size((6, 3.6 if rows == 1 else 2.1 * rows + 0.6) if size is None else size)
    size = width, min(width, height)
    if columns > 1 and not sharey and stacked():
        rows, columns = rows * columns, 1
        size = 6, 1.8 * rows + 1
    # Not pyplot's: that would keep every figure until it is closed, and show it once more by itself.
    figure = Figure(figsize=size)
    axes = figure.subplots(rows, columns, sharex=sharex, sharey=sharey, squeeze=False)
    if title:
        text, font = fitted(title, 72 * size[0] - 20)
        figure.suptitle(text, fontsize=font, x=0.02, ha="left")
        kept(figure).said.append(title)
    return list(axes.ravel())


def finish(ax: Any, frame: Frame, named: Sequence[Named], said: str) -> Any:
    """Label the axes, draw the guides, put names where they cover nothing, keep what was said, return the figure.

    ``ax`` are the axes with the data, ``frame`` the plot's keywords, ``named`` is what was drawn, in the order of the
    legend, and ``said`` what the data are, in words.
    """
    figure = ax.figure
    guides = _guides(ax, frame)
    grid = ax.get_subplotspec().get_gridspec()
    wide, high = 72 * figure.get_figwidth() / grid.ncols, 72 * kept(figure).height / grid.nrows
    for name in ("x", "y"):
        axis = ax.xaxis if name == "x" else ax.yaxis
        if (limits := frame.get(f"{name}lim")) is not None:
            ax.set(**{f"{name}lim": limits})
        _numbers(axis)
        _ticks(axis, frame.get("xticks") if name == "x" else frame.get("yticks"), f"{name}ticks")
    beside = _words_beside(ax)
    if (label := frame.get("y")) is not None:
        words, font = fitted(label, high - 20, (12, 11))
        ax.yaxis.set_label_text(words, fontsize=font)
        beside += 15 * words.count("\n")
    if (label := frame.get("x")) is not None:
        words, font = fitted(label, wide - 40 - beside, (12, 11))
        ax.xaxis.set_label_text(words, fontsize=font)
    inks = {part.label: part.look.colour for part in named}
    for text, place in (notes := frame.get("notes", {})).items():
        colour = inks.get(text, palette.ink)
        ax.annotate(text, place, (4, 4), textcoords="offset points", fontsize=NAME_SIZE, color=colour)
    named = [part for part in named if part.label not in notes]
    beside_lines = _beside(ax, frame.get("legend", "auto"), named, guides)
    above = _at_ends(ax, beside_lines, frame.get("legend") == "ends")
    if title := in_words(frame.get("title", "")):
        text, font = fitted(title, wide - 62 / grid.ncols - beside)
        ax.set_title(text, fontsize=font, pad=6 + 1.6 * NAME_SIZE * above)
    kept(figure).beside += [ax] * bool(beside_lines)
    if frame.get("legend") != "none":
        for part in beside_lines:  # the panel at the left has said so already
            if _alike(kept(figure).names.get(part.label), part.artist):
                del kept(figure).names[part.label]
        _below(figure, [part for part in (*named, *guides) if part.label and part not in beside_lines])
    against = " against ".join(text for text in (frame.get("y", ""), frame.get("x", "")) if text)
    levels = [told(label, say(level)) for label, level in _levels(frame) if label]
    text = "; ".join(part for part in (said, *levels) if part)
    kept(figure).said.append(". ".join(part for part in (title, f"{against}: {text}" if against else text) if part))
    return figure


@dataclass
class Kept:
    """What a figure keeps while plots are drawn on it: its height without names, its words, names, and named axes."""

    height: float
    said: list[str] = field(default_factory=list)
    names: dict[str, Any] = field(default_factory=dict)
    beside: list[Any] = field(default_factory=list)


def kept(figure: Any) -> Kept:
    """Return what a figure keeps."""
    if not hasattr(figure, "livefig"):
        figure.livefig = Kept(figure.get_figheight())
    found: Kept = figure.livefig
    return found


@dataclass(frozen=True)
class Named:
    """One thing with a name: its artist, and the value where its line ends at the right, if it is a line."""

    label: str
    look: Look
    artist: Any
    end: float | None = None


def say(value: float, bound: Literal["", "at least", "at most"] = "") -> str:
    """Write a number as one says it: three digits, thousands apart, a true minus sign, small ones as powers of ten.

    Parameters
    ----------
    value : float
        Any real number that a double holds, infinite or NaN ("none") too.
    bound : {"", "at least", "at most"}
        What the text says of it: then it is rounded down or up, so that the text is true; else to the nearest.

    Examples
    --------
    >>> say(-14237.2), say(0.12345), say(1e-05), say(4.3e-07)
    ('−14,237', '0.123', '10⁻⁵', '4.3·10⁻⁷')
    >>> f"at most {say(0.12345, 'at most')}", f"at least {say(0.9648, 'at least')}"
    ('at most 0.124', 'at least 0.964')
    """
    check_option(bound, "bound", ("", "at least", "at most"))
    if isinstance(value, float | np.floating) and not math.isfinite(value):
        return "none" if math.isnan(value) else "∞" if value > 0 else "−∞"
    number = check_real(value, "value")
    if bound:
        digits = len(str(int(abs(number)))) if 1000 <= abs(number) < 1e9 else 3
        number = float(rounded(number, digits, "up" if bound == "at most" else "down"))
    if not math.isfinite(number):  # beyond the largest double
        return say(number)
    # From 999.5 on, three digits are a thousand.
    return in_words(f"{number + 0:,.0f}" if 999.5 <= abs(number) < 1e9 else f"{number + 0:.3g}")


def told(name: Any, text: str) -> str:
    """Say the name of a number: a word, or a place, which must not run into the number that the text begins with.

    Examples
    --------
    >>> told("yes", "0.3"), told("ε = 1", "0.3"), told(37, "0.3")
    ('yes 0.3', '0.3 for ε = 1', '0.3 at 37')
    """
    size: Any = abs(name) if isinstance(name, numbers.Real) and not isinstance(name, (bool, np.timedelta64)) else np.inf
    if size < 1e300:
        return f"{text} at {say(float(name))}"
    name = str(name)
    return f"{text} for {name}" if name[-1:].isnumeric() or name.endswith("%") else f"{name} {text}".strip()


def _size(size: Any) -> tuple[float, float]:
    width, height = check_vector(size, "size", 2)
    if not (1 <= width <= 20 and 1 <= height <= 20):
        raise ValueError(f"size must be width and height in inches, 1 to 20 each, got {shown(size)}")
    return float(width), float(height)


def guided(frame: Frame) -> list[str]:
    """Names of the lines across and upright in a plot's frame; what is no mapping is refused by :func:`begin`."""
    given = (frame.get("guides"), frame.get("uprights"))
    return [label for named in given if isinstance(named, Mapping) for label in named]


def _levels(frame: Frame) -> list[tuple[str, float]]:
    """Lines across, then upright."""
    return [*frame.get("guides", {}).items(), *frame.get("uprights", {}).items()]


def _guides(ax: Any, frame: Frame) -> list[Named]:
    across = len(frame.get("guides", {}))
    for i, (low, high) in enumerate(frame.get("shade", {}).values()):
        ax.axvspan(low, high, color=palette.grid, alpha=0.5 - 0.2 * (i % 2), linewidth=0, zorder=0)
    colours = frame.get("colours")
    asked = colours if isinstance(colours, Mapping) else {}
    made = []
    for i, (label, level) in enumerate(_levels(frame)):
        found = look(asked[label]) if label in asked else look_of(label) or Look("neutral")
        found = replace(found, dash=found.dash or (("-", ":", "--", "-.", "=")[i % 5] if label else "-"))
        draw = ax.axhline if i < across else ax.axvline
        line = draw(level, color=found.colour, linestyle=found.linestyle, linewidth=1.3, zorder=1.5)
        made.append(Named(label, found, line, level if i < across else None))
    return made


def _ticks(axis: Any, ticks: Ticks | None, name: str) -> None:
    if ticks is None:
        return
    if isinstance(ticks, Mapping):
        places, texts = list(ticks), list(ticks.values())
    else:
        places = list(check_numbers(list(ticks), name))
        texts = [say(place) for place in places]
    axis.set_ticks(places, texts)
    axis.set_ticks([], minor=True)


def _words_beside(ax: Any) -> float:
    """Give the width, in points, of what words at the y-axis take more than numbers would."""
    from matplotlib import ticker

    if not isinstance(ax.yaxis.get_major_locator(), ticker.FixedLocator):
        return 0.0
    widths = (text_width(line, NAME_SIZE) for text in ax.get_yticklabels() for line in text.get_text().split("\n"))
    return max(0.0, max(widths, default=0.0) - 30)


def _numbers(axis: Any) -> None:
    """Write numbers at an axis as one says them; powers of ten in Unicode, since MathText takes most of the drawing."""
    from matplotlib import ticker

    low, high = sorted(axis.get_view_interval())
    write = ticker.FuncFormatter(lambda value, _: say(value))
    if axis.get_scale() == "log":
        plain, decades = low >= 1e-3 and high <= 1e5, math.log10(high / low)
        axis.set_major_formatter(write if plain else ticker.FuncFormatter(lambda value, _: _power(value)))
        axis.set_minor_locator(ticker.LogLocator(subs=(2, 5)) if decades < 3 else ticker.NullLocator())
        axis.set_minor_formatter(write if decades < 1.5 else ticker.NullFormatter())
    elif isinstance(axis.get_major_formatter(), ticker.ScalarFormatter) and max(-low, high) >= 1_000:
        if max(-low, high) >= 10_000:  # fewer, since they are long
            axis.set_major_locator(ticker.MaxNLocator(6))
        axis.set_major_formatter(write)


def _power(value: float) -> str:
    exponent = math.log10(value)
    return f"10{str(round(exponent)).translate(RAISED)}" if abs(exponent - round(exponent)) < 1e-6 else say(value)


def _beside(ax: Any, legend: str, named: Sequence[Named], guides: Sequence[Named]) -> list[Named]:
    """Give those whose names stand to the right of the axes: curves that end there apart, and levels in any case."""
    curves, levels = ([part for part in parts if part.end is not None and part.label] for parts in (named, guides))
    if legend == "ends":
        return [*curves, *levels]
    place, figure = ax.get_subplotspec(), ax.figure
    if legend == "none" or place.colspan.stop != place.get_gridspec().ncols or len(curves) + len(levels) > 6:
        return []
    if ax in kept(figure).beside:  # by what was drawn on the same axes before
        return []
    panel = len(kept(figure).said)
    of_all = kept(figure).names.keys() <= {part.label for part in (*curves, *levels)}  # else the legend has some anyway
    low, high = sorted(ax.get_ylim())
    seen = all(low <= part.end <= high for part in levels)  # a name without its line would lie
    if legend == "auto" and once(
        ("ends", panel),
        lambda: seen and of_all and _reach(ax, curves) and _fit(ax, [*curves, *levels]),
        lambda: seen and _fit(ax, [*curves, *levels], 1.6),
    ):
        return [*curves, *levels]
    named_levels = bool(levels) and once(
        ("levels", panel), lambda: seen and _fit(ax, levels), lambda: seen and _fit(ax, levels, 1.6)
    )
    return levels if named_levels else []


def _at_ends(ax: Any, named: Sequence[Named], leave: bool) -> bool:
    """Write names to the right of the axes, at their lines' ends; say whether some stand above the axes.

    There, if they may ``leave``, stand those of lines that have left the axes at the top before their ends.
    """
    out = {part.label: x for part in named if leave and (x := _leaves(ax, part)) is not None}
    above = sorted((part for part in named if part.label in out), key=lambda part: out[part.label])
    beside = [part for part in named if part.label not in out]
    texts = [_wrapped(ax, part.label) for part in beside]
    wide = 72 * ax.figure.get_figwidth() * ax.get_position().width
    widths = [(text_width(part.label, NAME_SIZE) + 4) / wide for part in above]
    heights = _heights(ax, beside, texts)
    if leave:  # names may stand further from their ends: a thin line leads there
        for part, end, y in zip(beside, _ends(ax, beside), heights, strict=True):
            at = {"transform": ax.transAxes, "color": part.look.colour, "clip_on": False, "scalex": False}
            ax.plot([_last(ax, part) + 0.012, 1.028], [end, y], "-", linewidth=0.9, scaley=False, **at)
    places = [(1.035 if leave else 1.015, y, "left", "center") for y in heights]
    places += [(x, 1.02, "center", "bottom") for x in _apart(np.array([*out.values()]), widths)]
    texts += [part.label for part in above]
    for part, text, (x, y, across, up) in zip((*beside, *above), texts, places, strict=True):
        ax.text(
            x, y, text, transform=ax.transAxes, ha=across, va=up, fontsize=NAME_SIZE, color=part.look.colour,
            linespacing=1.15,
        )  # fmt: skip
    return bool(above)


def _course_of(ax: Any, part: Named) -> tuple[Floats, Floats]:
    """Points of a curve before the right end of the axes, in shares of these; none of a level."""
    line = part.artist
    if line.get_transform() is not ax.transData:
        return np.empty(0), np.empty(0)
    with np.errstate(all="ignore"):
        x, y = (ax.transData + ax.transAxes.inverted()).transform(line.get_xydata()).T
    seen = np.isfinite(x) & np.isfinite(y) & (x <= 1)
    return x[seen], y[seen]


def _last(ax: Any, part: Named) -> float:
    """Where a line ends, as a share of the axes' width."""
    return float(_course_of(ax, part)[0].max(initial=0.0)) or 1.0


def _leaves(ax: Any, part: Named) -> float | None:
    """Where a curve leaves the axes at the top for good, as a share of their width; None if it does not."""
    x, y = _course_of(ax, part)
    inside = np.flatnonzero(y <= 1)
    if not len(inside) or inside[-1] == len(y) - 1:
        return None
    i = int(inside[-1])
    return float(np.interp(1, y[i : i + 2], x[i : i + 2]))


def _alike(one: Any, other: Any) -> bool:
    """Whether two artists are lines that look the same."""
    looks = [(part.get_color(), part.get_linestyle()) for part in (one, other) if hasattr(part, "get_linestyle")]
    return len(looks) == 2 and looks[0] == looks[1]


def _ends(ax: Any, named: Sequence[Named]) -> Floats:
    """Heights of the lines' ends, as shares of the axes'."""
    to_axes, x = ax.transData + ax.transAxes.inverted(), ax.get_xlim()[1]
    with np.errstate(all="ignore"):
        heights = np.array([to_axes.transform((x, part.end))[1] for part in named])
    found: Floats = np.clip(np.nan_to_num(heights, nan=0.0, posinf=1.0, neginf=0.0), 0.0, 1.0)
    return found


def _heights(ax: Any, named: Sequence[Named], texts: Sequence[str]) -> Floats:
    """Heights of names beside the axes; lines that end together are named in the order that they had before."""
    ends, sizes = _ends(ax, named), [_line(ax, text) for text in texts]
    before = [np.nanmean(part.artist.get_ydata()) if len(part.artist.get_ydata()) else 0.0 for part in named]
    order = sorted(range(len(named)), key=lambda i: (round(4 * float(ends[i]) / _line(ax, "")), before[i]))
    placed = np.empty(len(named))
    placed[order] = _apart(ends[order], [sizes[i] for i in order])
    return placed


def _reach(ax: Any, curves: Sequence[Named]) -> bool:
    """Whether there are curves, and all of them run up to the right end of the axes."""
    to_axes = ax.transData + ax.transAxes.inverted()
    lasts = [max(part.artist.get_xdata()[~np.isnan(part.artist.get_ydata())], default=-np.inf) for part in curves]
    bottom = ax.get_ylim()[0]
    return bool(lasts) and all(np.isfinite(x) and to_axes.transform((x, bottom))[0] > 0.9 for x in lasts)


def _line(ax: Any, text: str) -> float:
    """Height of a name, as a share of the axes'."""
    high: float = kept(ax.figure).height / ax.get_subplotspec().get_gridspec().nrows
    return (1.35 + 1.25 * text.count("\n")) * NAME_SIZE / (72 * 0.74 * high)


def _wrapped(ax: Any, label: str) -> str:
    """Give a name in the lines that it takes beside its axes."""
    room = _ROOM / ax.get_subplotspec().get_gridspec().ncols
    letters = next((n for n in range(len(label), 3, -1) if _widest(_cut(label, n)) <= room), 4)
    rows = len(_cut(label, letters))  # and no line with a short rest
    return "\n".join(next(cut for n in range(4, letters + 1) if len(cut := _cut(label, n)) == rows))


def _cut(label: str, letters: int) -> list[str]:
    return textwrap.wrap(label, letters, break_long_words=False, break_on_hyphens=False)


def _widest(lines: Sequence[str]) -> float:
    return float(max((text_width(line, NAME_SIZE) for line in lines), default=0.0))


def _fit(ax: Any, named: Sequence[Named], aside: float = 0.9) -> bool:
    """Whether names at the lines' ends leave the axes their width, and stand where their lines end.

    They may stand less than so many lines of words aside.
    """
    texts = [_wrapped(ax, part.label) for part in named]
    room = _ROOM / ax.get_subplotspec().get_gridspec().ncols
    narrow = all(text.count("\n") < 2 and _widest(text.split("\n")) <= room for text in texts)
    moved, line = abs(_heights(ax, named, texts) - _ends(ax, named)), _line(ax, "")
    more = np.array([_line(ax, text) - line for text in texts]) / 2  # a name of many lines still stands at its end
    return narrow and bool(np.all(moved < aside * line + more))


def _apart(places: Floats, sizes: Sequence[float]) -> Floats:
    """Move places in [0, 1], in their order, no further than need be: neighbours do not overlap, none ends above 1."""
    if not len(places):
        return places
    size = np.asarray(sizes)
    steps = np.concatenate([[0.0], np.cumsum((size[1:] + size[:-1]) / 2)])
    groups: list[list[float]] = []  # of neighbours that touch: their mean place, without the steps, and number
    for place in places - steps:
        groups.append([place, 1])
        while len(groups) > 1 and groups[-1][0] <= groups[-2][0]:
            (one, n), (other, m) = groups[-2:]
            groups[-2:] = [[(n * one + m * other) / (n + m), n + m]]
    found = np.concatenate([np.full(int(n), place) for place, n in groups])
    highest = 1.0 - size[-1] / 2 - steps[-1]
    inside: Floats = np.clip(found, min(0.0, highest), highest) + steps
    return inside


def _below(figure: Any, named: Sequence[Named]) -> None:
    """Put names in as many columns as fit under the figure, which grows by their rows: nothing is covered."""
    names = kept(figure).names
    names.update({part.label: part.artist for part in named})
    for old in list(figure.legends):
        old.remove()
    if not names:
        return
    labels, room, extra = list(names), 72 * figure.get_figwidth() - 8, 4.0 * NAME_SIZE
    widths = [text_width(label, NAME_SIZE) + extra for label in labels]
    for columns in range(len(labels), 0, -1):
        if sum(max(column) for column in _columns(widths, columns)) <= room:
            break
    rows = len(_columns(labels, columns)[0])
    columns = math.ceil(len(labels) / rows)  # as many rows, and none with a name alone where two can share it
    figure.legend(
        list(names.values()), labels, loc="outside lower center", ncols=columns, fontsize=NAME_SIZE,
        handlelength=2.2, handletextpad=0.5, columnspacing=1.2, borderaxespad=0.1,
    )  # fmt: skip
    figure.set_figheight(kept(figure).height + 0.08 + 0.23 * rows)


def _columns(items: list[Any], columns: int) -> list[list[Any]]:
    """Cut a list into columns as Matplotlib does: the first ones are longer by one."""
    size, longer = divmod(len(items), columns)
    ends = [i * size + min(i, longer) for i in range(columns + 1)]
    return [items[start:end] for start, end in itertools.pairwise(ends)]


def text_width(text: str, size: float) -> float:
    """Width of a text of one line in points, at a size in points; dollar signs are dollar signs."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    return float(text_to_path.get_text_width_height_descent(text, FontProperties(size=size), ismath=False)[0])


def fitted(text: str, room: float, sizes: Sequence[float] = (13, 12, 11)) -> tuple[str, float]:
    """Give a text that is not cut off in a room (points), and its size: the largest of sizes that fits, or lines."""
    for size in sizes:
        if (width := text_width(text, size)) <= room:
            return text, size
    letters = max(12, int(len(text) * room / width))  # of middling width; some lines have wider ones
    while letters > 12 and max(text_width(line, sizes[-1]) for line in textwrap.wrap(text, letters)) > room:
        letters -= 1
    return textwrap.fill(text, letters), sizes[-1]
