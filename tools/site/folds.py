"""What a first look at a chapter need not see is folded on its page: imports, and code longer than a screen."""

from __future__ import annotations

import ast
from copy import deepcopy

from nbformat import NotebookNode

#: Lines from which imports, and other code, are folded.
IMPORTS, LONG = 5, 30


def fold(notebook: NotebookNode) -> None:
    """Fold a chapter's imports, as one cell of that name, and its long cells; solutions are closed anyway."""
    cells, solution = [], False
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            solution = (solution or "{solution-start}" in cell.source) and "{solution-end}" not in cell.source
        elif cell.cell_type == "code" and not solution and not cell.metadata.get("tags"):
            imports, rest = split(cell.source)
            if len(imports) >= IMPORTS and rest:
                first = deepcopy(cell)
                first.id, first.source, first.outputs = f"{cell.id}-imports", "\n".join(imports), []
                cells.append(_folded(first, "Imports"))
                cell.source = "\n".join(rest)
            elif len(imports) >= IMPORTS:
                _folded(cell, "Imports")
            if "hide-input" not in cell.metadata.get("tags", []) and (size := cell.source.count("\n") + 1) >= LONG:
                _folded(cell, f"Show {size} lines of code")
        cells.append(cell)
    notebook.cells = cells


def split(source: str) -> tuple[list[str], list[str]]:
    """The lines of a cell up to its last import, and those below; no imports if something else comes first."""
    lines, end = source.splitlines(), 0
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a command of the notebook's own, such as %pip
        return [], lines
    for node in body:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            break
        end = node.end_lineno or end
    return lines[:end], "\n".join(lines[end:]).strip("\n").splitlines()


def _folded(cell: NotebookNode, prompt: str) -> NotebookNode:
    cell.metadata["tags"] = ["hide-input"]
    cell.metadata["mystnb"] = {"code_prompt_show": prompt} | dict(cell.metadata.get("mystnb", {}))
    return cell
