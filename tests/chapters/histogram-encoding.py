"""What the text of "Histogram encoding" claims; run in its namespace."""

# Histogram encoding
own_bar = noisy_bars[places == 30]
assert 0.5 < own_bar < 1.5
assert (noisy_bars > own_bar).any()

# How old are you?
assert 17 <= commonest <= 45

# One noisy vector
assert beats[2.0] > 0.9
assert beats[20.0] < 0.1

# Counting what passes: THE
gap = {theta: cut.p - cut.q for theta, cut in ends.items()}
assert math.isclose(ends[0.0].q, 0.5)
assert math.isclose(ends[1.0].p, 0.5)
assert math.isclose(gap[0.25], gap[0.75])
assert max(gap, key=gap.get) == 0.5
assert ends[0.75].q < ends[0.25].q
assert math.isclose(p, package.p)
assert math.isclose(q, package.q)
assert best_one - 0.5 < 1 - best_one
assert best_eight - 0.5 > 1 - best_eight
assert math.isclose(ThresholdHistogram(80.0, d).theta, 1 - math.log(1.5) / 40, rel_tol=1e-9)
assert all(deviation(o) < deviation(s) for o, s in zip(best, sums))
assert deviation(quarters[0]) < deviation(sums[0])
assert deviation(quarters[-1]) > deviation(sums[-1])
assert all(ahead(e) > 0 for e in np.linspace(0.05, crossing - 0.01, 50))
assert all(ahead(e) < 0 for e in np.linspace(crossing + 0.01, 12, 50))
many = 10_000
crossing_many = optimize.brentq(ahead, 1, 20, args=(many,))
assert crossing < 5 < crossing_many

# Ages, three ways
assert (passes[empty] > floor / 2).all()

# From Laplace to unary encoding
assert max(ratios_whole) < 1
assert ratios_whole == sorted(ratios_whole, reverse=True)

# Exercises
steps = np.linspace(0.05, 12, 240)
ratio = np.array([best_ratio(e) for e in steps])
by_package = [ThresholdHistogram(e, 5).variance(1000) / SummationHistogram(e, 5).variance(1000) for e in steps]
assert np.allclose(ratio, by_package)
assert (np.diff(ratio[steps < highest.x]) > 0).all()
assert (np.diff(ratio[steps > highest.x]) < 0).all()
assert math.isclose(best_ratio(0.001), 0.5, rel_tol=1e-3)
assert deviation(ThresholdHistogram(8.0, 5, theta=0.25)) > deviation(SummationHistogram(8.0, 5))
