"""Wrong answers to the milestones of "Final project: your own private survey"."""

import math

import numpy as np


def largest_belief__the_odds(epsilon):
    return math.exp(epsilon)


def largest_belief__the_slip_of_a_textbook(epsilon):
    return math.exp(-epsilon)


def my_channel__a_lie_may_be_the_truth(epsilon, d):
    p = math.exp(epsilon) / (math.exp(epsilon) + d - 1)
    return np.full((d, d), (1 - p) / d) + p * np.eye(d)


def my_channel__says_nothing(epsilon, d):
    return np.full((d, d), 1 / d)


def my_channel__unary_bits_at_the_whole_budget(epsilon, d):
    return np.full((d, d), 1 / (math.exp(2 * epsilon) + d - 1)) + np.eye(d) * math.expm1(2 * epsilon) / (
        math.exp(2 * epsilon) + d - 1
    )
