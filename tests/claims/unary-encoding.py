"""What the text of "Unary encoding" claims; run in its namespace."""

from ldp_core.audit import posterior

# Symmetric bits: SUE
assert (bits_off > 4 * sue_sd).all()
assert estimate_off.max() < 3 * sue_sd < bits_off.min()
assert abs(other_set - ones_expected) < 4 * math.sqrt(n * p * (1 - p))

# Which bits should lie? OUE
fine = np.linspace(0.01, 0.99, 99)
for e in (0.2, 1.0, 2.0, 6.0):
    assert math.isclose(fine[np.argmin(deviation_at(fine, e))], 0.5)
    sue, oue = SymmetricUnary(e, d), OptimizedUnary(e, d)
    assert sue.p > 0.5
    shape = deviation_at(grid, e) / deviation_at(0.5, e)
    assert np.allclose(shape, np.cosh(np.log(grid / (1 - grid)) / 2))  # the same at every ε
    assert math.isclose(math.sqrt(sue.variance(n) / oue.variance(n)), math.cosh(e / 4))
    for kind, share in ((SymmetricUnary, 0.5), (OptimizedUnary, 0.0)):
        assert math.isclose(told(kind(e, d))["ε₁"], share * e, abs_tol=1e-12)
        assert math.isclose(told(kind(e, d))["ε₀"], (1 - share) * e, rel_tol=1e-12)
by_sue, by_oue_too = (luck < np.where(held_bits, kind(5.0, 10).p, kind(5.0, 10).q) for kind in kinds.values())
assert (held_bits & ~by_oue_too).sum() > 3 * (held_bits & ~by_sue).sum()
assert (~held_bits & by_oue_too).sum() < (~held_bits & by_sue).sum()

# SUE and OUE on the five answers
assert (true_counts[better].min() > true_counts[~better]).all()
assert better[major]
assert not better[rarest]
unit_five, unit_half = (math.sqrt(OptimizedUnary(e, d).variance(n)) for e in (5.0, 0.5))
assert math.isclose(level, 1.96 * math.cosh(5 / 4) * unit_five)
assert 20 < 1.96 * unit_five < least < level < widest < 40_000
half_major = math.sqrt(OptimizedUnary(0.5, d).variance(n, true_counts[major])) / unit_half
half_level = math.cosh(0.5 / 4)
assert half_level < half_major < 1.02 * half_level
assert max(gaps_half.max(), 1 / gaps_half.min()) < 1.02
assert 0.9 * half_sue < half_oue < half_sue
assert half_oue > fewest

# What a row of bits gives away
for (name, e), guess in guesses.items():
    assert guess <= math.exp(e) / (math.exp(e) + d - 1) + 1e-12
    if name in kinds:
        o = kinds[name](e, d)
        on_list = o.p * (1 - (1 - o.q) ** d) / (d * o.q)
        assert math.isclose(guess, on_list + (1 - o.p) * (1 - o.q) ** (d - 1) / d)
        assert guess < guesses["DE", e]
assert guesses["OUE", 1.0] > guesses["SUE", 1.0]
assert guesses["OUE", 5.0] < guesses["SUE", 5.0]
# the theorem, in every column of the channel, with equal and with unequal priors
for prior in (np.full(3, 1 / 3), np.array([0.7, 0.2, 0.1])):
    for kind in kinds.values():
        o = kind(1.3, 3)
        weights = prior[:, None] * np.exp(1.3 * o.outputs().T)
        assert np.allclose(posterior(o.channel(), prior).reshape(weights.shape), weights / weights.sum(axis=0))
for e in (0.5, 1.0, 2.0, 4.0):
    for kind in kinds.values():
        of_three = kind(e, 3).channel()
        assert math.isclose(exact_epsilon(of_three), e)
        assert of_three.min() > 0
        assert of_three.max() < 0.8
for column in one_in.values():
    assert math.isclose(column[0] / column[1], math.e)

# Exercises
for e in (0.1, 1.0, 5.0):
    short = 1 / (2 * math.cosh(e / 4)) ** 2
    assert math.isclose(crossing_solution(e), short, rel_tol=1e-9)
assert max(true_counts) / n > 1 / 4
