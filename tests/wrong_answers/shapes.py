"""Wrong answers that the chapter on shapes and ranges warns of: none may pass."""

import math

from ldp_core.numeric import Piecewise, SquareWave


def nodes__one_for_each_value(first, last, d, B):
    return last - first + 1


def nodes__the_most_there_are(first, last, d, B):
    return 2 * (B - 1) * round(math.log(d, B))


def nodes__leaves_and_one_level_above(first, last, d, B):
    left, right = -first % B, (last + 1) % B
    return left + right + (last + 1 - right - first - left) // B


def mean_variance__reports_as_they_are(epsilon, t):
    w, e = SquareWave(epsilon).width, math.exp(epsilon)
    part = w * (e - 1) / (w * e + 1)
    return (1 - part) * (1 + w) ** 2 / 3 + part * (t**2 + w**2 / 3) - (part * t) ** 2


def mean_variance__that_of_piecewise(epsilon, t):
    return float(Piecewise(epsilon).variance(t))


def rectangle_nodes__as_in_one_dimension(k):
    return 2 * k


def rectangle_nodes__as_in_one_dimension_squared(k):
    return k**2


def rectangle_nodes__one_edge_forgotten(k):
    return 2 ** (k + 1) - 2
