"""Copies of chapters for readers: in a folder to work in, and in the branch that Binder and Colab open."""

import re
import tomllib
from pathlib import Path

import nbformat
import pytest

from tools import copies, plain, versions
from tools.results import Results
from tools.toc import ROOT, chapters

BINDER = ROOT / ".binder"
NAME = r"^([A-Za-z0-9][\w.-]*)(?:\[\w+\])?"


def made(text, name="book/part/x.ipynb"):
    return iter([(Path(name), nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text, id="a")]))])


def names(path):
    lines = (line.partition("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return {found[1].lower(): line for line in lines if (found := re.match(NAME, line))}


def test_what_a_reader_changed_stays_and_the_rest_is_renewed(tmp_path):
    mine, fresh = tmp_path / "part" / "x.ipynb", tmp_path / "part" / "y.ipynb"
    assert copies.refresh(made("first"), tmp_path) == []
    assert copies.refresh(made("first", "book/part/y.ipynb"), tmp_path) == []
    mine.write_text(mine.read_text(encoding="utf-8").replace("first", "my answer"), encoding="utf-8")
    assert copies.refresh(made("second"), tmp_path) == [mine]
    assert copies.refresh(made("second", "book/part/y.ipynb"), tmp_path) == []
    assert "my answer" in mine.read_text(encoding="utf-8")
    assert "second" in fresh.read_text(encoding="utf-8")
    mine.unlink()
    assert copies.refresh(made("third"), tmp_path) == []
    assert "third" in mine.read_text(encoding="utf-8")


def test_whoever_is_stopped_half_way_gets_the_rest_later_and_a_broken_record_costs_no_work(tmp_path):
    def half():
        yield from made("first")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copies.refresh(half(), tmp_path)
    assert copies.refresh(made("second"), tmp_path) == []
    for broken in ("", "{", "[]"):
        (tmp_path / copies.WRITTEN).write_text(broken, encoding="utf-8")
        assert copies.refresh(made("third"), tmp_path) == [tmp_path / "part" / "x.ipynb"]
        assert "second" in (tmp_path / "part" / "x.ipynb").read_text(encoding="utf-8")


def test_the_folder_to_work_in_is_no_part_of_the_repository():
    assert "/lab/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert ROOT / "lab" == copies.LAB


@pytest.mark.site
def test_every_copy_reads_as_the_page_does():
    """Numbers are filled in, solutions folded, hidden code closed; no link leads to a page that is not beside it."""
    paths = []
    for path, notebook in copies.copies(Results()):
        nbformat.validate(notebook)
        paths.append(ROOT / path)
        inside = False
        source = nbformat.read(ROOT / path, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                assert not re.search(r"\{[\w:]+\}`|^\s*(?::::|```)\{|^\([\w-]+\)=$", cell.source, re.M), cell.source
                assert not re.search(r"\]\((?!https?://|mailto:)", cell.source), cell.source
                assert cell.source.count("<details>") == cell.source.count("</details>")
            elif plain.hidden(cell) or cell.source.startswith("# @title"):
                inside = True
                assert cell.metadata.jupyter.source_hidden
                assert cell.metadata.cellView == "form"
        solutions = sum("{solution" in cell.source for cell in source.cells)
        assert bool(solutions) == any("<summary>Solution of" in cell.source for cell in notebook.cells)
        assert inside or not solutions
    assert paths == chapters()


def test_the_branch_has_copies_the_package_and_binder_s_files(tmp_path):
    copies.branch(made("text"), tmp_path / "out")
    found = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert {"book/part/x.ipynb", "README.md", "pyproject.toml", "constraints.txt", ".binder/postBuild"} <= found
    assert {f"{name}/pyproject.toml" for name in ("livefig", "ldp_book")} <= found
    assert {"ldp_core/frequency/__init__.py", "livefig/plots.py", "ldp_book/chapter.py"} <= found
    assert not [name for name in found if re.match(r"(tools|tests|_build)/|.*\.pyc$", name)]


def test_binder_installs_the_reader_s_half_as_pinned():
    wanted, pinned = names(BINDER / "requirements.txt"), names(ROOT / "constraints.txt")
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    reader = {
        m[1].lower() for line in text.partition("# The author's side")[0].splitlines() if (m := re.match(NAME, line))
    }
    assert set(wanted) == reader | {"jupyterlab", "hatchling"}
    assert all(line == name for name, line in wanted.items()), "versions stand in constraints.txt alone"
    assert "-c ../constraints.txt" in (BINDER / "requirements.txt").read_text(encoding="utf-8").splitlines()
    everything = names(ROOT / "requirements.txt")
    assert all(pinned[name].lower() == everything[name].lower() for name in wanted)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needs = {re.match(NAME, need)[1].lower() for need in versions.floors()} - {"distributed"}
    assert needs <= set(wanted)
    version = (BINDER / "runtime.txt").read_text(encoding="utf-8").strip().removeprefix("python-")
    assert f"Programming Language :: Python :: {version}" in project["classifiers"]
    assert "-r " not in (BINDER / "requirements.txt").read_text(encoding="utf-8")
