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
assert k_few < margin / 2
assert 0.4 < stats.laplace.sf(10 * margin - k, scale=20) < 0.6, "near the margin either may happen"
year = distances["b = 1"].tolist()  # 301, 1,001, 3,001, 10,001, all: by four scales of the noise on either side
assert year[1] + 8 < margin < year[2] - 8
assert year[3] + 80 < 10 * margin < year[4] - 80

# Sample and aggregate
assert abs(dealt_r.mean() - correlation(pair)) < 0.02
assert dealt_m.mean() > median
at_one = {name: least_chunks(name, 1.0) for name in STATISTICS}
assert at_one["mean"] == CHUNKS[-1]
assert at_one["maximum"] == min(at_one.values())
assert at_one["maximum"] < at_one["95th percentile"] <= at_one["mean"]
assert all(least_chunks(name, 0.1) >= least_chunks(name, 10.0) for name in STATISTICS)

# Smooth sensitivity
assert all(np.ptp(list(row.values())) < 1e-9 for row in found.values())
assert s_crowd < s_camps / 3
assert k_crowd > k_camps

# Noise that bears being stretched
draws_ = np.abs(heavy(np.random.default_rng(0), 200_000))
outer = 1 - 2 * float(np.trapezoid(smooth_noise_density(np.linspace(0, 1, 10_001)), np.linspace(0, 1, 10_001)))
assert abs((draws_ > 1).mean() - outer) < 0.005
assert abs(mass - 1) < 1e-5
ends = {name: np.abs(curve[[0, -1]]).max() for name, curve in losses(FAR, 1.0).items()}
assert ends["Laplace, smooth"] > 1
assert ends["Laplace, local"] > 100
assert all(naive_loss(np.median(calm), calm, tense, e) > e for e in np.geomspace(0.3, 3, 7)), "outside at the median"
calm_s, tense_s = (smooth_sensitivity_median(data, beta=smooth_beta(1.0), bounds=(0, 80)) for data in (calm, tense))
assert math.isclose(tense_s / calm_s, math.exp(smooth_beta(1.0)))
assert math.isclose(np.median(tense) - np.median(calm), 1)
assert 0.5 < heavy_most < 0.51

# Four ways on the same data
assert min(("global", "chunks", "smooth"), key=lambda way: mid("301", way, 0.03)) == "chunks"
for c in CASES:
    assert mid(c, "chunks", 0.03) < mid(c, "smooth", 0.03), c
    assert mid(c, "smooth", 10.0) < mid(c, "chunks", 10.0), c
    assert all(mid(c, "chunks", e) < mid(c, "global", e) for e in EPSILONS)
assert mid("all", "smooth", 1.0) < mid("all", "chunks", 1.0) < mid("all", "propose", 1.0) < mid("all", "global", 1.0)
assert mid("301", "smooth", 0.03) > mid("301", "global", 0.03)
for c in CASES:  # of the proposals that pass every time, none beats both others
    for e in EPSILONS:
        if not np.isnan(answers(c, e)["propose"]).any():
            assert mid(c, "propose", e) > min(mid(c, "chunks", e), mid(c, "smooth", e)), (c, e)

# And locally?
assert local_sds.is_monotonic_decreasing
