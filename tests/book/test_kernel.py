"""A chapter in a live Jupyter kernel: its sliders are widgets, and moving one makes the kernel draw."""

import json
import re
from pathlib import Path

import nbclient
import nbformat
import pytest

ROOT = Path(__file__).parents[2]

LOOK = """\
import json
from ipywidgets import HTML, FloatLogSlider
from ipywidgets.widgets.widget import _instances
_pictures = {w.comm.comm_id: hash(w.value) for w in _instances.values() if isinstance(w, HTML) and "<svg" in w.value}
_sliders = [(w.comm.comm_id, w.min, w.max) for w in _instances.values() if isinstance(w, FloatLogSlider)]
print(json.dumps([_pictures, _sliders]))"""


@pytest.mark.parametrize("name", ["book/intro", pytest.param("book/local/randomized-response", marks=pytest.mark.data)])
def test_every_slider_of_the_chapter_draws_in_a_kernel(name, monkeypatch):
    monkeypatch.delenv("LIVEFIG_STATIC", raising=False)
    path = ROOT / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    figures = len(re.findall(r"^live\(", code, re.MULTILINE))
    notebook.cells += [nbformat.v4.new_code_cell(LOOK), nbformat.v4.new_code_cell(LOOK)]
    client = nbclient.NotebookClient(
        notebook, startup_timeout=3600, iopub_timeout=3600, resources={"metadata": {"path": str(path.parent)}}
    )
    with client.setup_kernel():
        for index, cell in enumerate(notebook.cells[:-1]):
            if cell.cell_type == "code":
                client.execute_cell(cell, index)
        before, sliders = json.loads(notebook.cells[-2].outputs[0].text)
        assert len(sliders) >= len(before) == figures > 0
        for comm, low, high in sliders:
            # as a front end says it, at a value that is no grid point
            update = {"method": "update", "state": {"value": 10 ** (low + 0.123 * (high - low))}, "buffer_paths": []}
            message = client.kc.session.msg("comm_msg", {"comm_id": comm, "data": update})
            client.kc.shell_channel.send(message)
        client.execute_cell(notebook.cells[-1], len(notebook.cells) - 1)
    after, _ = json.loads(notebook.cells[-1].outputs[0].text)
    assert all(after[picture] != before[picture] for picture in before)
