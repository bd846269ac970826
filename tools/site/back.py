"""Ways back: where a term of the glossary is explained or first used, where an entry of the bibliography is cited.

The links of the built pages say it, so nothing has to be kept in two places. The glossary gets its letters besides, and
the bibliography loses the numbers that no text refers to. The search (book/assets/search.js) gets the terms as a
script, since a page that was opened as a file can load nothing else.
"""

from __future__ import annotations

import json
import posixpath
import re
from html import escape, unescape
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from tools import toc
from tools.site.cards import GLOSSARY, LINK, TERM
from tools.site.page import numbers

BIBLIOGRAPHY = "book/appendix/bibliography"
#: What this module writes, to be written anew.
WRITTEN = re.compile(r'<(p|nav) class="leads-back[^"]*".*?</\1>\n?', re.DOTALL)
LABEL = re.compile(r'<span class="label"><span class="fn-bracket">\[</span>.*?\]</span></span>\n?', re.DOTALL)
ENTRY = re.compile(r'<div class="citation" id="([^"]+)".*?(?=</div>)', re.DOTALL)
#: What the glossary's formulas are written with, where no engine sets them.
SIGNS = {r"\varepsilon": "ε", r"\exp": "exp", r"\frac12": "½", r"\,": "\u2009", "-": "−"}


def mentions(site: Path, names: list[str], target: str) -> dict[str, list[str]]:
    """The pages, of these names, that link to the target's entries, by the entry's name, in the order of the pages."""
    found: dict[str, list[str]] = {}
    for name in names:
        for href in LINK.findall((site / f"{name}.html").read_text(encoding="utf-8")):
            place, _, anchor = href.partition("#")
            if posixpath.normpath(posixpath.join(posixpath.dirname(name), place)) == f"{target}.html":
                pages = found.setdefault(anchor, [])
                if name not in pages:
                    pages.append(name)
    return found


HEADING = re.compile(r"<h([1-3])>([^<]+)<a class=\"headerlink\" href=\"(#[^\"]+)\"")


def headings(site: Path, names: list[str]) -> list[tuple[str, str, str]]:
    """Page, words and anchor of each heading: of titles first, then in the order of the pages."""
    found = [(name, *match) for name in names for match in HEADING.findall((site / f"{name}.html").read_text("utf-8"))]
    return [(name, unescape(words), anchor) for name, _, words, anchor in sorted(found, key=lambda one: one[1] != "1")]


def explained(term: str, heads: list[tuple[str, str, str]]) -> tuple[str, str] | None:
    """Page and anchor of the section that is called by one of the term's English names of more than one word."""
    for name in re.findall(r"[^,()]*\w", term.split(" · ")[0]):
        if len(re.split(r"[ -]", name.strip())) > 1:
            for page, words, anchor in heads:
                if re.search(rf"\b{re.escape(name.strip())}\b", words, re.IGNORECASE):
                    return page, anchor
    return None


def _links(names: list[str], chapters: dict[str, int], titles: dict[str, str], page: str) -> str:
    """The chapters by number, other pages by title."""
    shown = []
    for name in names:
        href = posixpath.relpath(f"{name}.html", posixpath.dirname(page))
        shown.append(
            f'<a href="{href}" title="{escape(titles[name])}">{chapters.get(name) or escape(titles[name])}</a>'
        )
    counted = sum(name in chapters for name in names)
    return ("chapter " if counted == 1 else "chapters " if counted else "") + ", ".join(shown)


def _write(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    root, site = Path(app.srcdir), Path(app.outdir)
    chapters = numbers(root)
    own = {GLOSSARY, BIBLIOGRAPHY, "book/appendix/notation"}
    names = [*chapters, *(name for name in toc.contents(root) if name not in chapters and name not in own)]
    if not all((site / f"{name}.html").is_file() for name in [*names, GLOSSARY, BIBLIOGRAPHY]):
        return  # a part of the book was built
    titles = {name: app.env.titles[name].astext() for name in names}
    terms, cited = mentions(site, list(chapters), GLOSSARY), mentions(site, names, BIBLIOGRAPHY)

    heads = headings(site, list(chapters))

    def first(match: re.Match[str]) -> str:
        if found := explained(_plain(match[0].split("</dt>")[0]), heads):
            href = posixpath.relpath(f"{found[0]}.html{found[1]}", posixpath.dirname(GLOSSARY))
            said = f'Explained in chapter <a href="{href}" title="{escape(titles[found[0]])}">{chapters[found[0]]}</a>'
        elif pages := terms.get(match["anchor"], [])[:1]:
            said = f"First in {_links(pages, chapters, titles, GLOSSARY)}"
        else:
            return match[0]
        return f'{match[0]}<p class="leads-back">{said}.</p>'

    path = site / f"{GLOSSARY}.html"
    text = WRITTEN.sub("", old := path.read_text(encoding="utf-8"))
    (site / "_static" / "glossary.js").write_text(script(text, list(terms)), encoding="utf-8")
    text = TERM.sub(first, text).replace(
        '<dl class="simple glossary">', f'{_letters(text)}<dl class="simple glossary">'
    )
    if text != old:
        path.write_text(text, encoding="utf-8")

    def where(match: re.Match[str]) -> str:
        pages = cited.get(match[1], [])
        said = f'<p class="leads-back">Cited in {_links(pages, chapters, titles, BIBLIOGRAPHY)}.</p>\n' if pages else ""
        return f"{match[0]}{said}"

    path = site / f"{BIBLIOGRAPHY}.html"
    text = ENTRY.sub(where, LABEL.sub("", WRITTEN.sub("", old := path.read_text(encoding="utf-8"))))
    if text != old:
        path.write_text(text, encoding="utf-8")


def _letters(text: str) -> str:
    """Each letter with a term leads to the first."""
    first: dict[str, str] = {}
    for anchor, letter in re.findall(r'<dt id="(term-[^"]+)">([A-Za-z])', text):
        first.setdefault(letter.upper(), anchor)
    links = "".join(f'<a href="#{anchor}">{letter}</a>' for letter, anchor in sorted(first.items()))
    return f'<nav class="leads-back letters" aria-label="Letters">{links}</nav>\n'


def script(text: str, order: list[str]) -> str:
    """The terms of the glossary's page for the search: heading, name, meaning; in the order of their first mentions."""
    found = {match["anchor"]: [_plain(part) for part in match[0].split("</dt><dd>")] for match in TERM.finditer(text)}
    names = [name for name in dict.fromkeys([*order, *found]) if name in found]
    terms = [[unescape(found[name][0]), name, found[name][1]] for name in names]
    return f"const GLOSSARY_TERMS = {json.dumps(terms, ensure_ascii=False)};\n"


def _plain(markup: str) -> str:
    r"""Words and formulas without tags, but for raised and lowered signs.

    Examples
    --------
    >>> _plain(r'<p>at least <span class="math">\(e^{-\varepsilon_0}\)</span></p>')
    'at least e<sup>−ε<sub>0</sub></sup>'
    """

    def formula(match: re.Match[str]) -> str:
        signs = match[1]
        for tex, sign in SIGNS.items():
            signs = signs.replace(tex, sign)
        signs = re.sub(r"\^(?:{(.*?)}|(\w))", r"<sup>\1\2</sup>", re.sub(r"_(\w)", r"<sub>\1</sub>", signs))
        if re.search(r"[\\{}^_]", signs):
            raise ValueError(f"tools/site/back.py has no sign for what is in {match[0]}")
        return signs

    words = re.sub(r'<a class="headerlink".*?</a>|<[^>]*>', "", markup)
    return re.sub(r"\\\((.*?)\\\)", formula, words).strip()


def _scripts(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object) -> None:
    if pagename == "search":
        app.add_js_file("glossary.js", loading_method="defer")
        app.add_js_file("search.js", loading_method="defer")


def setup(app: Sphinx) -> None:
    """Write the links when all pages are there, and the search's terms."""
    app.connect("html-page-context", _scripts)
    app.connect("build-finished", _write, priority=600)
