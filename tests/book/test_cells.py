"""Every exercise of every chapter, run as its page runs it: with the worked solution it is right, as it stands not yet.

The page's Python is Pyodide; this one is CPython, with the same code in the same order (:func:`ldp_core._cell.run`), so
that each exercise gets by with what its page loads, and with the packages that it announces.
"""

import ast
import functools
import json
import os
import subprocess
import sys

import nbformat
import pytest

from ldp_core._cell import pick
from tools.site import cells
from tools.toc import ROOT, chapters

#: Packages that are loaded besides NumPy, by the name they are imported under.
MODULES = {"pandas": "pandas", "scipy": "scipy", "scikit-learn": "sklearn"}
#: What exercises load of them.
LOADS = [(), ("pandas",), ("scipy",), ("pandas", "scikit-learn", "scipy")]
#: Runs exercises in a fresh process, first as they stand, then solved. Tells what came out, and what was imported for
#: them as they stand; a solution may ask for more. What both need of the chapter is run once.
PROGRAM = """
import functools, json, sys
from ldp_core import _cell
space = functools.cache(lambda *statements: fresh(statements))
fresh, _cell._space = _cell._space, lambda statements: space(*statements)
asked = json.load(sys.stdin)
found = {name: [_cell.run(statements, stub)] for name, statements, stub, solution in asked}
modules = sorted({module.split(".")[0] for module in sys.modules})
for name, statements, stub, solution in asked:
    found[name].append(_cell.run(statements, solution))
json.dump([found, modules], sys.stdout)
"""
#: Exercises of the project that have no solution, since they are a form to fill in.
ANSWERS = {"largest_belief": "def largest_belief(epsilon):\n    return math.exp(epsilon) / (1 + math.exp(epsilon))"}


def solved(notebook, source):
    """The cell as a reader hands it in who has found the worked solution."""
    asked = ast.parse(source).body
    wanted = next(node.name for node in asked if isinstance(node, ast.FunctionDef))
    check = [ast.unparse(node) for node in asked if not isinstance(node, ast.FunctionDef)]
    if wanted in ANSWERS:
        return "\n".join([ANSWERS[wanted], *check])
    codes = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    answer = next(code for code in codes[codes.index(source) :] if "verdict = check(" in code)
    given = ast.parse(answer).body
    checked = next(node.value for node in given if isinstance(node, ast.Assign) and "check(" in ast.unparse(node))
    names = {node.id for node in ast.walk(checked.args[0]) if isinstance(node, ast.Name)}
    (used,) = [node.name for node in given if isinstance(node, ast.FunctionDef) and node.name in names]
    code = [ast.unparse(node) for node in given if "verdict" not in ast.unparse(node)]
    return "\n".join([*code, f"{wanted} = {used}", *check])


@functools.cache
def exercises():
    """Name, statements above, the cell as it stands and solved, by what it loads."""
    groups = {}
    for path in chapters():
        notebook = nbformat.read(path, as_version=4)
        statements, found = cells.read(notebook)
        for exercise in found:
            above = statements[: exercise.above]
            loads = tuple(cells.packages(pick(above, exercise.source), exercise.source))
            name = f"{path.relative_to(ROOT).with_suffix('').as_posix()} {exercise.source.split('(')[0]}"
            groups.setdefault(loads, []).append((name, above, exercise.source, solved(notebook, exercise.source)))
    return groups


def test_there_are_exercises_on_nearly_every_chapter():
    assert set(exercises()) == set(LOADS), "every kind is run"
    names = [name for group in exercises().values() for name, *_ in group]
    assert len(names) > 60
    assert len(set(names)) == len(names), "what a reader types is remembered by the function's name"


def test_teachers_are_told_how_much_an_exercise_loads():
    sizes = set()
    for path in chapters():
        statements, found = cells.read(nbformat.read(path, as_version=4))
        sizes |= {cells.size(statements, exercise) for exercise in found}
    least, more, *_, most = sorted(sizes)
    text = (ROOT / "book" / "teach" / "for-teachers.md").read_text(encoding="utf-8")
    assert f"the first run loads {least} MB ({more} to {most} where" in text


@pytest.mark.parametrize("loads", LOADS, ids=lambda loads: "-".join(("numpy", *loads)))
def test_right_with_the_worked_solution_not_yet_as_it_stands_with_what_the_page_loads(loads):
    environment = os.environ | {"LDP_BOOK_OFFLINE": "1", "OMP_NUM_THREADS": "1", "MPLBACKEND": "agg"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], input=json.dumps(exercises()[loads]), capture_output=True, encoding="utf-8",
        env=environment, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    found, modules = json.loads(done.stdout)
    for name, (stub, solution) in found.items():
        assert stub["right"] is False, (name, stub)
        assert "write your answer" in stub["text"], (name, stub)
        assert solution["right"] is True, (name, solution)
    heavy = {*MODULES.values(), "matplotlib", "IPython", "ipywidgets", "requests"} & set(modules)
    assert heavy <= {MODULES[name] for name in loads}
    if len(loads) != 1 or "scipy" not in loads:  # ldp_core.shuffle imports SciPy for some of its bounds only
        assert heavy == {MODULES[name] for name in loads}
