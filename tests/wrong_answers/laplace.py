"""What the chapter on differential privacy warns of."""

import math

import numpy as np


def best_guess__the_bound_for_one_laplace_answer(epsilon, k):
    return 1 - math.exp(-k * epsilon / 2) / 2


def best_guess__one_answer_only(epsilon, k):
    return math.exp(epsilon) / (math.exp(epsilon) + 1)


def geometric_channel__tails_not_collected(n, epsilon):
    a = math.exp(-epsilon)
    c, y = np.indices((n + 1, n + 1))
    return a ** np.abs(y - c) * (1 - a) / (1 + a)


def geometric_channel__rows_scaled_up_to_1(n, epsilon):
    c, y = np.indices((n + 1, n + 1))
    law = np.exp(-epsilon * np.abs(y - c))
    return law / law.sum(axis=1, keepdims=True)
