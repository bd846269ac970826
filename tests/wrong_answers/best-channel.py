"""Wrong answers that the chapter on the best channel warns of: none may pass."""

import math


def walk_or_bike__two_counts_added(epsilon):
    return 2 * math.exp(epsilon) / (math.exp(epsilon) - 1) ** 2


def walk_or_bike__direct_encoding(epsilon):
    return (math.exp(epsilon) + 6) / (math.exp(epsilon) - 1) ** 2
