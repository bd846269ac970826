"""What the chapter on sensitivity warns of."""

import math


def deviation_of_mean__upper_minus_lower(n, low, high, epsilon):
    return math.sqrt(2) * (high - low) / epsilon / n


def deviation_of_mean__not_shifted(n, low, high, epsilon):
    return math.sqrt(2) * max(abs(low), abs(high)) / epsilon / n


def best_bound__scale_of_the_noise_for_its_deviation(n, mu, epsilon):
    return mu * math.log(n * epsilon)
