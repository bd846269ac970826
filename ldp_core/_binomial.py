"""The binomial law, to the last digits: what is left out is next to nothing."""

from __future__ import annotations

import math

import numpy as np

from ldp_core._arrays import Floats

__all__ = ["binomial"]

#: What a binomial law is cut off by at each end: e^−45, far below what a level strictly below 1 leaves.
_BEYOND = 45.0


def binomial(n: int, share: float) -> tuple[Floats, Floats]:
    """Give the counts that are not too rare, and their probabilities, by the ratio of each to the one before."""
    mean = n * share
    third = _BEYOND / 3
    reach = third + math.sqrt(third**2 + 2 * _BEYOND * mean * (1 - share))
    count = np.arange(max(0, math.floor(mean - reach)), min(n, math.ceil(mean + reach)) + 1, dtype=np.float64)
    ratios = np.log((n + 1 - count[1:]) / count[1:]) + (math.log(share) - math.log1p(-share))
    logs = np.concatenate([[0.0], np.cumsum(ratios)])
    weights = np.exp(logs - logs.max())
    return count, weights / weights.sum()
