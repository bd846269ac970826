"""What the text of "Break the listing" claims; run in its namespace."""

# Break the listing
far = {}
for e in (0.5, 0.73, 1.0, 1.6, 2.3, 3.0, 5.0):
    sound, drawn = DirectEncoding(e, 12), np.random.default_rng(7)
    slipped = faults.offset_from_zero_channel(e, 12)
    assert exact_epsilon(slipped) == math.inf
    assert math.isclose(exact_epsilon(sound.channel()), e)
    for channel in (slipped, sound.channel()):
        estimate = sound.estimate(drawn.multinomial(births, channel).sum(axis=0), births.sum())
        far.setdefault(e, []).append(np.sqrt(np.mean((estimate - births) ** 2)))
    assert max(far[e]) < 2 * min(far[e]), "neither gives itself away by its errors"
assert min(far[0.5]) > 600 > 20 > max(far[5.0])

# Exhibit 1: a lie that may be the truth
for nominal_d in (3, 4, 6):
    apart = []
    for nominal_epsilon in (0.1, 0.3, 1.0, 3.0, 5.0):
        channel = faults.offset_from_zero_channel(nominal_epsilon, nominal_d)
        mended_one = DirectEncoding(nominal_epsilon, nominal_d).channel()
        # the zeros, and nothing else, stand one place before the diagonal
        assert np.array_equal(channel == 0, np.roll(np.eye(nominal_d, dtype=bool), -1, axis=1))
        assert math.isclose(exact_epsilon(mended_one), nominal_epsilon)
        apart.append(np.abs(channel - mended_one).max())
    # the two channels become alike
    assert apart == sorted(apart, reverse=True)
    assert apart[-1] < 0.01 < 0.1 < apart[0]

# Exhibit 3: a sign in an exponent
for theta, times in off.items():
    the = ThresholdHistogram(2.0, 12, theta=theta)
    counts = the.simulate(births, rng=5)
    wrong = faults.wrong_sign_estimate(counts, n=births.sum(), epsilon=2.0, theta=theta)
    assert np.allclose(wrong, times * the.estimate(counts, births.sum())), "one factor for all estimates"
assert math.isclose(faults.wrong_sign_probabilities(4 * math.log(2), 0.5)[0], 0, abs_tol=1e-12)
assert faults.wrong_sign_probabilities(1.0, 0.5)[0] > 0 > faults.wrong_sign_probabilities(3.0, 0.5)[0]
assert faults.wrong_sign_probabilities(1.38, 0.0)[0] > 0 > faults.wrong_sign_probabilities(1.39, 0.0)[0]
assert -1 < off[0.25] < 0 > off[0.6]
quarter = ThresholdHistogram(2.0, 12, theta=0.25).simulate(births, rng=5)
quarter = faults.wrong_sign_estimate(quarter, n=births.sum(), epsilon=2.0, theta=0.25)
assert quarter.max() < 0
assert np.corrcoef(quarter, births)[0, 1] < -0.5

# Exhibit 4: tidy estimates
assert 99 * one > 5_000

# Exhibit 5: ties on the border
assert math.isclose(three, 1)
assert math.isclose(same, 0.5)
assert math.isclose(two, 1 + math.log(3))

# Exhibit 6: a fair coin for unequal pieces
assert float(numeric_faults.fair_coin_mean(1.0, 0.0)) == 0
assert np.allclose(numeric_faults.fair_coin_mean(1.0, [-0.7, 0.7]).sum(), 0)
assert halves == sorted(halves, reverse=True)
assert halves[-1] > 0.5
assert 1.9 < halves[1] / 0.5 < 2.2

# Exhibit 7: drawing with replacement
assert all(factor(4.99, d) == 1 > factor(5.0, d) for d in (2, 4, 8, 16))

# Exhibit 8: from the wild, a bit that is never cleared
assert np.all(NeverClearedUnary(0.5, 3).channel() > 0)
for e, oracle in wild.items():
    assert math.isclose(wild_exact[e], math.log(math.exp(e) + 2))
    assert math.isclose(oracle.factor, 1 / -math.expm1(-e))
    symmetric = NeverClearedUnary(e, 3, optimized=False)
    assert math.isclose(exact_epsilon(symmetric.channel()), math.log(math.exp(e) + math.exp(e / 2) + 1))

# Would your own test have seen it?
assert np.all(first < 0.1)  # at the everyday setting
assert all(math.isinf(seen_by["exact ε"].iloc[i]) and second[i // 2] > 0.99 for i in (1, 11)), (
    "averages may show a loss"
)
assert np.all(second > 0.5)  # where it shows
assert seen_by.loc[("1 offset from 0", "ε = 5, as printed"), "ratios"] > 0.999
assert seen_by.loc[("6 fair coin", "t = 0, ε = 1"), "ratios"] > 0.999
assert seen_by.loc[("8 never cleared", "ε = 5"), "ratios"] < 0.01
assert seen_by.loc[("8 never cleared", "ε = 1")][["averages", "ratios"]].min() > 0.999
