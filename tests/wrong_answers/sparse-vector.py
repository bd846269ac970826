"""What the chapter on the sparse vector technique warns of."""

import math

from ldp_core.central import above_threshold_probabilities


def chance_of_finding__overall_chances_multiplied(epsilon):
    below = above_threshold_probabilities([0.0], 5.0, threshold_scale=2 / epsilon, answer_scale=4 / epsilon)[-1]
    found = above_threshold_probabilities([10.0], 5.0, threshold_scale=2 / epsilon, answer_scale=4 / epsilon)[0]
    return float(below**30 * found)


def chance_of_finding__threshold_without_noise(epsilon):
    tail = math.exp(-5 * epsilon / 4) / 2
    return (1 - tail) ** 31


def best_share__half_each():
    return 0.5
