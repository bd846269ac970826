"""Whether anything has changed since the book was built whole: a hash of its sources, and one of the data at hand."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

from ldp_book.datasets import DataUnavailable, fetch
from tools.packages import MODULES
from tools.toc import ROOT

FILE = ROOT / "_build" / "stamp"
#: What the book is made of, besides the packages.
INPUTS = ("book", "tools", "_config.yml", "_toc.yml", "requirements.txt", "constraints.txt", "pyproject.toml")
#: Read by no build.
LEFT_OUT = {"__pycache__", ".ipynb_checkpoints", "tests", "demo"}


def sources(root: Path = ROOT) -> str:
    """Make one text of every source, of what the environment says of this copy, and of Python."""
    said = {name: value for name, value in os.environ.items() if name.startswith("LDP_BOOK_")}
    digest = hashlib.sha256(f"{sys.version} {sorted(said.items())}".encode())
    for start in (*INPUTS, *MODULES):
        for path in _files(root / start):
            digest.update(f"{path.relative_to(root).as_posix()} {path.stat().st_size} ".encode() + path.read_bytes())
    return digest.hexdigest()


def data() -> str:
    """Make one text of the data files at hand, whose content is checked whenever they are read."""
    try:
        files = _files(fetch.cache_folder())
    except DataUnavailable:
        files = []
    told = "".join(f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}\n" for path in files)
    return hashlib.sha256(told.encode()).hexdigest()


def _files(start: Path) -> list[Path]:
    found = [start] if start.is_file() else start.rglob("*")
    return sorted(path for path in found if path.is_file() and not LEFT_OUT & set(path.parts))


def is_current(made_of: str) -> bool:
    """Whether the book that is there was built from these sources and the data at hand."""
    there = (ROOT / "_build" / "html" / "index.html").is_file() and FILE.is_file()
    return there and FILE.read_text(encoding="utf-8") == f"{made_of} {data()}"


def keep(made_of: str) -> None:
    """Write down what the book was built from; data may have come with the build."""
    FILE.write_text(f"{made_of} {data()}", encoding="utf-8")
