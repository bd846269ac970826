"""Wrong answers to the exercises of "Histogram encoding"."""

import math


def pass_probabilities__the_formulas_between_0_and_1_anywhere(epsilon, theta):
    return 1 - 0.5 * math.exp(epsilon * (theta - 1) / 2), 0.5 * math.exp(-epsilon * theta / 2)


def pass_probabilities__the_sign_of_the_textbook(epsilon, theta):
    return 1 - 0.5 * math.exp(epsilon * (1 - theta) / 2), 0.5 * math.exp(-epsilon * theta / 2)


def pass_probabilities__without_the_half(epsilon, theta):
    return 1 - 0.5 * math.exp(epsilon * (theta - 1) / 2), math.exp(-epsilon * theta / 2)


def variance_ratio__its_limit(epsilon):
    return 0.5


def variance_ratio__at_one_half(epsilon):
    q = 0.5 * math.exp(-epsilon / 4)
    return q * (1 - q) / (1 - 2 * q) ** 2 / (8 / epsilon**2)


def variance_ratio__at_the_threshold_1(epsilon):
    q = 0.5 * math.exp(-epsilon / 2)
    return q * (1 - q) / (0.5 - q) ** 2 / (8 / epsilon**2)
