"""What the text of "Sensitivity and clipping" claims; run in its namespace."""

# Three questions about the same people
# the opening: with a limit of a hundred thousand every answer is near the truth, with one of a billion it may be anywhere
assert np.all(abs(laplace(np.full(40, 50), epsilon=1.0, sensitivity=0.1, rng=5) - 50) < 1)
assert np.sum(abs(laplace(np.full(40, 50), epsilon=1.0, sensitivity=1000, rng=5) - 50) > 50) > 30

# Two meanings of "one person"
y = np.linspace(-200, 300, 501)  # an audit of the last row: one person of 80, or nobody; noise of scale 20
assert math.isclose(density_epsilon([np.exp(-np.abs(y - 80) / 20), np.exp(-np.abs(y) / 20)]), 80 / 20)

# Clip, then add noise
assert age.sum() - clipped.sum() > 2 * sum_deviation
assert gains["best"].is_monotonic_increasing, "a smaller budget never wants a larger bound"
assert gains["twice"].max() < 2.001, "too large is never worse than the factor by which it is too large"
assert (gains["half"] > 2 * gains["twice"])[[0.1, 1.0]].all(), "too small is worse where the noise is small"
assert bias_three[0] > 10 * noise_three[0]
assert bias_three[2] == 0
assert bias_three[1] > noise_three[1]
for e in (0.01, 0.1, 1.0):
    places = np.unique(gain[gain > 0])
    best_sum = places[np.argmin(np.add(*clipping_error(gain, upper=places, epsilon=e)))]
    assert np.sum(gain > best_sum) <= math.sqrt(2) / e <= np.sum(gain >= best_sum)
nearly = np.hypot(*clipping_error(gain, upper=[0.999 * gain.max(), gain.max()], epsilon=1.0))
assert gains.best[1.0] == gain.max()
assert gains.half[0.01] < gains.twice[0.01] < 2
assert nearly[1] < nearly[0]
assert gains.best[0.001] < gains.best[0.1] / 5
assert np.sum(gain == gain.max()) > math.sqrt(2) / 0.1

# A mean, worked by hand
for kind, (means, by_theorem) in kinds.items():
    assert math.isclose(np.std(means), by_theorem, rel_tol=0.03), kind
assert math.isclose(mean_deviation(age), centred_sd, rel_tol=0.2)
assert plain > centred_sd > of_replaced

# Rows with several numbers
assert np.allclose(by_hand, packaged)
for b in (0.2, 0.4, 0.6, 0.8):
    assert row_errors(some, "L1", b, 0.1)[0] > row_errors(some, "L2", b, 0.1)[0]
    assert row_errors(some, "L1", b, 0.1)[1] < row_errors(some, "L2", b, 0.1)[1]
assert 0.9 < best_rows["L1"][1] / best_rows["L2"][1] < 1.1
assert best_rows["L1"][0] < 0.7 * np.abs(some).sum(axis=1).max()
assert best_rows["L2"][0] < 0.7 * np.linalg.norm(some, axis=1).max()

entries_l1, entries_l2, both_l1, both_l2 = (math.hypot(row["cut off"], row["noise"]) for row in table.values())
measured_rows = [row["error, measured"] for row in table.values()]
assert np.allclose(measured_rows, [entries_l1, entries_l2, both_l1, both_l2], rtol=0.15)
assert both_l2 < both_l1 < entries_l2 < entries_l1
assert measured_rows == sorted(measured_rows, reverse=True)
tenths = np.linspace(0.1, 3, 30)
for norm, best in (("L1", 1.9), ("L2", 1.2)):  # with three entries
    all_three = [math.hypot(*row_errors(thousand, norm, b, 1.0)) for b in tenths]
    assert math.hypot(*row_errors(thousand, norm, best, 1.0)) < 1.05 * min(all_three)
    at_slider = [math.hypot(*row_errors(some, norm, b, 0.1)) for b in tenths[:12]]  # as the figure has them
    assert f"{tenths[np.argmin(at_slider)]:.1f}" == f"{best_rows[norm][0]:.1f}"

# Where do bounds come from?
assert 70 <= candidates[stop] <= 110
assert exact[stop] == age.sum()
assert np.mean(np.isin(stops, (70, 80, 90))) > 0.9

# And locally?
assert math.isclose(central_sd, math.sqrt(2) * 2 * math.hypot(62.5, age.mean() - 62.5) / n)
assert needed > 100
