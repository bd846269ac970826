"""Wrong answers to the exercise of "Before you start"."""


def share_of_evens__counts_them(values):
    return (values % 2 == 0).sum()


def share_of_evens__takes_the_rest_for_a_truth_value(values):
    return (values % 2).mean()


def share_of_evens__the_mean_of_the_even_numbers(values):
    return values[values % 2 == 0].mean()
