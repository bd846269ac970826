"""One colour, dash and marker for one thing, in every figure of a book."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace

from livefig._checks import check_option, check_text, shown
from livefig.figure import Palette, palette

__all__ = ["DASHES", "MARKERS", "Look", "look", "look_of", "looks", "register_looks"]

#: Styles of lines, by the sign that names them.
DASHES: dict[str, object] = {"-": "-", "--": "--", "-.": "-.", ":": ":", "=": (0, (5, 1, 1, 1, 1, 1))}
#: Marks of points, by the sign that names them.
MARKERS = ("o", "s", "^", "D", "v", "x", "P", "*")


@dataclass(frozen=True)
class Look:
    """How one line or series looks; where dash or marker is empty, the place in the figure decides."""

    role: str  #: A colour of the palette, by name.
    dash: str = ""  #: ``-``, ``--``, ``-.``, ``:`` or ``=`` (dash, dot, dot).
    marker: str = ""  #: A Matplotlib marker.

    def __post_init__(self) -> None:
        check_text(self.role, "role")
        check_option(self.dash, "dash", ("", *DASHES))
        check_text(self.marker, "marker")

    @property
    def colour(self) -> str:
        """Hexadecimal value on a light page."""
        return str(getattr(palette, self.role))

    @property
    def linestyle(self) -> object:
        """What Matplotlib calls the dash."""
        return DASHES[self.dash or "-"]


#: What has a look of its own wherever it is drawn, by name; and other names of the same. A book registers its own.
_KNOWN: dict[str, Look] = {}
_ALIASES: dict[str, str] = {}
_ROLES = tuple(field.name for field in fields(Palette))
_CYCLE = ("truth", "estimate", "report", "risk", "accent", "neutral")
_REST = re.compile(r"(--|-\.|-|:|=)?([os^Dvx*P+|])?")


def register_looks(known: Mapping[str, Look], aliases: Mapping[str, str] | None = None) -> None:
    """Give what recurs in a book one look in all its figures: labels that begin with its name have it.

    What is ``known`` are looks by name, such as ``{"Laplace": Look("neutral", "--", "s")}``; ``aliases`` are other
    names of the same.
    """
    for value, argument in ((known, "known"), ({} if aliases is None else aliases, "aliases")):
        if not isinstance(value, Mapping):
            raise TypeError(f"{argument} must be a mapping of names, got {shown(value)}")
    for name, found in known.items():
        if not isinstance(found, Look):
            raise TypeError(f"known must map names to looks, got {shown(found)} for {shown(name)}")
        if found.role not in _ROLES:
            raise ValueError(f"known must name colours ({', '.join(_ROLES)}), got {found.role!r} for {shown(name)}")
    for alias, name in (aliases or {}).items():
        if name not in known and name not in _KNOWN:
            raise ValueError(f"aliases must stand for names that are known, got {shown(name)} for {shown(alias)}")
    _KNOWN.update(known)
    _ALIASES.update(aliases or {})


def look(text: str) -> Look:
    """Read a look from a text: a role or a registered name, then a dash and a marker if they are to differ.

    The text is such as ``"risk"``, ``"risk--"``, ``"truth:o"`` or ``"OUE"``. Dash and marker stay empty where it does
    not say.

    Examples
    --------
    >>> look("risk--o")
    Look(role='risk', dash='--', marker='o')
    """
    names = sorted([*_ROLES, *_KNOWN, *_ALIASES], key=len, reverse=True)  # a name may begin like another
    for name in names if isinstance(text, str) else ():
        if text.startswith(name) and (rest := _REST.fullmatch(text[len(name) :])):
            found = Look(name) if name in _ROLES else _KNOWN[_ALIASES.get(name, name)]
            return replace(found, dash=rest[1] or found.dash, marker=rest[2] or found.marker)
    others = f" or what has a look of its own ({', '.join(_KNOWN)})" if _KNOWN else ""
    raise ValueError(
        f"colours must name roles ({', '.join(_ROLES)}){others}, "
        f"with a dash and a marker behind if need be, such as 'risk--o'; got {shown(text)}"
    )


def looks(
    labels: Sequence[str], colours: Mapping[str, str] | Sequence[str] | str | None = None, others: Collection[str] = ()
) -> list[Look]:
    """Give each label its look: the one asked for, that of what it names, or the next of the palette.

    No two are alike as long as there are enough of them.

    Parameters
    ----------
    labels : sequence of str
        What the legend says. ``"DE, split"``, ``"DE (reports)"`` and ``"DE: 1/√n"`` look like DE, if that is known.
    colours : mapping of label to look, or sequence of looks, or str, optional
        See :func:`look`; a string holds looks in the labels' order, separated by spaces.
    others : collection of str, optional
        Labels that a mapping may name as well, since they are drawn elsewhere.
    """
    if isinstance(colours, Mapping):
        drawn = [*labels, *others]
        if strangers := [label for label in colours if label not in drawn]:
            raise ValueError(f"colours must be for the labels drawn ({', '.join(drawn)}), got {shown(strangers[0])}")
        asked = {label: text for label, text in colours.items() if label in labels}
    else:
        tokens = colours.split() if isinstance(colours, str) else list(colours or ())
        asked = dict(zip(labels, tokens, strict=False))
    given = {label: look(text) for label, text in asked.items()}
    used = {found.role for found in [*given.values(), *(_KNOWN[label] for label in labels if label in _KNOWN)]}
    free = iter([role for role in _CYCLE if role not in used])
    taken = {found.dash for found in given.values() if found.dash}
    made: list[Look] = []
    for i, label in enumerate(labels):
        found = given.get(label) or look_of(label) or Look(next(free, "ink"))
        dash, marker = found.dash or _free(DASHES, i, taken), found.marker or _nth(MARKERS, i)
        if label not in asked and any((found.role, dash) == (other.role, other.dash) for other in made):
            dash, marker = _nth(DASHES, i), _nth(MARKERS, i)  # a second line of one thing
        made.append(Look(found.role, dash, marker))
    return made


def look_of(label: str) -> Look | None:
    """Give the look of what a label in the legend begins with, if that has one."""
    name = re.split(r"[,(:]", label, maxsplit=1)[0].strip()
    return _KNOWN.get(_ALIASES.get(name, name))


def _free(options: Collection[str], i: int, taken: Collection[str]) -> str:
    """The i-th option, or the next one that nobody has asked for by name."""
    rest = [option for option in options if option not in taken]
    nth = _nth(options, i)
    return nth if nth in rest or not rest else _nth(rest, i)


def _nth(options: Collection[str], i: int) -> str:
    return list(options)[i % len(options)]
