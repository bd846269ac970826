"""A chapter is short enough to be finished, and says how long it takes."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools import reading
from tools.site import course
from tools.toc import ROOT

CHAPTERS = reading.main_line()
#: All chapters together.
ALL = {"words": 76_500, "folded_code": 3_800, "removed_code": 2_950}


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_keeps_to_what_it_may_have(path):
    row = reading.reading(path)
    assert {name: value for name, most in reading.MOST.items() if (value := getattr(row, name)) > most} == {}


def test_all_chapters_together():
    sums = {name: sum(getattr(reading.reading(path), name) for path in CHAPTERS) for name in ALL}
    longer = {name: value for name, value in sums.items() if value > ALL[name]}
    assert longer == {}, "shorten other chapters, or raise ALL and say what the book gains"


def test_minutes_are_counted_not_typed():
    counted = {path.stem: reading.reading(path).minutes for path in CHAPTERS}
    written = {chapter.name.rpartition("/")[2]: chapter.reading for chapter in course.chapters(ROOT).values()}
    assert written == counted, "python -m tools.reading --save writes them"


def test_what_is_counted(tmp_path):
    """Words without formulas, tables, code and solutions; everything before the exercises."""
    text = (
        "# One two\n\nThree $x + y$ four, {ref}`five <six>` and {glue:text}`seven`.\n\n$$a = b$$\n\n"
        "| 1 | 2 |\n| --- | --- |\n| 3 | 4 |\n\n:::{prf:theorem} Eight\n:label: nine\nTen 11 and 12.\n:::\n\n"
        ":::{prf:proof}\nThirteen.\n:::\n\n::::{admonition} Why\n:class: dropdown\n:::{prf:proof}\nFourteen.\n:::\n::::"
    )
    cells = [
        new_markdown_cell(text),
        new_code_cell("live(draw)\n", metadata={"tags": ["hide-input"]}),
        new_code_cell('quiz("q", predict)', metadata={"tags": ["hide-input"]}),
        new_code_cell("def read():\n    return 1\n\n\nprint(read())"),
        new_code_cell("def not_read():\n    return 1", metadata={"tags": ["hide-cell"]}),
        new_markdown_cell("### Exhibit 15: of two"),
        new_markdown_cell(
            ":::{admonition} Aims\n:class: goals\n**Time** 1 minutes\n:::\n\n## Exercises\n\nNot counted."
        ),
        new_code_cell('quiz("more")'),
    ]
    nbformat.write(new_notebook(cells=cells), tmp_path / "x.ipynb")
    row = reading.reading(tmp_path / "x.ipynb")
    shown = (
        "One two Three four five and 1 Eight Ten 11 and 12 Thirteen Why Fourteen Exhibit 15 of two Aims Time 1 minutes"
    )
    assert row.words == len(shown.split())
    assert (row.formulas, row.figures, row.proofs, row.folded_proofs) == (1, 1, 1, 1)
    assert (row.questions, row.folds, row.numbers) == (1, 2, 2)
    assert (row.asked, row.listing, row.exhibits) == (1, 2, 1)
    assert row.minutes == 15, "11.4"
