"""Wrong answers to the exercises of "Hiding in a crowd"."""

# ruff: noqa: F821, names of the chapter

import math

import numpy as np
from scipy import stats


def best_threshold__the_middle(n, epsilon0, delta):
    return round(n / (1 + math.exp(epsilon0)))


def best_threshold__without_delta(n, epsilon0, delta):
    no, yes = (np.cumsum(law) for law in bag_laws(n, 0, epsilon0))
    return int(np.argmax(no / yes))


def two_ballots__twice_one_among_as_many_people(n, epsilon0, delta):
    return 2 * bag_epsilon(n, 0, epsilon0, delta)


def two_ballots__twice_one_among_as_many_ballots(n, epsilon0, delta):
    return 2 * bag_epsilon(2 * n, 0, epsilon0, delta)


def dummies_delta__the_worst_single_bag(epsilon, m):
    return 0.5**m


def dummies_delta__without_epsilon(epsilon, m):
    law = stats.binom.pmf(np.arange(-1, m + 2), m, 0.5)
    return float(np.maximum(law[1:] - law[:-1], 0).sum())
