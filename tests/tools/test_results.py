"""What an executed chapter leaves behind is kept whole and hides no warning; test_depends.py has whose it is."""

import signal
import subprocess
import sys
from pathlib import Path

import nbformat
import psutil
import pytest

from tools import results
from tools.toc import chapters

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


#: Executes three chapters, one at a time: the first is done at once, the second says where it is and waits for ever.
STOPPED = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's job in the background ignores it
from pathlib import Path
from tools import results
from tools.toc import chapters
folder = Path(sys.argv[1])
chapters = [folder / name for name in ("quick.ipynb", "endless.ipynb", "third.ipynb")]
order = {path: -place for place, path in enumerate(chapters)}
results.update(chapters, results.Results(folder / "kept", folder), lambda _: "key", {}, 1, order.get)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no signal to one process")
def test_ctrl_c_ends_kernels_and_keeps_what_is_done(tmp_path):
    begun = tmp_path / "begun"
    endless = f"import os, pathlib, time\npathlib.Path({str(begun)!r}).write_text(str(os.getpid()))\ntime.sleep(10**6)"
    for name, code in (("quick", "1"), ("endless", endless), ("third", "1")):
        chapter = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
        chapter.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
        nbformat.write(chapter, tmp_path / f"{name}.ipynb")
    root = Path(__file__).parents[2]
    build = subprocess.Popen(
        [sys.executable, "-c", STOPPED, tmp_path], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while not (begun.is_file() and begun.read_text(encoding="utf-8")):
        assert build.poll() is None, build.stderr.read()
    kernel = psutil.Process(int(begun.read_text(encoding="utf-8")))
    build.send_signal(signal.SIGINT)
    said, _ = build.communicate()
    assert "Stopped: 1 of 3 chapters are kept" in said
    assert build.returncode
    assert not kernel.is_running() or kernel.status() == psutil.STATUS_ZOMBIE
    assert [file.name for file in (tmp_path / "kept").iterdir()] == ["quick.ipynb"]


#: Executes a chapter with what its text claims; a process of its own, for kernels leave much behind.
CLAIMED = """
import sys
from pathlib import Path
from tools import results
folder = results.CLAIMS_OF = Path(sys.argv[1])
kept, one = results.Results(folder / "kept", folder), folder / "one.ipynb"
key = lambda notebook: " ".join(cell.source for cell in notebook.cells)
if results.update([one], kept, key, {}, 1):
    print([kept.record(one).key, *(cell.source for cell in kept.get(one).cells)])
"""


@pytest.mark.parametrize(("claim", "said"), [("assert x", "['x = 1 assert x', 'x = 1']\n"), ("assert x > 1", "")])
def test_what_a_text_claims_is_executed_with_its_chapter_and_kept_with_no_result(tmp_path, claim, said):
    (tmp_path / "one.py").write_text(claim, encoding="utf-8")
    chapter = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x = 1")])
    chapter.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(chapter, tmp_path / "one.ipynb")
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", CLAIMED, tmp_path], cwd=root, capture_output=True, text=True)
    assert done.stdout.endswith(said or "executing 1\n"), done.stderr
    assert ("AssertionError" in done.stderr) == (not said)


def test_claims_belong_to_chapters():
    assert {path.stem for path in results.CLAIMS_OF.iterdir() if path.suffix == ".py"} <= {p.stem for p in chapters()}


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
