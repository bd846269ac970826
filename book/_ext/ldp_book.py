"""What this book adds to Jupyter Book: a cache that notices changed code, and a button for the in-browser kernel."""

from __future__ import annotations

import hashlib
import os
import posixpath
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config

#: The site's folder that tools/build_lite.py fills.
LITE = "lite"


def cache_path(root: Path) -> Path:
    """Folder of executed chapters, named by everything a result depends on besides the chapter's own text.

    jupyter-cache compares the notebook only; a chapter whose package, pinned versions or data source changed would keep
    its old numbers. So the folder's name is a hash of those.
    """
    digest = hashlib.sha256()
    # The Sphinx side of the slider changes pages, not results; .pyc files change with every import.
    files = [root / "requirements.txt", *sorted((root / "ldp_core").rglob("*"))]
    for file in files:
        if file.is_file() and file.suffix not in {".pyc", ".js", ".css"} and file.name != "sphinx_ext.py":
            digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    digest.update(os.environ.get("LDP_BOOK_SOURCES", "").encode())  # set by tools/build_book.py: "adult=uci ..."
    return root / "_build" / "jupyter_cache" / digest.hexdigest()[:16]


def _use_cache(app: Sphinx, config: Config) -> None:
    config.nb_execution_cache_path = str(cache_path(Path(app.srcdir)))


def _page(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object) -> None:
    # Jupyter Book puts Thebe's loader on every page; it is not used and carries another host's address.
    context["script_files"] = [s for s in context.get("script_files", []) if "thebe" not in str(s)]
    for group in context.get("header_buttons", []):
        if group.get("label") == "launch-buttons":
            group["buttons"].insert(0, _lite_button(pagename))


def _lite_button(pagename: str) -> dict[str, str]:
    # Relative, so that it works under any sub-path; the theme's own button takes its address verbatim.
    up = posixpath.relpath(".", posixpath.dirname(pagename) or ".")
    own_pyodide = bool(os.environ.get("LDP_BOOK_PYODIDE"))
    loads = "" if own_pyodide else " (loads Python from jsDelivr, about 30 MB the first time)"
    return {
        "type": "link",
        "text": "In your browser" + ("" if own_pyodide else " (from jsDelivr)"),
        "tooltip": f"Run this chapter in your browser{loads}",
        "icon": "_static/images/logo_jupyterlite.svg",
        "url": f"{up}/{LITE}/lab/index.html?path={pagename}.ipynb",
    }


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.connect("config-inited", _use_cache)
    app.connect("html-page-context", _page, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
