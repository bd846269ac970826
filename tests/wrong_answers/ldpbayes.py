"""Wrong answers to the exercises of "LDPBayes"."""

import math

import numpy as np
from scipy.optimize import brentq

from ldp_core.frequency import SetSubsetSelection, SubsetSelection


def p_and_q__of_a_report_that_names_own_codes_only(epsilon, d, m, k):
    met = math.exp(epsilon) * math.comb(d - 1, k - 1)
    total = math.exp(epsilon) * (math.comb(d, k) - math.comb(d - m, k)) + math.comb(d - m, k)
    return np.array([met / total, math.comb(d - m - 1, k - 1) / total])


def p_and_q__all_reports_alike(epsilon, d, m, k):
    return np.array([k / d, k / d])


def ratio_of_variances__sampled_people_without_their_factor(epsilon, h, values):
    whole = SetSubsetSelection(epsilon, 2 * h * values, set_size=h).variance(1, 0)
    return whole / SubsetSelection(epsilon, 2 * values).variance(1, 0)


def ratio_of_variances__one_class(epsilon, h, values):
    sampled = h * SubsetSelection(epsilon, values).variance(1, 0)
    return SetSubsetSelection(epsilon, h * values, set_size=h).variance(1, 0) / sampled


def ratio_of_variances__the_limit(epsilon, h, values):
    x = brentq(lambda x: 2 * x * math.exp(x) - math.expm1(x) - math.exp(-epsilon), 0, 0.5)
    return x * math.exp(2 * x + epsilon)
