"""The table of contents: which pages there are, and where their sources are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import yaml

#: The book's folder.
ROOT = Path(__file__).resolve().parent.parent


def _toc(root: Path) -> dict[str, Any]:
    toc: dict[str, Any] = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    return toc


def contents(root: Path = ROOT) -> list[str]:
    """Pages of the table of contents, in reading order."""
    return [_toc(root)["root"], *(name for name, _ in parts(root))]


def parts(root: Path = ROOT) -> list[tuple[str, str]]:
    """Each page after the first, with the title of the part that it stands in."""
    return [(page["file"], part["caption"]) for part in _toc(root)["parts"] for page in part["chapters"]]


def chapters(root: Path = ROOT) -> list[Path]:
    """Notebooks of the table of contents, in reading order."""
    return [path for name in contents(root) if (path := root / f"{name}.ipynb").is_file()]


def texts(root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """Name and Markdown of every page."""
    return ((name, text(root, name)) for name in contents(root))


def text(root: Path, name: str) -> str:
    """Markdown of a page, a notebook's without its code; empty if the page has no source of its own."""
    notebook, plain = root / f"{name}.ipynb", root / f"{name}.md"
    if notebook.is_file():
        return markdown(notebook)
    return plain.read_text(encoding="utf-8") if plain.is_file() else ""


def markdown(path: Path) -> str:
    """Text of a notebook."""
    cells = nbformat.read(path, as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
