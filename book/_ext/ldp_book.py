"""What this book adds to Jupyter Book.

A cache that notices changed code, a button for the in-browser kernel, and pages that are lighter and cleaner than the
theme's: no loader of another host's scripts, no formula engine without formulas, no icons that nobody uses.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config

import repository

#: The site's folder that tools/build_lite.py fills.
LITE = "lite"


def cache_path(root: Path) -> Path:
    """Folder of executed chapters, named by everything a result depends on besides the chapter's own text.

    jupyter-cache compares the notebook only; a chapter whose package, pinned versions or data source changed would keep
    its old numbers. So the folder's name is a hash of those.
    """
    if fixed := os.environ.get("LDP_BOOK_CACHE"):  # the same for all steps of one build, whatever is edited meanwhile
        return Path(fixed)
    digest = hashlib.sha256()
    # The Sphinx side of the slider changes pages, not results; .pyc files change with every import.
    measured = (root / "benchmarks" / "results").glob("*.json")  # two chapters show them
    files = [root / "requirements.txt", *sorted(measured), *sorted((root / "ldp_core").rglob("*"))]
    for file in files:
        if file.is_file() and file.suffix not in {".pyc", ".js", ".css"} and file.name != "sphinx_ext.py":
            digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    digest.update(os.environ.get("LDP_BOOK_SOURCES", "").encode())  # set by tools/build_book.py: "adult=uci ..."
    return root / "_build" / "jupyter_cache" / digest.hexdigest()[:16]


def _configure(app: Sphinx, config: Config) -> None:
    config.nb_execution_cache_path = str(cache_path(Path(app.srcdir)))
    # In the configuration, so that all pages are written anew when it changes.
    config.html_context["own_pyodide"] = bool(os.environ.get("LDP_BOOK_PYODIDE"))
    config.html_theme_options["navbar_persistent"] = []  # the sidebar has the search already
    where = repository.address(Path(app.srcdir))
    config.html_context["repository"] = where
    config.html_theme_options["repository_url"] = ""  # Jupyter Book's default is its own repository
    config.html_theme_options |= repository.theme_options(where)


def _page(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: object,
) -> None:
    context["default_mode"] = "auto"  # light or dark as the reader's system is, until they choose
    # Jupyter Book puts Thebe's loader on every page; it is not used and carries another host's address.
    unused = ["thebe"] + ([] if 'class="math' in context.get("body", "") else ["mathjax"])
    for files in ("script_files", "css_files"):
        context[files] = [f for f in context.get(files, []) if not any(word in str(f).lower() for word in unused)]
    if "body" in context:
        # Extensions give every exercise and proof the same id, and a bibliography a role that its children lack.
        context["body"] = re.sub(
            r' id="(?:(?:exercise|solution|proof)-content|proof)"|(?<=<div) role="list"',
            "",
            context["body"],
        )
        # A screen reader changes its voice, and a browser its font, where the page says that a word is Chinese.
        context["body"] = CHINESE.sub(r'<span lang="zh-Hans">\g<0></span>', context["body"])
    _buttons(app.config, pagename, context)


def _buttons(config: Config, pagename: str, context: dict[str, Any]) -> None:
    """Add what the theme has no button for: the in-browser kernel, and a repository on a host it does not know."""
    buttons = context.setdefault("header_buttons", [])
    if context.get("page_source_suffix") == ".ipynb":
        launch = next((group for group in buttons if group.get("label") == "launch-buttons"), None)
        if launch is None:  # the theme's own, if the repository's address leads to Binder or Colab
            launch = {"type": "group", "icon": "fas fa-rocket", "label": "launch-buttons", "buttons": []}
            launch["tooltip"] = "Launch interactive content"
            buttons.insert(0, launch)
        launch["buttons"].insert(0, _lite_button(pagename, config.html_context["own_pyodide"]))
    where = config.html_context["repository"]
    if where and not config.html_theme_options["repository_url"]:
        link = {"type": "link", "url": where, "text": "", "icon": "fas fa-code-branch", "tooltip": "Source repository"}
        buttons.append(link | {"label": "source-repository-button"})


def _lite_button(pagename: str, own_pyodide: bool) -> dict[str, str]:
    # Relative, so that it works under any sub-path; the theme's own button takes its address verbatim.
    up = posixpath.relpath(".", posixpath.dirname(pagename) or ".")
    loads = "" if own_pyodide else " (loads Python from jsDelivr, about 30 MB the first time)"
    return {
        "type": "link",
        "text": "In your browser" + ("" if own_pyodide else " (from jsDelivr)"),
        "tooltip": f"Run this chapter in your browser{loads}",
        "icon": "_static/images/logo_jupyterlite.svg",
        "url": f"{up}/{LITE}/lab/index.html?path={pagename}.ipynb",
    }


#: Chinese words between tags (the glossary's); never inside one.
CHINESE = re.compile(r"[\u4e00-\u9fff][\u4e00-\u9fff—]*(?=[^<>]*<)")

#: An icon in the theme's bundle: name:[width, height, [aliases], "code point", "path"].
ICON = re.compile(r'(?P<name>"[\w-]+"|\w+):\[\d+,\d+,\[(?P<aliases>[^\]]*)\],"\w*",(?:"[^"]*"|\[[^\]]*\])\],?')


def _trim_icons(app: Sphinx, error: Exception | None) -> None:
    """Keep the icons that pages and scripts name: 1.5 MB of the first view becomes a tenth of that."""
    scripts = Path(app.outdir) / "_static" / "scripts"
    bundle = scripts / "fontawesome.js"
    if error or not bundle.is_file():
        return
    used: set[str] = set()
    for file in [*Path(app.outdir).glob("*.html"), *Path(app.outdir, "book").rglob("*.html"), *scripts.glob("*.js")]:
        if file != bundle:
            used |= set(re.findall(r"\bfa-([a-z][a-z0-9-]*)", file.read_text(encoding="utf-8")))

    def keep(icon: re.Match[str]) -> str:
        names = {icon["name"].strip('"'), *re.findall(r'"([^"]+)"', icon["aliases"])}
        return icon[0] if names & used else ""

    bundle.write_text(ICON.sub(keep, bundle.read_text(encoding="utf-8")), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.connect("config-inited", _configure)
    app.connect("html-page-context", _page, priority=900)
    app.connect("build-finished", _trim_icons)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
