"""Wrong answers to the exercises of Private learning."""

import math


def walk_length__steps_in_a_line(steps, rate, sigma, n, d):
    return rate * sigma / n * steps * math.sqrt(d)


def walk_length__one_entry(steps, rate, sigma, n, d):
    return rate * sigma / n * math.sqrt(steps)


def steps_bought__not_whole(sigma, epsilon, delta):
    log = math.log(1 / delta)
    return 2 * sigma**2 * (math.sqrt(log + epsilon) - math.sqrt(log)) ** 2


def steps_bought__rho_for_epsilon(sigma, epsilon, delta):
    return math.floor(2 * sigma**2 * epsilon)
