"""The static slider by itself: a page with two figures and two questions, opened from a disk."""

from importlib import resources

import matplotlib.pyplot as plt
import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

from ldp_core.live import choice, draws, live, log_slider, number, palette, quiz

pytestmark = [pytest.mark.browser]


def draw(epsilon, d, seed):
    fig, ax = plt.subplots()
    ax.plot(np.random.default_rng(seed).random(5) * epsilon, color=palette.truth)
    ax.set_title(f"ε={epsilon:g} d={d} seed={seed}")
    return fig


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The page, its payload in the page itself, with the assets that a site would link."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LDP_BOOK_STATIC", "1")
        first = live(
            draw,
            epsilon=log_slider(0.1, 10, n=5, value=1.0),
            d=choice(4, 8),
            seed=draws(2),
            label="First",
            play=True,
            alt=lambda epsilon, d, seed: f"alt {epsilon:g} {d} {seed}",
        )
        second = live(lambda epsilon: draw(epsilon, 1, 1), epsilon=log_slider(0.1, 10, n=3), label="Second")
        asked = quiz("Which?", {"a": "no, not a", "✓ b": "yes, b"})
        counted = number("How many?", 1200, hint="think", explain="well done")
    assets = resources.files("ldp_core.live").joinpath("assets")
    page = (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>Slider</title><style>{assets.joinpath('live.css').read_text(encoding='utf-8')}</style>"
        '<body style="font-family:sans-serif"><main><h1>Slider</h1>'
        f"{first.html}{asked.html}{counted.html}<div style='height:120vh'></div>{second.html}</main>"
        f"<script>{assets.joinpath('live.js').read_text(encoding='utf-8')}</script></body></html>"
    )
    file = tmp_path_factory.mktemp("page") / "index.html"
    file.write_text(page, encoding="utf-8")
    return file


def figure(page, name):
    return page.locator(f'figure[aria-label="{name}"]')


def title(page, name="First"):
    return figure(page, name).locator("svg text", has_text="ε=").text_content()


def wait_for_title(page, text, name="First"):
    figure(page, name).locator("svg text", has_text=text).wait_for()


def test_keyboard(open_page, address):
    page = open_page(address)
    slider = figure(page, "First").locator("input[type=range]")
    assert title(page) == "ε=1 d=4 seed=0"
    slider.focus()
    for key, epsilon in (("ArrowRight", "3.2"), ("End", "10"), ("Home", "0.1"), ("ArrowUp", "0.32")):
        page.keyboard.press(key)
        wait_for_title(page, f"ε={epsilon} d=4 seed=0")
        assert slider.get_attribute("aria-valuetext") == f"ε = {epsilon}"
        assert figure(page, "First").locator("output").first.text_content() == epsilon
        assert figure(page, "First").locator(".ldp-stage").get_attribute("aria-label") == f"alt {epsilon} 4 0"


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


def test_touch(open_page, address):
    page = open_page(address, has_touch=True, is_mobile=True, viewport={"width": 360, "height": 740})
    box = figure(page, "First").locator("input[type=range]").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] - 4, box["y"] + box["height"] / 2)
    wait_for_title(page, "ε=10")


def test_two_controls_and_a_button_on_one_figure(open_page, address):
    page = open_page(address)
    first = figure(page, "First")
    first.get_by_role("radio", name="8").check()
    wait_for_title(page, "ε=1 d=8 seed=0")
    button = first.get_by_role("button", name="New random draw")
    button.click()
    wait_for_title(page, "ε=1 d=8 seed=1")
    assert first.locator("output").nth(1).text_content() == "draw 2"
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


def test_play_sweeps_and_pauses(open_page, address):
    page = open_page(address)
    first = figure(page, "First")
    first.get_by_role("button", name="Play").click()
    wait_for_title(page, "ε=3.2")
    pause = first.get_by_role("button", name="Pause")
    assert pause.get_attribute("aria-pressed") == "true"
    pause.click()
    shown = title(page)
    page.wait_for_timeout(900)
    assert title(page) == shown


def test_nothing_moves_by_itself_under_reduced_motion(open_page, address):
    page = open_page(address, reduced_motion="reduce")
    first = figure(page, "First")
    first.get_by_role("button", name="Step").click()
    wait_for_title(page, "ε=3.2")
    page.wait_for_timeout(900)
    assert title(page).startswith("ε=3.2")


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
    colour = "() => getComputedStyle(document.querySelector('figure svg [style*=ldp-truth]')).stroke"
    light = page.evaluate(colour)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert light == "rgb(0, 114, 178)"
    assert page.evaluate(colour) == "rgb(90, 180, 240)"


def test_no_sideways_scrolling_on_a_phone(open_page, address):
    page = open_page(address, viewport={"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    for control in page.locator("input[type=range], .ldp-control button, .ldp-question button").all():
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
    for answer, said in (("a", "Not quite. no, not a"), ("b", "Right. yes, b")):
        form.get_by_role("radio", name=answer, exact=True).check()
        form.get_by_role("button", name="Check").click()
        assert form.get_by_role("status").text_content() == said
    form = page.locator("form[data-kind=number]")
    field = form.get_by_role("textbox", name="How many?")
    for typed, said in (("", "Type a number"), ("1 100", "Too low. think"), ("1,205", "Right. well done")):
        field.fill(typed)
        field.press("Enter")
        assert said in form.get_by_role("status").text_content()
    assert page.get_by_text("Answer", exact=True).count() == 0, "the unfolding answer is for readers without scripts"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_accessibility(open_page, address, theme):
    page = open_page(address)
    page.evaluate(
        "theme => { document.documentElement.dataset.theme = theme; if (theme === 'dark') {"
        " document.body.style.background = '#14181e'; document.body.style.color = '#e6e6e6'; } }",
        theme,
    )
    found = Axe().run(page)
    bad = [v for v in found.response["violations"] if v["impact"] in {"serious", "critical"}]
    assert not bad, [(v["id"], [n["html"][:200] for n in v["nodes"]]) for v in bad]
