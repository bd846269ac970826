"""Sentences are claims: a number in prose comes from the run, or somebody has reviewed it."""

import nbformat
import pytest

from tools.prose import prose, reviewed, typed_numbers
from tools.toc import ROOT, chapters

PAGES = chapters()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_typed_numbers_are_reviewed(path):
    known, typed = set(reviewed().get(path.relative_to(ROOT).as_posix(), [])), set(typed_numbers(path))
    assert typed - known == set(), "glue it, or review it: into reviewed_numbers.txt, as python -m tools.prose lists it"
    assert known - typed == set(), "reviewed, and no longer there"


def test_reviewed_pages_exist():
    assert set(reviewed()) <= {path.relative_to(ROOT).as_posix() for path in PAGES}


def test_what_counts_as_typed(tmp_path):
    cells = [
        "It rises by 17 % and, of 3,480 people, {glue:text}`n` stay; $x = 5$, `y = 6`, ε = 0.5, in 2014.",
        ":::{exercise} Count\n:label: ex\n\nHow many of 99?\n:::\n\nAfter it 12.5 remain.",
        ":::{admonition} This chapter\n:class: goals\n**Time** 45 minutes\n:::",
        "```{code-cell}\nx = 77\n```\n::::{prf:proof}\n:::{note}\n33\n:::\n44\n::::\n1. first\n2. second",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text) for text in cells])
    nbformat.write(notebook, tmp_path / "page.ipynb")
    assert typed_numbers(tmp_path / "page.ipynb") == ["12.5", "3,480"]
    assert "33" not in prose(cells[3])
