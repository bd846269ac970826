"""What a chapter uses besides figures: numbers for its prose and checks for its exercises."""

from __future__ import annotations

import reprlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

_GLUE = "application/papermill.record/"


def glue(**numbers: object) -> None:
    """Hand numbers to the chapter's prose, where ``{glue:text}`name` `` shows them.

    The format is that of MyST-NB's ``glue``, which a Binder, Colab or browser kernel does not have.

    Parameters
    ----------
    **numbers
        What to show, by name: text is shown as it is, anything else as ``str`` gives it.

    Examples
    --------
    >>> glue(rr_users=f"{32561:,}")  # doctest: +SKIP
    """
    from IPython.display import display

    for name, value in numbers.items():
        metadata = {"scrapbook": {"name": name, "mime_prefix": _GLUE}}
        # Quoted: MyST-NB reads the text as a literal, and would make a tuple of 32,561.
        display({f"{_GLUE}text/plain": repr(str(value))}, metadata=metadata, raw=True)


@dataclass(frozen=True)
class Verdict:
    """What :func:`check` found; true if everything was right. Its text is for the reader."""

    right: bool
    text: str

    def __bool__(self) -> bool:
        return self.right

    def __repr__(self) -> str:
        return self.text


def check(answer: Callable[..., Any], *cases: tuple[tuple[Any, ...], Any], tolerance: float = 1e-9) -> Verdict:
    """Try a reader's function on cases with known answers.

    Parameters
    ----------
    answer : callable
        The function to try.
    *cases : tuple
        Pairs (arguments, expected): a tuple of positional arguments and what the function should return, a number or
        an array.
    tolerance : float, default 1e-9
        Relative and absolute tolerance.

    Returns
    -------
    Verdict
        Right, or the first case that went wrong, with what came out and what was expected.

    Examples
    --------
    >>> check(lambda x: 2 * x, ((1,), 2), ((5,), 10))
    Right: all 2 cases.
    >>> check(lambda x: x + 1, ((1,), 2), ((5,), 10))
    Not yet: for (5,) it gives 6, expected 10.
    """
    if not callable(answer):
        raise TypeError(f"answer must be a function, got {answer!r}")
    if not cases:
        raise ValueError("cases must hold at least one (arguments, expected), got none")
    for arguments, expected in cases:
        shown = "(" + ", ".join(map(_brief, arguments)) + (",)" if len(arguments) == 1 else ")")
        try:
            result = answer(*arguments)
        except Exception as error:  # whatever the reader's code raises is the answer to "what went wrong?"
            return Verdict(False, f"Not yet: for {shown} it stops with {type(error).__name__}: {error}")
        if result is None or result is Ellipsis:
            return Verdict(False, f"Not yet: for {shown} it returns nothing yet: write your answer.")
        if not _close(result, expected, tolerance):
            return Verdict(False, f"Not yet: for {shown} it gives {_plain(result)!r}, expected {_plain(expected)!r}.")
    return Verdict(True, f"Right: all {len(cases)} cases." if len(cases) > 1 else "Right.")


def _close(result: Any, expected: Any, tolerance: float) -> bool:
    try:
        got, want = np.asarray(result, dtype=float), np.asarray(expected, dtype=float)
    except (TypeError, ValueError):
        return bool(np.all(result == expected))
    return got.shape == want.shape and bool(np.allclose(got, want, rtol=tolerance, atol=tolerance, equal_nan=True))


def _plain(value: object) -> object:
    """Turn NumPy's numbers into Python's, which say themselves without their type."""
    return value.item() if isinstance(value, np.generic) else value


def _brief(argument: object) -> str:
    """Show an argument in one short line: an array by its shape, a function by its name, what is long by its ends."""
    shape = getattr(argument, "shape", None)
    if shape:
        return f"array of shape {shape}"
    if callable(argument):
        return str(getattr(argument, "__name__", type(argument).__name__))
    return reprlib.repr(_plain(argument))
