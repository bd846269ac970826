"""Wrong answers to the exercises of k-anonymity and its limits."""

import numpy as np


def entropy_l__values_counted(counts):
    return float(np.count_nonzero(counts))


def entropy_l__bits(counts):
    p = np.array([c for c in counts if c > 0]) / sum(counts)
    return float(np.exp(-np.sum(p * np.log2(p))))


def entropy_l__the_exponent_only(counts):
    p = np.array([c for c in counts if c > 0]) / sum(counts)
    return float(-np.sum(p * np.log(p)))


def least_cost__cut_from_the_left(ages, k):
    n, cost, start = len(ages), 0, 0
    while start < n:
        end = n if n - start < 2 * k else start + k
        cost += (end - start) * (ages[end - 1] - ages[start])
        start = end
    return cost
