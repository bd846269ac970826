"""Places of the axes, found once for all frames of a figure whose words stand at the same places.

To find them takes a third of the time that a frame takes, and what they depend on seldom changes while one drags.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.offsetbox import AnnotationBbox, OffsetBox
from matplotlib.spines import Spine
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox

__all__ = ["RememberedLayout"]

_MOST = 500
_known: dict[Hashable, list[Bbox]] = {}
#: Values that say by themselves whether two artists are alike.
_PLAIN = (bool, int, float, str, np.generic, type(None))


class RememberedLayout(ConstrainedLayoutEngine):
    """Matplotlib's constrained layout, which gives the same places without computing them again.

    Parameters
    ----------
    engine : matplotlib.layout_engine.ConstrainedLayoutEngine
        Whose paddings and the like it has.
    """

    def __init__(self, engine: ConstrainedLayoutEngine) -> None:
        super().__init__(**engine.get(), compress=engine._compress)  # type: ignore[attr-defined]

    def execute(self, fig: Figure) -> Any:
        """Place the axes.

        Parameters
        ----------
        fig : matplotlib.figure.Figure
            The figure.
        """
        key = None if self._compress else _key(fig)  # type: ignore[attr-defined]
        if key is not None:
            key = (key, tuple(sorted(self.get().items())))
        if key is None or key not in _known:
            super().execute(fig)
            if key is not None:
                while len(_known) >= _MOST:
                    del _known[next(iter(_known))]
                _known[key] = [ax.get_position(original=True).frozen() for ax in fig.axes]
            return
        for ax, place in zip(fig.axes, _known[key], strict=True):
            laid_out = ax.get_in_layout()
            ax.set_position(place)
            ax.set_in_layout(laid_out)  # which set_position ends; the figure may be drawn once more


class _UnknownError(Exception):
    """Something is drawn of which it is not known what the places have to do with it."""


def _key(figure: Figure) -> Hashable:
    """All that the places depend on; None if something is drawn of which that is not known."""
    grids = {id(spec.get_gridspec()): spec.get_gridspec() for ax in figure.axes if (spec := ax.get_subplotspec())}
    specs = [ax.get_subplotspec() for ax in figure.axes]
    aligned = any(len(group) > 1 for groups in figure._align_label_groups.values() for group in groups)  # type: ignore[attr-defined]
    if figure.subfigs or figure.texts or aligned or len(grids) != 1 or None in specs:
        return None
    if len({spec.get_geometry() for spec in specs if spec}) != len(specs):
        return None  # axes over axes: one moves the other's title
    (grid,) = grids.values()
    if type(grid) is not GridSpec:
        return None
    fonts = [(name, str(rcParams[name])) for name in _FONTS]
    parts: list[Hashable] = [tuple(figure.get_size_inches()), figure.dpi, *fonts]
    parts += [
        grid.get_geometry(),
        str(grid.get_width_ratios()),
        str(grid.get_height_ratios()),
        grid.hspace,
        grid.wspace,
    ]
    renderer = figure._get_renderer()  # type: ignore[attr-defined]
    try:
        for ax in figure.axes:
            parts += _axes(ax, renderer)
        for legend in figure.legends:
            if legend.get_title().get_text() or legend._bbox_to_anchor is not None:  # type: ignore[attr-defined]
                return None
            parts += [_plain(legend), *map(_word, legend.get_texts())]
    except _UnknownError:
        return None
    return tuple(parts)


#: Settings that are looked up when words are drawn.
_FONTS = sorted(name for name in rcParams if name.startswith(("font.", "mathtext.", "text.")))


def _axes(ax: Axes, renderer: Any) -> Iterator[Hashable]:
    """All that the place of axes depends on: their words, their lines, and how they are drawn."""
    stretched = ax.get_aspect() != "auto" and ax.get_adjustable() == "datalim"
    if type(ax) is not Axes or stretched or ax.get_axes_locator() is not None or ax._colorbars:  # type: ignore[attr-defined]
        raise _UnknownError
    spec = ax.get_subplotspec()
    assert spec is not None
    yield (*spec.get_geometry(), *ax.get_position(original=True).bounds)
    yield (*ax.get_xlim(), *ax.get_ylim(), ax.get_xscale(), ax.get_yscale(), str(ax.get_anchor()), _plain(ax))
    for child in ax.get_children():
        if isinstance(child, Axis):
            yield from _ticks(child)
            yield _title(child.label, renderer, wide=child is ax.yaxis)
        elif isinstance(child, Spine):
            yield (*_plain(child), str(child.get_position()), str(child.get_bounds()))
        elif isinstance(child, Text) and child not in ax.texts:
            yield _title(child, renderer)
        elif child is not ax.patch and child.get_visible() and child.get_in_layout():
            if isinstance(child, Text):
                yield _text(child, ax)
            elif isinstance(child, (OffsetBox, AnnotationBbox)) or not child._fully_clipped_to_axes():  # type: ignore[attr-defined]
                raise _UnknownError  # it may reach beyond the axes


def _ticks(axis: Any) -> Iterator[Hashable]:
    yield (*_plain(axis), axis.get_ticks_position(), axis.get_label_position(), _word(axis.get_offset_text()))
    labels = axis.get_ticklabels(which="both")
    ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
    places = [text.get_transform().transform(text.get_position()) for text in labels if text.get_text()]
    yield (*map(_word, labels), *map(_plain, ticks), tuple(np.round(places, 6).ravel().tolist()))


def _title(text: Text, renderer: Any, wide: bool = False) -> Hashable:
    """A title, or the name of an axis: how high it is matters, not how wide; at the y-axis, the other way round."""
    state = tuple(item for item in _plain(text) if item[0] != "_text")
    if not text.get_text():
        return state
    x, y = text.get_transform().transform(text.get_position())
    box = text.get_window_extent(renderer)
    size = box.width if wide else box.height
    return (*state, text.get_fontproperties(), round(x, 6), round(y, 6), round(size, 6))


def _text(text: Any, ax: Axes) -> Hashable:
    """A text in the axes, or beside them."""
    if text.get_bbox_patch() is not None:
        raise _UnknownError
    if isinstance(text, Annotation):
        coordinates, place = (text.xycoords, text.anncoords), (*text.xy, *text.xyann)
        if text.arrow_patch is not None or not all(isinstance(part, _PLAIN) for part in (*coordinates, *place)):
            raise _UnknownError
        clipped: bool = text._fully_clipped_to_axes()  # type: ignore[attr-defined]
        return (_word(text), clipped, coordinates, place)
    state = _word(text)
    x, y = text.get_unitless_position()
    # Names at the ends of lines move up and down, not beyond the axes, even where these shrink to half of what they
    # are, or not beyond the numbers below.
    line = text.get_fontsize() / (0.5 * ax.bbox.height * 72 / ax.figure.dpi)
    lowest = 0.0 if _has_numbers(ax, text.get_fontsize()) else line
    level = text.get_rotation() == 0 and text.get_va() == "center" and not {"\n", "$"} & set(text.get_text())
    if text.get_transform() is ax.transAxes and level and lowest <= y <= 1 - line:
        state, y = tuple(item for item in state if item[0] != "_y"), 0.5
    pixels = text.get_transform().transform((x, y))
    return (state, text._fully_clipped_to_axes(), x, y, *(round(pixel, 6) for pixel in pixels))


def _has_numbers(ax: Any, size: float) -> bool:
    """Whether numbers stand below the axes, and reach down farther than half a line of a font of some size."""
    if not (ax.axison and ax.xaxis.get_visible() and ax.xaxis.get_ticks_position() in ("bottom", "default")):
        return False
    axis = ax.transAxes.transform((0, 0))[1]
    labels = [text for text in ax.get_xticklabels() if text.get_visible() and text.get_text()]
    return any(
        text.get_fontsize() >= 0.6 * size
        and text.get_va() == "top"
        and text.get_transform().transform(text.get_position())[1] <= axis
        for text in labels
    )


def _word(text: Text) -> tuple[Any, ...]:
    return (*_plain(text), ("font", text.get_fontproperties()))


def _plain(artist: Artist) -> tuple[tuple[str, Hashable], ...]:
    """What an artist has of numbers and names: where two have the same, they are alike but for their parts."""
    return tuple((name, value) for name, value in vars(artist).items() if isinstance(value, _PLAIN))
