"""Wrong answers to the exercises of "Two questions, one whisper"."""

import math

import numpy as np


def yes_twice__the_products_without_the_single_answers(both, first, second, n, epsilon):
    q = 1 / (1 + math.exp(epsilon / 2))
    return (both - n * q**2) / (1 - 2 * q) ** 2


def yes_twice__all_of_epsilon_for_each_answer(both, first, second, n, epsilon):
    q = 1 / (1 + math.exp(epsilon))
    return (both - q * (first + second) + n * q**2) / (1 - 2 * q) ** 2


def yes_twice__two_single_estimates_multiplied(both, first, second, n, epsilon):
    q = 1 / (1 + math.exp(epsilon / 2))
    return (first - n * q) * (second - n * q) / (n * (1 - 2 * q) ** 2)


def hiding_fakes__even(prior, epsilon):
    return np.full(len(prior), 1 / len(prior))


def hiding_fakes__like_true_answers(prior, epsilon):
    return np.array(prior)


def hiding_fakes__randomized_response_of_two_answers(prior, epsilon):
    q = 1 / (math.exp(epsilon) + 1)
    return q + (1 - 2 * q) * np.array(prior)


def drawn_pair__everybody_is_asked_each_pair(n, h, epsilon):
    e = math.exp(epsilon)
    return math.sqrt((e + 2) / (e - 1) ** 2 / n)


def drawn_pair__ordered_pairs(n, h, epsilon):
    e = math.exp(epsilon)
    return math.sqrt(h * (h - 1) * (e + 2) / (e - 1) ** 2 / n)


def drawn_pair__two_answers(n, h, epsilon):
    e = math.exp(epsilon)
    return math.sqrt(h * (h - 1) / 2 * e / (e - 1) ** 2 / n)
