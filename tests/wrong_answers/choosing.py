"""Wrong answers that the chapter on choosing an oracle warns of: none may pass."""

import math


def best_buckets__rounded(epsilon):
    return round(math.exp(epsilon)) + 1


def pick__as_if_only_d_counted(epsilon, d):
    return "DE" if d < 10 else "OUE"
