"""The in-browser notebooks, as far as they go without another host.

Pyodide's core comes from npm; its NumPy, pandas and IPython do not. So the kernel's Python is booted and our wheel
imported in it, and JupyterLite's own pages are opened; a chapter's whole run in the browser needs the public CDN and is
not tested here.
"""

import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.site]

ROOT = Path(__file__).parents[2]
PYODIDE = "314.0.6"


@pytest.fixture(scope="module")
def pyodide_core():
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
            archive.extractall(folder, filter="data")
    return folder / "package"


def test_python_boots_in_the_browser_and_our_wheel_imports_and_compiles_there_without_numpy(
    open_page, server, site, pyodide_core
):
    import ldp_core

    (wheel,) = (site / "lite").rglob("ldp_core-*.whl")
    page = open_page("about:blank")
    page.route("**/pyodide-core/*", lambda route: route.fulfill(path=pyodide_core / route.request.url.split("/")[-1]))
    page.goto(f"{server}/lite/jupyterlite.schema.v0.json")  # any page of the site's own, to be on its address
    result = page.evaluate(
        """async ([base, wheel]) => {
            const { loadPyodide } = await import(`${base}/pyodide-core/pyodide.mjs`);
            const python = await loadPyodide({ indexURL: `${base}/pyodide-core/` });
            const archive = await (await fetch(wheel)).arrayBuffer();
            python.unpackArchive(archive, "wheel");
            return python.runPython(`
import compileall, pathlib, sys
import ldp_core
folder = pathlib.Path(ldp_core.__file__).parent
good = compileall.compile_dir(folder, quiet=1)
[ldp_core.__version__, sys.platform, bool(good), 'numpy' in sys.modules].__repr__()
`);
        }""",
        [server, f"{server}/{wheel.relative_to(site).as_posix()}"],
    )
    assert result == repr([ldp_core.__version__, "emscripten", True, False])


@pytest.mark.parametrize("name", ["book/local/randomized-response"])
def test_the_button_opens_the_chapter_with_its_kernel_chosen(browser, server, name):
    """Up to the kernel's start: the notebook is shown, the install cell is first, and no kernel has to be picked."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, service_workers="block")
    try:
        page = context.new_page()
        page.route(lambda url: "127.0.0.1" not in url, lambda route: route.abort())
        page.goto(f"{server}/{name}.html")
        address = page.locator("a[href*='/lite/lab/']").first.get_attribute("href")
        page.goto(f"{server}/{name.rsplit('/', 1)[0]}/{address}")
        page.get_by_text("%pip install -q ldp_core").first.wait_for(timeout=60_000)
        page.get_by_role("heading", name="Randomized response").first.wait_for(timeout=30_000)
        page.wait_for_timeout(2000)  # a dialog would come after the notebook
        assert page.get_by_text("Select Kernel").count() == 0
    finally:
        context.close()
