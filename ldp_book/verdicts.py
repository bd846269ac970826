"""Verdicts on claims as one grid: a row for each claim, told apart by mark and word, and only then by colour."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from ldp_core._validate import check_text, shown
from livefig.display import Html

__all__ = ["verdict_grid"]

#: Colours of a figure (:mod:`livefig`) by what the runs say of a claim.
_ROLES = {"hold": "report", "fail": "risk"}


def verdict_grid(rows: Mapping[str, Mapping[str, Any]], corner: str = "claim") -> Html:
    """Show verdicts as a table: ● if a claim holds, ○ if it fails, ◐ between the two.

    Parameters
    ----------
    rows : mapping of str to mapping of str to str
        By claim and column what :func:`~ldp_core.learn.judge` says; another word stays as it is.
    corner : str, optional
        What the rows are.

    Returns
    -------
    Html
        The table, which a notebook shows.

    Examples
    --------
    >>> "○&nbsp;fails" in verdict_grid({"more people help": {"Adult": "holds", "Bank": "fails"}}).html
    True
    """
    if not isinstance(rows, Mapping) or not all(isinstance(cells, Mapping) for cells in rows.values()):
        raise TypeError(f"rows must map claims to verdicts by column, got {shown(rows)}")
    heads = list(dict.fromkeys(head for cells in rows.values() for head in cells))
    body = [
        f'<tr><th scope="row">{html.escape(claim)}</th>'
        + "".join(f"<td>{_cell(check_text(cells.get(head, '–'), 'a verdict'))}</td>" for head in heads)
        for claim, cells in rows.items()
    ]
    columns = "".join(f'<th scope="col">{html.escape(head)}</th>' for head in (check_text(corner, "corner"), *heads))
    return Html(f'<table class="table"><thead><tr>{columns}</tr></thead><tbody>{"".join(body)}</tbody></table>')


def _cell(word: str) -> str:
    mark = {"holds": "●", "fails": "○"}.get(word, "◐")
    role = next((role for part, role in _ROLES.items() if part in word), "neutral")
    judged = role != "neutral" or word in ("open", "mixed")
    return f'<span class="lf-word" data-role="{role}">{mark}&nbsp;{word}</span>' if judged else html.escape(word)
