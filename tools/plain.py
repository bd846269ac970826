"""A chapter as a plain notebook: numbers filled in, MyST directives turned into Markdown that any program shows.

The built page understands ``{glue:text}`n` ``, ``:::{admonition}`` and the like; JupyterLab, Colab and the in-browser
kernel do not. :mod:`tools.copies` makes these notebooks for all of them.

Chapters are stored without any address: a name on a public host that nobody has registered yet would be anybody's to
register, and what a notebook installs runs on its reader's machine.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

import nbformat
from nbformat import NotebookNode

from tools.markdown import Directive, Span, pieces, substitute, without

#: The first code cell of a copy: it says in a sentence what is missing.
SETUP = """\
try:
    import ldp_book
except ModuleNotFoundError:
    raise ModuleNotFoundError(
        "this book's packages are not installed here: run %pip install FOLDER FOLDER/livefig FOLDER/ldp_book, where "
        "FOLDER is your copy of the book (the folder with its README), and then this cell again"
    ) from None"""
#: What stands in its place if the book's builder said where the book's repository is.
SETUP_FROM = """\
try:
    import ldp_book
except ModuleNotFoundError:
    %pip install -q "ldp_core @ git+{address}" "livefig @ git+{address}#subdirectory=livefig" \
        "ldp_book @ git+{address}#subdirectory=ldp_book\""""
#: On the fold of the cell that a check looks into.
ANSWERS = "Show what the check compares with (the answer is in it)"
#: Directives that say something about the page, not to the reader.
SILENT = {
    "begin",
    "byline",
    "how-to-cite",
    "index",
    "raw",
    "contents",
    "tableofcontents",
    "toctree",
    "solution-end",
    "exercise-end",
    "bibliography",
}


def to_plain(source: str, glued: Mapping[str, str], labels: Mapping[str, str]) -> str:
    """Turn MyST Markdown into Markdown, with numbers by name (see :func:`tools.results.glued`).

    The labels say what to call the target of a reference: a citation's "Warner 1965", an exercise's title.
    """

    def inline(span: Span) -> str | None:
        name, text = span.kind, span.content
        if name == "link":  # [](target): the page shows the target's title; no page is beside a copy
            return (span.text or labels.get(text, text)) if text.startswith("/") or text in labels else None
        if name in {"code", "formula", "html"}:
            return None
        if name.startswith("glue:"):
            return glued.get(text.split(":")[0], text)
        if name == "math":
            return f"${text}$"
        if text.endswith(">"):
            return text.rpartition("<")[0].strip()
        if name.startswith("cite"):
            shown = "; ".join(labels.get(key.strip(), key.strip()) for key in text.split(","))
            return shown if name == "cite:t" else f"({shown})"
        return labels.get(text, text)

    shown = []
    for piece in pieces(source):
        if isinstance(piece, Directive):
            start, end = _around(piece, substitute(piece.argument, inline), labels)
            body = "" if piece.name in SILENT else to_plain(piece.body, glued, labels)
            shown += [start, body, end]
        else:
            shown.append(substitute(without(piece, "myst_target"), inline).strip("\n"))
    return "\n\n".join(filter(None, shown))


def _around(directive: Directive, title: str, labels: Mapping[str, str]) -> tuple[str, str]:
    """What stands before and after the body of a directive."""
    kind = directive.name.removeprefix("prf:").removesuffix("-start")
    if directive.name in SILENT:
        return "", ""
    if kind == "solution":
        return f"<details>\n<summary>Solution of “{labels.get(title, title)}”</summary>", "</details>"
    named = {"admonition": "", "dropdown": "", "card": "", "figure": "Figure"}.get(kind, kind.capitalize())
    heading = ". ".join(part for part in (named, title) if part)
    before = f"**{heading}.**".replace("?.**", "?**").replace("..**", ".**") if heading else ""
    return before, "*(end of proof)*" if kind == "proof" else ""


def _fold(source: str, glued: Mapping[str, str], labels: Mapping[str, str], solved: str) -> tuple[str, str]:
    """Plain text of a cell, with what belongs to a worked solution folded; and the exercise still being solved."""
    shown: list[str] = []
    part: list[str] = []

    def close(title: str) -> None:
        text = to_plain("\n\n".join(part), glued, labels)
        if text and title:
            text = f"<details>\n<summary>Solution of “{title}”</summary>\n\n{text}\n\n</details>"
        shown.append(text)
        part.clear()

    for piece in pieces(source):
        if isinstance(piece, Directive) and piece.name in {"solution-start", "solution-end"}:
            close(solved)
            solved = labels.get(piece.argument, piece.argument) if piece.name == "solution-start" else ""
        else:
            part.append(piece.source if isinstance(piece, Directive) else piece)
    close(solved)
    return "\n\n".join(filter(None, shown)), solved


def hidden(cell: NotebookNode) -> str:
    """What a code cell holds that its page hides; empty if the page shows it."""
    if not {"hide-input", "hide-cell", "remove-input", "remove-cell"} & set(cell.metadata.get("tags", [])):
        return ""
    if re.match(r"\s*(quiz|number)\(", cell.source):
        return "A question"
    if "remove-cell" in cell.metadata.get("tags", []):
        return "Numbers for the text"
    said = prompt(cell).removeprefix("Show ")
    return said[:1].upper() + said[1:]


def prompt(cell: NotebookNode) -> str:
    """What stands on the fold of a cell: what it says itself, else what its last line shows.

    Examples
    --------
    >>> [prompt(nbformat.v4.new_code_cell(source)) for source in ("live(draw)", "table", "cases = [((1,), 2)]")]
    ['Show the code of this figure', 'Show the code of this table', 'Show what the check ... (the answer is in it)']
    """
    if said := cell.metadata.get("mystnb", {}).get("code_prompt_show"):
        return str(said)
    last = ast.parse(cell.source).body[-1]
    if not isinstance(last, ast.Expr):
        return ANSWERS
    draws = isinstance(last.value, ast.Call) and ast.unparse(last.value.func) in {"live", "show"}
    return f"Show the code of this {'figure' if draws else 'table'}"


def plain_notebook(
    notebook: NotebookNode, glued: Mapping[str, str], labels: Mapping[str, str], packages: str = "", address: str = ""
) -> NotebookNode:
    """Copy a chapter as a plain notebook; glued and labels are as in :func:`to_plain`.

    A first cell installs ``packages``, for the in-browser kernel, from the site itself or from Pyodide; elsewhere the
    book's packages where they are missing, from the repository of that address, or else says what to do.
    """
    copy: NotebookNode = nbformat.from_dict(dict(notebook))
    solved = ""  # the exercise whose worked solution this is
    for cell in copy.cells:
        if cell.cell_type == "markdown":
            cell.source, solved = _fold(cell.source, glued, labels, solved)
            continue
        title = f"Solution of “{solved}”" if solved else hidden(cell)
        if title:  # JupyterLab hides the code by the first, Colab by the second; both show its first line
            closed = bool(solved) or "remove-cell" in cell.metadata.get("tags", [])
            cell.metadata["jupyter"] = {"source_hidden": True} | ({"outputs_hidden": True} if closed else {})
            cell.metadata["cellView"] = "form"
            cell.source = f"# @title {title}\n{cell.source}"
    copy.cells = [cell for cell in copy.cells if cell.source.strip()]
    code = [place for place, cell in enumerate(copy.cells) if cell.cell_type == "code"]
    if packages:
        source = (
            f"# Run this first: it installs what the chapter needs in this browser tab.\n%pip install -q {packages}"
        )
        copy.cells.insert(0, nbformat.v4.new_code_cell(source, id="install"))
        copy.metadata["kernelspec"] = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
    elif code:
        source = f"# @title Set-up\n{SETUP_FROM.format(address=address) if address else SETUP}"
        setup = nbformat.v4.new_code_cell(
            source, id="set-up", metadata={"jupyter": {"source_hidden": True}, "cellView": "form"}
        )
        copy.cells.insert(code[0], setup)
    return copy
