"""What a first look at a chapter need not see is folded on its page: imports, and code longer than a screen.

A chapter that opens with a live figure shows it before its imports, which it needs to run but not to be read.
"""

from __future__ import annotations

import ast
from copy import deepcopy

from nbformat import NotebookNode

#: Lines from which imports, and other code, are folded.
IMPORTS, LONG = 5, 30


def fold(notebook: NotebookNode) -> None:
    """Fold a chapter's imports, as one cell of that name, and its long cells; solutions are closed anyway."""
    cells: list[NotebookNode] = []
    solution, opening = False, None
    for i, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            solution = (solution or "{solution-start}" in cell.source) and "{solution-end}" not in cell.source
        elif cell.cell_type == "code" and not solution and not cell.metadata.get("tags"):
            imports, rest = split(cell.source)
            if len(imports) >= IMPORTS and opening is None:
                opening = i, len(cells)
            if len(imports) >= IMPORTS and rest:
                first = deepcopy(cell)
                first.id, first.source, first.outputs = f"{cell.id}-imports", "\n".join(imports), []
                cells.append(_folded(first, "Imports"))
                cell.source = "\n".join(rest)
            elif len(imports) >= IMPORTS:
                _folded(cell, "Imports")
            if "hide-input" not in cell.metadata.get("tags", []) and (size := cell.source.count("\n") + 1) >= LONG:
                _folded(cell, f"Show {size} lines of code")
        # Right below the chapter's imports: before them and what else their cell does.
        first = opening is not None and opening[0] == i - 1 and is_live(cell)
        cells.insert(opening[1] if opening is not None and first else len(cells), cell)
    notebook.cells = cells


def is_live(cell: NotebookNode) -> bool:
    """Tell whether a cell's result is a figure that moves."""
    results = [output.get("data", {}).get("text/html", "") for output in cell.get("outputs", [])]
    return any('<figure class="ldp-figure ldp-live"' in "".join(html) for html in results)


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
