"""Format the chapters' code: python -m tools.format, or with --check only say what is not as it should be.

Code that a reader sees has lines for a phone in landscape and a projector. What is folded or taken out has the lines of
the package's files, and no call is spread over lines only because it once was.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tools.toc import ROOT, chapters

#: Cells with one of these tags are not in front of a reader.
HIDDEN = {"hide-input", "hide-cell", "remove-input", "remove-cell"}
#: How ruff formats the cells that are seen, and the others.
SEEN = ["line-length=72"]
UNSEEN = ["line-length=120", "format.skip-magic-trailing-comma=true"]


def formatted(paths: list[Path]) -> list[NotebookNode]:
    """Notebooks with each cell as ruff formats it under the settings that it falls under."""
    notebooks = [nbformat.read(path, as_version=4) for path in paths]
    seen, unseen = _by_ruff(notebooks, SEEN), _by_ruff(notebooks, UNSEEN)
    for notebook, narrow, wide in zip(notebooks, seen, unseen, strict=True):
        for cell, short, long in zip(notebook.cells, narrow.cells, wide.cells, strict=True):
            if cell.cell_type == "code":
                hidden = HIDDEN & set(cell.metadata.get("tags", []))
                cell.source = long.source if hidden else short.source
    return notebooks


def _by_ruff(notebooks: Iterable[NotebookNode], settings: list[str]) -> list[NotebookNode]:
    """Copies of the notebooks, all cells formatted alike."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, notebook in enumerate(notebooks):
            files.append(Path(folder) / f"{number}.ipynb")
            nbformat.write(notebook, files[-1])
        command = [sys.executable, "-m", "ruff", "format", "-q", "--no-cache", "--config", str(ROOT / "pyproject.toml")]
        for setting in settings:
            command += ["--config", setting]
        subprocess.run([*command, *map(str, files)], check=True)
        return [nbformat.read(file, as_version=4) for file in files]


def main() -> int:
    """Format, or check."""
    parser = argparse.ArgumentParser(prog="python -m tools.format", description=__doc__)
    parser.add_argument("notebooks", type=Path, nargs="*", help="by default all chapters")
    parser.add_argument("--check", action="store_true", help="change nothing; an error if something would change")
    arguments = parser.parse_args()
    paths = arguments.notebooks or chapters()
    changed = 0
    for path, notebook in zip(paths, formatted(paths), strict=True):
        if notebook != nbformat.read(path, as_version=4):
            changed += 1
            print(f"{'Would reformat' if arguments.check else 'Reformatted'}: {path}")
            if not arguments.check:
                nbformat.write(notebook, path)
    return int(arguments.check and changed > 0)


if __name__ == "__main__":
    sys.exit(main())
