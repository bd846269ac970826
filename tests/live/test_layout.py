"""A layout that is remembered is the layout that would be found."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.transforms import Affine2D

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


def shifted(ax, i):
    for text in ax.get_xticklabels():
        text.set_transform(text.get_transform() + Affine2D().translate(0, -9 * i))


#: What a reader may do to axes with Matplotlib; each moves them.
DONE = {
    "a title with brackets": lambda ax, i: ax.set_title("x(x" if i % 2 else "x"),
    "a title farther off": lambda ax, i: ax.set_title("x", pad=5 + 9 * i),
    "a name written level": lambda ax, i: ax.set_ylabel("y" * (1 + i), rotation=0),
    "a name farther off": lambda ax, i: ax.set_xlabel("x", labelpad=4 + 9 * i),
    "longer ticks": lambda ax, i: ax.tick_params(length=3 + 9 * i),
    "ticks and no numbers": lambda ax, i: ax.tick_params(length=3 + 9 * i, labelleft=False, labelbottom=False),
    "turned numbers": lambda ax, i: ax.tick_params(axis="x", rotation=30 * i),
    "another font": lambda ax, i: [t.set_family(["serif", "monospace"][i % 2]) for t in ax.get_yticklabels()],
    "shifted numbers": shifted,
    "a spine apart": lambda ax, i: ax.spines["left"].set_position(("outward", 9 * i)),
    "a spine gone": lambda ax, i: ax.spines["left"].set_visible(bool(i % 2)),
    "an axis gone": lambda ax, i: ax.xaxis.set_visible(bool(i % 2)),
    "axes gone": lambda ax, i: ax.set_axis_off() if i % 2 else None,
    "a legend beside": lambda ax, i: ax.legend(["a"], loc="center left", bbox_to_anchor=(1 + i / 9, 0.5)),
    "a legend above": lambda ax, i: ax.figure.legend(["a"], loc="outside upper center", fontsize=8 + 4 * i),
    "a table": lambda ax, i: ax.table([["a"]], bbox=[0, -0.2 * (i + 1), 1, 0.1]),
    "axes inside": lambda ax, i: ax.inset_axes([0.5 + 0.2 * i, 0.5, 0.4, 0.4]),
    "axes over axes": lambda ax, i: ax.twinx().set_ylim(0, 10**i),
    "an arrow": lambda ax, i: ax.annotate("w", (0.5, 0.5), (1 + i / 9, 0.5), arrowprops={"arrowstyle": "->"}),
    "other coordinates": lambda ax, i: ax.text(1, 0.5, "w", transform=(ax.transAxes, ax.figure.transFigure)[i % 2]),
    "another edge": lambda ax, i: ax.text(0.99, 0.5, "word", ha=("left", "right")[i % 2]),
    "cut words": lambda ax, i: ax.text(0.99, 0.5, "word", clip_on=bool(i % 2)),
    "words upright beside": lambda ax, i: ax.text(1, 0.3 * i, "word" * 3, rotation=90, transform=ax.transAxes),
    "a square": lambda ax, i: ax.set_box_aspect(0.5 + 0.5 * i),
    "one scale": lambda ax, i: ax.set_aspect(("auto", "equal")[i % 2]),
    "a colorbar": lambda ax, i: ax.figure.colorbar(ax.imshow(np.eye(2) * 10**i), ax=ax),
    "no words above": lambda ax, i: ax.figure.suptitle("") if i % 2 else None,
    "left out": lambda ax, i: ax.set_in_layout(bool(i % 2)),
    "unseen": lambda ax, i: ax.set_visible(bool(i % 2)),
    "more padding": lambda ax, i: ax.figure.get_layout_engine().set(w_pad=0.1 * i),
    "moved before": lambda ax, i: ax.set_position([0.1 * i, 0.1, 0.5, 0.5]),
}


@pytest.mark.parametrize("name", DONE)
def test_whatever_a_reader_draws_stands_where_matplotlib_puts_it(name, monkeypatch):
    """Against Matplotlib's own engine; each figure is drawn a second time, wider."""

    def draw():
        drawn = []
        with style():
            for i in (0, 1, 2, 1):
                figure = Figure(figsize=(4, 2.5), layout="constrained")
                ax = figure.subplots()
                ax.plot([0, 1], [0, 1])
                ax.set(xlim=(0, 1), ylim=(0, 1))
                DONE[name](ax, i)
                drawn.append(to_svg(figure))
                ax.set_xlim(0, 1_000_000)
                drawn.append(to_svg(figure))
        return drawn

    monkeypatch.setattr(layout, "_known", {})
    remembered = draw()
    monkeypatch.setattr(layout.RememberedLayout, "execute", ConstrainedLayoutEngine.execute)
    assert remembered == draw()


@pytest.mark.parametrize("kind", ["compressed", "nested", "columns", "polar"])
def test_other_grids_and_projections_too(kind, monkeypatch):
    def draw():
        drawn = []
        with style():
            for i in (0, 1, 0):
                figure = Figure(figsize=(4, 2.5), layout="compressed" if kind == "compressed" and i else "constrained")
                if kind == "nested":
                    grid = figure.add_gridspec(1, 2, width_ratios=(1, 2))[0, i].subgridspec(1, 2)
                    figure.add_subplot(grid[0])
                elif kind == "polar":
                    figure.add_subplot(projection="polar").set_rlabel_position(50 * i)
                else:
                    for ax in figure.subplots(1, 2, gridspec_kw={"wspace": 0.3 * i}):
                        ax.set_aspect("equal" if kind == "compressed" else "auto")
                drawn.append(to_svg(figure))
        return drawn

    monkeypatch.setattr(layout, "_known", {})
    remembered = draw()
    monkeypatch.setattr("ldp_core.live.layout.RememberedLayout", lambda engine: engine)
    assert remembered == draw()


def test_names_that_move_beside_the_axes_change_no_place(monkeypatch):
    monkeypatch.setattr(layout, "_known", {})
    for i in range(4):
        to_svg(lines(X, {"one": X, "two": np.exp(-i * X)}, legend="ends", ylim=(0, 20)))
    assert len(layout._known) == 1


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
