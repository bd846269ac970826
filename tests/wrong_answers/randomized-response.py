"""Wrong answers to the exercises of "Randomized response"."""

import math

import numpy as np


def warner_estimate__the_other_side_tells_nothing(yeses, n, P):
    return yeses / P


def warner_estimate__as_if_most_spins_named_the_group(yeses, n, P):
    p = max(P, 1 - P)
    return (yeses - n * (1 - p)) / (2 * p - 1)


def warner_estimate__falsehoods_taken_off_and_truths_not_scaled_up(yeses, n, P):
    return yeses - n * (1 - P)


def unrelated_channel__the_fair_coin_whatever_the_question(u):
    return np.array([[0.75, 0.25], [0.25, 0.75]])


def unrelated_channel__yes_and_no_exchanged(u):
    return np.array([[u / 2, 1 - u / 2], [0.5 + u / 2, 0.5 - u / 2]])


def unrelated_channel__one_column_for_each_truth(u):
    return np.array([[1 - u / 2, u / 2], [0.5 - u / 2, 0.5 + u / 2]]).T


def estimate_again__as_if_there_were_one_round(yeses, n, epsilon):
    p = math.exp(epsilon) / (math.exp(epsilon) + 1)
    return (yeses - n * (1 - p)) / (2 * p - 1)


def estimate_again__two_rounds_are_two_budgets(yeses, n, epsilon):
    p = math.exp(2 * epsilon) / (math.exp(2 * epsilon) + 1)
    return (yeses - n * (1 - p)) / (2 * p - 1)


def estimate_again__the_second_report_stands_for_all(yeses, n, epsilon):
    p = math.exp(epsilon) / (math.exp(epsilon) + 1)
    q = 1 - p
    return (yeses - n * q * (1 + q)) / (p * (1 + p) - q * (1 + q))
