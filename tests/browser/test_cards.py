"""Cards over links, exercises as one card, figures and tables on narrow and wide screens, as a reader uses them."""

import re

import pytest

from livefig.tests.browser.axe import serious

pytestmark = [pytest.mark.browser, pytest.mark.site]

CHAPTER = "book/local/randomized-response"
PAPER = "a.internal[href*='bibliography.html#']"
DEFINITION = "a.internal[href='#def-ldp']"
TERM = "a.meant[href*='glossary.html#']"


def test_a_card_opens_under_a_mouse_and_stays_while_it_is_used(open_page, site):
    page = open_page(site / f"{CHAPTER}.html", formulas=True, reduced_motion="reduce")
    page.wait_for_selector("mjx-container")
    card = page.get_by_role("tooltip")
    paper = page.locator(PAPER).first
    assert paper.get_attribute("title") is None, "the browser's own words lie on the card"
    paper.hover()
    card.get_by_text("Stanley L. Warner", exact=False).wait_for()
    assert re.search(r"Journal of the American Statistical Association.*1965", card.inner_text())
    assert card.evaluate("e => getComputedStyle(e).animationName") == "none", "asked for no motion"
    assert paper.get_attribute("aria-describedby") == card.get_attribute("id")
    card.hover()  # from the link to what it opened, without losing it
    page.wait_for_timeout(500)
    assert card.is_visible()
    page.keyboard.press("Escape")
    assert not card.is_visible()
    assert paper.get_attribute("aria-describedby") is None

    page.locator(DEFINITION).first.hover()
    card.locator("mjx-container[display=true]").wait_for()
    assert card.inner_text().startswith("Definition 1.1")
    box, window = card.bounding_box(), page.viewport_size
    assert 0 <= box["x"] <= box["x"] + box["width"] <= window["width"]
    assert page.locator(DEFINITION).first.get_attribute("aria-describedby") is None, "a formula is no description"
    page.mouse.move(5, 5)
    card.wait_for(state="hidden")

    symbol = page.locator("a.meant[href$='#symbol-n']")
    assert symbol.count() == 1, "the first mention only"
    symbol.hover()
    card.get_by_text("number of people who report").wait_for()
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert serious(page, "#link-card") == []
    page.emulate_media(media="print")
    assert not card.is_visible()


def test_a_card_opens_with_the_focus_of_a_keyboard_on_a_zoomed_page(open_page, server):
    """At 200 % a window of 1280 by 900 has room for 640 by 450."""
    page = open_page(f"{server}/{CHAPTER}.html", viewport={"width": 640, "height": 450})
    term, card = page.locator(TERM).first, page.locator("#link-card")
    page.keyboard.press("Tab")  # from here on the focus is a keyboard's
    term.focus()
    assert card.is_visible()
    assert "Differential privacy" in card.inner_text()
    box = card.bounding_box()
    assert 0 <= box["y"] <= box["y"] + box["height"] <= 450
    page.keyboard.press("Escape")
    assert not card.is_visible()
    assert term.evaluate("e => e === document.activeElement"), "Escape takes the card away, not the place"
    page.keyboard.press("Tab")
    term.focus()
    page.keyboard.press("Tab")
    assert not card.is_visible() or not card.inner_text().startswith("Differential privacy (DP)")
    assert page.evaluate("document.documentElement.scrollWidth") <= 640


def test_a_finger_follows_the_link_and_opens_no_card(open_page, server):
    page = open_page(f"{server}/{CHAPTER}.html", viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page.locator(TERM).first.tap()
    page.wait_for_url("**/glossary.html#term-*")


def test_without_scripts_links_and_exercises_are_whole(browser, site):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto((site / f"{CHAPTER}.html").as_uri())
    assert page.locator(PAPER).first.get_attribute("title")
    exercises = page.locator(".ldp-exercise")
    assert exercises.count() == page.locator("div.exercise").count() >= 4
    for exercise in exercises.all():
        parts = exercise.evaluate("e => [...e.children].map((child) => child.className)")
        assert "exercise" in parts[0]
        assert "solution" in parts[-1]
        assert all("cell" in part for part in parts[1:-1])
        assert len(parts) >= 3
        box = exercise.bounding_box()
        for child in exercise.locator(":scope > *, :scope pre, :scope form").all():
            if child.is_visible():
                inner = child.bounding_box()
                assert box["x"] <= inner["x"]
                assert inner["x"] + inner["width"] <= box["x"] + box["width"]
    fold = page.locator("details", has_text="import numpy").first
    assert not fold.locator("pre").is_visible()
    fold.locator("summary").click()
    assert fold.locator("pre").is_visible()
    assert fold.locator("summary").inner_text() == "Code"
    context.close()


#: For each control of each figure: how much of the picture is seen when the control has just come into view.
SEEN = """() => {
  const head = document.querySelector(".bd-header-article").getBoundingClientRect().bottom;
  return [...document.querySelectorAll("figure.lf-live .lf-control")].map((control) => {
    const figure = control.closest("figure");
    control.scrollIntoView({ block: "end", behavior: "instant" });
    const { top, bottom, height } = figure.querySelector(".lf-stage > svg").getBoundingClientRect();
    const seen = Math.min(innerHeight, bottom, control.getBoundingClientRect().top) - Math.max(head, top);
    return [figure.id, Math.round((100 * seen) / height)];
  });
}"""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1366, 625)])
def test_picture_and_control_are_seen_together(open_page, site, width, height):
    """On a phone, and in the window of a browser on a laptop of 1366 by 768."""
    phone = width < 400
    page = open_page("about:blank", viewport={"width": width, "height": height}, is_mobile=phone, has_touch=phone)
    for name in ("book/frequency/histogram-encoding", "book/central/local-sensitivity"):  # the tallest
        page.goto(f"{(site / f'{name}.html').as_uri()}?predict=off")
        assert page.locator(".lf-stage").evaluate_all("all => all.every((e) => e.checkVisibility())"), "no guess first"
        seen = page.evaluate(SEEN)
        assert len(seen) >= 4
        assert [(figure, percent) for figure, percent in seen if percent < 95] == []
    neighbour = page.locator(".bd-sidebar-primary a[href='laplace.html']")  # of the same folder
    assert re.fullmatch(r'"\d+ "', neighbour.evaluate("e => getComputedStyle(e, '::before').content"))


def test_a_wide_table_has_the_margin_and_fades_where_it_scrolls(open_page, site):
    page = open_page(site / "book" / "appendix" / "atlas.html")
    page.wait_for_selector("figure.has-margin")
    table, contents = page.locator("figure.has-margin table").first, page.locator(".bd-sidebar-secondary")
    assert table.evaluate("e => e.scrollWidth - e.clientWidth") <= 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    table.scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('.bd-sidebar-secondary').classList.contains('hide')")
    page.set_viewport_size({"width": 390, "height": 844})
    table = page.locator("figure.lf-live table").first
    page.wait_for_selector("table.scrolls.more-after:not(.more-before)")
    assert page.locator("figure.has-margin").count() == 0
    assert table.evaluate("e => getComputedStyle(e).maskImage") != "none"
    table.evaluate("e => e.scrollTo(e.scrollWidth, 0)")
    page.wait_for_selector("table.scrolls.more-before:not(.more-after)")
    assert contents.evaluate("e => !e.classList.contains('hide')")


#: Commas that stand at the start of a line, below the formula that they belong to.
LOST = """[...document.querySelectorAll(".bd-article span.math")].filter((formula) => {
  const after = formula.nextSibling;
  if (!/^[,.;:)]/.test(after?.data ?? "")) return false;
  const comma = document.createRange();
  comma.setStart(after, 0);
  comma.setEnd(after, 1);
  const [one, two] = [formula.getBoundingClientRect(), comma.getBoundingClientRect()];
  return one.width > 0 && two.left < one.left;
}).map((formula) => formula.parentElement.textContent.slice(0, 80))"""


def test_what_belongs_together_is_not_broken(open_page, site):
    """A formula keeps its comma, an exercise is one sheet."""
    page = open_page(site / "book" / "local" / "randomized-response.html", formulas=True)
    page.wait_for_selector("mjx-container")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        page.wait_for_function("() => !document.fonts || document.fonts.status === 'loaded'")
        assert page.locator(".kept").count() > 20
        assert page.evaluate(LOST) == []
    assert page.locator(".ldp-exercise > .admonition").first.evaluate("e => getComputedStyle(e).boxShadow") == "none"
