"""What the text of "Unary encoding" claims; run in its namespace."""

# Symmetric bits: SUE
assert (bits_off > 4 * sue_sd).all()
assert estimate_off.max() < 3 * sue_sd < bits_off.min()
assert abs(other_set - ones_expected) < 4 * math.sqrt(n * p * (1 - p))

# SUE and OUE on the census people
assert better[major]
assert not better[rarest]
unit_half = math.sqrt(OptimizedUnary(0.5, d).variance(n))
assert math.isclose(level, math.cosh(5 / 4))
assert 1.96 * widest < 13
half_major = math.sqrt(OptimizedUnary(0.5, d).variance(n, true_counts[major])) / unit_half
half_level = math.cosh(0.5 / 4)
assert half_level < half_major < 1.05
assert 0.9 * half_sue < half_oue < half_sue
assert half_oue > fewest

# What a row of bits gives away
assert guesses["OUE", 1.0] > guesses["SUE", 1.0]
assert guesses["OUE", 5.0] < guesses["SUE", 5.0]
for column in one_in.values():
    assert math.isclose(column[0] / column[1], math.e)

# Exercises
for e in (0.1, 1.0, 5.0):
    short = 1 / (2 * math.cosh(e / 4)) ** 2
    assert math.isclose(crossing_solution(e), short, rel_tol=1e-9)
assert max(true_counts) / n > 1 / 4
