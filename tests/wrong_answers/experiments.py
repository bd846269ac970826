"""Wrong answers to the exercises of "The experiments"."""

# ruff: noqa: F821, names of the chapter

import math

import numpy as np

from ldp_core.learn import LDPNaiveBayes, paired


def unpaired_error__pairs_them(first, second):
    return paired(first, second)[1]


def unpaired_error__is_a_standard_deviation(first, second):
    return math.sqrt(np.var(first, ddof=1) + np.var(second, ddof=1))


def unpaired_error__divides_by_r_and_not_by_one_less(first, second):
    return math.sqrt(np.var(first) / len(first) + np.var(second) / len(second))


def accuracy_of_a_crowd__leaves_the_people_as_they_are(epsilon, times):
    def one(seed):
        model = LDPNaiveBayes(epsilon, oracle="oue", random_state=np.random.default_rng(seed), **schema_m)
        return model.fit_counts(model.tabulate(X_m, y_m)).score(X_m, y_m)

    return float(np.mean([one(seed) for seed in range(5)]))


def accuracy_of_a_crowd__a_larger_budget_instead(epsilon, times):
    def one(seed):
        model = LDPNaiveBayes(
            epsilon * math.sqrt(times), oracle="oue", random_state=np.random.default_rng(seed), **schema_m
        )
        return model.fit_counts(model.tabulate(X_m, y_m)).score(X_m, y_m)

    return float(np.mean([one(seed) for seed in range(5)]))
