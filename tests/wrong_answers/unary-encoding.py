"""Wrong answers to the exercises of "Unary encoding"."""

import math


def matching_p__one_place_instead_of_two(q, epsilon):
    return q * math.exp(epsilon)


def matching_p__the_symmetric_one(q, epsilon):
    return 1 - q


def matching_p__the_optimized_one(q, epsilon):
    return 0.5


def crossing_share__a_quarter(epsilon):
    return 0.25


def crossing_share__optimized_less_symmetric(epsilon):
    return -0.25 / math.cosh(epsilon / 4) ** 2


def crossing_share__at_the_whole_budget(epsilon):
    return 0.25 / math.cosh(epsilon / 2) ** 2
