"""Build the book: fetch the data, execute what changed (on all cores), build the site, add the in-browser notebooks."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import warnings
from pathlib import Path

import nbformat
import yaml
from nbformat import NotebookNode

from ldp_book.chapter import ONE_RUN
from ldp_book.datasets import loading
from tools import depends, lite, packages, settings, stamp
from tools.results import Results, glued, say, update
from tools.site import policy
from tools.toc import ROOT, chapters, contents

#: What every kernel finds in its environment besides ours. One thread each: chapters share the cores among themselves,
#: and a sum does not depend on how many cores there are.
KERNEL = {
    "LDP_BOOK_OFFLINE": "1",  # where the data come from is settled before
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",  # silences a debugger's notice
}
#: Besides, for pages: sliders come out as baked frames.
STATIC = {"LIVEFIG_STATIC": "1"}


def data_sources() -> dict[str, str]:
    """Try each data set once, here, so that no chapter waits for a server that is out of reach; say what came of it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sources = {name: loading.origin(name) for name in loading.names()}
    say("Data: " + ", ".join(f"{name} from {source}" for name, source in sources.items()))
    return sources


def execute(paths: list[Path], results: Results, environment: dict[str, str], jobs: int) -> bool:
    """Execute the chapters that have to be; false if one failed."""
    package, pinned, sources = depends.Packages(*packages.MODULES.values()), depends.versions(), data_sources()
    site = Results()

    def key(notebook: NotebookNode) -> str:
        return depends.key(notebook, package, sources, pinned)

    def guess(path: Path) -> float:
        """As long as the last time, else in the order of what they import: classifiers reach most and take longest."""
        reached = len(depends.modules(nbformat.read(path, as_version=4), package))
        return float(site.record(path).get("seconds", reached))

    return update(paths, results, key, KERNEL | environment, jobs, guess)


def ask_variables() -> None:
    """Read what the builder says of this copy, so that a slip is told before chapters are executed for minutes."""
    settings.repository()
    settings.address()
    settings.contact()
    lite.own_pyodide()


def with_data() -> list[Path]:
    """Return the chapters that load data: the others come out the same whatever the data are."""
    names = loading.names()
    return [path for path in chapters() if depends.data_sets(nbformat.read(path, as_version=4), names)]


def collect_runs(results: Results, name: str, paths: list[Path]) -> None:
    """Write down how far the single runs that chapters show lie from the truth: a test reads it."""
    runs = {}
    for path in paths:
        values = glued(results.get(path))
        if found := {k.removeprefix(ONE_RUN): json.loads(v) for k, v in values.items() if k.startswith(ONE_RUN)}:
            runs[path.relative_to(ROOT).as_posix()] = found
    new = ROOT / "_build" / f"{name}.new"
    new.write_text(json.dumps(runs, indent=1), encoding="utf-8")
    new.replace(ROOT / "_build" / name)  # at once: the test may be reading


def check_links() -> int:
    """Ask every other host that the book refers to (Sphinx's linkcheck); 0 if all answer as they should."""
    say("Links: asking every host")
    folder = ROOT / "_build" / "links"
    command = [str(Path(sys.executable).parent / "jupyter-book"), "build", str(ROOT), "-q", "--builder", "linkcheck"]
    done = subprocess.run(
        [*command, "--path-output", str(folder)], cwd=ROOT, capture_output=True, encoding="utf-8", errors="replace"
    )
    report = folder / "_build" / "html" / "output.json"
    if not report.is_file():
        print(done.stdout[-3000:], done.stderr[-3000:], sep="\n", file=sys.stderr)
        return 1
    found = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]
    asked = {link["uri"]: link for link in found if link["uri"].startswith("http")}
    broken = {uri: link for uri, link in asked.items() if link["status"] in ("broken", "timeout")}
    for uri, link in broken.items():
        print(f"    {link['filename']}: {uri}\n        {link['info']}")
    say(f"{len(asked)} addresses on other hosts, {len(broken)} of them did not answer as they should")
    return 1 if broken else 0


def build_site() -> bool:
    """Run Jupyter Book with warnings as errors."""
    say("Site: building pages")
    if _prune(ROOT / "_build" / "html"):  # pages of source code, which only change with it, have links to what is gone
        shutil.rmtree(ROOT / "_build" / "html" / "_modules", ignore_errors=True)
    command = [str(Path(sys.executable).parent / "jupyter-book"), "build", str(ROOT), "-W", "-n", "--keep-going", "-q"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode == 0:
        _prune(ROOT / "_build" / "html")
        _front_door()
        return True
    print(done.stdout[-3000:], done.stderr[-20_000:], sep="\n", file=sys.stderr)
    # An incremental build skips the page that warned and would call itself a success: forget what was read.
    shutil.rmtree(ROOT / "_build" / ".doctrees", ignore_errors=True)
    print("The site was not built: see the warnings above (each is an error here).", file=sys.stderr)
    return False


def _prune(site: Path) -> bool:
    """Delete what Sphinx leaves: pages of chapters, parts and modules that were moved or dropped; tell if any was."""
    found = False
    for path in [
        *(site / "book").rglob("*.html"),
        *(site / "api").glob("*.html"),
        *(site / "_modules").rglob("*.html"),
    ]:
        page = path.relative_to(site).with_suffix("")
        sources = {"book": (".ipynb", ".md"), "api": (".rst",), "_modules": (".py", "/__init__.py")}[page.parts[0]]
        source = page.relative_to("_modules") if page.parts[0] == "_modules" else page
        if not any((ROOT / f"{source.as_posix()}{end}").is_file() for end in sources) and source.name != "index":
            path.unlink()
            found = True
    return found


def _front_door() -> None:
    """Give the site's address, which only leads to the first page, a language, a title, an icon, and a link."""
    first = contents()[0]
    title = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["title"]
    page = (
        f'<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f'<link rel="icon" href="_static/logo.svg">\n<meta http-equiv="refresh" content="0; url={first}.html">\n'
        f'<p><a href="{first}.html">{title}</a></p>\n'
    )
    (ROOT / "_build" / "html" / "index.html").write_text(policy.protect(page), encoding="utf-8")


def main() -> int:
    """Build, and say how long it took."""
    parser = argparse.ArgumentParser(prog="python -m tools.build", description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="chapters executed at once")
    parser.add_argument("--only", type=Path, nargs="+", help="execute these chapters and stop (to try a chapter)")
    parser.add_argument(
        "--page", metavar="NAME", help="execute this chapter, such as numeric/one-number, show its page"
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="execute chapters that load data with those at hand as a live kernel does, and stop",
    )
    parser.add_argument("--links", action="store_true", help="check the links to other hosts instead (needs a network)")
    arguments = parser.parse_args()
    start = time.perf_counter()
    if arguments.check:  # one frame a figure; what chapters assert must hold for these data too
        results = Results(ROOT / "_build" / "check")
        paths = [path.resolve() for path in arguments.only] if arguments.only else with_data()
        if not execute(paths, results, {}, arguments.jobs):
            return 1
        if arguments.only:
            return 0
        collect_runs(results, "runs-check.json", paths)
        return 0
    results = Results()
    if arguments.only:
        return 0 if execute([path.resolve() for path in arguments.only], results, STATIC, arguments.jobs) else 1
    if arguments.page:
        path = ROOT / "book" / f"{arguments.page}.ipynb"
        try:
            for other in chapters():
                if other != path:
                    results.get(other)
        except LookupError as error:  # told before a site is built for a minute that cannot be
            print(error, file=sys.stderr)
            return 1
        stamp.FILE.unlink(missing_ok=True)
        if not (execute([path], results, STATIC, arguments.jobs) and build_site()):
            return 1
        page = ROOT / "_build" / "html" / "book" / f"{arguments.page}.html"
        say(f"The page: {page} ({time.perf_counter() - start:.0f} s)")
        return 0
    try:
        ask_variables()
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    made_of = stamp.sources()
    if not arguments.links and stamp.is_current(made_of):
        say("The book is in _build/html; nothing has changed since it was built (rm _build/stamp: build it anyway)")
        return 0
    stamp.FILE.unlink(missing_ok=True)
    if not execute(chapters(), results, STATIC, arguments.jobs):
        return 1
    results.prune(chapters())
    collect_runs(results, "runs.json", chapters())
    if arguments.links:
        return check_links()
    if not build_site():
        return 1
    lite.build(results)
    stamp.keep(made_of)
    say(f"The book is in _build/html ({time.perf_counter() - start:.0f} s)")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)  # what a shell reports of a command that was stopped
