"""The prose of a page without what is no prose, and the numbers that are typed in it.

``python -m tools.prose`` lists the typed numbers by page, as tests/book/reviewed_numbers.txt has those that somebody
has reviewed. Whole numbers below a hundred are not asked for: they count what stands beside them.
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
    """Numbers that are typed in the prose of a notebook: those with a point, and whole ones from a hundred on."""
    cells = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown"]
    texts = (SETTING.sub(lambda match: re.sub(r"\d", "·", match[0]), prose(source)) for source in cells)
    typed = {number[0].rstrip(",") for text in texts for number in NUMBER.finditer(text)}
    return sorted(number for number in typed if "." in number or sum(map(str.isdigit, number)) > 2)


def reviewed() -> dict[str, list[str]]:
    """Reviewed numbers by page."""
    lines = [line for line in REVIEWED.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {page: numbers.split("; ") for page, _, numbers in (line.partition(": ") for line in lines)}


def main() -> None:
    """Print the numbers of each page."""
    for path in chapters():
        if typed := typed_numbers(path):
            print(f"{path.relative_to(ROOT).as_posix()}: {'; '.join(typed)}")


if __name__ == "__main__":
    main()
