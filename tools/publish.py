"""Make a folder and a zip of the built site for any web space: ``make publish``, or ``python -m tools.publish``.

What comes out works at the top of a host, under any sub-path, and from a disk without a server. The address that it
will have is needed for one thing only: other sites that show a link to a page want whole addresses.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import ldp_core
from tools.results import say
from tools.toc import ROOT

NAME = f"ldp-live-{ldp_core.__version__}"
#: A link or a source that starts at the top of the host; ``//host/…`` is another's.
ABSOLUTE = re.compile(
    r"""<[a-z][^<>]*?\s(?:href|src|srcset|action|data)=["'](?P<url>/(?!/)[^"']*)["']""", re.IGNORECASE
)


def files(site: Path) -> list[PurePosixPath]:
    """Files of a site in the order of their names; hidden ones are the builder's own and stay behind."""
    found = [PurePosixPath(path.relative_to(site).as_posix()) for path in site.rglob("*") if path.is_file()]
    return sorted(path for path in found if not any(part.startswith(".") for part in path.parts))


def faults(site: Path, names: list[PurePosixPath]) -> Iterator[str]:
    """Say what would not work under a sub-path or from a disk."""
    for name in names:
        if name.suffix == ".html":
            for match in ABSOLUTE.finditer((site / name).read_text(encoding="utf-8")):
                yield f"{name}: {match['url']} is found at the top of a host only"


def publish(site: Path, target: Path, name: str = NAME) -> tuple[Path, Path]:
    """Write the folder ``site`` and the zip into the target: the same bytes from the same site, whenever it is packed.

    What both were before is replaced. ``name`` is that of the zip and of the one folder in it. What would not work
    everywhere is refused with a ValueError that names up to ten such things.
    """
    folder, packed = target / "site", target / f"{name}.zip"
    copy(site, folder)
    pack(folder, packed, name)
    return folder, packed


def copy(site: Path, folder: Path) -> None:
    """Copy a built site into a folder, in place of what is there; see :func:`publish` for what it refuses."""
    if not (site / "index.html").is_file():
        raise FileNotFoundError(f"{site} holds no built book; run make book (or python -m tools.build) first")
    names = files(site)
    if found := list(faults(site, names)):
        raise ValueError("the site would not work everywhere:\n" + "\n".join(found[:10]))
    shutil.rmtree(folder, ignore_errors=True)
    for path in names:
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(site / path, target)
    (folder / ".nojekyll").touch()  # GitHub Pages would else leave out whatever begins with an underscore


def pack(folder: Path, packed: Path, name: str) -> None:
    """Write a zip of a folder, which is called `name` in it: the same bytes from the same files, whenever."""
    temporary = packed.with_suffix(".new")
    with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(PurePosixPath(p.relative_to(folder).as_posix()) for p in folder.rglob("*") if p.is_file()):
            info = zipfile.ZipInfo(f"{name}/{path}", date_time=(1980, 1, 1, 0, 0, 0))
            info.compress_type, info.create_system, info.external_attr = zipfile.ZIP_DEFLATED, 3, 0o100644 << 16
            archive.writestr(info, (folder / path).read_bytes())
    temporary.replace(packed)


def main() -> int:
    """Publish into a folder, and say what to do with it."""
    parser = argparse.ArgumentParser(prog="python -m tools.publish", description=__doc__)
    parser.add_argument("--site", type=Path, default=ROOT / "_build" / "html", help="the built site")
    parser.add_argument("--to", type=Path, default=ROOT / "_build" / "publish", help="where the folder and the zip go")
    arguments = parser.parse_args()
    try:
        folder, packed = publish(arguments.site, arguments.to)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    say(f"Published: {folder} ({size / 1e6:.0f} MB) and {packed.name} ({packed.stat().st_size / 1e6:.0f} MB)")
    say("Copy what is in the folder to any web space, or open its index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
