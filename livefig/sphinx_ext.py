"""Sphinx extension: bakes ``live`` figures into a site.

It tells kernels that figures are to be baked, adds the script and the style sheet to every page, and moves the frames
out of the pages into files named by their content, which a page loads when the reader comes near. The files are
scripts, not JSON, because a page opened from a disk (``file://``) may load scripts but not fetch.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from livefig import __version__
from livefig.display import STATIC
from livefig.page import SCRIPTS

__all__ = ["setup"]

FOLDER = "_frames"
FIGURE = re.compile(r'(<figure class="lf-figure lf-live" id=")([^"]+)"')
PAYLOAD = re.compile(r'<script type="application/lf-frames" data-frames="(\w+)">([^<]*)</script>')


def _set_up(app: Sphinx) -> None:
    app.config.html_static_path.append(str(Path(__file__).parent / "assets"))


def _page(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object) -> None:
    body = context.get("body", "")
    if "application/lf-frames" not in body:
        return
    folder = Path(app.outdir) / FOLDER
    folder.mkdir(exist_ok=True)

    def move(match: re.Match[str]) -> str:
        name, packed = match.groups()
        file = folder / f"{name}.js"
        if not file.is_file():
            file.write_text(f'livefigFrames("{name}","{packed}");\n', encoding="utf-8")
        address = context["pathto"](f"{FOLDER}/{name}.js", resource=True)
        return f'<span class="lf-source" hidden data-frames="{name}" data-src="{address}"></span>'

    context["body"] = PAYLOAD.sub(move, _unique(body))


def _unique(body: str) -> str:
    """Give figures names that nothing else on the page has."""
    taken = set(re.findall(r'\bid="([^"]+)"', FIGURE.sub("", body)))

    def name(match: re.Match[str]) -> str:
        asked = found = match[2]
        number = 1
        while found in taken:
            number += 1
            found = f"{asked}-{number}"
        taken.add(found)
        return f'{match[1]}{found}"'

    return FIGURE.sub(name, body)


def _prune(app: Sphinx, error: Exception | None) -> None:
    """Delete frames that no page refers to any more."""
    folder = Path(app.outdir) / FOLDER
    if error or not folder.is_dir():
        return
    used: set[str] = set()
    for page in Path(app.outdir).rglob("*.html"):
        if "lf-source" in (text := page.read_text(encoding="utf-8", errors="ignore")):
            used |= set(re.findall(r'data-frames="(\w+)"', text))
    for file in folder.glob("*.js"):
        if file.stem not in used:
            file.unlink()


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    os.environ[STATIC] = "1"
    app.connect("builder-inited", _set_up)
    app.connect("html-page-context", _page)
    app.connect("build-finished", _prune)
    for name in SCRIPTS:
        app.add_js_file(name, loading_method="defer")
    app.add_css_file("live.css")
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
