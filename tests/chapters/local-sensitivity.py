"""What the text of "Local sensitivity" claims; run in its namespace."""

# The median age
assert n % 2 == 1
assert age[middle - 1] == age[middle] == age[middle + 1]
# the opening: the crowd's median stays, that of the two camps goes from one to the other
medians = {town: [float(np.median([*ten, years])) for years in range(10, 121, 10)] for town, ten in TOWNS.items()}
assert set(medians["a crowd"]) == {37}
assert (medians["two camps"][0], medians["two camps"][-1]) == (18, 84)

# Why not simply use it?
assert exact_epsilon(law_of_answers) == math.inf
assert naive_loss(80.0, calm, tense, 1.0) < -30
assert median_and_local(calm, 0, 80)[1] == 1
assert median_and_local(tense, 0, 80)[1] == 42

# Propose, test, release
assert k > 5 * margin
assert median_distance(age, bounds=(0, 125), proposed=1.0) >= k, "passes as well"
assert needed[0.1, 1.0] < 10 * needed[1.0, 1.0]
assert needed[5.0, 1.0] < needed[1.0, 1.0] < needed[0.1, 1.0]
assert needed[0.1, 0.1] is None or needed[0.1, 0.1] > needed[0.1, 1.0]

# Sample and aggregate
assert abs(dealt_r.mean() - correlation(pair)) < 0.02
assert dealt_m.mean() > median
at_one = {name: best[name, 1.0] for name in STATISTICS}
assert at_one["mean"] == CHUNKS[-1]
assert at_one["maximum"] == min(at_one.values())
assert at_one["maximum"] < at_one["95th percentile"] <= at_one["mean"]
assert all(best[name, 0.1] >= best[name, 10.0] for name in STATISTICS)

# Smooth sensitivity
assert all(np.ptp(list(row.values())) < 1e-9 for row in found.values())

# Noise that bears being stretched
draws_ = np.abs(heavy(np.random.default_rng(0), 200_000))
outer = 1 - 2 * float(np.trapezoid(smooth_noise_density(np.linspace(0, 1, 10_001)), np.linspace(0, 1, 10_001)))
assert abs((draws_ > 1).mean() - outer) < 0.005
assert abs(mass - 1) < 1e-5
ends = {name: np.abs(curve[[0, -1]]).max() for name, curve in losses(FAR, 1.0).items()}
assert ends["Laplace, smooth"] > 1
assert ends["Laplace, local"] > 100
calm_s, tense_s = (smooth_sensitivity_median(data, beta=smooth_beta(1.0), bounds=(0, 80)) for data in (calm, tense))
assert math.isclose(tense_s / calm_s, math.exp(smooth_beta(1.0)))
assert math.isclose(np.median(tense) - np.median(calm), 1)
assert 0.5 < heavy_most < 0.51

# And locally?
assert local_sds.is_monotonic_decreasing
