"""Test the package with the lowest or the newest versions that pyproject.toml allows.

``make versions VERSIONS=lowest``, or without make ``python -m tools.versions lowest --test``; without ``--test`` it
prints the requirements. The lowest of ``>=2.0`` is the series 2.0 with its last mends.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
import venv

from tools.packages import PROJECTS
from tools.toc import ROOT

#: What pip calls our packages where they are worked on.
EDITABLE = [word for folder in PROJECTS.values() for word in ("-e", str(folder))]
#: What the package's own tests need besides: pinned as everywhere, or the newest too.
TESTING = ["hypothesis", "ipykernel", "nbclient", "nbformat", "numpydoc", "pytest", "pytest-xdist", "PyYAML", "Sphinx"]

#: The tests that have to do with the package alone, and neither with building the book nor with the built one.
TESTS = [
    "ldp_core",
    "livefig",
    "ldp_book",
    "tests",
    "--ignore=livefig/tests/test_demo.py",
    "--ignore=tests/book",
    "--ignore=tests/browser",
    "--ignore=tests/tools",
]


def floors() -> list[str]:
    """Return the requirements of our packages and of their extras, as declared, each once; but for a site's builder."""
    found: dict[str, None] = {}
    for folder in PROJECTS.values():
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        extras = {name: lines for name, lines in project.get("optional-dependencies", {}).items() if name != "sphinx"}
        lines = [*project["dependencies"], *(line for extra in extras.values() for line in extra)]
        found |= dict.fromkeys(line.partition(";")[0] for line in lines if not line.startswith(tuple(PROJECTS)))
    return list(found)


def lowest(requirement: str) -> str:
    """Return what stands for the lowest version that a requirement allows."""
    match = re.fullmatch(r"([\w.-]+)>=(\d+(?:\.\d+)*)", requirement)
    if not match:
        raise ValueError(f"requirement must be name>=version, got {requirement!r}")
    name, version = match.groups()
    return f"{name}=={version}" if version.count(".") >= 2 else f"{name}=={version}.*"


def requirements(which: str) -> list[str]:
    """Return what to install beside the package: lowest or newest versions, and what tests them."""
    declared = floors()
    if which == "newest":
        return [*declared, *TESTING]
    pins = dict(re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE))
    known = {name.casefold(): version for name, version in pins.items()}
    return [*map(lowest, declared), *(f"{name}=={known[name.casefold()]}" for name in TESTING)]


def try_out(which: str) -> int:
    """Install into an environment of its own and run the package's tests there."""
    folder = ROOT / "_build" / "versions" / which
    venv.create(folder, with_pip=True, clear=True)
    python = str(folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python"))
    install = [python, "-m", "pip", "--disable-pip-version-check", "install", "-q", *requirements(which)]
    for command in (
        install,
        [python, "-m", "pip", "--disable-pip-version-check", "install", "-q", "--no-deps", *EDITABLE],
        [python, "-m", "ldp_book"],
        [python, "-m", "pytest", "-n", "auto", "--dist", "loadgroup", "-p", "no:cacheprovider", *TESTS],
    ):
        if code := subprocess.run(command, cwd=ROOT).returncode:
            return code
    return 0


def main() -> int:
    """Print the requirements, or test with them."""
    parser = argparse.ArgumentParser(prog="python -m tools.versions", description=__doc__)
    parser.add_argument("which", choices=("lowest", "newest"))
    parser.add_argument("--test", action="store_true", help="install them into _build/versions and run the tests")
    arguments = parser.parse_args()
    if arguments.test:
        return try_out(arguments.which)
    print("\n".join(requirements(arguments.which)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
