"""Places of the axes, found once for all frames of a figure whose words stand at the same places.

To find them takes a third of the time that a frame takes, and what they depend on seldom changes while one drags.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.text import Text
from matplotlib.transforms import Bbox

__all__ = ["RememberedLayout"]

_MOST = 500
_known: dict[Hashable, list[Bbox]] = {}


class RememberedLayout(ConstrainedLayoutEngine):
    """Matplotlib's constrained layout, which gives the same places without computing them again."""

    def execute(self, fig: Figure) -> Any:
        """Place the axes.

        Parameters
        ----------
        fig : matplotlib.figure.Figure
            The figure.
        """
        key = _key(fig)
        if key is None or key not in _known:
            super().execute(fig)
            if key is not None:
                while len(_known) >= _MOST:
                    del _known[next(iter(_known))]
                _known[key] = [ax.get_position(original=True).frozen() for ax in fig.axes]
            return
        for ax, place in zip(fig.axes, _known[key], strict=True):
            ax.set_position(place)


def _key(figure: Figure) -> Hashable:
    """All that the places depend on; None if something drawn may reach beyond its axes, or stands apart from a grid."""
    if figure.subfigs or figure.get_suptitle() or any(ax.get_label() == "<colorbar>" for ax in figure.axes):
        return None
    parts: list[Hashable] = [tuple(figure.get_size_inches())]
    for ax in figure.axes:
        spec = ax.get_subplotspec()
        drawn = [*ax.lines, *ax.patches, *ax.collections, *ax.images, *ax.artists]
        if spec is None or ax.child_axes or not all(artist.get_clip_on() for artist in drawn):
            return None
        grid = spec.get_gridspec()
        parts += [*spec.get_geometry(), str(grid.get_width_ratios()), str(grid.get_height_ratios())]
        parts += [*ax.get_xlim(), *ax.get_ylim(), ax.get_xscale(), ax.get_yscale(), ax.get_aspect(), ax.axison]
        parts += _words(ax)
    parts += [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    parts += [_word(text, text.get_position()) for text in figure.texts]
    return tuple(parts)


def _words(ax: Axes) -> Iterator[Hashable]:
    """Sizes and places of all words at and in the axes."""
    for axis in (ax.xaxis, ax.yaxis):
        for text in (*axis.get_ticklabels(which="both"), axis.get_offset_text()):
            yield _word(text, text.get_position())
        yield axis.get_ticks_position(), axis.get_label_position()
    titles = [child for child in ax.get_children() if isinstance(child, Text) and child not in ax.texts]
    for text in (ax.xaxis.label, ax.yaxis.label, *titles):  # how long they are does not matter, but how high
        yield bool(text.get_text()), text.get_text().count("\n"), text.get_fontsize(), text.get_rotation()
    for text in ax.texts:
        x, y = text.get_position()
        # Names at the ends of lines move up and down, not beyond the title or the numbers below.
        beside = text.get_transform() is ax.transAxes and 0 <= y <= 0.9
        yield _word(text, (x, 0.5 if beside else y)), getattr(text, "xy", None)
    if (legend := ax.get_legend()) is not None:
        yield tuple(text.get_text() for text in legend.get_texts())


def _word(text: Text, place: tuple[float, float]) -> Hashable:
    return text.get_text(), text.get_fontsize(), text.get_rotation(), text.get_visible(), place
