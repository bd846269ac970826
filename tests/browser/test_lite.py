"""The in-browser notebooks, as far as they go without another host.

Pyodide's core comes from npm; its NumPy, pandas and IPython do not. So the kernel's Python is booted and our wheel
imported in it (test_run.py), and JupyterLite's own pages are opened; a chapter's whole run in the browser needs the
public CDN and is not tested here. Where LDP_BOOK_PYODIDE_WHEELS names a folder with that Pyodide's NumPy wheel, the
mechanisms run too.
"""

import contextlib
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError

pytestmark = [pytest.mark.browser, pytest.mark.site]

CHAPTER = "book/local/randomized-response"
ROOT = Path(__file__).parents[2]
#: A program that runs the examples in the docstrings.
EXAMPLES = Path(__file__).parent / "examples.py"


@pytest.mark.xdist_group("pyodide")
def test_every_example_of_the_mechanisms_holds_in_the_browser(open_page, server, site, pyodide_core, pyodide_wheels):
    (wheel,) = (site / "lite").rglob("ldp_core-*.whl")
    (numpy,) = pyodide_wheels.glob("numpy-*.whl")
    page = open_page("about:blank")
    page.route("**/pyodide-core/*", lambda route: route.fulfill(path=pyodide_core / route.request.url.split("/")[-1]))
    page.route("**/numpy-*.whl", lambda route: route.fulfill(path=numpy))
    page.goto(f"{server}/lite/jupyterlite.schema.v0.json")
    tried, said = page.evaluate(
        """async ([base, numpy, wheel, examples]) => {
            const { loadPyodide } = await import(`${base}/pyodide-core/pyodide.mjs`);
            const python = await loadPyodide({ indexURL: `${base}/pyodide-core/` });
            await python.loadPackage(`${base}/${numpy}`);
            python.unpackArchive(await (await fetch(wheel)).arrayBuffer(), "wheel");
            return python.runPython(`${examples}\nlist(run())`).toJs();
        }""",
        [server, numpy.name, f"{server}/{wheel.relative_to(site).as_posix()}", EXAMPLES.read_text(encoding="utf-8")],
    )
    assert not said
    assert tried > 150


def test_those_examples_need_numpy_only():
    program = (
        f"{EXAMPLES.read_text(encoding='utf-8')}\nimport sys\nprint(*run(), {{'scipy', 'pandas'}} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True)
    tried, rest = done.stdout.split(maxsplit=1)
    assert int(tried) > 150
    assert rest.strip() == "set()"


@pytest.fixture
def lite(open_answered, server):
    """The notebook behind a chapter's button; ``answer`` is what other hosts do."""

    def open_(answer, **settings):
        # JupyterLite's own complaints when its kernel does not come are not ours.
        page, _ = open_answered(f"{server}/{CHAPTER}.html", answer, watched=False, **settings)
        address = page.locator("a[href*='/lite/lab/']").first.get_attribute("href")
        page.goto(f"{server}/{CHAPTER.rsplit('/', 1)[0]}/{address}")
        page.get_by_text("%pip install -q ldp_core").first.wait_for()
        return page

    return open_


def test_the_button_opens_the_chapter_with_its_kernel_chosen_and_a_refused_host_is_told(lite, server):
    """Up to the kernel's start: the notebook is shown, the install cell is first, and no kernel has to be picked."""
    page = lite(lambda route: route.abort())
    page.get_by_role("heading", name="Randomized response").first.wait_for()
    told = page.locator(".ldp-lite-says")
    told.get_by_text("Python cannot be loaded from cdn.jsdelivr.net").wait_for()
    page.wait_for_timeout(2000)  # a dialog would come after the notebook
    assert page.get_by_text("Select Kernel").count() == 0
    for text, target in (("download the notebook", f"_sources/{CHAPTER}.ipynb"), ("chapter's page", f"{CHAPTER}.html")):
        address = told.get_by_role("link", name=text).get_attribute("href")
        assert address == f"{server}/{target}"
        assert page.request.get(address).ok


@pytest.mark.parametrize(
    "path",
    ["javascript:alert(document.domain)//", "//evil.example/x", "https://evil.example/x.ipynb", "book/../../x.ipynb"],
)
def test_an_address_makes_no_link_of_its_own(open_answered, server, path):
    address = f"{server}/lite/lab/index.html?path={path}"
    page, _ = open_answered(address, lambda route: route.abort(), watched=False)
    told = page.locator(".ldp-lite-says")
    told.get_by_text("open the chapters in a copy of the book").wait_for()
    assert told.locator("a").count() == 0


def test_a_cell_that_waits_for_a_host_that_never_answers_is_not_left_alone(lite):
    page = lite(lambda route: None, clock=True)
    waiting = page.locator(".jp-InputPrompt", has_text="[*]").first
    # A cell is seen before JupyterLab listens to keys, or knows its kernel: then it asks for one. Try until it does.
    for patience in (2_000, 2_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000):
        with contextlib.suppress(TimeoutError):
            if (accept := page.locator(".jp-Dialog .jp-mod-accept")).count():
                accept.first.click(timeout=patience)
            page.get_by_text("%pip install -q ldp_core").first.click(timeout=patience)
            page.keyboard.press("Shift+Enter")
            waiting.wait_for(timeout=patience)
            break
    assert waiting.is_visible()
    page.clock.run_for(2_000)
    assert page.locator(".ldp-lite-says").count() == 0
    page.clock.run_for(13_000)
    page.locator(".ldp-lite-says").get_by_text("has not arrived from cdn.jsdelivr.net").wait_for()
