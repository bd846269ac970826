"""What an executed chapter leaves behind is kept whole, belongs to its code, and hides no warning."""

import nbformat
import pytest

from tools import results

SHOWN = "/tmp/ipykernel_7/1.py:2: DataNotice: UCI Adult: these are the rows of the packaged stand-in.\n"
LINE = '  adult = datasets.load("adult")\n'
WARNED = "/tmp/ipykernel_7/1.py:3: RuntimeWarning: divide by zero encountered in log\n  np.log(0)\n"


def notebook(source, **outputs):
    found = nbformat.v4.new_notebook(metadata={"language_info": {"name": "python"}})
    found.cells = [nbformat.v4.new_markdown_cell("Words."), nbformat.v4.new_code_cell(source)]
    found.cells[1].outputs = [nbformat.v4.new_output("stream", name=name, text=text) for name, text in outputs.items()]
    return found


@pytest.mark.parametrize("text", [SHOWN, SHOWN + LINE, SHOWN + LINE + SHOWN, SHOWN + "\n"])
def test_the_notice_about_a_stand_in_is_dropped(text):
    executed = notebook("1", stderr=text, stdout="said")
    results._check_stderr(executed)
    assert [output.text for output in executed.cells[1].outputs] == ["said"]


@pytest.mark.parametrize("text", [WARNED, SHOWN + WARNED, WARNED + SHOWN, SHOWN + LINE + WARNED, "DataNotice"])
def test_no_other_warning_is_dropped_not_even_beside_a_notice(text):
    with pytest.raises(RuntimeError, match="a cell wrote to stderr"):
        results._check_stderr(notebook("1", stderr=text))


def test_results_are_kept_for_the_code_that_gave_them(tmp_path):
    kept, chapter = results.Results(tmp_path / "kept", tmp_path), tmp_path / "part" / "one.ipynb"
    chapter.parent.mkdir()
    nbformat.write(notebook("print(1)"), chapter)
    assert kept.record(chapter) == {}
    with pytest.raises(LookupError, match=r"part/one\.ipynb has not been executed"):
        kept.get(chapter)
    kept.put(chapter, notebook("print(1)", stdout="1\n"), "key", 2.34)
    assert kept.record(chapter)["key"] == "key"
    assert kept.record(chapter)["seconds"] == 2.3
    assert kept.get(chapter).cells[1].outputs[0].text == "1\n"
    nbformat.write(notebook("print(2)"), chapter)
    with pytest.raises(LookupError, match="as it is now"):
        kept.get(chapter)
    kept.prune([])
    assert not kept.file(chapter).exists()


def test_a_build_that_is_stopped_while_it_writes_leaves_the_older_results(tmp_path, monkeypatch):
    kept, chapter = results.Results(tmp_path / "kept", tmp_path), tmp_path / "one.ipynb"
    kept.put(chapter, notebook("1"), "old", 1)

    def stopped(_, file):
        file.write_text('{"cells": [', encoding="utf-8")
        raise KeyboardInterrupt

    monkeypatch.setattr(nbformat, "write", stopped)
    with pytest.raises(KeyboardInterrupt):
        kept.put(chapter, notebook("2"), "new", 1)
    assert kept.record(chapter)["key"] == "old"
