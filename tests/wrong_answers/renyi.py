"""What the chapter on accounting warns of."""

import math


def least_variance__equal_shares(rho, sensitivities):
    return len(sensitivities) * sum(s**2 for s in sensitivities) / (2 * rho)


def renyi_of_rr__two_categories_only(alpha, epsilon, d):
    p, q = math.exp(epsilon) / (math.exp(epsilon) + d - 1), 1 / (math.exp(epsilon) + d - 1)
    return math.log(p**alpha * q ** (1 - alpha) + q**alpha * p ** (1 - alpha)) / (alpha - 1)


def renyi_of_rr__as_if_nothing_else_were_known(alpha, epsilon, d):
    p, q = math.exp(epsilon) / (math.exp(epsilon) + 1), 1 / (math.exp(epsilon) + 1)
    return math.log(p**alpha * q ** (1 - alpha) + q**alpha * p ** (1 - alpha)) / (alpha - 1)
