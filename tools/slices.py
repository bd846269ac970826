"""The part of a chapter's code that something needs: its statements, by the names that they give and use.

Which these are, :mod:`ldp_book._cell` finds, as it does for a cell that runs on the page.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from ldp_book import _cell


@dataclass(frozen=True)
class Statement:
    """A statement of a cell, with the comments and blank lines above it."""

    source: str
    node: ast.stmt

    @property
    def sets(self) -> frozenset[str]:
        """Names that it gives a value, or whose value it changes."""
        facts = _cell.facts(self.source)
        return facts.gives | facts.changes

    @property
    def uses(self) -> frozenset[str]:
        """Names that it, or a function in it, looks up."""
        return _cell.facts(self.source).needs

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
        found.append(Statement("\n".join(lines[done : node.end_lineno]), node))
        done = node.end_lineno or done
    return found


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
    return [known[place] for place in _cell.places([statement.source for statement in known], names)]
