"""Run one exercise of a chapter by itself, as a page does in the reader's browser.

A page keeps the chapter's code above the exercise as a list of statements. :func:`pick` finds those that the reader's
code depends on, by name, so that no figure is drawn and no package loaded that it does not need; :func:`run` executes
them and the cell. It needs the standard library only: the browser loads NumPy, pandas and the rest when a statement
asks for them.
"""

from __future__ import annotations

import ast
import contextlib
import dis
import io
import traceback
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from types import CodeType
from typing import Any

#: What the reader's cell is called in a traceback.
CELL = "your cell"
#: Functions that look at their arguments and change none.
LOOKS = {"display", "glue", "len", "print", "repr", "show"}
#: As much of what a cell prints as a page shows.
LONGEST = 4000


def run(statements: Sequence[str], source: str) -> dict[str, Any]:
    """Run a cell after the statements that it depends on; everything is done anew, so that nothing lingers.

    The result has ``text``, what the cell printed and showed, or the end of a traceback; ``right``, the verdict of its
    check, None without one; ``stopped``, whether an error did; ``missing``, the module that was not there.
    """
    printed = io.StringIO()
    right, missing, stopped = None, "", False
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            shown = _execute(source, _space(pick(statements, source)))
            if shown is not None:
                print(shown)
            right = getattr(shown, "right", None)
        except BaseException as error:  # exit() too: whatever stops the cell is what the reader is told
            stopped, missing = True, getattr(error, "name", "") if isinstance(error, ModuleNotFoundError) else ""
            print(_told(error, source))
    text = printed.getvalue().rstrip()
    text = text if len(text) <= LONGEST else f"{text[:LONGEST]} …"
    return {"text": text, "right": right, "stopped": stopped, "missing": str(missing or "")}


def pick(statements: Sequence[str], source: str) -> list[str]:
    """Find the statements that a cell depends on: what gives a name that it needs, and what they need in turn."""
    return [statements[place] for place in places(statements, _needs(compile(source, CELL, "exec")))]


def places(statements: Sequence[str], names: Iterable[str]) -> list[int]:
    """Find where the statements stand that names depend on which are looked up after the last of them."""
    end = len(statements)
    known = [facts(statement) for statement in statements]
    modules = frozenset().union(*(fact.gives for fact in known if fact.imports))
    queue = [(end, name) for name in names]
    kept: set[int] = set()
    seen: set[tuple[int, str]] = set()
    while queue:
        before, name = queue.pop()
        if (before, name) in seen:
            continue
        seen.add((before, name))
        for place in reversed(range(before)):
            fact = known[place]
            if name not in fact.gives | (fact.changes - modules):
                continue
            if place not in kept:
                kept.add(place)
                queue += [(place, need) for need in fact.needs]
                # A function looks names up when it is called, which may be later: what they stand for then is kept too.
                queue += [(k + 1, need) for need in fact.late for k in range(place, end) if need in known[k].gives]
            if name in fact.gives and not fact.perhaps:
                break  # what had this name before is gone
    return sorted(kept)


def _space(statements: Sequence[str]) -> dict[str, Any]:
    """Names that the statements leave behind; what they print and warn of is not the cell's."""
    space: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for statement in statements:
            exec(compile(statement, "the chapter", "exec"), space)
    return space


def _execute(source: str, space: dict[str, Any]) -> Any:
    """Execute a cell and return the value of its last line, if that is an expression."""
    tree = ast.parse(source, CELL)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, CELL, "exec"), space)
    return eval(compile(ast.Expression(last.value), CELL, "eval"), space) if isinstance(last, ast.Expr) else None


def _told(error: BaseException, source: str) -> str:
    """The end of a traceback: where in the reader's cell it happened, and what."""
    lines = source.splitlines()
    frames = traceback.extract_tb(error.__traceback__)
    told = [
        f"Line {frame.lineno}: {lines[frame.lineno - 1].strip()}"
        for frame in frames
        if frame.filename == CELL and frame.lineno and frame.lineno <= len(lines)
    ]
    if not told and any(frame.filename == "the chapter" for frame in frames):
        told = ["In the chapter's code above the exercise:"]
    if isinstance(error, SyntaxError) and error.lineno:
        told = [f"Line {error.lineno}: {(error.text or '').strip()}"]
        return "\n".join([*told, f"{type(error).__name__}: {error.msg}"])
    return "\n".join([*told[-3:], "".join(traceback.format_exception_only(error)).strip()])


@dataclass(frozen=True)
class Facts:
    """Names that a statement gives (perhaps, or by an import), needs, and looks up late; those of what it changes."""

    gives: frozenset[str]
    needs: frozenset[str]
    late: frozenset[str]
    changes: frozenset[str]
    perhaps: bool
    imports: bool


@cache
def facts(statement: str) -> Facts:
    """Read off a statement's compiled code, so that scopes are Python's own."""
    code, tree = compile(statement, "the chapter", "exec"), ast.parse(statement)
    gives = frozenset(_names(code, "STORE_NAME")).union(*(_everywhere(inner, "STORE_GLOBAL") for inner in _inner(code)))
    late = frozenset().union(*map(_needs, _later(code)))
    perhaps = isinstance(tree.body[0], (ast.If, ast.While, ast.Try))
    imports = isinstance(tree.body[0], (ast.Import, ast.ImportFrom))
    return Facts(gives, frozenset(_needs(code)), late, frozenset(_changed(tree)), perhaps, imports)


def _needs(code: CodeType) -> set[str]:
    """Names that code looks up outside itself."""
    return _everywhere(code, "LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS")


def _everywhere(code: CodeType, *operations: str) -> set[str]:
    return _names(code, *operations).union(*(_everywhere(inner, *operations) for inner in _inner(code)))


def _names(code: CodeType, *operations: str) -> set[str]:
    return {step.argval for step in dis.get_instructions(code) if step.opname in operations}


def _inner(code: CodeType) -> list[CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def _later(code: CodeType) -> Iterator[CodeType]:
    """Functions in some code: what is in them is looked up when they are called. A comprehension runs at once."""
    for inner in _inner(code):
        if inner.co_name in ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"):
            yield from _later(inner)
        else:
            yield inner


def _changed(tree: ast.AST) -> Iterator[str]:
    """Names of what a statement changes: by ``x[0] = 1``, or, on its own line, by ``x.append(1)`` or ``fill(x)``."""
    for node in ast.walk(tree):
        targets: list[ast.AST] = []
        if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, (ast.Store, ast.Del)):
            targets = [node]
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            name = node.value.func.id if isinstance(node.value.func, ast.Name) else ""
            targets = [] if name in LOOKS else [*node.value.args]
            targets += [node.value.func] if isinstance(node.value.func, ast.Attribute) else []
        for target in targets:
            while isinstance(target, (ast.Subscript, ast.Attribute)):
                target = target.value
            if isinstance(target, ast.Name):
                yield target.id
