"""The figure in a kernel: without a front end, and under a real Jupyter kernel that is sent widget messages."""

import re

import matplotlib.pyplot as plt
import pytest

from livefig import choice, draws, live, log_slider, number, quiz, slider


def test_moving_a_control_draws_afresh_between_the_grid_points_too(line, kernel):
    widget = live(line, epsilon=log_slider(0.1, 10, n=3, value=1.0), d=choice(4, 8)).widget
    assert line.calls == [(1.0, 4)]
    widget.controls["epsilon"].value = 1.2345
    assert line.calls[-1] == pytest.approx((1.2345, 4))
    assert "ε = 1.23" in widget.picture.value
    assert widget.meaning.value == "ε = 1.23: 1.23 in words"
    widget.controls["d"].value = 8
    assert line.calls[-1] == pytest.approx((1.2345, 8))


def test_sliders_draw_when_they_rest(line, kernel):
    """While a slider is dragged nothing queues up, which matters where Python runs in the browser."""
    assert live(line, epsilon=log_slider(0.1, 10)).widget.controls["epsilon"].continuous_update is False
    integers = live(lambda k: plt.figure(), k=slider(1, 9)).widget.controls["k"]
    assert integers.continuous_update is False
    assert (integers.min, integers.max) == (1, 9)


def test_new_draws_go_on_without_end(kernel):
    seeds = []

    def draw(seed):
        seeds.append(seed)
        return plt.figure()

    widget = live(draw, seed=draws(2)).widget
    for _ in range(4):
        widget.controls["seed"].click()
    assert seeds == [0, 1, 2, 3, 4]


def test_an_error_is_shown_and_the_next_drawing_works(kernel):
    def draw(epsilon):
        if epsilon > 5:
            raise ValueError("too large <b>")
        return plt.figure()

    widget = live(draw, epsilon=log_slider(0.1, 10, value=1.0)).widget
    widget.controls["epsilon"].value = 9.0
    assert "ValueError: too large &lt;b&gt;" in widget.picture.value
    widget.controls["epsilon"].value = 2.0
    assert "<svg" in widget.picture.value


def test_play_moves_the_first_slider(line, kernel):
    widget = live(line, epsilon=log_slider(0.1, 10, n=3, value=0.1), play=True).widget
    play = widget.children[-2]
    assert play.playing is False
    play.value = 2
    assert line.calls[-1][0] == 10


def test_quiz_and_number(kernel):
    asked = quiz("Which?", {"a": "no", "✓ b": "yes, *b*"})
    widget = asked.widget()
    widget.button.click()
    assert "Choose" in widget.said.value
    widget.field.value = 1
    widget.button.click()
    assert widget.said.value == "<strong>Right.</strong> yes, <em>b</em>"
    counted = number("How many?", 1200, hint="count", explain="done").widget()
    for text, said in (("1,200", "Right."), ("1100", "Too low."), ("1300", "Too high."), ("many", "Type a number")):
        counted.field.value = text
        counted.button.click()
        assert said in counted.said.value


def test_under_a_real_kernel(kernel, tmp_path):
    """A notebook runs in a Jupyter kernel; a widget message, as a front end sends it, makes the kernel draw again."""
    import nbclient
    import nbformat

    code = """\
import matplotlib.pyplot as plt
from livefig import live, log_slider
calls = []
def draw(epsilon):
    calls.append(epsilon)
    fig, ax = plt.subplots()
    ax.set_title(f"at {epsilon:.3f}")
    return fig
figure = live(draw, epsilon=log_slider(0.1, 10, value=1.0))
figure"""
    notebook = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell(code),
            nbformat.v4.new_code_cell("print(figure.widget.controls['epsilon'].comm.comm_id)"),
            nbformat.v4.new_code_cell("print(calls, 'at 2.500' in figure.widget.picture.value)"),
        ],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    client = nbclient.NotebookClient(
        notebook, startup_timeout=3600, iopub_timeout=3600, resources={"metadata": {"path": str(tmp_path)}}
    )
    with client.setup_kernel():
        client.execute_cell(notebook.cells[0], 0)
        (output,) = notebook.cells[0].outputs
        assert "application/vnd.jupyter.widget-view+json" in output["data"]
        client.execute_cell(notebook.cells[1], 1)
        comm = notebook.cells[1].outputs[0].text.strip()
        message = {"comm_id": comm, "data": {"method": "update", "state": {"value": 2.5}, "buffer_paths": []}}
        client.kc.shell_channel.send(client.kc.session.msg("comm_msg", message))
        client.execute_cell(notebook.cells[2], 2)
    assert re.fullmatch(r"\[1\.0, 2\.5\] True", notebook.cells[2].outputs[0].text.strip())
