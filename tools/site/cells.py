"""Exercises that run where they stand: what a page needs for it, besides book/assets/run.js.

The chapter's code above each exercise goes into a file of its own, which a page asks for on the reader's click;
:mod:`ldp_book._cell` picks what the exercise depends on and runs it, in the browser's Python (Pyodide).
"""

from __future__ import annotations

import ast
import json
import re
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL  # type: ignore[import-untyped]
from nbformat import NotebookNode
from sphinx.application import Sphinx

from ldp_book._cell import pick
from tools import toc
from tools.markdown import solved
from tools.packages import wheel_names

#: The tag of an exercise's cell, from which its page makes a class.
TAG = "run-here"
#: Calls that only put something on the page; what they would draw is not wanted here.
SHOWN = {"display", "glue", "live", "number", "one_run", "print", "quiz", "show"}
#: What a cell's first run loads, in MB, rounded up: Python with NumPy, and each of the others.
PYTHON, PACKAGES = 10, {"pandas": 10, "scikit-learn": 10, "scipy": 20}
#: The code that asks for them: the package itself, or a part of ours that does.
ASKS = {
    "scikit-learn": r"\bsklearn\b|\bldp_core\.learn\b|\bwdbc\b",
    "scipy": r"\bscipy\b|\bldp_core\.shuffle\b",
    "pandas": r"\bpandas\b|\bdatasets\b|\bldp_core\.learn\b",
}


@dataclass(frozen=True)
class Exercise:
    """A cell with something to fill in and a check, and how many of the chapter's statements stand above it."""

    source: str
    above: int


def is_exercise(cell: NotebookNode) -> bool:
    """Tell whether a cell is one to fill in: it ends with the check of what the reader wrote."""
    return cell.cell_type == "code" and re.search(r"^check\(", cell.source, re.M) is not None


def read(notebook: NotebookNode) -> tuple[list[str], list[Exercise]]:
    """Go through a chapter: its statements, without solutions and what only shows something, and its exercises."""
    statements: list[str] = []
    found: list[Exercise] = []
    for cell, solution in solved(notebook.cells):
        if is_exercise(cell):
            found.append(Exercise(cell.source, len(statements)))
        elif cell.cell_type == "code" and not solution and "verdict = check(" not in cell.source:
            code = re.sub(r"^(\s*)[%!].*$", r"\1pass", cell.source, flags=re.MULTILINE)
            tree = _Silent().visit(ast.parse(code))
            statements += [ast.unparse(node) for node in tree.body if not isinstance(node, ast.Pass)]
    return statements, found


class _Silent(ast.NodeTransformer):
    """Takes out assertions, and calls that only show something."""

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        """Drop it."""
        return ast.copy_location(ast.Pass(), node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        """Drop a call that shows something."""
        called = node.value.func if isinstance(node.value, ast.Call) else None
        return ast.Pass() if isinstance(called, ast.Name) and called.id in SHOWN else node


def packages(statements: list[str], source: str) -> list[str]:
    """What besides NumPy a cell loads, as far as its code and the chapter's above it tell."""
    code = "\n".join([*statements, source])
    asked = {name for name, asks in ASKS.items() if re.search(asks, code)}
    if "scikit-learn" in asked:
        asked.add("scipy")
    return sorted(asked)


def mark(notebook: NotebookNode) -> None:
    """Let the page know its exercises by a class; they begin empty, without what a check says of no answer."""
    for cell in notebook.cells:
        if is_exercise(cell):
            cell.metadata["tags"], cell.outputs = [*cell.metadata.get("tags", []), TAG], []


@cache
def _chapter(path: Path) -> tuple[list[str], list[Exercise]]:
    return read(nbformat.read(path, as_version=4)) if path.is_file() else ([], [])


def size(statements: list[str], exercise: Exercise) -> int:
    """How much the first run of an exercise loads, in MB, if nothing is there yet."""
    picked = pick(statements[: exercise.above], exercise.source)
    return PYTHON + sum(PACKAGES[name] for name in packages(picked, exercise.source))


def _script(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object) -> None:
    """Give a page with an exercise the script, and tell it where Python is: here, or where JupyterLite has it from."""
    statements, found = _chapter(Path(app.srcdir, f"{pagename}.ipynb"))
    if found:
        own = app.config.html_context["own_pyodide"]
        where = {
            "data-python": "lite/static/pyodide/" if own else f"{PYODIDE_CDN_URL}/",
            "data-wheels": " ".join(f"lite/pypi/{wheel}" for wheel in wheel_names()),
            "data-cells": f"_static/cells/{pagename}.json",
            "data-sizes": " ".join(str(size(statements, exercise)) for exercise in found),
        }
        app.add_js_file("run.js", **({"defer": "defer"} | where))  # type: ignore[arg-type]


def _write(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    shutil.rmtree(Path(app.outdir, "_static", "cells"), ignore_errors=True)  # also of chapters that were moved
    for name in toc.contents(Path(app.srcdir)):
        statements, found = _chapter(Path(app.srcdir, f"{name}.ipynb"))
        if found:
            target = Path(app.outdir, "_static", "cells", f"{name}.json")
            target.parent.mkdir(parents=True, exist_ok=True)
            content = {"statements": statements, "above": [exercise.above for exercise in found]}
            target.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Write the files of the chapters' code, and link the script where it is used."""
    app.connect("html-page-context", _script)  # before tools.site looks at the page's scripts
    app.connect("build-finished", _write)
