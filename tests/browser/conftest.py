"""Pages in headless Chromium. A page that logs an error or asks another host for anything fails its test."""

import json
import os
import shutil
import subprocess
import tarfile
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
    with chromium.headless("--js-flags=--no-opt") as started:  # no page lives long enough to gain by it
        yield started


@pytest.fixture
def open_page(browser):
    """Open an address (or a file) and watch it until the end of the test."""
    complaints, contexts = [], []

    def open_(address, *, formulas=False, script="", **settings):
        settings.setdefault("viewport", {"width": 1280, "height": 900})
        context = browser.new_context(**settings)
        contexts.append(context)
        context.set_default_timeout(chromium.PATIENCE)
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


@pytest.fixture
def open_answered(browser):
    """Open an address where the test answers for every other host; return the page and what was asked for there."""
    contexts, errors = [], []

    def open_(address, answer, *, clock=False, script="", watched=True, **settings):
        context = browser.new_context(viewport={"width": 1280, "height": 900}, service_workers="block", **settings)
        contexts.append(context)
        context.set_default_timeout(chromium.PATIENCE)
        leave_formulas(context)
        asked = []

        def other(route):
            asked.append(route.request.url)
            answer(route)

        context.route(is_foreign, other)
        page = context.new_page()
        if watched:
            page.on("pageerror", lambda error: errors.append(str(error)))
        if script:
            page.add_init_script(script)
        if clock:
            page.clock.install()
        page.goto(address)
        return page, asked

    yield open_
    for context in contexts:
        context.close()
    assert not errors


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


#: The release that JupyterLite, and with it the site, asks for.
PYODIDE = "314.0.6"


@pytest.fixture(scope="session")
def pyodide_core():
    """The folder of Pyodide's core, from npm."""
    folder = ROOT / "_build" / "pyodide" / PYODIDE
    if not (folder / "package" / "pyodide.mjs").is_file():
        if not shutil.which("npm"):
            reason = "no npm to fetch Pyodide's core with: install Debian's package npm"
            pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["npm", "pack", f"pyodide@{PYODIDE}"], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            reason = f"npm could not fetch Pyodide's core: {done.stderr[-500:]}"
            pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
        with tarfile.open(folder / f"pyodide-{PYODIDE}.tgz") as archive:
            # Python 3.11.3 and older know no filter.
            archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
            archive.extractall(folder)
    return folder / "package"


@pytest.fixture(scope="session")
def pyodide_wheels(pyodide_core):
    """The folder of wheels for that Pyodide which LDP_BOOK_PYODIDE_WHEELS names; it must hold the right NumPy."""
    folder = os.environ.get("LDP_BOOK_PYODIDE_WHEELS", "")
    lock = json.loads((pyodide_core / "pyodide-lock.json").read_text(encoding="utf-8"))
    numpy = lock["packages"]["numpy"]["file_name"]
    if not folder:
        pytest.skip(f"LDP_BOOK_PYODIDE_WHEELS names no folder with {numpy}, which neither npm nor PyPI has")
    if not Path(folder, numpy).is_file():
        pytest.fail(f"LDP_BOOK_PYODIDE_WHEELS = {folder} does not hold {numpy}")
    return Path(folder)
