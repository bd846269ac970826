"""One picture of a survey: what happens on each person’s device, what crosses, and what the collector makes of it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any, NamedTuple

from ldp_core._validate import check_bool, check_text, shown
from livefig.axes import NAME_SIZE, fitted, kept, text_width
from livefig.figure import palette, styled

__all__ = ["pipeline"]

# In points, down the page: 432 are the 6 inches that a phone can show.
_WIDTH, _EDGE, _PAD, _LINE, _LABEL, _GAP = 432.0, 14.0, 8.0, 15.0, 22.0, 66.0
#: Where the upper boxes are, what crosses the boundary, and where the lower boxes are.
_LOCAL = ("on each person’s device", "report", "at the collector, from everybody’s reports")
_TRUSTED = ("at the curator, who holds everybody’s row", "answer", "outside, for everybody to see")
_COLOURS = {"value": "truth", "encoded": "truth", "report": "report", "aggregate": "report", "estimate": "estimate"}


@styled
def pipeline(
    value: str = "Sales", encoded: str = "11", report: str = "4", aggregate: str = "counts of reports",
    estimate: str = "unbiased counts", names: Sequence[str] = ("encode", "perturb", "aggregate", "estimate"),
    title: str | None = None, trusted: bool = False,
) -> Any:  # fmt: skip
    """Draw who sees what: each person's device above, the collector below, the trust boundary between them.

    The alternative text of the Matplotlib figure follows from the texts.

    Parameters
    ----------
    value, encoded, report : str
        What the device holds, what it makes of that, and what leaves it. Texts are short and may hold line breaks.
    aggregate, estimate : str
        What the collector adds up, and what it concludes.
    names : sequence of str
        What the four arrows between these five boxes are called.
    title : str, optional
        Heading.
    trusted : bool, default False
        Whether a curator is trusted: the first three boxes are at the curator, who holds everybody’s row, and what
        crosses the boundary, to everybody else, is the answer.

    Examples
    --------
    >>> figure = pipeline("yes", "1", "0", "reported yeses", "estimated yeses")
    >>> for sentence in figure.livefig.said:
    ...     print(sentence)
    On each person’s device: yes, encode gives 1, perturb gives 0
    Only the report crosses the trust boundary
    At the collector: aggregate gives reported yeses, estimate gives estimated yeses
    """
    from matplotlib.figure import Figure

    given = {"value": value, "encoded": encoded, "report": report, "aggregate": aggregate, "estimate": estimate}
    texts = {name: _filled(text, name) for name, text in given.items()}
    if isinstance(names, str) or not isinstance(names, Sequence) or len(names) != 4:
        raise ValueError(f"names must be four words, one for each arrow, got {shown(names)}")
    steps = [_filled(word, "each of names") for word in names]
    if any(text_width(word, NAME_SIZE) > _WIDTH / 4 for word in steps):
        raise ValueError(f"names must be four short words, one for each arrow, got {shown(names)}")
    above, crossing, below = _TRUSTED if check_bool(trusted, "trusted") else _LOCAL
    heading, font = ("", 13.0) if title is None else fitted(check_text(title, "title"), _WIDTH - 2 * _EDGE)

    device = _row({name: texts[name] for name in ("value", "encoded", "report")}, steps[:2])
    collector = _row({name: texts[name] for name in ("estimate", "aggregate")}, steps[3:])  # it runs back, to the left
    high, low = (max(box.height for box in row) + _LABEL + 3 * _PAD for row in (device, collector))
    top = 18.0 * (heading.count("\n") + 1) + 8 if heading else 3.0
    under = top + high + _GAP
    figure = Figure(figsize=(_WIDTH / 72, (under + low + 3) / 72))
    figure.set_layout_engine("none")
    ax = figure.add_axes((0, 0, 1, 1), xlim=(0, _WIDTH), ylim=(under + low + 3, 0))
    ax.axis("off")
    ax.text(3, 4, heading, fontsize=font, color=palette.ink, va="top", parse_math=False)
    _frame(ax, 3, top, _WIDTH - (6 if trusted else 10), high - 4, palette.neutral)
    if not trusted:
        corner = [10, _WIDTH - 3, _WIDTH - 3], [top + high, top + high, top + 7]
        ax.plot(*corner, color=palette.neutral, linewidth=1.5)  # another device behind it
    _frame(ax, 3, under, _WIDTH - 6, low, palette.neutral)
    upper = _draw(ax, device, top, high - 4, above)
    lower = _draw(ax, collector, under, low, below)
    for one, other, level, step in (
        (device[0], device[1], upper, steps[0]),
        (device[1], device[2], upper, steps[1]),
        (collector[1], collector[0], lower, steps[3]),
    ):
        start, end = (one.right, other.left) if one.left < other.left else (one.left, other.right)
        _arrow(ax, (start, level), (end, level), palette.ink)
        _say(ax, (start + end) / 2, level - 4, step, "center")
    report_, aggregate_ = device[2], collector[1]
    down = report_.right - min(report_.width, aggregate_.width) / 2
    wall = top + high + _GAP / 2
    ax.plot([3, _WIDTH - 3], [wall, wall], color=palette.risk, linestyle="--", linewidth=2)
    _arrow(ax, (down, upper + report_.height / 2), (down, lower - aggregate_.height / 2), palette.report)
    _say(ax, 6, wall - 5, f"trust boundary: only the {crossing} crosses", "left", palette.risk)
    _say(ax, down - 8, wall + 20, steps[2], "right")

    said = {name: " ".join(text.split()) for name, text in texts.items()}
    kept(figure).said += [
        *([title] if title else []),
        f"{above.capitalize()}: {said['value']}, {steps[0]} gives {said['encoded']}, {steps[1]} gives {said['report']}",
        f"Only the {crossing} crosses the trust boundary",
        f"{below.partition(',')[0].capitalize()}: {steps[2]} gives {said['aggregate']}, "
        f"{steps[3]} gives {said['estimate']}",
    ]
    return figure


class _Box(NamedTuple):
    text: str
    colour: str
    left: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width


def _filled(text: object, name: str) -> str:
    found = check_text(text, name)
    if not found.strip():
        raise ValueError(f"{name} must hold a word or a number, got {shown(text)}")
    return found


def _row(texts: dict[str, str], words: Sequence[str]) -> list[_Box]:
    """Boxes from the left edge to the right; lines are broken where the arrows' names would have no room."""
    room = _WIDTH - 2 * _EDGE - sum(text_width(word, NAME_SIZE) + 18 for word in words)
    wanted = {name: _extent(text) for name, text in texts.items()}
    most = room  # the widest box for which all fit
    while sum(min(width, most) for width in wanted.values()) > room:
        most -= 1
    broken = {name: _broken(text, most, name) for name, text in texts.items()}
    widths = [_extent(text) for text in broken.values()]
    gap = (_WIDTH - 2 * _EDGE - sum(widths)) / max(1, len(widths) - 1)
    return [
        _Box(
            text,
            getattr(palette, _COLOURS[name]),
            _EDGE + sum(widths[:i]) + i * gap,
            widths[i],
            _LINE * (text.count("\n") + 1) + _PAD,
        )
        for i, (name, text) in enumerate(broken.items())
    ]


def _extent(text: str) -> float:
    """Width of the box around a text."""
    return max(30.0, 2 * _PAD + max(text_width(line, NAME_SIZE) for line in text.split("\n")))


def _broken(text: str, most: float, name: str) -> str:
    """Text in lines that fit a box of this width."""
    for columns in range(max(map(len, text.split("\n"))), 0, -1):
        lines = [textwrap.fill(line, columns, break_long_words=False) for line in text.split("\n")]
        if _extent("\n".join(lines)) <= most:
            return "\n".join(lines)
    raise ValueError(f"{name} must have words short enough for a box {most:.0f} points wide, got {shown(text)}")


def _frame(ax: Any, left: float, top: float, width: float, height: float, colour: str) -> None:
    from matplotlib.patches import FancyBboxPatch

    shape = FancyBboxPatch(
        (left, top), width, height, boxstyle="round,pad=0,rounding_size=5", edgecolor=colour, fill=False, linewidth=1.5
    )  # fmt: skip
    ax.add_patch(shape)


def _draw(ax: Any, row: Sequence[_Box], top: float, height: float, side: str) -> float:
    """Draw one side's name and boxes; return the height of their middle."""
    _say(ax, _EDGE, top + 16, side, "left", palette.neutral)
    level = top + _LABEL + (height - _LABEL) / 2
    for box in row:
        _frame(ax, box.left, level - box.height / 2, box.width, box.height, box.colour)
        lines = box.text.split("\n")
        for i, line in enumerate(lines):  # each its own text, or a page's narrower face would not centre it
            ax.text(
                box.left + box.width / 2, level + _LINE * (i - (len(lines) - 1) / 2), line, ha="center", va="center",
                fontsize=NAME_SIZE, color=box.colour, parse_math=False,
            )  # fmt: skip
    return level


def _arrow(ax: Any, start: tuple[float, float], end: tuple[float, float], colour: str) -> None:
    look = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.5, "shrinkA": 2, "shrinkB": 2, "mutation_scale": 13}
    ax.annotate("", end, start, arrowprops=look)


def _say(ax: Any, x: float, y: float, text: str, where: str, colour: str = palette.ink) -> None:
    ax.text(x, y, text, ha=where, va="baseline", fontsize=NAME_SIZE, color=colour, parse_math=False)
