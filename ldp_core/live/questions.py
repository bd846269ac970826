"""Questions that a reader answers for herself: a choice among statements, or a number."""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Sequence
from typing import Any

from ldp_core._validate import check_bool, check_positive, check_real, shown
from ldp_core.live._checks import check_text
from ldp_core.live.figure import short_hash
from ldp_core.live.show import is_static

Option = tuple[str, bool, str]


class Question:
    """A question; made by :func:`quiz` and :func:`number`. Shows itself as a form on a page, as widgets in a kernel."""

    def __init__(self, kind: str, question: str, content: dict[str, Any]) -> None:
        self.kind, self.question, self.content = kind, question, content

    @property
    def html(self) -> str:
        """Form for a page without a kernel; without scripts the answer can be unfolded."""
        return _quiz_html(self) if self.kind == "quiz" else _number_html(self)

    def respond(self, answer: Any) -> tuple[bool, str]:
        """Say whether an answer is right, and what there is to say about it.

        Parameters
        ----------
        answer : int or float
            Index of the option chosen, or the number.
        """
        content = self.content
        if self.kind == "quiz":
            _, right, feedback = content["options"][answer]
            return right, feedback
        if math.isclose(answer, content["answer"], rel_tol=content["tolerance"], abs_tol=content["slack"]):
            return True, content["explain"]
        return False, ("Too low. " if answer < content["answer"] else "Too high. ") + content["hint"]

    def _ipython_display_(self) -> None:
        from IPython.display import display

        from ldp_core.live.show import Html

        display(Html(self.html) if is_static() else self.widget())

    def widget(self) -> Any:
        """Build the question for a kernel."""
        import ipywidgets as w

        from ldp_core.live.widget import styles

        heading = w.HTML(f'{styles()}<p class="ldp-question-text">{_inline(self.question)}</p>')
        said = w.HTML()
        button = w.Button(description="Check")
        field: Any
        if self.kind == "quiz":
            options = [(_plain(text), i) for i, (text, _, _) in enumerate(self.content["options"])]
            field = w.RadioButtons(options=options, value=None, layout=w.Layout(width="max-content"))
        else:
            field = w.Text(placeholder="a number", description=self.content["unit"])

        def check(_: Any) -> None:
            answer = field.value if self.kind == "quiz" else parse_number(field.value)
            if answer is None:
                said.value = "Choose an answer first." if self.kind == "quiz" else "Type a number first."
                return
            right, text = self.respond(answer)
            said.value = f"<strong>{'Right.' if right else 'Not quite.'}</strong> {_inline(text)}"

        button.on_click(check)
        box = w.VBox([heading, field, button, said])
        box.field, box.button, box.said = field, button, said
        return box


def quiz(question: str, options: Sequence[Option]) -> Question:
    """Ask a question with one right answer among several.

    Parameters
    ----------
    question : str
        Plain text; ``*emphasis*`` and `` `code` `` are understood.
    options : sequence of (text, right, feedback)
        At least two, exactly one of them right; feedback says why, for the wrong ones too.

    Returns
    -------
    Question
        Displays itself.
    """
    check_text(question, "question")
    if (
        not isinstance(options, (list, tuple))
        or len(options) < 2
        or not all(isinstance(option, (list, tuple)) and len(option) == 3 for option in options)
    ):
        raise ValueError(f"options must be at least 2 triples (text, right, feedback), got {shown(options)}")
    made = [
        (check_text(text, "the text of options"), check_bool(right, "right in options"), check_text(said, "feedback"))
        for text, right, said in options
    ]
    if sum(right for _, right, _ in made) != 1:
        raise ValueError(f"options must have exactly one right answer, got {sum(r for _, r, _ in made)}")
    if not all(text.strip() and feedback.strip() for text, _, feedback in made):
        raise ValueError("options must all have a text and a feedback, got an empty one")
    return Question("quiz", question, {"options": made})


def number(
    question: str, answer: float, *, tolerance: float = 0.01, unit: str = "", hint: str = "", explain: str = ""
) -> Question:
    """Ask for a number.

    Parameters
    ----------
    question : str
        Plain text, as for :func:`quiz`.
    answer : float
        The right number, computed by the chapter's code.
    tolerance : float, default 0.01
        Relative error that still counts as right, > 0.
    unit : str, optional
        What the number counts.
    hint, explain : str, optional
        Said after a wrong and after the right answer.

    Returns
    -------
    Question
        Displays itself.
    """
    right, tolerance = check_real(answer, "answer"), check_positive(tolerance, "tolerance")
    for name, text in (("question", question), ("unit", unit), ("hint", hint), ("explain", explain)):
        check_text(text, name)
    slack = 0.0 if right else tolerance
    content = {"answer": right, "tolerance": tolerance, "slack": slack, "unit": unit, "hint": hint, "explain": explain}
    return Question("number", question, content)


def parse_number(text: str) -> float | None:
    """Read a number as people type it: 1,234.5 or 1e-3 or 12 % or −3; None if it is none."""
    cleaned = re.sub(r"[\s_]|,(?=\d{3}(?:\D|$))", "", text.replace("−", "-"))
    percent = cleaned.endswith("%")
    try:
        value = float(cleaned.rstrip("%").replace(",", "."))
    except ValueError:
        return None
    return (value / 100 if percent else value) if math.isfinite(value) else None


def _inline(text: str) -> str:
    escaped = html.escape(text)
    escaped = re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped)
    return re.sub(r"\*([^*\s][^*]*)\*", r"<em>\1</em>", escaped)


def _plain(text: str) -> str:
    return re.sub(r"[`*]", "", text)


def _quiz_html(question: Question) -> str:
    name = f"ldp-q{short_hash(question.question + repr(question.content))}"
    options = "".join(
        f'<label><input type="radio" name="{name}" value="{i}" disabled><span>{_inline(text)}</span></label>'
        for i, (text, _, _) in enumerate(question.content["options"])
    )
    said = [[right, _inline(feedback)] for _, right, feedback in question.content["options"]]
    text, _, feedback = next(o for o in question.content["options"] if o[1])
    return (
        f'<form class="ldp-question" id="{name}" data-kind="quiz" data-said="{html.escape(json.dumps(said))}">'
        f'<fieldset><legend class="ldp-question-text">{_inline(question.question)}</legend>{options}</fieldset>'
        f"{_FOOT}{_unfold(f'{_inline(text)} — {_inline(feedback)}')}</form>"
    )


def _number_html(question: Question) -> str:
    content = question.content
    name = f"ldp-q{short_hash(question.question + repr(content))}"
    said = {key: content[key] for key in ("answer", "tolerance", "slack")}
    said |= {key: _inline(content[key]) for key in ("hint", "explain")}
    unit = f"<span>{html.escape(content['unit'])}</span>" if content["unit"] else ""
    shown = f"{content['answer']:,.6g}" if abs(content["answer"]) < 1e6 else f"{content['answer']:,.0f}"
    return (
        f'<form class="ldp-question" id="{name}" data-kind="number" data-said="{html.escape(json.dumps(said))}">'
        f'<label class="ldp-question-text" for="{name}-n">{_inline(question.question)}</label>'
        f'<p><input type="text" inputmode="decimal" autocomplete="off" id="{name}-n" disabled> {unit}</p>'
        f"{_FOOT}{_unfold(shown + '. ' + _inline(content['explain']))}</form>"
    )


_FOOT = '<button type="submit" disabled>Check</button><p class="ldp-said" role="status"></p>'


def _unfold(answer: str) -> str:
    """The answer for readers without scripts; the script takes it away."""
    return f'<details class="ldp-answer"><summary>Answer</summary><p>{answer}</p></details>'
