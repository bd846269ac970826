"""What axe finds on a page, light and dark."""

from axe_playwright_python.sync_playwright import Axe

#: A chapter's code is thousands of coloured words of some twenty kinds, its formulas and pictures are thousands of
#: signs. To measure contrast and to find what has no name, one of each kind in each kind of box is enough.
ONE_OF_A_KIND = r"""() => {
  const seen = new Set();
  const known = (kind) => seen.has(kind) || !seen.add(kind);
  const lines = (node) => node.textContent.replace(/[^\n]/g, ""); // else all that is left would stand in one long line
  for (const code of document.querySelectorAll("#main-content :is(pre, code, dt)")) {
    if (code.closest("a, button")) continue; // their words are their names
    const box = `${code.tagName} in ${code.closest(".cell_input, .cell_output, .highlight, td, dt, dd")?.className}`;
    for (const word of code.querySelectorAll("span")) {
      const kind = [box, word.className, word.parentElement.tagName, word.getAttribute("style")].join(" ");
      if (!word.childElementCount && !word.closest("a") && known(kind)) word.replaceWith(lines(word));
    }
    for (const text of [...code.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)) {
      if (known(`${box} plain`)) text.replaceWith(lines(text));
    }
  }
  for (const formula of document.querySelectorAll("#main-content mjx-container")) {
    if (known(`formula ${formula.getAttribute("display")}`)) {
      formula.querySelectorAll("mjx-math, mjx-assistive-mml > math").forEach((part) => part.replaceChildren());
    }
  }
  for (const picture of document.querySelectorAll("#main-content .lf-stage svg")) {
    if (known("picture")) picture.replaceChildren();
  }
}"""


#: What stands in the same elements, with the same classes, attributes and colours of its own, has the same contrast; so
#: has what stood so on a page that was looked at before, since all of the site's pages have the same style sheets.
CONTRAST_ONCE_A_KIND = r""";(() => {
  const hash = (text) => {
    let [a, b] = [0xdeadbeef, 0x41c6ce57];
    for (let i = 0; i < text.length; i++) {
      a = Math.imul(a ^ text.charCodeAt(i), 2654435761);
      b = Math.imul(b ^ text.charCodeAt(i), 1597334677);
    }
    return 4294967296 * ((a ^ (b >>> 15)) & 0x1fffff) + ((b ^ (a >>> 13)) >>> 0);
  };
  const kinds = new Map([[null, 0]]);
  const kind = (e) => {
    if (!kinds.has(e)) {
      const names = [...e.attributes].map(({ name }) => name).filter((name) => !["data-kind", "style"].includes(name));
      const colours = /color|background|opacity|filter|font/.test(e.style.cssText) ? e.style.cssText : "";
      const own = [e.localName, e.className, colours, e.rowIndex % 2, ...names].join(" ");
      kinds.set(e, hash(`${own} in ${kind(e.parentElement)}`));
    }
    return kinds.get(e);
  };
  const seen = new Set(window.kindsBefore);
  window.kindsHere = [];
  for (const e of document.querySelectorAll("*")) {
    const speaks = e.matches("input, textarea") || [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!speaks || !e.checkVisibility() || seen.has(kind(e))) continue;
    seen.add(kind(e));
    window.kindsHere.push(kind(e));
    e.setAttribute("data-kind", "");
  }
  const links = "a[href]:is([data-kind], :has([data-kind]))";
  axe.configure({
    rules: [{ id: "color-contrast", selector: "[data-kind]" }, { id: "link-in-text-block", selector: links }],
  });
})()"""
AXE = Axe(Axe().axe_script + CONTRAST_ONCE_A_KIND)
LOOKED_AT: set[int] = set()

#: What a theme changes is colours. To see what lies behind a text, axe lays out all that is on the page.
COLOURS = ["color-contrast", "link-in-text-block"]
WITHOUT_COLOURS = {"rules": {rule: {"enabled": False} for rule in COLOURS}}
ONLY_WHAT_IS_MEASURED = """() => {
  const parts = [...document.querySelectorAll("#main-content *")];
  const idle = parts.filter((e) => !e.closest("[data-kind]") && !e.querySelector("[data-kind]"));
  idle.forEach((e) => e.remove());
}"""


def serious(page, *places, **options):
    """What is wrong in these places, or on the whole page."""
    # preload would fetch style sheets by itself, from addresses of its own making; what is right need not be listed
    options |= {"preload": False, "resultTypes": ["violations"]}
    found = AXE.run(page, context={"include": [[place] for place in places]} if places else None, options=options)
    bad = [v for v in found.response["violations"] if v["impact"] in {"serious", "critical"}]
    return [(v["id"], [n["html"][:160] for n in v["nodes"]][:4]) for v in bad]


def serious_in_both_themes(page):
    """The same of a page of its own, which has no theme but what `data-theme` says."""
    bad = serious(page)
    page.evaluate("""() => {
      document.documentElement.dataset.theme = "dark";
      document.documentElement.style.setProperty("--pst-color-background", "#14181e");
      document.body.style.background = "#14181e";
      document.body.style.color = "#e6e6e6";
    }""")
    return bad + serious(page, runOnly=COLOURS)


def accessible_in(page, theme, **options):
    page.evaluate("theme => (document.documentElement.dataset.theme = theme)", theme)
    return serious(page, "#main-content", **options)


def in_order(page):
    """Names, roles and their order; much of what comes again is taken out of the page."""
    page.add_style_tag(content="* { transition: none !important }")  # else a colour is measured on its way to another
    page.evaluate(ONE_OF_A_KIND)
    page.evaluate("kinds => { window.kindsBefore = kinds; }", list(LOOKED_AT))
    return accessible_in(page, "light", **WITHOUT_COLOURS)


def legible(page):
    """Colours of what was not measured on a page before, in both themes; all else is taken out of the page."""
    LOOKED_AT.update(page.evaluate("window.kindsHere"))
    page.evaluate(ONLY_WHAT_IS_MEASURED)
    return [found for theme in ("light", "dark") for found in accessible_in(page, theme, runOnly=COLOURS)]
