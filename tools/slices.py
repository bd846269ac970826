"""The part of a chapter's code that something needs: its statements, by the names that they set and use.

What a statement looks up at once was set before it; what a function looks up may be set later. Every statement that may
have set a needed name is kept: too much perhaps, never too little, as long as code changes only what it names.
"""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Statement:
    """A statement of a cell, with the comments and blank lines above it.

    Attributes
    ----------
    source : str
        As it is written.
    sets, uses, later : frozenset of str
        Names outside of functions that it binds or changes; those that it, or a function in it, looks up; those of
        them that only a function does, when it is called.
    node : ast.stmt
        What it is.
    """

    source: str
    sets: frozenset[str]
    uses: frozenset[str]
    later: frozenset[str]
    node: ast.stmt

    @property
    def imports(self) -> bool:
        """Whether it is an import."""
        return isinstance(self.node, ast.Import | ast.ImportFrom)


def statements(source: str) -> list[Statement]:
    r"""Cut a cell into its statements.

    Examples
    --------
    >>> [(sorted(s.sets), sorted(s.uses)) for s in statements("x = f(y)\nx[0] = 1\nprint(x)")]
    [(['x'], ['f', 'y']), (['x'], ['x']), ([], ['print', 'x'])]
    """
    lines, found, done = source.split("\n"), [], 0
    for node in ast.parse(source).body:
        text = "\n".join(lines[done : node.end_lineno])
        done = node.end_lineno or done
        table = symtable.symtable(ast.unparse(node), "cell", "exec")
        bound = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}
        read = {s.get_name() for s in table.get_symbols() if s.is_referenced()}
        inside = {name for inner in table.get_children() for name in _globals(inner)}
        changed = set(_changed(node))
        read |= changed
        lazy = isinstance(node, ast.FunctionDef) or any(isinstance(part, ast.Lambda) for part in ast.walk(node))
        at_once = read if lazy else read | inside  # a comprehension, or the body of a class
        bound -= set(_counted(node))
        found.append(
            Statement(text, frozenset(bound | changed), frozenset(read | inside), frozenset(inside - at_once), node)
        )
    return found


def _globals(table: symtable.SymbolTable) -> Iterator[str]:
    """Names of the module that a function, a class or a comprehension looks up."""
    for symbol in table.get_symbols():
        if symbol.is_global():
            yield symbol.get_name()
    for inner in table.get_children():
        yield from _globals(inner)


def _changed(node: ast.AST) -> Iterator[str]:
    """Names of objects that a statement changes: it sets an item or an attribute, adds to them, calls a method."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
        return
    if isinstance(node, ast.AugAssign):
        yield from _root(node.target)
    elif isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
        yield from _root(node)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
        yield from _root(node.value.func)
    for child in ast.iter_child_nodes(node):
        yield from _changed(child)


def _counted(node: ast.AST) -> Iterator[str]:
    """Variables of loops: nothing looks at them afterwards."""
    for loop in ast.walk(node):
        if isinstance(loop, ast.For):
            yield from (name.id for name in ast.walk(loop.target) if isinstance(name, ast.Name))


def _root(node: ast.AST) -> Iterator[str]:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


def join(code: Iterable[Statement]) -> str:
    """Put statements together again."""
    return "\n".join(statement.source for statement in code).strip("\n")


def free(code: Iterable[Statement]) -> set[str]:
    """Names that code looks up before it sets them itself."""
    found: set[str] = set()
    known: set[str] = set()
    for statement in code:
        found |= statement.uses - known
        known |= statement.sets
    return found


def needed(code: Iterable[Statement], names: Iterable[str]) -> list[Statement]:
    r"""Return the statements of some code that names need that are looked up at its end.

    Examples
    --------
    >>> [s.source for s in needed(statements("a = 1\nb = a + 1\nc = 2\na = c"), {"b"})]
    ['a = 1', 'b = a + 1']
    """
    known = list(code)
    modules = {name for statement in known if statement.imports for name in statement.sets}
    found: set[int] = set()
    waiting = [(name, len(known)) for name in names]
    done: set[tuple[str, int]] = set()
    while waiting:
        name, end = waiting.pop()
        if (name, end) in done:
            continue
        done.add((name, end))
        for i, statement in enumerate(known[:end]):
            # To call a module's function does not change the module.
            if name in statement.sets and (statement.imports or name not in modules) and i not in found:
                found.add(i)
                waiting += [(used, len(known) if used in statement.later else i) for used in statement.uses]
    return [known[i] for i in sorted(found)]
