"""Wrong answers to the exercises of "Many dimensions"."""

import math


def largest_epsilon__any_number_of_coordinates(d):
    return math.sqrt(8)


def largest_epsilon__the_mean_not_taken_off(d):
    return math.sqrt(8 * (d - 1))


def largest_epsilon__a_variance_for_a_deviation(d):
    return 8 * d


def largest_epsilon__the_published_rule(d):
    return 2.5 * d


def right_signs__each_as_in_one_dimension(epsilon, d):
    return d * math.exp(epsilon) / (math.exp(epsilon) + 1)


def right_signs__a_majority_in_its_half(epsilon, d):
    return d / 2 * (1 + math.tanh(epsilon / 2))


def right_signs__ties_in_both_halves(epsilon, d):
    corners = 2 ** (d - 1) + (d % 2 == 0) * math.comb(d, d // 2) / 2
    return d / 2 * (1 + math.tanh(epsilon / 2) * math.comb(d - 1, d // 2) / corners)


def best_k__the_published_one(epsilon, d):
    return max(1, min(d, math.floor(epsilon / 2.5)))


def best_k__the_published_one_rounded(epsilon, d):
    return max(1, min(d, round(epsilon / 2.5)))


def best_k__everything(epsilon, d):
    return d


def loudest_mean__unbiased(t):
    return list(t)


def loudest_mean__the_loudest_alone(t):
    return [x if abs(x) == max(map(abs, t)) else 0.0 for x in t]


def loudest_mean__the_largest_not_the_loudest(t):
    return [len(t) * x if x == max(t) else 0.0 for x in t]
