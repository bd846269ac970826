"""What is random in a picture, kept in a form that a page can draw anew: counts of a known law, and what follows them.

A picture by law is drawn once, with the package's own draws. Its marks and its numbers say what they follow, and the
page (``assets/live-chance.js``) draws other counts of the same law and moves the marks.
"""

from __future__ import annotations

import itertools
import re
import zlib
from collections.abc import Mapping
from typing import Any, NoReturn, SupportsIndex
from xml.etree import ElementTree

import numpy as np
import numpy.typing as npt

from livefig._checks import Floats, as_array, check_counts, check_int, check_numbers, check_real, shown

__all__ = ["Chance", "Drawn", "annotate", "follow", "plain", "template"]

#: A number in a text stands between two invisible separators, after its place in ``Chance.texts`` in hexadecimal
#: digits, which are invisible too: so it is found again in the drawing and in the alternative text.
_MARK, _DIGIT = "\u2063", 0xFE00
_MARKED = re.compile(f"{_MARK}([\ufe00-\ufe0f]+)([^{_MARK}]*){_MARK}")
_FORMAT = re.compile(r",?(\.\d[f%])?|d")


class Chance:
    """The random part of one picture, which ``draw`` gets from a control by law: see :func:`draws`.

    The same functions called in the same order give the same draws, so that ``draw``, ``alt`` and ``pile`` agree. The
    ``seed`` is the number of the draw, a whole number ≥ 0, and ``setting`` where the other controls stand: each setting
    has draws of its own.
    """

    def __init__(self, seed: int = 0, setting: Mapping[str, Any] | None = None) -> None:
        if not (setting is None or isinstance(setting, Mapping)):
            raise TypeError(f"setting must map controls to values, got {shown(setting)}")
        self.seed = check_int(seed, "seed", 0)
        self._rng = np.random.default_rng([self.seed, zlib.crc32(repr(dict(setting or {})).encode())])
        self.steps: list[list[Any]] = []
        self.drawn: list[int] = []
        self.texts: list[str] = []
        self.followers: list[tuple[Any, dict[str, Drawn]]] = []

    def __repr__(self) -> str:
        return f"Chance({self.seed})"

    def yeses(self, p: float, q: float, yes: npt.ArrayLike, no: npt.ArrayLike) -> Drawn:
        """Draw how many say yes in independent surveys: counts of law Bin(yes, p) + Bin(no, q), shape (k,).

        Parameters
        ----------
        p, q : float
            Probability of saying yes: of those who would truly say so, and of those who would not.
        yes, no : array_like of int, shape (k,)
            How many in each survey would truly say yes, and no; surveys of nobody count 0.
        """
        for value, name in ((p, "p"), (q, "q")):
            if not 0 <= check_real(value, name) <= 1:
                raise ValueError(f"{name} must lie in [0, 1], got {shown(value)}")
        size = as_array(yes, "yes").size
        yes, no = (check_counts(part, name, size) for part, name in ((yes, "yes"), (no, "no")))
        counts = self._rng.binomial(yes, p) + self._rng.binomial(no, q)
        alike = itertools.groupby(zip(yes.tolist(), no.tolist(), strict=True))
        steps: list[list[Any]] = [["counts", len(list(run)), y, p, n, q] for (y, n), run in alike]
        return self._add(steps, counts)

    def _add(self, steps: list[list[Any]], drawn: npt.NDArray[Any]) -> Drawn:
        first = np.arange(len(self.drawn), len(self.drawn) + drawn.size)
        self.steps += steps
        self.drawn += drawn.tolist()
        return Drawn(self, first, first + 1, np.ones(drawn.size), np.zeros(drawn.size))


class Drawn:
    """Numbers that follow what was drawn: each is offset + scale · (sum of a stretch of it, from start to stop).

    They can be added to known numbers and multiplied by them, and anything that takes an array takes their values. What
    is made of these values stands still in other draws. The ``chance`` is that of the picture.
    """

    __array_ufunc__ = None  # so that an array on the left leaves the arithmetic to this class

    def __init__(self, chance: Chance, start: Any, stop: Any, scale: Any, offset: Any) -> None:
        self.chance = chance
        self.start, self.stop, self.scale, self.offset = np.broadcast_arrays(start, stop, scale, offset)

    @property
    def value(self) -> Any:
        """What they are in this draw."""
        sums = np.concatenate([[0], np.cumsum(self.chance.drawn)])
        return self.offset + self.scale * (sums[self.stop] - sums[self.start])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:
        return np.asarray(self.value, dtype=dtype)

    def __float__(self) -> float:
        return float(self.value)

    def __len__(self) -> int:
        return len(self.scale)

    def __getitem__(self, place: SupportsIndex) -> Drawn:
        return Drawn(self.chance, *(part[place] for part in (self.start, self.stop, self.scale, self.offset)))

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> NoReturn:
        raise TypeError("drawn numbers are others in each draw: use within(low, high) instead of comparing them")

    def __add__(self, other: npt.ArrayLike) -> Drawn:
        return Drawn(self.chance, self.start, self.stop, self.scale, self.offset + _known(other))

    def __mul__(self, other: npt.ArrayLike) -> Drawn:
        factor = _known(other)
        return Drawn(self.chance, self.start, self.stop, self.scale * factor, self.offset * factor)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Drawn:
        return self * -1

    def __sub__(self, other: npt.ArrayLike) -> Drawn:
        return self + -_known(other)

    def __rsub__(self, other: npt.ArrayLike) -> Drawn:
        return -self + other

    def __truediv__(self, other: npt.ArrayLike) -> Drawn:
        return self * (1 / _known(other))

    def sum(self) -> Drawn:
        """Add them up to a single number; they must be neighbours in a row, with one factor."""
        alike = self.scale.ndim == 1 and len(self) and np.all(self.scale == self.scale[0])
        if not alike or np.any(self.start[1:] != self.stop[:-1]):
            raise ValueError("numbers to add up must have been drawn one after another, and be multiplied alike")
        return Drawn(self.chance, self.start[0], self.stop[-1], self.scale[0], self.offset.sum())

    def within(self, low: float, high: float) -> Drawn:
        """Say which lie in the range from low to high, ends included: 1 for those that do, else 0."""
        low, high = check_real(low, "low"), check_real(high, "high")
        inside = (low <= np.ravel(self.value)) & (np.ravel(self.value) <= high)
        found = self.chance._add([["within", *code, low, high] for code in self._numbers], inside.astype(int))
        return found if np.ndim(self.scale) else found[0]

    def __format__(self, form: str) -> str:
        if np.ndim(self.scale) or not _FORMAT.fullmatch(form):
            raise ValueError(f"a drawn number can be written as '.1f', '.1%', ',' or ',.0f', got {shown(form)}")
        form = f"{form}.0f" if form in ("", ",") else form.replace("d", ".0f")
        (code,) = self.codes
        self.chance.texts.append(f"{code} {form}")
        text = re.sub(r"^-(?=[0.,]*%?$)", "", format(float(self), form)).replace("-", "−")
        number = "".join(chr(_DIGIT + int(digit, 16)) for digit in f"{len(self.chance.texts) - 1:x}")
        return f"{_MARK}{number}{text}{_MARK}"

    def __str__(self) -> str:
        return format(self, "")

    @property
    def _numbers(self) -> list[list[Any]]:
        parts = (np.ravel(part).tolist() for part in (self.start, self.stop, self.scale, self.offset))
        return [list(code) for code in zip(*parts, strict=True)]

    @property
    def codes(self) -> list[str]:
        """How a drawing says what they follow: start and stop of the stretch, factor, offset."""
        return [" ".join(_short(number) for number in code) for code in self._numbers]

    @property
    def moves(self) -> list[str]:
        """How a drawing says how far marks, which stand where they are in this draw, move in another."""
        moved: Drawn = self - self.value
        return moved.codes


def plain(text: str) -> str:
    """Take the invisible marks around drawn numbers out of a text."""
    return _MARKED.sub(r"\2", text)


def _known(other: npt.ArrayLike) -> Floats:
    if isinstance(other, Drawn) or (isinstance(other, list | tuple) and any(isinstance(part, Drawn) for part in other)):
        raise TypeError("drawn numbers can be added to known ones and multiplied by them, not by one another")
    return check_numbers(other, "what drawn numbers are added to or multiplied by")


def _short(number: float) -> str:
    return str(int(number)) if float(number).is_integer() else repr(float(number))


def _index(digits: str) -> int:
    return int("".join(f"{ord(digit) - _DIGIT:x}" for digit in digits), 16)


def template(text: str, texts: list[str]) -> str:
    """Replace each drawn number in a text by what it follows, in braces, where a page puts the numbers of another draw.

    What they follow are the ``texts`` of the picture's :class:`Chance`.
    """
    return _MARKED.sub(lambda m: f"{{{texts[_index(m[1])]}}}", text)


# ---- marks of a picture ------------------------------------------------------------------------------------------


def follow(artist: Any, *, x: Drawn | None = None, y: Drawn | None = None, seen: Drawn | None = None) -> Any:
    """Let the marks of an artist follow what is drawn, and return it; it must be drawn with this draw's values.

    Parameters
    ----------
    artist : matplotlib.collections.Collection
        What ``scatter``, ``hlines`` or ``vlines`` return: one mark for each number.
    x, y, seen : Drawn, optional
        Where they stand, on linear axes, and which are seen (those that are not 0); at least one of the three.
    """
    from matplotlib.collections import Collection, LineCollection

    if not isinstance(artist, Collection):
        raise TypeError(f"artist must be what scatter, hlines or vlines return, got {shown(artist)}")
    followed = {name: values for name, values in (("x", x), ("y", y), ("seen", seen)) if values is not None}
    for name, values in followed.items():
        if not isinstance(values, Drawn):
            raise TypeError(f"{name} must be numbers drawn from a chance, got {shown(values)}")
    if not followed:
        raise ValueError("x, y or seen must be given, got none of them")
    chance = next(iter(followed.values())).chance
    for known, already in chance.followers:
        if known is artist:
            already.update(followed)
            return artist
    # What lies beyond the picture's edge may come in with another draw. Matplotlib leaves out such marks where all look
    # alike, which two equal widths deny, and cuts such lines, unless they are filled.
    if isinstance(artist, LineCollection):
        artist.set_facecolor(artist.get_color())
    else:
        artist.set_linewidth(np.ravel(artist.get_linewidth())[:1].tolist() * 2)
    artist.set_gid(f"follow-{len(chance.followers)}")
    chance.followers.append((artist, followed))
    return artist


def _points(artist: Any, name: str) -> float:
    """Give the points of the drawing that one unit of an axis takes, once it is laid out."""
    ax, figure = artist.axes, artist.axes.figure
    box, wide, high = ax.get_position(), 72 * figure.get_figwidth(), 72 * figure.get_figheight()
    if getattr(ax, f"get_{name}scale")() != "linear":
        raise ValueError(f"marks can follow what is drawn on linear axes only, got {getattr(ax, f'get_{name}scale')()}")
    low, high_end = getattr(ax, f"get_{name}lim")()
    return float((box.width * wide if name == "x" else -box.height * high) / (high_end - low))


def _marks(group: ElementTree.Element) -> list[ElementTree.Element]:
    """Find the marks of an artist: uses of one shape, or paths."""
    shapes = {path for part in group.iter() if part.tag.endswith("}defs") for path in part.iter()}
    uses = [part for part in group.iter() if part.tag.endswith("}use")]
    return uses or [part for part in group.iter() if part.tag.endswith("}path") and part not in shapes]


def _hold_clip(mark: ElementTree.Element, parent: ElementTree.Element) -> None:
    """Let a mark move behind the edge of the axes, which would move with it if it were its own."""
    if clip := mark.attrib.pop("clip-path", None):
        frame = ElementTree.Element(f"{mark.tag.rpartition('}')[0]}}}g", {"clip-path": clip})
        place = list(parent).index(mark)
        parent.remove(mark)
        parent.insert(place, frame)
        frame.append(mark)


def annotate(root: ElementTree.Element, chance: Chance, title: str = "") -> None:
    """Write beside each mark and each number of a drawing what it follows; each must be there, or in the title.

    The ``root`` is Matplotlib's SVG, which is changed, and ``chance`` that of the picture.
    """
    parents = {child: parent for parent in root.iter() for child in parent}
    groups = {part.get("id"): part for part in root.iter()}
    for number, (artist, followed) in enumerate(chance.followers):
        group = groups.get(f"follow-{number}", ElementTree.Element("g"))  # what is not drawn has no mark
        marks = _marks(group)
        for name, values in followed.items():
            codes = (values * _points(artist, name)).moves if name in "xy" else values.codes
            if len(marks) != len(codes):
                raise ValueError(f"{artist} must show {len(codes)} marks that follow {name}, got {len(marks)}")
            for mark, code, now in zip(marks, codes, np.ravel(values.value), strict=True):
                mark.set(f"data-{name}", code)
                if name == "seen" and not now:
                    mark.set("display", "none")
        if len(styles := {mark.get("style", "") for mark in marks}) == 1:  # what hundreds share is said once
            group.set("style", *styles)
        for mark in marks:
            if len(styles) == 1:
                mark.attrib.pop("style", None)
            _hold_clip(mark, parents[mark])
    found = {number for part in list(root.iter()) for number in _split(part, chance.texts)}
    found |= {_index(number) for number, _ in _MARKED.findall(title)}
    if lost := set(range(len(chance.texts))) - found:
        raise ValueError(
            f"drawn numbers that are written must stand in the drawing, in no formula, but not {len(lost)}"
        )


def _split(part: ElementTree.Element, texts: list[str]) -> list[int]:
    """Put each drawn number of a text into an element of its own; return which they are."""
    first, *pieces = _MARKED.split(part.text or "")
    part.text = first
    for place, (number, text, after) in enumerate(zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True)):
        span = ElementTree.Element(f"{part.tag.rpartition('}')[0]}}}tspan", {"data-text": texts[_index(number)]})
        span.text, span.tail = text, after
        part.insert(place, span)
    return [_index(number) for number in pieces[::3]]
