"""A layout that is remembered is the layout that would be found."""

import numpy as np
import pytest

from ldp_core.live import bars, layout, lines, panels, style
from ldp_core.live.figure import to_svg

X = np.linspace(0.1, 10, 20)


def curve(i, **frame):
    return lines(X, {"one": np.exp(-X / (i + 1)), "two": 1 / (X + i)}, x="x", y="y", title=f"For {i} it is", **frame)


def two_panels(i):
    left, right = panels(1, 2, sharey=True)
    lines(X, {"a": X * (i + 1)}, ax=left, ylim=(0, 100), guides={"level": 10 * i})
    return bars(["a", "b"], {"some": [i, 2 * i], "others": [1, 2]}, ylim=(0, 9), ax=right)


def beyond(i):
    figure = curve(0, xlim=(0, 10), ylim=(0, 1))
    figure.axes[0].plot([10 + i / 4], [0.5], "o", markersize=12, clip_on=False)
    return figure


DRAWN = {
    "still axes": lambda i: curve(i, xlim=(0, 10), ylim=(0, 1.2)),
    "moving axes": lambda i: curve(i, log="x" if i % 2 else ""),
    "longer numbers": lambda i: curve(i, xlim=(0, 10), ylim=(0, 10**i)),
    "names at the ends": lambda i: lines(X, {"up": X * i, "down": -X * i}, legend="ends", ylim=(-50, 50)),
    "a title of more lines": lambda i: lines(X, {"one": X}, title="word " * (1 + 9 * i)),
    "a note that moves": lambda i: curve(0, xlim=(0, 10), ylim=(0, 1), notes={"a long note": (3.2 * i, 0.3 * i)}),
    "two panels": two_panels,
    "beyond the axes": beyond,
}


@pytest.mark.parametrize("name", DRAWN)
def test_the_same_picture_with_and_without_memory(name, monkeypatch):
    def draw():
        with style():
            return [to_svg(DRAWN[name](i)) for i in (0, 1, 2, 3, 1, 0)]

    monkeypatch.setattr(layout, "_known", {})
    remembered = draw()
    monkeypatch.setattr(layout, "_key", lambda _: None)
    assert remembered == draw()


def test_still_axes_are_laid_out_once(monkeypatch):
    monkeypatch.setattr(layout, "_known", {})
    with style():
        for i in range(5):
            to_svg(DRAWN["still axes"](i))
    assert len(layout._known) == 1


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(layout, "_known", {})
    monkeypatch.setattr(layout, "_MOST", 3)
    with style():
        for i in range(5):
            to_svg(lines(X, {"one": X}, ylim=(0, 10 + i)))
    assert len(layout._known) == 3
