"""Exercises that run where they stand: edited, run, reset, remembered; and what is said where they cannot run.

No other host is asked: the test answers in its place. Pyodide's core comes from npm and is booted for real, with the
wheel that in-browser notebooks install; NumPy is not to be had there, so that boot runs an exercise whose check needs
none, unless LDP_BOOK_PYODIDE_WHEELS names a folder with the wheels. That every exercise of the book gets its verdict is
tested in tests/book/test_cells.py.
"""

import json
from functools import partial

import pytest

import ldp_core
from ldp_book._cell import pick
from livefig.tests.browser.axe import COLOURS, serious

pytestmark = [pytest.mark.browser, pytest.mark.site]

CHAPTER = "book/local/randomized-response"
#: A check that needs no NumPy, for a Python that has none, and an exercise that needs it.
CHECK = """
class Verdict:
    def __init__(self, right):
        self.right = right
    def __repr__(self):
        return "Right." if self.right else "Not yet: write your answer."
def check(answer, *cases):
    return Verdict(all(answer(*arguments) == expected for arguments, expected in cases))
warner_cases = [((300, 1000, 0.7), 0.0)]
"""
CORS = {"Access-Control-Allow-Origin": "*"}


@pytest.fixture
def visit(open_answered, server):
    return partial(open_answered, f"{server}/{CHAPTER}.html")


def first(page):
    return page.locator(".cell.tag_run-here").first


def test_a_cell_is_edited_reset_and_remembered_and_nothing_is_loaded_for_it(visit, site):
    page, asked = visit(lambda route: route.abort())
    page.on("request", lambda request: asked.append(request.url) if "/cells/" in request.url else None)
    cell = first(page)
    assert "about 10 MB) from cdn.jsdelivr.net, another site, the first time" in cell.locator(".run-note").inner_text()
    given = cell.locator("pre").first.inner_text().strip()
    cell.get_by_role("button", name="Edit").click()
    editor = cell.locator("textarea")
    assert cell.get_by_role("textbox", name="Your code: warner_estimate").input_value() == given
    editor.fill("")
    page.keyboard.type("def f(x):")
    page.keyboard.press("Enter")
    page.keyboard.type("return x")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("# end")
    typed = "def f(x):\n    return x\n        # end"
    assert editor.input_value() == typed
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Run here"
    for scheme, rules in (("light", {}), ("dark", {"runOnly": COLOURS})):
        page.emulate_media(color_scheme=scheme)
        assert serious(page, ".tag_run-here", **rules) == [], scheme
    page.reload()
    assert editor.input_value() == typed, "remembered"
    cell.get_by_role("button", name="Reset").click()
    assert not editor.is_visible()
    assert cell.locator("pre").first.is_visible()
    page.reload()
    assert not editor.is_visible()
    cell.locator("pre").first.click()  # on the code itself
    editor.fill("x = 1")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Erase all of it").click()
    assert editor.input_value() == given
    assert page.evaluate("localStorage.getItem('livefig')") is None
    page.set_viewport_size({"width": 320, "height": 740})
    cell.get_by_role("button", name="Edit").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert not asked
    assert (site / "_static" / "run.js").stat().st_size < 20_000


def test_a_host_that_refuses_and_a_lost_network_are_told_with_a_way_out(visit):
    page, asked = visit(lambda route: route.abort())
    cell = first(page)
    cell.get_by_role("button", name="Run here").click()
    said = cell.locator(".run-said[data-verdict=stopped]")
    said.wait_for()
    assert "Python could not be loaded from cdn.jsdelivr.net" in said.inner_text()
    assert said.get_by_role("link", name="download").get_attribute("href").endswith(f"_sources/{CHAPTER}.ipynb")
    assert any(url.startswith("https://cdn.jsdelivr.net/pyodide/v314.0.6/full/") for url in asked)
    assert cell.get_by_role("button", name="Run here").get_attribute("aria-disabled") == "false", "one may try again"
    page.context.set_offline(True)
    cell.get_by_text("There is no network to load Python over").wait_for()
    assert not cell.get_by_role("button", name="Run here").is_visible()
    page.context.set_offline(False)
    cell.get_by_role("button", name="Run here").wait_for()


def test_a_host_that_never_answers_is_told_within_15_seconds(visit):
    page, _ = visit(lambda route: None, clock=True)
    cell = first(page)
    cell.get_by_role("button", name="Run here").click()
    cell.get_by_text("Loading Python from cdn.jsdelivr.net").wait_for()
    second = page.locator(".cell.tag_run-here").nth(1)
    assert second.get_by_role("button", name="Run here").get_attribute("aria-disabled") == "true", "one at a time"
    page.clock.run_for(15_000)
    said = cell.locator(".run-said")
    assert "has not arrived from cdn.jsdelivr.net yet" in said.inner_text()
    assert said.get_by_role("link", name="download").is_visible()
    cell.get_by_role("button", name="Stop").click()
    assert said.inner_text() == "Stopped."
    assert second.get_by_role("button", name="Run here").get_attribute("aria-disabled") == "false"


def test_a_browser_without_webassembly_and_a_file_say_so_beforehand(visit, open_page, site):
    page, asked = visit(lambda route: route.abort(), script="delete globalThis.WebAssembly")
    first(page).get_by_text("it has no WebAssembly").wait_for()
    assert not first(page).get_by_role("button", name="Run here").is_visible()
    page = open_page(site / f"{CHAPTER}.html")
    first(page).get_by_text("A page opened as a file cannot load Python").wait_for()
    assert not first(page).get_by_role("button", name="Run here").is_visible()
    assert not asked


def from_core(core, wheels=None):
    """Answer as the host of Pyodide does."""

    def answer(route):
        name = route.request.url.split("/")[-1]
        found = next((folder / name for folder in (core, wheels) if folder and (folder / name).is_file()), None)
        route.fulfill(path=found, headers=CORS) if found else route.fulfill(status=404, headers=CORS)

    return answer


def ran(cell):
    """Run a cell that is open; what was said then."""
    cell.get_by_role("button", name="Run here").click()
    cell.locator(".run-bar:not([data-busy])").wait_for()
    said = cell.locator(".run-said")
    return said.get_attribute("data-verdict"), said.inner_text().strip()


@pytest.mark.xdist_group("pyodide")
def test_python_runs_a_cell_on_the_page(visit, pyodide_core):
    page, asked = visit(from_core(pyodide_core))
    code = {"statements": [CHECK, "import numpy", "def unrelated_channel():\n    numpy"], "above": [1, 3, 3]}
    page.route("**/cells/**", lambda route: route.fulfill(body=json.dumps(code), content_type="application/json"))
    cell = first(page)
    assert ran(cell) == ("wrong", "Not yet: write your answer.")
    assert cell.locator(".run-note").inner_text() == "", "nothing more to load"
    cell.get_by_role("button", name="Edit").click()
    editor = cell.locator("textarea")
    check = "\ncheck(warner_estimate, *warner_cases)"
    editor.fill(f"def warner_estimate(yeses, n, P):\n    return round((yeses - n * (1 - P)) / (2 * P - 1), 6){check}")
    assert ran(cell) == ("right", "Right.")
    editor.fill(f"def warner_estimate(yeses, n, P):\n    return yeses / nn{check}")
    verdict, text = ran(cell)
    assert verdict == "stopped"
    assert text.splitlines()[-2:] == ["Line 2: return yeses / nn", "NameError: name 'nn' is not defined"]
    editor.fill("import os\nos.environ['LDP_BOOK_OFFLINE'], warner_estimate")
    assert "NameError: name 'warner_estimate'" in ran(cell)[1], "nothing of the last run is left"
    # Our package is that of the site, imports without NumPy, and all of it compiles in that Python.
    editor.fill(
        "import compileall, pathlib, sys\nimport ldp_core\n"
        "good = compileall.compile_dir(pathlib.Path(ldp_core.__file__).parent, quiet=1)\n"
        "[ldp_core.__version__, sys.platform, bool(good), 'numpy' in sys.modules]"
    )
    assert ran(cell)[1] == repr([ldp_core.__version__, "emscripten", True, False])
    editor.fill("while True:\n    pass")
    editor.press("Control+Enter")
    cell.get_by_text("Running …").wait_for()
    cell.get_by_role("button", name="Stop").click()
    assert cell.locator(".run-said").inner_text() == "Stopped."
    # A package that does not come is told like Python itself.
    assert not any("numpy" in url for url in asked), "only what is needed is loaded"
    second = page.locator(".cell.tag_run-here").nth(1)
    second.get_by_role("button", name="Edit").click()
    second.locator("textarea").fill("numpy.pi")
    verdict, text = ran(second)
    assert verdict == "stopped"
    assert "could not be loaded from cdn.jsdelivr.net: numpy did not come" in text
    assert any("numpy" in url for url in asked)


@pytest.mark.xdist_group("pyodide")
def test_an_exercise_gets_its_verdict_on_the_page(visit, pyodide_core, pyodide_wheels):
    page, _ = visit(from_core(pyodide_core, pyodide_wheels))
    cell = first(page)
    verdict, text = ran(cell)
    assert (verdict, text[:8]) == ("wrong", "Not yet:")
    cell.get_by_role("button", name="Edit").click()
    line = "return (yeses - n * (1 - P)) / (2 * P - 1)"
    cell.locator("textarea").fill(
        f"def warner_estimate(yeses, n, P):\n    {line}\n\n\ncheck(warner_estimate, *warner_cases)"
    )
    assert ran(cell) == ("right", "Right: all 3 cases.")


def test_every_page_has_the_code_that_its_cells_need(site):
    """The cells of a page and the exercises in its file are the same ones, in the same order."""
    pages = sorted((site / "_static" / "cells").rglob("*.json"))
    assert len(pages) > 25
    for path in pages:
        page = (site / path.relative_to(site / "_static" / "cells")).with_suffix(".html").read_text(encoding="utf-8")
        code = json.loads(path.read_text(encoding="utf-8"))
        assert page.count("tag_run-here") == len(code["above"]), path
        assert code["above"] == sorted(code["above"])
        check = pick(code["statements"][: code["above"][0]], "check")
        assert len(check) == 1, path
        assert check[0].startswith("from ldp_book.chapter import")
