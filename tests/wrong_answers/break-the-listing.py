"""Wrong answers to the exercises of "Break the listing"."""

import math

import numpy as np

from ldp_book.faults import frequency as faults
from ldp_core.frequency import OptimizedUnary


def mended_channel__as_printed(epsilon, d):
    return faults.offset_from_zero_channel(epsilon, d)


def mended_channel__one_offset_too_many(epsilon, d):
    p = math.exp(epsilon) / (math.exp(epsilon) + d - 1)
    return np.full((d, d), (1 - p) / d) + p * np.eye(d)


def gap_probability__the_holders_chance(n, epsilon, d):
    return (1 - math.exp(epsilon) / (math.exp(epsilon) + d - 1)) ** n


def gap_probability__one_minus_what_is_expected(n, epsilon, d):
    return 1 - n / (math.exp(epsilon) + d - 1)


def unbiased_pair__negatives_to_0(epsilon):
    p, q = math.exp(epsilon) / (math.exp(epsilon) + 1), 1 / (math.exp(epsilon) + 1)
    return p / (p - q), 0.0


def unbiased_pair__the_report_itself(epsilon):
    return 1.0, 0.0


def replacement_factor__draws_without_replacement(d, k):
    return 1.0


def replacement_factor__without_the_scaling(d, k):
    return 1 - (1 - 1 / d) ** k


def late_estimate__as_the_server_did(counts, n, epsilon):
    oracle = OptimizedUnary(epsilon, 3)
    return oracle.estimate(counts, n)


def late_estimate__the_own_bit_in_the_first_term_too(counts, n, epsilon):
    q = 1 / (math.exp(epsilon) + 1)
    return (counts - n * (1 + q) / 2) / ((1 + q) / 2 - q)
