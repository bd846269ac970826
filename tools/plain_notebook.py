"""A chapter as a plain notebook: numbers filled in, MyST directives turned into Markdown that any program shows.

The built page understands ``{glue:text}`n` ``, ``:::{admonition}`` and the like; JupyterLab, Colab and the in-browser
kernel do not. Used for the download button and for JupyterLite.

Chapters are stored without any address: a name on a public host that nobody has registered yet would be anybody's to
register, and what a notebook installs runs on its reader's machine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import nbformat
from nbformat import NotebookNode

FENCE = re.compile(r"^\s*(?P<mark>`{3,}|:{3,})\{(?P<name>[\w:-]+)\}\s*(?P<title>.*)$")
OPTION = re.compile(r"^\s*:[\w-]+:.*$")
ROLE = re.compile(r"\{(?P<name>[\w:]+)\}`(?P<text>[^`]+)`")
TITLED = re.compile(r"^(?P<text>.*?)\s*<(?P<target>[^<>]+)>$", re.DOTALL)
UNTITLED = re.compile(r"\[\]\(([^)\s]+)\)")
TARGET = re.compile(r"^\([\w-]+\)=\s*$")
#: The first code cell of every chapter, hidden on its page. Opened elsewhere, it says in a sentence what is missing.
SETUP = """\
try:
    import ldp_core
except ModuleNotFoundError:
    raise ModuleNotFoundError(
        "ldp_core, the package of this book, is not installed here: run %pip install 'FOLDER[book]', where FOLDER is "
        "your copy of the book (the folder with its README) or a wheel made from it, and then this cell again"
    ) from None"""
#: What stands in its place in a copy for download, if the book's builder said where the book's repository is.
SETUP_FROM = """\
try:
    import ldp_core
except ModuleNotFoundError:
    %pip install -q "ldp_core[book] @ git+{address}\""""
#: Directives that say something about the page, not to the reader.
SILENT = {"index", "raw", "contents", "tableofcontents", "toctree", "solution-end", "exercise-end", "bibliography"}


def glue_values(executed: NotebookNode) -> dict[str, str]:
    """Text of everything an executed notebook glued."""
    values = {}
    for cell in executed.cells:
        for output in cell.get("outputs", []):
            name = output.get("metadata", {}).get("scrapbook", {}).get("name")
            if name:
                data = output["data"]
                text = next((v for k, v in sorted(data.items()) if k.endswith("text/plain")), "")
                values[name] = text.strip("'\"")
    return values


def to_plain(source: str, glued: Mapping[str, str], labels: Mapping[str, str]) -> str:
    """Turn MyST Markdown into Markdown.

    Parameters
    ----------
    source : str
        Text of a Markdown cell.
    glued : mapping of str to str
        Numbers by name, see :func:`glue_values`.
    labels : mapping of str to str
        What to call the target of a reference: a citation's "Warner 1965", an exercise's title.
    """
    lines: list[str] = []
    # One entry per open directive: its closing mark and what closing it writes (None: the body is dropped).
    stack: list[tuple[str, str | None]] = []
    options = code = False
    for line in source.split("\n"):
        opened = None if code else FENCE.match(line)
        if opened and opened["name"] not in {"code-cell", "code"}:
            closing = _open(lines, opened["name"], _roles(opened["title"], glued, labels), labels)
            # A gate ("solution-start") has no body: what it opens is closed by a later directive.
            stack.append((opened["mark"], closing))
            options = True
        elif stack and not code and line.strip() == stack[-1][0]:
            closing = stack.pop()[1]
            if closing:
                lines.append(closing)
            options = False
        elif (options and OPTION.match(line)) or TARGET.match(line):
            continue
        else:
            options = options and not line.strip()
            if line.lstrip().startswith("```"):
                code = not code
            if all(closing is not None for _, closing in stack):
                lines.append(line if code else _roles(line, glued, labels))
    return "\n".join(lines).strip("\n")


def _open(lines: list[str], name: str, title: str, labels: Mapping[str, str]) -> str | None:
    kind = name.removeprefix("prf:").removesuffix("-start")
    if name in SILENT:
        return None
    if kind == "solution":
        summary = f"Solution of “{labels.get(title, title)}”"
        if name.endswith("-start"):
            lines += [f"**{summary}** — run the hidden cell below to see it at work.", ""]
            return ""
        lines += ["<details>", f"<summary>{summary}</summary>", ""]
        return "\n</details>\n"
    shown = {"admonition": "", "dropdown": "", "card": "", "figure": "Figure"}.get(kind, kind.capitalize())
    heading = ". ".join(part for part in (shown, title) if part)
    if heading:
        lines += [f"**{heading}.**".replace("?.**", "?**").replace("..**", ".**"), ""]
    return "\n*(end of proof)*\n" if kind == "proof" else ""


def _roles(line: str, glued: Mapping[str, str], labels: Mapping[str, str]) -> str:
    def plain(match: re.Match[str]) -> str:
        name, text = match["name"], match["text"]
        if name.startswith("glue:"):
            return glued.get(text.split(":")[0], text)
        if name == "math":
            return f"${text}$"
        if titled := TITLED.match(text):
            return titled["text"]
        if name.startswith("cite"):
            shown = "; ".join(labels.get(key.strip(), key.strip()) for key in text.split(","))
            return shown if name == "cite:t" else f"({shown})"
        return labels.get(text, text)

    line = UNTITLED.sub(lambda match: labels.get(match[1], match[1]), line)
    return ROLE.sub(plain, line)


def plain_notebook(
    notebook: NotebookNode, glued: Mapping[str, str], labels: Mapping[str, str], packages: str = "", address: str = ""
) -> NotebookNode:
    """Copy a chapter as a plain notebook.

    Parameters
    ----------
    notebook : NotebookNode
        The chapter as it is stored.
    glued, labels : mapping of str to str
        See :func:`to_plain`.
    packages : str, default ""
        For the in-browser kernel: the packages that a first cell installs, from the site itself or from Pyodide.
    address : str, default ""
        The repository that the set-up cell installs ``ldp_core`` from where it is missing. Without one the cell stays
        as it is, and says what to do.
    """
    copy: NotebookNode = nbformat.from_dict(dict(notebook))
    for cell in copy.cells:
        if cell.cell_type == "markdown":
            cell.source = to_plain(cell.source, glued, labels)
        elif address and cell.source == SETUP:
            cell.source = SETUP_FROM.format(address=address)
    copy.cells = [cell for cell in copy.cells if cell.source.strip()]
    if packages:
        install: Any = nbformat.v4.new_code_cell(
            f"# Run this first: it installs what the chapter needs in this browser tab.\n%pip install -q {packages}",
            id="install",
        )
        copy.cells.insert(0, install)
        copy.metadata["kernelspec"] = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
    return copy
