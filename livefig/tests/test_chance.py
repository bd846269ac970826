"""Figures whose random part the page draws by itself: their law, their words, and what is refused."""

import re

import numpy as np
import pytest
from scipy import stats

from livefig import Chance, choice, dots, draws, follow, live, panels
from livefig.frames import unpack

YES, NO = [40, 0, 1], [60, 0, 0]
P, Q = 0.73, 0.27  # of saying yes: of those who would truly say so, and of the others


@pytest.mark.parametrize(("p", "q"), [(P, Q), (0.5, 0.27)])
def test_counts_have_the_law_that_is_said(p, q):
    drawn = Chance(3).yeses(p, q, [3] * 5_000, [4] * 5_000).value
    law = np.convolve(stats.binom.pmf(range(4), 3, p), stats.binom.pmf(range(5), 4, q))
    # a false alarm once in ten thousand seeds
    assert stats.chisquare(np.bincount(drawn.astype(int), minlength=8), 5_000 * law).pvalue > 1e-4


def test_the_same_calls_give_the_same_draws_and_each_setting_its_own():
    seen = [
        Chance(seed, {"x": x}).yeses(P, Q, YES * 5, NO * 5).value.tolist()
        for seed, x in [(0, 1), (0, 1), (0, 2), (1, 1)]
    ]
    assert seen[0] == seen[1]
    assert seen[0] != seen[2]
    assert seen[0] != seen[3]


def test_what_follows_them():
    chance = Chance()
    said = chance.yeses(P, Q, YES, NO)
    first = said.value
    assert len(said) == 3
    assert first[1] == 0, "nobody says no yes"
    for numbers, expected in (
        (2 * said - 1, 2 * first - 1), (10 - said / 4, 10 - first / 4), (np.array([1, 2, 3]) * said, [1, 2, 3] * first),
        (-said + np.ones(3), 1 - first), (said[:2], first[:2]), (said.sum(), first.sum()),
        ((3 * said).sum(), 3 * first.sum()), (said[0] * [1, 2, 3], first[0] * np.array([1, 2, 3])),
        ((said[0] * [1, 2, 3])[2], 3 * first[0]), (said.sum().within(0, 1_000), 1), (said.sum().within(-2, -1), 0),
        (said.within(0, 1), (first <= 1) * 1), (20 - said.within(0, 1).sum(), 20 - np.sum(first <= 1)),
    ):  # fmt: skip
        assert np.asarray(numbers).tolist() == pytest.approx(np.asarray(expected).tolist())
    steps = chance.steps
    assert steps[:3] == [["counts", 1, y, P, n, Q] for y, n in zip(YES, NO, strict=True)]
    assert steps[3][0] == "within"


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda said: said + said, TypeError, "not by one another"),
        (lambda said: said * said[0], TypeError, "not by one another"),
        (lambda said: (said * [1, 2, 3]).sum(), ValueError, "multiplied alike"),
        (lambda said: said * [said[0], 0, 0], TypeError, "not by one another"),
        (lambda said: said + None, ValueError, "must not be missing"),
        (lambda said: said * np.inf, ValueError, "must be finite"),
        (lambda said: said[0] == 3, TypeError, "use within"),
        (lambda said: said.within(-np.inf, 3), ValueError, "low must be finite"),  # no number in JSON
        (lambda said: said[::2].sum(), ValueError, "one after another"),
        (lambda said: said[:0].sum(), ValueError, "one after another"),
        (lambda said: said.sum().sum(), ValueError, "one after another"),
        (lambda said: f"{said}", ValueError, "a drawn number can be written"),
        (lambda said: f"{said[0]:.3e}", ValueError, "a drawn number can be written"),
        (lambda said: said.chance.yeses(P, Q, [1, 2], [1]), ValueError, "no must have shape"),
        (lambda said: said.chance.yeses(P, Q, [1.5], [1]), ValueError, "whole numbers"),
        (lambda said: said.chance.yeses(1.5, Q, [1], [1]), ValueError, r"p must lie in \[0, 1\]"),
        (lambda said: Chance(-1), ValueError, "seed must be"),
        (lambda said: Chance(0, 3), TypeError, "setting must map"),
        (lambda said: follow(said, x=said), TypeError, "artist must be"),
        (lambda said: follow(panels(1, 1)[0].scatter([1], [1]), x=[1]), TypeError, "x must be"),
        (lambda said: follow(panels(1, 1)[0].scatter([1], [1])), ValueError, "x, y or seen must be given"),
        (lambda said: dots(list("abc"), {"e": (said, said, 2 * said)}), ValueError, "distances do not change"),
    ],
)
def test_what_is_refused(wrong, error, message):
    with pytest.raises(error, match=message):
        wrong(Chance().yeses(P, Q, YES, NO))


def surveys(people, chance):
    counts = chance.yeses(P, Q, [people // 4] * 6, [people - people // 4] * 6)
    share = 100 * (counts - people * Q) / (P - Q) / people
    return share, share.within(20, 30)


def draw(people, chance):
    share, near = surveys(people, chance)
    (ax,) = panels(1, 1)
    follow(ax.scatter(share, range(6), s=100, facecolor="none", edgecolor="k"), x=share, seen=1 - near)
    return dots(
        list("abcdef"), {"e": (share, share - 5, share + 5)}, xlim=(15, 35), ax=ax,
        title=f"{near.sum()} of 6 are near, the first is {share[0]:,.1f} %",
    )  # fmt: skip


def alt(people, chance):
    share, near = surveys(people, chance)
    return f"{near.sum()} near, first {share[0]:.2%}"


def near(people, chance):
    return surveys(people, chance)[1].sum()


def test_a_frame_says_what_follows_what():
    figure = live(draw, people=choice(100, 2_000), chance=draws(law=True, pile=near), alt=alt, label="Near")
    assert len(figure.frames) == 2
    assert unpack(re.search(r"lf-frames[^>]*>([^<]+)<", figure.html)[1]) == figure.frames
    for frame, people in zip(figure.frames, (100, 2_000), strict=True):
        share, inside = surveys(people, Chance(0, {"people": people}))
        count, first = int(inside.sum().value), share[0].value
        assert frame.alt == f"{count} near, first {first:.2%}".replace("-", "−")
        assert frame.law["alt"] == f"{{{inside.sum().codes[0]} .0f}} near, first {{{share[0].codes[0]} .2%}}"
        assert frame.law["pile"] == inside.sum().codes[0]
        assert frame.title == f"{count} of 6 are near, the first is {first:,.1f} %".replace("-", "−")
        assert frame.law["title"].startswith(f"{{{inside.sum().codes[0]} .0f}} of 6")
        assert not re.search("[\u2060-\u2064\ufe00-\ufe0f]", frame.svg + frame.alt + frame.title), (
            "no invisible letter is left"
        )
        marks = re.findall(r"<(?:use|path)[^>]* data-x[^>]*>", frame.svg)
        assert len(marks) == 18, "rings, whiskers and dots, also those beyond the edge"
        rings = [mark for mark in marks if "data-seen" in mark]
        assert ['display="none"' in ring for ring in rings] == inside.value.astype(bool).tolist()
        assert not any("clip-path" in mark for mark in marks), "the edge of the axes does not move with a mark"
    assert "data-law" in figure.html
    assert ">draw 1<" in figure.html


def test_the_first_draw_can_be_another():
    control = draws(law=True, first=6)
    assert control.texts == ("draw 1",)
    assert control.keys == ("1",)
    figure = live(draw, people=choice(100, 2_000), chance=control, alt=alt, label="Near")
    assert figure.frames[0].law["first"][:6] == surveys(100, Chance(6, {"people": 100}))[0].chance.drawn[:6]


def test_a_kernel_goes_on_drawing():
    ipywidgets = pytest.importorskip("ipywidgets")
    widget = live(draw, people=choice(100, 2_000), chance=draws(law=True), alt=alt, label="Near").widget
    assert isinstance(widget.controls["chance"], ipywidgets.Button)
    before = widget.picture.value
    widget.controls["chance"].click()
    share, inside = surveys(100, Chance(1, {"people": 100}))
    assert f"{int(inside.sum().value)} near, first {share[0].value:.2%}".replace("-", "−") in widget.picture.value
    assert widget.picture.value != before


def test_a_space_between_two_drawn_numbers_stays():
    def two(people, chance):
        share = surveys(people, chance)[0]
        (ax,) = panels(1, 1)
        ax.set_xlabel(f"{share[0]} {share[1]}")
        return ax.figure

    figure = live(two, people=choice(100, 2_000), chance=draws(law=True), alt=alt, label="x")
    assert re.search(r">\d+</tspan> <tspan[^>]*>\d+</tspan></text>", figure.frames[0].svg)


def test_marks_can_be_told_what_they_follow_one_after_another():
    def twice(people, chance, once=False):
        (ax,) = panels(1, 1)
        share, near = surveys(people, chance)
        dots = ax.scatter(share, range(6))
        follow(dots, x=share, seen=near) if once else follow(follow(dots, x=share), seen=near)
        return ax.figure

    frames = [
        live(picture, people=choice(100, 2_000), chance=draws(law=True), alt=alt, label="x").frames[0]
        for picture in (twice, lambda people, chance: twice(people, chance, once=True))
    ]
    assert frames[0].svg.count("data-seen") == frames[0].svg.count("data-x") == 6
    assert frames[0] == frames[1]


def test_figures_that_do_not_fit_their_law():
    def other(people, chance):
        chance.yeses(0.9, 0.1, [1], [1])
        return alt(people, chance)

    def curved(people, chance):
        (ax,) = panels(1, 1)
        ax.set_xscale("log")
        follow(ax.scatter(share := surveys(people, chance)[0], range(6)), x=share)
        return ax.figure

    def lost(people, chance):
        (ax,) = panels(1, 1)
        follow(ax.scatter([1, 2], [1, 2]), x=surveys(people, chance)[0])
        return ax.figure

    def split(people, chance):  # the same surveys, but in two calls: drawn one after the other, not sorted
        return f"{chance.yeses(P, Q, [people], [people])[0]} {chance.yeses(P, Q, [1], [2])[0]}"

    def joint(people, chance):
        chance.yeses(P, Q, [people, 1], [people, 2])
        return panels(1, 1)[0].figure

    def unseen(people, chance):
        (ax,) = panels(1, 1)
        follow(ax.scatter(share := surveys(people, chance)[0], range(6)), x=share).set_visible(False)
        return ax.figure

    def formula(people, chance):
        (ax,) = panels(1, 1)
        ax.set_title(f"$x$ = {surveys(people, chance)[0][0]}")
        return ax.figure

    for parts, error, message in (
        ({"draw": joint, "alt": split}, ValueError, "alt must draw what draw draws"),
        ({"draw": unseen}, ValueError, "must show 6 marks that follow x, got 0"),
        ({"draw": formula}, ValueError, "in no formula"),
        ({"alt": None}, TypeError, "alt must be a function"),
        ({"alt": other}, ValueError, "alt must draw what draw draws"),
        ({"pile": lambda people, chance: 3}, TypeError, "pile must return one drawn number"),
        ({"pile": lambda people, chance: surveys(people, chance)[0]}, TypeError, "pile must return one drawn number"),
        ({"draw": curved}, ValueError, "linear axes only"),
        ({"draw": lost}, ValueError, "must show 6 marks"),
    ):
        figure = live(
            parts.get("draw", draw), people=choice(100, 200), chance=draws(law=True, pile=parts.get("pile")),
            alt=parts.get("alt", alt), label="x",
        )  # fmt: skip
        with pytest.raises(error, match=message):
            _ = figure.frames
    with pytest.raises(ValueError, match="one draws"):
        live(lambda one, two: None, one=draws(law=True), two=draws(law=True), alt=alt)
    with pytest.raises(TypeError, match="law must be"):
        draws(law=3)
    with pytest.raises(ValueError, match="first must be"):
        draws(law=True, first=-1)
