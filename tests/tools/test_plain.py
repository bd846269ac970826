"""Chapters as plain notebooks: text that any program shows, and a set-up cell that fits where they go."""

import re

import nbformat
import pytest

from tools import plain
from tools.results import glued

GLUED = {"n": "32,561"}
LABELS = {"warner1965": "Warner 1965", "ex-one": "Cards (level 1)", "def-ldp": "ε-LDP", "/book/teach/x": "In class"}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{glue:text}`n` people", "32,561 people"),
        ("so {cite:p}`warner1965`.", "so (Warner 1965)."),
        ("{cite:t}`warner1965` says", "Warner 1965 says"),
        ("by {prf:ref}`def-ldp`", "by ε-LDP"),
        ("see {ref}`the chapter <rr>`", "see the chapter"),
        ("see [](/book/teach/x).", "see In class."),
        ("{math}`x^2`", "$x^2$"),
        ("(data)=\n# Title", "# Title"),
        (":::{admonition} Do this\n:class: predict\nGuess.\n:::", "**Do this.**\n\nGuess."),
        ("```{prf:theorem} Odds\n:label: t\n\nBody.\n```", "**Theorem. Odds.**\n\nBody."),
        ("```{raw} html\n<b>gone</b>\n```\nkept", "kept"),
        ("```python\nx = {1: 2}  # :::\n{glue:text}`n`\n```", "```python\nx = {1: 2}  # :::\n{glue:text}`n`\n```"),
        ("::::{note}\n:::{tip} Inner\nA\n:::\nB\n::::", "**Note.**\n\n**Tip. Inner.**\n\nA\n\nB"),
    ],
)
def test_markdown(source, expected):
    assert plain.to_plain(source, GLUED, LABELS) == expected


def test_solution_is_folded():
    text = plain.to_plain(":::{solution} ex-one\n:class: dropdown\n42\n:::", GLUED, LABELS)
    assert text.startswith("<details>\n<summary>Solution of “Cards (level 1)”</summary>")
    assert "42" in text
    assert text.rstrip().endswith("</details>")


def test_browser_copy_installs_first_and_uses_the_browser_s_kernel():
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_markdown_cell("(only-a-target)="), nbformat.v4.new_code_cell("1 + 1")]
    )
    copy = plain.plain_notebook(notebook, {}, {}, "ldp_core pandas")
    assert [cell.cell_type for cell in copy.cells] == ["code", "code"]
    assert "%pip install -q ldp_core pandas" in copy.cells[0].source
    assert copy.metadata.kernelspec.name == "python"
    nbformat.validate(copy)
    assert len(notebook.cells) == 2, "the original stays as it is"


def test_glued_values_are_read_from_outputs():
    record = {
        "output_type": "display_data",
        "metadata": {"scrapbook": {"name": "n"}},
        "data": {"application/papermill.record/text/plain": "32,561"},
    }
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x", outputs=[nbformat.from_dict(record)])])
    assert glued(notebook) == {"n": "32,561"}


@pytest.mark.parametrize("address", ["", "https://git.example.org/ada/book"])
def test_the_setup_cell_of_a_copy_installs_from_the_address_if_there_is_one_and_else_names_none(address):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# T"), nbformat.v4.new_code_cell("1")])
    _, cell, _ = plain.plain_notebook(notebook, {}, {}, address=address).cells
    (installs,) = re.findall(r"%pip install -q [^)]*$", cell.source) if address else [""]
    packages = [
        f"ldp_core @ git+{address}",
        *(f"{x} @ git+{address}#subdirectory={x}" for x in ("livefig", "ldp_book")),
    ]
    assert all(f'"{package}"' in installs for package in packages) == bool(address)
    assert ("://" in cell.source) == bool(address)
    assert len(notebook.cells) == 2, "the original stays as it is"
