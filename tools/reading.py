"""How long a chapter is, counted in one place: words, minutes, questions, folds and hidden code.

``python -m tools.reading`` prints a row for each chapter. The minutes are those at its head and in the course; what a
chapter may have at most is in :data:`MOST`, and a test asks for it.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tools.markdown import Directive, Span, directives, pieces, substitute, without
from tools.site.course import ASIDE
from tools.site.folds import fold
from tools.toc import chapters

#: What a chapter may have before its exercises.
MOST = {"words": 3300, "minutes": 75, "questions": 8, "numbers": 8, "folds": 1}
#: Minutes for a word, a display formula, a live figure with its prediction, and a proof in the open.
WORD, FORMULA, FIGURE, PROOF = 1 / 120, 1, 3, 4
#: Minutes for a line of a function in the open, a question beside no figure, and an exhibit: to look for what is wrong.
LINE, QUESTION, EXHIBIT = 1 / 10, 1, 2
#: Tags of cells whose code is not read with the text.
CLOSED = {"hide-input", "hide-cell", "remove-input", "remove-cell"}
#: Whole directives that nobody reads as text; and blocks that are no words.
UNREAD = ("index", "raw", "bibliography", "code", "glue", "figure", "image", "list-table", "table", "math")
BLOCKS = ("math_block", "math_block_label", "amsmath", "fence", "html_block", "myst_line_comment", "myst_target")
TABLE = ("table_open",)
#: A number that somebody reads: typed, or from the run.
NUMBER = re.compile(r"(?<![\w.])[−-]?\d[\d,]*(?:\.\d+)?")
TIME = re.compile(r"(\*\*Time\*\* )\d+")
WORDS = re.compile(r"[^\W_]+(?:[’'.,-][^\W_]+)*")


@dataclass(frozen=True)
class Reading:
    """What stands before the exercises of a chapter; code of the whole chapter, in lines that are not blank."""

    words: int
    formulas: int
    figures: int
    proofs: int
    folded_proofs: int
    questions: int
    asked: int  # of the questions those beside no figure
    listing: int  # lines of functions in the open
    exhibits: int
    numbers: int  # most in one paragraph
    folds: int  # between the opening figure and the aims
    folded_code: int
    removed_code: int
    exercises: int

    @property
    def minutes(self) -> int:
        """To read it and to play, rounded up to five."""
        exact = WORD * self.words + FORMULA * self.formulas + FIGURE * self.figures + PROOF * self.proofs
        exact += LINE * self.listing + QUESTION * self.asked + EXHIBIT * self.exhibits
        return 5 * -int(-exact // 5)


def main_line() -> list[Path]:
    """The chapters, without the first page, what is for a class, and the appendix."""
    return [path for path in chapters() if path.parent.name not in ASIDE]


def before_exercises(notebook: NotebookNode) -> Iterator[NotebookNode]:
    """Cells before the heading "Exercises"."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and re.search(r"(?m)^## Exercises\b", cell.source):
            head = cell.source.partition("## Exercises")[0]
            yield NotebookNode(cell | {"source": head})
            return
        yield cell


def _shown(span: Span) -> str:
    """What a reader sees: of a formula nothing that counts as words, of a glued number one."""
    if span.kind in ("formula", "math"):
        return " "
    if span.kind == "glue:text":
        return " 1 "
    return span.text or span.content.partition("<")[0]


def paragraphs(text: str) -> Iterator[tuple[str, str]]:
    """The paragraphs of a text as they are read, each with the name of the directive that it stands in."""
    for piece in pieces(text):
        if isinstance(piece, Directive):
            if not piece.name.startswith(UNREAD):
                argument = piece.argument if piece.name.startswith("prf:") or piece.name == "admonition" else ""
                if argument:
                    yield piece.name, substitute(argument, _shown)
                yield from ((name or piece.name, inner) for name, inner in paragraphs(piece.body))
        else:
            for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)", without(piece, *BLOCKS, *TABLE)):
                if block.strip():
                    yield "", substitute(block, _shown)


def _formulas(text: str) -> int:
    return len(re.findall(r"\$\$.+?\$\$|\\begin\{(?:align|equation|gather)\*?\}", text, re.DOTALL))


def _lines(source: str) -> int:
    return sum(bool(line.strip()) for line in source.split("\n"))


def _calls(source: str) -> list[str]:
    return [n.func.id for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]


def _listing(notebook: NotebookNode) -> int:
    """Lines of the functions that a page shows with its text: what somebody reads line by line."""
    page = deepcopy(notebook)
    fold(page)
    lines = 0
    for cell in before_exercises(page):
        closed = CLOSED & set(cell.metadata.get("tags", [])) or cell.metadata.get("jupyter", {}).get("source_hidden")
        if cell.cell_type == "code" and not closed:
            functions = (
                node for node in ast.parse(cell.source).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))
            )
            lines += sum(_lines(ast.get_source_segment(cell.source, node) or "") for node in functions)
    return lines


@cache
def reading(path: Path) -> Reading:
    """Count a chapter."""
    notebook = nbformat.read(path, as_version=4)
    count = dict.fromkeys(Reading.__dataclass_fields__, 0)
    count["listing"] = _listing(notebook)
    seen_figure = seen_aims = False
    for cell in before_exercises(notebook):
        tags = set(cell.metadata.get("tags", []))
        if cell.cell_type == "code":
            calls = _calls(cell.source) if "remove-cell" not in tags else []
            count["figures"] += calls.count("live")
            count["asked"] += sum(map(calls.count, ("quiz", "number")))
            count["questions"] += sum(map(calls.count, ("quiz", "number", "predict")))
            seen_figure = seen_figure or "live" in calls
            count["folds"] += seen_figure and not seen_aims and "hide-input" in tags
            continue
        seen_aims = seen_aims or ":class: goals" in cell.source
        count["formulas"] += _formulas(cell.source)
        count["exhibits"] += len(re.findall(r"(?m)^##+ Exhibit\b", cell.source))
        for piece in pieces(cell.source):
            if isinstance(piece, Directive):
                inside = directives(piece.body) if "dropdown" in piece.options.get("class", "") else ()
                count["proofs"] += piece.name == "prf:proof"
                count["folded_proofs"] += sum(one.name == "prf:proof" for one in inside)
        for _, paragraph in paragraphs(cell.source):
            count["words"] += len(WORDS.findall(paragraph))
            count["numbers"] = max(count["numbers"], len(NUMBER.findall(paragraph)))
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            count["exercises"] += len(re.findall(r"(?m)^:::+\{exercise", cell.source))
            continue
        lines = _lines(cell.source)
        for tag in cell.metadata.get("tags", []):
            count["folded_code"] += lines * (tag in {"hide-input", "hide-cell"})
            count["removed_code"] += lines * (tag in {"remove-cell", "remove-input"})
    return Reading(**count)


def save(path: Path) -> None:
    """Write the minutes into the chapter's opening box."""
    text = path.read_text(encoding="utf-8")
    path.write_text(TIME.sub(rf"\g<1>{reading(path).minutes}", text, count=1), encoding="utf-8")


def main() -> None:
    """Print a row for each chapter."""
    parser = argparse.ArgumentParser(prog="python -m tools.reading", description=__doc__)
    parser.add_argument("--save", action="store_true", help="write the minutes into the chapters, too")
    arguments = parser.parse_args()
    fields = list(Reading.__dataclass_fields__)
    print("chapter", "minutes", *fields, sep="\t")
    rows = {path: reading(path) for path in main_line()}
    for path, row in rows.items():
        print(path.stem, row.minutes, *(getattr(row, name) for name in fields), sep="\t")
        if arguments.save:
            save(path)
    print("words in all", sum(row.words for row in rows.values()))


if __name__ == "__main__":
    main()
