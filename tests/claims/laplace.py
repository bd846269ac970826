"""What the text of "Differential privacy" claims; run in its namespace."""

# The Laplace mechanism
assert guess_right(10) > 0.99
loss_outside = density_epsilon([np.exp(-abs(answer - 1)), np.exp(-abs(answer))])
assert math.isclose(loss_outside, 1.0)
assert math.isclose(belief_two, belief_seven)

# Many numbers in one answer
assert math.isclose(pair_audit[1], 2)
assert math.isclose(pair_audit[2], 1)

# Families
for k in (1, 2, 5):
    y = np.linspace(-20, 20, 161)
    assert math.isclose(density_epsilon([np.exp(-0.1 * abs(y - k)), np.exp(-0.1 * abs(y))]), 0.1 * k)

# Sequential composition
assert math.isclose(deviations_of(10)[1] / deviations_of(10)[0], math.sqrt(10))
rng = np.random.default_rng(42)
halves = laplace(np.zeros((2, 100_000)), epsilon=1.0, sensitivity=1, rng=rng)
once = laplace(np.zeros(100_000), epsilon=2.0, sensitivity=1, rng=rng)
assert math.isclose(halves.mean(axis=0).std() / once.std(), math.sqrt(2), rel_tol=0.02)
assert 1.999 < losses.iloc[-1] < 2

# Parallel composition
assert parallel([0.5, 0.25, 1.0]) == 1.0
assert parallel([0.5, 0.25, 1.0], neighbours="replace") == 2.0
assert all(tables[j].sum() == n for j in range(1, 5))  # workclass comes last
# with more attributes fewer cells are good, and of five still most people are in good cells
assert all(cells_good[j][0] > cells_good[j + 1][0] for j in range(1, 5))
assert cells_good[1][0] > 0.99
assert cells_good[5][0] < 0.5 < cells_good[5][1]

# Post-processing
assert np.mean((repaired - cells) ** 2) < np.mean((noisy - cells) ** 2)
assert np.mean(repaired.sum(axis=1)) > cells.sum()

# And locally?
assert 0 < seen(1.0) < seen(5.0) < len(counts) == 16
for place, factor in enumerate((10, 100)):  # of a share, with a hundred times as many people: locally, at the curator
    assert math.isclose((errors(1.0, n)[place] / n) / (errors(1.0, 100 * n)[place] / (100 * n)), factor)
assert np.sum(counts > 2 * central_sd) >= seen(5.0)
