"""Copies of the chapters for readers, wherever they open them: one script makes them for all.

JupyterLab, Colab, Binder and the in-browser kernel show a chapter's source with its directives and the names of its
numbers; :mod:`tools.plain` makes a notebook of it that any of them shows as the page does. What a reader saves in a
copy changes no chapter.

``python -m tools.copies`` writes the copies of ``make lab``; ``--branch`` writes a whole folder for Binder and Colab,
which open a branch of the repository: the workflow *Pages* puts it there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from pybtex.database import parse_file
from pybtex.richtext import Text

from tools import markdown
from tools.plain import plain_notebook
from tools.results import Results, glued, say
from tools.settings import repository
from tools.toc import ROOT, chapters, texts

#: Where `make lab` keeps a reader's copies; not under _build, which `make clean` deletes.
LAB = ROOT / "lab"
#: What was written there, by name: what differs from it is the reader's own.
WRITTEN = ".written.json"
BRANCH = ROOT / "_build" / "notebooks"
#: What the branch holds besides: the environment that Binder builds, and the package.
BESIDES = (".binder", "constraints.txt", "pyproject.toml", "LICENSE", "ldp_core", "livefig", "ldp_book")

README = """\
# Notebooks of the book

Copies of the chapters to run and to change, made by the book's build from its sources: numbers are filled in, and the
sources' markup is turned into text. Binder and Colab open these. Nothing here is edited by hand: a build replaces it.
"""


def copies(results: Results) -> Iterator[tuple[Path, NotebookNode]]:
    """Every chapter as a reader's copy, with numbers from the results, and its path inside the book's folder."""
    labels, where = labels_of_book(), repository()
    for path in chapters():
        yield path.relative_to(ROOT), copy(path, glued(results.get(path)), labels, where, in_browser=False)


def copy(
    path: Path, numbers: Mapping[str, str], labels: Mapping[str, str], where: str, in_browser: bool
) -> NotebookNode:
    """One chapter as a reader's copy; for the in-browser kernel it installs what it needs from the site."""
    notebook = nbformat.read(path, as_version=4)
    packages = _packages(notebook) if in_browser else ""
    return plain_notebook(notebook, numbers, labels, packages, address="" if in_browser else where)


def write(notebook: NotebookNode, path: Path) -> None:
    """Write a notebook, in place of what was there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    nbformat.write(notebook, path)


def refresh(made: Iterator[tuple[Path, NotebookNode]], folder: Path) -> list[Path]:
    """Write copies into a folder that a reader works in; what the reader changed stays, and is returned."""
    record, own = folder / WRITTEN, []
    written = _written(record)
    for name, notebook in made:
        path, key = folder / name.relative_to("book"), name.as_posix()
        if path.is_file() and _digest(path) != written.get(key):
            own.append(path)
            continue
        write(notebook, path)
        written[key] = _digest(path)
        # At once and whole: whoever is stopped half-way is not told that the other half is their own work.
        temporary = record.with_suffix(".new")
        temporary.write_text(json.dumps(written, indent=1), encoding="utf-8")
        temporary.replace(record)
    return own


def _written(record: Path) -> dict[str, str]:
    """What was written, as far as that is known: without it, every notebook counts as the reader's own."""
    try:
        found = json.loads(record.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def branch(made: Iterator[tuple[Path, NotebookNode]], folder: Path) -> None:
    """Write what the branch for Binder and Colab holds: copies, the package, and how Binder installs both."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for source in map(ROOT.joinpath, BESIDES):
        if source.is_dir():
            shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(source, folder / source.name)
    (folder / "README.md").write_text(README, encoding="utf-8")
    for name, notebook in made:
        write(notebook, folder / name)


def _packages(notebook: NotebookNode) -> str:
    """What the chapter's kernel needs: scikit-learn and SciPy are large, so only where they are used."""
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    wanted = ["ldp_core", "livefig", "ldp_book", "pandas", "matplotlib", "ipywidgets"]
    if re.search(r"sklearn|ldp_core\.learn", code):
        wanted.append("scikit-learn")
    elif "scipy" in code:
        wanted.append("scipy")
    return " ".join(wanted)


def labels_of_book() -> dict[str, str]:
    """What a plain notebook calls the targets of references: authors and year, titles of exercises and chapters."""
    labels: dict[str, str] = {}
    for key, entry in parse_file(ROOT / "book" / "references.bib").entries.items():
        names = [str(Text.from_latex(" ".join(p.prelast_names + p.last_names))) for p in entry.persons["author"]]
        shown = " and ".join(names) if len(names) < 3 else f"{names[0]} et al."
        labels[key] = f"{shown} {entry.fields['year']}"
    for name, text in texts():
        labels |= {label: title for label, title in markdown.labels(text).items() if title}
        title = next(title for level, _, title in markdown.headings(text) if level == 1)
        labels |= dict.fromkeys((name, f"/{name}", Path(name).name), title)
    return labels


def main() -> int:
    """Write copies, and say where they are."""
    parser = argparse.ArgumentParser(prog="python -m tools.copies", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--branch", action="store_true", help="write what Binder and Colab open, into _build/notebooks")
    try:
        made = copies(Results())
        if parser.parse_args().branch:
            branch(made, BRANCH)
            say(f"Notebooks for Binder and Colab: {BRANCH}")
            return 0
        for path in refresh(made, LAB):
            say(f"Kept as you left it: {path} (delete it for a fresh copy)")
    except LookupError as error:
        print(error, file=sys.stderr)
        return 1
    say(f"Notebooks to work in: {LAB}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
