"""What a piece of code needs of the code before it."""

import pytest

from tools.slices import free, join, needed, statements


@pytest.mark.parametrize(
    ("source", "sets", "uses"),
    [
        ("a = b", {"a"}, {"b"}),
        ("a += b", {"a"}, {"a", "b"}),
        ("import numpy as np", {"np"}, set()),
        ("def f(x, y=c):\n    z = x + g\n    return lambda w: w + h + z", {"f"}, {"c", "g", "h"}),
        ("a = [f(x) for x in b]", {"a"}, {"f", "b"}),
        ("class A(B):\n    def m(self):\n        return c", {"A"}, {"B", "c", "__name__"}),
        ("a.b[0] = c", {"a"}, {"a", "c"}),
        ("a.append(b)", {"a", "b"}, {"a", "b"}),
        ("for x in b:\n    a[x] = c", {"a", "x"}, {"a", "b", "c", "x"}),
        ("with open(p) as f:\n    a = f.read()", {"a", "f"}, {"open", "p", "f"}),
        ("assert a", set(), {"a"}),
        ("print(a)", set(), {"print", "a"}),
        ("@d\ndef f(): pass", {"f"}, {"d"}),
    ],
)
def test_names_of_a_statement(source, sets, uses):
    (statement,) = statements(source)
    assert (statement.sets, statement.uses) == (sets, uses)


def test_what_is_needed_is_kept_as_written_with_its_comments():
    wanted = "# two lines\n# of comment\ndef area(r):\n    return factor * r\n\n\nfactor = math.pi"
    code = statements(f"import math\n\n# of no use\nx = 1\n\n\n{wanted}\nprint(x)")
    assert join(needed(code, {"area"})) == f"import math\n\n\n{wanted}"


def test_what_code_sets_itself_it_needs_from_nobody():
    assert free(statements("a = b\nc = a\nb += 1\nd = e\ne = 2")) == {"b", "e"}


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("a = 1\nb = a\na = c = 2", ["a = 1", "b = a"]),  # what comes later cannot matter
        ("def b(): return a\na = 1", ["def b(): return a", "a = 1"]),  # here it can
        ("b = lambda: a\na = 1", ["b = lambda: a", "a = 1"]),
        ("b = [a for _ in c]\na = 1", ["b = [a for _ in c]"]),
        ("b = []\nb.append(1)\nlen(b)", ["b = []", "b.append(1)"]),
        ("import b\nb.options(1)", ["import b"]),
    ],
)
def test_statements_that_a_name_needs(source, kept):
    assert [s.source for s in needed(statements(source), {"b"})] == kept
