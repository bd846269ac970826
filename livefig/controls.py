"""What a reader can move: sliders, choices, and a button for new random draws."""

from __future__ import annotations

import itertools
import math
import numbers
import re
import unicodedata
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from livefig._checks import check_bool, check_int, check_real, check_text, shown
from livefig.axes import say
from livefig.chance import Chance

__all__ = ["MAX_FRAMES", "SYMBOLS", "Control", "choice", "draws", "log_slider", "register_meaning", "slider", "slug"]

#: Parameter names that have a symbol of their own.
SYMBOLS = {
    "epsilon": "ε",
    "delta": "δ",
    "theta": "θ",
    "rho": "ρ",
    "alpha": "α",
    "beta": "β",
    "sigma": "σ",
    "gamma": "γ",
}

#: More frames than this take minutes to draw and megabytes to carry: no control has more positions.
MAX_FRAMES = 600

Kind = Literal["log", "linear", "choice", "draws"]
Meaning = str | Callable[[Any], str] | None
Ends = tuple[str, str] | None
Pile = Callable[..., Any] | None

#: Round values, the most wanted first: where a slider has them in its range, it stops at them, and marks them.
ROUND = (1.0, 3.0, 5.0)


class _Known(NamedTuple):
    """What sliders of one label say, unless another parameter is there, and what their ends are."""

    meaning: Callable[[Any], str]
    ends: tuple[str, str]
    unless: str


_MEANINGS: dict[str, _Known] = {}


def register_meaning(label: str, meaning: Callable[[Any], str], ends: tuple[str, str], *, unless: str = "") -> None:
    """Let every slider of a label, such as ``"ε"``, say in words what its value means.

    The ``meaning`` turns a value into a sentence, ``ends`` are what the lower and the upper end are. In a figure that
    has a parameter of the name ``unless``, too, nothing is said.
    """
    if not callable(meaning):
        raise TypeError(f"meaning must be a function from a value to its text, got {shown(meaning)}")
    _MEANINGS[check_text(label, "label")] = _Known(meaning, _two(ends), check_text(unless, "unless"))


def _two(ends: object) -> tuple[str, str]:
    if isinstance(ends, tuple) and len(ends) == 2 and all(isinstance(end, str) for end in ends):
        return ends
    raise TypeError(f"ends must be two texts, for the lower and the upper end, got {shown(ends)}")


@dataclass(frozen=True)
class Control:
    """One thing to move: the values that a page without a kernel can show, and which of them it shows first."""

    kind: Kind  #: How it moves: sliders in a kernel take any value between the ends, others only those listed.
    values: tuple[Any, ...]  #: The grid of a page without a kernel.
    start: int  #: Index of the first value shown.
    texts: tuple[str, ...]  #: What the reader reads for each value.
    label: str  #: What the reader reads in front of it.
    format: Callable[[Any], str]  #: Turns a value into its text.
    meaning: Meaning = None  #: What a value means, or a function that says it.
    ends: Ends = None  #: What the lower and the upper end of a slider are.
    pile: Pile = None  #: The number that one draw adds to the histogram of many; see :func:`draws`.
    piled: str = ""  #: What these numbers are.
    by_law: bool = False  #: Whether a page without a kernel draws anew by itself, without end.

    def named(self, name: str, others: Collection[str] = ()) -> Control:
        """Give it the parameter's name, or its symbol, as a label if it has none yet; and what its label means."""
        check_text(name, "name")
        named = self if self.label else replace(self, label=SYMBOLS.get(name, name.replace("_", " ")))
        known = _MEANINGS.get(named.label) if self.kind in ("log", "linear") else None
        if known is None:
            return named
        said = known.meaning if not known.unless or known.unless not in others else None
        return replace(
            named,
            meaning=said if self.meaning is None else self.meaning,
            ends=known.ends if self.ends is None else self.ends,
        )

    def _means(self, value: Any) -> str:
        """Say what a value means, also one between the positions; empty where nothing is to be said."""
        if self.meaning is None or isinstance(self.meaning, str):
            return self.meaning or ""
        return _text(self.meaning, value, "meaning")

    @property
    def meanings(self) -> tuple[str, ...]:
        """What each value means; empty texts where nothing is to be said."""
        return tuple(self._means(value) for value in self.values)

    @property
    def keys(self) -> tuple[str, ...]:
        """How an address names each value: a number as it is, a draw by its number, all else by its text."""
        if self.kind == "draws":
            return tuple(str(number + 1) for number in range(len(self.values)))
        number = all(isinstance(v, numbers.Real) and not isinstance(v, bool) for v in self.values)
        keys = tuple(f"{v:.12g}" if number else slug(text) for v, text in zip(self.values, self.texts, strict=True))
        return keys if len(set(keys)) == len(keys) else tuple(str(i) for i in range(1, len(keys) + 1))

    @property
    def ticks(self) -> tuple[int, ...]:
        """Positions of a slider that get a tick: round values and ends, as many as have room side by side."""
        last = len(self.values) - 1
        if self.kind == "log":
            wanted = [i for leading in (*ROUND, 2.0, 4.0) for i, v in enumerate(self.values) if _leading(v) == leading]
        else:
            wanted = [round(last * share) for share in (0.5, 0.25, 0.75)]
            wanted += range(last) if last <= 6 else []  # all of few
            wanted = [i for i in wanted if len(self.texts[i]) <= 6]
        ends = [0, last] if self.kind != "log" or not wanted else [last] if last in wanted else []
        chosen: list[int] = []
        for i in (*ends, *wanted, 0, last):
            if all(abs(i - j) / last > self._reach(i) + self._reach(j) + 0.02 for j in chosen):  # with a gap
                chosen.append(i)
        return tuple(sorted(chosen))

    def _reach(self, i: int) -> float:
        """How far a tick's number reaches towards its neighbours, as a share of a phone's slider.

        A digit takes about a fortieth. The last number ends with the rail, so that all but a digit of it reach back.
        """
        text = self.texts[i]
        digits = len(text) - (text.count(".") + text.count(",")) / 2
        return max(len(text) / 80, (digits - 1) / 40 if i == len(self.values) - 1 else 0)


def _leading(value: float) -> float:
    """Give the digits of a number without its power of ten."""
    return float(f"{value:.12e}".partition("e")[0])


def slug(text: str) -> str:
    """Turn a text into a part of an address: small letters, digits and hyphens; Greek symbols by their names.

    Examples
    --------
    >>> slug("What one report tells an attacker, ε = ½")
    'what-one-report-tells-an-attacker-epsilon-1-2'
    """
    for name, symbol in SYMBOLS.items():
        text = text.replace(symbol, f" {name} ")
    plain = unicodedata.normalize("NFKD", text.replace("½", "1/2")).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain.replace("'", "")).strip("-")


def _number_text(value: Any) -> str:
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):
        return f"{value:,}".replace("-", "−")
    return say(float(value)) if isinstance(value, numbers.Real) and not isinstance(value, bool) else str(value)


def _control(
    kind: Kind,
    values: list[Any],
    value: Any,
    label: str | None,
    format: Callable[[Any], str] | None,
    meaning: Meaning = None,
    ends: Ends = None,
) -> Control:
    if format is not None and not callable(format):
        raise TypeError(f"format must be a function from a value to its text, got {shown(format)}")
    if not (meaning is None or callable(meaning)):
        check_text(meaning, "meaning")
    if ends is not None:
        _two(ends)
    text = format or _number_text
    start = next(i for i, v in enumerate(values) if _same(v, value))
    texts = tuple(_text(text, v) for v in values)
    return Control(kind, tuple(values), start, texts, _label(label), text, meaning, ends)


def _label(label: str | None) -> str:
    return "" if label is None else check_text(label, "label")


def _text(format: Callable[[Any], str], value: Any, name: str = "format") -> str:
    try:
        return check_text(format(value), f"what {name} returns")
    except Exception as error:  # whatever the function raises: the reader is told for which value
        raise TypeError(f"{name} must turn each value into text, but for {shown(value)}: {error}") from error


def _same(one: Any, other: Any) -> bool:
    """Whether two values are equal; such as cannot be compared are so only if they are one object."""
    try:
        return one is other or bool(one == other)
    except (TypeError, ValueError, ArithmeticError):
        return False


def log_slider(
    lo: float,
    hi: float,
    n: int = 25,
    *,
    value: float | None = None,
    label: str | None = None,
    format: Callable[[Any], str] | None = None,
    meaning: Meaning = None,
    ends: Ends = None,
) -> Control:
    """Slider with equal steps in the logarithm, from lo > 0 to hi > lo, both finite.

    On a page without a kernel it has n positions, 2 to 600, rounded to as few digits as keep them apart. Round values
    (… 0.1, 0.3, 0.5, 1, 3, 5, 10 …) take the places of those next to them, 1 before 3 before 5.

    Examples
    --------
    >>> log_slider(0.1, 10, n=5).values
    (0.1, 0.3, 1.0, 3.0, 10.0)
    """
    lo, hi = check_real(lo, "lo"), check_real(hi, "hi")
    n = check_int(n, "n", 2, MAX_FRAMES)
    if not 0 < lo < hi:
        raise ValueError(f"lo and hi must satisfy 0 < lo < hi, got {lo!r} and {hi!r}")
    exact = [lo ** (1 - i / (n - 1)) * hi ** (i / (n - 1)) for i in range(n)]  # hi/lo may be infinite
    digits = next(k for k in range(2, 18) if k == 17 or len({f"{v:.{k - 1}e}" for v in exact}) == n)
    grid = [lo, *(float(f"{v:.{digits - 1}e}") for v in exact[1:-1]), hi]
    return _placed("log", _rising(grid), lo, hi, value, label, format, meaning, ends)


def _rising(grid: list[float]) -> list[float]:
    """Return the grid; its ends may be too near to each other, or too far apart, for doubles between them."""
    if not all(a < b < math.inf for a, b in itertools.pairwise(grid)):
        raise ValueError(f"lo and hi must leave room for {len(grid)} positions, got {grid[0]!r} and {grid[-1]!r}")
    return grid


def slider(
    lo: float,
    hi: float,
    n: int | None = None,
    *,
    value: float | None = None,
    label: str | None = None,
    format: Callable[[Any], str] | None = None,
    meaning: Meaning = None,
    ends: Ends = None,
) -> Control:
    """Slider with equal steps, from lo to hi > lo, both finite.

    On a page without a kernel it has n positions, 2 to 600, by default 25. If both ends are integers and n is not
    given, it moves through the integers.

    Examples
    --------
    >>> slider(1, 5).values
    (1, 2, 3, 4, 5)
    >>> slider(0.0, 1.0, n=3).values
    (0.0, 0.5, 1.0)
    """
    whole = n is None and isinstance(lo, numbers.Integral) and isinstance(hi, numbers.Integral)
    low, high = check_real(lo, "lo"), check_real(hi, "hi")
    if not low < high:
        raise ValueError(f"lo and hi must satisfy lo < hi, got {lo!r} and {hi!r}")
    if whole:
        if hi - lo >= MAX_FRAMES:
            raise ValueError(f"lo and hi must be less than {MAX_FRAMES} apart, got {lo!r} and {hi!r}: or give n")
        ends_of = int(lo), int(hi)
        return _placed("linear", list(range(ends_of[0], ends_of[1] + 1)), *ends_of, value, label, format, meaning, ends)
    n = check_int(25 if n is None else n, "n", 2, MAX_FRAMES)
    if not math.isfinite(high - low):
        raise ValueError(f"lo and hi must have a finite difference, got {lo!r} and {hi!r}")
    grid = [float(f"{low + (high - low) * (i / (n - 1)):.12g}") for i in range(n)]
    return _placed("linear", _rising(grid), low, high, value, label, format, meaning, ends)


def _placed(kind: Kind, grid: list[Any], lo: float, hi: float, value: float | None, *words: Any) -> Control:
    """Make ``value`` one of the grid's points by moving the nearest inner one there; then round values, where free.

    The words are those of :func:`_control`.
    """
    start = None if value is None else check_real(value, "value")
    fixed = {0, len(grid) - 1}
    if start is not None:
        if not lo <= start <= hi:
            raise ValueError(f"value must lie in [{lo:g}, {hi:g}], got {value!r}")
        if start not in grid:
            if isinstance(grid[0], int):
                raise ValueError(f"value must be an integer in [{lo:g}, {hi:g}], got {value!r}")
            distance = (lambda v: abs(math.log(v) - math.log(start))) if kind == "log" else (lambda v: abs(v - start))
            inner = range(1, len(grid) - 1) if len(grid) > 2 else range(len(grid))
            grid[min(inner, key=lambda i: distance(grid[i]))] = start
        fixed.add(grid.index(start))
    if kind == "log":
        _make_round(grid, fixed)
    return _control(kind, grid, grid[len(grid) // 2] if start is None else start, *words)


def _make_round(grid: list[float], fixed: set[int]) -> None:
    """Move points of a logarithmic grid to round values near them, none past another; coarse grids stay as they are.

    A grid of powers of two is round already; of a fine one each point may give way by a step.
    """
    lo, hi = grid[0], grid[-1]
    step = (math.log(hi) - math.log(lo)) / (len(grid) - 1)
    decades = range(math.floor(math.log10(lo)), math.ceil(math.log10(hi)) + 1)
    for leading in ROUND:
        reach = 1.1 * step if step < 0.68 else 0.2 if leading == 1 else 0.1
        for value in (float(f"{leading:g}e{decade}") for decade in decades):
            if lo < value < hi and value not in grid:
                free = (i for i in range(len(grid)) if i not in fixed)
                for i in sorted(free, key=lambda i: abs(math.log(grid[i]) - math.log(value)))[:2]:
                    gaps = math.log(grid[i + 1]) - math.log(value), math.log(value) - math.log(grid[i - 1])
                    near = abs(math.log(grid[i]) - math.log(value)) < reach
                    if near and min(gaps) > 0.3 * step and max(gaps) < 2.4 * step:
                        grid[i] = value
                        break
            if value in grid:
                fixed.add(grid.index(value))


def choice(
    *options: Any, value: Any = None, label: str | None = None, format: Callable[[Any], str] | None = None
) -> Control:
    """Choice among a few values; by default it starts at the first.

    The options are at least two different values, or one mapping from what the reader reads to the value.

    Examples
    --------
    >>> choice(4, 16, 64).texts
    ('4', '16', '64')
    >>> choice({"few": 10, "many": 1000}).values
    (10, 1000)
    """
    texts: list[str] | None = None
    values = list(options)
    if len(options) == 1 and isinstance(options[0], Mapping):
        texts, values = [str(k) for k in options[0]], list(options[0].values())
    if len(values) < 2:
        raise ValueError(f"options must be at least 2 values, got {shown(options)}")
    if any(_same(values[i], v) for j, v in enumerate(values) for i in range(j)):
        raise ValueError(f"options must differ, got {shown(options)}")
    if value is not None and not any(_same(v, value) for v in values):
        raise ValueError(f"value must be one of {shown(values)}, got {shown(value)}")
    control = _control("choice", values, values[0] if value is None else value, label, format)
    return control if texts is None else replace(control, texts=tuple(texts))


def draws(
    k: int = 8, *, law: bool = False, first: int = 0, label: str | None = None, pile: Pile = None, piled: str = ""
) -> Control:
    """Button for a new random draw: seeds 0, …, k − 1 in turn on a page, and on without end in a kernel.

    Parameters
    ----------
    k : int, default 8
        Number of draws baked into a page, 2 to 600.
    law : bool, default False
        Whether the page draws by itself, without end, which costs one baked frame: then the figure's functions get no
        seed but a :class:`~livefig.chance.Chance`. What they draw from it follows a law that the page knows too.
    first : int, default 0
        Seed of the first draw by law, which is the one that a reader without scripts sees: no freak.
    label : str, optional
        What the button says; by default "New random draw".
    pile : callable, optional
        The number that one draw comes to: a function of the figure's controls by keyword, such as
        ``lambda epsilon, seed: ...``. A second button then piles up a hundred draws in a histogram under the figure;
        the pictures of the first k can be seen, of the others there is the number alone. It must be quick: it is called
        a hundred times for every combination of the other controls. By law it returns a drawn number, and the hundred
        can become as many hundreds as one likes.
    piled : str, optional
        What its numbers are; stands above the histogram.
    """
    k, law, first = check_int(k, "k", 2, MAX_FRAMES), check_bool(law, "law"), check_int(first, "first", 0)
    if not (pile is None or callable(pile)):
        raise TypeError(f"pile must be a function from the controls to a number, got {shown(pile)}")
    seeds = [Chance(first)] if law else list(range(k))
    made = _control(
        "draws", seeds, seeds[0], _label(label) or "New random draw",
        lambda v: "draw 1" if law else f"draw {v + 1:,} of {k:,}",
    )  # fmt: skip
    return replace(made, pile=pile, piled=check_text(piled, "piled"), by_law=law)
