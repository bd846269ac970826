"""Every page of the built book, opened once from a disk as a reader without a server does, and looked at in every way.

To load a page takes longer than most looks at it, so one visit does them all; what each finds is listed by its name.
"""

from functools import cache

import pytest
from fontTools.ttLib import TTFont

from livefig.tests.browser.axe import accessible_in, in_order, legible
from tools.chromium import PATIENCE
from tools.toc import ROOT, contents

pytestmark = [pytest.mark.browser, pytest.mark.site]

#: A small laptop's view.
LAPTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}

#: Texts of figures that are cut off at the edge or lie on one another, in the first frame and up to twenty others.
UNREADABLE = r"""async () => {
  const bad = new Set();
  const look = (svg) => {
    const edge = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")]
      .map((t) => [t.textContent, t.getBoundingClientRect()])
      .filter(([, box]) => box.width);
    texts.forEach(([text, a], i) => {
      const beyond = Math.max(a.right - edge.right, edge.left - a.left, edge.top - a.top, a.bottom - edge.bottom);
      if (beyond > 3) bad.add(`cut off: ${text}`);
      texts.slice(i + 1).forEach(([other, b]) => {
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 2 && high > 0.35 * Math.min(a.height, b.height)) bad.add(`${text} lies on ${other}`);
      });
    });
  };
  document.querySelectorAll(".lf-stage svg").forEach(look);
  for (const figure of document.querySelectorAll(".lf-live")) {
    const { svg } = await figure.livefig.load();
    // Apart from the page, whose styles need not be found again for each frame.
    const apart = document.createElement("iframe");
    apart.style = "width: 700px; height: 900px";
    document.body.append(apart);
    const stage = apart.contentDocument.body;
    for (let i = 0; i < svg.length; i += Math.ceil(svg.length / 20)) {
      if (!svg[i].startsWith("<svg")) continue;
      stage.innerHTML = svg[i];
      stage.firstElementChild.style = "width: 672px; height: auto; overflow: visible";
      look(stage.firstElementChild);
    }
    apart.remove();
  }
  return [...bad];
}"""


def resize(page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def formulas_are_set(page):
    if page.locator(".math").count():
        page.wait_for_selector("mjx-container", state="attached")  # the first may stand in a fold
    page.evaluate("window.MathJax?.startup?.promise")
    used = page.evaluate(SIGNS)
    lacking = {name: set(used.get(family, "")) - signs(name) for family, name in SUBSETS.items()}
    return page.locator("mjx-merror").all_inner_texts() + [f"{n} lacks {s}" for n, s in lacking.items() if s]


#: Fonts of formulas that are subsets (book/assets/vendor/mathjax/README.md), by the family that MathJax names.
SUBSETS = {
    "": "Main-Regular", "-A": "AMS-Regular", "-B": "Main-Bold", "-C": "Calligraphic-Regular", "-I": "Math-Italic",
}  # fmt: skip
#: Which signs formulas take from which.
SIGNS = r"""() => {
  const used = {};
  for (const sign of document.querySelectorAll("mjx-c")) {
    const { content, fontFamily } = getComputedStyle(sign, "::before");
    const family = /MJXTEX(-[A-Z0-9]+)?/.exec(fontFamily)?.[1] ?? "";
    used[family] = (used[family] ?? "") + content.replace(/^"|"$/g, "");
  }
  return used;
}"""


@cache
def signs(name):
    folder = ROOT / "book" / "assets" / "vendor" / "mathjax" / "output" / "chtml" / "fonts" / "woff-v2"
    return set(map(chr, TTFont(folder / f"MathJax_{name}.woff").getBestCmap()))


#: Uncover each figure and move its first control (with keys and pointers: livefig/tests/browser).
MOVE = """async (patience) => {
  const complaints = [];
  for (const [i, figure] of document.querySelectorAll("figure.lf-live").entries()) {
    figure.scrollIntoView();
    // until then the alternative text says that it waits for a guess
    [...figure.querySelectorAll(".lf-predict button")].find((b) => b.innerText === "Just show me")?.click();
    const [stage, view] = [figure.querySelector(".lf-stage"), figure.querySelector(".lf-view")];
    const [before, said] = [view.innerHTML, stage.getAttribute("aria-label")];
    const slider = figure.querySelector("input[type=range]");
    if (slider) {
      const other = slider.value === slider.max ? slider.min : slider.max;
      slider.value = other;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    } else {
      [...figure.querySelectorAll("input[type=radio]:not(:checked)")].at(-1).click();
    }
    const end = performance.now() + patience;
    while (view.innerHTML === before && performance.now() < end) await new Promise(requestAnimationFrame);
    if (view.innerHTML === before) complaints.push(`figure ${i}: the picture stays`);
    if (stage.getAttribute("aria-label") === said) complaints.push(`figure ${i}: the alternative text stays`);
    const note = figure.querySelector(".lf-note")?.textContent;
    if (note) complaints.push(`figure ${i}: ${note}`);
  }
  return complaints;
}"""


def every_slider_moves(page):
    return page.evaluate(MOVE, PATIENCE)


def figures_can_be_read(page):
    return page.evaluate(UNREADABLE)


#: Letters of figures that are lower than 11 pixels, also raised ones; code that is cut off, tables that scroll where
#: nothing says so, or that have words and are not read row by row.
NARROW = r"""() => {
  const bad = [];
  for (const svg of document.querySelectorAll(".lf-stage > svg")) {
    if (!svg.checkVisibility()) continue; // panels side by side, which a phone stacks
    const sizes = [...svg.querySelectorAll("text, tspan")].map((text) => {
      const { a, b } = text.getScreenCTM();
      return Math.hypot(a, b) * parseFloat(getComputedStyle(text).fontSize);
    });
    if (Math.min(...sizes) < 10.95) bad.push(`letters of ${Math.min(...sizes).toFixed(1)} pixels`);
  }
  for (const table of document.querySelectorAll("#main-content table")) {
    if (table.scrollWidth > table.clientWidth + 1 && !table.matches(".scrolls.more-after")) {
      bad.push(`nothing says that this table scrolls: ${table.innerText.slice(0, 60)}`);
    }
    if (table.scrollWidth > table.clientWidth + 1 && table.tHead && !table.matches(".dataframe, .sortable")) {
      bad.push(`a table of words scrolls: ${table.innerText.slice(0, 60)}`);
    }
    if (table.matches(".stacked") && !table.querySelector(".stack-label")) bad.push("cells without a column's name");
  }
  for (const code of document.querySelectorAll(".cell_input pre")) {
    if (code.scrollWidth > code.clientWidth + 1) bad.push(`cut off: ${code.innerText.slice(0, 60)}`);
  }
  return bad;
}"""


#: Labels of ticks that lie on one another.
CROWDED = r"""() => [...document.querySelectorAll(".lf-stage > svg")].flatMap((svg) => {
  const boxes = [...svg.querySelectorAll("g.tick text")].map((t) => [t.textContent, t.getBoundingClientRect()]);
  return boxes.flatMap(([text, a], i) =>
    boxes.slice(i + 1).flatMap(([other, b]) => {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      return wide > 2 && high > 0.35 * Math.min(a.height, b.height) ? [`${text} lies on ${other}`] : [];
    }),
  );
})"""


def fits_a_phone(page):
    """Nothing wider than 360 pixels; the opening figure in the first view of 390 x 844."""
    low = opening_figure_is_seen_at_once(page, *PHONE.values())
    resize(page, 360, 740)
    width = page.evaluate("document.documentElement.scrollWidth")
    narrow = low + page.evaluate(NARROW) + page.evaluate(CROWDED)
    resize(page, **LAPTOP)
    return narrow if width <= 360 else [f"{width} pixels wide", *narrow]


def figures_are_dark_on_a_dark_page(page):
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    complaints = []
    ink = page.locator("figure.lf-figure svg text[style*=lf-ink]").first
    if ink.count() and (fill := ink.evaluate("e => getComputedStyle(e).fill")) != "rgb(230, 230, 230)":
        complaints.append(f"ink is {fill}")
    for output in page.locator(".cell_output .text_html:has(.lf-figure, .lf-question)").all():
        if (card := output.evaluate("e => getComputedStyle(e).backgroundColor")) != "rgba(0, 0, 0, 0)":
            complaints.append(f"a card of {card}")
    return complaints


#: How far down the controls end of a live figure that stands above a chapter's goals; null if there is none.
OPENING = """() => {
  const figure = document.querySelector(".lf-live:has(.lf-controls)");
  const goals = document.querySelector(".admonition.goals");
  const opens = figure && goals && figure.compareDocumentPosition(goals) === Node.DOCUMENT_POSITION_FOLLOWING;
  return opens ? figure.querySelector(".lf-controls").getBoundingClientRect().bottom + scrollY : null;
}"""


def opening_figure_is_seen_at_once(page, width=LAPTOP["width"], height=LAPTOP["height"]):
    """Picture and slider."""
    resize(page, width, height)
    bottom = page.evaluate(OPENING)
    return [] if bottom is None or bottom <= height else [f"ends at {bottom:.0f} of {height}"]


def opening_figure_is_read_first(page):
    """Below it stands what is said of it, and then, as one line, what the chapter teaches; its code is a word."""
    return page.evaluate(
        """() => {
          const cell = document.querySelector(".cell:has(.lf-live .lf-controls)");
          const goals = document.querySelector(".admonition.goals");
          if (!goals || !cell || !(cell.compareDocumentPosition(goals) & Node.DOCUMENT_POSITION_FOLLOWING)) return [];
          const between = [];
          for (let e = cell.nextElementSibling; e && e !== goals; e = e.nextElementSibling) between.push(e.localName);
          return between.every((name) => name === "p") && goals.offsetHeight < 40 ? [] : between;
        }"""
    )


#: Screens of 1280 × 900 above a chapter's exercises, with folds closed; null on other pages.
LENGTH = """() => {
  const end = [...document.querySelectorAll("h2")].find((h) => h.innerText.includes("Exercises"));
  if (!end || !document.querySelector(".admonition.goals")) return null;
  return (end.getBoundingClientRect().top - document.querySelector("h1").getBoundingClientRect().top) / 900;
}"""


def a_chapter_can_be_finished(page):
    screens = page.evaluate(LENGTH)
    return [] if screens is None or screens <= 26 else [f"{screens:.1f} screens before the exercises"]


#: The longest stretch above a chapter's exercises without a picture, in screens of 900 pixels.
STRETCH = """() => {
  const end = [...document.querySelectorAll("h2")].find((h) => h.innerText.includes("Exercises"));
  if (!end || !document.querySelector(".admonition.goals")) return 0;
  let [last, longest] = [document.querySelector("h1").getBoundingClientRect().top, 0];
  const pictures = [...document.querySelectorAll("figure.lf-figure")].filter((e) => e.getClientRects().length);
  for (const element of [...pictures, end]) {
    const { top, bottom } = element.getBoundingClientRect();
    if (element !== end && top > end.getBoundingClientRect().top) continue;
    longest = Math.max(longest, top - last);
    last = bottom;
  }
  return longest / 900;
}"""


def a_picture_is_never_far(page):
    screens = page.evaluate(STRETCH)
    return [] if screens <= 4 else [f"{screens:.1f} screens without a picture"]


#: Where text, figures of one panel, code, theorems, exercises and formulas of a chapter end, each at the furthest.
EDGES = """() => {
  const kinds = {
    text: "section > p", figure: "figure.lf-figure:not(:has(table, [data-wide]))", code: ".cell_input .highlight",
    theorem: "div.proof", exercise: ".ldp-exercise", formula: "section > div.math",
  };
  const edge = ([kind, found]) => {
    const all = [...document.querySelectorAll(`.bd-article :is(${found})`)];
    return [kind, Math.round(Math.max(0, ...all.map((e) => e.getBoundingClientRect().right)))];
  };
  return document.querySelector(".admonition.goals") ? Object.fromEntries(Object.entries(kinds).map(edge)) : {};
}"""


def all_ends_on_one_edge(page):
    edges = {kind: edge for kind, edge in page.evaluate(EDGES).items() if edge}
    return [] if len(set(edges.values())) <= 1 else [edges]


#: In an order in which the page is laid out anew as seldom as may be; the last ones take parts of it away.
LOOKS = (
    fits_a_phone,
    opening_figure_is_seen_at_once,
    opening_figure_is_read_first,
    formulas_are_set,
    all_ends_on_one_edge,
    a_chapter_can_be_finished,
    a_picture_is_never_far,
    every_slider_moves,
    figures_can_be_read,
    in_order,
    figures_are_dark_on_a_dark_page,
    legible,
)


@pytest.mark.parametrize("name", contents())
def test_page(open_page, site, name):
    page = open_page(site / f"{name}.html", formulas=True, color_scheme="light", viewport=PHONE)
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    assert {look.__name__: found for look in LOOKS if (found := look(page))} == {}


def test_a_page_is_dark_where_the_system_is(open_page, server):
    page = open_page(f"{server}/book/local/randomized-response.html", formulas=True, color_scheme="dark")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert formulas_are_set(page) == []
    assert accessible_in(page, "dark") == []


@pytest.mark.parametrize("name", ["book/intro", "book/local/randomized-response"])
def test_a_phone_as_it_is(open_page, server, name):
    page = open_page(
        f"{server}/{name}.html", formulas=True, viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
