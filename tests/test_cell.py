"""One exercise run by itself: which of the chapter's statements it depends on, and what its reader is told."""

import pytest

from ldp_book._cell import LONGEST, pick, run


@pytest.mark.parametrize(
    ("statements", "source", "kept"),
    [
        (["a = 1", "b = 2", "c = a"], "c", [0, 2]),
        (["a = 1", "a = 2"], "a", [1]),  # what is gone is not needed
        (["a = 1", "b = a", "a = 2"], "a + b", [0, 1, 2]),  # each use has the value of its own time
        (["a = 1", "a += 1"], "a", [0, 1]),
        (["a = [1]", "a.append(2)", "a[0] = 3", "a.clear"], "a", [0, 1, 2]),
        (["import heapq", "a = [2, 1]", "heapq.heapify(a)", "heapq.heapify([3])"], "heapq.heappop(a)", [0, 1, 2]),
        (["a = {}", "for i in range(3):\n    a[i] = i"], "a", [0, 1]),
        (["a = 1", "if a > 1:\n    b = 1", "b = 2", "if a:\n    b = 3"], "b", [0, 2, 3]),  # perhaps is not surely
        (["def f():\n    return g()", "def g():\n    return k", "k = 1"], "f()", [0, 1, 2]),  # looked up when called
        (["k = 1", "def f():\n    return k", "x = f()", "k = 2"], "x, f()", [0, 1, 2, 3]),
        (["i = 7", "a = [i for i in range(3)]", "b = (lambda i: i)(1)"], "a, b", [1, 2]),  # a name of their own
        (["import math", "import os.path", "from math import sqrt as root"], "math.pi + root(2)", [0, 2]),
        (["n = 0", "def count():\n    global n\n    n += 1"], "n", [0, 1]),
        (["class A:\n    size = 3", "k = 4"], "A.size", [0]),
        (["a = b = 1", "c, (d, *e) = 1, (2, 3)"], "b + d", [0, 1]),
    ],
)
def test_what_a_cell_depends_on_is_kept_in_its_order_and_nothing_else(statements, source, kept):
    assert pick(statements, source) == [statements[place] for place in kept]


def test_what_a_cell_prints_and_shows_is_told_but_not_what_the_chapter_prints():
    found = run(["a = print('before') or 2"], "print('now', a)\na + 1")
    assert found == {"text": "now 2\n3", "right": None, "stopped": False, "missing": ""}
    assert run([], "a = 1")["text"] == ""


def test_a_verdict_is_told():
    check = "from ldp_book.chapter import check"
    for value, right in (("1", True), ("2", False)):
        found = run([check], f"def one():\n    return {value}\n\ncheck(one, ((), 1))")
        assert found["right"] is right
        assert found["text"].startswith("Right." if right else "Not yet: it gives 2")


def test_nothing_lingers_from_one_run_to_the_next():
    statements = ["kept = [1]"]
    assert run(statements, "kept.append(2)\nlen(kept)")["text"] == "2"
    assert run(statements, "len(kept)")["text"] == "1"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (
            "def f(x):\n    return x / 0\n\nf(1)",
            "Line 4: f(1)\nLine 2: return x / 0\nZeroDivisionError: division by zero",
        ),
        ("a = 1\nb = = 2", "Line 2: b = = 2\nSyntaxError: invalid syntax"),
        ("unheard_of", "Line 1: unheard_of\nNameError: name 'unheard_of' is not defined"),
        ("import sys\nsys.exit(1)", "Line 2: sys.exit(1)\nSystemExit: 1"),
        ("raise KeyboardInterrupt", "Line 1: raise KeyboardInterrupt\nKeyboardInterrupt"),
    ],
)
def test_an_error_is_told_in_a_few_lines_of_the_cell(source, told):
    found = run([], source)
    assert (found["text"].splitlines(), found["right"], found["stopped"]) == (told.splitlines(), None, True)


def test_an_error_above_the_cell_is_not_laid_at_its_door():
    found = run(["a = 1 / 0"], "a")
    assert found["text"] == "In the chapter's code above the exercise:\nZeroDivisionError: division by zero"


def test_a_module_that_is_not_there_is_named():
    assert run(["import no_such_module.part"], "no_such_module")["missing"] == "no_such_module"
    assert run(["import math"], "math.pi")["missing"] == ""


def test_long_output_is_cut():
    assert len(run([], "print('x' * 100_000)")["text"]) <= LONGEST + 2
