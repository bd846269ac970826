"""Wrong answers to the exercises of "One per cent of liars"."""

# ruff: noqa: F821, names of the chapter

import math


def liars_needed__as_if_they_came_on_top_of_the_honest_shares(oracle, s, w):
    return (w - s) / ((1 - oracle.q) / (oracle.p - oracle.q))


def liars_needed__forgets_what_is_subtracted(oracle, s, w):
    return (w - s) / (1 / (oracle.p - oracle.q) - s)


def liars_needed__they_only_lie_about_the_value(oracle, s, w):
    return (w - s) / (1 - s)


def all_but_one__compares_standard_deviations(epsilon, d):
    ours, best = SubsetSelection(epsilon, d, k=d - 1), SubsetSelection(epsilon, d)
    return [(1 - ours.q) / (ours.p - ours.q), math.sqrt(ours.variance(1) / best.variance(1))]


def all_but_one__names_one_value(epsilon, d):
    ours, best = DirectEncoding(epsilon, d), SubsetSelection(epsilon, d)
    return [(1 - ours.q) / (ours.p - ours.q), ours.variance(1) / best.variance(1)]


def cut_off__as_if_both_were_unbiased(t, epsilon):
    return [t, t]


def cut_off__the_upper_end_only(t, epsilon):
    b = 2 / epsilon
    return [t - b / 2 * math.exp(-(Duchi(epsilon).support[1] - t) / b), t]


def cut_off__noise_of_scale_one_over_epsilon(t, epsilon):
    b, end = 1 / epsilon, Duchi(epsilon).support[1]
    return [t - b / 2 * (math.exp(-(end - t) / b) - math.exp(-(end + t) / b)), t]


def cut_off__the_colleague_sets_to_the_end_of_the_range(t, epsilon):
    b, end = 2 / epsilon, Duchi(epsilon).support[1]
    above, below = math.exp(-(end - t) / b), math.exp(-(end + t) / b)
    return [t - b / 2 * (above - below), t - b / 2 * (math.exp(-(1 - t) / b) - math.exp(-(1 + t) / b))]
