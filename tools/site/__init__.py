"""The Sphinx extension of this book: what it adds to Jupyter Book, and what it takes out.

Chapters get the results that tools/results.py keeps; pages say where they stand in the course, have a button for the
in-browser kernel, and are cleaner than the theme's: no loader of another host's scripts, no formula engine without
formulas. What else they are spared is in :mod:`tools.site.light`, what surrounds a page's text in
:mod:`tools.site.page`; numbers of theorems and exercises are made in :mod:`tools.site.numbering`, what its tables look
like is in :mod:`tools.site.tables`, where lines break in :mod:`tools.site.breaks`, exercises that run on the page
in :mod:`tools.site.cells`, what is folded in :mod:`tools.site.folds`, what opens over its links in
:mod:`tools.site.cards`, what leads back from the glossary and the bibliography in :mod:`tools.site.back`, what it may
run and load in :mod:`tools.site.policy`; directives are in :mod:`tools.site.course`, :mod:`tools.site.landing` and
:mod:`tools.site.contact`; the reference is in :mod:`tools.site.api`, links of code to it in
:mod:`tools.site.code_links`, arithmetic that a page does in :mod:`tools.site.arithmetic`.
"""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import Path
from typing import Any

import nbformat
from sphinx.application import Sphinx
from sphinx.config import Config

import ldp_core
from tools import repository, settings
from tools.results import Results
from tools.site import (
    api,
    arithmetic,
    back,
    breaks,
    cards,
    cells,
    code_links,
    contact,
    course,
    folds,
    landing,
    light,
    numbering,
    page,
    policy,
    tables,
)

#: The site's folder that tools/lite.py fills.
LITE = "lite"


def _configure(app: Sphinx, config: Config) -> None:
    # In the configuration, so that all pages are written anew when it changes.
    config.html_context["own_pyodide"] = bool(os.environ.get("LDP_BOOK_PYODIDE"))
    config.html_theme_options["navbar_persistent"] = []  # the sidebar has the search already
    config.html_theme_options["logo"] = {"text": config.html_title}
    config.html_theme_options["article_header_start"] = ["toggle-primary-sidebar.html", "book-name.html"]
    config.templates_path = [*config.templates_path, str(Path(__file__).parent / "templates")]
    config.version = config.release = ldp_core.__version__
    config.html_theme_options["extra_footer"] = f'<p class="version">Version {ldp_core.__version__}</p>'
    config.html_baseurl = settings.address()
    config.html_context["repository"] = where = settings.repository()
    config.html_theme_options["repository_url"] = ""  # Jupyter Book's default is its own repository
    config.html_theme_options |= repository.theme_options(where)


def _results(app: Sphinx, name: str, source: list[str]) -> None:
    """Read a chapter with its outputs; its page is made anew when they are."""
    root = Path(app.srcdir)
    chapter = root / f"{name}.ipynb"
    if chapter.is_file():
        results = Results(root / "_build" / "results", root)
        app.env.note_dependency(str(results.file(chapter)))
        notebook = results.get(chapter)
        page.answers_in_solutions(notebook)
        cells.mark(notebook)
        folds.fold(notebook)
        source[0] = nbformat.writes(notebook)


def _page(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object) -> None:
    context["default_mode"] = "auto"  # light or dark as the reader's system is, until they choose
    body = context.get("body", "")
    # Jupyter Book puts Thebe's loader on every page, and its settings into every chapter; they name others' addresses.
    unused = ["thebe"] + ([] if 'class="math' in body else ["mathjax"])
    unused += [] if 'class="sd-' in body else ["sphinx-design", "design-tabs"]  # 60 kB for cards and tabs
    for files in ("script_files", "css_files"):
        context[files] = [f for f in context.get(files, []) if not any(word in str(f).lower() for word in unused)]
    if "body" in context:
        if line := course.here(Path(app.srcdir), pagename):
            body = body.replace("</h1>", f"</h1>\n{line}", 1)
        body = breaks.joint(breaks.bind(tables.tidy(page.body(THEBE.sub("", body)))))
        # Extensions give every exercise and proof the same id, and a bibliography a role that its children lack.
        body = re.sub(r' id="(?:(?:exercise|solution|proof)-content|proof)"|(?<=<div) role="list"', "", body)
        # A screen reader changes its voice, and a browser its font, where the page says that a word is Chinese.
        body = CHINESE.sub(r'<span lang="zh-Hans">\g<0></span>', body)
        base = app.config.html_baseurl
        context["body"] = page.codes(body, f"{base.rstrip('/')}/{pagename}.html") if base else body
        page.head(Path(app.srcdir), pagename, context, app.config.html_baseurl)
    _buttons(app.config, pagename, context)


def _buttons(config: Config, pagename: str, context: dict[str, Any]) -> None:
    """Add what the theme has no button for: the in-browser kernel, and a repository on a host it does not know."""
    buttons = context.setdefault("header_buttons", [])
    if context.get("page_source_suffix") == ".ipynb":
        launch = [_lite_button(pagename, config.html_context["own_pyodide"])]
        # The theme's own buttons for these open the sources, with their markup and without their numbers.
        links = repository.launches(config.html_context["repository"], pagename)
        for name, url in links.items():
            logo = {"Binder": "logo_binder.svg", "Colab": "logo_colab.png"}[name]
            link = {"type": "link", "text": name, "tooltip": f"Run this chapter on {name}", "url": url}
            launch.append(link | {"icon": f"_static/images/{logo}"})
        group = {"type": "group", "icon": "fas fa-rocket", "label": "launch-buttons", "buttons": launch}
        buttons.insert(0, group | {"tooltip": "Launch interactive content"})
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
#: What Jupyter Book appends to a chapter for Thebe, see :func:`_page`.
THEBE = re.compile(r'<script type="text/x-thebe-config">.*?</script>(\s*<script>kernelName = .*?</script>)?', re.DOTALL)
CHINESE = re.compile(r"[\u4e00-\u9fff][\u4e00-\u9fff—]*(?=[^<>]*<)")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    course.setup(app)
    page.setup(app)
    numbering.setup(app)
    cards.setup(app)
    back.setup(app)
    landing.setup(app)
    contact.setup(app)
    api.setup(app)
    arithmetic.setup(app)
    code_links.setup(app)
    cells.setup(app)
    light.setup(app)
    policy.setup(app)
    app.connect("config-inited", _configure)
    app.connect("source-read", _results)
    app.connect("html-page-context", _page, priority=900)
    # The number rises when pages get something else as they are read: all are read anew then.
    return {"env_version": 6, "parallel_read_safe": True, "parallel_write_safe": True}
