"""Exercises as nbgrader assignments: all chapters convert; solutions pass their tests, blanks fail."""

import ast
import re
import subprocess
import sys

import nbformat
import pytest

from tools import assignments
from tools.toc import ROOT, chapters

CHAPTERS = [
    path
    for path in chapters()
    if any(isinstance(item, assignments.Exercise) for item in assignments.read(nbformat.read(path, as_version=4)))
]
BETWEEN = re.compile(r"### BEGIN (SOLUTION|HIDDEN TESTS)\n.*?### END \1", re.DOTALL)


def made(path):
    return assignments.assignment(nbformat.read(path, as_version=4), {}, {})


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_exercise_becomes_graded_cells(path):
    notebook = made(path)
    nbformat.validate(notebook)
    marks = [cell.metadata.nbgrader for cell in notebook.cells if "nbgrader" in cell.metadata]
    ids = [mark.grade_id for mark in marks]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-zA-Z0-9_\-]+", name) for name in ids), "nbgrader's alphabet"
    exercises = [i for i in assignments.read(nbformat.read(path, as_version=4)) if isinstance(i, assignments.Exercise)]
    assert sum(mark.get("points", 0) for mark in marks) == sum(e.level for e in exercises)
    assert sum(mark.solution for mark in marks) == len(exercises)
    source = "\n".join(cell.source for cell in notebook.cells)
    assert "{solution" not in source
    assert not any(cell.source.startswith(("quiz(", "number(")) for cell in notebook.cells)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            ast.parse(cell.source)


@pytest.mark.data
@pytest.mark.filterwarnings(
    "ignore::ldp_core.datasets.DataNotice"
)  # a chapter says on its page where its rows come from
@pytest.mark.parametrize("name", ["randomized-response", "many-dimensions", "naive-bayes"])
def test_solutions_pass_and_blanks_fail(name):
    path = next(path for path in CHAPTERS if path.stem == name)
    blank = {}  # what students' notebooks know when a test runs
    known = {"__name__": "__main__", "display": lambda *_, **__: None}
    tested = 0
    for cell in made(path).cells:
        if cell.cell_type != "code":
            continue
        mark = cell.metadata.get("nbgrader")
        code = re.sub(r"^live\(", "(lambda *a, **k: None)(", cell.source, flags=re.M)
        if mark and mark.solution:
            blank = dict(known)
            exec(BETWEEN.sub("", code), blank)  # nbgrader takes the solution out
            exec(code, known)
        elif mark and mark.grade:
            with pytest.raises((AssertionError, NameError, TypeError)):
                exec(code, blank)
            exec(code, known)
            tested += 1
        else:
            exec(code, known)
    assert tested >= 3


@pytest.mark.site
def test_the_command_writes_every_chapter_that_has_exercises(tmp_path):
    """As `make assignments` runs it: in a process of its own, after the book was built."""
    code = f"from pathlib import Path; from tools import assignments; assignments.main(Path({str(tmp_path)!r}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert {path.name for path in tmp_path.glob("*/*.ipynb")} == {path.name for path in CHAPTERS}
    text = next(tmp_path.glob("*/randomized-response.ipynb")).read_text(encoding="utf-8")
    assert "{glue:text}" not in text


def test_an_exercise_without_a_level_is_refused():
    cell = nbformat.v4.new_markdown_cell(":::{exercise} Title\n:label: ex-x\nText\n:::")
    with pytest.raises(ValueError, match="label and a level"):
        list(assignments.read(nbformat.v4.new_notebook(cells=[cell])))
