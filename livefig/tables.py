"""A table with a picture in every row, which moves as a figure does: what a drawing function may return instead."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from livefig._checks import check_text, shown
from livefig.figure import check_figure, to_svg

__all__ = ["Link", "Picture", "Table", "table"]


@dataclass(frozen=True)
class Picture:
    """A small figure in a cell, closed when the table is made, and what it shows (alt)."""

    figure: Any
    alt: str

    def __post_init__(self) -> None:
        check_figure(self.figure, "figure must be")
        check_text(self.alt, "alt")


@dataclass(frozen=True)
class Link:
    """A cell whose text leads to an address: relative to the page, or http:, https: or mailto:."""

    text: str
    address: str

    def __post_init__(self) -> None:
        check_text(self.text, "text")
        # A browser reads past spaces and control characters, as in "java\nscript:".
        scheme = re.match(r"[^/?#]*?:|[/\\]{2}", re.sub(r"[\x00-\x20]", "", check_text(self.address, "address")))
        if scheme and scheme[0].lower() not in ("http:", "https:", "mailto:"):
            raise ValueError(
                f"address must be relative, or begin with http:, https: or mailto:, got {shown(self.address)}"
            )


@dataclass(frozen=True)
class Table:
    """What :func:`table` returns: `html` for the page, and its `caption`."""

    html: str
    caption: str


def table(rows: Sequence[dict[str, object]], *, caption: str) -> Table:
    """Make a table for :func:`~livefig.live`; on the book's pages a click on a heading sorts it.

    The ``rows`` are dicts, all with the same keys in the same order, which are the headings; the first names the row. A
    cell is a `Picture`, a `Link`, or anything that says itself as text. The ``caption`` is what the table shows.

    Examples
    --------
    >>> table([{"name": "DE", "bits": 3}], caption="Bits").html.count("<td")
    1
    """
    if not isinstance(rows, Sequence) or not all(isinstance(row, Mapping) for row in rows):
        raise TypeError(f"rows must be a sequence of dicts, got {shown(rows)}")
    if not rows or not rows[0]:
        raise ValueError("rows must hold at least one row with a cell, got none")
    heads = [check_text(head, "the headings in rows") for head in rows[0]]
    for row in rows:
        if list(row) != heads:
            raise ValueError(f"rows must all have the columns {', '.join(heads)}; got {', '.join(map(str, row))}")
    body = []
    for i, row in enumerate(rows):
        name, *cells = (_cell(cell, i) for cell in row.values())
        body.append(f'<tr><th scope="row">{name}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>')
    said = html.escape(check_text(caption, "caption"))
    return Table(
        f'<div class="lf-scroll" role="region" tabindex="0" aria-label="{said}"><table class="dataframe sortable">'
        f"<caption>{said}</caption><thead><tr>"
        + "".join(f'<th scope="col">{html.escape(head)}</th>' for head in heads)
        + f"</tr></thead><tbody>{''.join(body)}</tbody></table></div>",
        caption,
    )


def _cell(cell: object, row: int) -> str:
    if isinstance(cell, Picture):
        # Ids start afresh in every drawing: each row has a thousand of its own.
        svg = re.sub(
            r'( id="|xlink:href="#|url\(#)i(\d+)\b', lambda m: f"{m[1]}i{1000 * row + int(m[2])}", to_svg(cell.figure)
        )
        return f'<span class="lf-thumb" role="img" aria-label="{html.escape(cell.alt)}">{svg}</span>'
    if isinstance(cell, Link):
        return f'<a href="{html.escape(cell.address)}">{html.escape(cell.text)}</a>'
    return html.escape(str(cell))
