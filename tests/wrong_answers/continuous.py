"""Wrong answers to the exercises of "Continuous features"."""


def variance_of_class_mean__takes_the_class_as_known(n, P, t, epsilon):
    return 8 / epsilon**2 / (n * P**2)


def variance_of_class_mean__divides_by_the_share_once(n, P, t, epsilon):
    return (8 / epsilon**2 + t**2 * P * (1 - P)) / (n * P)


def variance_of_class_mean__noise_of_scale_1_over_epsilon(n, P, t, epsilon):
    return (2 / epsilon**2 + t**2 * P * (1 - P)) / (n * P**2)


def largest_distance__zeros_cost_budget(h, k):
    return 2 * h * k


def largest_distance__two_columns_cost_twice(h, k):
    return 4 * h


def largest_distance__as_of_features_alone(h, k):
    return h
