"""What an executed chapter leaves behind is kept whole and hides no warning; test_depends.py has whose it is."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

from tools import results
from tools.toc import ROOT

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


#: Executes what lies in a folder, two at once, and says as make book does when it is interrupted.
EXECUTE = """
import sys
from pathlib import Path
from tools import results
folder = Path(sys.argv[1])
chapters = sorted(folder.glob("*.ipynb"))
results.update(chapters, results.Results(folder / "kept", folder), lambda notebook: "key", {}, jobs=2)
"""


def wait_until(process, condition):
    while not condition():
        assert process.poll() is None, process.communicate()
        time.sleep(0.1)


def lives(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        stat = Path(f"/proc/{pid}/stat")  # what nobody has looked at since it ended is listed all the same
        return not stat.is_file() or stat.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    return False


@pytest.mark.skipif(os.name == "nt", reason="sends a signal as a Unix terminal does")
def test_an_interrupt_ends_what_runs_starts_nothing_more_and_keeps_what_is_done(tmp_path):
    """The second chapter would take for ever, with a process of its own; two more would come after it."""
    endless = (
        "import os, pathlib, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1e6)'])\n"
        "new = pathlib.Path(f'{os.getpid()}.new')\n"
        "new.write_text(f'{os.getpid()} {child.pid}')\n"
        "new.replace(f'{os.getpid()}.started')\n"
        "time.sleep(1e6)"
    )
    for name, source in {"a": "1 + 1", "b": endless, "c": endless, "d": endless}.items():
        cells = notebook(source)
        cells.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
        nbformat.write(cells, tmp_path / f"{name}.ipynb")
    process = subprocess.Popen(
        [sys.executable, "-c", EXECUTE, str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(process, lambda: len(list(tmp_path.glob("*.started"))) == 2)
    pids = [int(pid) for file in tmp_path.glob("*.started") for pid in file.read_text(encoding="utf-8").split()]
    assert len(pids) == 4
    assert all(map(lives, pids))
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode != 0
    assert out.splitlines()[-1] == ("==> Stopped: 1 of 4 are kept, and the next build goes on from there")
    assert "failed" not in err
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["a.ipynb"]
    while any(map(lives, pids)):
        time.sleep(0.1)
    assert len(list(tmp_path.glob("*.started"))) == 2, "nothing more was started"
