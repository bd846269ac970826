"""What the chapter on the exponential mechanism warns of."""

from itertools import product

import numpy as np

from ldp_core.audit import exact_epsilon
from ldp_core.central import exponential_probabilities


def near_quartile__the_factor_for_any_scores(epsilon):
    u = -np.array([max((town < a).sum() / 4, 3 * (town > a).sum() / 4) for a in range(126)])  # noqa: F821
    p = exponential_probabilities(u, epsilon=epsilon, sensitivity=0.75)
    return float(p[abs(np.arange(126) - np.argmax(u)) <= 1].sum())


def near_quartile__sensitivity_1(epsilon):
    u = -np.array([max((town < a).sum() / 4, 3 * (town > a).sum() / 4) for a in range(126)])  # noqa: F821
    p = exponential_probabilities(u, epsilon=epsilon, monotone=True)
    return float(p[abs(np.arange(126) - np.argmax(u)) <= 1].sum())


def audited__what_the_theorem_promises(epsilon):
    return epsilon


def audited__one_score_at_a_time(epsilon):
    law = {u: exponential_probabilities(np.array(u, float), epsilon=epsilon) for u in product(range(-1, 5), repeat=3)}
    moves = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    return max(
        exact_epsilon([law[u], law[tuple(np.add(u, m).tolist())]]) for u in product(range(4), repeat=3) for m in moves
    )
