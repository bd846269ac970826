"""Questions that a reader answers for herself: a choice among statements, or a number."""

from __future__ import annotations

import html
import json
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from livefig._checks import check_positive, check_real, check_text, shown
from livefig.display import Html, is_static
from livefig.figure import short_hash

__all__ = ["Number", "Question", "Quiz", "number", "parse_number", "quiz"]

#: What the right answer of a quiz begins with.
RIGHT = "✓"


@dataclass(frozen=True)
class Question(ABC):
    """A question in plain text that shows itself: as a form on a page, as widgets in a kernel."""

    kind: ClassVar[str]
    missing: ClassVar[str]
    question: str

    @abstractmethod
    def respond(self, answer: Any) -> tuple[bool, str]:
        """Say whether an answer, as :meth:`read` gives it, is right, and what the reader is told."""

    @abstractmethod
    def read(self, typed: Any) -> Any:
        """Turn what is typed into the widget's field into an answer; None if the field holds none."""

    @abstractmethod
    def _fields(self, name: str) -> str:
        """Question and fields of the form."""

    @abstractmethod
    def _said(self) -> object:
        """What the page's script needs to respond."""

    @abstractmethod
    def _answer(self) -> str:
        """The answer, for readers without scripts."""

    @abstractmethod
    def _field(self) -> Any:
        """Field of the widget."""

    @property
    def html(self) -> str:
        """Form for a page without a kernel; without scripts the answer can be unfolded."""
        name = f"lf-q{short_hash(repr(self))}"
        return (
            f'<form class="lf-question" id="{name}" data-kind="{self.kind}" '
            f'data-said="{html.escape(json.dumps(self._said()))}">{self._fields(name)}'
            '<button type="submit" disabled>Check</button><p class="lf-said" role="status"></p>'
            f'<details class="lf-answer"><summary>Answer</summary><p>{self._answer()}</p></details></form>'
        )

    def widget(self) -> Any:
        """Build the question for a kernel."""
        import ipywidgets as w

        from livefig.widget import styles

        heading = w.HTML(f'{styles()}<p class="lf-question-text">{_inline(self.question)}</p>')
        field, button, said = self._field(), w.Button(description="Check"), w.HTML()

        def check(_: Any) -> None:
            answer = self.read(field.value)
            if answer is None:
                said.value = self.missing
                return
            right, text = self.respond(answer)
            said.value = f"<strong>{'Right.' if right else 'Not quite.'}</strong> {_inline(text)}"

        button.on_click(check)
        box = w.VBox([heading, field, button, said])
        box.field, box.button, box.said = field, button, said
        return box

    def _ipython_display_(self) -> None:
        from IPython.display import display

        display(Html(self.html) if is_static() else self.widget())


@dataclass(frozen=True)
class Quiz(Question):
    """A choice among options, made by :func:`quiz`: (text, right, feedback) for each, exactly one of them right."""

    kind = "quiz"
    missing = "Choose an answer first."
    options: tuple[tuple[str, bool, str], ...]

    def respond(self, answer: int) -> tuple[bool, str]:
        _, right, feedback = self.options[answer]
        return right, feedback

    def read(self, typed: int | None) -> int | None:
        return typed

    def _fields(self, name: str) -> str:
        options = "".join(
            f'<label><input type="radio" name="{name}" value="{i}" disabled><span>{_inline(text)}</span></label>'
            for i, (text, _, _) in enumerate(self.options)
        )
        return f'<fieldset><legend class="lf-question-text">{_inline(self.question)}</legend>{options}</fieldset>'

    def _said(self) -> object:
        return [[right, _inline(feedback)] for _, right, feedback in self.options]

    def _answer(self) -> str:
        text, feedback = next((text, feedback) for text, right, feedback in self.options if right)
        return f"{_inline(text)} — {_inline(feedback)}"

    def _field(self) -> Any:
        import ipywidgets as w

        options = [(re.sub(r"[`*]", "", text), i) for i, (text, _, _) in enumerate(self.options)]
        return w.RadioButtons(options=options, value=None, layout=w.Layout(width="max-content"))


@dataclass(frozen=True)
class Number(Question):
    """A number asked for; made by :func:`number`, whose arguments are its attributes."""

    kind = "number"
    missing = "Type a number first."
    answer: float
    tolerance: float
    unit: str
    hint: str
    explain: str

    @property
    def slack(self) -> float:
        """Absolute error that counts as right: the tolerance where the answer is 0, to which nothing is relative."""
        return 0.0 if self.answer else self.tolerance

    def respond(self, answer: float) -> tuple[bool, str]:
        if math.isclose(answer, self.answer, rel_tol=self.tolerance, abs_tol=self.slack):
            return True, self.explain
        return False, ("Too low. " if answer < self.answer else "Too high. ") + self.hint

    def read(self, typed: str) -> float | None:
        return parse_number(typed)

    def _fields(self, name: str) -> str:
        unit = f"<span>{html.escape(self.unit)}</span>" if self.unit else ""
        return (
            f'<label class="lf-question-text" for="{name}-n">{_inline(self.question)}</label>'
            f'<p><input type="text" inputmode="decimal" autocomplete="off" id="{name}-n" disabled> {unit}</p>'
        )

    def _said(self) -> object:
        return {
            "answer": self.answer, "tolerance": self.tolerance, "slack": self.slack, "hint": _inline(self.hint),
            "explain": _inline(self.explain),
        }  # fmt: skip

    def _answer(self) -> str:
        answer = f"{self.answer:,.6g}" if abs(self.answer) < 1e6 else f"{self.answer:,.0f}"
        return f"{answer}. {_inline(self.explain)}"

    def _field(self) -> Any:
        import ipywidgets as w

        return w.Text(placeholder="a number", description=self.unit)


def quiz(question: str, options: Mapping[str, str]) -> Quiz:
    """Ask a question with one right answer among several.

    Parameters
    ----------
    question : str
        Plain text; ``*emphasis*`` and `` `code` `` are understood.
    options : mapping of str to str
        At least two statements, and why each is right or wrong; the right one begins with ✓, which is not shown.

    Examples
    --------
    >>> quiz("Is 91 prime?", {"yes": "7 · 13 is 91.", "✓ no": "It is 7 · 13."}).respond(1)
    (True, 'It is 7 · 13.')
    """
    check_text(question, "question")
    if not isinstance(options, Mapping):
        raise TypeError(f"options must map each answer to a feedback, the right one with {RIGHT}, got {shown(options)}")
    if len(options) < 2:
        raise ValueError(f"options must be at least 2 answers, got {shown(options)}")
    made = []
    for text, said in options.items():
        right = check_text(text, "an answer in options").startswith(RIGHT)
        made.append((text.removeprefix(RIGHT).strip(), right, check_text(said, "a feedback in options").strip()))
    if sum(right for _, right, _ in made) != 1:
        raise ValueError(f"options must have exactly one right answer, marked {RIGHT}, got {shown(list(options))}")
    if not all(text and feedback for text, _, feedback in made):
        raise ValueError("options must all have a text and a feedback, got an empty one")
    return Quiz(question, tuple(made))


def number(
    question: str, answer: float, *, tolerance: float = 0.005, unit: str = "", hint: str = "", explain: str = ""
) -> Number:
    """Ask for a number.

    Parameters
    ----------
    question : str
        Plain text, as for :func:`quiz`.
    answer : float
        The right number, computed by the chapter's code.
    tolerance : float, default 0.005
        Relative error that still counts as right, > 0; absolute where the answer is 0. By default three significant
        digits always pass, and an answer 1 % off never does.
    unit : str, optional
        What the number counts.
    hint, explain : str, optional
        Said after a wrong and after the right answer.

    Examples
    --------
    >>> number("How many bits are a byte?", 8, hint="More than 4.").respond(4)
    (False, 'Too low. More than 4.')
    """
    answer, tolerance = check_real(answer, "answer"), check_positive(tolerance, "tolerance")
    for name, text in (("question", question), ("unit", unit), ("hint", hint), ("explain", explain)):
        check_text(text, name)
    return Number(question, answer, tolerance, unit, hint, explain)


#: What a number may be written with. A longer name is never cut in two: what is no name here is no number.
_NAMES: dict[str, Any] = {"ln": math.log, "sqrt": math.sqrt, "exp": math.exp, "√": math.sqrt, "e": math.e}
_NAMES |= {"pi": math.pi, "π": math.pi}
_SAME = str.maketrans({"−": "-", "–": "-", "·": "*", "×": "*", "÷": "/", "½": "(1/2)", "¼": "(1/4)", "¾": "(3/4)"})
_TOKEN = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[a-z]+|[√π]|.")


def parse_number(text: str) -> float | None:
    """Read a number from a text as people type it, or a short formula for one; None if it is none.

    There are 1,234.5 or 1e-3 or 12 % or −3, with + − * / ^ and brackets, ln, exp, sqrt, e and pi: ``ln 4``, ``1/3``,
    ``e^1``. The page's live-questions.js does the same.

    Examples
    --------
    >>> parse_number("1,234.5"), parse_number("12 %"), parse_number("twelve")
    (1234.5, 0.12, None)
    >>> parse_number("4^0.5"), parse_number("sqrt(2)/2")
    (2.0, 0.7071067811865476)
    """
    cleaned = re.sub(r"[\s_]|,(?=\d{3}(?:\D|$))", "", text.lower().translate(_SAME).replace("**", "^"))
    if len(cleaned) > 60:
        return None
    tokens = [*_TOKEN.findall(cleaned.replace(",", ".")), ""]

    def sum_() -> float:
        sign = -1 if tokens[0] == "-" else 1
        if tokens[0] in ("-", "+"):
            tokens.pop(0)
        value = sign * product()
        while tokens[0] in ("+", "-"):
            value += product() if tokens.pop(0) == "+" else -product()
        return value

    def product() -> float:
        value = power()
        while tokens[0] and tokens[0] not in ("+", "-", ")"):
            if tokens[0] == "/":
                tokens.pop(0)
                value /= power()
            elif tokens[0] == "*":
                tokens.pop(0)
                value *= power()
            elif tokens[0][0] in "0123456789.":  # a product without a sign has its number in front
                raise ValueError
            else:
                value *= power()
        return value

    def power() -> float:
        value = atom()
        while tokens[0] == "%":
            tokens.pop(0)
            value /= 100
        if tokens[0] != "^":
            return value
        tokens.pop(0)
        sign = -1 if tokens[0] == "-" else 1
        if sign < 0:
            tokens.pop(0)
        return float(math.pow(value, sign * power()))

    def atom() -> float:
        token = tokens.pop(0)
        if token == "(":
            value = sum_()
            if tokens.pop(0) != ")":
                raise ValueError
            return value
        if token[:1] in tuple("0123456789."):
            return float(token)
        named = _NAMES[token]
        return float(named(atom()) if callable(named) else named)

    try:
        value = sum_()
    except (ValueError, KeyError, IndexError, ArithmeticError):
        return None
    return value if tokens == [""] and math.isfinite(value) else None


def _inline(text: str) -> str:
    escaped = html.escape(text)
    escaped = re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped)
    return re.sub(r"\*([^*\s][^*]*)\*", r"<em>\1</em>", escaped)
