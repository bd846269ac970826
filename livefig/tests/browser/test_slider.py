"""The static slider by itself: a page with two figures and two questions, opened from a disk."""

import math

import matplotlib.pyplot as plt
import numpy as np
import pytest

from livefig import choice, draws, lines, live, log_slider, number, palette, panels, quiz
from livefig.questions import parse_number
from livefig.tests.browser.axe import serious_in_both_themes

pytestmark = [pytest.mark.browser]

ENDS = ("less", "more")


def draw(epsilon, d, seed):
    fig, ax = plt.subplots()
    ax.plot(np.random.default_rng(seed).random(5) * epsilon, color=palette.truth)
    ax.set_title(f"ε={epsilon:g} d={d} seed={seed}")
    return fig


def named(epsilon):
    fig = draw(epsilon, 1, 1)
    fig.axes[0].lines[0].set_label("true counts")
    fig.axes[0].plot([0, 4], [0, 10], color=palette.estimate, label="DE")
    fig.axes[0].legend()
    return fig


#: What a chapter says of the figure.
WORDS = """<p>The <a href="#x" style="color: inherit">truth</a>, <code>DE</code>: no de, no DENSE. The truth is true,
and the truth again; DE is an estimate.</p><p>DE</p>"""


@pytest.fixture(scope="module")
def address(write_page):
    """The page, its payload in the page itself, with the assets that a site would link."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LIVEFIG_STATIC", "1")
        first = live(
            draw,
            epsilon=log_slider(0.1, 10, n=5, value=1.0, meaning=lambda e: f"factor {math.exp(e):.3g}", ends=ENDS),
            d=choice(4, 8),
            seed=draws(2),
            label="First",
            play=True,
            alt=lambda epsilon, d, seed: f"alt {epsilon:g} {d} {seed}",
        )
        second = live(lambda epsilon: named(epsilon), epsilon=log_slider(0.1, 10, n=3), label="Second")
        asked = quiz("Which?", {"a": "no, not a", "✓ b": "yes, b"})
        counted = number("How many?", 1200, hint="think", explain="well done")
    parts = (first.html, asked.html, counted.html, "<div style='height:120vh'></div>", second.html, WORDS)
    return write_page("Slider", "".join(parts))


#: What is typed into a field for numbers: read alike by page and package.
READ = [
    "1,234.5", "1 234", "0,5", "−3", "12 %", "1e-3", "ln 4", "ln(4)", "1/3", "sqrt(2)", "4^0.5", "4**.5", "e^1",
    "2 ln 3", "e^-1", "-2^2", "½", "√2", "2π", "(1/2)^3", "2^3^2", "1.0e+20", "", "abc", "1.2.3", "nan", "%", "--2",
    "ln", "ln -1", "1/0", "1/(1/0)", "(2", "2)", "e10", "9^9^9^9", "log 2", "constructor", "1" * 61,
]  # fmt: skip


def figure(page, name):
    return page.locator(f'figure[aria-label="{name}"]')


def title(page, name="First"):
    return figure(page, name).locator(".lf-finding").text_content()


def wait_for_title(page, text, name="First"):
    figure(page, name).locator(".lf-finding", has_text=text).wait_for()


def test_keyboard(open_page, address):
    page = open_page(address)
    slider = figure(page, "First").locator("input[type=range]")
    assert title(page) == "ε=1 d=4 seed=0"
    slider.focus()
    for key, epsilon, factor in (
        ("ArrowRight", "3", "20.1"), ("End", "10", "2.2e+04"), ("Home", "0.1", "1.11"), ("ArrowUp", "0.3", "1.35")
    ):  # fmt: skip
        page.keyboard.press(key)
        wait_for_title(page, f"ε={epsilon} d=4 seed=0")
        meaning = f"factor {factor}"
        assert slider.get_attribute("aria-valuetext") == f"ε = {epsilon}: {meaning}"
        assert figure(page, "First").get_by_role("textbox").input_value() == epsilon
        assert figure(page, "First").locator(".lf-meaning").text_content() == meaning
        assert figure(page, "First").locator(".lf-stage").get_attribute("aria-label") == f"alt {epsilon} 4 0"


def test_letters_grow_less_than_the_picture(open_page, address):
    sizes = {}
    for width in (390, 480, 1440):
        page = open_page(address, viewport={"width": width, "height": 900})
        sizes[width] = figure(page, "First").evaluate("""e => {
          const svg = e.querySelector("svg"), letters = getComputedStyle(svg.querySelector("g.tick text"));
          const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
          const face = getComputedStyle(document.body).fontFamily;
          return [scale * parseFloat(letters.fontSize), scale * 11, letters.fontFamily === face]; }""")
    assert all(same for *_, same in sizes.values()), "in the page's face"
    assert sizes[390][0] == pytest.approx(11, abs=0.01), "never smaller than they were laid out"
    assert sizes[480][0] < sizes[1440][0] < 15 < sizes[1440][1]


def beside(epsilon):
    for ax in panels(1, 2):
        figure = lines([0, 1], {"": [0, epsilon]}, ylim=(0, 10), ax=ax)
    return figure


def test_panels_follow_the_width_of_the_page(open_page, write_page, monkeypatch):
    monkeypatch.setenv("LIVEFIG_STATIC", "1")
    file = write_page("Panels", live(beside, epsilon=log_slider(0.1, 10, n=3), label="Beside").html)
    page = open_page(file, viewport={"width": 390, "height": 800})
    picture = figure(page, "Beside").locator(".lf-stage > svg")
    phone, *others = [svg.get_attribute("viewBox") for svg in picture.all()]
    assert others == []
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_function(
        "seen => document.querySelector('.lf-stage > svg').getAttribute('viewBox') !== seen", arg=phone
    )
    wide, slider = picture.get_attribute("viewBox"), figure(page, "Beside").locator("input[type=range]")
    slider.press("Home")
    page.set_viewport_size({"width": 390, "height": 800})
    page.wait_for_function(
        "seen => document.querySelector('.lf-stage > svg').getAttribute('viewBox') !== seen", arg=wide
    )
    assert picture.get_attribute("viewBox") == phone


def rising(epsilon):
    fig, ax = plt.subplots()
    ax.plot([0, 1], [0, epsilon])
    ax.plot(np.arange(9) / 10, np.arange(9) * epsilon / 10, "o")  # circles: an arc has flags among its numbers
    ax.set(xlim=(0, 1), ylim=(0, 10))
    return fig


def test_a_slider_glides_to_its_next_picture_and_ends_on_it(open_page, write_page, monkeypatch):
    """The curve right after a step, after a moment, and after two steps of which the second came too soon."""
    monkeypatch.setenv("LIVEFIG_STATIC", "1")
    glides = write_page("Glide", live(rising, epsilon=log_slider(0.1, 10, n=5), label="Rising").html)
    step = """async (e) => {
        const curve = (drawn) => drawn.querySelector(".mark path").getAttribute("d");
        const { svg, frames } = await e.livefig.load();
        const parse = (text) => new DOMParser().parseFromString(text, "text/html");
        const is = (place) => curve(e) === curve(parse(svg[frames[place][0]]));
        const go = (place) => new Promise((done) => {
            e.addEventListener("lf-drawn", done, { once: true });
            e.livefig.set(0, place); });
        const rest = () => new Promise((done) => setTimeout(done, 400));
        await go(4);
        const found = [is(4)];
        await rest();
        found.push(is(4));
        await go(1);
        await go(3);
        await rest();
        return [...found, is(3)]; }"""
    for motion, at_once in (("no-preference", False), ("reduce", True)):
        page = open_page(glides, reduced_motion=motion)
        assert figure(page, "Rising").evaluate(step) == [at_once, True, True], motion


def test_tools_are_quiet_until_one_comes_near(open_page, address):
    def seen(page):
        button = figure(page, "First").get_by_role("button", name="Copy link")
        return button.evaluate("e => getComputedStyle(e).opacity") == "1"

    page = open_page(address)
    page.mouse.move(1, 1)
    assert not seen(page)
    figure(page, "First").hover()
    assert seen(page)
    page.mouse.move(1, 1)
    assert not seen(page)
    page.keyboard.press("Tab")
    assert seen(page), "the first slider has the focus"
    page.keyboard.press("Tab")
    pin = figure(page, "First").get_by_role("button", name="Pin")
    pin.click()
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(1, 1)
    assert pin.evaluate("e => getComputedStyle(e).opacity") == "1", "what is pinned says so"
    assert seen(open_page(address, has_touch=True, is_mobile=True))


def test_words_have_the_colour_of_their_mark(open_page, address):
    page = open_page(address)
    words = page.locator(".lf-word")
    assert [(w.text_content(), w.get_attribute("data-role")) for w in words.all()] == [
        ("truth", "truth"), ("true", "truth"), ("DE", "estimate"),
    ]  # fmt: skip
    assert words.evaluate_all("all => all.every(w => w.parentElement.matches('p'))"), "in no link and no code"
    mark = figure(page, "Second").locator("path[style*=lf-truth]").first
    assert mark.evaluate("e => getComputedStyle(e).stroke") == words.first.evaluate("e => getComputedStyle(e).color")


def test_mouse(open_page, address):
    page = open_page(address)
    box = figure(page, "First").locator("input[type=range]").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2, steps=8)
    wait_for_title(page, "ε=10 d=4")
    page.mouse.move(box["x"] + 2, box["y"] + box["height"] / 2, steps=8)
    wait_for_title(page, "ε=0.1 d=4")
    page.mouse.up()


def test_two_controls_and_a_button_on_one_figure(open_page, address):
    page = open_page(address)
    first = figure(page, "First")
    first.get_by_role("radio", name="8").check()
    wait_for_title(page, "ε=1 d=8 seed=0")
    button = first.get_by_role("button", name="New random draw")
    button.click()
    wait_for_title(page, "ε=1 d=8 seed=1")
    assert first.locator("output").text_content() == "draw 2 of 2"
    first.locator("input[type=range]").press("End")
    wait_for_title(page, "ε=10 d=8 seed=1")
    button.click()
    wait_for_title(page, "ε=10 d=8 seed=0")


def test_figures_do_not_disturb_each_other(open_page, address):
    page = open_page(address)
    figure(page, "Second").locator("input[type=range]").press("End")
    wait_for_title(page, "ε=10 d=1", "Second")
    assert title(page) == "ε=1 d=4 seed=0"
    ids = page.eval_on_selector_all("[id]", "all => all.map(e => e.id)")
    assert len(ids) == len(set(ids))


def test_play_sweeps_and_pauses(open_page, address, by_hand):
    page = open_page(address, script=by_hand)
    first = figure(page, "First")
    first.get_by_role("button", name="Play").click()
    page.evaluate("tick()")
    wait_for_title(page, "ε=3 ")
    pause = first.get_by_role("button", name="Pause")
    assert pause.get_attribute("aria-pressed") == "true"
    pause.click()
    assert page.evaluate("tick === null"), "nothing moves it any more"
    assert title(page).startswith("ε=3 ")


def test_nothing_moves_by_itself_under_reduced_motion(open_page, address):
    page = open_page(address, reduced_motion="reduce")
    first = figure(page, "First")
    first.get_by_role("button", name="Step").click()
    wait_for_title(page, "ε=3 ")
    page.wait_for_timeout(900)  # playing, it would step after 600
    assert title(page).startswith("ε=3 ")


def test_without_scripts_the_first_frame_and_the_answers_are_there(open_page, address):
    page = open_page(address, java_script_enabled=False)
    assert figure(page, "First").locator("svg").is_visible()
    assert title(page) == "ε=1 d=4 seed=0"
    assert page.locator("input[type=range]").first.is_disabled()
    assert page.get_by_text("With scripts allowed this figure moves").first.is_visible()
    page.get_by_text("Answer").first.click()
    assert page.get_by_text("yes, b").is_visible()


def test_dark_page_dark_figure(open_page, address):
    page = open_page(address)
    colour = "() => getComputedStyle(document.querySelector('figure svg [style*=lf-truth]')).stroke"
    light = page.evaluate(colour)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert light == "rgb(0, 114, 178)"
    assert page.evaluate(colour) == "rgb(90, 180, 240)"


def test_no_sideways_scrolling_on_a_phone(open_page, address):
    page = open_page(address, viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    for control in page.locator("input[type=range], .lf-control button, .lf-question button").all():
        assert control.bounding_box()["height"] >= 44, "large enough for a finger"


def test_an_old_browser_is_told(open_page, address, browser):
    page = open_page("about:blank")
    page.add_init_script("delete window.DecompressionStream")
    page.goto(address.as_uri())
    assert page.get_by_text("This browser is too old to move the figure").first.is_visible()
    assert page.locator("input[type=range]").first.is_disabled(), "no dead control that pretends"


def test_questions(open_page, address):
    page = open_page(address)
    form = page.locator("form[data-kind=quiz]")
    form.get_by_role("button", name="Check").click()
    assert form.get_by_role("status").text_content() == "Choose an answer first."
    for answer, said in (("a", "✗ Not quite. no, not a"), ("b", "✓ Right. yes, b")):
        form.get_by_role("radio", name=answer, exact=True).check()
        assert form.get_by_role("status").text_content() == "", "a verdict belongs to the answer it was given for"
        form.get_by_role("button", name="Check").click()
        assert form.get_by_role("status").text_content() == said
    form = page.locator("form[data-kind=number]")
    field = form.get_by_role("textbox", name="How many?")
    for typed, said in (("", "Type a number"), ("1 100", "Too low. think"), ("1,205", "Right. well done")):
        field.fill(typed)
        field.press("Enter")
        assert said in form.get_by_role("status").text_content()
    for unfold in page.get_by_text("Answer", exact=True).all():
        assert not unfold.is_visible(), "offered after two wrong tries, or without scripts"


def test_the_answer_is_offered_after_two_wrong_tries(open_page, address):
    page = open_page(address)
    form = page.locator("form[data-kind=number]")
    field, answer = form.get_by_role("textbox"), form.get_by_text("Answer", exact=True)
    for typed in ("1", "2"):
        assert not answer.is_visible()
        field.fill(typed)
        field.press("Enter")
    answer.click()
    assert form.get_by_text("1,200. well done").is_visible()
    field.fill("1200")
    field.press("Enter")
    assert "Right." in form.get_by_role("status").text_content()
    assert not answer.is_visible()


def test_page_and_package_read_the_same_numbers(open_page, address):
    page = open_page(address)
    for text in READ:
        read, expected = page.evaluate("text => livefig.number(text)", text), parse_number(text)
        assert read == (None if expected is None else pytest.approx(expected, rel=1e-12)), text


def test_a_value_is_typed(open_page, address):
    page = open_page(address)
    first = figure(page, "First")
    field = first.get_by_role("textbox", name="ε as a number, First")
    for typed, shown, said in (
        ("3", "3", ""),
        ("2.8", "3", "The nearest position is 3."),
        ("ln 3", "1", "The nearest position is 1."),
        ("99", "10", "The nearest position is 10."),
        ("0,3", "0.3", ""),
        ("much", "0.3", "Type a number, such as 0.5, 1,200 or ln 4."),
    ):
        field.fill(typed)
        field.press("Enter")
        wait_for_title(page, f"ε={shown} ")
        assert field.input_value() == shown
        assert first.locator(".lf-note").text_content() == said


def test_reset(open_page, address):
    page = open_page(address)
    first = figure(page, "First")
    slider = first.get_by_role("slider", name="ε, First")
    slider.press("End")
    wait_for_title(page, "ε=10 d=4")
    slider.dblclick(position={"x": 5, "y": 14})
    wait_for_title(page, "ε=1 d=4")
    slider.press("End")
    first.get_by_role("radio", name="8").check()
    wait_for_title(page, "ε=10 d=8")
    first.get_by_role("button", name="Reset").click()
    wait_for_title(page, "ε=1 d=4 seed=0")


def test_ends_and_ticks(open_page, address):
    page = open_page(address)
    first = figure(page, "First")
    assert first.locator(".lf-end").all_inner_texts() == [*ENDS]
    assert first.locator(".lf-ticks span").all_inner_texts() == ["0.1", "0.3", "1", "3", "10"]
    rail = first.locator("input[type=range]").bounding_box()
    for place, tick in enumerate(first.locator(".lf-ticks span").all()):
        box = tick.bounding_box()
        stroke = box["x"] + tick.evaluate("e => parseFloat(getComputedStyle(e, '::before').left)")
        thumb = rail["x"] + 8 + place / 4 * (rail["width"] - 16)
        assert abs(stroke - thumb) < 1.5, "a tick stands where the thumb will"
        assert box["x"] > rail["x"] - 1
        assert box["x"] + box["width"] < rail["x"] + rail["width"] + 1


def test_accessibility(open_page, address):
    assert serious_in_both_themes(open_page(address)) == []
