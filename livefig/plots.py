"""The book's plots: lines, bands, laws, matrices, bars and dots, each in a call; all share the keywords of ``Frame``.

A plot takes data, as a mapping from what the legend says to the values, and returns a Matplotlib figure; colours,
legend and alternative text follow from it. With ``ax=`` it draws on one of :func:`panels`, or over another plot. Values
must be finite real numbers of the places' shape, else a plot raises TypeError or ValueError.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from livefig._checks import Floats, check_bool, check_numbers, check_option, check_real, check_text, check_vector, shown
from livefig._data import (
    by_name,
    drawn_estimate,
    interval,
    mapping,
    names_of,
    numbers,
    pair,
    pairs,
    part_of,
    rising,
    template,
)
from livefig.axes import NAME_SIZE, Frame, Named, begin, finish, guided, panels, say, told
from livefig.chance import follow
from livefig.figure import fade, on_cell, palette, styled
from livefig.looks import look, look_of, looks

__all__ = ["band", "bars", "dots", "law", "lines", "matrix", "panels", "spread"]

Points = Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]]


@styled
def lines(
    at: npt.ArrayLike,
    curves: Mapping[str, Any] | npt.ArrayLike,
    *,
    mark: float | None = None,
    markers: bool = False,
    steps: bool = False,
    points: Points | None = None,
    **frame: Unpack[Frame],
) -> Any:
    """Draw curves over common places; colours go to the curves first, then to the points.

    Parameters
    ----------
    at : array_like, shape (m,)
        Places on the x-axis, rising.
    curves : mapping of str to array_like, or array_like
        By name the values, shape (m,), or one number for a level; a pair (x, y) has places of its own. NaN is a gap.
        Values without a name need no legend.
    steps : bool, default False
        Whether the curves jump half-way between the places instead of joining them.

    Examples
    --------
    >>> import numpy as np
    >>> n = np.logspace(2, 6)
    >>> figure = lines(
    ...     n, {"local": 1 / np.sqrt(n), "curator": 1 / n}, log="xy", x="people", y="error", ylim=(1e-7, 1), mark=10_000
    ... )
    >>> figure.livefig.said[0]
    'error against people: at 10,000: local 0.01, curator 0.0001'
    """
    places = rising(at)
    pairs = {label: pair(places, y, part_of("curves", label)) for label, y in by_name(curves, "curves").items()}
    return _lines(pairs, {}, mark, markers, steps, points, frame)


@styled
def band(
    at: npt.ArrayLike,
    bands: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike]],
    *,
    mark: float | None = None,
    markers: bool = True,
    points: Points | None = None,
    **frame: Unpack[Frame],
) -> Any:
    """Draw curves with a band around each, ``at`` rising places of shape (m,).

    ``bands`` are, by name, the lower end, the curve and the upper end, shape (m,) each; :func:`spread` makes them.
    """
    places = rising(at)
    pairs, around = {}, {}
    for label, three in mapping(bands, "bands").items():
        name = part_of("bands", label)
        if not isinstance(three, Sequence | np.ndarray) or len(three) != 3:
            raise ValueError(f"{name} must be (low, middle, high), got {shown(three)}")
        low, middle, high = (numbers(part, name, places.size) for part in three)
        pairs[label], around[label] = (places, middle), (low, high)
    return _lines(pairs, around, mark, markers, False, points, frame)


def spread(runs: npt.ArrayLike, how: str = "deviation") -> tuple[Floats, Floats, Floats]:
    """Give the band of repeated runs, for :func:`band`: low, middle and high, of shape (m,).

    Parameters
    ----------
    runs : array_like, shape (m, repetitions)
        One row for each place.
    how : {"deviation", "range", "quantiles"}
        Mean and one standard deviation to either side; mean, smallest and largest; median and middle 80 %.

    Examples
    --------
    >>> spread([[1, 2, 6], [0, 0, 0]], "range")
    (array([1., 0.]), array([3., 0.]), array([6., 0.]))
    """
    values = check_numbers(runs, "runs")
    if values.ndim != 2 or values.shape[1] < 2:
        raise ValueError(f"runs must have shape (m, repetitions) with at least 2 repetitions, got shape {values.shape}")
    how = check_option(how, "how", ("deviation", "range", "quantiles"))
    if how == "quantiles":
        low, middle, high = np.quantile(values, (0.1, 0.5, 0.9), axis=1)
        return low, middle, high
    mean = values.mean(axis=1)
    if how == "range":
        return values.min(axis=1), mean, values.max(axis=1)
    deviation = values.std(axis=1, ddof=1)
    return mean - deviation, mean, mean + deviation


@styled
def law(
    at: npt.ArrayLike | None,
    densities: Mapping[str, npt.ArrayLike],
    *,
    atoms: Points | None = None,
    fill: bool = True,
    **frame: Unpack[Frame],
) -> Any:
    """Draw laws of a report: densities as curves, masses as stems; neighbours side by side.

    The y-axis begins at 0 unless ``ylim`` or ``log`` says otherwise.

    Parameters
    ----------
    at : array_like, shape (m,), or None
        Places of the densities; None if there are masses only.
    densities : mapping of str to array_like, shape (m,)
        By name.
    atoms : mapping of str to (places, masses), optional
        Laws, or parts of laws, on single places.
    fill : bool, default True
        Shade each density where it is the largest: there whoever must guess guesses it.

    Examples
    --------
    >>> import numpy as np
    >>> y = np.linspace(-3, 4, 71)
    >>> law(y, {"with": np.exp(-abs(y - 1)) / 2, "without": np.exp(-abs(y)) / 2}, x="answer").livefig.said[0]
    'answer: with highest at 1: 0.5, without highest at 0: 0.5'
    """
    places = rising([0.0] if at is None else at)
    curves = {
        label: numbers(values, part_of("densities", label), places.size)
        for label, values in mapping(densities, "densities").items()
    }
    masses, fill = pairs(atoms, "atoms"), check_bool(fill, "fill")
    if not curves and not masses:
        raise ValueError("densities or atoms must hold at least one law, got none")
    styles = looks([*curves, *masses], frame.get("colours"), guided(frame))
    ax, named, said = begin(frame), [], []
    for (label, values), style in zip(curves.items(), styles, strict=False):
        (line,) = ax.plot(places, values, color=style.colour, linestyle=style.linestyle)
        if fill and len(curves) > 1:
            others = np.max([other for name, other in curves.items() if name != label], axis=0)
            first = values >= others * (1 - 1e-9)  # where they are equal both, so that the shades meet
            ax.fill_between(places, values, where=first, color=style.colour, alpha=0.15, linewidth=0)
        named.append(Named(label, style, line))
        said.append(f"{label} highest at {_place(int(np.argmax(values)), places, frame)}: {say(values.max())}")
    shift = 0.006 * np.ptp(np.concatenate([places, *(x for x, _ in masses.values())])) if masses else 0.0
    for i, ((label, (x, mass)), style) in enumerate(zip(masses.items(), styles[len(curves) :], strict=True)):
        aside = shift * (2 * i - len(masses) + 1)
        stems = ax.vlines(x + aside, 0, mass, color=style.colour, linewidth=4)
        named.append(Named(label, style, stems))
        said.append(f"{label} " + ", ".join(f"{say(m)} at {say(p)}" for p, m in list(zip(x, mass, strict=True))[:12]))
    if "ylim" not in frame and "y" not in frame.get("log", ""):
        ax.set_ylim(bottom=0)
    return finish(ax, frame, named, ", ".join(said))


@styled
def matrix(
    values: npt.ArrayLike,
    *,
    rows: Sequence[Any] | None = None,
    columns: Sequence[Any] | None = None,
    limits: tuple[float, float] | None = None,
    text: str | None = "{:.2f}",
    scale: str = "",
    **frame: Unpack[Frame],
) -> Any:
    """Draw a matrix, such as a channel, as cells that are the fuller of one colour the larger their value.

    A zero is left empty and framed, since it is the news. ``colours`` is one, by default ``"report"``.

    Parameters
    ----------
    values : array_like, shape (r, c)
        At least one row and one column.
    rows, columns : sequence, optional
        What the rows and columns are called; by default 0, 1, ….
    limits : (float, float), optional
        Values of an empty cell and a full one; by default 0 and the largest.
    text : str, optional
        How a value is written in its cell, if there are at most 40 cells and no ``colours``; None for not at all. What
        would be written as 0.00 and is not zero becomes "<0.01".
    scale : str, optional
        Label of a colour bar; without one there is none.

    Examples
    --------
    >>> matrix([[0.75, 0.25], [0, 1]], x="report", y="truth").livefig.said[0]
    'truth against report: 2 rows and 2 columns, from 0 to 1; 0 in row 1, column 0'
    """
    cells = check_numbers(values, "values")
    if cells.ndim != 2 or cells.size == 0:
        raise ValueError(f"values must be a matrix, got shape {cells.shape}")
    names = [
        list(range(size)) if given is None else names_of(given, name, size)
        for given, name, size in zip((rows, columns), ("rows", "columns"), cells.shape, strict=True)
    ]
    low, high = min(0.0, float(cells.min())), float(cells.max()) or 1.0
    if limits is not None:
        low, high = check_vector(limits, "limits", 2)
    text, scale = template(text, "text"), check_text(scale, "scale")
    ax = begin(frame)
    colours = frame.get("colours")
    if not (colours is None or isinstance(colours, str)):
        raise TypeError(f"colours of a matrix must be one, such as 'truth', got {shown(colours)}")
    small = cells.size <= 40 and colours is None
    scale_of = {"vmin": low, "vmax": high, "cmap": fade(look(colours or "report").colour)}
    if not small and colours is None:  # too many to be shapes
        image = ax.imshow(cells, aspect="auto", interpolation="nearest", **scale_of)
    else:  # shapes, not an image: their colour is the page's to choose
        down, across = map(range, cells.shape)
        image = ax.pcolormesh(across, down, cells, shading="nearest", **scale_of)
        ax.set(xlim=(-0.5, cells.shape[1] - 0.5), ylim=(cells.shape[0] - 0.5, -0.5))
    ax.grid(visible=False)
    for axis, given, texts in ((ax.yaxis, rows, names[0]), (ax.xaxis, columns, names[1])):
        if given is not None or len(texts) <= 12:
            axis.set_ticks(range(len(texts)), [str(text) for text in texts])
    if small:
        for (row, column), value in np.ndenumerate(cells):
            if value == 0:
                ax.add_patch(_box(column, row))
            if text is not None:
                ink = palette.risk if value == 0 else on_cell((value - low) / (high - low))
                written = "0" if value == 0 else _no_zero(text.format(value))
                ax.text(column, row, written, ha="center", va="center", fontsize=NAME_SIZE, color=ink)
    if scale:
        ax.figure.colorbar(image, ax=ax, label=scale)
    zeros = [f"0 in row {names[0][r]}, column {names[1][c]}" for r, c in np.argwhere(cells == 0)[:6]] if small else []
    said = f"{cells.shape[0]} rows and {cells.shape[1]} columns, from {say(cells.min())} to {say(cells.max())}"
    return finish(ax, frame, [], "; ".join([said, *zeros]))


@styled
def bars(
    names: Sequence[Any],
    heights: Mapping[str, npt.ArrayLike] | npt.ArrayLike,
    *,
    horizontal: bool = False,
    stacked: bool = False,
    text: str | None = None,
    **frame: Unpack[Frame],
) -> Any:
    """Draw bars, side by side or stacked where there are several for a name.

    Parameters
    ----------
    names : sequence
        What the bars are called; numbers are places on the axis.
    heights : mapping of str to array_like, or array_like
        By name the heights, one for each bar. Heights without a name take ``colours`` bar by bar.
    horizontal, stacked : bool, default False
        Whether the names stand at the left, from top to bottom, and whether the bars of a name stand on one another.
    text : str, optional
        How a height is written at its bar, such as ``"{:.0%}"``.

    Examples
    --------
    >>> bars(["yes", "no"], [0.75, 0.25], y="probability").livefig.said[0]
    'probability: yes 0.75, no 0.25'
    """
    names, text = names_of(names), template(text, "text")
    horizontal, stacked = check_bool(horizontal, "horizontal"), check_bool(stacked, "stacked")
    groups = {
        label: numbers(values, part_of("heights", label), len(names))
        for label, values in by_name(heights, "heights").items()
    }
    numeric = all(isinstance(name, (int, float, np.number)) and not isinstance(name, bool) for name in names)
    numeric = numeric and not any(isinstance(name, int) and name.bit_length() > 1000 for name in names)
    places = np.asarray(names, dtype=float) if numeric else np.arange(len(names), dtype=float)
    room = 0.8 if not numeric else float(np.diff(np.sort(places)).min()) if len(names) > 1 else 1.0
    each = room if stacked else room / len(groups)
    colours, single = frame.get("colours"), list(groups) == [""]
    if single and (colours is None or isinstance(colours, str)):
        tokens = (colours or "truth").split()
        colours = tokens * len(names) if len(tokens) == 1 else tokens  # one look stands for all bars
    styles = looks([str(name) for name in names] if single else list(groups), colours, guided(frame))
    ax, named, said = begin(frame, (6, 0.3 * len(names) + 1.3) if horizontal else (6, 3.6)), [], []
    draw, base = (ax.barh if horizontal else ax.bar), np.zeros(len(names))
    edges = np.append(places - room / 2, places[-1] + room / 2)
    # Many bars that touch are one outline a colour: as many times quicker to draw, and smaller, as there are bars.
    touching = numeric and len(names) > 20 and np.allclose(np.diff(places), room)
    profile = touching and text is None and (stacked or len(groups) == 1)
    for i, (label, values) in enumerate(groups.items()):
        colours_here = list(dict.fromkeys(style.colour for style in styles))
        colour: Any = styles[i].colour
        if single:
            colour = colours_here[0] if len(colours_here) == 1 else [style.colour for style in styles]
        where = places if stacked else places + each * (i - (len(groups) - 1) / 2)
        start = {"left" if horizontal else "bottom": base} if stacked else {}
        if profile:
            of_each = np.broadcast_to(colour, len(values))
            for one in dict.fromkeys(of_each.tolist()):
                drawn = _stairs(ax, base + np.where(of_each == one, values, 0), edges, base, horizontal, one)
        else:
            drawn = draw(where, values, each * (1 if numeric else 0.95), color=colour, **start)
        if text is not None:
            ax.bar_label(drawn, [text.format(value) for value in values], fontsize=NAME_SIZE, padding=2)
        base = base + values if stacked else base
        named.append(Named(label, styles[min(i, len(styles) - 1)], drawn))
        said.append(_listed(label, names, values))
    axis = ax.yaxis if horizontal else ax.xaxis
    if not numeric:
        axis.set_ticks(places, [str(name) for name in names])
        ax.grid(axis="y" if horizontal else "x", visible=False)
    if horizontal:
        ax.invert_yaxis()
    return finish(ax, frame, named, "; ".join(said))


def _stairs(ax: Any, ends: Floats, edges: Floats, base: Floats, horizontal: bool, colour: Any) -> Any:
    """Like ``ax.stairs``, which finds the limits as if each step were a curve: a fifth of the time of a frame."""
    from matplotlib.patches import StepPatch

    of: dict[str, Any] = {"orientation": "horizontal" if horizontal else "vertical", "baseline": base}
    drawn = StepPatch(ends, edges, fill=True, color=colour, linewidth=0, **of)
    ax.add_artist(drawn)
    heights = np.array([min(ends.min(), base.min()), max(ends.max(), base.max())])
    corners = np.column_stack([edges[[0, -1]], heights])
    ax.update_datalim(corners[:, ::-1] if horizontal else corners)
    (drawn.sticky_edges.x if horizontal else drawn.sticky_edges.y).append(base.min())
    ax.autoscale_view()
    return drawn


@styled
def dots(
    names: Sequence[Any],
    series: Mapping[str, Any],
    *,
    bars: Mapping[str, npt.ArrayLike] | None = None,
    ticks: Mapping[str, npt.ArrayLike] | None = None,
    **frame: Unpack[Frame],
) -> Any:
    """Draw estimates as dots with intervals, one row for each name, before bars or ticks to compare with.

    Colours go to the series first, then to bars and ticks.

    Parameters
    ----------
    names : sequence
        What the rows are called, from top to bottom.
    series : mapping of str to array_like, or to (estimate, low, high)
        By name the estimates, one for each row, and the ends of their intervals; drawn by law too, see :func:`draws`.
    bars, ticks : mapping of str to array_like, optional
        By name the values that a bar reaches behind the dots, such as the truth, or that an upright tick marks.

    Examples
    --------
    >>> figure = dots(["nurse", "cook"], {"estimate": ([9, 4], [7, 2], [11, 6])}, bars={"people": [10, 3]})
    >>> figure.livefig.said[0]
    'estimate: nurse 9 (7 to 11), cook 4 (2 to 6); people: nurse 10, cook 3'
    """
    names = names_of(names)
    made = {
        label: interval(values, part_of("series", label), len(names))
        for label, values in mapping(series, "series").items()
    }
    behind, upright = (
        {} if given is None else {k: numbers(v, part_of(name, k), len(names)) for k, v in mapping(given, name).items()}
        for name, given in (("bars", bars), ("ticks", ticks))
    )
    defaults = [
        *(["estimate"] if len(made) == 1 else [None] * len(made)),
        *["truth"] * len(behind),
        *(None if look_of(label) else "neutral" for label in upright),
    ]
    labels = [*made, *behind, *upright]
    colours = frame.get("colours") or {label: role for label, role in zip(labels, defaults, strict=True) if role}
    styles = dict(zip(labels, looks(labels, colours, guided(frame)), strict=True))
    ax, named, said = begin(frame, (6, max(2.4, 0.27 * len(names) + 0.8))), [], []
    rows = np.arange(len(names), dtype=float)
    for label, values in behind.items():
        named.append(Named(label, styles[label], ax.barh(rows, values, 0.8, color=styles[label].colour, alpha=0.45)))
    for label, values in upright.items():
        size = min(16.0, 10 + 40 / len(names))
        (line,) = ax.plot(values, rows, "|", color=styles[label].colour, markersize=size, markeredgewidth=2.5)
        named.append(Named(label, styles[label], line))
    for i, (label, (middle, low, high)) in enumerate(made.items()):
        style, aside = styles[label], rows + 0.7 * ((i + 0.5) / len(made) - 0.5)
        marker = style.marker if len(made) > 1 else "o"
        whiskers = [] if low is None else [ax.hlines(aside, low, high, color=style.colour, linewidth=2)]
        if (drawn := drawn_estimate(series[label], part_of("series", label))) is None:
            (line,) = ax.plot(middle, aside, marker, color=style.colour, markersize=6)
            said.append(_listed(label, names, middle, low, high))
        else:  # the page draws them anew: what they are, the chapter's own words say
            line = ax.scatter(middle, aside, s=36, color=style.colour, marker=marker, linewidth=1, zorder=2)
            for artist in (*whiskers, line):
                follow(artist, x=drawn)
        named.append(Named(label, style, line))
    said += [_listed(label, names, values) for label, values in [*behind.items(), *upright.items()]]
    ax.set_yticks(rows, [str(name) for name in names])
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.grid(axis="y", visible=False)
    low_end, high_end = frame.get("xlim") or ax.get_xlim()
    if low_end is not None and high_end is not None and low_end < 0 < high_end:
        ax.axvline(0, color=palette.neutral, linewidth=1, zorder=1)
    return finish(ax, frame, named, "; ".join(said))


# ---- what they share ---------------------------------------------------------------------------------------------


def _lines(
    curves: dict[str, tuple[Floats, Floats]], around: dict[str, tuple[Floats, Floats]], mark: float | None,
    markers: bool, steps: bool, points: Points | None, frame: Frame,
) -> Any:  # fmt: skip
    spots = pairs(points, "points")
    markers, steps = check_bool(markers, "markers"), check_bool(steps, "steps")
    styles = looks([*curves, *spots], frame.get("colours"), guided(frame))
    if mark is not None:
        mark = check_real(mark, "mark")
    ax, named, said = begin(frame), [], []
    right = (frame.get("xlim") or (None, None))[1]
    if mark is not None:
        ax.axvline(mark, color=palette.neutral, linewidth=1, zorder=1.5)
    for (label, (x, y)), style in zip(curves.items(), styles, strict=False):
        (line,) = ax.plot(
            x, y, color=style.colour, linestyle=style.linestyle, marker=style.marker if markers else "", markersize=5,
            drawstyle="steps-mid" if steps else "default",
        )  # fmt: skip
        if label in around:
            ax.fill_between(x, *around[label], color=style.colour, alpha=0.15, linewidth=0)
        known = ~np.isnan(y)
        inside = known & (x <= (np.inf if right is None else right))
        last = np.flatnonzero(inside)[-1] if inside.any() else 0
        named.append(Named(label, style, line, float(y[last])))
        if mark is not None and known.any() and x[known][0] <= mark <= x[known][-1]:
            here = _between(mark, x[known], y[known], frame.get("log", ""))
            ax.plot(mark, here, "o", color=style.colour)
            said.append(told(label, say(here)))
        elif mark is None and known.any():
            said.append(f"{label} {_course(x[known], y[known], frame)}".strip())
    text = "; ".join(said) if mark is None else f"at {say(mark)}: {', '.join(said)}"
    parts = [text] if said else []
    for (label, (x, y)), style in zip(spots.items(), styles[len(curves) :], strict=True):
        size = 13 if style.marker == "*" else 7 if x.size == 1 else 5
        (line,) = ax.plot(x, y, style.marker, color=style.colour, markersize=size, linestyle="none")
        named.append(Named(label, style, line))
        where = f"{say(y[0])} at {say(x[0])}"
        if np.any(np.diff(x) < 0):  # scattered: their order says nothing
            parts.append(f"{label}: {x.size} points from {say(x.min())} to {say(x.max())}")
        elif x.size > 1:
            parts.append(f"{label}: {x.size} points, {where} and {say(y[-1])} at {say(x[-1])}")
        else:
            parts.append(told(label, where))
    return finish(ax, frame, named, "; ".join(parts))


def _course(x: Floats, y: Floats, frame: Frame) -> str:
    """Say where a curve begins and ends, and where between it is highest or lowest."""
    if len(x) > 1 and np.ptp(x) == 0:  # an upright
        return f"at {say(x[0])}"
    ticks = frame.get("xticks")
    words = ticks if isinstance(ticks, Mapping) else {}
    spots = {"from": 0, "to": len(x) - 1}
    extremes = {"highest": int(np.argmax(y)), "lowest": int(np.argmin(y))}
    values = {i: say(y[i]) for i in (*spots.values(), *extremes.values())}
    if len(set(values.values())) == 1:
        return values[0] + " throughout" * (len(x) > 1)
    # What differs in no digit that is said is rounding.
    spots |= {name: i for name, i in extremes.items() if values[i] not in (values[0], values[len(x) - 1])}
    parts = [f"{name} {values[i]} at {words.get(float(x[i])) or _place(i, x, frame)}" for name, i in spots.items()]
    return ", ".join([" ".join(parts[:2]), *parts[2:]])


def _place(i: int, places: Floats, frame: Frame) -> str:
    """Say a place on the x-axis; what rounding left of a zero, on an axis that is not logarithmic, is zero."""
    tiny = "x" not in frame.get("log", "") and abs(places[i]) < 1e-9 * np.ptp(places)
    return say(0.0 if tiny else places[i])


def _between(x: float, xs: Floats, ys: Floats, log: str) -> float:
    """Value of a curve between two of its places, straight on the axes as they are drawn."""
    forth, back = (np.log, np.exp) if "y" in log and np.all(ys > 0) else (np.asarray, np.asarray)
    scale = np.log if "x" in log else np.asarray
    return float(back(np.interp(scale(x), scale(xs), forth(ys))))


def _listed(
    label: str, names: Sequence[Any], values: Floats, low: Floats | None = None, high: Floats | None = None
) -> str:
    """Name by name what is drawn, or the ends of it where that would be too much to listen to."""
    texts = [say(value) for value in values]
    if low is not None and high is not None:
        texts = [f"{text} ({say(a)} to {say(b)})" for text, a, b in zip(texts, low, high, strict=True)]
    texts = [told(name, text) for name, text in zip(names, texts, strict=True)]
    if len(texts) > 8:
        top = int(np.nanargmax(values))
        texts = [f"{len(texts)} values, the largest {texts[top]}"]
    return (f"{label}: " if label else "") + ", ".join(texts)


def _no_zero(written: str) -> str:
    """Write what is rounded to zero, and is not zero, as less than the last digit shown."""
    return f"<{written[:-1]}1" if re.fullmatch(r"0\.0+", written) else written


def _box(column: int, row: int) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((column - 0.47, row - 0.47), 0.94, 0.94, fill=False, edgecolor=palette.risk, linewidth=2)
