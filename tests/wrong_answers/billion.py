"""Wrong answers to the exercises of "From a classroom to a billion users"."""

import math

import numpy as np


def combine__is_their_mean(estimates, sizes):
    return np.mean(estimates, axis=0)


def combine__weights_counts_as_if_they_were_shares(estimates, sizes):
    return np.average(estimates, axis=0, weights=sizes)


def covariance__counts_of_different_values_are_independent(counts, epsilon):
    return 0.0


def covariance__everybody_holds_another_value(counts, epsilon):
    q = 1 / (math.exp(epsilon) + len(counts) - 1)
    return -sum(counts) * q**2


def people_needed__this_year_has_no_noise(epsilon, delta):
    return 4 / math.tanh(epsilon / 2) ** 2 / delta**2


def people_needed__half_the_change_takes_twice_as_many(epsilon, delta):
    return 8 / math.tanh(epsilon / 2) ** 2 / delta
