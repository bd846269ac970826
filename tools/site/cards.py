"""Cards that open over a link: what a cited paper is, what a theorem says, what a term or a symbol means.

A page carries the cards of its own links in a ``<template>``: nothing is asked for, so they open on a disk as on a
server, a search does not find them, and book/assets/cards.js only has to place one. (The extension sphinx-tippy does
the like with two libraries of 60 kB from another host, takes what it shows from the pages' first paragraphs, and knows
no symbols.) Where a term of the glossary or a symbol of the notation first stands on a page, it becomes a link.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.domains.std import StandardDomain

NOTATION, GLOSSARY = "book/appendix/notation", "book/appendix/glossary"
#: Pages that are no text to read: their words are no links.
LEFT_OUT = {NOTATION, GLOSSARY, "book/appendix/bibliography", "book/appendix/api", "book/intro", "book/course"}
#: Terms that are plain words as well.
PLAIN = {"Audit", "Batch", "Clone", "Domain", "Estimator", "Generalization", "Prior", "Report", "Tracker"}
#: Symbols that mean one thing wherever they stand in running text, as they are said aloud; of others a card might say
#: what is not meant.
SYMBOLS = {
    r"\varepsilon": "ε", r"\varepsilon_0": "ε₀", "n": "n", "d": "d", r"\mathcal X": "X", "p": "p", "q": "q",
    r"\hat c": "c hat", r"\delta": "δ", r"\Delta": "Δ", r"\Delta_1": "Δ₁", r"\Delta_2": "Δ₂", r"\rho": "ρ",
}  # fmt: skip
#: Those that a text writes as letters.
LETTERS = {"ε": r"\varepsilon", "ε₀": r"\varepsilon_0", "δ": r"\delta"}
#: What is no running text: there letters may be its own, and a goal or an exercise is not the place to look up a word.
APART = (nodes.Admonition, nodes.reference, nodes.literal, nodes.title, nodes.table, nodes.caption, nodes.strong)

#: What has a card: the tags that open an entry of the bibliography, a term, a theorem or definition, a symbol.
OPENING = re.compile(
    r'<(?:div class="citation"|div class="proof (?:theorem|definition|lemma) admonition"|(?P<term>dt)|'
    r'(?P<row>tr class="[^"]*")) id="((?(term)term-)[^"]+)"[^>]*>'
)
TAG = re.compile(r"<(/?)([a-z]+)\b[^>]*?(/?)>")
LINK = re.compile(r'<a class="[^"]*\breference internal\b[^"]*" href="([^"]*#[^"]+)"')
#: A term of the glossary up to the end of its meaning's first paragraph.
TERM = re.compile(r'<dt id="(?P<anchor>term-[^"]+)">.*?</dt><dd>.*?</p>\n?', re.DOTALL)
#: What says nothing in a card: a heading's mark, a number of the list, ways back to where the entry is used.
LEFT_BACK = re.compile(
    r'<a class="headerlink".*?</a>|<span class="label">.*?\]</span></span>|<p class="leads-back">.*?</p>\n?', re.DOTALL
)
CARDS = re.compile(r'<template id="cards">.*?</template>\n?', re.DOTALL)


def slug(tex: str) -> str:
    """What a symbol is called in an address."""
    return "symbol-" + re.sub(r"[^A-Za-z0-9]+", "-", tex).strip("-")


def forms(term: str) -> list[str]:
    """How a text writes a term: its English name and the abbreviations in brackets; a plain word is none."""
    english = term.partition(" · ")[0]
    name = re.split(r"[,;(]", english)[0].strip()
    short = re.findall(r"\b[A-Za-z]*[A-Z]{2,}\b", " ".join(re.findall(r"\((.*?)\)", english)))
    return [*([] if name in PLAIN else [name]), *(s for s in short if len(s) > 2)]


def _name_symbols(app: Sphinx, doctree: nodes.document) -> None:
    """Give the rows of the notation names of their own."""
    if app.env.docname != NOTATION:
        return
    table = next(doctree.findall(nodes.table))
    for row in table.findall(nodes.row):
        if symbols := [math.astext() for math in next(row.findall(nodes.entry)).findall(nodes.math)]:
            row["ids"] = [slug(" ".join(symbols))]


def _symbols(app: Sphinx) -> dict[str, str]:
    """Each symbol of the notation, if the book has one, and the name of its row."""
    if NOTATION not in app.env.found_docs:
        return {}
    table = next(app.env.get_doctree(NOTATION).findall(nodes.table))
    return {
        math.astext(): row["ids"][0]
        for row in table.findall(nodes.row)
        for math in next(row.findall(nodes.entry)).findall(nodes.math)
        if math.astext() in SYMBOLS
    }


def _running(doctree: nodes.document) -> Iterator[nodes.Node]:
    """Words and symbols of the running text, in their order."""
    for paragraph in doctree.findall(nodes.paragraph):
        for node in list(paragraph.findall(lambda node: isinstance(node, (nodes.Text, nodes.math)))):
            above = node.parent
            while above is not None and not isinstance(above, APART):
                above = above.parent
            if above is None and not isinstance(node.parent, nodes.math):
                yield node


def _entries(app: Sphinx, name: str) -> tuple[dict[str, str], dict[str, str]]:
    """Where a page's words (terms and letters), and its symbols in TeX, are explained."""
    uri = app.builder.get_relative_uri
    standard = app.env.get_domain("std")
    assert isinstance(standard, StandardDomain)
    symbols = {tex: f"{uri(name, NOTATION)}#{anchor}" for tex, anchor in _symbols(app).items()}
    words = {letter: symbols[tex] for letter, tex in LETTERS.items() if tex in symbols}
    for (kind, term), (place, anchor) in standard.objects.items():
        for form in forms(term) if kind == "term" else []:
            words[form if form.isupper() else form.lower()] = f"{uri(name, place)}#{anchor}"
    return words, symbols


def link_first(app: Sphinx, doctree: nodes.document, name: str) -> None:
    """Let the first mention of each term and each symbol on a page lead to its entry."""
    if not name.startswith("book/") or name in LEFT_OUT:
        return
    words, symbols = _entries(app, name)
    if not words:
        return
    longest = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    mention = re.compile(rf"(?<![\w-])({longest})(?=s?\b(?!-))", re.IGNORECASE)
    linked = {link["refuri"] for link in doctree.findall(nodes.reference) if "refuri" in link}

    def lead(to: str, child: nodes.Node, **said: str) -> nodes.reference:
        linked.add(to)
        return nodes.reference("", "", child, internal=True, refuri=to, classes=["meant"], **said)

    for node in _running(doctree):
        text = node.astext()
        if isinstance(node, nodes.math):
            if (to := symbols.get(text)) and to not in linked:
                node.parent.replace(node, lead(to, node.deepcopy(), reftitle=SYMBOLS[text]))
            continue
        pieces: list[nodes.Node] = []
        start = 0
        for match in mention.finditer(text):
            if (to := words.get(match[0]) or words.get(match[0].lower())) and to not in linked:
                pieces += [nodes.Text(text[start : match.start()]), lead(to, nodes.Text(match[0]))]
                start = match.end()
        if pieces:
            node.parent.replace(node, [*pieces, nodes.Text(text[start:])])


def element(text: str, start: int) -> str:
    """The element whose opening tag begins at a place of a page."""
    depth, name = 0, ""
    for match in TAG.finditer(text, start):
        name = name or match[2]
        if match[2] == name and not match[3]:
            depth += -1 if match[1] else 1
            if not depth:
                return text[start : match.end()]
    raise ValueError(f"no end of the element {text[start : start + 60]!r}")


def made(page: str) -> dict[str, str]:
    """The cards that links to a page can show, by the name of what they lead to."""
    found = {}
    for match in OPENING.finditer(page):
        whole = element(page, match.start())
        inside = whole[len(match[0]) : whole.rindex("<")]
        if match["term"]:
            meaning = element(page, page.index("<dd>", match.start()))
            inside = f"<p><strong>{inside}</strong></p>{meaning[len('<dd>') : -len('</dd>')].strip()}"
        elif match["row"]:
            symbol, meaning = (cell[len("<td>") : -len("</td>")] for cell in _cells(inside)[:2])
            inside = f'<div class="card-symbol">{symbol}{meaning}</div>'
        # A card has no links and no names of its own, and a list's number says nothing outside the list.
        inside = LEFT_BACK.sub("", inside)
        found[match[3]] = re.sub(r'</?a\b[^>]*>| id="[^"]*"', "", inside).strip()
    return found


def _cells(row: str) -> list[str]:
    return [element(row, match.start()) for match in re.finditer("<td>", row)]


def _write(app: Sphinx, error: Exception | None) -> None:
    """Give every page the cards of its links."""
    if error or app.builder.format != "html":
        return
    pages = {path: path.read_text(encoding="utf-8") for path in sorted(Path(app.outdir, "book").rglob("*.html"))}
    names = {path: path.relative_to(app.outdir).as_posix() for path in pages}
    cards = {f"{names[path]}#{anchor}": card for path, page in pages.items() for anchor, card in made(page).items()}
    for path, page in pages.items():
        shown = {}
        for href in LINK.findall(page):
            place, _, anchor = href.partition("#")
            to = posixpath.normpath(posixpath.join(posixpath.dirname(names[path]), place)) if place else names[path]
            card = cards.get(f"{to}#{anchor}", "")
            if card and ("mathjax" in page or 'class="math' not in card):  # no formula where none can be set
                shown[href] = card
        template = "".join(f'<div data-to="{href}">{card}</div>' for href, card in shown.items())
        template = f'<template id="cards">{template}</template>\n' if shown else ""
        new = CARDS.sub("", page)
        new = new.replace("</body>", f"{template}</body>", 1)
        if new != page:
            path.write_text(new, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Name the rows of the notation, link first mentions, and write the cards."""
    app.add_js_file("cards.js", defer="defer")
    app.connect("doctree-read", _name_symbols)
    app.connect("doctree-resolved", link_first)
    app.connect("build-finished", _write)
