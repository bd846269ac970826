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
from tools.results import Results, glued, say
from tools.settings import repository
from tools.toc import ROOT, chapters

HTML = ROOT / "_build" / "html"
WORK = ROOT / "_build" / "lite"
#: What chapters and exercises load from a Pyodide distribution; its core has none of them.
NEEDED = ("micropip", "numpy", "pandas", "matplotlib", "scipy", "scikit-learn")


def own_pyodide() -> str:
    """Folder with the whole Pyodide that becomes part of the site: LDP_BOOK_PYODIDE; empty if there is none."""
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
    """Write plain notebooks for download, and JupyterLite; what has not changed stays as it is."""
    notebooks, wheels, pyodide = _plain_copies(results), _wheels(), own_pyodide()
    names = sorted(path.relative_to(notebooks).as_posix() for path in notebooks.rglob("*.ipynb"))
    made = [_digest(file.read_bytes()) for file in sorted([*wheels.glob("*.whl"), Path(__file__)])]
    digest = _digest(json.dumps([sys.version, pyodide, _versions(), names, made]).encode())
    stamp = HTML / "lite" / "stamp.txt"
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != digest:
        _build(notebooks, wheels, pyodide)
        stamp.write_text(digest, encoding="utf-8")
    for name in names:  # JupyterLite itself is the same whatever chapters say
        _put(notebooks / name, name)


def _put(notebook: Path, name: str) -> None:
    """Put a chapter into JupyterLite, if it is another one there; its size stands in a list beside it."""
    file = HTML / "lite" / "files" / name
    content = notebook.read_bytes()
    if file.read_bytes() == content:
        return
    file.write_bytes(content)
    listing = (HTML / "lite" / "api" / "contents" / name).with_name("all.json")
    listed = json.loads(listing.read_text(encoding="utf-8"))
    for entry in listed["content"]:
        if entry["path"] == name:
            entry["size"] = len(content)
    listing.write_text(json.dumps(listed, indent=2), encoding="utf-8")


def _build(notebooks: Path, wheels: Path, pyodide: str) -> None:
    say("In-browser notebooks: building JupyterLite (about 20 s)")
    target = HTML / "lite"
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


def _watch(page: Path, python: str) -> None:
    """Let a page of JupyterLite tell its reader what to do if Python does not come; it would wait for ever."""
    script = f'<script src="../../_static/lite-watch.js" data-python="{python}"></script>\n'
    head, end, rest = page.read_text(encoding="utf-8").partition("</head>")
    if not end:
        sys.exit(f"{page} has no head to put a script into")
    page.write_text(head + script + end + rest, encoding="utf-8")


def _plain_copies(results: Results) -> Path:
    """Copies of the chapters, one set for JupyterLite, one in place of the site's download copies.

    A copy that was made from the same text, numbers and labels is not made again.
    """
    labels, where, folder = copies.labels_of_book(), repository(), WORK / "contents"
    code = [_digest((ROOT / "tools" / f"{name}.py").read_bytes()) for name in ("copies", "plain", "markdown")]
    book = _digest(json.dumps([labels, where, code], sort_keys=True).encode())
    for path in chapters():
        name, numbers = path.relative_to(ROOT), glued(results.get(path))
        made_of = _digest(path.read_bytes() + json.dumps([book, numbers], sort_keys=True).encode())
        both = (folder, None, True), (WORK / "download", HTML / "_sources" / name, False)
        for kept, target, in_browser in both:
            copy, key = kept / name, WORK / "keys" / kept.name / name
            if not (key.is_file() and copy.is_file() and key.read_text(encoding="utf-8") == made_of):
                copies.write(copies.copy(path, numbers, labels, where, in_browser), copy)
                key.parent.mkdir(parents=True, exist_ok=True)
                key.write_text(made_of, encoding="utf-8")
            if target is not None:  # Sphinx puts the source there whenever it writes the page
                shutil.copyfile(copy, target)
    current = {path.relative_to(ROOT) for path in chapters()}
    for copy in folder.rglob("*.ipynb"):
        if copy.relative_to(folder) not in current:
            copy.unlink()
    return folder


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _versions() -> list[str]:
    names = ("jupyterlite-core", "jupyterlite-pyodide-kernel", "jupyterlab", "ipywidgets", "comm")
    return [f"{name} {importlib.metadata.version(name)}" for name in names]


def _wheels() -> Path:
    """Wheels of our packages, and of comm, which ipywidgets needs and Pyodide lacks; made again if one has changed."""
    folder, key = WORK / "wheels", WORK / "wheels.key"
    files = sorted(path for module in packages.MODULES.values() for path in module.rglob("*") if path.is_file())
    files = [path for path in files if "__pycache__" not in path.parts] + [ROOT / "pyproject.toml"]
    made_of = _digest("".join(f"{path} {_digest(path.read_bytes())}" for path in files).encode())
    if not (key.is_file() and key.read_text(encoding="utf-8") == made_of):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        packages.wheels(folder)
        _repack("comm", folder)
        key.write_text(made_of, encoding="utf-8")
    return folder


def _repack(name: str, folder: Path) -> None:
    """Write an installed pure-Python package as the wheel it came from."""
    distribution = importlib.metadata.distribution(name)
    with zipfile.ZipFile(folder / f"{name}-{distribution.version}-py3-none-any.whl", "w") as wheel:
        for file in sorted(distribution.files or [], key=str):
            if file.suffix != ".pyc" and file.name not in {"INSTALLER", "REQUESTED", "direct_url.json"}:
                info = zipfile.ZipInfo(file.as_posix(), date_time=(2024, 1, 1, 0, 0, 0))
                wheel.writestr(info, file.read_binary())
