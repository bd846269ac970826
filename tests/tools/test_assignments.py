"""Exercises as nbgrader assignments, all of them: right answers get all points, anything else gets none.

nbgrader brings a server, a database and forty packages along, so its rules are imitated here: those of ClearSolutions,
ClearHiddenTests and determine_grade in nbgrader 0.9.6, with which the whole way was gone by hand.
"""

import ast
import contextlib
import io
import re
import subprocess
import sys
import warnings

import nbformat
import pytest

from tools import assignments
from tools.toc import ROOT, chapters

CHAPTERS = [path for path in chapters() if "{exercise}" in path.read_text(encoding="utf-8")]
STUB = "# YOUR CODE HERE\n{0}raise NotImplementedError()\n"
WRONG = "12345.678"
#: What a student may write to be graded by something else than the test.
TAMPERED = """
class Agreeable:
    def __init__(self, *_, **__): pass
    def respond(self, answer): return True, ""
def check(*_, **__): return True
def number(*_, **__): return Agreeable()
def abs(_): return 0
"""
AGREEABLE_NUMBER = """
class Any(float):
    __sub__ = __rsub__ = __mul__ = lambda *_: 0.0
    __le__ = __ge__ = __eq__ = lambda *_: True
    __hash__ = None
{0} = Any(0.123456)
"""


def released(source):
    """As ClearSolutions and ClearHiddenTests leave a cell."""
    source = re.sub(
        r"^( *)### BEGIN SOLUTION\n.*?### END SOLUTION\n?",
        lambda m: m[1] + STUB.format(m[1]),
        source,
        flags=re.M | re.S,
    )
    return re.sub(r"^### BEGIN HIDDEN TESTS\n.*?### END HIDDEN TESTS", "", source, flags=re.M | re.S)


def grade(source, namespace, points):
    """As determine_grade reads the outputs of a test: an error or anything on stderr is 0, a number is that."""
    errors = io.StringIO()
    with warnings.catch_warnings(record=True) as warned, contextlib.redirect_stderr(errors):
        warnings.simplefilter("always")
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                result = assignments.run(source, namespace)
        except Exception:
            return 0
    return 0 if errors.getvalue() or warned else points if result is None else float(result)


def attempts(answer, name, test):
    """What students hand in who do not know the answer."""
    blank = released(answer)
    yield blank
    if answer.startswith("#"):
        yield f"{name} = {WRONG}"
        yield f"{name} = {WRONG}\n{TAMPERED}"
        yield AGREEABLE_NUMBER.format(name)
        return
    wrong = blank.replace("raise NotImplementedError()", "return {}")
    yield wrong.format(WRONG)
    yield f"{wrong.format(WRONG)}\n{TAMPERED}"
    if call := re.search(r"^verdict = (check\(.*\))$", released(test), re.M):  # what the visible case wants
        yield wrong.format(ast.unparse(ast.parse(call[1]).body[0].value.args[1].elts[1]))


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.data] * ("datasets" in path.read_text(encoding="utf-8")))
        for path in CHAPTERS
    ],
)
def test_right_answers_get_all_points_and_others_none(path):
    chapter = nbformat.read(path, as_version=4)
    notebook = assignments.assignment(chapter, {}, {})
    nbformat.validate(notebook)
    namespace, answer, name, given = {"__name__": "__main__"}, "", "", []
    for cell in notebook.cells:
        mark = cell.metadata.get("nbgrader", {})
        if cell.cell_type != "code":
            continue
        if mark.grade:
            for attempt in attempts(answer, name, cell.source):
                trial = dict(namespace)
                with contextlib.suppress(Exception):  # nbgrader goes on after an error
                    assignments.run(attempt, trial)
                assert grade(cell.source, trial, mark.points) == 0, attempt
            assignments.run(answer, namespace)
            assert grade(cell.source, namespace, mark.points) == mark.points
            assert grade(released(cell.source), dict(namespace), mark.points) == mark.points, "the visible part"
            given.append(mark.points)
        elif mark.solution:
            answer, name = cell.source, mark.grade_id
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                assignments.run(cell.source, namespace)
    exercises = [item for item in assignments.read(chapter) if isinstance(item, assignments.Exercise)]
    assert sum(given) == sum(exercise.level for exercise in exercises)

    ids = [cell.metadata.nbgrader.grade_id for cell in notebook.cells if "nbgrader" in cell.metadata]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-zA-Z0-9_\-]+", name) for name in ids), "nbgrader's alphabet"
    text = "\n".join(released(cell.source) for cell in notebook.cells)
    for word in ("SOLUTION", "HIDDEN", "{solution", "quiz(", "number(", "explain=", "live(", "show("):
        assert word not in text
    solutions = re.findall(
        r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", "\n".join(c.source for c in notebook.cells), re.S
    )
    assert not [solution for solution in solutions if solution.strip() in text]


@pytest.mark.site
def test_the_command_writes_every_chapter_that_has_exercises(tmp_path):
    """As `make assignments` runs it, after the book was built; one chapter, for the time that all take."""
    code = (
        "import sys; from pathlib import Path; from tools import assignments; assignments.chapters = lambda: "
        f"[p for p in map(Path, {[str(p) for p in CHAPTERS]!r}) if p.stem == 'randomized-response']; "
        "assignments.main(Path(sys.argv[1]))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    name, course, _ = done.stdout.splitlines()
    assert (name, course) == ("    randomized-response", f"==> A course for nbgrader: {tmp_path}"), "and nothing else"
    (written,) = tmp_path.glob("source/*/*.ipynb")
    assert written.parent.name == written.stem == "randomized-response"
    assert "{glue:text}" not in written.read_text(encoding="utf-8")
    compile((tmp_path / "nbgrader_config.py").read_text(encoding="utf-8"), "config", "exec")


@pytest.mark.parametrize("grading", [True, False])
def test_where_the_package_is_missing_nothing_is_graded_and_a_student_is_told(grading):
    source = assignments.FIRST
    code = f"import os, sys\nsys.modules['ldp_book'] = None\nos.environ.pop('NBGRADER_EXECUTION', None)\n{source}"
    code = code.replace(".pop('NBGRADER_EXECUTION', None)", "['NBGRADER_EXECUTION'] = 'autograde'") if grading else code
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert ("nothing was graded" in done.stderr) == grading, "and the kernel is gone: nbgrader reports a failure"
    assert ("run %pip install" in done.stderr) != grading


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([":::{exercise} Title\n:label: ex-x\nText\n:::"], "label and a level"),
        ([":::{exercise} T (level 1)\n:label: ex-x\nText\n:::", ":::{solution} ex-x\nYes.\n:::"], "needs a number"),
    ],
)
def test_an_exercise_that_cannot_be_graded_is_refused(cells, message):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text) for text in ["# T", *cells]])
    with pytest.raises(ValueError, match=message):
        assignments.assignment(notebook, {}, {})


def test_a_worked_solution_that_fails_is_refused():
    make = nbformat.v4
    cells = [
        make.new_markdown_cell("# T\n\n:::{exercise} T (level 2)\n:label: ex-x\nText\n:::"),
        make.new_code_cell("from ldp_book.chapter import check\n\ndef f(x):\n    return None\n\n\ncheck(f, ((1,), 2))"),
        make.new_markdown_cell(":::{solution-start} ex-x\n:::"),
        make.new_code_cell("def s(x):\n    return 3 * x\n\n\nverdict = check(s, ((1,), 2))"),
        make.new_markdown_cell(":::{solution-end}\n:::"),
    ]
    with pytest.raises(ValueError, match="f: its worked solution does not pass"):
        assignments.assignment(make.new_notebook(cells=cells), {}, {})
