"""What the text of "Approximate privacy" claims; run in its namespace."""

# How many people of each age?
# the opening: the odds grow by one factor, the probability falls ever faster, and Laplace noise has a limit
factors, thinner = (np.array(pair)[1:] / np.array(pair)[:-1] for pair in zip(*map(far_out, range(1, 9)), strict=True))
assert np.allclose(factors, factors[0])
assert factors[0] > 1
assert np.all(np.diff(thinner) < 0)
at_one = stats.laplace()
assert math.isclose(at_one.std(), with_you.std())
assert math.isclose(np.max(at_one.pdf(places - 1) / at_one.pdf(places)), math.e)

# Gaussian noise, exactly
fine = np.linspace(-12, 14, 200_001)
by_area = np.trapezoid(np.maximum(stats.norm.pdf(fine, 1) - math.e * stats.norm.pdf(fine), 0), fine)
assert math.isclose(by_area, gaussian_delta(epsilon=1.0, sigma=1.0), rel_tol=1e-6)
crossing_law = [math.exp(e) * stats.norm.pdf(1.5, 0, math.sqrt(2)) for e in (0, 0.5)]
assert math.isclose(stats.norm.pdf(1.5, 1, math.sqrt(2)), crossing_law[1])
assert in_grey > 2 * gaussian_delta(epsilon=0.5, sigma=math.sqrt(2))
too_large = recipe["classic σ"] > recipe["σ that is enough for 10⁻⁵"]
assert too_large.tolist() == (recipe["its exact δ"] < 1e-5).tolist() == [True, True, True, False]
assert [classic_excess(e) > 0 for e in (0.1, 1, 5, 8, 9, 20, 50)] == [False] * 4 + [True] * 3
curve = np.log([gaussian_delta(epsilon=e, sigma=1.0) for e in (0.5, 1, 2, 3, 4)])
slopes = np.diff(curve) / np.diff([0.5, 1, 2, 3, 4])
assert np.all(np.diff(slopes) < 0), "falls ever faster"
assert doubled < single / 1000
assert all(recipe_above(e) > 0 for e in np.linspace(0.1, crosses - 0.01, 50))
assert all(recipe_above(e) < 0 for e in np.linspace(crosses + 0.01, 8, 50))

# Vectors: the sum of changes, or their length?
assert pays[1.0, 1e-3] < pays[1.0, 1e-5] < pays[1.0, 1e-9]
assert min(pays.values()) > 1
assert all(gaussian_sigma(epsilon=e, delta=e / 40) > math.sqrt(2) / e for e in np.geomspace(1e-3, 10, 30))
assert sigma_hist > 3 * math.sqrt(2)

# Many answers
least, most = judged["exact, at least"], judged["exact, at most"]
assert (most - least < 1e-3 * most).all()
assert (most <= judged["adding up"] + 1e-9).all()
assert (most < judged["Dwork and Roth"]).all()
losses, chances = loss_law(100)
beyond = chances[losses > tenth["exact, at most"]].sum()
assert 1e-5 < beyond < 1e-3
excess = np.maximum(0, 1 - np.exp(tenth["exact, at most"] - losses)) @ chances
assert math.isclose(excess, 1e-5, rel_tol=0.01)
assert whole["adding up"] < whole["Dwork and Roth"]
for k in (1, 100, 1000):
    assert math.isclose(moments(k)[1], 1 / math.sqrt(k), rel_tol=0.01)
    assert math.isclose(moments(k)[0], math.tanh(0.05))

# And locally?
assert all(95 < fell[way] < 105 for way in ("curator, Laplace", "curator, Gaussian"))
assert 9 < fell["no curator"] < 11
assert one["curator, Laplace"] < one["curator, Gaussian"] < one["no curator"]
expected = 1e6 * math.sqrt(np.mean(oracle.variance(n, histogram))) / n
assert math.isclose(one["no curator"], expected, rel_tol=0.1)

# Exercises
for (e, d), k in crossing_cases:
    assert math.ceil(k) == advanced_pays_from(e, delta=d)
