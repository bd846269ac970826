"""What a reader can move: sliders, choices, and a button for new random draws."""

from __future__ import annotations

import itertools
import math
import numbers
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from ldp_core._validate import check_int, check_real, check_text, shown

__all__ = ["MAX_FRAMES", "SYMBOLS", "Control", "choice", "draws", "log_slider", "slider"]

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


@dataclass(frozen=True)
class Control:
    """One thing to move: the values that a page without a kernel can show, and which of them it shows first.

    Attributes
    ----------
    kind : {"log", "linear", "choice", "draws"}
        How it moves: sliders in a kernel take any value between the ends, choices and draws only those listed.
    values : tuple
        The grid of a page without a kernel.
    start : int
        Index of the first value shown.
    texts : tuple of str
        What the reader reads for each value.
    label : str
        What the reader reads in front of it.
    format : callable
        Turns a value into its text.
    """

    kind: Kind
    values: tuple[Any, ...]
    start: int
    texts: tuple[str, ...]
    label: str
    format: Callable[[Any], str]

    def named(self, name: str) -> Control:
        """Give it the parameter's name, or its symbol, as a label if it has none yet.

        Raises
        ------
        TypeError
            If the name is no text.
        """
        check_text(name, "name")
        return self if self.label else replace(self, label=SYMBOLS.get(name, name.replace("_", " ")))


#: Digits and the minus sign of an exponent, raised.
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _number_text(value: Any) -> str:
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):
        return f"{value:,}"
    return raised(f"{value:.3g}") if isinstance(value, numbers.Real) else str(value)


def raised(text: str) -> str:
    """Write a number with an exponent as a power of ten, as a reader does.

    Parameters
    ----------
    text : str
        A number as Python writes it.

    Returns
    -------
    str
        The same, if it has no exponent.

    Examples
    --------
    >>> raised("1e-05"), raised("2.5e-07"), raised("0.001")
    ('10⁻⁵', '2.5·10⁻⁷', '0.001')
    """
    mantissa, e, exponent = text.partition("e")
    if not e:
        return text
    power = "10" + str(int(exponent)).translate(RAISED)
    return power if mantissa == "1" else f"{mantissa}·{power}"


def _control(
    kind: Kind, values: list[Any], value: Any, label: str | None, format: Callable[[Any], str] | None
) -> Control:
    if format is not None and not callable(format):
        raise TypeError(f"format must be a function from a value to its text, got {shown(format)}")
    text = format or _number_text
    start = next(i for i, v in enumerate(values) if _same(v, value))
    texts = tuple(_text(text, v) for v in values)
    return Control(kind, tuple(values), start, texts, _label(label), text)


def _label(label: str | None) -> str:
    return "" if label is None else check_text(label, "label")


def _text(format: Callable[[Any], str], value: Any) -> str:
    try:
        return check_text(format(value), "what format returns")
    except Exception as error:  # whatever the function raises: the reader is told for which value
        raise TypeError(f"format must turn each value into text, but for {shown(value)}: {error}") from error


def _same(one: Any, other: Any) -> bool:
    """Whether two values are equal; such as cannot be compared are so only if they are one object."""
    try:
        return one is other or bool(one == other)
    except (TypeError, ValueError):
        return False


def log_slider(
    lo: float,
    hi: float,
    n: int = 25,
    *,
    value: float | None = None,
    label: str | None = None,
    format: Callable[[Any], str] | None = None,
) -> Control:
    """Slider with equal steps in the logarithm.

    Parameters
    ----------
    lo, hi : float
        Ends, 0 < lo < hi.
    n : int, default 25
        Number of positions on a page without a kernel, 2 to 600; rounded to as few digits as keep them apart.
    value : float, optional
        Where it starts; by default near the middle. It becomes one of the positions.
    label, format : optional
        What to write in front, and how to write a value.

    Returns
    -------
    Control
        For :func:`~ldp_core.live.live`.

    Raises
    ------
    TypeError
        If an end or value is no number, label no text, or format no function that gives text.
    ValueError
        Unless 0 < lo < hi, both finite with room for n positions, 2 ≤ n ≤ 600, and lo ≤ value ≤ hi.

    Examples
    --------
    >>> log_slider(0.1, 10, n=5).values
    (0.1, 0.32, 1.0, 3.2, 10.0)
    """
    lo, hi = check_real(lo, "lo"), check_real(hi, "hi")
    n = check_int(n, "n", 2, MAX_FRAMES)
    if not 0 < lo < hi:
        raise ValueError(f"lo and hi must satisfy 0 < lo < hi, got {lo!r} and {hi!r}")
    exact = [lo ** (1 - i / (n - 1)) * hi ** (i / (n - 1)) for i in range(n)]  # hi/lo may be infinite
    digits = next(k for k in range(2, 18) if k == 17 or len({f"{v:.{k - 1}e}" for v in exact}) == n)
    grid = [lo, *(float(f"{v:.{digits - 1}e}") for v in exact[1:-1]), hi]
    return _placed("log", _rising(grid), lo, hi, value, label, format)


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
) -> Control:
    """Slider with equal steps.

    Parameters
    ----------
    lo, hi : float
        Ends, lo < hi. If both are integers and n is not given, it moves through the integers.
    n : int, optional
        Number of positions on a page without a kernel, 2 to 600; by default 25, or all integers.
    value : float, optional
        Where it starts; by default near the middle. It becomes one of the positions.
    label, format : optional
        What to write in front, and how to write a value.

    Returns
    -------
    Control
        For :func:`~ldp_core.live.live`.

    Raises
    ------
    TypeError
        If an end or value is no number, label no text, or format no function that gives text.
    ValueError
        Unless lo < hi, both finite with room for n positions, 2 ≤ n ≤ 600, and value is one that it can take.

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
        return _placed("linear", list(range(int(lo), int(hi) + 1)), int(lo), int(hi), value, label, format)
    n = check_int(25 if n is None else n, "n", 2, MAX_FRAMES)
    if not math.isfinite(high - low):
        raise ValueError(f"lo and hi must have a finite difference, got {lo!r} and {hi!r}")
    grid = [float(f"{low + (high - low) * (i / (n - 1)):.12g}") for i in range(n)]
    return _placed("linear", _rising(grid), low, high, value, label, format)


def _placed(
    kind: Kind,
    grid: list[Any],
    lo: float,
    hi: float,
    value: float | None,
    label: str | None,
    format: Callable[[Any], str] | None,
) -> Control:
    """Make ``value`` one of the grid's points by moving the nearest inner one there."""
    if value is None:
        return _control(kind, grid, grid[len(grid) // 2], label, format)
    start = check_real(value, "value")
    if not lo <= start <= hi:
        raise ValueError(f"value must lie in [{lo:g}, {hi:g}], got {value!r}")
    if value not in grid:
        if isinstance(grid[0], int):
            raise ValueError(f"value must be an integer in [{lo:g}, {hi:g}], got {value!r}")
        distance = (lambda v: abs(math.log(v) - math.log(start))) if kind == "log" else (lambda v: abs(v - start))
        inner = range(1, len(grid) - 1) if len(grid) > 2 else range(len(grid))
        grid[min(inner, key=lambda i: distance(grid[i]))] = start
    return _control(kind, grid, value, label, format)


def choice(
    *options: Any, value: Any = None, label: str | None = None, format: Callable[[Any], str] | None = None
) -> Control:
    """Choice among a few values.

    Parameters
    ----------
    *options
        At least two different values, or one mapping from what the reader reads to the value.
    value : optional
        Where it starts, one of the values; by default the first.
    label, format : optional
        What to write in front, and how to write a value.

    Returns
    -------
    Control
        For :func:`~ldp_core.live.live`.

    Raises
    ------
    TypeError
        If label is no text, or format no function that gives text.
    ValueError
        If there are fewer than two options, two are equal, or value is none of them.

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


def draws(k: int, *, label: str | None = None) -> Control:
    """Button for a new random draw: seeds 0, …, k − 1 in turn on a page, and on without end in a kernel.

    Parameters
    ----------
    k : int
        Number of draws baked into a page, 2 to 600.
    label : str, optional
        What the button says; by default "New random draw".

    Returns
    -------
    Control
        For :func:`~ldp_core.live.live`.

    Raises
    ------
    TypeError
        If k is no integer, or label no text.
    ValueError
        Unless 2 ≤ k ≤ 600.
    """
    k = check_int(k, "k", 2, MAX_FRAMES)
    return _control("draws", list(range(k)), 0, _label(label) or "New random draw", lambda v: f"draw {v + 1}")
