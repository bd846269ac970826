"""Where a figure stands: addresses, reload and Back, copied links, pinned pictures, piles of draws."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from livefig import choice, draws, lines, live, log_slider, number, palette, quiz, table
from livefig.tests.browser.axe import serious_in_both_themes

pytestmark = [pytest.mark.browser]


def draw(epsilon, people, seed):
    fig, ax = plt.subplots()
    ax.plot(np.random.default_rng(seed).random(5) * epsilon / people, color=palette.truth)
    ax.set(title=f"ε={epsilon:g} people={people} seed={seed}", ylim=(0, 10 if people < 1000 else 20))
    return fig


def spread(epsilon, people, seed):
    return np.random.default_rng(seed).normal() / epsilon + people


@pytest.fixture(scope="module")
def address(write_page):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LIVEFIG_STATIC", "1")
        surveys = live(
            draw,
            epsilon=log_slider(0.1, 10, n=5, value=1.0),
            people=choice(100, 200, 1_000),
            seed=draws(3, pile=spread, piled="Estimate"),
            label="Twenty surveys",
        )
        other = live(lambda epsilon: draw(epsilon, 1, 1), epsilon=log_slider(0.1, 10, n=5), label="Other")
        listed = live(
            lambda epsilon: table([{"name": "a", "ε": f"{epsilon:g}"}], caption=f"at {epsilon:g}"),
            epsilon=log_slider(0.1, 10, n=5),
            label="Listed",
        )
        plain = live(lambda k: lines([0, 1], {"line": [0, k]}, ylim=(0, 9), title="T"), k=choice(1, 2), label="Plain")
        asked, counted = quiz("Which?", {"a": "no", "✓ b": "yes"}), number("How many?", 3, explain="three")
    return write_page(
        "State",
        f"{plain.html}{asked.html}{counted.html}<div style='height:150vh'></div>"
        f"{surveys.html}{other.html}{listed.html}",
    )


def figure(page, name="Twenty surveys"):
    return page.locator(f'figure[aria-label="{name}"]')


def wait_for_title(page, text, name="Twenty surveys"):
    figure(page, name).locator(".lf-finding", has_text=text).wait_for()


@pytest.mark.parametrize(
    ("asked", "title"),
    [
        ("#twenty-surveys?epsilon=0.3&people=1000&draw=2", "ε=0.3 people=1000 seed=1"),
        ("#twenty-surveys?epsilon=0.28", "ε=0.3 people=100 seed=0"),
        ("#twenty-surveys?epsilon=99&people=7&draw=many&wrong=1", "ε=10 people=100 seed=0"),
        ("#twenty-surveys", "ε=1 people=100 seed=0"),
    ],
)
def test_an_address_opens_a_figure_as_it_says(open_page, address, asked, title):
    page = open_page(address.as_uri() + asked)
    wait_for_title(page, title)
    assert figure(page).evaluate("e => e.getBoundingClientRect().top < innerHeight"), "it is in view"
    wait_for_title(page, "ε=1 ", "Other")


def test_an_address_that_is_followed_on_the_page(open_page, address):
    page = open_page(address)
    page.evaluate("location.hash = '#twenty-surveys?epsilon=3'")
    wait_for_title(page, "ε=3 people=100")
    # The last move may write its address after this one and before the page is told of it.
    page.evaluate("""location.hash = '#twenty-surveys?people=200';
        history.replaceState(history.state, '', '#twenty-surveys?epsilon=3');""")
    wait_for_title(page, "ε=1 people=200")


def test_reload_and_back(open_page, address):
    page = open_page(address)
    figure(page).locator("input[type=range]").press("End")
    figure(page).get_by_role("radio", name="1,000").check()
    wait_for_title(page, "ε=10 people=1000")
    page.wait_for_timeout(300)
    assert "#" not in page.url, "an address that names something else is left alone"
    page.reload()
    wait_for_title(page, "ε=10 people=1000")
    wait_for_title(page, "ε=1 ", "Other")
    page.goto("about:blank")
    page.go_back()
    wait_for_title(page, "ε=10 people=1000")
    page.goto(address.as_uri() + "?again")
    wait_for_title(page, "ε=1 people=100"), "a new visit starts afresh"


def test_an_address_of_a_figure_follows_it(open_page, address):
    page = open_page(address.as_uri() + "#twenty-surveys?epsilon=0.3")
    wait_for_title(page, "ε=0.3")
    figure(page).locator("input[type=range]").press("End")
    page.wait_for_function("() => location.hash === '#twenty-surveys?epsilon=10'")
    figure(page).get_by_role("button", name="Reset").click()
    page.wait_for_function("() => location.hash === '#twenty-surveys'")
    page.evaluate("scrollTo(0, 0)")
    page.reload()
    wait_for_title(page, "ε=1 ")


def test_copy_link(open_page, address):
    page = open_page(address)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    figure(page).locator("input[type=range]").press("Home")
    figure(page).get_by_role("button", name="New random draw").click()
    figure(page).get_by_role("button", name="Copy link").click()
    figure(page).locator(".lf-tools").get_by_role("status").filter(has_text="copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == address.as_uri() + "#twenty-surveys?epsilon=0.1&draw=2"
    again = page.context.new_page()
    again.goto(link)
    wait_for_title(again, "ε=0.1 people=100 seed=1")


def test_where_copying_is_forbidden_the_link_is_shown(open_page, address):
    page = open_page(address)
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    figure(page).get_by_role("button", name="Copy link").click()
    status = figure(page).locator(".lf-tools").get_by_role("status")
    status.filter(has_text="#twenty-surveys").wait_for()


def test_pin_keeps_the_picture_behind_on_the_same_axes(open_page, address):
    page = open_page(address)
    pin = figure(page).get_by_role("button", name="Pin")
    pin.focus()
    page.keyboard.press("Enter")
    assert figure(page).get_by_role("button", name="Unpin").get_attribute("aria-pressed") == "true"
    figure(page).locator("input[type=range]").press("End")
    wait_for_title(page, "ε=10")
    ghost = figure(page).locator(".lf-ghost")
    assert "lf-over" in ghost.get_attribute("class")
    assert figure(page).locator(".lf-pinned").inner_text() == "Faint: pinned at ε = 1, people = 100, draw 1 of 3."
    assert ghost.get_attribute("aria-label").startswith("Pinned at ε = 1")
    boxes = [figure(page).locator(f"{name} svg").bounding_box() for name in (".lf-stage", ".lf-ghost")]
    assert boxes[0] == boxes[1]
    ids = page.eval_on_selector_all("[id]", "all => all.map(e => e.id)")
    assert len(ids) == len(set(ids))
    # Other axes: beside each other, for on one another they would lie.
    figure(page).get_by_role("radio", name="1,000").check()
    wait_for_title(page, "people=1000")
    assert "lf-over" not in ghost.get_attribute("class")
    assert "axes or numbers differ" in figure(page).locator(".lf-pinned").inner_text()
    assert ghost.locator("svg").is_visible()
    figure(page).get_by_role("button", name="Unpin").click()
    assert not ghost.is_visible()


def test_a_table_is_pinned_under_the_other(open_page, address):
    page = open_page(address)
    listed = figure(page, "Listed")
    listed.get_by_role("button", name="Pin").click()
    listed.locator("input[type=range]").press("End")
    listed.locator(".lf-stage td", has_text="10").wait_for()
    assert listed.locator(".lf-ghost td", has_text="1").is_visible()


def test_a_hundred_draws_pile_up(open_page, address):
    page = open_page(address, reduced_motion="reduce")
    figure(page).get_by_role("button", name="Pile up a hundred").click()
    pile = figure(page).locator(".lf-pile")
    pile.locator("rect").nth(99).wait_for()
    assert pile.locator("rect").count() == 100
    numbers = np.sort([spread(1.0, 100, seed) for seed in range(100)])
    assert f"100 draws: middle {numbers[49]:.4g}, from {numbers[0]:.4g} to {numbers[-1]:.4g}" in pile.inner_text()
    orange = pile.locator("rect[style*=estimate]")
    first = orange.bounding_box()
    figure(page).get_by_role("button", name="New random draw").click()
    wait_for_title(page, "seed=1")
    assert orange.count() == 1
    assert orange.bounding_box() != first, "the draw that is seen is another block"
    figure(page).locator("input[type=range]").press("End")
    numbers = np.sort([spread(10.0, 100, seed) for seed in range(100)])
    pile.filter(has_text=f"from {numbers[0]:.4g} to {numbers[-1]:.4g}").wait_for()
    figure(page).get_by_role("button", name="Take the pile away").click()
    assert not pile.is_visible()


def test_the_pile_grows_where_motion_is_welcome(open_page, address, by_hand):
    page = open_page(address, script=by_hand, reduced_motion="no-preference")
    figure(page).get_by_role("button", name="Pile up a hundred").click()
    for size in (1, 4, 7):
        page.wait_for_function("() => size => document.querySelectorAll('.lf-pile rect').length === size", arg=size)
        page.evaluate("tick()")
    page.evaluate("while (tick) tick()")
    page.wait_for_function("() => document.querySelectorAll('.lf-pile rect').length === 100")


def test_bins_hold_all_numbers(open_page, address):
    page = open_page(address)
    for numbers in ([17, 18, 20, 20], [0.1] * 5, [-3.2, 0, 1e6], [-1e-9, 1e-9], [0, 500], [2, 2]):
        found = page.evaluate("n => livefig.bins(n)", numbers)
        assert sum(found["counts"]) == len(numbers)
        assert len(found["counts"]) <= 23
    # A value at the lower end of a bin is in it: floats of tenths fill every bin alike.
    assert page.evaluate("livefig.bins(Array.from({ length: 21 }, (_, k) => k / 10)).counts") == [1] * 21


def test_answers_are_remembered_until_they_are_erased(open_page, address):
    page = open_page(address)
    page.locator("form[data-kind=quiz]").get_by_role("radio", name="b").check()
    page.locator("form[data-kind=quiz]").get_by_role("button", name="Check").click()
    page.locator("form[data-kind=number] input").fill("4")
    page.locator("form[data-kind=number] input").press("Enter")
    page.reload()
    assert page.locator("form[data-kind=quiz]").get_by_role("status").inner_text() == "✓ Right. yes"
    assert page.locator("form[data-kind=number] input").input_value() == "4"
    assert page.locator("form[data-kind=number]").get_by_role("status").inner_text() == ""
    page.evaluate("livefig.memory.erase()")
    assert page.locator("form[data-kind=quiz]").get_by_role("status").inner_text() == ""
    page.reload()
    assert page.locator("form[data-kind=quiz] input:checked").count() == 0


def test_a_browser_that_remembers_nothing(open_page, address):
    page = open_page("about:blank")
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('forbidden'); } })"
    )
    page.goto(address.as_uri())
    page.locator("form[data-kind=quiz]").get_by_role("radio", name="b").check()
    page.locator("form[data-kind=quiz]").get_by_role("button", name="Check").click()
    assert "Right" in page.locator("form[data-kind=quiz]").get_by_role("status").inner_text()


def test_accessibility_of_all_that_opens(open_page, address):
    page = open_page(address, reduced_motion="reduce")
    figure(page).get_by_role("button", name="Pin").click()
    figure(page).get_by_role("button", name="Pile up a hundred").click()
    figure(page).locator("input[type=range]").press("End")
    wait_for_title(page, "ε=10")
    assert serious_in_both_themes(page) == []


def test_a_phone(open_page, address):
    page = open_page(address, viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    figure(page).get_by_role("button", name="Pin").tap()
    figure(page).get_by_role("button", name="Pile up a hundred").tap()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    for target in page.locator(".lf-live button, .lf-live input:not([type=radio]), .lf-choice label").all():
        assert target.bounding_box()["height"] >= 43.9, target.evaluate("e => e.outerHTML")
