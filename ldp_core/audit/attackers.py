r"""What any attacker can reach: the trade-off curve of hypothesis testing, of which each (ε, δ) is a tangent.

Somebody sees the output and wonders which of two inputs it came from. A test with false-alarm rate α misses the other
input at some rate β. The least β, as a function of α, is the *trade-off function* of f-differential privacy; that of
Gaussian noise defines Gaussian differential privacy (GDP).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Floats
from ldp_core._validate import check_channel, check_numbers, first_where

if TYPE_CHECKING:  # a chapter that audits a channel loads nothing else
    from ldp_core.central import PrivacyLoss
    from ldp_core.frequency.base import FiniteOracle

__all__ = ["trade_off"]

#: Pairs of inputs times outputs, at most: a few seconds.
_MOST = 2**25


def trade_off(mechanism: FiniteOracle | PrivacyLoss | npt.ArrayLike) -> Callable[[npt.ArrayLike], Any]:
    r"""Give the least rate of missed detections at each rate of false alarms, as a function.

    It is the largest trade-off function (convex, and symmetric in its two errors) that no two inputs fall below: the f
    of f-DP. All (ε, δ) of the mechanism are its tangents, :math:`1 - \delta - e^{\varepsilon}\alpha`, and it says no
    more than they do.

    Parameters
    ----------
    mechanism : FiniteOracle, PrivacyLoss or array_like, shape (inputs, outputs)
        An oracle whose channel can be written out, a channel (inputs² × outputs at most 2**25; under an oracle that
        treats all values alike two rows say it all), or what a curator's answers cost together.

    Returns
    -------
    callable
        From α in [0, 1], a number or an array, to the least β. Exact for channels; for a PrivacyLoss from below, by
        less than its interval for δ is wide.

    References
    ----------
    J. Dong, A. Roth and W. J. Su. Gaussian differential privacy. Journal of the Royal Statistical Society B 84(1),
    2022, definitions 2.1 and 2.3, proposition 2.5.

    Examples
    --------
    >>> curve = trade_off([[0.75, 0.25], [0.25, 0.75]])
    >>> curve(0.25), curve([0.0, 0.5])
    (0.25, array([1.        , 0.16666667]))
    """
    source: Any = mechanism  # told apart by what it has, since their packages are not loaded here
    if hasattr(source, "errors"):
        alphas, betas = source.errors()
    else:
        rows = check_channel(source.channel() if hasattr(source, "channel") else source)
        alphas, betas = _errors(np.unique(rows, axis=0))
    alphas, betas = _hull(np.concatenate([alphas, betas, [0.0, 1.0]]), np.concatenate([betas, alphas, [1.0, 0.0]]))

    def curve(alpha: npt.ArrayLike) -> Any:
        rate = check_numbers(alpha, "alpha")
        outside = (rate < 0) | (rate > 1)
        if outside.any():
            raise ValueError(f"alpha must lie in [0, 1], got {first_where(rate, outside)}")
        missed = np.interp(rate, alphas, betas)
        return float(missed) if np.ndim(rate) == 0 else missed

    return curve


def _errors(channel: Floats) -> tuple[Floats, Floats]:
    """Both errors of the most powerful tests of Neyman and Pearson, for every pair of rows."""
    if len(channel) ** 2 * channel.shape[1] > _MOST:
        raise ValueError(
            f"mechanism must have a smaller channel for all pairs of its {len(channel):,} inputs to be compared over "
            f"{channel.shape[1]:,} outputs: hand on the two rows that matter"
        )
    alphas, betas = np.ones(1), np.zeros(1)
    for p in channel:
        with np.errstate(divide="ignore", invalid="ignore"):
            order = np.argsort(-np.where(channel > 0, p / channel, np.inf), axis=1, kind="stable")
        alarms = np.cumsum(np.take_along_axis(channel, order, axis=1), axis=1)
        missed = 1 - np.cumsum(p[order], axis=1)
        corners = (np.concatenate([old, new.ravel()]) for old, new in ((alphas, alarms), (betas, missed)))
        alphas, betas = _hull(*(np.clip(each, 0, 1) for each in corners))
    return alphas, betas


def _hull(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Give the corners of the lower convex hull of points of [0, 1]², from left to right."""
    order = np.lexsort((y, x))
    x, y = x[order], y[order]
    first = np.append(True, np.diff(x) > 0)
    x, y = x[first], y[first]
    corners: list[tuple[float, float]] = []
    for new_x, new_y in zip(x.tolist(), y.tolist(), strict=True):  # Python's own numbers: a million take a second
        while len(corners) > 1:
            (old_x, old_y), (last_x, last_y) = corners[-2:]
            if (last_x - old_x) * (new_y - old_y) > (new_x - old_x) * (last_y - old_y):
                break
            corners.pop()
        corners.append((new_x, new_y))
    left, right = zip(*corners, strict=True)
    return np.array(left), np.array(right)
