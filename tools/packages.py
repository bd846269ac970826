"""The three packages of this repository: what each is called, where it is built from, and where its modules are."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

from tools.toc import ROOT

#: Folders with a pyproject.toml, by what is built from them; each needs none that comes after it.
PROJECTS = {"ldp_core": ROOT, "livefig": ROOT / "livefig", "ldp_book": ROOT / "ldp_book"}
#: Folders of their modules.
MODULES = {name: ROOT / name for name in PROJECTS}


def wheel_names() -> list[str]:
    """File names of their wheels, in order."""
    return [f"{name}-{importlib.import_module(name).__version__}-py3-none-any.whl" for name in PROJECTS]


def wheels(folder: Path) -> list[Path]:
    """Write a wheel of each into a folder, the same bytes from the same tree, and return them in order."""
    os.environ["SOURCE_DATE_EPOCH"] = "1704067200"
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    subprocess.run([*command, "--disable-pip-version-check", *map(str, PROJECTS.values())], cwd=ROOT, check=True)
    return [folder / name for name in wheel_names()]
