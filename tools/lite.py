"""Build the in-browser notebooks (JupyterLite) into _build/html/lite, with our packages' wheels and the chapters.

Nothing is fetched: wheels are made from this tree and from installed packages. Python itself (Pyodide) is loaded by the
reader's browser from jsDelivr, or from the folder that LDP_BOOK_PYODIDE names, which then becomes part of the site.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL  # type: ignore[import-untyped]

from tools import copies, packages
from tools.results import Results, say
from tools.toc import ROOT

HTML = ROOT / "_build" / "html"
WORK = ROOT / "_build" / "lite"
#: What chapters and exercises load from a Pyodide distribution; its core has none of them.
NEEDED = ("micropip", "numpy", "pandas", "matplotlib", "scipy", "scikit-learn")


def own_pyodide() -> str:
    """Folder with the Pyodide distribution that becomes part of the site: LDP_BOOK_PYODIDE; empty if there is none.

    Raises
    ------
    ValueError
        If the folder holds no such thing, or only its core.
    """
    chosen = os.environ.get("LDP_BOOK_PYODIDE", "")
    if not chosen:
        return ""
    folder = Path(chosen)
    needed, missing = list(NEEDED), [] if (folder / "pyodide.mjs").is_file() else ["pyodide.mjs"]
    try:
        known = json.loads((folder / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"]
        for name in needed:  # it grows by what they need
            package = known.get(name, {"file_name": name, "depends": []})
            needed += [other for other in package["depends"] if other not in needed]
            missing += [] if (folder / package["file_name"]).is_file() else [name]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        missing += ["pyodide-lock.json"]
    if missing:
        allowed = "a folder with an unpacked Pyodide distribution, packages included, or empty for none"
        raise ValueError(f"LDP_BOOK_PYODIDE must be {allowed}; got {chosen!r}, without {', '.join(missing)}")
    return chosen


def build(results: Results) -> None:
    """Write plain notebooks for download; rebuild JupyterLite if anything in it changed, and put it into the site."""
    notebooks = _plain_copies(results)
    wheels = _wheels()
    pyodide = own_pyodide()
    digest = hashlib.sha256(json.dumps([sys.version, pyodide, _versions()]).encode())
    for file in sorted([*notebooks.rglob("*.ipynb"), *wheels.glob("*.whl"), Path(__file__)]):
        digest.update(file.name.encode() + file.read_bytes())
    target = HTML / "lite"
    stamp = target / "stamp.txt"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == digest.hexdigest():
        return
    say("In-browser notebooks: building JupyterLite (about 20 s)")
    shutil.rmtree(target, ignore_errors=True)
    # What it remembers of the last build would leave the list of extensions, and with it the kernel, out of this one.
    (WORK / ".jupyterlite.doit.db").unlink(missing_ok=True)
    config = {"jupyter-lite-schema-version": 0, "jupyter-config-data": {"appName": "Local Differential Privacy, Live"}}
    (WORK / "jupyter-lite.json").write_text(json.dumps(config), encoding="utf-8")
    command = [str(Path(sys.executable).parent / "jupyter"), "lite", "build", "--lite-dir", str(WORK)]
    command += ["--contents", str(notebooks), "--output-dir", str(target), "--apps", "lab", "--apps", "notebooks"]
    command += [f"--piplite-wheels={wheel}" for wheel in wheels.glob("*.whl")]
    command += ["--no-sourcemaps", "--no-unused-shared-packages"]
    static = WORK / "static" / "pyodide"
    shutil.rmtree(static, ignore_errors=True)
    if pyodide:
        shutil.copytree(pyodide, static)
    done = subprocess.run(command, cwd=WORK, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode:
        sys.exit(f"JupyterLite was not built:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    for source_map in target.rglob("*.map"):
        source_map.unlink()
    for page in (target / "lab" / "index.html", target / "notebooks" / "index.html"):
        _watch(page, "lite/static/pyodide/pyodide.mjs" if pyodide else f"{PYODIDE_CDN_URL}/pyodide.mjs")
    stamp.write_text(digest.hexdigest(), encoding="utf-8")


def _watch(page: Path, python: str) -> None:
    """Let a page of JupyterLite tell its reader what to do if Python does not come; it would wait for ever."""
    script = f'<script src="../../_static/lite-watch.js" data-python="{python}"></script>\n'
    head, end, rest = page.read_text(encoding="utf-8").partition("</head>")
    if not end:
        sys.exit(f"{page} has no head to put a script into")
    page.write_text(head + script + end + rest, encoding="utf-8")


def _plain_copies(results: Results) -> Path:
    """Copies of the chapters, one set for JupyterLite, one in place of the site's download copies."""
    folder = WORK / "contents"
    shutil.rmtree(folder, ignore_errors=True)
    for where, in_browser in ((folder, True), (HTML / "_sources", False)):
        for name, notebook in copies.copies(results, in_browser):
            copies.write(notebook, where / name)
    return folder


def _versions() -> list[str]:
    names = ("jupyterlite-core", "jupyterlite-pyodide-kernel", "jupyterlab", "ipywidgets", "comm")
    return [f"{name} {importlib.metadata.version(name)}" for name in names]


def _wheels() -> Path:
    """Wheels of our packages, and of comm, which ipywidgets needs and Pyodide lacks."""
    folder = WORK / "wheels"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    packages.wheels(folder)
    _repack("comm", folder)
    return folder


def _repack(name: str, folder: Path) -> None:
    """Write an installed pure-Python package as the wheel it came from."""
    distribution = importlib.metadata.distribution(name)
    with zipfile.ZipFile(folder / f"{name}-{distribution.version}-py3-none-any.whl", "w") as wheel:
        for file in sorted(distribution.files or [], key=str):
            if file.suffix != ".pyc" and file.name not in {"INSTALLER", "REQUESTED", "direct_url.json"}:
                info = zipfile.ZipInfo(file.as_posix(), date_time=(2024, 1, 1, 0, 0, 0))
                wheel.writestr(info, file.read_binary())
