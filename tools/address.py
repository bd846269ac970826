"""Write the repository's address into pyproject.toml and CITATION.cff, or take it out: ``make address``.

Both are read where nothing is built, so they have to hold the address themselves. Which one it is, and whether there is
one, tools/repository.py says: LDP_BOOK_REPOSITORY, else the clone's remote.
"""

from __future__ import annotations

import re
from pathlib import Path

from tools.repository import address

ROOT = Path(__file__).resolve().parent.parent

#: file: what is taken out, what is put in, and what it is put before.
PLACES = {
    "pyproject.toml": (
        r'\[project\.urls\]\nSource = ".*"\n\n',
        '[project.urls]\nSource = "{}"\n\n',
        "[tool.hatch.version]",
    ),
    "CITATION.cff": (r"repository-code: .*\n", "repository-code: {}\n", "license:"),
}


def write(root: Path, where: str) -> None:
    """Let both files name `where` and nothing else; none of them names a host if it is empty."""
    for name, (old, new, before) in PLACES.items():
        text = re.sub(old, "", (root / name).read_text(encoding="utf-8"))
        if where:
            text = text.replace(f"\n{before}", f"\n{new.format(where)}{before}", 1)
        (root / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    found = address(ROOT)
    write(ROOT, found)
    print(f"{' and '.join(PLACES)} name {found or 'no address'}")
