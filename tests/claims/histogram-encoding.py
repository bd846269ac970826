"""What the text of "Histogram encoding" claims; run in its namespace."""

from scipy import stats

from ldp_core.frequency import SymmetricUnary

# Histogram encoding
noisy_bars = own_place + noise_of(5.0, whole=False)
own_bar = noisy_bars[own_place]
assert 0.5 < own_bar < 1.5
assert (noisy_bars > own_bar).any()

# How old are you?
assert (true_counts[domain < 17] == 0).all()
assert 17 <= commonest <= 45

# One noisy vector
assert beats[2.0] > 0.9
assert 0.005 < beats[20.0] < 0.01  # 1%, rounded, and fewer than that

# Adding it up: SHE
assert 0 < negative < empty.sum()
assert np.abs(she_estimate[empty]).max() < 3.5 * she_sd

# Counting what passes: THE
gap = {theta: cut.p - cut.q for theta, cut in ends.items()}
assert math.isclose(ends[0.0].q, 0.5)
assert math.isclose(ends[1.0].p, 0.5)
assert math.isclose(gap[0.25], gap[0.75])
assert max(gap, key=gap.get) == 0.5
assert ends[0.75].q < ends[0.25].q
assert math.isclose(p, package.p)
assert math.isclose(q, package.q)

# Where the line belongs
assert best_one - 0.5 < 1 - best_one
assert best_eight - 0.5 > 1 - best_eight
assert math.isclose(ThresholdHistogram(80.0, d).theta, 1 - math.log(1.5) / 40, rel_tol=1e-9)
for e in (0.01, 0.5, 1.0, 2.0, 5.0, 8.0, 20.0):
    a = math.exp(e / 2)
    x = (a + 1 + math.sqrt(a * a - a + 1)) / 3
    the_best = ThresholdHistogram(e, d)
    assert math.isclose(2 / e * math.log(x), the_best.theta, rel_tol=1e-9)
    assert math.isclose(1 / (4 * (2 * x - 1) * (1 - x / a) ** 2), the_best.variance(n) / n, rel_tol=1e-9)
    assert abs(3 * x * x - 2 * (a + 1) * x + a) < 1e-9 * a * a
    assert 0.5 < the_best.theta < 1
    # no threshold on a fine grid is better
    tried = [ThresholdHistogram(e, d, theta=t).variance(n) for t in np.linspace(0, 1, 2_001)]
    assert the_best.variance(n) <= min(tried) * (1 + 1e-12)
    # nor is one outside [0, 1]
    for t in (-0.5, -0.1, 0.0, 1.0, 1.1, 1.5):
        upper, lower = (stats.laplace.sf(t - centre, scale=2 / e) for centre in (1, 0))
        variance = lower * (1 - lower) / (upper - lower) ** 2
        assert n * variance > the_best.variance(n)
        if t >= 1:
            assert math.isclose(variance, (1 / lower - 1) / (a - 1) ** 2, rel_tol=1e-6)
        if t <= 0:
            assert math.isclose(variance, lower / (1 - lower) / (1 - 1 / a) ** 2, rel_tol=1e-6)
for e in (0.1, 1.0, 5.0, 10.0):
    a = math.exp(e / 2)
    at_one_theta = ThresholdHistogram(e, d, theta=1.0).variance(n) / n
    assert math.isclose(at_one_theta, (2 * a - 1) / (a - 1) ** 2)
    assert math.isclose(2 * a / (a - 1) ** 2, 1 / (2 * math.sinh(e / 4) ** 2))
    assert at_one_theta < 1 / (2 * math.sinh(e / 4) ** 2) < 8 / e**2
assert all(deviation(o) < deviation(s) for o, s in zip(best, sums))
assert [deviation(o) < deviation(s) for o, s in zip(quarters, sums)] == [True] * 4 + [False] * 2
assert all(ahead(e) > 0 for e in np.linspace(0.05, crossing - 0.01, 50))
assert all(ahead(e) < 0 for e in np.linspace(crossing + 0.01, 12, 50))

# Ages, three ways
assert at_one[ThresholdHistogram] < at_one[SummationHistogram] < at_one[DirectEncoding]
assert at_eight[DirectEncoding] < at_eight[ThresholdHistogram] < at_eight[SummationHistogram]

# From Laplace to unary encoding
for e in (2.0, 5.0, 20.0):
    whole_bars = own_place + noise_of(e, whole=True)
    assert all(np.array_equal(whole_bars > line, whole_bars >= 1) for line in (0.0, 0.25, 0.5, 0.75, 0.99))
for e in (0.1, 1.0, 5.0, 8.0):
    for held in (0, n // 3, n):
        sue = SymmetricUnary(e, d).variance(n, held)
        assert math.isclose(2 * sue, DiscreteSummationHistogram(e, d).variance(n, held))
        assert all(sue < ThresholdHistogram(e, d, theta=t).variance(n, held) for t in (None, 0.0, 0.25, 0.5, 0.8, 1.0))
    exact = n / (2 * math.sinh(e / 4) ** 2)
    geometric = math.exp(-e / 2)
    assert math.isclose(exact, n * 2 * geometric / (1 - geometric) ** 2)
    assert math.isclose(DiscreteSummationHistogram(e, d).variance(n), exact)
assert max(ratios_whole) < 1
assert ratios_whole == sorted(ratios_whole, reverse=True)

# Exercises
for e in np.linspace(0.05, 12, 240):
    a = math.exp(e / 2)
    x = (a + 1 + math.sqrt(a * a - a + 1)) / 3
    by_package = ThresholdHistogram(e, 5).variance(1000) / SummationHistogram(e, 5).variance(1000)
    assert math.isclose(e**2 / (32 * (2 * x - 1) * (1 - x / a) ** 2), by_package)
assert math.isclose(ratio_solution(0.001), 0.5, rel_tol=1e-3)
