"""What the text of "Choosing privately" claims; run in its namespace."""

# Choosing privately
assert say_words(3.0)[0] == 40
assert np.all(say_words(0.03) > 4)

# Which marital status is the most common?
for factor, monotone in ((1, True), (2, False)):
    of_two = exponential_probabilities([commonest, second], epsilon=factor * even, monotone=monotone)
    assert math.isclose(of_two[1], 1 / 20)

# One up, another down
assert ratios[4, 1] < ratios[12, 1] < 1
assert ratios[4, 2] < ratios[12, 2] < 2
assert ratios[12, 2] > 1.999

# How far from the best?
assert 0.045 < exact_tail < math.exp(-tail)

# A median by scores
assert 0.01 < sure < 1
assert all(within(town, e, 1) >= 0.95 for e in grid[grid >= sure])
assert within(town, 0.1, 5) > 0.9 > within(town, 0.1, 1)
outside = 1 - median_law(town, 0.01)[town[0] : town[-1] + 1].sum()
assert outside > 0.05
for ages in CROWDS.values():
    for e in np.logspace(-2, 1, 7):
        errors = mean_errors(ages, e)
        assert errors["exponential mechanism"] <= min(errors.values()) + 1e-9

# Noise on the scores: half the scale for scores that move against each other.
for law in ("gumbel", "exponential", "laplace"):
    far = [noisy_max_probabilities([0.0, -b], epsilon=1.0, noise=law, monotone=True) for b in (600.0, 598.0)]
    assert 1.99 < exact_epsilon(far) <= 2 + 1e-9

# The proof's formulas: the chance of an option that is t scales behind the only other one.
for noise, formula in {
    "gumbel": lambda t: 1 / (1 + math.exp(t)),
    "exponential": lambda t: math.exp(-t) / 2,
    "laplace": lambda t: (2 + t) * math.exp(-t) / 4,
}.items():
    assert math.isclose(
        formula(5.0), noisy_max_probabilities([-5.0, 0.0], epsilon=1.0, noise=noise, monotone=True)[0], rel_tol=1e-9
    )

# And locally?
assert right_with_curator(10, 0.2) < 0.3, "ten people decide little"
assert all(census_of(n).sum() == n for n in (10, 11, 125, 3333))
assert enough[0] > 10 * enough[1]
assert enough[0] / enough[1] > much[0] / much[1] > 1, "n ~ 1/ε² against 1/ε"
