import math
import re
from functools import partial

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from livefig import band, bars, choice, dots, law, lines, live, matrix, palette, panels, show, spread, style
from livefig.figure import describe, to_svg
from livefig.layout import Layout
from livefig.looks import Look, look, looks, register_looks

X = np.array([1.0, 10.0, 100.0])


@pytest.fixture(autouse=True)
def book_style():
    with style():
        yield


def texts(figure):
    return re.findall(r"<text[^>]*>(?:<tspan[^>]*>)?([^<]+)", to_svg(figure))


# ---- words ---------------------------------------------------------------------------------------------------------


def test_what_rounding_left_is_not_said():
    """A highest value that is said like an end is none; a place that is zero up to rounding is zero."""
    flat = lines([0, 1, 2, 3], {"a": [0, 1 - 1e-12, 1, 1 - 1e-12], "ε = 1": [0.5, 0.5 + 1e-13, 0.5, 0.5]})
    assert describe(flat) == "a from 0 at 0 to 1 at 3; ε = 1 0.5 throughout"
    peak = lines(np.linspace(-2, 2, 5) + 1e-16, {"a": [0, 1, 2, 1, 0]}, mark=None)
    assert describe(peak) == "a from 0 at −2 to 0 at 2, highest 2 at 0"
    small = lines([1e-12, 1e-6, 1], {"a": [0, 1, 0]}, log="x")
    assert describe(small) == "a from 0 at 10⁻¹² to 0 at 1, highest 1 at 10⁻⁶", "small is not zero there"


def test_numbers_do_not_run_together():
    figure = lines([0, 1], {"d = 4": [0, 1], "all": [0, 2]}, mark=1, guides={"ε = 1": 0.5})
    assert describe(figure) == "at 1: 1 for d = 4, all 2; 0.5 for ε = 1"
    assert (
        describe(dots([8, 16], {"estimate": ([3, 4], [2, 3], [4, 5])})) == "estimate: 3 (2 to 4) at 8, 4 (3 to 5) at 16"
    )


# ---- colours -----------------------------------------------------------------------------------------------------


def test_what_cannot_be_registered():
    with pytest.raises(TypeError, match="known must map names to looks, got 'risk' for 'a'"):
        register_looks({"a": "risk"})
    with pytest.raises(ValueError, match=r"known must name colours .* got 'pink' for 'a'"):
        register_looks({"a": Look("pink")})
    with pytest.raises(ValueError, match="aliases must stand for names that are known, got 'b' for 'c'"):
        register_looks({"a": Look("risk")}, {"c": "b"})


@pytest.mark.parametrize("label", ["DE", "DE, split", "DE (reports)", "GRR", "direct encoding"])
def test_a_name_that_is_known_has_its_look_in_every_figure(label, known):
    assert looks(["truth", label])[1] == known["DE"]


def test_two_curves_of_one_thing_have_its_colour_and_two_dashes(known):
    one, other = looks(["THE", "THE, θ = ¼"])
    assert one.role == other.role == known["THE"].role
    assert one.dash != other.dash


def test_what_is_true_and_whom_one_trusts_have_their_looks_too():
    roles = {label: looks(["truth", label])[1] for label in ("local", "shuffled: by a third party", "curator")}
    assert [found.role for found in roles.values()] == ["estimate", "report", "neutral"]
    assert len({(found.dash, found.marker) for found in roles.values()}) == 3
    assert [found.role for found in looks(["curator", "truth", "a", "b", "c", "d"])[1:]] == [
        "truth", "estimate", "report", "risk", "accent",
    ], "what has no name takes no colour that is taken"  # fmt: skip
    assert palette.truth in to_svg(lines([0, 1], [0, 1], guides={"truth": 0.5}))
    assert palette.truth in to_svg(dots(["a"], {"estimate": [1]}, ticks={"truth": [2]}))


def test_colours_asked_for():
    assert [made.role for made in looks(["a", "b", "c"], "risk neutral")] == ["risk", "neutral", "truth"]
    assert looks(["a"], {"a": "risk:x"})[0] == look("risk:x")
    assert len({(made.role, made.dash) for made in looks(list("abcdefghij"))}) == 10
    assert (look("estimateo").role, look("estimateo").marker) == ("estimate", "o")
    assert looks(["a", "b"], "risk-- truth")[1].dash != "--"
    assert looks(["a"], {"a": "risk", "guide": "truth"}, ["guide"])[0].role == "risk"
    with pytest.raises(ValueError, match="colours must name roles"):
        looks(["a"], "red")
    with pytest.raises(ValueError, match="colours must be for the labels drawn"):
        looks(["a"], {"b": "risk"})


# ---- lines and bands ---------------------------------------------------------------------------------------------


def test_lines_draw_what_they_are_given():
    figure = lines(X, {"a": X**2, "level": 5, "own": ([2, 3], [4, 9])}, log="xy", xlim=(1, 1000), ylim=(0.1, 1e5))
    ax = figure.axes[0]
    found = [np.column_stack(line.get_data()) for line in ax.get_lines()]
    assert np.array_equal(found[0], np.column_stack([X, X**2]))
    assert np.array_equal(found[1][:, 1], [5, 5, 5])
    assert np.array_equal(found[2], [[2, 4], [3, 9]])
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert (ax.get_xlim(), ax.get_ylim()) == ((1, 1000), (0.1, 1e5))


def test_the_mark_lies_on_the_curves_as_they_are_drawn():
    """Half-way between 1 and 100 on a logarithmic axis is 10: a power law is a straight line there."""
    figure = lines([1.0, 100.0], {"a": [1.0, 10_000.0]}, log="xy", mark=10, x="people", y="error", title="T")
    assert describe(figure) == "T. error against people: at 10: a 100"
    dot = figure.axes[0].get_lines()[-1]
    assert (dot.get_xdata()[0], dot.get_ydata()[0]) == (10, pytest.approx(100))


def test_alternative_text_reads_the_ends_the_points_and_the_guides():
    figure = lines(X, {"a": [3.0, 2.0, np.nan]}, points={"best": (10, 2)}, guides={"limit": 7}, uprights={"here": -1})
    assert describe(figure) == "a from 3 at 1 to 2 at 10; best 2 at 10; limit 7; here −1"


def test_alternative_text_reads_the_turns_of_a_curve_a_level_and_words_at_the_axis():
    hill = lines([1, 2, 3, 4], {"a": [1, 5, 0.5, 2], "b": 7}, xticks={1: "low", 2: "middle"})
    assert describe(hill) == "a from 1 at low to 2 at 4, highest 5 at middle, lowest 0.5 at 3; b 7 throughout"


def test_names_stand_where_they_cover_nothing():
    short = lines(X, {"one": X, "two": 2 * X})
    assert not short.legends
    assert {"one", "two"} <= set(texts(short))
    long = lines(X, {"a name that is long, so that it needs room": X, "two": 2 * X})
    assert [text.get_text() for text in long.legends[0].get_texts()] == [
        "a name that is long, so that it needs room", "two",
    ]  # fmt: skip
    assert all(ax.get_legend() is None for ax in long.axes), "a legend in the axes would lie on the data"
    assert long.get_figheight() > short.get_figheight(), "the figure grows, the axes do not shrink"


@pytest.mark.parametrize("n", range(2, 9))
def test_a_legend_is_never_wider_than_its_figure(n):
    figure = lines(X, {f"mechanism number {i} of {'many' * (i % 3)}": X + i for i in range(n)})
    FigureCanvasAgg(figure).draw()
    box, page = figure.legends[0].get_window_extent(), figure.bbox
    assert box.x0 >= page.x0
    assert box.x1 <= page.x1
    axes = figure.axes[0].get_tightbbox()
    assert box.y1 <= axes.y0 + 1, "it lies under the axes"


def test_names_stand_at_the_ends_where_these_are_apart_in_the_first_frame():
    def legends(layout, *ends):
        with layout.decided():
            return len(lines([0, 1], {f"line {i}": [0.5, end] for i, end in enumerate(ends)}, ylim=(0, 1)).legends)

    assert legends(Layout(), 0.1, 0.5, 0.9) == 0
    assert legends(Layout(), 0, 0) == legends(Layout(), *np.linspace(0, 1, 7)) == 1
    layout = Layout()
    assert legends(layout, 0, 1) == legends(layout, 0, 0) == 0, "as in the first frame"


def test_five_names_are_no_row_of_four_and_one_alone():
    figure = lines(X, {f"name {i} of those": X for i in range(5)}, legend="below")
    assert (figure.legends[0]._ncols, len(figure.legends[0].get_texts())) == (3, 5)


def test_panels_are_no_higher_than_wide():
    assert panels(3, 1, size=(6, 9))[0].figure.get_size_inches().tolist() == [6, 6]


def beside(figure):
    """Words beside each pair of axes, and under them all."""
    legends = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    return [[text.get_text() for text in ax.texts] for ax in figure.axes], legends


def test_one_line_is_named_at_its_end_and_a_long_name_takes_two_lines():
    assert beside(lines(X, {"a": X})) == ([["a"]], [])
    assert beside(lines(X, {"two standard deviations": X})) == ([["two standard\ndeviations"]], [])
    assert beside(lines(X, {"well-known": X, "b": 0 * X}, size=(2, 2)))[0] == [["well-known", "b"]], "in one piece"
    assert beside(lines(X, {"one, two, three, four, five, six, seven, eight": X}))[1], "three lines are too many"


def test_a_line_that_ends_early_is_named_below():
    assert beside(lines(X, {"a": X}, xlim=(X[0], 3 * X[-1]))) == ([[]], ["a"])


def test_levels_are_named_at_the_right_in_any_case():
    same = {"a": X, "b": X, "c": X, "d": X}
    assert beside(lines(X, same, guides={"level": X[0]})) == ([["level"]], [*same])
    assert beside(lines(X, {"a": X}, guides={"level": X[0]}, legend="below")) == ([["level"]], ["a"])
    assert beside(lines(X, {"a": X}, guides={"level": X[0]}, legend="none")) == ([[]], [])
    assert beside(bars(["x"], {"a": [1]}, guides={"level": 0.5})) == ([["level"]], ["a"])


def test_a_level_that_leaves_the_axes_is_named_below_in_all_frames(static):
    for levels, named in (((0.5, 0.9), ([["b"]], [])), ((0.5, 2.0), ([[]], ["b"]))):
        found = []

        def draw(b, found=found):
            figure = lines([0, 1], [0, 1], guides={"b": b}, ylim=(0, 1))
            found.append(beside(figure))
            return figure

        assert live(draw, b=choice(*levels)).frames
        assert found[-2:] == [named, named]


def test_the_rightmost_panel_names_the_lines_of_all():
    left, right = panels(1, 2)
    lines(X, {"a": X, "b": 0 * X}, ax=left)
    assert beside(lines(X, {"a": X, "b": 0 * X}, ax=right)) == ([[], ["a", "b"]], [])
    left, right = panels(1, 2)
    lines(X, {"a": X, "b": 0 * X}, ax=left, colours="truth risk")
    drawn = lines(X, {"a": X, "b": 0 * X}, ax=right, colours="truth estimate")
    assert beside(drawn) == ([[], ["a", "b"]], ["b"]), "another look, another line"


def test_axes_have_names_beside_them_from_one_plot_only():
    (ax,) = panels(1, 1)
    lines(X, {"a": X}, ax=ax)
    assert beside(lines(X, {"b": X}, ax=ax)) == ([["a"]], ["b"])


def test_names_beside_have_to_suit_all_frames(static):
    def draw(gap):
        names = ("the first line of all", "the second line of all", "the third line of all")
        return lines([0, 1], {name: [0, i * gap] for i, name in enumerate(names)}, ylim=(0, 1))

    for gaps, inside in (((0.5, 0.45), False), ((0.5, 0.0), True)):
        drawn = live(draw, gap=choice(*gaps)).frames
        assert all(("the second line of all" in frame.svg) == inside for frame in drawn), (
            "under the axes a name is whole"
        )


def test_names_at_the_ends_do_not_lie_on_one_another():
    figure = lines(X, {"a": X, "b": X + 1e-3, "c": X + 2e-3, "d": 0 * X}, legend="ends")
    FigureCanvasAgg(figure).draw()
    heights = sorted(text.get_window_extent().y0 for text in figure.axes[0].texts)
    assert np.all(np.diff(heights) >= figure.axes[0].texts[0].get_window_extent().height * 0.9)


def test_lines_that_end_together_are_named_there_in_their_order():
    drawn = lines(X, {"lower": [1, 3, 5], "upper": [4, 4, 5], "far": [0, 0, 1]}, ylim=(0, 9))
    assert not drawn.legends
    places = {text.get_text(): text.get_position()[1] for text in drawn.axes[0].texts}
    assert places["upper"] > 5 / 9 > places["lower"]
    assert places["upper"] - 5 / 9 == pytest.approx(5 / 9 - places["lower"])
    assert places["far"] == pytest.approx(1 / 9), "nothing is in its way"


def test_a_line_that_leaves_the_axes_is_named_where_it_leaves():
    figure = lines([0, 1, 2], {"up": [0, 2, 4], "down": [4, 2, 0]}, legend="ends", ylim=(0, 3), xlim=(0, 2), title="t")
    FigureCanvasAgg(figure).draw()
    (ax,) = figure.axes
    up, down = sorted(ax.texts, key=lambda text: text.get_position()[0])
    assert (up.get_text(), down.get_text()) == ("up", "down")
    assert up.get_position()[0] == pytest.approx(0.75)
    assert down.get_position()[1] == pytest.approx(0)
    assert ax.get_window_extent().y1 < up.get_window_extent().y0, "above the axes"
    assert up.get_window_extent().y1 < ax._left_title.get_window_extent().y0, "below the title"
    assert not figure.legends


def test_a_name_among_the_notes_has_the_colour_of_its_line():
    figure = lines(X, {"a": X, "b": X}, colours="truth risk", notes={"a": (2, 2), "b": (3, 1), "a word": (1, 1)})
    colours = {text.get_text(): text.get_color() for text in figure.axes[0].texts}
    assert colours == {"a": palette.truth, "b": palette.risk, "a word": palette.ink}
    assert not figure.legends


LONG = {
    "title": "a title of many words " * 5,
    "y": "a label of the y-axis that is very long " * 2,
    "x": "an x-axis " * 4,
}


@pytest.mark.parametrize(
    "plot",
    [partial(lines, X, X), partial(dots, ["a name of a row that takes most of the room"], {"one": [1.0]})],
    ids=["numbers", "long names"],
)
def test_texts_are_not_cut_off(plot):
    figure = plot(**LONG)
    FigureCanvasAgg(figure).draw()
    (ax,) = figure.axes
    for text in (ax.title, ax._left_title, ax.yaxis.label, ax.xaxis.label):
        box = text.get_window_extent()
        assert box.x0 >= -2
        assert box.x1 <= figure.bbox.x1 + 2, text
        assert box.y1 <= figure.bbox.y1 + 2


def test_axes_of_powers_need_no_mathtext():
    assert {"0.1", "1", "10", "100", "1,000"} <= set(texts(lines(X, X, log="xy", xlim=(0.1, 1000), ylim=(0.1, 1000))))
    assert {"10⁻⁶", "10⁰", "10⁶"} <= set(texts(lines(X, X, log="y", ylim=(1e-6, 1e6))))
    assert {"1", "2", "5"} <= set(texts(lines(X, X, log="y", ylim=(1, 6)))), "less than a decade has numbers between"
    assert "20,000" in texts(lines(X, 200 * X))
    assert {"−1,000", "0", "1,000"} <= set(texts(lines([-1000, 1000], [0, 1])))
    assert {"low", "high"} <= set(texts(lines(X, X, xticks={1: "low", 100: "high"}, yticks=[0, 50])))


def test_band_and_spread():
    runs = np.array([[1.0, 3.0, 5.0], [2.0, 2.0, 2.0], [0.0, 0.0, 9.0]])
    low, middle, high = spread(runs)
    assert np.allclose(high - middle, runs.std(axis=1, ddof=1))
    assert np.allclose(middle - low, high - middle)
    assert np.array_equal(spread(runs, "range"), [runs.min(axis=1), runs.mean(axis=1), runs.max(axis=1)])
    assert np.allclose(spread(runs, "quantiles")[1], [3, 2, 0])
    figure = band(X, {"DE": spread(runs, "range")}, mark=10)
    assert describe(figure) == "at 10: DE 2"
    corners = figure.axes[0].collections[0].get_paths()[0].vertices
    assert {(1.0, 1.0), (1.0, 5.0), (100.0, 9.0)} <= set(map(tuple, corners))


# ---- laws, matrices, bars, dots ----------------------------------------------------------------------------------


def test_a_law_is_shaded_where_it_is_the_largest():
    y = np.linspace(-4, 5, 91)
    figure = law(y, {"with": np.exp(-abs(y - 1)) / 2, "without": np.exp(-abs(y)) / 2}, x="answer")
    ends = [path.vertices[:, 0] for part in figure.axes[0].collections for path in part.get_paths()]
    assert min(ends[0]) == pytest.approx(0.5)
    assert max(ends[1]) == pytest.approx(0.5)
    assert figure.axes[0].get_ylim()[0] == 0
    assert describe(law(None, {}, atoms={"Duchi": ([-2, 2], [0.25, 0.75])})) == "Duchi 0.25 at −2, 0.75 at 2"


def test_a_zero_of_a_channel_is_seen():
    figure = matrix([[0.5, 0.5, 0], [0, 0.5, 0.5]], x="report", y="truth", rows=["a", "b"])
    assert "0 in row a, column 2; 0 in row b, column 0" in describe(figure)
    frames = [patch.get_edgecolor() for patch in figure.axes[0].patches]
    assert len(frames) == 2
    assert texts(figure).count("0") == 2 + 1, "two cells and the name of a column"
    assert f"var(--lf-risk,{palette.risk})" in to_svg(matrix([[0.0, 1.0]]))


def test_a_matrix_in_one_colour_follows_the_theme():
    left, right = panels(1, 2, sharey=True)
    bars(["a", "b"], [1, 2], horizontal=True, colours="estimate", ax=right)
    svg = to_svg(matrix([[0.0, 0.5], [1.0, 0.0]], rows=["a", "b"], colours="truth", ax=left))
    assert left.get_ylim() == (1.5, -0.5), "the first row above, beside bars too"
    filled = re.findall(rf"fill: var\(--lf-truth,{palette.truth}\)(; fill-opacity: [\d.]+)?", svg)
    assert filled == ["; fill-opacity: 0.5", ""], "half of it, and all of it; nothing for zero"
    assert "<image" not in svg
    assert "0.50" not in svg
    with pytest.raises(TypeError, match="one, such as"):
        matrix([[0, 1]], colours={"a": "truth"})


def test_matrix_writes_nothing_small_as_zero():
    figure = matrix([[0.0, 0.001, 0.999]])
    assert {"0", "&lt;0.01", "1.00"} <= set(texts(figure))
    assert "&lt;0.1" in texts(matrix([[0.01, 1]], text="{:.1f}"))
    assert "0.001" in texts(matrix([[0.001, 1]], text="{:.3g}"))


def test_bars():
    figure = bars(["a", "b"], {"one": [1, 2], "two": [3, 4]}, stacked=True, text="{:.0f}")
    assert [bar.get_y() for bar in figure.axes[0].patches] == [0, 0, 1, 2]
    assert describe(figure) == "one: a 1, b 2; two: a 3, b 4"
    assert {"1", "2", "3", "4"} <= set(texts(bars(["a", "b"], {"one": [1, 2], "two": [3, 4]}, text="{:.0f}")))
    histogram = bars([17, 18, 19], [5, 6, 7], colours="estimate")
    assert [bar.get_x() + bar.get_width() / 2 for bar in histogram.axes[0].patches] == [17, 18, 19]
    assert len({bar.get_facecolor() for bar in histogram.axes[0].patches}) == 1
    each = bars(["a", "b"], [1, 2], colours="risk truth", horizontal=True)
    assert len({bar.get_facecolor() for bar in each.axes[0].patches}) == 2
    assert "100 values, the largest 9 at 3" in describe(bars(range(100), [9 * (n == 3) for n in range(100)]))
    assert describe(bars(["k = 1", "none"], [0.5, 1])) == "0.5 for k = 1, none 1"


def test_dots_stand_in_the_order_of_the_names():
    figure = dots(
        ["a", "b"], {"one": ([1, 2], [0, 1], [2, 3]), "two": [3, 4]}, bars={"truth": [2, 2]}, ticks={"reports": [1, 1]},
        xlim=(-1, 5),
    )  # fmt: skip
    top, bottom = figure.axes[0].get_ylim()[::-1]
    assert top < bottom, "the first name is at the top"
    assert describe(figure) == "one: a 1 (0 to 2), b 2 (1 to 3); two: a 3, b 4; truth: a 2, b 2; reports: a 1, b 1"
    assert len(figure.axes[0].collections) == 1, "intervals where there are some"
    assert len(figure.legends[0].get_texts()) == 4


def test_a_title_writes_small_numbers_as_powers_of_ten():
    assert describe(lines(X, X, title=f"δ = {1e-05:g}, ε = {0.1:g}")).startswith("δ = 10⁻⁵, ε = 0.1")


def test_many_bars_that_touch_are_one_outline():
    ages = np.arange(17, 91)
    many = bars(ages, np.sqrt(ages))
    assert [len(ax.patches) for ax in many.axes] == [1]
    edges = many.axes[0].patches[0].get_data()
    np.testing.assert_array_equal(edges.values, np.sqrt(ages))
    np.testing.assert_array_equal(edges.edges, np.arange(16.5, 91))
    assert len(bars(ages, {"a": ages, "b": ages}, stacked=True).axes[0].patches) == 2
    mine = bars(ages, ages, colours=["truth" if age == 50 else "report" for age in ages]).axes[0].patches
    one, others = sorted((patch.get_data().values for patch in mine), key=np.count_nonzero)
    assert np.flatnonzero(one).tolist() == [50 - 17]
    np.testing.assert_array_equal(one + others, ages)
    for apart in (bars(ages, {"a": ages, "b": ages}), bars(ages, ages, text="{:g}"), bars(ages**2, ages)):
        assert len(apart.axes[0].patches) >= len(ages), "side by side, with numbers, or not evenly spaced"


def test_panels_share_a_figure_and_a_legend():
    left, right = panels(1, 2, sharey=True, title="both")
    lines(X, {"DE": X, "OUE": 2 * X}, ax=left, title="left")
    figure = lines(X, {"DE": X}, ax=right, title="right")
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["DE", "OUE"]
    de, oue = "DE from 1 at 1 to 100 at 100", "OUE from 2 at 1 to 200 at 100"
    assert describe(figure) == f"both. left. {de}; {oue}. right. {de}"


def test_plots_lie_over_one_another():
    (ax,) = panels(1, 1)
    bars([1, 10, 100], [1, 2, 3], ax=ax, y="people")
    figure = lines(X, {"truth": X}, ax=ax, x="age")
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("people", "age")
    assert len(figure.axes) == 1


def test_a_plot_has_the_style_wherever_it_is_made():
    with mpl.rc_context({"axes.titlelocation": "center", "font.size": 30, "text.color": "red"}):
        outside = lines(X, {"a": X}, title="T", x="x")
    assert to_svg(outside) == to_svg(lines(X, {"a": X}, title="T", x="x"))


def test_show_lets_the_plot_speak():
    assert 'aria-label="a from 1 at 1 to 100 at 100"' in show(lambda: lines(X, {"a": X})).html


# ---- errors ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "error", "match"),
    [
        (lambda: lines([2, 1], [1, 2]), ValueError, "at must be in rising order"),
        (lambda: lines(X, {"a": [1, 2]}), ValueError, r"curves\['a'\] must be of shape \(3,\)"),
        (lambda: lines(X, {"a": ["x", "y", "z"]}), TypeError, r"curves\['a'\] must be real numbers"),
        (lambda: lines(X, {}), ValueError, "curves must hold"),
        (lambda: lines(X, X, mark=math.nan), ValueError, "mark must be finite"),
        (lambda: lines(X, X, points={"p": 3}), ValueError, r"points\['p'\] must be a pair"),
        (lambda: lines(X, X, log="z"), ValueError, "log must be one of"),
        (lambda: lines(X, X, ylim=3), TypeError, "ylim must be a pair"),
        (lambda: lines(X, X, title=3), TypeError, "title must be text"),
        (lambda: lines(X, X, guides=3), TypeError, "guides must map"),
        (lambda: lines(X, X, legend="best"), ValueError, "legend must be one of"),
        (lambda: lines(X, X, ylabel="y"), TypeError, "plots take .*; got ylabel"),
        (lambda: band(X, {"a": [1, 2]}), ValueError, r"bands\['a'\] must be \(low"),
        (lambda: spread([1, 2]), ValueError, "runs must have shape"),
        (lambda: spread([[1, 2]], "both"), ValueError, "how must be one of"),
        (lambda: law(X, {}), ValueError, "densities or atoms"),
        (lambda: matrix([1, 2]), ValueError, "values must be a matrix"),
        (lambda: matrix([[1, 2]], columns=["a"]), ValueError, "columns must be 2"),
        (lambda: bars([], []), ValueError, "names must be at least one"),
        (lambda: bars(["a"], [1, 2]), ValueError, "heights must be of shape"),
        (lambda: dots(["a"], {"e": (1, 2)}), ValueError, r"series\['e'\] must be estimates"),
        (lambda: dots(["a"], [1]), TypeError, "series must map"),
        (lambda: panels(0, 1), ValueError, "rows must be"),
    ],
)
def test_bad_input_is_named_before_anything_is_drawn(monkeypatch, make, error, match):
    drawn = []
    monkeypatch.setattr("matplotlib.figure.Figure.__init__", lambda *a, **k: drawn.append(a))
    with pytest.raises(error, match=match):
        make()
    assert drawn == []


def test_a_guide_has_the_colour_that_it_is_asked_to_have():
    figure = lines([0.0, 1.0], {"estimate": [0.0, 1.0]}, guides={"the truth": 0.5}, colours={"the truth": "truth"})
    assert palette.truth in {line.get_color() for line in figure.axes[0].get_lines()}
