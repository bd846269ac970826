"""The prose of a page without what is no prose, and the numbers that are typed in it.

``python -m tools.prose`` lists the typed numbers that nobody has reviewed, as tests/book/reviewed_numbers.txt has them.
"""

import re
from pathlib import Path

import nbformat

from tools.markdown import Span, pieces, substitute, without
from tools.toc import ROOT, chapters

REVIEWED = ROOT / "tests" / "book" / "reviewed_numbers.txt"

#: Directives whose numbers are given, not found: what a text defines, proves, asks for or tells about itself.
GIVEN = ("prf:", "exercise", "solution", "index", "raw", "bibliography", "course-", "code")
#: Blocks that are no prose: mathematics, code, comments.
BLOCKS = ("math_block", "math_block_label", "amsmath", "fence", "html_block", "myst_line_comment")
#: What sets the scene: a setting of a parameter, a nominal level, a year, a numbered part, an item of a list.
SETTING = re.compile(
    r"(?<![^\W_])(?:[εδθαρσλβημdnkhgmcpqwTCN]|ln|level|step|chapter|exhibit|version|algorithms?|table|figure|listing|"
    r"section|theorem)\s*(?:[=<>≤≥≈]\s*)?[−-]?\d[\d.,]*(?:\s*(?:and|or|to|,)\s*[−-]?\d[\d.,]*)*"
    r"|\b95 ?%|\b(?:1[89]|20)\d\d\b|^\s*\d+\.\s",
    re.IGNORECASE | re.MULTILINE,
)
#: Bits, ends of intervals, the two of a pair: never the result of a run.
SMALL = {"0", "1", "2", "-1", "−1"}
NUMBER = re.compile(r"(?<![\w.])[−-]?\d[\d,]*(?:\.\d+)?(?:\s?%)?(?![\w])")


def prose(text: str) -> str:
    """Text of a Markdown cell without directives that give numbers, opening boxes, code and mathematics."""
    kept = []
    for piece in pieces(text):
        if isinstance(piece, str):
            kept.append(substitute(without(piece, *BLOCKS), _shown))
        elif not piece.name.startswith(GIVEN) and piece.options.get("class") != "goals":
            kept.append(prose(piece.body))
    return "\n".join(kept)


def _shown(span: Span) -> str:
    return span.text or " "


def typed_numbers(path: Path) -> list[str]:
    """Surroundings of each number that is typed in the prose of a notebook, in one line."""
    found = []
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type != "markdown":
            continue
        text = SETTING.sub(lambda match: re.sub(r"\d", "·", match[0]), prose(cell.source))
        for number in NUMBER.finditer(text):
            if number[0].rstrip(",") in SMALL:
                continue
            before = re.search(r"(?:\S+\s+){0,5}\S*$", text[: number.start()])
            after = re.match(r"\S*(?:\s+\S+){0,5}", text[number.end() :])
            found.append(" ".join(f"{before and before[0]}{number[0]}{after and after[0]}".split()))
    return found


def reviewed() -> dict[str, list[str]]:
    """Reviewed surroundings by page."""
    by_page: dict[str, list[str]] = {}
    for line in REVIEWED.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            page, _, around = line.partition(": ")
            by_page.setdefault(page, []).append(around)
    return by_page


if __name__ == "__main__":
    known = reviewed()
    for page in chapters():
        name = page.relative_to(ROOT).as_posix()
        for around in typed_numbers(page):
            if around not in known.get(name, []):
                print(f"{name}: {around}")
