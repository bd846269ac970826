"""What the built book does for one reader: addresses of figures, guesses, and what is remembered of a chapter."""

import re

import pytest

from livefig.tests.browser.axe import COLOURS, serious
from tools.toc import contents

pytestmark = [pytest.mark.browser, pytest.mark.site]

CHAPTER = "book/local/randomized-response"


@pytest.mark.parametrize("name", contents())
def test_names_of_figures_are_short_and_unique(site, name):
    page = (site / f"{name}.html").read_text(encoding="utf-8")
    names = re.findall(r'<figure class="lf-figure lf-live" id="([^"]+)"', page)
    for figure in names:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", figure)
        assert len(re.findall(rf'\bid="{figure}"', page)) == 1


def test_a_link_to_a_figure_at_a_value(open_page, server):
    page = open_page(f"{server}/{CHAPTER}.html#twenty-surveys-of-the-same-people?epsilon=0.3&people=1000&draw=5")
    figure = page.locator("#twenty-surveys-of-the-same-people")
    figure.locator(".lf-finding", has_text="ε = 0.3, 1,000 people").wait_for()
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)  # what loads above may still move it
    seen = "e => { const b = e.getBoundingClientRect(); return b.top < innerHeight && b.bottom > 0; }"
    page.wait_for_function(seen, arg=figure.element_handle())
    assert figure.locator("output").inner_text() == "draw 5"


def test_the_guess_comes_first_unless_it_is_switched_off(open_page, server):
    page = open_page(f"{server}/{CHAPTER}.html")
    figure = page.locator("#what-one-report-tells-an-attacker")
    assert not figure.locator(".mark").last.is_visible()
    page.get_by_role("checkbox", name="Ask me for a guess").uncheck()
    assert figure.locator(".mark").last.is_visible()
    page.get_by_role("checkbox", name="Ask me for a guess").check()
    assert not figure.locator(".mark").last.is_visible()


def test_what_is_remembered_is_marked_and_erased(open_page, site):
    page = open_page(site / f"{CHAPTER}.html")
    link = page.locator(".bd-sidebar-primary a", has_text="Randomized response")
    box = page.locator(".progress-box")
    assert "0 of" in box.inner_text()
    assert "on this device only" in box.inner_text()
    form = page.locator("form.lf-question[data-kind=quiz]").first
    form.get_by_role("radio").nth(2).check()
    form.get_by_role("button", name="Check").click()
    assert "1 of" in box.inner_text()
    assert link.inner_text().endswith("(begun)")
    box.get_by_role("checkbox", name="I have finished this chapter").check()
    assert link.inner_text().endswith("(finished)")
    for _ in range(20):  # until the browser has handed on what was stored
        page.wait_for_timeout(500)
        page.goto((site / "book/course.html").as_uri())
        if link.inner_text().endswith("(finished)"):
            break
    assert link.inner_text().endswith("(finished)"), "on every page"
    assert page.locator(".course-map li").first.inner_text().endswith("(finished)")
    assert page.locator(".progress-box").count() == 0
    page.go_back()
    page.once("dialog", lambda dialog: dialog.dismiss())
    box.get_by_role("button", name="Erase all of it").click()
    assert box.get_by_role("checkbox", name="I have finished").is_checked()
    page.once("dialog", lambda dialog: dialog.accept())
    box.get_by_role("button", name="Erase all of it").click()
    assert not box.get_by_role("checkbox", name="I have finished").is_checked()
    assert link.inner_text().strip() == "Randomized response"
    assert page.evaluate("localStorage.getItem('livefig')") is None


#: What somebody else at this host may have written in place of the page that a reader was at last.
NOWHERE = [
    *(
        {"page": page, "title": "Chapter 3"}
        for page in ("/book/javascript:alert(1)//", "/book///evil.example/", "/book///localhost/x", "/book/../../x", 5)
    ),
    {"page": "/book/intro"},
    5,
]


def test_continue_leads_to_a_page_of_the_book_or_nowhere(open_page, server):
    page = open_page(f"{server}/book/intro.html")
    link = page.locator(".continue a")
    for last in ({"page": f"/{CHAPTER}", "title": "Chapter <b>1</b>"}, *NOWHERE):
        page.evaluate("last => localStorage.setItem('livefig', JSON.stringify({ last }))", last)
        page.reload()
        page.locator("figure.lf-ready").first.wait_for()
        assert link.count() == (last not in NOWHERE), last
        if link.count():
            assert link.get_attribute("href") == "local/randomized-response.html"
            assert link.inner_text() == "Chapter <b>1</b>"


def test_two_copies_at_one_host_remember_for_themselves(open_page, server, site):
    page = open_page("about:blank")
    page.route(
        f"{server}/copy/**", lambda route: route.fulfill(path=site / route.request.url.split("/copy/")[1].split("?")[0])
    )
    done = page.locator(".progress-box").get_by_role("checkbox", name="I have finished this chapter")
    for copy in ("", "/copy"):
        page.goto(f"{server}{copy}/{CHAPTER}.html")
        assert not done.is_checked()
        done.check()
    page.goto(f"{server}/copy/api/frequency.html")
    link = page.locator(".bd-sidebar-primary a", has_text="Randomized response")
    assert link.inner_text().endswith("(finished)"), "known on every page of the copy"
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('livefig')).sort()") == [
        "livefig", "livefig/copy",
    ]  # fmt: skip


def test_accessibility_of_marks_and_box(open_page, site):
    page = open_page(site / f"{CHAPTER}.html", color_scheme="light")
    page.add_style_tag(content="* { transition: none !important }")
    page.get_by_role("checkbox", name="I have finished this chapter").check()
    places = (".progress-box", ".bd-sidebar-primary", "figure.lf-live")
    for scheme, rules in (("light", {}), ("dark", {"runOnly": COLOURS})):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_selector(f"html[data-theme={scheme}]")
        assert serious(page, *places, **rules) == [], scheme


def test_no_sideways_scrolling_with_all_that_opens(open_page, site):
    page = open_page(
        site / f"{CHAPTER}.html", viewport={"width": 320, "height": 740}, is_mobile=True, has_touch=True,
        reduced_motion="reduce",
    )  # fmt: skip
    page.get_by_role("button", name="Just show me").tap()
    for figure in page.locator("figure.lf-live").all():
        figure.get_by_role("button", name="Pin").tap()
        if figure.locator(".lf-more").count():
            figure.locator(".lf-more").tap()
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_first_page_leads_back_to_where_the_reader_was(open_page, server):
    page = open_page(f"{server}/book/intro.html")
    assert page.locator(".continue").count() == 0
    page.goto(f"{server}/book/frequency/direct-encoding.html")
    page.evaluate("scrollTo(0, 3000)")
    page.wait_for_function("() => livefig.memory.read().last")
    page.goto(f"{server}/book/intro.html")
    page.locator(".continue a").click()
    page.wait_for_url("**/book/frequency/direct-encoding.html", wait_until="commit")
