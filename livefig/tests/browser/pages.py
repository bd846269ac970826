"""Pages with figures in headless Chromium: one that logs an error or asks another host for anything fails its test."""

import os
import shutil
from pathlib import Path
from urllib.parse import urlsplit

import pytest

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
#: Milliseconds after which what is waited for does not come any more, on a machine ten times busier than any.
PATIENCE = 300_000


@pytest.fixture(scope="session")
def browser():
    """One for all tests of a process: Playwright starts no second."""
    from playwright.sync_api import sync_playwright

    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if not found:
        reason = (
            "no Chromium: install Debian's package chromium-headless-shell or chromium, or set CHROMIUM to its path"
        )
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    # Letters as wide as on paper; no page lives long enough to gain by optimized code.
    flags = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none", "--js-flags=--no-opt"]
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=flags, timeout=PATIENCE)
        yield started
        started.close()


@pytest.fixture
def open_page(browser):
    """Open an address (or a file) and watch it until the end of the test."""
    complaints, contexts = [], []

    def open_(address, *, formulas=False, script="", **settings):
        settings.setdefault("viewport", {"width": 1280, "height": 900})
        context = browser.new_context(**settings)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        if not formulas:
            leave_formulas(context)
        page = context.new_page()
        page.on("console", lambda m: complaints.append(f"console: {m.text}") if m.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(f"page error: {error}"))
        page.on("request", lambda r: complaints.append(f"asks {r.url}") if is_foreign(r.url) else None)
        if script:
            page.add_init_script(script)
        page.goto(Path(address).as_uri() if isinstance(address, Path) else address)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture(scope="session")
def by_hand():
    """A script under which a page does what it would do every so often when `tick` is called; null: it has stopped."""
    return """window.tick = null;
        window.setInterval = (step) => { window.tick = step; return 1; };
        window.clearInterval = () => { window.tick = null; };"""


@pytest.fixture(scope="session")
def write_page(tmp_path_factory):
    """Write a page of its own around figures, with the styles and scripts that a site links; return its file."""

    from livefig.page import script
    from livefig.widget import styles

    def write(title, body):
        file = tmp_path_factory.mktemp(title.lower()) / "index.html"
        file.write_text(
            '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f'<title>{title}</title>{styles()}<body style="font-family:sans-serif"><main><h1>{title}</h1>'
            f"{body}</main><script>{script()}</script></body></html>",
            encoding="utf-8",
        )
        return file

    return write


def leave_formulas(context):
    """Leave formulas as they were written: to set them takes half of the time that a page takes to open."""
    context.route("**/mathjax/*", lambda route: route.fulfill(body="", content_type="text/javascript"))


def is_foreign(url):
    parts = urlsplit(url)
    return parts.scheme not in {"file", "data", "blob", "about"} and parts.hostname not in {"127.0.0.1", "localhost"}
