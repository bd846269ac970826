"""One colour, dash and marker for one mechanism or one role, in every figure of the book."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace

from ldp_core._validate import shown
from ldp_core.live.figure import Palette, palette

__all__ = ["DASHES", "MARKERS", "MECHANISMS", "ROLES", "Look", "look", "looks"]

#: Styles of lines, by the sign that names them.
DASHES: dict[str, object] = {"-": "-", "--": "--", "-.": "-.", ":": ":", "=": (0, (5, 1, 1, 1, 1, 1))}
#: Marks of points, by the sign that names them.
MARKERS = ("o", "s", "^", "D", "v", "x", "P", "*")


@dataclass(frozen=True)
class Look:
    """How one line or series looks.

    Attributes
    ----------
    role : str
        A colour of the palette, by name.
    dash : str
        ``-``, ``--``, ``-.``, ``:`` or ``=`` (dash, dot, dot); empty where the place in the figure decides.
    marker : str
        A Matplotlib marker; empty where the place in the figure decides.
    """

    role: str
    dash: str = ""
    marker: str = ""

    @property
    def colour(self) -> str:
        """Hexadecimal value on a light page."""
        return str(getattr(palette, self.role))

    @property
    def linestyle(self) -> object:
        """What Matplotlib calls the dash."""
        return DASHES[self.dash or "-"]


#: What a mechanism looks like wherever it is drawn beside others. No two share colour and dash, or colour and marker.
MECHANISMS = {
    "DE": Look("report", "-", "o"),
    "SUE": Look("neutral", "--", "s"),
    "OUE": Look("estimate", "-", "D"),
    "SHE": Look("accent", ":", "v"),
    "THE": Look("risk", "-.", "^"),
    "subset": Look("truth", "--", "P"),
    "OLH": Look("accent", "-.", "*"),
    "RAPPOR": Look("neutral", ":", "x"),
    "Laplace": Look("neutral", "--", "s"),
    "Gaussian": Look("truth", "-", "o"),
    "Duchi": Look("risk", "-.", "^"),
    "Piecewise": Look("estimate", "-", "D"),
    "Hybrid": Look("report", ":", "v"),
}

#: What is true, whom one has to trust for an answer, which components are sent, what costs no privacy and what needs no
#: data: what else recurs in many chapters.
ROLES = {
    "truth": Look("truth"),
    "true": Look("truth"),
    "local": Look("estimate", "-", "o"),
    "shuffled": Look("report", "-.", "s"),
    "curator": Look("neutral", "--", "^"),
    "PCA": Look("accent", "--", "o"),
    "DCA": Look("risk", "-", "D"),
    "no privacy": Look("neutral", "-"),
    "commonest class": Look("neutral", ":"),
    "always “no”": Look("neutral", ":"),
}

_ALIASES = {
    "RR": "DE",
    "GRR": "DE",
    "k-RR": "DE",
    "randomized response": "DE",
    "direct encoding": "DE",
    "SS": "subset",
    "k-subset": "subset",
    "LH": "OLH",
    "local hashing": "OLH",
}

_KNOWN = {**ROLES, **MECHANISMS}
_ROLES = tuple(field.name for field in fields(Palette))
_CYCLE = ("truth", "estimate", "report", "risk", "accent", "neutral")
_NAMES = sorted([*_ROLES, *_KNOWN, *_ALIASES], key=len, reverse=True)  # a name may begin like another
_TOKEN = re.compile(rf"({'|'.join(map(re.escape, _NAMES))})(--|-\.|-|:|=)?([os^Dvx*P+|])?")


def look(text: str) -> Look:
    """Read a look: a colour or what has a look of its own, then a dash and a marker if they are to differ.

    Parameters
    ----------
    text : str
        ``"risk"``, ``"risk--"``, ``"truth:o"``, ``"OUE"`` or ``"curator"``.

    Returns
    -------
    Look
        Dash and marker are empty where the text does not say.

    Raises
    ------
    ValueError
        If the text names no colour of the palette, no mechanism and no role.

    Examples
    --------
    >>> look("risk--o")
    Look(role='risk', dash='--', marker='o')
    >>> look("OUE").role
    'estimate'
    >>> look("no privacy").dash, look("commonest class") == look("always “no”"), look("always “no”").dash
    ('-', True, ':')
    """
    match = _TOKEN.fullmatch(text) if isinstance(text, str) else None
    if match is not None:
        name, dash, marker = (part or "" for part in match.groups())
        found = Look(name) if name in _ROLES else _KNOWN.get(_ALIASES.get(name, name))
        if found is not None:
            return replace(found, dash=dash or found.dash, marker=marker or found.marker)
    raise ValueError(
        f"colours must name roles ({', '.join(_ROLES)}) or mechanisms ({', '.join(_KNOWN)}), "
        f"with a dash and a marker behind if need be, such as 'risk--o'; got {shown(text)}"
    )


def looks(
    labels: Sequence[str], colours: Mapping[str, str] | Sequence[str] | str | None = None, others: Collection[str] = ()
) -> list[Look]:
    """Give each label its look: the one asked for, that of what it names, or the next of the palette.

    Parameters
    ----------
    labels : sequence of str
        What the legend says. ``"DE, split"`` and ``"DE (reports)"`` look like DE, ``"local: 1/√n"`` like local.
    colours : mapping of label to look, or sequence of looks, or str, optional
        See :func:`look`; a string holds looks in the labels' order, separated by spaces.
    others : collection of str, optional
        Labels that a mapping may name as well, since they are drawn elsewhere.

    Returns
    -------
    list of Look
        With dash and marker filled in; no two alike as long as there are enough of them.

    Raises
    ------
    ValueError
        If a look cannot be read, or a mapping names a label that is not drawn.
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
    used = {found.role for found in [*given.values(), *(ROLES[label] for label in labels if label in ROLES)]}
    free = iter([role for role in _CYCLE if role not in used])
    taken = {found.dash for found in given.values() if found.dash}
    made: list[Look] = []
    for i, label in enumerate(labels):
        found = given.get(label) or _look_of(label) or Look(next(free, "ink"))
        dash, marker = found.dash or _free(DASHES, i, taken), found.marker or _nth(MARKERS, i)
        if label not in asked and any((found.role, dash) == (other.role, other.dash) for other in made):
            dash, marker = _nth(DASHES, i), _nth(MARKERS, i)  # a second line of one mechanism
        made.append(Look(found.role, dash, marker))
    return made


def _look_of(label: str) -> Look | None:
    """Give the look of the mechanism or role that a label begins with, if it does."""
    name = re.split(r"[,(:]", label, maxsplit=1)[0].strip()
    return _KNOWN.get(_ALIASES.get(name, name))


def _free(options: Collection[str], i: int, taken: Collection[str]) -> str:
    """The i-th option, or the next one that nobody has asked for by name."""
    rest = [option for option in options if option not in taken]
    nth = _nth(options, i)
    return nth if nth in rest or not rest else _nth(rest, i)


def _nth(options: Collection[str], i: int) -> str:
    return list(options)[i % len(options)]
