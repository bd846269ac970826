"""Pages in headless Chromium. A page that logs an error or asks another host for anything fails its test."""

import os
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tools import chromium
from tools.serve import open_server

ROOT = Path(__file__).parents[2]
HTML = ROOT / "_build" / "html"


@pytest.fixture(scope="session")
def browser():
    if not chromium.executable():
        if os.environ.get("CI"):
            pytest.fail(chromium.MISSING)
        pytest.skip(chromium.MISSING)
    with chromium.headless() as started:
        yield started


@pytest.fixture
def open_page(browser):
    """Open an address (or a file) and watch it until the end of the test."""
    complaints, contexts = [], []

    def open_(address, **settings):
        settings.setdefault("viewport", {"width": 1280, "height": 900})
        context = browser.new_context(**settings)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: complaints.append(f"console: {m.text}") if m.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(f"page error: {error}"))
        page.on("request", lambda r: complaints.append(f"asks {r.url}") if is_foreign(r.url) else None)
        page.goto(Path(address).as_uri() if isinstance(address, Path) else address)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture(scope="session")
def write_page(tmp_path_factory):
    """Write a page of its own around figures, with the styles and scripts that a site links; return its file."""
    from ldp_core.live.page import script
    from ldp_core.live.widget import styles

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


def is_foreign(url):
    parts = urlsplit(url)
    return parts.scheme not in {"file", "data", "blob", "about"} and parts.hostname not in {"127.0.0.1", "localhost"}


@pytest.fixture(scope="session")
def site():
    if not (HTML / "index.html").is_file():
        pytest.fail("the site is not built: run make book first (make test does)")
    return HTML


@pytest.fixture(scope="session")
def server(site):
    """Address of the book as `make serve` serves it."""
    opened = open_server(site, 8123)
    threading.Thread(target=opened.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{opened.server_address[1]}"
    opened.shutdown()
    opened.server_close()
