"""Wrong answers to the exercises of Break the curator."""

import math

import numpy as np


def chunk_epsilon__as_many_chunks_as_wanted(n, m):
    return 1.0


def chunk_epsilon__the_other_way_round(n, m):
    return math.ceil(n / math.ceil(n / m)) / m


def all_bags_hold_you__the_average_share_for_both(n, beta, k):
    return beta**k, beta**k


def all_bags_hold_you__one_bag(n, beta, k):
    size = math.ceil(beta * n)
    return size / n, 1 - (1 - 1 / n) ** size


def two_neighbours__two_answers_that_change_places():
    return [0.0, 1.0], [1.0, 0.0]


def two_neighbours__too_few():
    return [-1.0, -1.0, -8.0], [0.0, 0.0, -8.0]


def two_neighbours__two_apart():
    before = np.append(np.full(29, -1.0), -8.0)
    return before, before + np.append(np.full(29, 2.0), 0.0)


def two_neighbours__the_pair_of_exhibit_3():
    before = np.append(np.full(29, -1.0), -8.0)
    return before, before + np.append(np.ones(29), -1.0)
