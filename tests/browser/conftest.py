"""Pages in headless Chromium. A page that logs an error or asks another host for anything fails its test."""

import json
import os
import shutil
import subprocess
import tarfile
import threading
from pathlib import Path

import pytest

from livefig.tests.browser.pages import PATIENCE, is_foreign, leave_formulas
from tools.serve import open_server

ROOT = Path(__file__).parents[2]
HTML = ROOT / "_build" / "html"


@pytest.fixture
def open_answered(browser):
    """Open an address where the test answers for every other host; return the page and what was asked for there."""
    contexts, errors = [], []

    def open_(address, answer, *, clock=False, script="", watched=True, **settings):
        context = browser.new_context(viewport={"width": 1280, "height": 900}, service_workers="block", **settings)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
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
