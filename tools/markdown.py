"""The one reader of the chapters' Markdown: the parser that builds the site, and where in the text it found what.

:func:`pieces` cuts a text at its directives, :func:`solved` says which cells they make a solution, :func:`substitute`
replaces what stands inside lines (roles, links, code, mathematics), :func:`labels` says what is labelled how. All else
stays as the author wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import yaml
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser
from nbformat import NotebookNode

from tools.toc import ROOT


@dataclass(frozen=True)
class Directive:
    """A block ``:::{name} argument``, options in lines of their own, and a body; the body may hold others."""

    name: str
    argument: str
    options: dict[str, str]
    body: str
    source: str = field(default="", compare=False, repr=False)  # all of it, as written


@dataclass(frozen=True)
class Span:
    """Something inside a line, from ``start`` to ``end`` of the text: a role, a link, code or a formula.

    ``kind`` is the role's name; else ``"link"`` (``content`` is its target, ``text`` what is shown), ``"code"``,
    ``"formula"`` or ``"html"``.
    """

    start: int
    end: int
    kind: str
    content: str
    text: str = field(default="", compare=False)


#: A line of options, at the start of a directive's body.
OPTION = re.compile(r":(?P<key>[\w-]+):(?P<value>.*)")
#: Rules of the parser whose findings are wanted, with the kind that :class:`Span` gives them (a role has its own).
_INLINE = {
    "myst_role": "",
    "link": "link",
    "backticks": "code",
    "math_inline": "formula",
    "autolink": "link",
    "html_inline": "html",
}


@cache
def _parser() -> MarkdownIt:
    """MyST's parser with the site's extensions, which also notes where it found what stands inside a line."""
    settings = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["parse"]
    config = MdParserConfig(enable_extensions=set(settings["myst_enable_extensions"]))
    parser = create_md_parser(config, RendererHTML)
    for rule in parser.inline.ruler.__rules__:
        if rule.name in _INLINE:
            rule.fn = _noting(rule.fn)
    parser.inline.ruler.__cache__ = None
    return parser


def _noting(rule: Callable[[Any, bool], bool]) -> Callable[[Any, bool], bool]:
    def noting(state: Any, silent: bool) -> bool:
        start, before = state.pos, len(state.tokens)
        found = rule(state, silent)
        if found and not silent:
            for token in state.tokens[before:]:
                if token.type != "text":  # text that was pending comes first
                    token.meta = {**token.meta, "span": (start, state.pos)}
                    break
        return found

    return noting


def _directive(token: Token) -> Directive | None:
    """Read what a fence holds; None if it is a block of code."""
    if token.type not in {"fence", "colon_fence"} or not token.info.startswith("{"):
        return None
    name, _, argument = token.info[1:].partition("}")
    lines = token.content.split("\n")
    options = {}
    while lines and (option := OPTION.fullmatch(lines[0])):
        options[option["key"]] = option["value"].strip()
        lines.pop(0)
    return Directive(name, argument.strip(), options, "\n".join(lines).strip("\n"))


def pieces(text: str) -> Iterator[str | Directive]:
    r"""Cut a text into its outermost directives and what stands between them, in order.

    Examples
    --------
    >>> [piece if isinstance(piece, str) else piece.name for piece in pieces("A\n\n:::{note}\nB\n:::\nC")]
    ['A', 'note', 'C']
    """
    lines, done = text.split("\n"), 0
    for token in _parser().parse(text):
        if token.map and token.map[0] >= done and (found := _directive(token)):
            if between := "\n".join(lines[done : token.map[0]]).strip("\n"):
                yield between
            done = token.map[1]
            yield replace(found, source="\n".join(lines[token.map[0] : done]))
    if rest := "\n".join(lines[done:]).strip("\n"):
        yield rest


def directives(text: str) -> Iterator[Directive]:
    """All directives of a text, outer before inner."""
    for piece in pieces(text):
        if isinstance(piece, Directive):
            yield piece
            yield from directives(piece.body)


def spans(text: str) -> list[Span]:
    """Find what stands inside the lines of a text, from its start to its end; directives are one piece each, unread."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    found: list[Span] = []
    taken: dict[int, int] = {}  # where the last cell of a table ended on its line
    for token in _parser().parse(text):
        if token.type != "inline" or not token.map or not token.children:
            continue
        # The parser cuts indents and marks off lines; what it keeps of each is looked up in that line again.
        offsets, first = [], token.map[0]
        for number, kept in enumerate(token.content.split("\n"), start=first):
            column = lines[number].find(kept, taken.get(number, 0))
            taken[number] = max(column, 0) + len(kept)
            offsets.append((starts[number] + max(column, 0), len(kept) + 1))

        def place(position: int, offsets: list[tuple[int, int]] = offsets) -> int:
            for start, length in offsets:
                if position < length:
                    return start + position
                position -= length
            return offsets[-1][0] + offsets[-1][1] - 1

        for index, child in enumerate(token.children):
            if span := child.meta.get("span"):
                found.append(_span(token.children, index, *map(place, span)))
    return sorted(found, key=lambda span: span.start)


def _span(tokens: list[Token], index: int, start: int, end: int) -> Span:
    token = tokens[index]
    if token.type == "myst_role":
        return Span(start, end, token.meta["name"], token.content)
    if token.type == "link_open":
        close = next(i for i in range(index, len(tokens)) if tokens[i].type == "link_close")
        shown = "".join(t.content for t in tokens[index + 1 : close])
        return Span(start, end, "link", str(token.attrs["href"]), shown)
    return Span(start, end, {"code_inline": "code", "math_inline": "formula"}.get(token.type, "html"), token.content)


def substitute(text: str, replacement: Callable[[Span], str | None]) -> str:
    """Replace what stands inside lines; where `replacement` gives None, the text stays as it is.

    Examples
    --------
    >>> substitute("{ref}`x` and `{ref}`", lambda span: "X" if span.kind == "ref" else None)
    'X and `{ref}`'
    """
    parts, done = [], 0
    for span in spans(text):
        if span.start >= done and (new := replacement(span)) is not None:
            parts += [text[done : span.start], new]
            done = span.end
    return "".join(parts) + text[done:]


def roles(text: str) -> Iterator[Span]:
    """All roles of a text, those in directives too; no code, no formula, no link."""
    for piece in pieces(text):
        if isinstance(piece, Directive):
            for part in (piece.argument, piece.body):
                yield from roles(part)
        else:
            yield from (span for span in spans(piece) if span.kind not in _INLINE.values())


def solved(cells: Iterable[NotebookNode]) -> Iterator[tuple[NotebookNode, bool]]:
    r"""Each cell of a notebook, and whether it stands in a solution; the mark of a start does, that of an end does not.

    Examples
    --------
    >>> from nbformat.v4 import new_code_cell, new_markdown_cell
    >>> marks = [f":::{{solution-{place}}}{label}\n:::" for place, label in (("start", " one"), ("end", ""))]
    >>> cells = [new_markdown_cell(marks[0]), new_code_cell("1 + 1"), new_markdown_cell(marks[1])]
    >>> [inside for _, inside in solved(cells)]
    [True, True, False]
    """
    inside = False
    for cell in cells:
        if cell.cell_type == "markdown" and "{solution-" in cell.source:
            for directive in directives(cell.source):
                if directive.name in {"solution-start", "solution-end"}:
                    inside = directive.name == "solution-start"
        yield cell, inside


def target(content: str) -> str:
    """What a role refers to: ``label`` in "label" and in "shown <label>"."""
    return content.rpartition("<")[2].rstrip(">").strip() if content.endswith(">") else content.strip()


def without(text: str, *kinds: str) -> str:
    """Take whole blocks out, by the names that the parser gives them: ``"myst_target"``, ``"math_block"`` ..."""
    lines = text.split("\n")
    for token in reversed(_parser().parse(text)):
        if token.type in kinds and token.map:
            del lines[token.map[0] : token.map[1]]
    return "\n".join(lines)


def headings(text: str) -> Iterator[tuple[int, str, str]]:
    """Level, label and title of each heading; the label is empty where none stands before it."""
    label = ""
    tokens = _parser().parse(text)
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "myst_target":
            label = token.content
        elif token.type == "heading_open" and following is not None:
            yield int(token.tag[1:]), label, following.content
            label = ""


def labels(text: str) -> dict[str, str]:
    """Every label that a text defines, with the title of what it stands for (empty if that has none)."""
    found = {label: title for _, label, title in headings(text) if label}
    for token in _parser().parse(text):
        if token.type == "myst_target":
            found.setdefault(token.content, "")
    for directive in directives(text):
        if name := directive.options.get("label") or directive.options.get("name"):
            found[name] = directive.argument
    return found
