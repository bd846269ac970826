"""The book on paper: three pages of it are printed once and read; then one page that has everything wrong with it."""

import io
import re
from pathlib import Path

import pytest
import segno
from bs4 import BeautifulSoup
from PIL import Image
from pypdf import PageObject, PdfReader

from tools.paper import book, pages, press, proof

pytestmark = [pytest.mark.browser, pytest.mark.site, pytest.mark.xdist_group("paper")]

ADDRESS = "https://example.org/a/book/"
CHAPTERS = ["numeric/one-number", "book/before-you-start.ipynb", "appendix/glossary"]


@pytest.fixture(scope="module")
def bound(site):
    return book.bound(site, book.chosen(CHAPTERS), ADDRESS)


@pytest.fixture(scope="module")
def made(browser, bound):
    return press.printed(browser, bound)


@pytest.fixture(scope="module")
def words(made):
    return [page.extract_text() for page in PdfReader(io.BytesIO(made.data)).pages]


def test_nothing_is_wrong_with_it(made, bound):
    assert proof.faults(made, bound) == []


def test_cover_contents_heads_and_numbers(made, words):
    assert "Local Diﬀerential\nPrivacy, Live" in words[0]
    assert "Version " in words[0]
    assert "CC BY 4.0" in words[0]
    assert ADDRESS in words[0]
    assert re.search(r"8 One number\s+\d+\n", words[1])
    start, end = made.places["numeric-one-number"][0], made.places["appendix-glossary"][0]
    for number in range(start, end):
        assert words[number - 1].startswith("Local Diﬀerential Privacy, Live 8 One number\n"), number
        assert words[number - 1].split("\n")[1] == str(number)
    reader = PdfReader(io.BytesIO(made.data))
    assert [item.title for item in reader.outline if not isinstance(item, list)] == [
        "Start here", "Numbers", "Appendix", "Solutions and answers",
    ]  # fmt: skip
    assert reader.metadata.title == "Local Differential Privacy, Live"
    assert reader.metadata.author
    assert round(float(reader.pages[0].mediabox.width)) == 595
    assert round(float(reader.pages[0].mediabox.height)) == 842


def test_what_only_a_screen_can_use_is_gone(words):
    everything = "\n".join(words)
    for leftover in (
        "Not yet",
        "Just show me",
        "That is my guess",
        "Show the code",
        "With scripts allowed",
        "Copy link",
    ):
        assert leftover not in everything
    assert "Shown at ε = 1" in everything
    assert "Predict before you look" in everything


def test_chinese_is_set_or_left_out_as_a_whole(made, words):
    glossary = "".join(words[made.places["appendix-glossary"][0] - 1 : made.places["answers"][0] - 1])
    assert ("k-anonymity · k-匿名" in glossary) == (made.untyped == 0)
    assert ("k-anonymity\n" in glossary) == (made.untyped > 0)


def test_an_exercise_points_to_the_page_of_its_solution(made, words):
    at = made.places["numeric-one-number.ex-num-duchi"][0]
    there = int(re.search(r"Exercise [\d.]+ \(?Duchi’s two numbers.*?Solution: p\. (\d+)", words[at - 1], re.DOTALL)[1])
    assert there >= made.places["answers"][0]
    assert re.search(rf"Duchi’s two numbers asked on p\. {at}\b", words[there - 1])
    sentence = "every person reports 2 or −2"
    assert [number for number, page in enumerate(words, 1) if sentence in page] == [there]


def test_a_code_is_read_as_the_address_of_its_figure(browser, bound):
    """By its own drawing: dark and light at the middle of each module, with the quiet margin that readers need."""
    chapter = f"{ADDRESS}book/numeric/one-number.html"
    codes = {link["href"]: link for link in bound.pages[1].body.select("a.qr")}
    assert len(codes) == Path("book/numeric/one-number.ipynb").read_text("utf-8").count('"live(')
    expected = f"{chapter}#opening-held-and-sent"
    page = browser.new_page(viewport={"width": 300, "height": 300})
    page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block; width: 300px }}</style>{codes[expected]}")
    picture = Image.open(io.BytesIO(page.screenshot())).convert("L")
    page.close()
    matrix = segno.make_qr(expected, error="m", boost_error=False).matrix
    border, side = 4, 300 / (len(matrix) + 8)
    for row in range(len(matrix) + 8):
        for column in range(len(matrix) + 8):
            inside = border <= row < len(matrix) + border and border <= column < len(matrix) + border
            dark = inside and matrix[row - border][column - border] == 1
            assert (picture.getpixel((int((column + 0.5) * side), int((row + 0.5) * side))) < 128) == dark


def test_without_an_address_there_are_no_codes_and_no_links_to_nowhere(site):
    alone = book.bound(site, ["book/numeric/one-number"])
    document = BeautifulSoup(alone.html, "html.parser")
    assert not document.select("a.qr")
    ids = {element["id"] for element in document.select("[id]")}
    for link in document.select("body a[href]"):
        address = link["href"]
        assert address.removeprefix("#") in ids if address.startswith("#") else re.match(r"https?://", address), address
    outside = [element["id"] for element in document.select("[id]") if not element.find_parent("svg")]
    assert len(outside) == len(set(outside))


def test_the_reading_of_it_finds_what_is_wrong(browser):
    """A page on US letter with a table that is too wide, raw TeX, a button, and an answer where it is asked for."""
    body = BeautifulSoup(
        '<section class="page" id="bad"><h2>Bad page</h2><p id="bad.q">Why? <a href="#bad.q.answer">see</a></p>'
        '<p>\\(\\frac12\\) <span class="math">\\(y\\)</span></p><button>Check</button>'
        '<div style="width: 900px">wide</div>'
        "<p>Because the answer is given away long before the end of it.</p></section>",
        "html.parser",
    ).section
    given = BeautifulSoup("<p>Because the answer is given away long before the end of it.</p>", "html.parser").p
    answer = pages.Answer("Question 1", [given], "bad.q.answer", "bad.q")
    page = pages.Page("book/bad", "Bad page", None, "", body, [answer])
    document = (
        '<!doctype html><html lang="en"><head><title>Bad</title><style>body { margin: 0 }</style><script>'
        "globalThis.MathJax = {startup: {promise: Promise.resolve()}}</script></head><body>"
        f'<a href="#bad">Good page 7</a><a href="#answers">x</a>{body}'
        f'<p id="answers" style="break-before: page">End</p><div id="bad.q.answer">{given}</div>'
    )
    wrong = book.Book("Bad", "Nobody", "None", [page], [(0, "Another", "answers")], document)
    made = press.printed(browser, wrong, "letter")
    assert [round(float(side)) for side in PdfReader(io.BytesIO(made.data)).pages[0].mediabox[2:]] == [612, 792]
    found = "\n".join(proof.faults(made, wrong))
    for fault in (
        "div. in bad: from 0 to 900 of 664",
        "button in bad",
        "\\(y\\) in bad",
        "raw TeX \\(",
        "raw TeX \\frac",
        "Bad page, Question 1: its answer stands before the answers",
        "the bookmark of Bad page leads to page None",
        "the contents do not have Bad page on page 1",
    ):
        assert fault in found


def test_what_hangs_over_a_margin_is_seen_but_not_heads_and_numbers():
    blank = PageObject.create_blank_page(width=595, height=842)
    placed = [
        (100, 400, "inside"),
        (57, 800, "A running head"),
        (293, 26, "123"),
        (100, 48, "sliver"),
        (40, 400, "out"),
    ]
    assert [fault.split("'")[1] for fault in proof.beyond(blank, placed)] == ["sliver", "out"]


@pytest.mark.parametrize("word", ["numeric/one", "book", "../intro"])
def test_a_chapter_that_is_not_there_is_refused_with_those_that_are(word):
    with pytest.raises(ValueError, match=r"must be one of intro, course, .*; got "):
        book.chosen([word])


def test_all_is_everything_in_the_order_of_the_contents(site):
    from tools import toc

    assert book.chosen([]) == toc.contents()
    assert book.chosen(["numeric/one-number", "intro"]) == ["book/intro", "book/numeric/one-number"]


def test_a_long_listing_breaks_between_functions():
    code = (
        "import a\n\n\n" + "\n\n\n".join(f"def f{i}():\n" + "    pass\n\n    pass\n" * 3 for i in range(3)) + "f0()\n"
    )
    listing = BeautifulSoup(f"<pre>{code.replace('import', '<b>import</b>')}</pre>", "html.parser").pre
    pages._loosen(listing)
    parts = [part.get_text() for part in listing.find_all("span", recursive=False)]
    assert "".join(parts) == code
    assert len(parts) > 3
    assert all(len(part.strip().split("\n")) > 2 for part in parts), "nothing is torn after its first line"
