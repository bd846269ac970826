"""What the text of "Direct encoding" claims; run in its namespace."""

# What do you do for a living?
assert one.p < 0.5 < 3 * one.q
assert math.isclose(DirectEncoding(math.log(3), 4).p, 0.5)

# A lie must be a lie
assert [domain.index(value) for value in asked] == [1, 2, 11, 13]

# The same from the package
assert np.all(abs(small_sd / small_sd.mean() - 1) < 0.01)  # about the same for all
tiny, rng_tiny = np.array([3, 2, 1]), np.random.default_rng(11)
ours = np.array([simulate(tiny, 1.0, 3, rng_tiny) for _ in range(20_000)])
theirs = DirectEncoding(1.0, 3).simulate(tiny, rng=2, size=20_000)
assert np.all(ours.sum(axis=1) == 6)
p3, q3 = DirectEncoding(1.0, 3).p, DirectEncoding(1.0, 3).q
exact_mean = tiny * p3 + (6 - tiny) * q3
# covariance of two counts: minus the sum over people of the product of their two probabilities
exact_cov = -(tiny[0] * p3 * q3 + tiny[1] * q3 * p3 + tiny[2] * q3 * q3)
for sample in (ours, theirs):
    assert np.allclose(sample.mean(axis=0), exact_mean, atol=0.06)
    assert abs(np.cov(sample.T)[0, 1] - exact_cov) < 0.06
    assert exact_cov < -0.3
assert half_widths[0] > max(true_counts) > half_widths[1] > half_widths[2]

# Guarantee
wide_row = [share_error(4, size) for size in (2, 14)]
assert wide_row[1] < 1.2 * wide_row[0] < 1.2 * share_error(0.5, 2)
assert budget_half > 3 * answers_twice
assert math.isclose(times((1.0, 2), (1.0, d)), 1 + (d - 2) * math.exp(-1))

# Where it breaks
assert said[rare] / said.sum() < 0.1  # at ε = 5, the last of the three
