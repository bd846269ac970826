"""Say what is installed and where data come from: ``python -m ldp_book``."""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import re
import sys
from collections.abc import Iterator
from importlib import metadata

#: The packages of the book.
PACKAGES = ("ldp_core", "livefig", "ldp_book")
#: A requirement's name, what it asks of the version, and the extra that it belongs to.
REQUIREMENT = re.compile(
    r"""(?P<name>[\w.-]+)(?:\[[\w,-]+\])?\s*(?P<asked>[^;]*?)\s*(?:;(?:.*?extra\s*==\s*['"](?P<extra>[\w-]+)['"])?.*)?"""
)


def requirements(package: str) -> dict[str, list[tuple[str, str]]]:
    """Names of what a package needs of others and the versions it asks for, by extra; ``""`` is what it always needs.

    The dictionary is empty if the package is not installed, but used from a folder.
    """
    try:
        declared = metadata.requires(package) or []
    except metadata.PackageNotFoundError:
        return {}
    groups: dict[str, list[tuple[str, str]]] = {}
    for line in declared:
        if (match := REQUIREMENT.fullmatch(line)) and match["name"] not in PACKAGES:
            groups.setdefault(match["extra"] or "", []).append((match["name"], match["asked"]))
    return groups


def report() -> Iterator[str]:
    """Lines of the report. Versions are read without importing anything of others."""
    yield f"Python {platform.python_version()} on {platform.system() or sys.platform} {platform.machine()}"
    for package in PACKAGES:
        yield ""
        spec = importlib.util.find_spec(package)
        if spec is None or spec.origin is None:
            yield f"{package} not installed"
            continue
        yield f"{package} {_version(package)} in {os.path.dirname(spec.origin)}"  # noqa: PTH120 - pathlib costs more
        parts = requirements(package)
        if not parts:
            yield "  not installed, but imported from this folder: what it needs is not known here"
        for extra, needed in parts.items():
            for name, asked in needed:
                version = _version(name)
                old = " TOO OLD" if _numbers(version) < _numbers(asked) and version[0].isdigit() else ""
                only = f", for {package}[{extra}]" if extra else ""
                yield f"  {name:<14} {version:<16} (asked for: {asked or 'any'}{only}){old}"
    yield ""
    yield from _data()


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def _numbers(text: str) -> list[int]:
    """Return a version's numbers, or those of the lowest version that is asked for; none where nothing is."""
    match = re.match(r"(?:.*>=\s*)?([\d.]*)", text)
    return [int(number) for number in (match[1] if match else "").split(".") if number]


def _data() -> Iterator[str]:
    yield "data:"
    if importlib.util.find_spec("pandas") is None:
        yield "  need pandas, which is not installed"
        return
    from ldp_book.datasets import DataUnavailable, fetch, names

    try:
        folder = fetch.cache_folder()
    except DataUnavailable as error:
        yield f"  {error}"
        return
    named = "named by LDP_BOOK_DATA" if os.environ.get("LDP_BOOK_DATA") else "the cache of this system"
    there = "" if folder.is_dir() else ", not there yet" if not fetch.folder_missing() else ", no such folder"
    yield f"  files are looked for in {folder} ({named}{there})"
    if reason := fetch.offline():
        yield f"  what is not there is not downloaded: {reason}"
    else:
        yield f"  what is not there is downloaded from {fetch.server()}"
    yield f"  else a packaged stand-in is used, and says so: there is one for each of the {len(names())} data sets"


def main() -> int:
    """Print the report."""
    argparse.ArgumentParser(
        prog="python -m ldp_book", description="Say what is installed and where data come from."
    ).parse_args()
    if sys.stdout.encoding and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a folder's name may hold what an old console cannot show
    for line in report():
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
