"""What the theme loads and the book does not use is taken out: half of what a first view would weigh.

Icons are drawn in the page, where the theme has a font of 150 kB and its script; a menu and a tip open without
Bootstrap's script (book/assets/book.js opens the menus); of the theme's rules of style those stay that say something
of what some page has; what only a search needs is loaded by its page.
"""

from __future__ import annotations

import re
import shutil
from html import unescape
from pathlib import Path

import tinycss2  # type: ignore[import-untyped]
from sphinx.application import Sphinx

#: Each icon that the theme names, as strokes on 16 by 16.
ICONS = {
    "angle-left": "M10 3 5 8l5 5",
    "angle-right": "m6 3 5 5-5 5",
    "arrow-up": "M8 14V2M3 7l5-5 5 5",
    "bars": "M2 4h12M2 8h12M2 12h12",
    "chevron-down": "m3 6 5 5 5-5",
    "circle-half-stroke": "M8 2a6 6 0 1 0 0 12zm0 0a6 6 0 0 1 0 12M7 3v10M5 4v8M3.5 6v4",
    "code-branch": "M5 5v6M5 2a1.5 1.5 0 1 0 .1 0M5 11a1.5 1.5 0 1 0 .1 0M11 3a1.5 1.5 0 1 0 .1 0m0 3c0 4-6 2-6 5",
    "download": "M8 2v8M4.5 6.5 8 10l3.5-3.5M2 11v3h12v-3",
    "expand": "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
    "file": "M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3",
    "file-pdf": "M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3M5.5 8h5M5.5 10.5h5",
    "list": "M6 4h8M6 8h8M6 12h8M2 4h1M2 8h1M2 12h1",
    "magnifying-glass": "M7 2a5 5 0 1 0 .01 0M10.7 10.7 14 14",
    "moon": "M6.5 2A6.2 6.2 0 1 0 14 9.5 5.4 5.4 0 0 1 6.5 2z",
    "rocket": "M6 10 3 7.5C6 2.5 10 1.5 14.5 1.5 14.5 6 13.5 10 8.5 13L6 10M4 10.5 2 14l3.5-2M10.3 5a.8.8 0 1 0 .01 0",
    "sun": "M8 5a3 3 0 1 0 .01 0M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1",
    "lightbulb": "M6 12.5h4M6.5 14.5h3M6 12c0-2-2.5-3-2.5-6a4.5 4.5 0 0 1 9 0c0 3-2.5 4-2.5 6",
    "pencil": "M3 13l1-3.5L11.5 2 14 4.5 6.5 12zM9.5 4 12 6.5",
    "code": "M5 4 1 8l4 4M11 4l4 4-4 4",
    "play": "M4 2.5v11L13 8z",
}  # fmt: skip
#: What leads to a repository looks alike on every host.
ICONS |= dict.fromkeys(("github", "gitlab", "bitbucket"), ICONS["code-branch"]) | {"pencil-alt": ICONS["pencil"]}
ICON = re.compile(r'<(i|span) class="([^"]*\bfa[sb]?(?:-solid|-brands)? +fa-([a-z-]+)[^"]*)"([^>]*)></\1>')
#: What a page asks for and does without: scripts of icons, menus, and of the search on all pages but its own.
UNUSED = re.compile(
    r'\s*(?:<script[^>]* src="[^"]*scripts/(?:fontawesome|bootstrap)\.js[^"]*"[^>]*></script>'
    r'|<link rel="preload"[^>]*bootstrap\.js[^>]*>)'
)
SEARCH = re.compile(
    r'\s*<script src="[^"]*(?:searchtools|language_data|searchindex|sphinx_highlight|doctools)\.js[^"]*"[^>]*></script>'
)
CLASS = re.compile(r'\bclass="([^"]*)"')
WORD = re.compile(r"[A-Za-z_][\w-]*")
#: Style sheets that each build copies anew.
SHEETS = ("styles/*.css", "basic.css", "mystnb.*.css")


def icons(text: str) -> str:
    """Draw a page's icons in it; all that the theme names must be in :data:`ICONS`."""

    def drawn(match: re.Match[str]) -> str:
        kept = " ".join(word for word in match[2].split() if not word.startswith("fa"))
        return (
            f'<svg class="{f"icon {kept}".strip()}"{match[4]} viewBox="0 0 16 16" aria-hidden="true">'
            f'<path d="{ICONS[match[3]]}"/></svg>'
        )

    return ICON.sub(drawn, text)


def needed(sheet: str, words: set[str]) -> str:
    """A style sheet without rules for classes that are not among the words of all pages and scripts."""
    return _rules(tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True), words)


def _rules(rules: list[tinycss2.ast.Node], words: set[str]) -> str:
    kept = []
    for rule in rules:
        if rule.type == "qualified-rule":
            asked = re.sub(r"\\(.)", r"\1", tinycss2.serialize(rule.prelude))
            used = [s for s in _selectors(asked) if set(re.findall(r"\.([A-Za-z_][\w-]*)", _plain(s))) <= words]
            body = tinycss2.serialize(rule.content)
            if used and not re.search("--fa-|Font Awesome", body):  # a sign of the font of icons
                kept.append(f"{','.join(used)}{{{body}}}")
        elif rule.type == "at-rule" and rule.lower_at_keyword in ("media", "supports") and rule.content is not None:
            inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            if text := _rules(inner, words):
                kept.append(f"@{rule.lower_at_keyword}{tinycss2.serialize(rule.prelude)}{{{text}}}")
        elif rule.type == "at-rule" and rule.lower_at_keyword != "font-face":
            kept.append(rule.serialize())
    return "".join(kept)


def _selectors(prelude: str) -> list[str]:
    """What a comma parts outside of brackets."""
    return [part.strip() for part in re.split(r",(?![^(\[]*[)\]])", prelude)]


def _plain(selector: str) -> str:
    """Without what stands in brackets, where a class may be one of several, or one that must not be there."""
    before = ""
    while before != selector:
        before, selector = selector, re.sub(r"\([^()]*\)|\[[^\]]*\]", "", selector)
    return selector


def _lighten(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    out = Path(app.outdir)
    words: set[str] = set()
    for path in out.rglob("*.html"):
        if path.relative_to(out).parts[0] in ("lite", "_static"):
            continue
        text = path.read_text(encoding="utf-8")
        new = icons(UNUSED.sub("", text if path.name == "search.html" else SEARCH.sub("", text)))
        words.update(word for found in CLASS.findall(new) for word in unescape(found).split())
        if new != text:
            path.write_text(new, encoding="utf-8")
    static = out / "_static"
    for script in (*static.glob("*.js"), *(static / "scripts").glob("*theme.js")):
        words.update(WORD.findall(script.read_text(encoding="utf-8")))
    for sheet in (sheet for pattern in SHEETS for sheet in static.glob(pattern)):
        sheet.write_text(needed(sheet.read_text(encoding="utf-8"), words), encoding="utf-8")
    for file in (*static.glob("scripts/fontawesome.js*"), *static.glob("scripts/bootstrap.js*")):
        file.unlink()
    shutil.rmtree(static / "vendor" / "fontawesome", ignore_errors=True)


def setup(app: Sphinx) -> None:
    """Take out what is not needed when the pages are done."""
    app.connect("build-finished", _lighten, priority=800)
