"""Laws over the corners of the cube {−1, 1}^d in which only the number of places that agree counts."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Floats

Signs = npt.NDArray[np.int8]

#: Up to this many pairs, 4^m over a binomial coefficient is computed from integers; beyond, a series is as exact.
COUNTED_PAIRS = 500

#: Up to this dimension shares of corners are computed from integers.
COUNTED_DIM = 1000


def corners(d: int) -> Signs:
    """List the 2^d corners of {−1, 1}^d, shape (2**d, d): bit j of the row's number is coordinate j."""
    bits: Signs = ((np.arange(2**d)[:, None] >> np.arange(d)) & 1).astype(np.int8)
    return 2 * bits - 1


def corner_law(t: Floats) -> Floats:
    """Law of the randomly rounded signs v of each row of t, shape (m, 2**d)."""
    law = np.ones((len(t), 1))
    for column in t.T:  # coordinate j is bit j of a corner's number: its 1 adds 2^j, the length so far
        plus = ((1 + column) / 2)[:, None]
        law = np.concatenate([law * (1 - plus), law * plus], axis=1)
    return law


def agreement_channel(weights: Floats) -> Floats:
    """Channel over the corners when a corner's likelihood depends only on how many places agree, shape (2**d, 2**d).

    The weights, shape (d + 1,), are relative likelihoods of one corner that agrees in k = 0, …, d places.
    """
    signs = corners(len(weights) - 1).astype(np.int64)
    matrix = weights[(signs @ signs.T + signs.shape[1]) // 2]
    normalized: Floats = matrix / matrix.sum(axis=1, keepdims=True)
    return normalized


def report_law(t: Floats, weights: Floats) -> Floats:
    """Give the law of the report of a user with values t over the 2^d corners, in the order of :func:`corners`.

    In how many places the rounded signs v agree with a corner y is a sum of independent coins, with probabilities
    (1 + t_j·y_j)/2. Coordinate by coordinate the laws of these sums are built up for all corners at once: sums of
    positive terms, in which nothing cancels.
    """
    agree = np.ones((1, 1))  # row by corner, column by number of places that agree
    for value in t:
        halves = []
        for sign in (-1, 1):
            one_more = np.pad(agree, ((0, 0), (0, 1)))
            one_more *= (1 - sign * value) / 2
            one_more[:, 1:] += agree * ((1 + sign * value) / 2)
            halves.append(one_more)
        agree = np.concatenate(halves)
    law = agree @ weights
    normalized: Floats = law / law.sum()
    return normalized


def power_over_binomial(m: int) -> float:
    """Give 4^m over the binomial coefficient (2m over m): C_d for d = 2m and for d = 2m + 1, about √(πm)."""
    if m <= COUNTED_PAIRS:
        ratio: float = 4**m / math.comb(2 * m, m)
        return ratio
    # The next term of the series, 399/(262144·m^5), is below the rounding of a double.
    return math.sqrt(math.pi * m) * (1 + (1 + (1 - (5 + 21 / (32 * m)) / (8 * m)) / (16 * m)) / (8 * m))


@cache
def share_of_corners(d: int) -> Floats:
    """Share of the 2^d corners that agree with a given one in k = 0, …, d places."""
    if d <= COUNTED_DIM:
        counts = [1]
        for k in range(d):
            # Python's integers: a quotient is right although both its parts are too large for a double.
            counts.append(counts[k] * (d - k) // (k + 1))
        array = np.array([count / 2**d for count in counts])
    else:  # from the middle outwards, each share from its neighbour
        steps = np.arange(d // 2, d)
        middle = (1 if d % 2 == 0 else d / (d + 1)) / power_over_binomial(d // 2)
        right = np.concatenate([[middle], middle * np.cumprod((d - steps) / (steps + 1))])
        array = np.concatenate([right[:0:-1], right[d % 2 :]])
    array.setflags(write=False)  # every caller gets the same array
    return array


def draw_agreement(weights: Floats, n: int, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Draw in which places each of n reports agrees: in how many, then, all sets being alike, in which."""
    d = len(weights) - 1
    law = weights * share_of_corners(d)
    how_many = rng.choice(d + 1, size=n, p=law / law.sum())
    return rng.permuted(np.arange(d) < how_many[:, None], axis=1)
