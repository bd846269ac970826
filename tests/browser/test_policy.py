"""The content security policy of a page: it lets everything through that the book does, and nothing that was put in.

Every other test opens pages with their policy as well, and fails where a browser says that something was refused.
"""

import re

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.site]

#: One page of each kind.
PAGES = [
    "book/local/randomized-response", "book/appendix/atlas", "book/teach/coin-survey", "api/frequency", "genindex",
    "py-modindex", "_modules/ldp_core/frequency/direct", "search",
]  # fmt: skip
#: What somebody might get into a page: by script, as an attribute, as an address, from another place.
INJECTED = """() => {
  window.refused = [];
  addEventListener("securitypolicyviolation", ({ effectiveDirective }) => refused.push(effectiveDirective));
  const script = document.createElement("script");
  script.textContent = "window.entered = 'script'";
  document.body.append(script);
  const box = document.createElement("div");
  box.innerHTML = `<img src="data:," onerror="window.entered = 'handler'">
    <a href="javascript:window.entered = 'link'">x</a>
    <button onclick="window.entered = 'click'">y</button><object data="https://other.example/x"></object>
    <form action="https://other.example/"><input name="z"></form><base href="https://other.example/">`;
  document.body.append(box);
  box.querySelector("a").click();
  box.querySelector("button").click();
  box.querySelector("form").requestSubmit();
  const other = document.createElement("script");
  other.src = "https://other.example/x.js";
  document.body.append(other);
  fetch("https://other.example/").catch(() => {});
  try { new Worker(URL.createObjectURL(new Blob(["postMessage(1)"]))); } catch { /* refused at once, or later */ }
  const page = (address) => address.split("#")[0];
  const end = performance.now() + 5000;
  return new Promise((done) => {
    const look = () => new Set(refused).size >= 7 || performance.now() > end
      ? done([window.entered ?? null, page(document.baseURI) === page(location.href), refused]) : setTimeout(look, 100);
    setTimeout(look, 500);
  });
}"""


@pytest.mark.parametrize(("scheme", "name"), [("file", PAGES[0]), *[("http", name) for name in PAGES]])
def test_a_page_does_what_it_does_and_runs_nothing_else(browser, server, site, scheme, name):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"{server if scheme == 'http' else site.as_uri()}/{name}.html", wait_until="load")
    page.evaluate("window.MathJax?.startup?.promise")
    figure = page.locator("figure.lf-live").first
    if figure.count():
        if (see := figure.get_by_role("button", name="Just show me")).count():
            see.click()
        before = figure.locator(".lf-stage").inner_html()
        figure.locator("input[type=range]").first.press("End")
        figure.locator("input[type=range]").first.press("ArrowLeft")
        page.wait_for_function(
            "([e, before]) => e.innerHTML !== before", arg=[figure.locator(".lf-stage").element_handle(), before]
        )
    slides = page.locator(".slide-start")
    if slides.count():
        slides.click()
        page.keyboard.press("PageDown")
        page.keyboard.press("Escape")
    called = page.evaluate("""() => {
      const called = [];
      window.print = () => called.push("print");
      window.toggleFullScreen = () => called.push("fill");
      document.querySelectorAll("[data-calls]").forEach((button) => button.click());
      return called;
    }""")
    assert "fill" in called
    assert "print" in called or not name.startswith("book/")
    assert not said
    page.route("https://**", lambda route: asked.append(route.request.url) or route.abort())
    entered, same_base, refused = page.evaluate(INJECTED)
    assert entered is None
    assert same_base
    wanted = {
        "base-uri", "connect-src", "form-action", "object-src", "script-src-attr", "script-src-elem", "worker-src",
    }  # fmt: skip
    assert wanted <= set(refused)
    assert not asked
    context.close()


def test_the_site_s_address_leads_on_under_its_policy(open_page, server):
    page = open_page(f"{server}/")
    page.wait_for_url("**/book/intro.html")


def test_python_comes_to_its_worker_from_the_other_host_and_to_nothing_else(open_answered, server):
    """The page itself may ask no other host; its worker may, which has a file of its own (test_run.py boots Python)."""
    page, asked = open_answered(f"{server}/book/local/randomized-response.html", lambda route: route.abort())
    assert not page.evaluate("import('https://cdn.jsdelivr.net/x.mjs').then(() => true, () => false)")
    assert not asked
    cell = page.locator(".cell.tag_run-here").first
    cell.get_by_role("button", name="Run here").click()
    cell.locator(".run-said[data-verdict=stopped]").wait_for()
    assert any(re.fullmatch(r"https://cdn\.jsdelivr\.net/pyodide/v[\d.]+/full/pyodide\.mjs", url) for url in asked)
