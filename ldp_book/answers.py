"""One picture of what a mechanism may answer: rows of dots before the truth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._validate import check_filled, check_interval, check_numbers, check_text, shown
from livefig import lines

__all__ = ["answer_rows"]


def answer_rows(
    rows: Mapping[str, npt.ArrayLike], truth: npt.ArrayLike, *, xlim: tuple[float, float], x: str, title: str
) -> Any:
    """Draw many answers as rows of dots, which chance moves up and down, each row before its truth.

    Parameters
    ----------
    rows : mapping of str to array_like
        By name the answers, the first row on top.
    truth : float or array_like, shape (rows,)
        What is answered.
    xlim : (float, float)
        Ends of the axis.
    x, title : str
        What stands below and above.

    Returns
    -------
    matplotlib.figure.Figure
        With alternative text of its own.

    Examples
    --------
    >>> figure = answer_rows({"curator": [3, 5]}, 4, xlim=(0, 9), x="answer", title="Two answers")
    """
    if not isinstance(rows, Mapping) or not rows:
        raise TypeError(f"rows must map names to answers, got {shown(rows)}")
    answers = [check_filled(found, f"rows[{name!r}]") for name, found in rows.items()]
    truths = check_numbers(truth, "truth")
    if truths.shape not in ((), (len(rows),)):
        raise ValueError(f"truth must be one number, or one for each of {len(rows)} rows, got shape {truths.shape}")
    places = np.arange(len(rows))[::-1]
    aside = np.random.default_rng(0).uniform(-0.3, 0.3, max(map(len, answers)))
    heights = [place + aside[: len(found)] for place, found in zip(places, answers, strict=True)]
    ends = np.ravel([[place - 0.45, place + 0.45, np.nan] for place in places])
    return lines(
        xlim,
        {"truth": (np.repeat(np.broadcast_to(truths, len(rows)), 3), ends)},
        points={"answers": (np.concatenate(answers), np.concatenate(heights))},
        colours="truth- report-o",
        xlim=check_interval(xlim, "xlim"),
        ylim=(-0.5, len(rows) - 0.5),
        yticks=dict(zip(places, rows, strict=True)),
        x=check_text(x, "x"),
        title=check_text(title, "title"),
        size=(6, 2.7),
        legend="below",
    )
