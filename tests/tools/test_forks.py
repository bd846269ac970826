"""Kernels that are forked know nothing of one another, and none is waited for that cannot come."""

import subprocess
import sys

import nbclient
import nbformat
import pytest

from tools import forks

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kernels are forked on Linux only")


def test_what_a_kernel_does_to_a_module_no_other_sees(tmp_path, monkeypatch):
    code = "import pathlib, numpy\nassert not hasattr(numpy, 'mine')\nnumpy.mine = pathlib.Path.cwd().name"
    with forks.forking({}) as command:
        for _ in range(2):
            notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code + "\nnumpy.mine")])
            client = nbclient.NotebookClient(notebook, resources={"metadata": {"path": str(tmp_path)}})
            client.create_kernel_manager().kernel_spec.argv = command
            client.execute()
            assert notebook.cells[0].outputs[0].data["text/plain"] == repr(tmp_path.name)


def test_who_asks_for_a_kernel_is_told_that_imports_have_failed(tmp_path):
    (tmp_path / "livefig.py").write_text("raise ImportError('not today')", encoding="utf-8")
    with forks.forking({"PYTHONPATH": str(tmp_path)}) as command:
        subprocess.run(command, timeout=600)  # ends
