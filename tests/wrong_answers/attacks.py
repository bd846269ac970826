"""Wrong answers to the exercises of De-identification and two attacks."""

import numpy as np


def expected_unique__as_if_cells_were_equal(n, probabilities):
    return (1 - 1 / len(probabilities)) ** (n - 1)


def expected_unique__people_and_not_their_share(n, probabilities):
    p = np.asarray(probabilities)
    return n * np.sum(p * (1 - p) ** (n - 1))


def victims_hours__the_victim_may_be_in_the_half(answer, person, half):
    return answer(half | person) - answer(half)


def hours_by_combination__blocks_left_over(answer, person, blocks):
    one, two, three, _ = blocks
    with_one, without = answer([one | two | person, one | three])
    return with_one - without
