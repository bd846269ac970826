"""Chapters as nbgrader assignments: ``make assignments`` writes a course into _build/assignments.

An assignment holds a chapter's exercises and the code that they need, nothing else: no figure, no quiz, no solution of
the book, so that grading takes seconds. Each question is a cell to answer, with the worked solution between nbgrader's
marks, and a cell that grades it; a level is worth a point. Before it is written, every worked solution is tried.
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import indent
from typing import Any

import nbformat
import numpy as np
from nbformat import NotebookNode

from tools import markdown, slices
from tools.copies import labels_of_book
from tools.markdown import pieces
from tools.plain import SETUP, to_plain
from tools.results import Results, glued, say
from tools.toc import ROOT, chapters

OUT = ROOT / "_build" / "assignments"

LEVEL = re.compile(r"\((?:level (\d)|transfer)\)")
#: How comments of a function to write begin that say no more than that it is to be written.
IDLE = re.compile(r"your (answer|line here)(: )?")
#: Packages that an assignment imports only where an exercise needs them: they draw, or speak to a page.
FOR_PAGES = ("livefig", "ldp_book.chapter", "matplotlib", "IPython")
#: What a test imports for itself.
OWN = {"check", "number"}

INTRODUCTION = """\
# Exercises: {title}

Read the chapter beside this notebook: here is only what the exercises need of its code. Run the cells from the top,
write each answer where it says so, save, and hand the notebook in.

The cell below an answer tells whether it has the right *form*, and for most functions it tries one case. That it
passes, and that *Validate* says “Success!”, does not mean that the answer is right: the tests that count come later."""
#: Added to the first cell: where nbgrader grades, a missing package must not pass for a class that knows nothing.
MISSING = """\
    import os

    if "NBGRADER_EXECUTION" in os.environ:
        os.write(2, b"\\nthe book's packages are not installed where nbgrader runs: nothing was graded\\n")
        os._exit(1)
"""
FIRST = SETUP.replace("except ModuleNotFoundError:\n", f"except ModuleNotFoundError:\n{MISSING}")
CONFIG = """\
c = get_config()  # noqa: F821 - nbgrader knows it

# Tests are hidden from students, and hidden again in what they get back: they compare with the answers.
from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import ClearHiddenTests, GetGrades

c.GenerateFeedback.preprocessors = [GetGrades, ClearHiddenTests, CSSHTMLHeaderPreprocessor]

# Every cell takes a few seconds at most; on a busy server that may be more than nbgrader's 30.
c.Execute.timeout = 120
"""


@dataclass
class Exercise:
    """One exercise of a chapter: what it asks, the cell that checks, and the code of its solution."""

    label: str
    level: int
    text: str
    question: str = ""
    solution: list[str] = field(default_factory=list)


@dataclass
class Question:
    """What is graded by itself: a number, or a function."""

    name: str  # of the student's answer, and of the cell
    stub: str  # what the student fills in, with {} for the solution, on a line of its own
    solution: str
    form: str  # the visible part of the test
    setup: str  # the hidden one: what the test compares with
    test: str  # an expression that is true if the answer is right
    cases: str = ""  # of a function's test: a list of them, if the answers can be read off nothing else
    tolerance: str = ""  # the last argument of a function's test
    points: int = 0

    def answer(self, solution: str | None = None) -> str:
        """Cell to fill in, with the worked solution, or with an answer in its place."""
        marks = "### BEGIN SOLUTION", "### END SOLUTION"
        inside = "\n".join([marks[0], self.solution, marks[1]]) if solution is None else solution
        *_, last = self.stub.split("\n")
        return self.stub.removesuffix(last) + indent(inside, last.removesuffix("{}"))

    def graded(self) -> str:
        """Cell that grades: nbgrader reads the points off its result, and takes a warning for a failure."""
        inside = f'warnings.simplefilter("ignore")\n{self.setup}\nright = {self.test}'
        return (
            f"{self.form}\n### BEGIN HIDDEN TESTS\nimport warnings\n\nright = False\ntry:\n"
            f"    with warnings.catch_warnings():\n{indent(inside, ' ' * 8)}\n"
            'except Exception as error:\n    print(f"It stops: {error}")\n'
            f"{self.points} if right else 0\n### END HIDDEN TESTS"
        )


def read(notebook: NotebookNode) -> Iterator[NotebookNode | Exercise]:
    """Go through a chapter: its own code cells, and exercises."""
    exercise: Exercise | None = None
    inside = False  # a worked solution
    for cell in notebook.cells:
        if cell.cell_type == "code":
            if inside and exercise:
                exercise.solution.append(cell.source)
            elif exercise and (_hidden(cell) or re.search(r"^(check|number)\(", cell.source, re.M)):
                # What the check compares with stands in a cell of its own, hidden, before the one to fill in.
                exercise.question = f"{exercise.question}\n\n{cell.source}".strip()
            else:
                yield cell
            continue
        for part in pieces(cell.source):
            if isinstance(part, str):
                continue
            if part.name == "exercise":
                label, level = part.options.get("label"), LEVEL.search(part.argument)
                if not label or not level:
                    raise ValueError(f"an exercise must have a label and a level, got {part.argument!r}")
                exercise = Exercise(label, int(level[1] or 3), f"### {part.argument}\n\n{part.body}")
            elif part.name == "solution-start":
                inside = True
            elif part.name in {"solution", "solution-end"}:
                if exercise:
                    yield exercise
                exercise, inside = None, False


def _hidden(cell: NotebookNode) -> bool:
    return "hide-input" in cell.metadata.get("tags", [])


def questions(exercise: Exercise) -> list[Question]:
    """Cut an exercise into what is graded: its number, its function, or both; the points are its level."""
    code = slices.statements(exercise.question)
    numbers = [s for s in code if isinstance(s.node, ast.Expr) and _calls(s.node.value, "number")]
    blank = [s for s in code if _is_blank(s.node)]
    checks = [s for s in code if isinstance(s.node, ast.Expr) and _calls(s.node.value, "check")]
    if len(numbers) > 1 or len(blank) > 1 or len(blank) != len(checks) or not numbers + checks:
        raise ValueError(f"{exercise.label}: needs a number, or a function that returns None and a check, or both")
    asked = {*numbers, *blank, *checks}
    rest = [s for s in code if s not in asked]
    found = [_number(exercise, s, rest, alone=not checks) for s in numbers]
    found += [_function(exercise, one, check, rest) for one, check in zip(blank, checks, strict=True)]
    for question in found:
        question.points = 1
    found[-1].points = exercise.level - len(found) + 1
    if found[-1].points < 1:
        raise ValueError(f"{exercise.label}: {len(found)} questions at level {exercise.level}")
    return found


def _number(exercise: Exercise, asked: slices.Statement, rest: list[slices.Statement], alone: bool) -> Question:
    assert isinstance(asked.node, ast.Expr)
    assert isinstance(asked.node.value, ast.Call)
    question, value = asked.node.value.args[:2]
    words = ast.unparse(question) if isinstance(question, ast.JoinedStr) else ast.literal_eval(question)
    name = exercise.label.replace("-", "_") + ("" if alone else "_number")
    setup = slices.join(_needed(asked, rest))
    source = asked.source[asked.source.index("number(") :]
    return Question(
        name,
        f"# {words}\n{name} = None  # your number\n{{}}",
        f"{setup}\n{name} = {ast.unparse(value)}".strip(),
        f"# The form: a number. Whether it is the right one is found out when it is graded.\n{name} = float({name})",
        f"from livefig import number\n\n{setup}".strip(),
        f"{source}.respond({name})[0]",
    )


def _function(
    exercise: Exercise, blank: slices.Statement, check: slices.Statement, rest: list[slices.Statement]
) -> Question:
    assert isinstance(blank.node, ast.FunctionDef)
    assert isinstance(check.node, ast.Expr)
    assert isinstance(check.node.value, ast.Call)
    name, signature = blank.node.name, ast.unparse(blank.node.args)
    said = filter(None, (IDLE.sub("", note) for note in re.findall(r"# (.*)$", blank.source, re.M)))
    used, solution = _solution(exercise)
    notes = "".join(f"    # {note}\n" for note in said)
    arguments = ", ".join(argument.arg for argument in blank.node.args.args)
    tested = ast.unparse(check.node.value.args[0])
    call = ast.unparse(check.node.value)
    return Question(
        name,
        f"def {name}({signature}):\n{notes}    {{}}",
        f"{solution}\n\nreturn {used}({arguments})",
        f"# The form: a function. Whether it is the right one is found out when it is graded.\nassert callable({name})",
        f"from ldp_book.chapter import check\n\n{slices.join(_needed(check, rest))}".strip(),
        call,
        cases=f"[{', '.join(map(ast.unparse, check.node.value.args[1:]))}]" if tested == name else "",
        tolerance="".join(f", {ast.unparse(keyword)}" for keyword in check.node.value.keywords),
    )


def _needed(what: slices.Statement, code: list[slices.Statement]) -> list[slices.Statement]:
    """Statements that another one needs."""
    return slices.needed(code, what.uses)


def _solution(exercise: Exercise) -> tuple[str, str]:
    """Name of the function that the worked solution checks, and its code without the check."""
    code = [s for cell in exercise.solution for s in slices.statements(cell)]
    functions = {s.node.name for s in code if isinstance(s.node, ast.FunctionDef)}
    for s in code:
        if isinstance(s.node, ast.Assign) and _calls(s.node.value, "check"):
            assert isinstance(s.node.value, ast.Call)
            tested = {n.id for n in ast.walk(s.node.value.args[0]) if isinstance(n, ast.Name)} & functions
            if len(tested) == 1:
                (used,) = tested
                return used, slices.join(slices.needed(code, {used}))
    raise ValueError(f"{exercise.label}: the worked solution must check its own function")


def _is_blank(node: ast.AST) -> bool:
    """Tell whether a function does nothing but return None, so that a reader has to write it."""
    if not isinstance(node, ast.FunctionDef):
        return False
    body = [n for n in node.body if not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))]
    return len(body) == 1 and isinstance(body[0], ast.Return) and ast.unparse(body[0]) == "return None"


def _calls(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def run(source: str, namespace: dict[str, Any]) -> object:
    """Run a cell as a kernel does; what its last line gives, if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), namespace)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), namespace) if isinstance(last, ast.Expr) else None


def show_a_case(question: Question, namespace: Mapping[str, Any]) -> None:
    """Let the visible part of a function's test try one case, if there are others and it can be written down."""
    trial = dict(namespace)
    run(question.setup, trial)
    cases: list[tuple[tuple[Any, ...], Any]] = eval(question.cases, trial)
    for arguments, expected in cases if len(cases) > 1 else []:
        shown = [_literal(arguments, arrays=False), _literal(expected, arrays=True)]
        if all(shown):
            question.form = (
                "from ldp_book.chapter import check\n\n"
                f"verdict = check({question.name}, ({', '.join(shown)}){question.tolerance})\n"
                "assert verdict, verdict  # one of the cases; the others are tried when it is graded"
            )
            return


def _literal(value: object, arrays: bool) -> str:
    """Write a value down, short enough for a line; empty if it cannot be."""

    def plain(found: object) -> object:
        if isinstance(found, np.generic) or (arrays and isinstance(found, np.ndarray)):
            return plain(found.tolist())
        if isinstance(found, tuple | list):
            return type(found)(map(plain, found))
        # The last digits are the rounding's, and a zero may come out as such a digit.
        if isinstance(found, float) and abs(found) < 1e9:
            return 0.0 if abs(found) < 1e-12 else float(f"{found:.12g}")
        return found

    text = repr(plain(value))
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return ""
    return text if len(text) < 150 else ""


def assignment(notebook: NotebookNode, glued: Mapping[str, str], labels: Mapping[str, str]) -> NotebookNode:
    """Turn a chapter into the teacher's version of an assignment; each worked solution must get all points."""
    items: list[tuple[Any, list[Any]]] = [
        (item, questions(item)) if isinstance(item, Exercise) else (item, slices.statements(item.source))
        for item in read(notebook)
    ]
    while items and not isinstance(items[-1][0], Exercise):
        items.pop()
    code = [part for _, found in items for part in found if isinstance(part, slices.Statement)]
    wanted = {id(s) for s in slices.needed(code, _asked(items))}
    namespace: dict[str, Any] = {"__name__": "__main__"}
    _, _, title = next(markdown.headings("\n\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")))
    made: NotebookNode = nbformat.v4.new_notebook(metadata=dict(notebook.metadata))
    made.cells.append(
        nbformat.v4.new_markdown_cell(to_plain(INTRODUCTION.format(title=title), glued, labels), id="start")
    )
    made.cells.append(_cell("code", FIRST, "set_up", locked=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for item, found in items:
            if not isinstance(item, Exercise):
                if source := _reduced(found, wanted):
                    run(source, namespace)
                    made.cells.append(_cell("code", source, f"chapter_{len(made.cells)}", locked=True))
                continue
            text = to_plain(item.text, glued, labels)
            made.cells.append(_cell("markdown", text, f"{item.label}_text", locked=True))
            for question in found:
                made.cells += _graded(question, code, namespace)
    return made


def _asked(items: list[tuple[Any, list[Any]]]) -> set[str]:
    """Names that exercises look up: in their answers and tests, and in what they tell students to use."""
    names: set[str] = set()
    for exercise, found in items:
        if isinstance(exercise, Exercise):
            names |= set(re.findall(r"`([A-Za-z_]\w*)`", exercise.text + exercise.question))
            for question in found:
                names |= _looked_up(question.answer()) | _looked_up(f"{question.setup}\n{question.test}")
    return names - OWN


def _looked_up(source: str) -> set[str]:
    return slices.free(slices.statements(source))


def _reduced(code: list[slices.Statement], wanted: set[int]) -> str:
    """Take out of a cell what no exercise needs; what does not draw may be imported all the same."""
    return slices.join(s for s in code if id(s) in wanted or (s.imports and not _for_pages(s.node)))


def _for_pages(node: ast.stmt) -> bool:
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
    names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
    return any(f"{name}.".startswith(f"{package}.") for name in names for package in FOR_PAGES)


def _graded(question: Question, code: list[slices.Statement], namespace: dict[str, Any]) -> Iterator[NotebookNode]:
    """Cells of a question, to answer and to grade. Its worked solution is run, and stays: later ones may need it."""
    used = slices.needed(code, _looked_up(f"{question.setup}\n{question.test}") - OWN)
    # An answer may have given another meaning to what the test imports.
    again = "\n".join(s.source.strip("\n") for s in used if s.imports)
    question.setup = f"{again}\n{question.setup}".strip()
    run(question.answer(), namespace)
    if question.cases and not any("datasets" in s.sets for s in used):  # other data, other answers
        show_a_case(question, namespace)
    if run(question.graded(), namespace) != question.points:
        raise ValueError(f"{question.name}: its worked solution does not pass")
    yield _cell("code", question.answer(), question.name, solution=True)
    yield _cell("code", question.graded(), f"{question.name}_test", points=question.points, locked=True)


def _cell(
    kind: str, source: str, grade_id: str, points: int = 0, solution: bool = False, locked: bool = False
) -> NotebookNode:
    """Make a cell with nbgrader's metadata, schema version 3."""
    meta: dict[str, object] = {"schema_version": 3, "grade_id": grade_id, "task": False}
    meta |= {"grade": points > 0, "solution": solution, "locked": locked}
    if points:
        meta["points"] = points
    settings = {"id": grade_id.replace("_", "-")[:64], "metadata": {"nbgrader": meta}}
    make = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
    cell: NotebookNode = make(source, **settings)  # type: ignore[no-untyped-call]
    return cell


def main(out: Path = OUT) -> None:
    """Write a course: an assignment for every chapter that has exercises. The book must be built."""
    results, labels = Results(), labels_of_book()
    out.mkdir(parents=True, exist_ok=True)
    (out / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    for path in chapters():
        notebook = nbformat.read(path, as_version=4)
        if not any(isinstance(item, Exercise) for item in read(notebook)):
            continue
        target = out / "source" / path.stem / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.redirect_stdout(io.StringIO()):  # what the chapter's code prints is said to nobody
            made = assignment(notebook, glued(results.get(path)), labels)
        nbformat.write(made, target)
        print(f"    {path.stem}", flush=True)
    say(f"A course for nbgrader: {out}")
    print("    Copy that folder to where your course is to live; the book's page For teachers goes on from there")


if __name__ == "__main__":
    main()
