"""Wrong answers to the exercises of "One number"."""

import math

import numpy as np

from ldp_core.numeric import Piecewise


def integrated_variance__a_second_moment(epsilon, t):
    C = (math.exp(epsilon / 2) + 1) / (math.exp(epsilon / 2) - 1)
    y, width = np.linspace(-C, C, 400_001, retstep=True)
    return float(np.sum(Piecewise(epsilon).density(y, t) * y**2) * width)


def integrated_variance__reports_between_1_and_minus_1_only(epsilon, t):
    y, width = np.linspace(-1, 1, 400_001, retstep=True)
    return float(np.sum(Piecewise(epsilon).density(y, t) * (y - t) ** 2) * width)


def average_difference__the_worst_cases(epsilon):
    a, B = math.exp(epsilon / 2), 1 / math.tanh(epsilon / 2)
    return B**2 - 4 * a / (3 * (a - 1) ** 2)


def average_difference__piecewise_less_duchi(epsilon):
    a, B = math.exp(epsilon / 2), 1 / math.tanh(epsilon / 2)
    return 1 / (3 * (a - 1)) + (a + 3) / (3 * (a - 1) ** 2) - B**2 + 1 / 3


def average_difference__at_the_mean_of_t(epsilon):
    a, B = math.exp(epsilon / 2), 1 / math.tanh(epsilon / 2)
    return B**2 - (a + 3) / (3 * (a - 1) ** 2)


def best_share__the_published_one(epsilon):
    return 1 / (math.exp(epsilon / 2) + 1)


def best_share__rounded_to_the_step_of_the_slider(epsilon):
    m, s = math.exp(epsilon) - 1, np.arange(0.05, 0.71, 0.05)
    excess = m * s / (1 + m * s)
    C = 1 / (excess * (1 - s))
    return float(s[np.argmin(C**2 / 3 * (1 - excess + excess * s**2) + 1 / excess)])


def best_share__of_a_person_at_0(epsilon):
    m, s = math.exp(epsilon) - 1, np.linspace(0.001, 0.999, 99_901)
    excess = m * s / (1 + m * s)
    C = 1 / (excess * (1 - s))
    return float(s[np.argmin(C**2 / 3 * (1 - excess + excess * s**2))])


def three_variance__duchis(epsilon, t):
    return 1 / math.tanh(epsilon / 2) ** 2 - t**2


def three_variance__without_the_rounding(epsilon, t):
    q, B = 1 / (math.exp(epsilon) + 2), (math.exp(epsilon) + 2) / (math.exp(epsilon) - 1)
    return 2 * q * B**2 + B * t**2 - t**2


def three_variance__a_report_is_never_0(epsilon, t):
    return ((math.exp(epsilon) + 2) / (math.exp(epsilon) - 1)) ** 2 - t**2
