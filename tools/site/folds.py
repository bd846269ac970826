"""What a first look at a chapter need not see is folded on its page: imports, and code longer than a screen.

A chapter that opens with a live figure shows it first: its imports are folded with the figure's code, which they are
the first lines of. Any other fold of a figure's code, and this one, stands below the picture (book/assets/book.js).
"""

from __future__ import annotations

import ast
import re
from copy import deepcopy

from nbformat import NotebookNode

from tools.markdown import solved
from tools.plain import prompt

#: Lines from which imports, and other code, are folded.
IMPORTS, LONG = 5, 30
#: What a fold is called, closed and open: a triangle before it says which.
PROMPTS = ("code_prompt_show", "code_prompt_hide")


def fold(notebook: NotebookNode) -> None:
    """Fold a chapter's imports, as one cell of that name, and its long cells; solutions are closed anyway."""
    cells: list[NotebookNode] = []
    for cell, solution in solved(opened(notebook.cells)):
        if "hide-output" in cell.metadata.get("tags", []):
            cell.metadata["mystnb"] = dict.fromkeys(PROMPTS, "What comes out") | dict(cell.metadata.get("mystnb", {}))
        if "hide-input" in cell.metadata.get("tags", []):
            _folded(cell, re.sub("^Show the (code|imports).*", lambda found: found[1].capitalize(), prompt(cell)))
        if cell.cell_type == "code" and not solution and not cell.metadata.get("tags") and draws(cell.source):
            _folded(cell, "Code")
        elif cell.cell_type == "code" and not solution and not cell.metadata.get("tags"):
            imports, rest = split(cell.source)
            if len(imports) >= IMPORTS and 0 < len(rest) < LONG:
                first = deepcopy(cell)
                first.id, first.source, first.outputs = f"{cell.id}-imports", "\n".join(imports), []
                cells.append(_folded(first, "Imports"))
                cell.source = "\n".join(rest)
            elif len(imports) >= IMPORTS:
                _folded(cell, "Imports")
            if "hide-input" not in cell.metadata.get("tags", []) and (size := cell.source.count("\n") + 1) >= LONG:
                _folded(cell, f"{size} lines of code")
        cells.append(cell)
    notebook.cells = cells


def opened(cells: list[NotebookNode]) -> list[NotebookNode]:
    """Fold a chapter's imports with the code of the figure that opens it."""
    codes = (i for i, cell in enumerate(cells) if cell.cell_type == "code" and len(split(cell.source)[0]) >= IMPORTS)
    at = next(codes, len(cells))
    if at + 1 >= len(cells) or not is_live(cells[at + 1]):
        return cells
    imports, figure = cells[at : at + 2]
    figure.source, figure.outputs = f"{imports.source}\n\n\n{figure.source}", [*imports.outputs, *figure.outputs]
    figure.metadata["tags"] = ["hide-input"]
    return [*cells[:at], *cells[at + 1 :]]


def draws(source: str) -> bool:
    """Tell whether code does nothing but draw one figure: it calls ``show``, after functions named draw_… at most."""
    *functions, call = ast.parse(source).body or [ast.Pass()]
    return ast.unparse(call).startswith("show(") and all(
        isinstance(node, ast.FunctionDef) and node.name.startswith("draw_") for node in functions
    )


def is_live(cell: NotebookNode) -> bool:
    """Tell whether a cell's result is a figure that moves."""
    results = [output.get("data", {}).get("text/html", "") for output in cell.get("outputs", [])]
    return any('<figure class="lf-figure lf-live"' in "".join(html) for html in results)


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
    cell.metadata["mystnb"] = dict(cell.metadata.get("mystnb", {})) | dict.fromkeys(PROMPTS, prompt)
    return cell
