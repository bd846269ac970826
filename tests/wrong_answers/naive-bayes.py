"""Wrong answers to the exercises of "Naive Bayes, privately"."""

import math


def decode__counts_values_from_0(code, k):
    return code // k, code % k


def decode__runs_through_values_first(code, k):
    return (code - 1) % k + 1, (code - 1) // k + 1


def split_over_sample__its_limit_at_small_epsilon(epsilon, inputs):
    return inputs


def split_over_sample__as_many_people_in_both(epsilon, inputs):
    def v(e):
        return 4 * math.exp(e) / math.expm1(e) ** 2

    return v(epsilon / inputs) / v(epsilon)


def split_over_sample__the_other_way_round(epsilon, inputs):
    def v(e):
        return 4 * math.exp(e) / math.expm1(e) ** 2

    return inputs * v(epsilon) / v(epsilon / inputs)
