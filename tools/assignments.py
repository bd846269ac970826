"""Chapters as nbgrader assignments: ``make assignments`` writes _build/assignments/source/<chapter>/<chapter>.ipynb.

Each exercise with an automatic check becomes a cell to answer, with the worked solution between nbgrader's marks, and a
cell that grades it; a level is worth a point. ``nbgrader generate_assignment`` takes the solutions out. Quizzes and the
book's own solutions stay in the book.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tools.lite import labels_of_book
from tools.markdown import Directive, pieces
from tools.plain import to_plain
from tools.results import Results, glued
from tools.toc import ROOT, chapters

OUT = ROOT / "_build" / "assignments" / "source"

LEVEL = re.compile(r"\((?:level (\d)|transfer)\)")


@dataclass
class Exercise:
    """One exercise of a chapter: what it asks, the cell that checks, and the code of its solution."""

    label: str
    level: int
    text: str
    question: str = ""
    solution: list[str] = field(default_factory=list)


def parts(source: str) -> Iterator[str | Directive]:
    """Cut a Markdown cell into exercises, solutions, their ends, and the text between, other directives and all."""
    rest: list[str] = []
    for piece in pieces(source):
        if isinstance(piece, Directive) and piece.name.startswith(("exercise", "solution")):
            if rest:
                yield "\n\n".join(rest)
            rest = []
            yield piece
        else:
            rest.append(piece.source if isinstance(piece, Directive) else piece)
    if rest:
        yield "\n\n".join(rest)


def read(notebook: NotebookNode) -> Iterator[NotebookNode | Exercise]:
    """Go through a chapter: cells that stay as they are, and exercises."""
    exercise: Exercise | None = None
    inside = False  # a worked solution
    for cell in notebook.cells:
        if cell.cell_type == "code":
            if inside and exercise:
                exercise.solution.append(cell.source)
            elif exercise and (_hidden(cell) or re.search(r"^(check|number)\(", cell.source, re.M)):
                # What the check compares with stands in a cell of its own, hidden, before the one to fill in.
                exercise.question = f"{exercise.question}\n\n{cell.source}".strip()
            elif not re.match(r"\s*(quiz|number)\(", cell.source):
                yield cell
            continue
        for part in parts(cell.source):
            if isinstance(part, str):
                if not inside and exercise is None:
                    yield nbformat.v4.new_markdown_cell(part)
            elif part.name == "exercise":
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


def graded(exercise: Exercise) -> list[NotebookNode]:
    """Turn an exercise into the cells of an assignment: the text, an answer, and a test worth its level."""
    name = exercise.label.replace("-", "_")
    cells = [_cell("markdown", exercise.text, f"{name}_text", locked=True)]
    if not exercise.question:
        return [*cells, _cell("markdown", "Your answer here.", name, points=exercise.level, solution=True)]
    tree = ast.parse(exercise.question)
    call = next((node for node in ast.walk(tree) if _calls(node, "number")), None)
    if isinstance(call, ast.Call):
        answer, test = _number(name, call, tree)
    else:
        answer, test = _function(exercise, tree)
    return [
        *cells,
        _cell("code", answer, name, solution=True),
        _cell("code", test, f"{name}_test", points=exercise.level, locked=True),
    ]


def _number(name: str, call: ast.Call, tree: ast.Module) -> tuple[str, str]:
    question, value = (ast.unparse(argument) for argument in call.args[:2])
    tolerance = next((ast.unparse(k.value) for k in call.keywords if k.arg == "tolerance"), "0.01")
    before = "".join(f"{ast.unparse(node)}\n" for node in tree.body if call not in ast.walk(node))
    asked = question if isinstance(call.args[0], ast.JoinedStr) else ast.literal_eval(question)
    answer = f"# {asked}\n# {name} = ...\n### BEGIN SOLUTION\n{before}{name} = {value}\n### END SOLUTION"
    test = (
        f"### BEGIN HIDDEN TESTS\n{before}expected = {value}\n"
        f"assert abs({name} - expected) <= {tolerance} * abs(expected)\n### END HIDDEN TESTS"
    )
    return answer, test


def _function(exercise: Exercise, tree: ast.Module) -> tuple[str, str]:
    """A function to write: its signature stays, the body becomes the worked solution's."""
    lines = exercise.question.split("\n")
    source = {node: "\n".join(lines[node.lineno - 1 : node.end_lineno]) for node in tree.body}
    wanted = [node for node in tree.body if isinstance(node, ast.FunctionDef) and _is_blank(node)]
    checks = [node for node in tree.body if isinstance(node, ast.Expr) and _calls(node.value, "check")]
    if not wanted or not checks:
        raise ValueError(f"{exercise.label}: needs a function that returns None and a check")
    used, kept = _solution(exercise)
    signature = "\n".join(f"# {line}" for node in wanted for line in source[node].split("\n"))
    alias = f"{wanted[0].name} = {used}\n" if used != wanted[0].name else ""
    answer = f"# Write this:\n{signature}\n### BEGIN SOLUTION\n{kept}\n{alias}### END SOLUTION"
    test = [source[node] for node in tree.body if node not in wanted and node not in checks]
    for node in checks:
        test.append(f"verdict = {source[node]}\nassert verdict, verdict")
    # The right answers can be read off what a check compares with.
    return answer, "\n".join(["### BEGIN HIDDEN TESTS", *test, "### END HIDDEN TESTS"])


def _solution(exercise: Exercise) -> tuple[str, str]:
    """Name of the function that the worked solution checks, and its code without the check."""
    kept, used = [], ""
    for cell in exercise.solution:
        lines = cell.split("\n")
        for node in ast.parse(cell).body:
            names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            if isinstance(node, ast.Assign) and _calls(node.value, "check") and isinstance(node.value, ast.Call):
                used = used or ast.unparse(node.value.args[0])
            elif "verdict" not in names:
                kept.append("\n".join(lines[node.lineno - 1 : node.end_lineno]))
    if not used:
        raise ValueError(f"{exercise.label}: the worked solution must check its own function")
    return used, "\n\n".join(kept)


def _is_blank(node: ast.FunctionDef) -> bool:
    """Tell whether a function does nothing but return None, so that a reader has to write it."""
    body = [n for n in node.body if not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))]
    return len(body) == 1 and isinstance(body[0], ast.Return) and ast.unparse(body[0]) == "return None"


def _calls(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


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


def assignment(notebook: NotebookNode, glued: Mapping[str, str], labels: Mapping[str, str]) -> NotebookNode:
    """Turn a chapter into the teacher's version of an assignment."""
    made: NotebookNode = nbformat.v4.new_notebook(metadata=dict(notebook.metadata))
    for item in read(notebook):
        made.cells += graded(item) if isinstance(item, Exercise) else [item]
    for cell in made.cells:
        if cell.cell_type == "markdown":
            cell.source = to_plain(cell.source, glued, labels)
        elif "nbgrader" not in cell.metadata:
            cell.outputs, cell.execution_count = [], None
    made.cells = [cell for cell in made.cells if cell.source.strip()]
    return made


def main(out: Path = OUT) -> None:
    """Write an assignment for every chapter that has exercises; the book must be built."""
    results, labels = Results(), labels_of_book()
    for path in chapters():
        notebook = nbformat.read(path, as_version=4)
        if not any(isinstance(item, Exercise) for item in read(notebook)):
            continue
        target = out / path.stem / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(assignment(notebook, glued(results.get(path)), labels), target)
        print(target)


if __name__ == "__main__":
    main()
