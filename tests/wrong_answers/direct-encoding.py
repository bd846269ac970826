"""Wrong answers to the exercises of "Direct encoding"."""

import math

import numpy as np


def estimate_from_dictionary__a_count_that_is_missing_is_an_estimate_of_0(found, d, epsilon):
    p, q = math.exp(epsilon) / (math.exp(epsilon) + d - 1), 1 / (math.exp(epsilon) + d - 1)
    n = sum(found.values())
    return np.array([(found[code] - n * q) / (p - q) if code in found else 0 for code in range(d)])


def estimate_from_dictionary__in_the_order_of_the_dictionary(found, d, epsilon):
    p, q = math.exp(epsilon) / (math.exp(epsilon) + d - 1), 1 / (math.exp(epsilon) + d - 1)
    counts = np.zeros(d)
    counts[: len(found)] = list(found.values())
    return (counts - counts.sum() * q) / (p - q)


def estimate_from_dictionary__as_many_values_as_occurred(found, d, epsilon):
    q = 1 / (math.exp(epsilon) + len(found) - 1)
    counts = np.zeros(d)
    counts[list(found)] = list(found.values())
    return (counts - counts.sum() * q) / ((math.exp(epsilon) - 1) * q)


def belief__the_probability_of_the_truth(true_counts, epsilon):
    return np.full(len(true_counts), math.exp(epsilon) / (math.exp(epsilon) + len(true_counts) - 1))


def belief__the_share_of_the_people(true_counts, epsilon):
    return np.array(true_counts) / np.sum(true_counts)


def belief__lies_spread_over_the_people(true_counts, epsilon):
    c = np.array(true_counts)
    p = math.exp(epsilon) / (math.exp(epsilon) + len(c) - 1)
    return c * p / (c * p + (c.sum() - c) * (1 - p))


def invert__a_column_vector(counts, channel):
    return np.linalg.solve(channel, counts)


def invert__each_column_by_its_diagonal(counts, channel):
    return np.array(counts) / np.diag(channel)


def census_epsilon__in_the_column_of_the_commonest(a, shares):
    return math.log(1 + a / ((1 - a) * max(shares)))


def census_epsilon__as_with_uniform_lies(a, shares):
    return math.log(1 + a / (1 - a) * len(shares))


def census_epsilon__a_lie_is_never_the_truth(a, shares):
    return math.log(a / ((1 - a) * min(shares)))
