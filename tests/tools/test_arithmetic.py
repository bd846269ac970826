"""What looks alike in Python and JavaScript and is not is refused, in words that name the line."""

import types

import pytest

from ldp_core.plan import _survey
from tools.site import arithmetic


def module(body, monkeypatch):
    monkeypatch.setattr(arithmetic.inspect, "getsource", lambda _: f"def _f(x, y, up: bool):\n    {body}\n")
    return types.SimpleNamespace(__name__="made.up")


@pytest.mark.parametrize(
    "body",
    [
        "return x // y", "return x % y", "return [x] + y", "return x[-1]", "return 1 if x else 2", "return x and y",
        "x += [y]", "return x if not y else up", "return sum(x)", "return math.gamma(x)", "return math.log(x, y)",
        "return [z for z in x]", "return f'{x:.3f}'", "return f'{x!r}'", "for i in x: pass", "x.y = 1", "return {x: y}",
        "return x in y", "return round(x)", "return min(x)", "return x[1:]", "global x", "return other(x)",
        "while x > y: break",
    ],
)  # fmt: skip
def test_what_is_not_of_the_subset_is_refused(body, monkeypatch):
    with pytest.raises(ValueError, match="line 2: not translated"):
        arithmetic.translate(module(body, monkeypatch), {"f": "_f"})


def test_names_are_declared_and_python_is_gone():
    made = arithmetic.translate(_survey, {"planSurvey": "_plan"})
    assert "function _plan(question, n, epsilon" in made
    assert '"use strict"' in made
    assert "return { planSurvey: _plan };" in made
    assert not any(word in made for word in ("None", "elif", " math.", "(math.", " True", "survey("))
