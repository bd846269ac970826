"""A prediction before a figure is seen: the figure is veiled until a reader commits to a guess, or asks to see."""

from __future__ import annotations

import html
import json
import numbers
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from livefig._checks import check_real, check_text, shown
from livefig.axes import say
from livefig.controls import Control

__all__ = ["Prediction", "predict"]


@dataclass(frozen=True)
class Prediction:
    """What a reader is asked before a figure is seen; made by :func:`predict`, whose arguments are its fields."""

    question: str  #: Plain text.
    options: tuple[str, ...]  #: None if a number is asked for.
    on: str  #: Parameter whose slider the guess is a value of, or empty.
    unit: str  #: What a number counts.
    at: dict[str, Any] = field(default_factory=dict)  #: What it is about: values of the controls, by parameter.
    answer: float | str | None = None  #: What the chapter has computed: a number, or one of the options.
    within: tuple[float, float | None] = (0.0, None)  #: Least and largest number that can be, where there is no slider.

    def check(self, controls: dict[str, Control]) -> None:
        """Refuse a prediction on a slider, or at a position, that the controls of a figure do not have."""
        sliders = [name for name, control in controls.items() if control.kind in ("log", "linear")]
        if self.on and self.on not in sliders:
            raise ValueError(f"on must name one of the figure's sliders {sliders}, got {self.on!r}")
        for name, value in self.at.items():
            if name not in controls or value not in controls[name].values:
                raise ValueError(f"at must hold positions of the figure's controls, got {shown(value)} for {name}")
        (low, high), allowed = self.bounds(controls)
        if isinstance(self.answer, float) and not (low <= self.answer and (high is None or self.answer <= high)):
            raise ValueError(f"answer must be {allowed}, got {shown(self.answer)}")

    def bounds(self, controls: dict[str, Control]) -> tuple[tuple[float, float | None], str]:
        """What can be guessed, in numbers and in words: as the slider among the controls can, or within the bounds."""
        if not self.on:
            low, high = self.within
            words = f"of {say(low)} or more" if high is None else f"from {say(low)} to {say(high)}"
            return self.within, f"a number {words}"
        values, texts = controls[self.on].values, controls[self.on].texts
        whole = all(isinstance(v, int) for v in values) and len(values) == values[-1] - values[0] + 1
        words = f"a {'whole ' if whole else ''}number from {texts[0]} to {texts[-1]}"
        return (float(values[0]), float(values[-1])), words

    def places(self, controls: dict[str, Control]) -> dict[str, int]:
        """Positions of the controls that the question is about, by parameter.

        They are those of ``at``, and of a control whose value the question names once, as in "At ε = 1, …".
        """
        found = {name: controls[name].values.index(value) for name, value in self.at.items()}
        for name, control in controls.items():
            if name in found or name == self.on or control.kind == "draws":
                continue
            named = re.findall(rf"(?<!\w){re.escape(control.label)} = ([\d.,]*\d)", self.question)
            if len(named) == 1 and named[0] in control.texts:
                found[name] = control.texts.index(named[0])
        return found

    def html(self, name: str, controls: dict[str, Control]) -> str:
        """Form for a page: the question stays in view; without scripts its fields stay hidden, and nothing is veiled.

        The ``name`` begins all ids in the form; ``controls`` are those of the figure.
        """
        if self.options:
            short = ' class="lf-short"' if max(map(len, self.options)) <= _SHORT else ""
            fields = "".join(
                f'<label><input type="radio" name="{name}p" value="{i}"><span>{html.escape(text)}</span></label>'
                for i, text in enumerate(self.options)
            )
            fields = f'<fieldset{short} aria-labelledby="{name}q">{fields}</fieldset>'
        else:
            label = f"{controls[self.on].label} = " if self.on else ""
            unit = f" {html.escape(self.unit)}" if self.unit else ""
            fields = (
                f'<p>{html.escape(label)}<input type="text" inputmode="decimal" autocomplete="off" '
                f'aria-labelledby="{name}q">{unit}</p>'
            )
        asked = self.places(controls)
        places = [asked.get(name) for name in controls]
        told: dict[str, Any] = {"options": self.options, "on": self.on, "unit": self.unit, "at": places}
        told |= {"answer": self.answer, "computed": self._computed()}
        told["within"], told["allowed"] = self.bounds(controls)
        said = html.escape(json.dumps(told, ensure_ascii=False))
        return (
            f'<form class="lf-predict" data-said="{said}">{self.asked(f"{name}q")}'
            f'<div class="lf-asks" hidden>{fields}<p class="lf-row">'
            '<button type="submit">That is my guess</button> <button type="button" data-do="see">Just show me</button> '
            '<button type="button" data-do="never">Never ask me on this device</button></p></div>'
            '<p class="lf-answered" role="status"></p></form>'
        )

    def _computed(self) -> str:
        """The answer as one reads it, a whole number as it is; empty if none is known."""
        if not isinstance(self.answer, float):
            return self.answer or ""
        return say(self.answer if self.answer.is_integer() else float(f"{self.answer:.4g}"))

    def told(self, controls: dict[str, Control]) -> str:
        """The answer in a fold, for a kernel, where no picture waits for a guess; empty if none is known.

        The ``controls`` are those of the figure.
        """
        label = f"{controls[self.on].label} = " if self.on else ""
        said = html.escape(f"{label}{self._computed()} {self.unit}".strip())
        return f'<details class="lf-hint"><summary>Computed</summary>{said}</details>' if self._computed() else ""

    def asked(self, name: str) -> str:
        """The question and what there was to choose from, as a paragraph that stays; name is its id."""
        options = f' <span class="lf-options">({html.escape(" · ".join(self.options))})</span>' if self.options else ""
        return f'<p class="lf-question-text" id="{name}">{html.escape(self.question)}{options}</p>'


#: Letters of options that stand in a row.
_SHORT = 18


def predict(
    question: str,
    *options: str,
    on: str = "",
    unit: str = "",
    at: Mapping[str, Any] | None = None,
    answer: float | str | None = None,
    within: tuple[float, float | None] = (0.0, None),
) -> Prediction:
    """Ask for a prediction before a figure is seen: ``live(draw, predict=predict(...), ...)``.

    The page hides what is drawn on the axes until the reader commits to a guess, or asks to see; then guess and answer
    stand beside the figure, and on the slider or the axis if they are values of that, and the figure goes to the
    position that the question is about. Nothing is hidden in print, without scripts, in a kernel, in an address that
    ends with ``?predict=off``, or on a device on which a reader has switched predictions off. The question is there in
    any case.

    Parameters
    ----------
    question : str
        Plain text.
    *options : str
        At least two answers to choose from; without them a number is asked for.
    on : str, optional
        The slider, by the name of draw's parameter, whose value is to be guessed: it can be moved there, and the guess
        is drawn on it. Not with options.
    unit : str, optional
        What a number counts. Where one axis of a single pair is labelled with it, or with the slider's label, a click
        in the picture is a guess, too. Not with options.
    at : mapping, optional
        Positions of controls, by parameter, that the question is about, or where its answer is seen, such as
        ``{"epsilon": 1.0}``: marked on a slider, and the figure goes there when the answer comes. A value
        that the question itself names, as in "At ε = 1, …", need not be given.
    answer : float or str, optional
        What comes out, as the code around the figure computes it: a finite number, or one of the options, by its text
        or by its place from 0. A number is said to three digits, a large one to four, or as it is if it is whole. In a
        kernel it is in a fold.
    within : tuple, optional
        The least number that can be and the largest, if there is one; they are the ends of a slider. Another guess is
        refused, with words that say what can be.

    Examples
    --------
    >>> predict("At which ε does a belief of 20 % become an even bet?", on="epsilon").on
    'epsilon'
    >>> predict("Which line falls faster?", "the local one", "the central one").options
    ('the local one', 'the central one')
    """
    for name, text in (("question", question), ("on", on), ("unit", unit), *(("an option", o) for o in options)):
        check_text(text, name)
    if not question.strip():
        raise ValueError("question must say what is to be predicted, got an empty text")
    if len(options) == 1 or len(set(options)) < len(options) or not all(o.strip() for o in options):
        raise ValueError(f"options must be at least 2 different answers, or none, got {shown(options)}")
    if options and (on or unit):
        raise ValueError("on and unit must be left out where there are options: they are about a number")
    if not (at is None or isinstance(at, Mapping)):
        raise TypeError(f"at must map controls to values, got {shown(at)}")
    if not isinstance(within, tuple | list) or len(within) != 2:
        raise TypeError(f"within must be a pair of numbers, or a number and None, got {shown(within)}")
    low, high = (None if end is None else check_real(end, "an end of within") for end in within)
    if low is None or not (high is None or low < high):
        raise ValueError(f"within must be a number and a larger one or None, got {shown(within)}")
    return Prediction(question, options, on, unit, dict(at or {}), _answer(answer, options), (low, high))


def _answer(answer: object, options: tuple[str, ...]) -> float | str | None:
    """Give the answer as a number, or as the text of an option."""
    if answer is None or not options:
        return None if answer is None else check_real(answer, "answer")
    if isinstance(answer, str) and answer in options:
        return answer
    if isinstance(answer, numbers.Integral) and not isinstance(answer, bool) and 0 <= int(answer) < len(options):
        return options[int(answer)]
    raise ValueError(f"answer must be one of the options {options}, or its place from 0, got {shown(answer)}")
