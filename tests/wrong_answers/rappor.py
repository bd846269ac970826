"""Wrong answers to the exercises of "RAPPOR: asked every day"."""

import math

from ldp_core.frequency import Rappor


def quarters__the_whole_budget_in_each_period(budget, periods, n):
    a = 1 / (1 + math.exp(budget / 2))
    return [2 * a, math.sqrt(n * a * (1 - a)) / (1 - 2 * a)]


def quarters__one_bit_only(budget, periods, n):
    a = 1 / (1 + math.exp(budget / periods))
    return [2 * a, math.sqrt(n * a * (1 - a)) / (1 - 2 * a)]


def quarters__gives_a_for_f(budget, periods, n):
    a = 1 / (1 + math.exp(budget / periods / 2))
    return [a, math.sqrt(n * a * (1 - a)) / (1 - 2 * a)]


def two_days__as_without_memory(f, on, off):
    return 2 * Rappor(2, f=f, on=on, off=off).epsilon


def two_days__as_for_ever(f, on, off):
    return Rappor(2, f=f, on=on, off=off).epsilon_forever


def minutes__the_two_answers_are_drawn_anew_each_day(x, y, epsilon):
    p = math.exp(epsilon) / (math.exp(epsilon) + 1)
    one, other = (1 - p + (2 * p - 1) * z for z in (x, y))
    return [one, one * (1 - other) + other * (1 - one)]


def minutes__the_kept_answers_differ_always(x, y, epsilon):
    p = math.exp(epsilon) / (math.exp(epsilon) + 1)
    return [1 - p + (2 * p - 1) * x, abs(x - y)]
