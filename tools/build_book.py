"""Build the book: fetch the data, execute what changed (on all cores), build the site, add the in-browser notebooks."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import nbclient
import nbformat
import yaml
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn, JupyterCacheAbstract

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "book" / "_ext"), str(ROOT / "tools")]

import build_lite  # noqa: E402
from ldp_book import cache_path  # noqa: E402
from plain_notebook import glue_values  # noqa: E402

from ldp_core.chapter import ONE_RUN  # noqa: E402


def say(text: str) -> None:
    """Report progress, at once."""
    print(f"==> {text}", flush=True)


def contents() -> list[str]:
    """Pages of the table of contents, in reading order."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    return [toc["root"], *(c["file"] for part in toc["parts"] for c in part["chapters"])]


def chapters() -> list[Path]:
    """Notebooks of the table of contents, in reading order."""
    return [path for name in contents() if (path := ROOT / f"{name}.ipynb").is_file()]


def fetch_data() -> None:
    """Try each data set once, here, so that no chapter waits for a server that is out of reach."""
    from ldp_core import datasets

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sources = {name: datasets.load(name).source for name in datasets.names()}
    say("Data: " + ", ".join(f"{name} from {source}" for name, source in sources.items()))
    os.environ["LDP_BOOK_OFFLINE"] = "1"
    os.environ["LDP_BOOK_SOURCES"] = " ".join(f"{name}={source}" for name, source in sources.items())


def execute(paths: list[Path], cache: JupyterCacheAbstract, jobs: int) -> bool:
    """Run the notebooks whose results are not in the cache yet; say how each went."""
    stale = []
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        try:
            cache.match_cache_notebook(notebook)
        except KeyError:
            stale.append((path, notebook))
    say(f"Chapters: {len(paths) - len(stale)} of {len(paths)} up to date" + (f", executing {len(stale)}" * bool(stale)))

    def run(path: Path, notebook: nbformat.NotebookNode) -> float:
        start = time.perf_counter()
        resources = {"metadata": {"path": str(path.parent)}}
        quiet = ["--IPKernelApp.log_level=40"]  # errors, not the notice that a local kernel uses local ports
        nbclient.NotebookClient(
            notebook,
            timeout=600,
            resources=resources,
            extra_arguments=quiet,
            coalesce_streams=True,  # else what a cell prints falls into pieces, other ones in every run
            record_timing=False,  # timings would become part of what the cache compares
        ).execute()
        _check_stderr(notebook)
        return time.perf_counter() - start

    good = True
    with ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(run, path, notebook): (path, notebook) for path, notebook in stale}
        for future in as_completed(running):
            path, notebook = running[future]
            name = path.relative_to(ROOT)
            try:
                seconds = future.result()
            except Exception as error:  # whatever stopped the kernel is the message; the other chapters go on
                print(f"    {name} failed:\n{error}", file=sys.stderr, flush=True)
                good = False
                continue
            bundle = CacheBundleIn(notebook, str(path), data={"execution_seconds": seconds})
            cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
            print(f"    {name}  {seconds:.1f} s", flush=True)
    return good


def _check_stderr(notebook: nbformat.NotebookNode) -> None:
    """Let no warning slip into a page; the notice about a stand-in is dropped, since the page itself says so."""
    for cell in notebook.cells:
        written = [o for o in cell.get("outputs", []) if o.get("name") == "stderr"]
        for output in written:
            if "DataNotice" not in output.text:
                raise RuntimeError(f"a cell wrote to stderr:\n{cell.source}\n{output.text}")
            cell.outputs.remove(output)


def collect_runs(paths: list[Path], cache: JupyterCacheAbstract, name: str = "runs.json") -> None:
    """Write down how far the single runs that chapters show lie from the truth: a test reads it."""
    runs = {}
    for path in paths:
        executed = cache.get_cache_bundle(cache.match_cache_notebook(nbformat.read(path, as_version=4)).pk).nb
        found = {
            k.removeprefix(ONE_RUN): json.loads(v) for k, v in glue_values(executed).items() if k.startswith(ONE_RUN)
        }
        if found:
            runs[path.relative_to(ROOT).as_posix()] = found
    (ROOT / "_build" / name).write_text(json.dumps(runs, indent=1), encoding="utf-8")


def check(jobs: int) -> int:
    """Execute every chapter as a live kernel does, one frame a figure: what it asserts must hold for these data too."""
    with tempfile.TemporaryDirectory() as folder:
        cache = get_cache(folder)
        if not execute(chapters(), cache, jobs):
            return 1
        collect_runs(chapters(), cache, "runs-check.json")
    return 0


def check_links() -> int:
    """Ask every other host that the book refers to (Sphinx's linkcheck); 0 if all answer as they should."""
    say("Links: asking every host")
    folder = ROOT / "_build" / "links"
    command = [str(Path(sys.executable).parent / "jupyter-book"), "build", str(ROOT), "-q", "--builder", "linkcheck"]
    done = subprocess.run([*command, "--path-output", str(folder)], cwd=ROOT, capture_output=True, text=True)
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
    command = [str(Path(sys.executable).parent / "jupyter-book"), "build", str(ROOT), "-W", "-n", "--keep-going", "-q"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode == 0:
        # Sphinx leaves the pages of chapters that were moved or dropped.
        for page in (ROOT / "_build" / "html" / "book").rglob("*.html"):
            if page.relative_to(ROOT / "_build" / "html").with_suffix("").as_posix() not in contents():
                page.unlink()
        return True
    print(done.stdout[-3000:], done.stderr[-20_000:], sep="\n", file=sys.stderr)
    # An incremental build skips the page that warned and would call itself a success: forget what was read.
    shutil.rmtree(ROOT / "_build" / ".doctrees", ignore_errors=True)
    print("The site was not built: see the warnings above (each is an error here).", file=sys.stderr)
    return False


def main() -> int:
    """Build, and say how long it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="chapters executed at once")
    parser.add_argument("--only", type=Path, nargs="+", help="execute these chapters and stop (to try a chapter)")
    parser.add_argument(
        "--check", action="store_true", help="execute all chapters with the data at hand, draw no frames"
    )
    parser.add_argument("--links", action="store_true", help="check the links to other hosts instead (needs a network)")
    arguments = parser.parse_args()
    start = time.perf_counter()
    if not arguments.check:
        os.environ["LDP_BOOK_STATIC"] = "1"  # kernels inherit it: sliders come out as baked frames
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # silences a debugger's notice in every kernel
    fetch_data()
    os.environ["LDP_BOOK_CACHE"] = str(cache_path(ROOT))
    cache = get_cache(str(cache_path(ROOT)))
    if arguments.check:
        return check(arguments.jobs)
    if arguments.only:
        return 0 if execute([path.resolve() for path in arguments.only], cache, arguments.jobs) else 1
    if not execute(chapters(), cache, arguments.jobs):
        return 1
    collect_runs(chapters(), cache)
    if arguments.links:
        return check_links()
    if not build_site():
        return 1
    build_lite.main()
    say(f"The book is in _build/html ({time.perf_counter() - start:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
