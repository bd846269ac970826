"""Names in the code of chapters lead to their entries in the reference.

What a name stands for is read from the notebook's own imports, wherever they are, also in cells that a page does not
show; ``oracle.perturb`` is found too if ``oracle = DirectEncoding(...)`` was the last that happened to it. A name that
is bound anew is left alone. The places come from Python's parser, so that nothing else on a page can be touched.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from html import escape, unescape
from pathlib import Path
from typing import Any, NamedTuple

from sphinx.application import Sphinx

from tools.site import api

#: A block of code as Pygments and MyST-NB write it; a piece of one: a tag, or text.
BLOCK = re.compile(r'(?<=<div class="highlight-ipython3 notranslate"><div class="highlight"><pre>).*?(?=</pre>)', re.S)
PIECE = re.compile(r"<[^>]*>|[^<]+")


class Mention(NamedTuple):
    """A name in a piece of code: where it begins (line, from 1, and column, in bytes), and what it stands for."""

    line: int
    column: int
    text: str
    name: str


class Reader(ast.NodeVisitor):
    """Reads code in the order in which it runs, and remembers what names stand for."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = dict(names)
        self.instances: dict[str, str] = {}
        self.mentions: list[Mention] = []

    def read(self, source: str) -> list[Mention]:
        """Return what a cell mentions; nothing if it is not Python."""
        self.mentions = []
        try:
            self.visit(api.code(source))
        except SyntaxError:
            return []
        return self.mentions

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """``from ldp_core.frequency import DirectEncoding``: the module, and each name."""
        if (node.module or "").split(".")[0] in api.PACKAGES:
            self._mention(node.lineno, node.col_offset + len("from "), node.module or "", node.module or "")
            for alias in node.names:
                self._mention(alias.lineno, alias.col_offset, alias.name, f"{node.module}.{alias.name}")
        self._bind(node)

    def visit_Import(self, node: ast.Import) -> None:
        """``import ldp_core.audit``."""
        for alias in node.names:
            if alias.name.split(".")[0] in api.PACKAGES:
                self._mention(alias.lineno, alias.col_offset, alias.name, alias.name)
        self._bind(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        """``oracle = DirectEncoding(...)``: what the name stands for from now on."""
        self.generic_visit(node)
        target = node.targets[0]
        if isinstance(target, ast.Name) and isinstance(node.value, ast.Call):
            made = self._full(node.value.func)
            if made and api.is_class(made):
                self.instances[target.id] = made

    def visit_Name(self, node: ast.Name) -> None:
        """A name that was imported."""
        if not isinstance(node.ctx, ast.Load):
            self._forget(node.id)
        elif node.id in self.names:
            self._mention(node.lineno, node.col_offset, node.id, self.names[node.id])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """``datasets.load``, ``oracle.perturb``: the last word; the ones before it are visited by themselves."""
        self.visit(node.value)
        full = self._full(node)
        if full and node.end_lineno and node.end_col_offset:
            self._mention(node.end_lineno, node.end_col_offset - len(node.attr.encode()), node.attr, full)

    def visit_arg(self, node: ast.arg) -> None:
        """A parameter is not what had its name before."""
        self._forget(node.arg)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """What is bound inside a function stays there."""
        self._forget(node.name)
        before = dict(self.names), dict(self.instances)
        self.generic_visit(node)
        self.names, self.instances = before

    def _full(self, node: ast.AST) -> str:
        head, dot, rest = api.dotted(node).partition(".")
        start = self.names.get(head) or (self.instances.get(head) if rest else None)
        return f"{start}{dot}{rest}" if start else ""

    def _bind(self, node: ast.Import | ast.ImportFrom) -> None:
        new = api.imported(node)
        for alias in node.names:
            self._forget((alias.asname or alias.name).split(".")[0])
        self.names |= new

    def _forget(self, name: str) -> None:
        self.names.pop(name, None)
        self.instances.pop(name, None)

    def _mention(self, line: int, column: int, text: str, name: str) -> None:
        self.mentions.append(Mention(line, column, text, name))


def link(block: str, reader: Reader, address: Callable[[str], str]) -> str:
    """Return a block of highlighted code, one tag around each token, with its names linked.

    The reader has read the blocks before this one; ``address`` gives that of a dotted name's entry, empty if it has
    none.
    """
    pieces = PIECE.findall(block)
    source = "".join(unescape(piece) for piece in pieces if piece[0] != "<")
    starts = [0]
    for line in source.split("\n"):
        starts.append(starts[-1] + len(line.encode()) + 1)
    targets = {
        (starts[m.line - 1] + m.column, m.text): found for m in reader.read(source) if (found := address(m.name))
    }
    place = 0
    for index, piece in enumerate(pieces):
        if piece[0] != "<":
            text = unescape(piece)
            if (target := targets.get((place, text))) is not None:
                pieces[index] = f'<a class="api-link" href="{escape(target)}">{piece}</a>'
            place += len(text.encode())
    return "".join(pieces)


def _page(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object) -> None:
    path = Path(app.srcdir) / f"{pagename}.ipynb"
    if "body" not in context or not path.is_file():
        return
    domain = app.env.domains["py"]

    def address(name: str) -> str:
        place = domain.objects.get(api.entry(name)) or domain.modules.get(name)
        return f"{app.builder.get_relative_uri(pagename, place.docname)}#{place.node_id}" if place else ""

    reader = Reader(api.imported(api.chapter_code(path)))
    context["body"] = BLOCK.sub(lambda match: link(match[0], reader, address), context["body"])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.connect("html-page-context", _page, priority=700)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
