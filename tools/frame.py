"""A new chapter to start from: make frame NAME=numeric/medians, or python -m tools.frame numeric/medians "Medians".

It has every part that a chapter must have, in order, executes as it stands, and says nothing yet.
"""

from __future__ import annotations

import argparse
import re
import sys

import jupytext
import nbformat

from tools.chapter import clean
from tools.toc import ROOT


def frame(name: str, title: str) -> nbformat.NotebookNode:
    """Make the notebook of a name, such as ``numeric/medians``, and a title."""
    text = (ROOT / "tools" / "frame.md").read_text(encoding="utf-8")
    for word, value in (("LABEL", name.rpartition("/")[2]), ("TITLE", title)):
        text = text.replace(word, value)
    return clean(jupytext.reads(text, fmt="md:myst"))


def main() -> int:
    """Write it, unless there is one of that name."""
    parser = argparse.ArgumentParser(prog="python -m tools.frame", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("name", help="folder and file in book, such as numeric/medians")
    parser.add_argument("title", nargs="?", default="", help="what stands at its top")
    arguments = parser.parse_args()
    if not re.fullmatch(r"[a-z]+/[a-z0-9-]+", arguments.name):
        print(f"NAME must be a folder and a file, such as numeric/medians; got {arguments.name!r}", file=sys.stderr)
        return 1
    path = ROOT / "book" / f"{arguments.name}.ipynb"
    if path.exists():
        print(f"{path} is there already", file=sys.stderr)
        return 1
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(frame(arguments.name, arguments.title or path.stem.replace("-", " ").capitalize()), path)
    print(f"{path}\nNow add it to _toc.yml, and to the weeks in book/course.md; CONTRIBUTING.md goes on from there")
    return 0


if __name__ == "__main__":
    sys.exit(main())
