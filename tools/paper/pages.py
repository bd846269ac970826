"""A page of the site, made ready for paper: what moves stands still, what is folded is open, answers are set aside."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

import segno
from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString, PageElement

#: What has no use on paper: scripts, marks that a pointer uses, code that a page hides, forms to type into.
SCREEN_ONLY = (
    "script, .headerlink, .toctree-wrapper, .viewcode-link, .lf-note, .sd-stretched-link, form.survey-form, "
    ".plan-form, .plan-result, .lf-stage > svg + svg, .lf-more, .qr, nav.letters, p.begin, "
    ".cell:not(.tag_hide-cell) > details.above-input"
)
#: What ends a solution on a screen; nobody checks on paper.
CHECKED = "What the check compares with:"
#: A longer cell or table may be broken between pages, in lines or rows.
SHORT = 16
#: A line of a cell that imports and does nothing else.
IMPORT = re.compile(r"(from|import) |    \w+,$|\)?$|#")
#: Where such a cell may be broken: after blank lines.
BLANK = re.compile(r"(?<=\n\n)(?!\n)")
#: Wider pictures, in the units of their drawing, leave no room beside them.
WIDE = 540
#: "…, p. 123": printed once to learn the number, and once more with it.
UNKNOWN = "000"


@dataclass
class Answer:
    """What a page asks for and paper gives at its end: a heading, what follows it, and where it was asked."""

    heading: str
    body: list[Tag]
    at: str
    asked: str


@dataclass
class Page:
    """A page of the book for paper."""

    name: str  # in the table of contents, ``book/numeric/one-number``
    title: str
    number: int | None
    part: str  # its title; empty for what comes before the first
    body: Tag
    answers: list[Answer] = field(default_factory=list)

    @property
    def key(self) -> str:
        """Its address inside the document, and what all its other addresses begin with."""
        return self.name.removeprefix("book/").replace("/", "-")

    @property
    def heading(self) -> str:
        """Number and title."""
        return f"{self.number} {self.title}" if self.number else self.title


def tag(name: str, *children: PageElement | str, **attributes: str) -> Tag:
    """Make an element; ``class_`` is its class, ``data_of`` its ``data-of``."""
    made = BeautifulSoup("", "html.parser").new_tag(name)
    for key, value in attributes.items():
        made[key.rstrip("_").replace("_", "-")] = value
    made.extend(children)
    return made


def page_number(target: str, words: str = "p. ") -> Tag:
    """A link that shows on which page its target stands, once that is known."""
    return tag("a", words, tag("span", UNKNOWN, class_="page-of", data_of=target), href=f"#{target}", class_="to-page")


def text(element: Tag) -> str:
    """Words of an element, in one line."""
    return " ".join(element.get_text().split())


def classes(element: Tag) -> list[str]:
    """Classes of an element."""
    return list(element.get_attribute_list("class")) if element.has_attr("class") else []


def article(site: Path, name: str) -> Tag:
    """The text of a built page, without what the theme puts around it."""
    if not (site / f"{name}.html").is_file():
        raise FileNotFoundError(f"{site} has no page {name}; run make book (or python -m tools.build) first")
    source = (site / f"{name}.html").read_text(encoding="utf-8")
    start = source.index('<article class="bd-article"')
    found = BeautifulSoup(source[start : source.index("</article>", start)], "html.parser").section
    assert found is not None
    return found.extract()


def read(site: Path, name: str, number: int | None, part: str, address: str) -> Page:
    """Read a page of the built site, and make it ready; its links still lead from page to page.

    The number is that of a chapter; the address of the live site ends with a slash, or is empty if there is none.
    """
    body = article(site, name)
    assert body.h1 is not None
    for element in body.select(SCREEN_ONLY):
        element.decompose()
    for picture in body.select("img[src]:not([src^='data:'])"):
        picture["src"] = (site / name).parent.joinpath(str(picture["src"])).resolve().as_uri()
    for aims in body.select("details.goals, details.goals > summary"):
        aims.name = "p" if aims.name == "summary" else "div"
    for said in body.select(".solution p"):
        if text(said) == CHECKED and (cell := said.find_next_sibling("div")):
            cell.decompose()
            said.decompose()
    page = Page(name, text(body.h1), number, part, body)
    _name_everything(page)
    for figure in body.select("figure.lf-live"):
        _hold_still(figure, f"{address}{name}.html" if address else "", page.key)
    _set_aside(page)
    _close_up(page)
    return page


def _name_everything(page: Page) -> None:
    """Let no two pages share an address. What stands inside a picture is named after its content, so it can stay."""
    for element in page.body.find_all(id=True):
        if element.find_parent("svg") is None and element.name != "svg":
            element["id"] = f"{page.key}.{element['id']}"
    page.body["id"] = page.key


# --- figures ---------------------------------------------------------------------------------------------------------


def _hold_still(figure: Tag, live: str, key: str) -> None:
    """Say in words where the controls of a figure stand, what to predict, and where it moves."""
    settings = [words for control in figure.select(".lf-control") if (words := _setting(control))]
    for element in figure.select(".lf-controls, .lf-source"):
        element.decompose()
    question = figure.select_one("form.lf-predict")
    if question:
        for repeated in question.select(".lf-options"):
            repeated.decompose()
        box = tag("div", tag("p", "Predict before you look", class_="eyebrow"), *_question(question), class_="guess")
        question.replace_with(box)
    caption = tag("div", class_="shown")
    if settings:
        caption.append(tag("p", "Shown at " + ", ".join(settings) + "."))
    if live:
        figure_name = str(figure["id"]).removeprefix(f"{key}.")
        caption.append(code(f"{live}#{figure_name}"))
    drawing = figure.select_one(".lf-stage > svg")
    if drawing is None or float(str(drawing["viewbox"]).split()[2]) > WIDE:
        _add_class(figure, "wide")
    if caption.contents:
        figure.append(caption)


def _setting(control: Tag) -> str:
    """What a control is set to, and what that means: "ε = 1 (odds move by at most a factor 2.72)"."""
    if "lf-draws" in classes(control):
        return ""
    value = control.select_one("output.lf-value") or control.select_one("label:has(input[checked]) span")
    label, meaning = str(control.get("data-label", "")), control.select_one(".lf-meaning")
    words = f"{label}{' ' if ' ' in label else ' = '}{text(value)}" if value else ""
    return f"{words} ({text(meaning)})" if words and meaning and text(meaning) else words


def code(address: str) -> Tag:
    """A QR code that leads to an address, and is a link for those who read on a screen."""
    drawing = segno.make_qr(address, error="m", boost_error=False).svg_inline(border=4, omitsize=True)
    link = tag("a", class_="qr", href=address, title=address)
    link["aria-label"] = f"Live: {address}"
    link.append(BeautifulSoup(drawing, "html.parser"))
    return link


# --- questions and answers -------------------------------------------------------------------------------------------


def _question(form: Tag) -> Iterator[Tag]:
    """What a form asks: the question, and what there is to choose from."""
    words = form.select_one(".lf-question-text")
    assert words is not None
    blank = form.get("data-kind") == "number" and not text(words).endswith(("?", "…"))
    unit = text(form.p) if blank and form.p else ""
    yield tag("p", *list(words.contents), *([f" = … {unit}".rstrip()] if blank else []), class_="asked")
    options = [span for label in form.select("fieldset label") if (span := label.span)]
    if options:
        yield tag("ol", *(tag("li", *list(option.contents)) for option in options), type="a")


def _set_aside(page: Page) -> None:
    """Move solutions and answers out of a page, in the order in which they are asked for."""
    count = 0
    for element in page.body.select("form.lf-question, div.solution, .tag_hide-cell > details, details.below-input"):
        if element.name == "form":
            count += 1
            _set_aside_answer(page, element, f"Question {page.number}.{count}" if page.number else f"Question {count}")
        elif "solution" in classes(element):
            _set_aside_solution(page, element)
        else:
            _set_aside_fold(page, element)


def _ask(page: Page, heading: str, body: list[Tag], at: str) -> Tag:
    """Keep an answer for the end of the book, and return the pointer to it."""
    target = f"{at}.answer"
    page.answers.append(Answer(heading, body, target, at))
    return page_number(target)


def _set_aside_answer(page: Page, form: Tag, heading: str) -> None:
    at = str(form["id"])
    answer = form.select_one(".lf-answer")
    assert answer is not None
    pointer = _ask(page, heading, [p.extract() for p in answer.select("p")], at)
    box = tag("div", tag("p", heading, class_="eyebrow"), *_question(form), id=at, class_="question")
    box.append(tag("p", "Answer: ", pointer, class_="see"))
    cell = form.find_parent(class_="cell_output")
    (cell or form).replace_with(box)


def _set_aside_solution(page: Page, solution: Tag) -> None:
    title = solution.select_one("p.admonition-title")
    assert title is not None
    card = solution.find_parent(class_="ldp-exercise")
    assert card is not None
    exercise = card.select_one("div.exercise")
    assert exercise is not None
    at = str(exercise["id"])
    asked = exercise.select_one("p.admonition-title")
    assert asked is not None
    level = asked.select_one(".exercise-level")
    heading = text(asked).removesuffix(text(level)).strip() if level else text(asked)
    title.decompose()
    solution.extract()
    exercise.append(tag("p", "Solution: ", _ask(page, heading, [solution], at), class_="see"))


def _set_aside_fold(page: Page, fold: Tag) -> None:
    """A cell, or what it prints, that a page hides until it is asked for."""
    prompt = fold.select_one(".collapsed")
    output = "below-input" in classes(fold)
    words = "What it prints" if output or prompt is None else text(prompt).removeprefix("Show ").capitalize()
    at = f"{page.key}.fold-{len(page.answers)}"
    if fold.summary:
        fold.summary.decompose()
    cell = fold.find_parent(class_="cell")
    assert cell is not None
    cell["id"] = at
    body = list((fold if output else cell).find_all(class_=["cell_input", "cell_output"]))
    pointer = tag("p", f"{words}: ", _ask(page, words, [child.extract() for child in body], at), class_="see")
    fold.replace_with(pointer)


# --- cells, tables, boxes --------------------------------------------------------------------------------------------


def _close_up(page: Page) -> None:
    """Drop what says nothing on paper, and mark what has to stay on one page."""
    for empty in page.body.select(".cell_output, .cell"):
        if not text(empty) and not empty.find(["svg", "img"]):
            empty.decompose()
    for whole in [page.body, *(part for answer in page.answers for part in answer.body)]:
        for listing in whole.select("pre"):
            lines = listing.get_text().strip("\n").split("\n")
            if len(lines) > SHORT and all(IMPORT.match(line) for line in lines):
                _add_class(listing, "imports")
            elif len(lines) > SHORT:
                _loosen(listing)
        for table in whole.select("table"):
            if len(table.select("tr")) <= SHORT:
                _add_class(table, "short")


def _loosen(listing: Tag) -> None:
    """Let a long listing be broken at its blank lines, as between functions, where it leaves no line or two alone."""
    parts = [tag("span", class_="part")]
    for child in list(listing.contents):
        *blank, rest = BLANK.split(child) if isinstance(child, NavigableString) else [child.extract()]
        for words in blank:
            parts[-1].append(words)
            if parts[-1].get_text().strip().count("\n") > 1:
                parts.append(tag("span", class_="part"))
        parts[-1].append(rest)
    if len(parts) > 2 and parts[-1].get_text().strip().count("\n") < 2:
        parts[-2].extend(list(parts.pop().contents))
    if len(parts) > 1:
        listing.clear()
        listing.extend(parts)
        _add_class(listing, "loose")


def _add_class(element: Tag, name: str) -> None:
    element["class"] = " ".join([*classes(element), name])


# --- links -----------------------------------------------------------------------------------------------------------


def bind(pages: list[Page], address: str) -> None:
    """Let links lead to where their targets are on paper, with the number of the page if that is another chapter.

    Pages that are not printed are those of the live site at the address, if it has one.
    """
    names = {page.name: page for page in pages}
    known = {str(element["id"]) for page in pages for whole in _parts(page) for element in whole.find_all(id=True)}
    known |= {str(whole["id"]) for page in pages for whole in _parts(page) if whole.has_attr("id")}
    for page in pages:
        seen: set[str] = set()
        for whole in _parts(page):
            for link in whole.find_all("a", href=True):
                if not {"qr", "to-page"} & set(classes(link)):
                    _bind(link, page, names, known, seen, address)


def _parts(page: Page) -> list[Tag]:
    return [page.body, *(part for answer in page.answers for part in answer.body)]


def _bind(link: Tag, page: Page, names: dict[str, Page], known: set[str], seen: set[str], address: str) -> None:
    parts = urlsplit(str(link["href"]))
    if parts.scheme:
        if parts.scheme in {"http", "https"} and not _says(link, str(link["href"])):
            shown = str(link["href"]).removeprefix("https://").removeprefix("http://").rstrip("/")
            link.insert_after(" ", tag("span", f"({shown})", class_="address"))
        return
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page.name), parts.path)) if parts.path else ""
    name = path.removesuffix(".html") or page.name
    if name not in names:
        if address and "api-link" not in classes(link):
            link["href"] = f"{address}{path}" + (f"#{parts.fragment}" if parts.fragment else "")
        else:
            link.unwrap()
        return
    target = names[name].key
    place = f"{target}.{unquote(parts.fragment.split('?')[0])}"
    found = place if place in known else target
    link["href"] = f"#{found}"
    inside = link.find_parent(["table", "figure", "dl", "h1", "h2", "h3", "h4"])
    if link.select_one(".std-ref") and name != page.name and not inside and found not in seen:
        seen.add(found)
        link.insert_after(" (", page_number(found), ")")


def _says(link: Tag, address: str) -> bool:
    """Whether a link's own words tell its address: in full, or as a digital object identifier."""
    words = text(link)
    shown = address.split("://", 1)[1].rstrip("/")
    return shown in words or words.removeprefix("doi:").removeprefix("arXiv:") in shown
