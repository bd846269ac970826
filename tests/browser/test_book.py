"""What single pages of the built book do in a browser; tests/browser/test_pages.py looks at all of them."""

import json
import re

import pytest
from bs4 import BeautifulSoup
from pypdf import PdfReader

from benchmarks import browser as benchmark
from tools import chromium

pytestmark = [pytest.mark.browser, pytest.mark.site]


def test_the_checklist_prints_on_one_sheet(open_page, site):
    page = open_page(site / "book" / "appendix" / "checklist.html")
    edge = dict.fromkeys(("top", "right", "bottom", "left"), "10mm")
    for sheet in ("A4", "Letter"):
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=sheet, margin=edge))) == 1, sheet


def test_class_survey_form(open_page, site):
    page = open_page(site / "book" / "teach" / "coin-survey.html")
    people, hands = page.get_by_label("People in the room"), page.get_by_label("Hands raised")
    output = page.locator("#survey-form output")
    for n, yeses, said in (
        ("100", "40", "About 30 of 100 would truly say yes; 95% interval 13 to 47"),
        ("100000", "45000", "About 40,000 of 100,000 would truly say yes; 95% interval 39,463.2 to 40,536.8"),
        ("1000", "1001", "More hands (1,001) than people (1,000)"),
        ("30", "31", "More hands (31) than people (30)"),
        ("30", "", "Type in both numbers"),
        ("30", "2.5", "whole numbers"),
        ("40", "5", "outside the possible range"),
    ):
        people.fill(n)
        hands.fill(yeses)
        assert said in output.text_content()


def test_first_view_of_the_heaviest_chapters_is_light_and_frames_come_when_the_reader_comes_near(open_page, server):
    """Everything that the browser fetches until it rests: page, styles, scripts, fonts, frames near the first view."""
    page = open_page("about:blank")
    for name in ("frequency/histogram-encoding", "local/randomized-response"):
        page.goto(f"{server}/book/{name}.html", wait_until="networkidle")
        sizes = page.evaluate(
            "Object.fromEntries(['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))"
            ".map((entry) => [entry.name, entry.decodedBodySize]))"
        )
        assert len(sizes) > 10
        assert sum(sizes.values()) < 1_800_000, sorted(sizes.items(), key=lambda item: -item[1])[:5]
    figures = page.locator("figure.lf-live")
    assert sum("_frames/" in url for url in sizes) < figures.count(), "figures far below the first view wait"
    with page.expect_request("**/_frames/**"):
        figures.last.scroll_into_view_if_needed()


def test_a_step_of_a_slider_does_not_restyle_the_page(open_page, server, browser):
    """A rule such as ``.cell:has(table) > :not(…)`` makes a browser style nearly all elements anew at each step."""
    page = open_page(f"{server}/book/local/randomized-response.html")
    page.evaluate("document.fonts.ready")
    figure = page.locator("figure.lf-live").first
    slider, stage = figure.locator("input[type=range]"), figure.locator(".lf-stage")
    slider.press("End")
    before = stage.inner_html()
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    slider.press("ArrowLeft")
    page.wait_for_function("(before) => document.querySelector('.lf-stage').innerHTML !== before", arg=before)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    events = json.loads(browser.stop_tracing())["traceEvents"]
    styled = [event["args"].get("elementCount", 0) for event in events if event["name"] == "UpdateLayoutTree"]
    assert 0 < max(styled) < page.locator("*").count() / 4


def test_folds(open_page, server):
    """Each says what it holds; what a check compares with ends its solution; solutions are printed if asked for."""
    page = open_page(f"{server}/book/local/randomized-response.html")
    page.wait_for_selector(".solution .toggle-button")
    page.wait_for_function("() => document.querySelector('.toggle-button').ariaLabel")
    for name in page.locator(".toggle-button").evaluate_all("all => all.map((button) => button.ariaLabel)"):
        assert len(name) > len("Show or hide: ")
    checked = page.locator(".solution", has_text="What the check compares with:")
    assert checked.count() == page.locator(".tag_run-here").count() >= 2
    titles = page.locator(".solution > .admonition-title").all_text_contents()
    assert {title.strip() for title in titles} == {"Solution", "Solution and check"}
    assert page.locator(".tag_run-here .cell_output").count() == 0, "an exercise begins empty"
    figure = page.locator(".cell:has(figure.lf-live):has(> details.above-input)").first
    button, code = figure.get_by_role("button", name="Code"), figure.locator(".cell_input")
    assert not figure.locator("summary").is_visible()
    for shown in (True, False):
        button.click()
        assert code.is_visible() == shown == (button.get_attribute("aria-expanded") == "true")
    assert page.locator("details.above-input ~ .cell_output:has(figure.lf-figure)").count() == 0
    assert page.locator(".solution").count() >= 4
    for query, closed in (("", True), ("?print=solutions", False)):
        page.evaluate("query => history.replaceState(null, '', query || '?')", query)
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert (page.locator(".solution.toggle-hidden").count() > 0) == closed


def test_the_map_shows_what_a_chapter_builds_on(open_page, site):
    page = open_page(site / "book" / "course.html")
    boxes = page.locator(".course-map li")
    assert boxes.count() > 25
    assert page.locator(".course-map .needed").count() == 0
    boxes.nth(3).locator("a").focus()
    assert page.locator(".course-map .needed").count() >= 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_glossary_and_bibliography_lead_back(site):
    def entries(name, entry):
        page = BeautifulSoup((site / "book" / "appendix" / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
        return page, page.select(entry)

    page, terms = entries("glossary", "dl.glossary > dd")
    lead = [term.select_one(".leads-back a") for term in terms]
    assert sum(link is not None for link in lead) > 0.7 * len(terms) > 50
    assert all(link.text.isdigit() for link in lead if link)
    led = [link["href"] for link in lead if link]
    assert "../central/exponential.html#the-exponential-mechanism" in led, "where it is explained, not first named"
    letters = page.select("nav.letters a")
    assert [link.text for link in letters] == sorted(
        {term.text.strip()[0].upper() for term in page.select("dl.glossary > dt")} - {"ℓ", "Ε", "ε"}
    )
    page, works = entries("bibliography", "div.citation")
    assert all(work.select_one(".leads-back a") for work in works)
    assert "[" not in works[0].text


@pytest.mark.parametrize("name", ["intro", "course", "central/laplace"])
def test_a_link_to_a_page_says_what_it_is_about(site, name):
    head = BeautifulSoup((site / "book" / f"{name}.html").read_text(encoding="utf-8"), "html.parser").head
    assert len(head.select_one("meta[name=description]")["content"]) > 40
    assert len(head.select("meta[property='og:title']")) == 1
    title, _, site_name = head.title.text.partition(" — ")
    assert title != site_name


def as_it_is(stage):
    return stage.evaluate_handle("stage => [stage, stage.firstElementChild, stage.innerHTML]")


#: Looks at a picture only when it was drawn anew: to write one out takes long.
CHANGED = "([stage, picture, before]) => stage.firstElementChild !== picture && stage.innerHTML !== before"


HALL = {"width": 1024, "height": 768}


def present(page):
    page.locator("button.slide-start").click()  # to look for a role goes through the whole page
    return toolbar(page)


def toolbar(page):
    bar = page.locator(".slide-bar[role=toolbar][aria-label=Slides]")
    bar.wait_for()
    return bar


def place_in(bar):
    return tuple(map(int, bar.locator("output").text_content().split(" of ")))


#: Goes through all slides, and says of each what is seen of it, and how far it is too high, then with its answers.
WALK = """async () => {
  const [article, bar] = ["article.bd-article", ".slide-bar"].map((part) => document.querySelector(part));
  const buttons = ["[data-step='1']", "[data-reveal]", "[data-more]"].map((part) => bar.querySelector(part));
  const [next, answer, more] = buttons;
  const over = () => document.documentElement.scrollHeight - innerHeight;
  const size = (e) => parseFloat(getComputedStyle(e).fontSize);
  const seen = (selector) => [...article.querySelectorAll(selector)].filter((e) => e.checkVisibility());
  const press = async (key) => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    await new Promise(requestAnimationFrame);
  };
  const slides = [];
  for (;;) {
    const blocks = seen("section > *").filter((e) => !e.matches("section, span"));
    const slide = {
      place: bar.querySelector("output").textContent, over: [over()], veiled: 0,
      tags: blocks.map((e) => e.tagName), last: blocks.at(-1).innerText.trim(),
      words: seen("section > p").map((e) => e.innerText).join(" ").match(/[a-z]{2,}/gi)?.length ?? 0,
      data: seen("section > p").some((e) => e.innerText.startsWith("Numbers on this page")),
      stages: seen(".lf-live .lf-stage").map((e) => e.offsetHeight), stands: next.getBoundingClientRect().x,
      heights: seen(".lf-stage > svg").map((e) => e.getBoundingClientRect().height),
      tools: seen(".lf-tools button, [data-do=never]").map((e) => e.textContent),
      titles: seen("section > :is(h2, h3)").slice(0, 1).map((e) => [e.getBoundingClientRect().top, size(e)].join()),
      end: Math.max(...blocks.map((e) => e.getBoundingClientRect().bottom)) / innerHeight,
      letters: Math.min(...[bar, ...bar.children, ...seen("p, li, pre, td, th, label, button, small")].map(size)),
    };
    slides.push(slide);
    slide.rest = [seen(".slide-rest").length];
    for (let pressed = 0; more.checkVisibility() && pressed < 2; pressed += 1) {
      await press("m");
      slide.rest.push(seen(".slide-rest").length);
      slide.over.push(over());
    }
    slide.steps = 0;
    while (answer.checkVisibility()) {
      await press("PageDown");
      slide.steps += 1;
      slide.over.push(over());
      slide.veiled += seen(".lf-veiled").length;
    }
    if (next.disabled) return slides;
    await press("PageDown");
  }
}"""


def walked(page):
    """All slides, none of them a bare heading, or in mid-sentence, or too high, or to be read; titles stand still."""
    slides = page.evaluate(WALK)
    small = min(20, page.evaluate("0.011 * innerWidth + 0.009 * innerHeight"))  # 20 at 1280 by 720
    assert len({title for slide in slides for title in slide["titles"]}) == 1
    assert [slide["place"] for slide in slides] == [f"{i} of {len(slides)}" for i in range(1, len(slides) + 1)]
    assert len(slides) > 15
    assert slides[0]["tags"][0] == "H1"
    for slide in slides:
        place, last = slide["place"], slide["last"]
        assert max(slide["over"]) <= 1, f"{place} scrolls: {slide['over']}"
        assert slide["steps"] <= 2, f"{place} has too many answers"
        rest = slide["rest"]
        assert rest == [0] or (rest[0] == rest[2] == 0 < rest[1]), f"{place}: the rest of its text is shown on demand"
        assert not slide["veiled"], f"{place}: first the picture, then the sentence that reads it"
        assert set(slide["tags"]) - {"H1", "H2", "H3"}, f"{place} is a bare heading"
        assert slide["tags"][-1] != "P" or last[-1] in '.!?…)”"’', f"{place} stops at {last[-40:]!r}"
        assert slide["words"] <= 90, f"{place} is to be read"
        assert slide["letters"] > small - 0.1, f"{place} has letters of {slide['letters']}"
        assert slide["end"] > 0.4, f"{place} leaves the lower half empty"
        assert not slide["data"], f"{place} says where numbers come from"
        assert not re.match(r"Neighbours( in this chapter)?\n", last), f"{place} is a note"
        assert all(height > 230 for height in slide["stages"]), (place, slide["stages"])
        assert not set(slide["tools"]) - {"Reset", "Pin"}, place
        assert slide["stands"] == slides[0]["stands"], "the button moves away from the pointer"
    return slides


@pytest.mark.parametrize("name", ["numeric/one-number", "central/laplace"])
def test_a_chapter_as_slides(open_page, site, name):
    """Figures fill the screen and move; a slide has the first sentences of its text; nothing of the page is lost."""
    page = open_page(site / "book" / f"{name}.html", formulas=True, viewport=HALL)
    page.evaluate("window.MathJax?.startup?.promise")
    bar = present(page)
    assert not page.locator(".admonition.goals").is_visible()
    figure = page.locator("figure.lf-live:visible")
    for _ in range(2):  # figures still move, by arrows that turn no slide
        page.keyboard.press("PageDown")
        while not figure.locator("input[type=range]").count():
            assert bar.locator("[data-step='1']").is_enabled()
            page.keyboard.press("PageDown")
        slider = figure.locator("input[type=range]").first
        before, place = as_it_is(figure.first.locator(".lf-stage")), place_in(bar)
        late = int(slider.input_value()) > 1
        slider.press("Home" if late else "End")
        slider.press("ArrowRight" if late else "ArrowLeft")
        page.wait_for_function(CHANGED, arg=before)
        assert place_in(bar) == place
    page.evaluate("document.activeElement.blur()")  # it would be the slider's key
    page.keyboard.press("Home")
    walked(page)
    page.keyboard.press("Escape")
    assert page.locator(".slide-off, .slide-later").count() == 0
    assert page.locator(".admonition.goals").is_visible()
    assert page.locator(".slide-rest").first.is_visible(), "nothing is lost on the page"


def test_a_slide_has_an_address_and_turns_under_a_finger(open_page, site):
    address = f"{(site / 'book/numeric/one-number.html').as_uri()}#slide=7"
    page = open_page(address, viewport=HALL, has_touch=True)
    bar = toolbar(page)
    assert place_in(bar)[0] == 7
    page.keyboard.press("PageUp")
    assert page.evaluate("location.hash") == "#slide=6"
    page.keyboard.press("b")
    assert page.locator(".slide-blank").is_visible()
    page.keyboard.press("b")
    assert page.locator(".slide-blank").count() == 0
    page.keyboard.press("o")
    sheet = page.locator(".slide-overview button")
    assert sheet.count() == place_in(bar)[1]
    names = [name.split("\n", 1)[1] for name in sheet.all_inner_texts()]
    assert {"Variances of one report", "Theorem 8.2 (Privacy)", "Predict first"} <= set(names)
    assert not {"Code", "Warning"} & set(names)
    page.keyboard.press("PageDown")  # scrolls the overview
    page.keyboard.press("Escape")
    assert sheet.count() == 0
    assert place_in(bar)[0] == 6
    bar.locator("output").click()
    for key in ("Home", "ArrowLeft", "ArrowLeft", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    assert place_in(bar)[0] == 3
    page.keyboard.press("o")
    sheet.nth(5).click()
    wipe = """([from, to]) => {
      const target = document.querySelector("article");
      const touch = (x) => new Touch({ identifier: 1, target, clientX: x, clientY: 300 });
      const event = (type, x, on) => target.dispatchEvent(
        new TouchEvent(type, { bubbles: true, touches: on ? [touch(x)] : [], changedTouches: [touch(x)] }));
      event("touchstart", from, true);
      event("touchend", to, false);
    }"""
    page.evaluate(wipe, [700, 300])
    assert place_in(bar)[0] == 7
    page.evaluate(wipe, [300, 320])
    assert place_in(bar)[0] == 7, "too short"
    page.evaluate(wipe, [300, 700])
    assert place_in(bar)[0] == 6
    bar.get_by_role("button", name="End").click()
    assert page.evaluate("location.hash") == ""


def test_slides_on_a_wide_screen(open_page, server):
    """Pictures fill it; an exercise and its field are one slide; there code is edited and run.

    A figure with much to move stands beside it; what stands below takes no more than half of the height.
    """
    page = open_page(f"{server}/book/local/randomized-response.html", viewport={"width": 1920, "height": 1080})
    bar = present(page)
    heights = [height for slide in walked(page) for height in slide["heights"]]
    assert len(heights) > 5
    assert min(heights) > 540

    while not page.locator("div.exercise:visible").count():
        page.keyboard.press("PageUp")
    assert page.locator("form.lf-question:visible").count() == 1
    assert page.locator("div.solution:visible").count() == 0
    bar.get_by_role("button", name="Answer").click()
    assert page.locator("div.solution:visible p:visible").count() >= 2

    cell = page.locator(".tag_run-here:visible")
    while not cell.count():
        page.keyboard.press("PageUp")
    assert page.locator("div.exercise:visible").count() == cell.count() == 1
    assert cell.get_by_role("button", name="Run here").is_visible()
    cell.get_by_role("button", name="Edit").click()
    place = place_in(bar)
    page.keyboard.type("b# f")
    page.keyboard.press("ArrowRight")
    assert cell.locator("textarea").input_value().startswith("b# f"), "letters and arrows are the editor's"
    page.keyboard.press("Escape")
    assert place_in(bar) == place, "Escape leaves the editor first"
    page.keyboard.press("PageUp")
    assert place_in(bar)[0] == place[0] - 1


def test_tables_sort_by_size_and_by_name(open_page, site):
    page = open_page(site / "book" / "appendix" / "atlas.html")
    table = page.locator("table.sortable").first
    heads = table.locator("thead th")
    column = next(i for i in range(heads.count()) if "variance" in heads.nth(i).inner_text())
    button = heads.nth(column).get_by_role("button")

    def values():
        return [float(t) for t in table.locator(f"tbody tr > :nth-child({column + 1})").all_inner_texts()]

    button.click()
    assert values() == sorted(values())
    assert heads.nth(column).get_attribute("aria-sort") == "ascending"
    button.press("Enter")
    assert values() == sorted(values(), reverse=True)
    # The table follows the slider, and keeps the order the reader chose.
    before = values()
    figure = page.locator("figure.lf-live").first
    figure.locator("input[type=range]").press("End")
    page.wait_for_function(
        "(f) => f.querySelector('caption').textContent.endsWith('ε = 4')", arg=figure.element_handle()
    )
    assert values() != before
    assert values() == sorted(values(), reverse=True)
    assert heads.nth(column).get_attribute("aria-sort") == "descending"
    exact = next(i for i in range(heads.count()) if "exact ε" in heads.nth(i).inner_text())
    for text in table.locator(f"tbody tr > :nth-child({exact + 1})").all_inner_texts():
        assert float(text) <= 4.0001
    heads.nth(0).get_by_role("button").click()
    names = table.locator("tbody th").all_inner_texts()
    assert [n.lower() for n in names] == sorted(n.lower() for n in names)


def test_the_contents_mark_the_section_that_is_read(open_page, site):
    page = open_page(site / "book/local/randomized-response.html", viewport={"width": 1440, "height": 900})
    marked = page.locator("#pst-page-toc-nav a[aria-current]")
    marked.wait_for(state="detached")  # above the first section
    for name in ("Where it breaks", "Two coins", "Exercises"):  # down, back, and past many
        heading = page.locator("article h2", has_text=name).first
        heading.evaluate("e => scrollBy({ top: e.getBoundingClientRect().top - 200, behavior: 'instant' })")
        page.wait_for_function(
            "name => document.querySelector('#pst-page-toc-nav a.active')?.innerText.trim() == name",
            arg=name,
        )
        assert marked.count() == 1
    page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
    page.locator("#pst-page-toc-nav a[aria-current]", has_text="Further reading").wait_for()


def test_rings_around_people_do_not_touch_on_a_phone(open_page, site):
    page = open_page(site / "book/local/randomized-response.html", viewport={"width": 390, "height": 844})
    apart = """all => {
      const rings = all.filter((ring) => ring.checkVisibility()).map((ring) => ring.getBBox());
      const away = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
      return [rings[0].width + 1, Math.min(...rings.flatMap((a, i) => rings.slice(i + 1).map((b) => away(a, b))))];
    }"""
    rings = page.locator("figure.lf-live").first.locator("use[style*='fill: none'][style*='--lf-risk']")
    wide, nearest = rings.evaluate_all(apart)
    assert wide <= nearest


def test_a_chapter_prints_whole(open_page, site, tmp_path):
    """Paper has no sliders: figures stand as they are, nothing is cut, controls that need a hand are left out."""
    page = open_page(site / "book" / "numeric" / "one-number.html")
    page.emulate_media(media="print")
    assert page.locator("figure.lf-live svg").first.is_visible()
    for name in (".slide-start", ".bd-sidebar-primary", "form.lf-question button"):
        assert page.locator(f"{name}:visible").count() == 0, name
    assert page.locator("figure.lf-live .lf-view").first.evaluate("e => getComputedStyle(e).position") == "relative"
    assert page.locator("article h1").evaluate("e => getComputedStyle(e).textAlign") in ("start", "left")
    value = page.locator("figure.lf-live input.lf-value").first
    assert value.bounding_box()["width"] < 50, "as wide as the number"
    assert page.locator("details.goals").inner_text().count("You will be able to") == 1
    cut = "[...document.querySelectorAll('.cell_input pre')].filter((e) => e.scrollWidth > e.clientWidth + 1).length"
    assert page.evaluate(cut) == 0
    page.emulate_media(media="screen", color_scheme="dark")
    page.wait_for_selector("html[data-theme=dark]")  # as the system is
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("document.documentElement.dataset.theme") == "light", "paper is white"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.emulate_media(media="print")
    page.pdf(path=tmp_path / "chapter.pdf", format="A4")
    printed = PdfReader(tmp_path / "chapter.pdf").pages
    sheets = [sheet.extract_text(extraction_mode="layout").split("\n") for sheet in printed]
    heads = page.locator("article :is(h2, h3)").evaluate_all("all => all.map((e) => e.firstChild.textContent.trim())")
    for number, said in enumerate(sheets, start=1):
        *_, last, foot = filter(str.strip, said)
        assert re.sub(r"\s", "", foot) == f"{number}/{len(sheets)}"
        assert last.strip() not in heads, f"a heading at the foot of page {number}"
    whole = [re.sub(r"\s", "", sheet.extract_text()) for sheet in printed]
    for listing in page.locator(".cell_input pre:visible").all_inner_texts():
        assert any(re.sub(r"\s", "", listing) in sheet for sheet in whole), f"torn: {listing}"


@pytest.mark.parametrize(("script", "said"), [("delete globalThis.WebAssembly", "no WebAssembly"), ("", "no network")])
def test_buttons_that_cannot_work_say_so(browser, server, script, said):
    context = browser.new_context()
    context.set_default_timeout(chromium.PATIENCE)
    page = context.new_page()
    page.add_init_script(script or "Object.defineProperty(navigator, 'onLine', {get: () => false})")
    page.goto(f"{server}/book/intro.html")
    link = page.locator(".article-header-buttons a", has_text="In your browser")
    assert said in link.text_content()
    assert link.get_attribute("href") is None
    figure = page.locator("figure.lf-live").first
    figure.scroll_into_view_if_needed()
    before = as_it_is(figure.locator(".lf-stage"))
    figure.locator("input[type=range]").first.press("End")
    page.wait_for_function(CHANGED, arg=before)
    context.close()


#: What a reader may type, and a page that it leads to.
NAMES = {
    "randomized": "Randomized response",
    "GRR": "Direct encoding",
    "k-RR": "Direct encoding",
    "KRR": "Direct encoding",
    "DE": "Direct encoding",
    "generalized randomized response": "Direct encoding",
    "randomised response": "Randomized response",
    "Warner": "Randomized response",
    "SHE": "Histogram encoding",
    "SUE": "Unary encoding",
    "OUE": "Unary encoding",
    "OLH": "Which oracle when",
    "k-subset": "Which oracle when",
    "PrivSet": "LDPBayes",
    "PM": "One number",
    "RAPPOR": "RAPPOR: asked every day",
    "HCMS": "Sketches, and words nobody listed",
    "ε = 1": "Randomized response",  # its spaces do not break on the pages
}


def test_search(open_page, site, server):
    """Names find chapters, numbers theorems, terms and symbols their meaning, in Chinese too; no answer and no code."""
    page = open_page(f"{server}/search.html")
    for word in ("verdict", "sensitivity", "epsilon"):
        page.locator("form.bd-search input:visible").last.fill(word)
        page.keyboard.press("Enter")
        lines = page.locator("#search-results p.context:not(:empty)")
        lines.nth(2).wait_for()  # they come as they are looked at
        for text in lines.all_inner_texts():
            assert not re.search(r"verdict = check|\\\(|def |epsilon=|=epsilon", text)
            assert "\ufffc" not in text
    page.goto(f"{server}/search.html?q=laplace mechanism")
    page.locator("#search-results p.context", has_text="Δ = max |f(x) − f(x')| over neighbours").wait_for()
    page.goto(f"{server}/search.html?q=differencing tracker")  # the section that has both words
    page.locator('#search-results a[href$="attacks.html#differencing-a-subtraction"]').wait_for()

    def found(*queries):
        """Of each query: terms above the results, what is found, where."""
        return page.evaluate(
            """queries => queries.map((query) => {
              document.querySelector("#search-results").replaceChildren();
              Search.performSearch(query);
              const all = (selector, of) => [...document.querySelectorAll(`#search-results ${selector}`)].map(of);
              return [all(".search-term", (e) => e.textContent), all("li a", (e) => e.textContent),
                all("li > a:first-child", (e) => e.getAttribute("href")), all(".search-summary", (e) => e.textContent)];
            })""",
            queries,
        )

    names = {**NAMES, "OptimizedUnary": "OptimizedUnary"}
    lost = [
        name
        for name, (_, titles, _, _) in zip(names, found(*names), strict=True)
        if not any(names[name] in title for title in titles)
    ]
    assert not lost
    labels = ("Theorem 5.1", "definition 1.1", "Exercise 7.2", "Theorem A1")
    for label, (_, titles, places, _) in zip(labels, found(*labels), strict=True):
        assert f"> {label} (".lower() in titles[0].lower()
        assert re.search(r"#(thm|def|ex)-", places[0])
    for (_, _, places, said), chapters in zip(found("epsilon", "sensitivity", "shuffle"), (3, 1, 1), strict=True):
        first = next((i for i, place in enumerate(places) if "api/" in place), len(places))
        assert not [place for place in places[first:] if place.startswith("book/")], "the reference comes last"
        assert not re.search("appendix|record|teach|api/", " ".join(places[:chapters])), "chapters come first"
        pages = [place.split("#")[0] for place in places]
        assert len(pages) == len(set(pages)), "a page is listed once"
        assert said == [f"{len(pages)} pages"]
    assert "randomized-response" in found("epsilon")[0][2][0], "of equals, the one that the book has first"
    first = {
        "how many people": "practice/plan.html", "how many people do I need": "practice/plan.html",
        "split the budget": "frequency/several.html", "what epsilon should I choose": "practice/deployments.html",
        "laplace": "laplace.html#the-laplace-mechanism", "GRR": "direct-encoding.html",
    }  # fmt: skip
    for (asked, answer), (_, _, places, _) in zip(first.items(), found(*first), strict=True):
        assert answer in places[0], asked
    terms = {
        "k-anonymity": "k-anonymity · ", "ε": "Privacy budget ε", "epsilon": "Privacy budget ε", "GRR": "Direct",
        "差分隐私": "Differential privacy", "随机响应": "Randomized response", "随机": "Randomized response",
        "隐私预算": "Privacy budget",
    }  # fmt: skip
    for (term, heading), (above, titles, _, _) in zip(terms.items(), found(*terms), strict=True):
        assert above[0].startswith(heading), term
        assert titles, term
    wrong = {"laplase": "laplace", "sensitibity": "sensitivity", "randmoized response": "randomized response"}
    for (typed, meant), (above, _, _, said) in zip(wrong.items(), found(*wrong), strict=True):
        assert said[0].endswith(f" pages with “{meant}”"), typed
        assert above, typed
    [[above, _, _, said]] = found("xyzzy")
    assert not above
    assert said == ["No page with “xyzzy”"]
    page.goto(f"{(site / 'search.html').as_uri()}?q=隐私")  # a disk sends nothing on request; the console stays clean
    page.locator(".search-summary", has_text="Read as a file").wait_for()
    assert page.locator(".search-term").count() == 3
    assert page.locator("#search-results li").count() > 3


def test_results_follow_what_is_typed_and_keys_choose(open_page, server):
    page = open_page(f"{server}/genindex.html")
    page.locator("article h1").click()
    page.keyboard.press("/")
    dialog = page.locator("#pst-search-dialog input")
    dialog.wait_for()
    dialog.press("/")
    assert dialog.input_value() == "/", "in a field it is a letter"
    page.goto(f"{server}/search.html")
    field = page.locator(".bd-search-container input")
    assert field.evaluate("e => e === document.activeElement")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("/")
    said = page.locator("#search-results [role=status]")
    page.keyboard.type("sensitivi")
    page.locator("#search-results li a", has_text="Local sensitivity").first.wait_for()
    assert said.text_content().endswith(" pages")
    field.fill("randomized response")
    page.wait_for_url("**?q=randomized%20response")
    for key in ("ArrowDown", "ArrowUp", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.wait_for_url("**/randomized-response.html*")
    page.go_back()
    page.locator("#search-results li").first.wait_for()
    assert field.input_value() == "randomized response"
    field.fill("")
    page.locator("#search-results > *").first.wait_for(state="detached")


def test_weight_as_the_benchmark_measures_it(browser, server, record_testsuite_property, monkeypatch):
    """That a slider follows is tested elsewhere; how quickly, differs from one machine to the next."""
    monkeypatch.setattr(benchmark, "MOVE", "() => [0]")
    for name in ("book/intro", "book/numeric/one-number"):
        found = benchmark.measure_page(browser, f"{server}/{name}.html")
        record_testsuite_property(name, found["megabytes"])
        assert found["megabytes"] < 2
