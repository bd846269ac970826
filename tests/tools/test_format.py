"""Code that is seen has narrow lines; what is hidden is as long as it has to be and no longer."""

import nbformat
import pytest

from tools import format as tool

CALL = 'total = add("the first of two longer ones", "and then the second one", 12)'
SPREAD = "total = add(\n    1,\n    2,\n)"
TEXT = "Words  \nas they are"


@pytest.fixture
def path(tmp_path):
    cells = [nbformat.v4.new_markdown_cell(TEXT)]
    for tags in ([], ["hide-output"], ["hide-input"], ["remove-cell"]):
        cells += [nbformat.v4.new_code_cell(code, metadata={"tags": tags}) for code in (f"if 1:\n  {CALL}  ", SPREAD)]
    cells.append(nbformat.v4.new_code_cell("%matplotlib inline\nx = 'a' ;"))
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "x.ipynb")
    return tmp_path / "x.ipynb"


def run(monkeypatch, *arguments):
    monkeypatch.setattr("sys.argv", ["format", *map(str, arguments)])
    return tool.main()


def test_each_cell_by_whether_it_is_seen(path, monkeypatch, capsys):
    before = path.read_bytes()
    assert run(monkeypatch, "--check", path) == 1
    assert "Would reformat" in capsys.readouterr().out
    assert path.read_bytes() == before
    assert run(monkeypatch, path) == 0
    text, *cells, command = [cell.source for cell in nbformat.read(path, as_version=4).cells]
    narrow = f"if 1:\n    total = add(\n        {CALL.removeprefix('total = add(').removesuffix(')')}\n    )"
    assert cells == [narrow, SPREAD] * 2 + [f"if 1:\n    {CALL}", "total = add(1, 2)"] * 2
    assert text == TEXT
    assert command == '%matplotlib inline\nx = "a";'
    assert run(monkeypatch, "--check", path) == 0


def test_what_is_formatted_stays_byte_by_byte(path, monkeypatch):
    run(monkeypatch, path)
    once = path.read_bytes()
    run(monkeypatch, path)
    assert path.read_bytes() == once
