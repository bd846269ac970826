"""Pages bound into one document: cover, contents, pages, and at the end what they asked for."""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from html import escape
from importlib import resources
from pathlib import Path

import yaml
from bs4 import Tag
from matplotlib import get_data_path

import ldp_core
from tools import toc
from tools.paper.pages import Page, article, bind, code, page_number, read, tag, text
from tools.site.page import numbers

#: What stands at the end. Before it stands all that the table of contents names; the pages of the reference, which it
#: finds by a pattern, are for looking up on a screen.
ANSWERS = "Solutions and answers"
INTRODUCTION = "Introduction"  # the page that has the book's title for its own
#: Type that comes with Matplotlib, so that the book looks the same wherever it is printed.
FONTS = {
    ("Book", "normal", "normal"): "STIXGeneral",
    ("Book", "normal", "italic"): "STIXGeneralItalic",
    ("Book", "bold", "normal"): "STIXGeneralBol",
    ("Book", "bold", "italic"): "STIXGeneralBolIta",
    ("Code", "normal", "normal"): "DejaVuSansMono",
    ("Code", "bold", "normal"): "DejaVuSansMono-Bold",
    ("DejaVu Sans", "normal", "normal"): "DejaVuSans",
    ("DejaVu Sans", "bold", "normal"): "DejaVuSans-Bold",
    ("DejaVu Sans", "normal", "italic"): "DejaVuSans-Oblique",
}


@dataclass(frozen=True)
class Book:
    """What is printed."""

    title: str
    author: str
    rights: str
    pages: list[Page]
    outline: list[tuple[int, str, str]]  # bookmarks: level from 0, words, and the target that they lead to
    html: str


def chosen(wanted: list[str]) -> list[str]:
    """Names of the pages that somebody asked for, with or without ``book/`` and suffix; all if nobody asked for any."""
    names = toc.contents()
    asked = [re.sub(r"\.(ipynb|md|html)$", "", word).removeprefix("book/") for word in wanted]
    short = [name.removeprefix("book/") for name in names]
    if unknown := [word for word in asked if word not in short]:
        raise ValueError(f"CHAPTER must be one of {', '.join(short)}; got {', '.join(unknown)}")
    return [name for name in names if not asked or name.removeprefix("book/") in asked]


def bound(site: Path, names: list[str], address: str = "") -> Book:
    """Bind pages of the built site, by name and in order, into one document; other links lead to the live address."""
    site = site.resolve()
    configured = yaml.safe_load((toc.ROOT / "_config.yml").read_text(encoding="utf-8"))
    title, author, rights = (str(configured[key]) for key in ("title", "author", "copyright"))
    parts, chapters = dict(toc.parts()), numbers(toc.ROOT)
    pages = [read(site, name, chapters.get(name), parts.get(name, ""), address) for name in names]
    for page in pages:
        if page.title == title:
            page.title = INTRODUCTION
    bind(pages, address)
    outline = list(_outline(pages))  # before headings change their level
    printed = [] if names == toc.contents() else [page.heading for page in pages]
    document = "\n".join(
        [
            "<!doctype html>",
            f'<html lang="en" data-theme="light"><head><meta charset="utf-8"><title>{escape(title)}</title>',
            f'<link rel="stylesheet" href="{(site / "_static" / "pygments.css").as_uri()}">',
            f'<link rel="stylesheet" href="{(site / "_static" / "live.css").as_uri()}">',
            f"<style>{_styles(pages, title)}</style>",
            "<script>window.MathJax = {loader: {load: ['input/tex-base', '[tex]/ams', 'output/chtml']},",
            "  tex: {packages: {'[+]': ['ams']}}, options: {",
            '  ignoreHtmlClass: "mathjax_ignore", processHtmlClass: "math"}}</script>',
            f'<script defer src="{(site / "_static" / "vendor" / "mathjax" / "startup.js").as_uri()}"></script>',
            "</head><body>",
            _cover([author, title, _claim(site, toc.contents()[0]), rights], printed, address),
            str(_contents(pages)),
            *_bodies(pages),
            _answers(pages),
            "</body></html>",
        ]
    )
    return Book(title, author, rights, pages, outline, document)


def _styles(pages: list[Page], title: str) -> str:
    """Type, layout, and a page style for each chapter: it is the only way to a running head of its own."""
    folder = Path(get_data_path()) / "fonts" / "ttf"
    faces = [
        f"@font-face {{ font-family: '{family}'; font-weight: {weight}; font-style: {style}; "
        f"src: url('{(folder / f'{name}.ttf').as_uri()}'); }}"
        for (family, weight, style), name in FONTS.items()
    ]
    heads = [(page.key, page.heading) for page in pages]
    if any(page.answers for page in pages):
        heads.append(("answers", ANSWERS))
    styles = [
        f"@page {name.replace('.', '-')} {{ @top-left {{ content: {_css(title)}; }} "
        f"@top-right {{ content: {_css(head)}; }} }}\n#{name} {{ page: {name}; }}"
        for name, head in [("contents", "Contents"), *heads]
    ]
    own = resources.files("tools.paper").joinpath("paper.css").read_text(encoding="utf-8")
    return "\n".join([*faces, own, *styles])


def _css(words: str) -> str:
    """A string of a style sheet."""
    return '"' + words.replace("\\", r"\\").replace('"', r"\"").replace("<", r"\3c ") + '"'


def _claim(site: Path, first: str) -> str:
    """The first sentence of the first page: what the book asks."""
    paragraph = article(site, first).select_one("section > p")
    words = " ".join(paragraph.get_text().split()) if paragraph else ""
    return re.split(r"(?<=[.?!]) ", words)[0]


def today() -> datetime.date:
    """The day that stands on the cover; SOURCE_DATE_EPOCH says another one."""
    moment = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.datetime.fromtimestamp(int(moment), datetime.UTC) if moment else datetime.datetime.now(datetime.UTC)
    return now.date()


def _cover(words: list[str], printed: list[str], address: str) -> str:
    """Author, title, claim and rights; what is printed, if that is not everything; where the live book is."""
    (author, title, claim, rights), day = words, today()
    made = tag("section", id="cover")
    made.append(tag("p", author, class_="author"))
    made.append(tag("p", title, class_="title"))
    made.append(tag("p", claim, class_="claim"))
    if printed:
        made.append(tag("ul", *(tag("li", heading) for heading in printed), class_="printed"))
    foot = tag("div", class_="imprint")
    if address:
        foot.append(code(address))
    about = tag("div")
    about.append(tag("p", f"Version {ldp_core.__version__}, printed on {day.day} {day:%B %Y}"))
    about.append(tag("p", rights))
    if address:
        about.append(tag("p", "Live, with figures that move: ", tag("a", address, href=address)))
    note = "Figures stand where their sliders start"
    note += "; the code next to each leads to the live one." if address else "; on the site they move."
    about.append(
        tag("p", f"{note} Code that a page folds away is in the notebooks. Solutions and answers are at the end.")
    )
    foot.append(about)
    made.append(foot)
    return str(made)


def _contents(pages: list[Page]) -> str:
    """Parts, chapters and their sections, each with its page."""
    made = tag("nav", tag("p", "Contents", class_="contents-title"), id="contents")
    part = ""
    for page in pages:
        if page.part != part:
            part = page.part
            made.append(tag("p", part, class_="part"))
        made.append(_line(page.key, page.heading))
        sections = tag("p", class_="sections")
        for section in page.body.select(":scope > section[id]"):
            if heading := section.select_one(":scope > h2"):
                words = tag("span", *[copy(child) for child in heading.contents])
                item = tag("span", words, " ", page_number(str(section["id"]), ""), class_="item")
                sections.append(item)
                sections.append(" ")
        made.append(sections)
    if any(page.answers for page in pages):
        made.append(tag("p", "At the end", class_="part"))
        made.append(_line("answers", ANSWERS))
    return str(made)


def _outline(pages: list[Page]) -> Iterator[tuple[int, str, str]]:
    """Parts, their chapters, the sections of these."""
    part = ""
    for page in pages:
        if page.part != part:
            part = page.part
            yield 0, part, page.key
        level = 1 if part else 0
        yield level, page.heading, page.key
        for section in page.body.select(":scope > section[id]"):
            if heading := section.select_one(":scope > h2"):
                yield level + 1, text(heading), str(section["id"])
    if any(page.answers for page in pages):
        yield 0, ANSWERS, "answers"


def _line(target: str, words: str) -> Tag:
    return tag(
        "p", tag("a", words, href=f"#{target}"), tag("span", class_="dots"), page_number(target, ""), class_="line"
    )


def _bodies(pages: list[Page]) -> list[str]:
    """The pages; a part begins with its first. Headings are one level lower than on the site: parts are above them."""
    made, part = [], ""
    for page in pages:
        for level in (5, 4, 3, 2, 1):
            for heading in page.body.select(f"h{level}"):
                heading.name = f"h{level + 1}"
        title = page.body.h2
        assert title is not None
        if page.number:
            title.insert(0, tag("span", f"{page.number} ", class_="number"))
        page.body["class"] = "page"
        if page.part != part:
            part = page.part
            page.body.insert(0, tag("h1", part, class_="part"))
        made.append(str(page.body))
    return made


def _answers(pages: list[Page]) -> str:
    """Solutions and answers, page by page."""
    if not any(page.answers for page in pages):
        return ""
    made = tag("section", tag("h1", ANSWERS), id="answers", class_="page")
    for page in pages:
        if page.answers:
            made.append(tag("h2", page.heading))
        for answer in page.answers:
            asked = tag("span", "asked on ", page_number(answer.asked), class_="see")
            heading = tag("p", tag("b", answer.heading), " ", asked, class_="answer-heading")
            made.append(tag("div", heading, *answer.body, id=answer.at, class_="answer"))
    return str(made)
