"""Printing by headless Chromium: once to learn on which page everything stands, once more with these numbers in it."""

from __future__ import annotations

import io
import tempfile
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser
from pypdf import PdfReader, PdfWriter
from pypdf.generic import Fit

from tools.paper.book import Book

#: Margins in CSS pixels (96 to an inch), and width and height of what they leave. Those are whole pixels, since a box
#: that begins inside one would be seen on two pages; what is over goes to the right and to the foot.
MARGINS = (76, 83, 76, 76)
SIZES = {"a4": ("210mm", "297mm", 642, 963), "letter": ("8.5in", "11in", 664, 897)}
#: Numbers of pages may move what is on them; more prints than this have never been needed.
PRINTS = 4


@dataclass(frozen=True)
class Print:
    """A printed book."""

    data: bytes
    places: dict[str, tuple[int, float]]  # of each target: its page, from 1, and the height on it in points
    faults: list[str]
    untyped: int  # how many Chinese words were left out, for want of type
    pages: int


def sheet(size: str) -> str:
    """Size and margins of a page, as a rule of a style sheet."""
    width, height, inner, lines = SIZES[size]
    left, top, _, _ = MARGINS
    margins = f"{top}px calc({width} - {left + inner}px) calc({height} - {top + lines}px) {left}px"
    return f"@page {{ size: {width} {height}; margin: {margins}; }}"


def targets(data: bytes) -> tuple[dict[str, tuple[int, float]], int]:
    """Where each target of a link stands (page, from 1, and height on it in points), and the number of pages."""
    reader = PdfReader(io.BytesIO(data))
    numbers = {page.indirect_reference.idnum: i for i, page in enumerate(reader.pages, 1) if page.indirect_reference}
    found = {
        name.lstrip("/"): (numbers[place.page.idnum], float(place.top or 0))  # type: ignore[union-attr]
        for name, place in reader.named_destinations.items()
    }
    return found, len(numbers)


def printed(browser: Browser, book: Book, size: str = "a4") -> Print:
    """Print a book by a headless Chromium, on ``"a4"`` or ``"letter"``."""
    width, height = SIZES[size][2:]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "book.html"
        file.write_text(book.html.replace("</head>", f"<style>{sheet(size)}</style></head>", 1), encoding="utf-8")
        page = browser.new_page(viewport={"width": width, "height": height})
        page.set_default_timeout(300_000)
        try:
            page.emulate_media(media="print")
            page.goto(file.as_uri())
            page.evaluate(
                resources.files("tools.paper").joinpath("press.js").read_text(encoding="utf-8")
                + "; globalThis.press = press; 0"
            )
            page.evaluate("press.ready()")
            untyped = page.evaluate("press.without('隐', 'zh')")
            page.evaluate("press.fit()")
            for _ in range(PRINTS):
                data = page.pdf(prefer_css_page_size=True, print_background=True, tagged=True)
                found, count = targets(data)
                if not page.evaluate("pages => press.number(pages)", {name: at for name, (at, _) in found.items()}):
                    break
            else:
                raise RuntimeError(f"numbers of pages did not settle in {PRINTS} prints")
            faults = page.evaluate(
                "height => [...press.overfull(height), ...press.leftovers(), ...press.unset()]", height
            )
        finally:
            page.close()
    return Print(described(data, book, found), found, faults, untyped, count)


def described(data: bytes, book: Book, places: dict[str, tuple[int, float]]) -> bytes:
    """Add bookmarks, and what a library's catalogue reads, to a PDF; what is printed stays as it is.

    Chromium's own bookmarks say a heading twice where it first tried to put it on the page before.
    """
    writer = PdfWriter(io.BytesIO(data), incremental=True)
    above: list[Any] = []
    for level, words, target in book.outline:
        page, top = places[target]
        parent = above[level - 1] if level else None
        item = writer.add_outline_item(
            title=words, page_number=page - 1, parent=parent, fit=Fit.xyz(top=top), is_open=level == 0
        )
        above[level:] = [item]
    writer.add_metadata({"/Title": book.title, "/Author": book.author, "/Subject": book.rights})
    writer.page_mode = "/UseOutlines"
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()
