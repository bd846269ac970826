"""Make a kit for a room without network: ``make kit``, or ``python -m tools.kit``.

One folder, and a zip of it: the built site, notebooks, the packages as wheels, stand-in data as tables, and a text that
says what to do with them. ``--packages`` adds what the package and the notebooks need, for one kind of machine.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import ldp_book
from ldp_book import datasets
from tools import copies, publish
from tools import packages as our_packages
from tools.results import Results, say
from tools.toc import ROOT

NAME = f"{publish.NAME}-kit"
OUT = ROOT / "_build" / "kit"

START = """\
LOCAL DIFFERENTIAL PRIVACY, LIVE: A KIT FOR A ROOM WITHOUT NETWORK
Version {version}

1. TO READ
   Open site/index.html in a browser. Sliders, questions, slides and the search work from the disk.

2. TO SERVE A ROOM from one machine with Python, in this folder:
       python -m http.server --directory site --bind 0.0.0.0 8000
   Others open http://ADDRESS:8000/ with the address of your machine. Anybody in the network can read it.
   "In your browser" under the rocket {pyodide}

3. TO RUN THE NOTEBOOKS, with Python 3.11 to 3.14, in this folder:
       python -m venv env
       env/bin/python -m pip install {index}--find-links wheels {wheels} jupyterlab
       env/bin/jupyter lab notebooks
   (Windows: env\\Scripts\\python and env\\Scripts\\jupyter.)
   {packages}

4. DATA
   data/ has stand-ins for the data sets, one table each: rows drawn from counts that were fitted to the real files, no
   person's. The package brings the same rows along and uses them wherever a real file is not at hand; it asks no server
   for one if the environment variable LDP_BOOK_OFFLINE is 1.
"""
WITH = "wheels/ has all that this needs, for {0}; on another kind of machine it will say what is missing."
WITHOUT = """\
wheels/ has the book's packages alone; what it needs comes from a package index, so do this before you are
   without network, or ask for a kit that brings it along: make kit PACKAGES=yes."""


def make(site: Path, target: Path, results: Results, packages: bool, platform: str = "", python: str = "") -> Path:
    """Write the kit's folder, from the built site; a kit that is there is replaced once the new one is whole.

    With packages, wheels of what the package and the notebooks need are fetched from the package index, for a platform
    and a Python as pip calls them (``win_amd64``, ``3.12``), or for this machine.
    """
    folder = target / f"{NAME}.new"
    shutil.rmtree(folder, ignore_errors=True)
    publish.copy(site, folder / "site")
    for name, notebook in copies.copies(results):
        copies.write(notebook, folder / "notebooks" / name.relative_to("book"))
    (folder / "data").mkdir()
    for table in datasets.names():
        rows = datasets.load(table, source="standin").frame
        rows.to_csv(folder / "data" / f"{table}.csv", index=False, lineterminator="\n")
    made = our_packages.wheels(folder / "wheels")
    if packages:
        download(folder / "wheels", platform, python)
    kind = f"Python {python or '.'.join(map(str, sys.version_info[:2]))} on {platform or sys.platform}"
    own = (site / "lite" / "static" / "pyodide").is_dir()
    text = START.format(
        version=ldp_book.__version__,
        wheels=" ".join(f"./wheels/{wheel.name}" for wheel in made),  # an index may have anybody's of that name
        packages=WITH.format(kind) if packages else WITHOUT,
        index="--no-index " if packages else "",
        pyodide="works too, on that machine (http://localhost:8000/)."
        if own
        else "needs a network: it loads Python\n   from a public server.",
    )
    (folder / "START-HERE.txt").write_text(text, encoding="utf-8", newline="\r\n")  # Windows' Notepad, too
    shutil.rmtree(target / NAME, ignore_errors=True)
    return folder.replace(target / NAME)


#: What Binder's list needs besides on other systems; pip asks this machine, not the one that the kit is for.
BESIDES = {"win": ("colorama", "pywinpty"), "macosx": ("appnope",)}


def download(folder: Path, platform: str, python: str) -> None:
    """Fetch wheels of what Binder installs, which is what a reader needs, as pinned."""
    command = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--only-binary", ":all:"]
    command += ["-r", str(ROOT / ".binder" / "requirements.txt"), "-d", str(folder)]
    command += [name for system, names in BESIDES.items() if platform.startswith(system) for name in names]
    command += ["--platform", platform] if platform else []
    command += ["--python-version", python] if python else []
    subprocess.run(command, check=True)


def main() -> int:
    """Make the kit, and say where it is."""
    parser = argparse.ArgumentParser(prog="python -m tools.kit", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--packages", action="store_true", help="add wheels of what is needed (150 MB, from an index)")
    parser.add_argument(
        "--platform", default="", help="for which system, as pip calls it: win_amd64, macosx_11_0_arm64"
    )
    parser.add_argument("--python", default="", help="for which Python: 3.12")
    parser.add_argument("--to", type=Path, default=OUT, help="where the folder and the zip go")
    chosen = parser.parse_args()
    try:
        folder = make(ROOT / "_build" / "html", chosen.to, Results(), chosen.packages, chosen.platform, chosen.python)
    except (OSError, ValueError, LookupError, subprocess.CalledProcessError) as error:
        print(error, file=sys.stderr)
        return 1
    packed = chosen.to / f"{NAME}.zip"
    publish.pack(folder, packed, NAME)
    say(f"Kit: {folder} and {packed.name} ({packed.stat().st_size / 1e6:.0f} MB)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
