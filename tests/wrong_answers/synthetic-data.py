"""Wrong answers to the exercises of Synthetic data."""

import math

import numpy as np


def one_age__the_separate_table_at_all_of_epsilon(epsilon, d):
    return np.array([math.sqrt(2 * d) / epsilon, math.sqrt(2) / epsilon])


def one_age__scales_for_deviations(epsilon, d):
    return np.array([math.sqrt(d) / epsilon, 2 / epsilon])


def people_lost__all_of_epsilon_for_the_choices(scores, epsilon, h):
    u = np.asarray(scores) - np.max(scores)
    chances = np.exp(epsilon / (h - 1) * u / 4)
    return -np.sum(chances * u) / chances.sum()


def people_lost__sensitivity_1(scores, epsilon, h):
    u = np.asarray(scores) - np.max(scores)
    chances = np.exp(epsilon / (3 * (h - 1)) * u / 2)
    return -np.sum(chances * u) / chances.sum()


def people_lost__the_best_is_always_chosen(scores, epsilon, h):
    return 0.0
