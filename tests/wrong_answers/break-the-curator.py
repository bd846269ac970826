"""Wrong answers to the exercises of Break the curator."""

import math

import numpy as np


def chunk_epsilon__as_many_chunks_as_wanted(n, m):
    return 1.0


def chunk_epsilon__the_other_way_round(n, m):
    return math.ceil(n / math.ceil(n / m)) / m


def two_neighbours__two_answers_that_change_places():
    return [0.0, 1.0], [1.0, 0.0]


def two_neighbours__too_few():
    return [-1.0, -1.0, -8.0], [0.0, 0.0, -8.0]


def two_neighbours__two_apart():
    before = np.append(np.full(29, -1.0), -8.0)
    return before, before + np.append(np.full(29, 2.0), 0.0)


def two_neighbours__the_last_falls():
    before = np.append(np.full(29, -1.0), -8.0)
    return before, before + np.append(np.ones(29), -1.0)
