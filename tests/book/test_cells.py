"""Every exercise of every chapter, run as its page runs it: right with the worked solution, and with nothing else.

The page's Python is Pyodide; this one is CPython, with the same code in the same order (:func:`ldp_book._cell.run`), so
that each exercise gets by with what its page loads, and with the packages that it announces.

Nothing else: as it stands; a constant; the worked solution off by 1 %; and what its own text warns of, which stands in
``tests/wrong_answers/NAME.py`` as functions ``EXERCISE__what_is_wrong``.
"""

import ast
import functools
import json
import os
import subprocess
import sys

import nbformat
import pytest

from ldp_book._cell import pick
from tools.site import cells
from tools.toc import ROOT, chapters

#: Packages that are loaded besides NumPy, by the name they are imported under.
MODULES = {"pandas": "pandas", "scipy": "scipy", "scikit-learn": "sklearn"}
#: What exercises load of them.
LOADS = [(), ("pandas",), ("scipy",), ("pandas", "scikit-learn", "scipy")]
#: Runs exercises in a fresh process, first as they stand, then each answer. Tells what came out, and what was imported
#: for them as they stand; a solution may ask for more. What all need of the chapter is run once.
PROGRAM = """
import functools, json, sys
from ldp_book import _cell
space = functools.cache(lambda *statements: fresh(statements))
fresh, _cell._space = _cell._space, lambda statements: dict(space(*statements))
asked = json.load(sys.stdin)
found = {name: {"stub": _cell.run(statements, stub)} for name, statements, stub, answers in asked}
modules = sorted({module.split(".")[0] for module in sys.modules})
for name, statements, stub, answers in asked:
    found[name] |= {label: _cell.run(statements, source) for label, source in answers.items()}
json.dump([found, modules], sys.stdout)
"""
#: The worked solution, spoilt: numbers in an answer 1 % larger, unless all are 0; the first case's answer to all cases.
OFF = """
def _off_by_1_percent(right):
    import numpy as np
    def spoil(answer):
        if isinstance(answer, (list, tuple)):
            return type(answer)(map(spoil, answer))
        kind = getattr(np.asarray(answer).dtype, "kind", "O")
        return answer * 1.01 if kind in "iuf" and np.any(np.asarray(answer) != 0) else answer
    return lambda *arguments: spoil(right(*arguments))
"""
CONSTANT = """
def _constant(right):
    first = []
    return lambda *arguments: (first or first.append(right(*arguments)) or first)[0]
"""
WRONG = ROOT / "tests" / "wrong_answers"
#: Exercises whose answer holds no number that could be off.
NO_NUMBERS = {("book/frequency/choosing def pick", "off by 1 %")}
#: Exercises of the project that have no solution, since they are a form to fill in.
ANSWERS = {"largest_belief": "def largest_belief(epsilon):\n    return math.exp(epsilon) / (1 + math.exp(epsilon))"}


def answers(notebook, source, wrong):
    """The cell as readers hand it in: with the worked solution, and with wrong answers, by what is wrong with them."""
    asked = ast.parse(source).body
    function = next(node for node in asked if isinstance(node, ast.FunctionDef))
    check, wanted = [ast.unparse(node) for node in asked if node is not function], function.name
    right = solved(notebook, source, wanted)
    handed_in = {
        "solution": [right, *check],
        "off by 1 %": [right, OFF, f"{wanted} = _off_by_1_percent({wanted})", *check],
        "a constant": [right, CONSTANT, f"{wanted} = _constant({wanted})", *check],
    }
    if not function.args.args:  # what is asked is a constant
        del handed_in["a constant"]
    for name, code in wrong.items():
        exercise, what = name.split("__")
        if exercise == wanted:
            handed_in[what.replace("_", " ")] = [code, f"{wanted} = {name}", *check]
    return {label: "\n".join(code) for label, code in handed_in.items()}


def wrong_answers(path):
    """Functions in the chapter's file of wrong answers, as source, by name."""
    file = WRONG / f"{path.stem}.py"
    if not file.is_file():
        return {}
    text = file.read_text(encoding="utf-8")
    nodes = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return {node.name: ast.get_source_segment(text, node) for node in nodes}


def solved(notebook, source, wanted):
    """The worked solution, under the name that the exercise asks for."""
    if wanted in ANSWERS:
        return ANSWERS[wanted]
    codes = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    answer = next(code for code in codes[codes.index(source) :] if "verdict = check(" in code)
    given = ast.parse(answer).body
    checked = next(node.value for node in given if isinstance(node, ast.Assign) and "check(" in ast.unparse(node))
    names = {node.id for node in ast.walk(checked.args[0]) if isinstance(node, ast.Name)}
    (used,) = [node.name for node in given if isinstance(node, ast.FunctionDef) and node.name in names]
    code = [ast.unparse(node) for node in given if "verdict" not in ast.unparse(node)]
    return "\n".join([*code, f"{wanted} = {used}"])


@functools.cache
def exercises():
    """Name, statements above, the cell as it stands and solved, by what it loads."""
    groups = {}
    for path in chapters():
        notebook = nbformat.read(path, as_version=4)
        statements, found = cells.read(notebook)
        wrong = wrong_answers(path)
        for exercise in found:
            above = statements[: exercise.above]
            loads = tuple(cells.packages(pick(above, exercise.source), exercise.source))
            name = f"{path.relative_to(ROOT).with_suffix('').as_posix()} {exercise.source.split('(')[0]}"
            handed_in = answers(notebook, exercise.source, wrong)
            groups.setdefault(loads, []).append((name, above, exercise.source, handed_in))
    return groups


def test_there_are_exercises_on_nearly_every_chapter():
    assert set(exercises()) == set(LOADS), "every kind is run"
    names = [name for group in exercises().values() for name, *_ in group]
    assert len(names) > 60
    assert len(set(names)) == len(names), "what a reader types is remembered by the function's name"


def test_each_wrong_answer_belongs_to_an_exercise():
    asked = {name.split("def ")[1] for group in exercises().values() for name, *_ in group}
    stems = {path.stem: path for path in chapters()}
    for file in WRONG.glob("*.py"):
        assert file.stem in stems, f"{file.name} is named as no chapter"
        for name in wrong_answers(stems[file.stem]):
            assert name.split("__")[0] in asked, (file.name, name)


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
    for name, came in found.items():
        assert came["stub"]["right"] is False, (name, came["stub"])
        assert "write your answer" in came["stub"]["text"], (name, came["stub"])
        assert came["solution"]["right"] is True, (name, came["solution"])
    wrong = {(name, label): said for name, came in found.items() for label, said in came.items() if label != "solution"}
    passed = {place: said["text"] for place, said in wrong.items() if said["right"] and place not in NO_NUMBERS}
    assert not passed
    assert not {place: said for place, said in wrong.items() if said["stopped"]}, "a wrong answer is one that runs"
    heavy = {*MODULES.values(), "matplotlib", "IPython", "ipywidgets", "requests"} & set(modules)
    assert heavy <= {MODULES[name] for name in loads}
    if len(loads) != 1 or "scipy" not in loads:  # ldp_core.shuffle imports SciPy for some of its bounds only
        assert heavy == {MODULES[name] for name in loads}
