"""Reading the printed book as its reader would: whether everything is there, in its place, and whole."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from bs4 import Tag
from pypdf import PageObject, PdfReader

from tools.paper.book import Book
from tools.paper.pages import text
from tools.paper.press import MARGINS, Print

#: What TeX would look like if nobody had set it: ``\(``, ``\[``, ``\frac{``.
TEX = re.compile(r"\\[(\[]|\\(?:frac|mathbb|varepsilon|operatorname|begin|left|text|cdot|sqrt|Pr)(?![a-zA-Z])")
#: What MathJax draws tall braces and bars with: far larger than what is seen of it.
STRETCHED = re.compile(r"[\ue000-\uf8ff∣‖]*")
#: A sentence shorter than this may stand elsewhere as well.
TELLING = 40
#: How far, in points, a letter may stand over a margin: a comma that hangs, a formula's tall bracket.
SLACK = 3


def faults(made: Print, book: Book) -> list[str]:
    """Say what is wrong with what came out of the press, given the book that went in; empty if nothing is."""
    reader = PdfReader(io.BytesIO(made.data))
    words: list[str] = []
    found = list(made.faults)
    for number, page in enumerate(reader.pages, 1):
        placed: list[tuple[float, float, str]] = []
        read = page.extract_text(visitor_text=lambda *piece, into=placed: into.append(_position(*piece)))
        words.append(" ".join(unicodedata.normalize("NFKC", read).split()))
        found += [f"page {number}: {fault}" for fault in beyond(page, placed)]
        found += [f"page {number}: raw TeX {match[0]}" for match in TEX.finditer(words[-1])]
    found += _misplaced(reader, made, book, words)
    found += _given_away(made, book, words)
    found += _without_code(reader, book)
    found += [f"font {name} is not embedded" for name in sorted(_borrowed(reader))]
    return found


def _position(piece: str, cm: list[float], tm: list[float], *_: Any) -> tuple[float, float, str]:
    return tm[4] * cm[0] + tm[5] * cm[2] + cm[4], tm[4] * cm[1] + tm[5] * cm[3] + cm[5], piece.strip()


def beyond(page: PageObject, placed: list[tuple[float, float, str]]) -> Iterator[str]:
    """Letters on a margin, but for the running heads and the number of the page."""
    left, top, right, bottom = (side * 0.75 for side in MARGINS)
    width, height = float(page.mediabox.width), float(page.mediabox.height)
    for x, y, piece in placed:
        head, foot = y > height - top, y < bottom - 2 * SLACK and piece.isdigit()
        inside = left - SLACK < x < width - right + SLACK and y > bottom - 2 * SLACK
        if not (inside or head or foot or STRETCHED.fullmatch(piece)):
            yield f"{piece[:20]!r} stands on the margin"


def _misplaced(reader: PdfReader, made: Print, book: Book, words: list[str]) -> Iterator[str]:
    """Chapters that bookmarks, contents or the chapter's own page do not have where they should."""
    marked = dict(_bookmarks(reader, reader.outline))
    first = made.places[book.pages[0].key][0]
    contents = " ".join(words[1 : first - 1])
    wanted = [(page.heading, page.title, page.key) for page in book.pages]
    for heading, title, key in wanted:
        at = made.places[key][0]
        shown = title if title in words[at - 1] else book.title  # the introduction is headed by the book's title
        if shown not in words[at - 1]:
            yield f"{heading} does not begin on page {at}"
        if marked.get(heading) != at:
            yield f"the bookmark of {heading} leads to page {marked.get(heading)}, not {at}"
        if not re.search(rf"{re.escape(heading)} {at}\b", contents):
            yield f"the contents do not have {heading} on page {at}"


def _bookmarks(reader: PdfReader, items: Any) -> Iterator[tuple[str, int]]:
    for item in items:
        if isinstance(item, list):
            yield from _bookmarks(reader, item)
        else:
            yield str(item.title), (reader.get_destination_page_number(item) or 0) + 1


def _given_away(made: Print, book: Book, words: list[str]) -> Iterator[str]:
    """Answers that stand before the page on which answers begin."""
    if not any(page.answers for page in book.pages):
        return
    start = made.places["answers"][0]
    before = "".join(" ".join(words[: start - 1]).split())
    for page in book.pages:
        for answer in page.answers:
            if made.places[answer.at][0] < start:
                yield f"{page.title}, {answer.heading}: answered on page {made.places[answer.at][0]}"
            if (sentence := telling(answer.body)) and sentence in before:
                yield f"{page.title}, {answer.heading}: its answer stands before the answers: {sentence}"


def telling(body: list[Tag]) -> str:
    """The longest paragraph without formulas of an answer, if it is long enough to be told from others."""
    found = [p for part in body for p in ([part] if part.name == "p" else part.select("p")) if not p.select(".math")]
    longest = max(map(text, found), key=len, default="")
    sentence = "".join(unicodedata.normalize("NFKC", longest).split())
    return sentence if len(sentence) >= TELLING else ""


def _without_code(reader: PdfReader, book: Book) -> Iterator[str]:
    """Figures whose code leads nowhere."""
    links = {
        str(action["/URI"])
        for page in reader.pages
        for note in page.annotations or []
        if (action := note.get_object().get("/A")) and "/URI" in action
    }
    for page in book.pages:
        for link in page.body.select("a.qr"):
            if str(link["href"]) not in links:
                yield f"{page.title}: no code leads to {link['href']}"


def _borrowed(reader: PdfReader) -> set[str]:
    """Fonts that a reader's machine would have to have."""
    found, seen = set(), set()
    for page in reader.pages:
        fonts = page.get("/Resources", {}).get("/Font", {})
        for reference in fonts.values():
            font = reference.get_object()
            if (key := getattr(reference, "idnum", id(font))) in seen or font["/Subtype"] == "/Type3":
                continue
            seen.add(key)
            kind = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
            described = kind.get("/FontDescriptor", {})
            if not {"/FontFile", "/FontFile2", "/FontFile3"} & set(described.get_object() if described else {}):
                found.add(str(font.get("/BaseFont")))
    return found
