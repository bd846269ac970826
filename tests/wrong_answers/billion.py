"""Wrong answers to the exercises of "From a classroom to a billion"."""

import numpy as np


def combine__is_their_mean(estimates, sizes):
    return np.mean(estimates, axis=0)


def combine__weights_counts_as_if_they_were_shares(estimates, sizes):
    return np.average(estimates, axis=0, weights=sizes)


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
