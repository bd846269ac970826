"""Build the in-browser notebooks (JupyterLite) into _build/html/lite, with ldp_core's wheel and the chapters.

Nothing is fetched: wheels are made from this tree and from installed packages. Python itself (Pyodide) is loaded by the
reader's browser from jsDelivr, or from the folder that LDP_BOOK_PYODIDE names, which then becomes part of the site.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL  # type: ignore[import-untyped]
from pybtex.database import parse_file

from tools import markdown
from tools.plain import plain_notebook
from tools.repository import address
from tools.results import Results, glued, say
from tools.toc import ROOT, chapters, texts

HTML = ROOT / "_build" / "html"
WORK = ROOT / "_build" / "lite"


def build(results: Results) -> None:
    """Write plain notebooks for download; rebuild JupyterLite if anything in it changed, and put it into the site."""
    notebooks = _plain_copies(results)
    wheels = _wheels()
    pyodide = os.environ.get("LDP_BOOK_PYODIDE", "")
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
    """Chapters as plain notebooks, one set for JupyterLite, one in place of the site's download copies."""
    folder = WORK / "contents"
    shutil.rmtree(folder, ignore_errors=True)
    labels, where = labels_of_book(), address(ROOT)
    for path in chapters():
        notebook, numbers = nbformat.read(path, as_version=4), glued(results.get(path))
        name = path.relative_to(ROOT)
        _write(plain_notebook(notebook, numbers, labels, _packages(notebook)), folder / name)
        _write(plain_notebook(notebook, numbers, labels, address=where), HTML / "_sources" / name)
    return folder


def _write(notebook: nbformat.NotebookNode, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    nbformat.write(notebook, path)


def _packages(notebook: nbformat.NotebookNode) -> str:
    """What the chapter's kernel needs: scikit-learn and SciPy are large, so only where they are used."""
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    wanted = ["ldp_core", "pandas", "matplotlib", "ipywidgets"]
    if re.search(r"sklearn|ldp_core\.learn", code):
        wanted.append("scikit-learn")
    elif "scipy" in code:
        wanted.append("scipy")
    return " ".join(wanted)


def labels_of_book() -> dict[str, str]:
    """What a plain notebook calls the targets of references: authors and year, titles of exercises and chapters."""
    labels: dict[str, str] = {}
    for key, entry in parse_file(ROOT / "book" / "references.bib").entries.items():
        names = [" ".join(person.prelast_names + person.last_names).strip("{}") for person in entry.persons["author"]]
        shown = " and ".join(names) if len(names) < 3 else f"{names[0]} et al."
        labels[key] = f"{shown} {entry.fields['year']}"
    for name, text in texts():
        labels |= {label: title for label, title in markdown.labels(text).items() if title}
        title = next(title for level, _, title in markdown.headings(text) if level == 1)
        labels |= dict.fromkeys((name, f"/{name}", Path(name).name), title)
    return labels


def _versions() -> list[str]:
    names = ("jupyterlite-core", "jupyterlite-pyodide-kernel", "jupyterlab", "ipywidgets", "comm")
    return [f"{name} {importlib.metadata.version(name)}" for name in names]


def _wheels() -> Path:
    """Wheels of ldp_core and of comm, which ipywidgets needs and Pyodide lacks."""
    folder = WORK / "wheels"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.environ["SOURCE_DATE_EPOCH"] = "1704067200"  # the same bytes from the same tree
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(folder), "."]
    subprocess.run([*command, "--disable-pip-version-check"], cwd=ROOT, check=True)
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
