"""What the chapter on local sensitivity warns of."""

import math


def gap__only_pairs_around_the_middle(values, k, low, high):
    x = [low, *sorted(values), high]
    m = len(x) // 2
    return max(x[min(m + k + 1, len(x) - 1)] - x[m], x[m] - x[max(m - k - 1, 0)])


def gap__one_record_too_few_between(values, k, low, high):
    x = [low, *sorted(values), high]
    m = len(x) // 2
    pairs = [(i, j) for i in range(m + 1) for j in range(max(m, i + 1), len(x)) if j - i <= max(k, 1)]
    return max(x[j] - x[i] for i, j in pairs)


def best_chunks__scale_of_the_noise_for_its_deviation(n, c, w, epsilon):
    return math.sqrt(w * n / (c * epsilon))
