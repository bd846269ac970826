"""What every chapter owes its reader, read from the sources."""

import ast
import itertools
import re
import sys
from pathlib import Path

import nbformat
import pytest

from tools import assignments, markdown, toc
from tools.plain import SETUP
from tools.site import course
from tools.toc import ROOT

PAGES = toc.contents()
NOTEBOOKS = toc.chapters()
#: Chapters proper: everything but the landing page, the appendix and the pages for teachers.
CHAPTERS = [path for path in NOTEBOOKS if path.parent.name not in course.ASIDE]


def name(path: Path) -> str:
    return path.relative_to(ROOT / "book").as_posix()


def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


def code_of(path: Path) -> str:
    return "\n\n".join(cell.source for cell in read(path).cells if cell.cell_type == "code")


def directives(path: Path) -> list[markdown.Directive]:
    return list(markdown.directives(toc.markdown(path)))


def test_the_table_of_contents_and_the_folder_agree():
    for page in PAGES:
        files = [ROOT / f"{page}{suffix}" for suffix in (".ipynb", ".md")]
        assert sum(file.is_file() for file in files) == 1, page
    sources = {p.relative_to(ROOT).with_suffix("").as_posix() for p in (ROOT / "book").rglob("*.ipynb")}
    sources |= {p.relative_to(ROOT).with_suffix("").as_posix() for p in (ROOT / "book").rglob("*.md")}
    assert {s for s in sources if ".ipynb_checkpoints" not in s and "/assets/" not in s} == set(PAGES), "_toc.yml"


def test_a_part_is_a_folder():
    homes = {(part, page.rpartition("/")[0]) for page, part in toc.parts()}
    assert len(homes) == len(dict(homes)) == len({folder for _, folder in homes})


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_notebook_is_stored_clean(path):
    notebook = read(path)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert not cell.outputs
            assert cell.execution_count is None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_what_is_to_be_seen_ends_its_cell(path):
    """A notebook displays the last expression of a cell: a figure or a question before it would never appear."""
    for cell in read(path).cells:
        if cell.cell_type == "code" and not cell.source.startswith(("%", "try:")):
            *before, _ = ast.parse(cell.source).body or [None]
            for node in before:
                if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                    assert ast.unparse(node.value.func) not in {"live", "show", "quiz", "number", "table"}, cell.source


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
class TestFrame:
    def test_opening(self, path):
        assert next(markdown.headings(toc.markdown(path)))[0] == 1, "begin with a title"
        goals = [found.body for found in directives(path) if found.options.get("class") == "goals"]
        assert len(goals) == 1, "give it one admonition of class goals"
        for part in ("You will be able to", "**You need**", "**Time**"):
            assert part in goals[0], f"say in the admonition of goals: {part}"

    def test_a_figure_opens_it_and_a_prediction_comes_before_the_next(self, path):
        cells = read(path).cells
        live = [i for i, c in enumerate(cells) if c.cell_type == "code" and re.search(r"^live\(", c.source, re.M)]
        imports = next(i for i, c in enumerate(cells) if c.source.startswith(("import ", "from ")))
        assert live[:1] == [imports + 1], "put the opening figure, live(...), into the first cell after the imports"
        said = next(c.source for c in cells[live[0] :] if c.cell_type == "markdown")
        assert not said.startswith(":::"), "say directly below the opening figure what is to be seen in it"
        assert re.search(r'anchor="opening-', cells[live[0]].source), 'give the opening figure an anchor="opening-…"'
        assert "predict=" not in cells[live[0]].source, "ask for no prediction before the opening figure"
        goals = next(i for i, c in enumerate(cells) if ":class: goals" in c.source)
        assert len(live) > 1, "a second live figure is missing"
        assert live[0] < goals < live[1], "put the goals between the first live figure and the second"
        asked = any("predict(" in c.source or "Predict" in c.source for c in cells[goals + 1 : live[1] + 1])
        assert asked, "ask for a prediction before or at the second live figure"

    def test_mathematics(self, path):
        missing = {"prf:definition", "prf:theorem", "prf:proof"} - {found.name for found in directives(path)}
        assert not missing, f"a chapter defines, states and proves: {missing} is missing"

    def test_where_it_breaks_and_what_to_remember(self, path):
        text = toc.markdown(path)
        sections = {title for level, _, title in markdown.headings(text) if level == 2}
        missing = {"Where it breaks", "Exercises", "Further reading"} - sections
        assert not missing, f"sections are missing: {missing}"
        assert "remember" in {found.options.get("class") for found in directives(path)}, "say what to remember"
        assert any(role.kind.startswith("cite") for role in markdown.roles(text)), "cite a source"

    def test_exercises_of_three_levels_each_with_a_solution(self, path):
        found = directives(path)
        exercises = [one for one in found if one.name in {"exercise", "exercise-start"}]
        solutions = [one for one in found if one.name in {"solution", "solution-start"}]
        assert len(exercises) >= 3, "at least three exercises, one of each level"
        asked, solved = (sorted(one.options["label"] for one in exercises), sorted(one.argument for one in solutions))
        assert asked == solved, "each exercise has a label and a solution of that name"
        for level in (1, 2, 3):
            assert any(f"(level {level})" in one.argument for one in exercises), f"no exercise of (level {level})"
        assert all(one.options.get("class") == "dropdown" for one in solutions), "solutions are hidden"
        for one in assignments.read(read(path)):
            if isinstance(one, assignments.Exercise):
                assignments.questions(one)  # says what an exercise lacks that can be checked
        code = code_of(path)
        assert code.count("assert verdict") == code.count("verdict = check("), "solutions assert their own check"

    def test_a_figure_is_read(self, path):
        """After a figure, and what is folded under it, the text says what was to be seen."""
        cells = [c for c in read(path).cells if "remove-cell" not in c.metadata.get("tags", [])]
        for figure, after in itertools.pairwise(cells):
            if figure.cell_type == "code" and re.search(r"^(live|show)\(", figure.source, re.M):
                start = after.source.lstrip()
                assert after.cell_type == "markdown", f"a figure is followed by code:\n{figure.source}"
                assert not start.startswith(("#", ":::{exercise", "(")), f"a figure is followed by: {start[:60]}"

    def test_a_last_exercise_transfers(self, path):
        exercises = [found for found in directives(path) if found.name in {"exercise", "exercise-start"}]
        assert "(transfer)" in exercises[-1].argument, "call the last exercise (transfer)"

    def test_a_check_does_not_give_the_answer_away(self, path):
        """A cell that a reader sees holds the function to write and the check; what it compares with is hidden."""
        defined_hidden: dict[str, bool] = {}
        found = 0
        for cell in read(path).cells:
            if cell.cell_type != "code" or cell.source.startswith(("%", "try:")):
                continue
            hidden = bool({"hide-input", "remove-input"} & set(cell.metadata.get("tags", [])))
            body = ast.parse(cell.source).body
            blank = any(isinstance(n, ast.FunctionDef) and ast.unparse(n.body) == "return None" for n in body)
            if blank:
                found += 1
                assert not hidden
                for node in body:
                    if isinstance(node, ast.FunctionDef):
                        continue
                    assert isinstance(node, ast.Expr), ast.unparse(node)
                    for case in node.value.args[1:]:
                        assert isinstance(case, ast.Starred), ast.unparse(node)
                        assert defined_hidden[case.value.id], f"{case.value.id} stands in a cell that is shown"
            for node in body:
                if isinstance(node, ast.Assign):
                    defined_hidden |= {
                        n.id: hidden for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)
                    }
        assert found >= 1, "ask for a function in one exercise: def name(...): return None  # your answer"

    def test_quiz(self, path):
        assert len(re.findall(r"^quiz\(", code_of(path), re.M)) >= 3, "at least three cells that ask a quiz(...)"

    def test_package_at_work_and_no_global_randomness(self, path):
        code = code_of(path)
        assert "from ldp_core" in code
        assert "np.random.seed" not in code
        assert not re.search(r"np\.random\.(rand|randint|random|normal|laplace|choice)\(", code)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_figures_and_questions_have_the_apostrophes_of_the_text(path):
    """The text's are made curly by Sphinx, what code says is not."""
    for cell in read(path).cells:
        if cell.cell_type == "code" and not re.search("^[%!]", cell.source, re.M):
            said = [n.value for n in ast.walk(ast.parse(cell.source)) if isinstance(n, ast.Constant)]
            said = [text for text in said if isinstance(text, str) and f'"""{text}' not in cell.source]
            assert not [text for text in said if re.search(r"[A-Za-z]'(?=[\s\w]|$)", text)]


def test_labels_are_unique_across_the_book():
    seen = {}
    for page, text in toc.texts():
        for label in markdown.labels(text):
            assert seen.setdefault(label, page) == page, f"{label} in {seen[label]} and {page}"


def test_where_the_package_is_missing_the_setup_cell_ends_in_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "ldp_book", None)
    with pytest.raises(ModuleNotFoundError, match=r"run %pip install FOLDER FOLDER/livefig[^.\n]*$") as caught:
        exec(SETUP, {})
    assert caught.value.__suppress_context__, "one error, not a chain of two"


def test_every_citation_is_in_the_bibliography_and_the_other_way_round():
    bibliography = set(re.findall(r"^@\w+\{([^,]+),", (ROOT / "book/references.bib").read_text(encoding="utf-8"), re.M))
    roles = (role for _, text in toc.texts() for role in markdown.roles(text))
    cited = {key.strip() for role in roles if role.kind.startswith("cite") for key in role.content.split(",")}
    assert cited == bibliography, f"missing: {cited - bibliography}; never cited: {bibliography - cited}"
