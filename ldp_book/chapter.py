"""What a chapter uses besides figures: numbers for its prose and checks for its exercises."""

from __future__ import annotations

import inspect
import json
import math
import reprlib
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

import ldp_book.looks  # noqa: F401 - figures of whatever chapter imports this know the book's mechanisms
from ldp_core._validate import check_in_range, check_numbers, check_text
from ldp_core._validate import shown as quoted
from livefig.words import in_words

__all__ = ["ONE_RUN", "Verdict", "check", "glue", "one_run"]

_GLUE = "application/papermill.record/"


def glue(form: str = "", /, **numbers: object) -> None:
    """Hand numbers to the chapter's prose, where ``{glue:text}`name``` shows them.

    The format is that of MyST-NB's ``glue``, which a Binder, Colab or browser kernel does not have.

    Parameters
    ----------
    form : str, optional
        Format of all of them, as behind the colon of an f-string.
    **numbers
        What to show, by name; without a form a whole number with its thousands apart, anything else as ``str`` gives
        it. Powers of ten and minus signs are the book's.

    Examples
    --------
    >>> glue(rr_users=32561, change=f"{-0.25:.0%}")
    >>> glue(".1f", low=117.03, high=124.97)
    """
    check_text(form, "form")
    for name, value in numbers.items():
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        _record(name, in_words(format(value, form or ("," if whole else ""))))


def _record(name: str, text: str) -> None:
    from IPython.display import display

    metadata = {"scrapbook": {"name": name, "mime_prefix": _GLUE}}
    # Quoted: MyST-NB reads the text as a literal, and would make a tuple of 32,561.
    display({f"{_GLUE}text/plain": repr(text)}, metadata=metadata, raw=True)


#: How the records of single runs begin, among those that :func:`glue` makes.
ONE_RUN = "one-run: "


def one_run(label: str, estimate: Any, truth: Any, deviation: Any) -> None:
    """Put on record how far a single run that a chapter shows lies from the truth; the page shows nothing of it.

    A reader takes the one run on a page for what to expect. So no run may be a freak: a test reads the records of all
    chapters.

    Parameters
    ----------
    label : str
        Which run this is, unique in the chapter.
    estimate, truth : float or array_like
        What came out, and what is true; arrays hold the entries that are shown together.
    deviation : float or array_like
        Standard deviation of each entry, > 0.

    Examples
    --------
    >>> one_run("first survey", 6_500, 6_460, 97.0)
    """
    check_text(label, "label")
    estimates, true = check_numbers(estimate, "estimate"), check_numbers(truth, "truth")
    spread = check_numbers(deviation, "deviation")
    try:
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            z = np.asarray((estimates - true) / spread)
    except ValueError:
        raise ValueError(
            f"estimate, truth and deviation must have one shape, got {estimates.shape}, {true.shape} and {spread.shape}"
        ) from None
    if z.size == 0 or not np.all(np.isfinite(z)) or not np.all(spread > 0):
        raise ValueError(
            f"deviation must be > 0 and give finite z-scores of at least one entry, got {quoted(deviation)}"
        )
    _record(ONE_RUN + label, json.dumps({"z": np.atleast_1d(z).round(3).ravel().tolist()}))


@dataclass(frozen=True)
class Verdict:
    """What :func:`check` found; true if everything was right."""

    right: bool  #: Whether every case came out as expected.
    text: str  #: What the reader is told.

    def __bool__(self) -> bool:
        return self.right

    def __repr__(self) -> str:
        return self.text


def check(
    answer: Callable[..., Any], *cases: tuple[tuple[Any, ...], Any], tolerance: float = 1e-9, absolute: float = 0.0
) -> Verdict:
    """Try a reader's function on cases with known answers; the verdict tells the first case that went wrong.

    Parameters
    ----------
    answer : callable
        The function to try.
    *cases : tuple
        Pairs (arguments, expected): a tuple of positional arguments and what the function should return, a number or
        an array.
    tolerance : float, default 1e-9
        Relative tolerance of numbers, finite and ≥ 0; a text is no number, whatever it says.
    absolute : float, default 0
        What an answer may be off besides, finite and ≥ 0: for answers that are 0 up to rounding.

    Examples
    --------
    >>> check(lambda x: 2 * x, ((1,), 2), ((5,), 10))
    Right: all 2 cases.
    >>> check(lambda x: x + 1, ((1,), 2), ((5,), 10))
    Not yet: for x = 5 it gives 6, expected 10.
    """
    if not callable(answer):
        raise TypeError(f"answer must be a function, got {quoted(answer)}")
    if not cases:
        raise ValueError("cases must hold at least one (arguments, expected), got none")
    for case in cases:
        if not isinstance(case, (tuple, list)) or len(case) != 2 or not isinstance(case[0], (tuple, list, np.ndarray)):
            raise TypeError(f"cases must be pairs (tuple of arguments, expected), got {quoted(case)}")
    tolerance = check_in_range(tolerance, "tolerance", 0.0, math.inf)
    absolute = check_in_range(absolute, "absolute", 0.0, math.inf)
    for arguments, expected in cases:
        question = _given(answer, arguments)
        try:
            result = answer(*arguments)
        except Exception as error:  # whatever the reader's code raises is the answer to "what went wrong?"
            return Verdict(False, f"Not yet: {question}it stops with {type(error).__name__}: {error}")
        if result is None or result is Ellipsis:
            return Verdict(False, f"Not yet: {question}it returns nothing yet: write your answer.")
        if _equals_anything(result) or not _close(result, expected, tolerance, absolute):
            got, wanted = _brief(result), _brief(expected)
            if got == wanted:  # they differ in later digits, or in kind
                got, wanted = reprlib.repr(_plain(result)), reprlib.repr(_plain(expected))
            return Verdict(False, f"Not yet: {question}it gives {got}, expected {wanted}.")
    return Verdict(True, f"Right: all {len(cases)} cases." if len(cases) > 1 else "Right.")


def _close(result: Any, expected: Any, tolerance: float, absolute: float) -> bool:
    try:
        if any(np.asarray(value).dtype.kind in "USMmV" for value in (result, expected)):
            return bool(np.array_equal(result, expected))
        got, want = np.asarray(result, dtype=float), np.asarray(expected, dtype=float)
    except (TypeError, ValueError, OverflowError):
        return _equal(result, expected)
    return got.shape == want.shape and bool(np.allclose(got, want, rtol=tolerance, atol=absolute, equal_nan=True))


def _equals_anything(result: Any) -> bool:
    """Tell whether an answer, or an entry of one, equals whatever it is compared with, as unittest.mock.ANY does."""
    try:
        entries = np.asarray(result)
        return entries.dtype.kind == "O" and bool(np.any(entries == object()))
    except Exception:  # what cannot be compared, or has no shape
        return False


def _equal(result: Any, expected: Any) -> bool:
    try:
        return bool(np.all(result == expected))
    except Exception:  # what cannot be compared is not what was expected
        return False


def _plain(value: object) -> object:
    """Turn NumPy's numbers into Python's, which say themselves without their type."""
    return value.item() if isinstance(value, np.generic) else value


def _given(answer: Callable[..., Any], arguments: Any) -> str:
    """Say for which arguments, by their names where the function has some."""
    try:
        names = [f"{name} = " for name in inspect.signature(answer).bind(*arguments).arguments]
    except (TypeError, ValueError):  # a function without a signature, or one that does not take so many
        names = []
    if len(names) != len(arguments):
        names = [""] * len(arguments)
    words = ", ".join(name + _brief(argument) for name, argument in zip(names, arguments, strict=True))
    return words and f"for {words} "


def _brief(value: object) -> str:
    """Show a value in one short line, as a reader writes it: an array of more than eight entries by its shape."""
    value = _plain(value)
    if isinstance(value, np.ndarray):
        if value.ndim != 1 or value.size > 8:
            return f"an array of shape {value.shape}"
        value = value.tolist()
    if isinstance(value, float):
        return in_words(f"{value:.6g}")
    if isinstance(value, list | tuple) and len(value) <= 8:
        entries = ", ".join(map(_brief, value))
        return f"[{entries}]" if isinstance(value, list) else f"({entries})"
    if callable(value):
        return str(getattr(value, "__name__", type(value).__name__))
    if shape := getattr(value, "shape", None):  # a frame
        return f"a table of shape {shape}"
    return in_words(reprlib.repr(value)) if isinstance(value, int) else reprlib.repr(value)
