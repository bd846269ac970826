"""What the text of "Local sensitivity" claims; run in its namespace."""

# The median age
assert n % 2 == 1
assert age[middle - 1] == age[middle] == age[middle + 1]
# the opening: the crowd's median stays, that of the two camps goes from one to the other
medians = {town: [float(np.median([*ten, years])) for years in range(10, 121, 10)] for town, ten in TOWNS.items()}
assert set(medians["a crowd"]) == {37}
assert (medians["two camps"][0], medians["two camps"][-1]) == (18, 84)

# Why not simply use it?
assert [median_and_local([37, 37, 37, *two]) for two in ([37, 80], [80, 80])] == [(37, 0), (37, 43)]
assert naive_loss(80.0, calm, tense, 1.0) < -30
assert median_and_local(calm, 0, 80)[1] == 1
assert median_and_local(age, 0, 125)[1] == 0, "every neighbour of all the people has the same median"
assert median_and_local(tense, 0, 80)[1] == 42

# Propose, test, release
assert k > 5 * margin
assert median_distance(age, bounds=(0, 125), proposed=1.0) >= k, "passes as well"
assert k_few < margin / 2
assert 0.4 < stats.laplace.sf(10 * margin - k, scale=20) < 0.6, "near the margin either may happen"

# Sample and aggregate
assert abs(dealt_r.mean() - correlation(pair)) < 0.02
assert dealt_m.mean() > median
assert np.mean((age >= median - 4) & (age < median)) > np.mean((age > median) & (age <= median + 4))
no_tail = averages(np.minimum(pair[:, 0], 50), np.median, 600)
assert math.isclose(no_tail.mean(), dealt_m.mean()), "the upper tail has no part in it"
at_one = {name: least_chunks(name, 1.0) for name in STATISTICS}
assert at_one["mean"] == CHUNKS[-1]
assert OFF["mean"].max() < 0.05
assert all(curve[-1] > 2 * curve.min() for curve in OFF.values()), "grows in the end"
assert at_one["maximum"] == min(at_one.values())
assert at_one["maximum"] < at_one["95th percentile"] <= at_one["mean"]
for name in STATISTICS:
    wanted = [least_chunks(name, e) for e in np.geomspace(10, 0.1, 5)]
    assert wanted == sorted(wanted)
    assert wanted[0] < wanted[-1]

# Smooth sensitivity
assert math.isclose(by_formula(few, 1 / 6, 0, 125), TOWN_S)
assert s_crowd < s_camps / 3
assert k_crowd > k_camps

# Noise that bears being stretched
draws_ = np.abs(heavy(np.random.default_rng(0), 200_000))
outer = 1 - 2 * float(np.trapezoid(smooth_noise_density(np.linspace(0, 1, 10_001)), np.linspace(0, 1, 10_001)))
assert abs((draws_ > 1).mean() - outer) < 0.005
ends = {name: np.abs(curve[[0, -1]]).max() for name, curve in losses(FAR, 1.0).items()}
assert ends["Laplace, smooth"] > 1
for e in (0.3, 0.5, 0.65, 1.0, 1.4, 2.0, 3.0):
    assert (np.abs(losses(FAR, e)["Laplace, smooth"]).max() > 1) == (e >= 0.65)
assert all(np.abs(losses(5 * FAR, e)["Laplace, smooth"]).max() > 1 for e in (0.3, 0.5)), "farther out"
assert ends["Laplace, local"] > 100
assert np.median(calm) == 37
assert all(naive_loss(37, calm, tense, e) > e for e in np.geomspace(0.3, 3, 7)), "outside at 37"
calm_s, tense_s = (smooth_sensitivity_median(data, beta=smooth_beta(1.0), bounds=(0, 80)) for data in (calm, tense))
assert math.isclose(tense_s / calm_s, math.exp(smooth_beta(1.0)))
assert math.isclose(np.median(tense) - np.median(calm), 1)
assert 0.5 < heavy_most < 0.51

# Four ways on the same data
four = ("global", "propose", "chunks", "smooth")
assert mid("all", "chunks", 0.03) < mid("all", "smooth", 0.03) < mid("all", "global", 0.03)
for c in CASES:
    for e in EPSILONS:
        found = answers(c, e)
        everyone = [way for way in four if not np.isnan(found[way]).any()]
        assert ("propose" in everyone) == (e >= {"301": 10, "3,001": 1, "all": 0.1}[c]), "passes from here on"
        assert "propose" in everyone or np.isnan(found["propose"]).all(), "refused always or never"
        for q in (0.5, 0.9):
            apart = {way: np.quantile(np.abs(found[way] - np.median(CASES[c][0])), q) for way in (*everyone, "choice")}
            assert apart["choice"] == min(apart.values()), (c, e, q)
    for e in (1.0, 3.0, 10.0):
        off_by = {way: np.abs(found - np.median(CASES[c][0])) for way, found in answers(c, e).items()}
        assert all(np.quantile(off_by["smooth"], q) < np.quantile(off_by["chunks"], q) for q in (0.5, 0.9)), (c, e)
assert all(mid(c, "smooth", 0.3) > mid(c, "chunks", 0.3) for c in ("301", "3,001")), "so not from 0.3 on"
assert errors.loc["global"].tolist() == [37, 88, 37, 88]
assert all(np.isin(answers(c, 1.0)["global"], (0, 125)).mean() > 0.5 for c in CASES)
tiny = answers("301", 0.03)
assert np.isnan(tiny["propose"]).all()
assert all(np.isin(tiny[way], (0, 125)).mean() > 0.95 for way in ("global", "smooth"))
assert CASES["all"][1] == least_chunks("median", 1.0), "looked up"
for values, _ in CASES.values():
    small_bounds = [median_distance(values, bounds=(0, 125), proposed=b) for b in (1e-6, 0.1, 0.99)]
    assert len(set(small_bounds)) == 1
    assert small_bounds[0] < median_distance(values, bounds=(0, 125), proposed=1.0)
assert all(np.median(values) in YEARS for values, _ in CASES.values())

# And locally?
assert local_sds.is_monotonic_decreasing
census = {way: float(np.std(found)) for way, found in answers("all", 1.0).items()}
assert max(census["chunks"], census["smooth"]) < local_sds.iloc[0] / 4
assert census["global"] > 10 * local_sds.iloc[0]
near, apart = (local_medians(np.resize(kind, n), 1, 100, 5).std() for kind in (range(35, 40), (10, 84)))
assert 2 * near < local_sds.iloc[0] < apart / 2

# Exercises
rare = trial.loc["Cauchy, 99% below"] > trial.loc["1/(1 + z⁴), 99% below"]
assert list(rare) == [True, True, False]
