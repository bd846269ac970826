"""Edit a chapter as text, and back: python -m tools.chapter text book/local/randomized-response.ipynb.

Notebooks are the source (Binder, Colab and a click open them); text is easier to edit and to review:

    python -m tools.chapter text      book/.../x.ipynb    writes _build/text/x.md (MyST Markdown)
    python -m tools.chapter notebook  book/.../x.ipynb    reads it back, without outputs

Jupytext converts; ours is what it has no option for: cell ids that follow from the text, and answers that stay folded.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from pathlib import Path

import jupytext
import nbformat

from tools.markdown import solved
from tools.toc import ROOT

QUESTION = re.compile(r"(?:.*\n)*?(quiz|number)\(")
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def clean(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Notebook as it is stored: no outputs, one kernel, cell ids that follow from the text (so diffs stay small)."""
    seen: set[str] = set()
    for cell, solution in solved(notebook.cells):
        name = hashlib.sha256((cell.cell_type + cell.source).encode()).hexdigest()[:8]
        while name in seen:
            name = hashlib.sha256(name.encode()).hexdigest()[:8]
        seen.add(name)
        cell["id"] = name
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            if solution or QUESTION.match(cell.source):
                cell.metadata["jupyter"] = {"source_hidden": True}  # in a live notebook too, until asked for
            if QUESTION.match(cell.source):
                cell.metadata["tags"] = ["remove-input"]  # the code of a question holds its answer
    stored: nbformat.NotebookNode = nbformat.v4.new_notebook(
        cells=notebook.cells, metadata={"kernelspec": KERNEL, "language_info": {"name": "python"}}
    )
    stored.nbformat, stored.nbformat_minor = 4, 5
    return stored


def main() -> int:
    """Convert one chapter."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("to", choices=["text", "notebook"])
    parser.add_argument("notebook", type=Path, help="the chapter, book/.../x.ipynb")
    parser.add_argument("--text", type=Path, help="the text, by default _build/text/x.md")
    arguments = parser.parse_args()
    text: Path = arguments.text or ROOT / "_build" / "text" / f"{arguments.notebook.stem}.md"
    if arguments.to == "text":
        text.parent.mkdir(parents=True, exist_ok=True)
        jupytext.write(nbformat.read(arguments.notebook, as_version=4), text, fmt="md:myst")
        print(text)
    else:
        notebook = clean(jupytext.read(text, fmt="md:myst"))
        nbformat.validate(notebook)
        nbformat.write(notebook, arguments.notebook)
        print(arguments.notebook)
    return 0


if __name__ == "__main__":
    sys.exit(main())
