"""Wrong answers to the exercises of "Sketches, and words nobody listed"."""

import math

import numpy as np
from scipy import stats


def found_by_hand__a_prefix_is_held_or_not(shares, m, epsilon):
    q = 1 / (math.exp(epsilon) + 1)
    bar = m * q + 4 * math.sqrt(m * q * (1 - q))
    return np.prod(stats.binom.sf(math.ceil(bar) - 1, m, np.array(shares)))


def found_by_hand__the_last_group_alone(shares, m, epsilon):
    q = 1 / (math.exp(epsilon) + 1)
    bar = m * q + 4 * math.sqrt(m * q * (1 - q))
    return stats.binom.sf(math.ceil(bar) - 1, m, q + shares[-1] * (1 / 2 - q))


def collisions_of_a_row__without_the_mean_over_the_functions(counts, x, width):
    others = np.sum(counts) - counts[x]
    return [others / width, others / width]


def collisions_of_a_row__divides_by_the_width(counts, x, width):
    return [0.0, (np.sum(counts**2) - counts[x] ** 2) / width]


def loudest__a_report_is_one_person(oracle):
    return 1.0


def loudest__noise_protects_from_liars(oracle):
    return oracle.p - oracle.q


def loudest__forgets_what_is_subtracted(oracle):
    return 1 / (oracle.p - oracle.q)
