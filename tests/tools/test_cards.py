"""Cards over links, and what is folded: taken from pages and notebooks made for the purpose."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools.site import cards, folds

PAGE = """
<dl><dt id="term-Bias">Bias · <span lang="zh-Hans">偏差</span><a class="headerlink" href="#term-Bias">#</a></dt>
<dd><p>Off.</p></dd><dt id="other">Not a term</dt><dd></dd></dl>
<div class="citation" id="id7" role="doc-biblioentry">
<span class="label"><span class="fn-bracket">[</span>3<span class="fn-bracket">]</span></span>
<p>Warner. <em>A survey</em>. 1965. <a class="reference external" href="https://doi.org/1">doi:1</a>.</p></div>
<div class="proof theorem admonition" id="thm-sum"><p>Theorem 1</p>
<div><img src="x"/><div id="in">inside</div></div></div>
<div class="proof admonition" id="no">Proof.</div>
<table><tr class="row-even" id="symbol-n"><td><p>n</p></td>
<td><p>people</p></td><td>code</td></tr></table>
"""


def test_cards_are_taken_from_what_links_lead_to():
    found = cards.made(PAGE)
    assert set(found) == {"term-Bias", "id7", "thm-sum", "symbol-n"}
    assert found["term-Bias"] == '<p><strong>Bias · <span lang="zh-Hans">偏差</span></strong></p><p>Off.</p>'
    assert found["id7"] == "<p>Warner. <em>A survey</em>. 1965. doi:1.</p>"
    assert found["thm-sum"] == '<p>Theorem 1</p>\n<div><img src="x"/><div>inside</div></div>'
    assert found["symbol-n"] == '<div class="card-symbol"><p>n</p><p>people</p></div>'


def test_a_term_is_known_by_its_name_and_its_abbreviations():
    assert cards.forms("Local differential privacy (LDP) · 本地差分隐私") == ["Local differential privacy", "LDP"]
    assert cards.forms("Direct encoding, generalized randomized response (DE, GRR, k-RR) · 直接编码") == [
        "Direct encoding",
        "GRR",
    ]
    assert cards.forms("Report · 报告") == [], "a plain word as well"


def test_symbols_have_names_for_addresses():
    assert cards.slug(r"\hat c") == "symbol-hat-c"
    assert cards.slug("n") != cards.slug("N")


def test_imports_and_long_cells_are_folded():
    imports = "import math\n\nimport numpy as np\nfrom a import (\n    b,\n)"
    long = "\n".join(f"x{i} = {i}" for i in range(folds.LONG))
    notebook = new_notebook(
        cells=[
            new_code_cell(f"{imports}\n\nx = 1\ny = 2"),
            new_code_cell(imports),
            new_code_cell("import math\nx = 1"),
            new_code_cell(long),
            new_code_cell(long, metadata={"tags": ["remove-input"]}),
            new_markdown_cell("```{solution-start} a\n```"),
            new_code_cell(long),
        ]
    )
    folds.fold(notebook)
    said = [cell.metadata.get("mystnb", {}).get("code_prompt_show") for cell in notebook.cells]
    assert said == ["Imports", None, "Imports", None, f"{folds.LONG} lines of code", None, None, None]
    assert notebook.cells[0].source == imports
    assert notebook.cells[1].source == "x = 1\ny = 2"
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)


IMPORTS = "import a\nimport b\nimport c\nimport d\nimport e"


def a_figure(source="live(draw)"):
    data = {"text/html": '<figure class="lf-figure lf-live" id="opening">'}
    return new_code_cell(source, outputs=[new_output("display_data", data)], metadata={"tags": ["hide-input"]})


def test_a_chapter_opens_with_its_figure_whose_code_begins_with_the_imports():
    for imports in (IMPORTS, f"{IMPORTS}\nx = 1"):
        text, more = new_markdown_cell("Drag."), a_figure("b")
        notebook = new_notebook(cells=[new_markdown_cell("# A"), new_code_cell(imports), a_figure(), text, more])
        folds.fold(notebook)
        _, figure, said, last = notebook.cells
        assert figure.source == f"{imports}\n\n\nlive(draw)"
        assert (figure.metadata["tags"], figure.metadata["mystnb"]["code_prompt_show"]) == (["hide-input"], "Code")
        assert len(figure.outputs) == 1
        assert [said.source, last.source] == ["Drag.", "b"]


def test_imports_stay_above_all_else():
    still = a_figure("show(draw)")
    still.outputs[0].data["text/html"] = '<figure class="lf-figure">'
    for second in (still, new_markdown_cell("Text."), new_code_cell("x = 1"), new_code_cell(IMPORTS)):
        notebook = new_notebook(cells=[new_code_cell(IMPORTS), second, a_figure()])
        before = [cell.source for cell in notebook.cells]
        folds.fold(notebook)
        assert [cell.source for cell in notebook.cells] == before
