"""What the chapter on (ε, δ) warns of."""

import math

from scipy import stats


def crossing__the_form_with_the_constant_two(epsilon, delta):
    return 8 * math.log(1 / delta)


def crossing__without_the_second_term(epsilon, delta):
    return 2 * math.log(1 / delta)


def integrated_delta__how_often_the_ratio_is_exceeded(epsilon, sigma):
    return stats.norm.sf(epsilon * sigma - 0.5 / sigma)


def integrated_delta__the_recipe_turned_round(epsilon, sigma):
    return 1.25 * math.exp(-((epsilon * sigma) ** 2) / 2)
