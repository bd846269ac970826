"""What the text of "Many dimensions" claims; run in its namespace."""

# Four numbers, or sixty-four
assert pictures.shape[1] == 64
assert pictures.min() == -1
assert pictures.max() == 1
# the opening: either way the middle of what is sent stays near that of what is held
for way in ("both", "one"):
    for e in (1.0, 2.0, 4.0):
        if way == "both":
            sent = Laplace(e, dim=2).perturb(sensors, rng=9)
        else:
            sent = np.where(lot, 2 * Laplace(e).perturb(sensors.ravel(), rng=9).reshape(sensors.shape), 0)
        assert np.all(abs(sent.mean(axis=0) - sensors.mean(axis=0)) < 2)

# Three ideas
assert np.allclose(square, np.array([1, (math.e + 1) / 2, (math.e + 1) / 2, math.e]) / (2 * (math.e + 1)))
assert np.allclose(cube, np.repeat([1, math.e], 4) / (4 * (math.e + 1)))

# Why √d, and not d
assert error("Duchi", 10.0, 1) > error("Laplace", 10.0, 1)
assert error("Duchi", 10.0, 100) < error("Laplace", 10.0, 100)
assert all(error("Duchi", 10.0, k) < error("Laplace", 10.0, k) for k in range(duchi_from, 200))
assert 1 < below["Laplace"] == min(below.values())

# Ties
for k in (2, 4, 6):
    broken = by_agreement(faults.closed_ties_channel(1.0, k), k)
    mended, minus = (by_agreement(Duchi(1.0, dim=k, ties=ties).channel(), k) for ties in ("split", "minus"))
    assert np.argmax(broken) == k // 2
    assert math.isclose(max(broken), math.e + 1)
    assert math.isclose(mended[k // 2], (math.e + 1) / 2)
    assert math.isclose(max(mended), math.e)
    assert math.isclose(minus[k // 2], 1)
    assert math.isclose(max(minus), math.e)
for k in (3, 5):
    assert np.allclose(faults.closed_ties_channel(1.0, k), Duchi(1.0, dim=k).channel())
    assert np.allclose(Duchi(1.0, dim=k, ties="minus").channel(), Duchi(1.0, dim=k).channel())

# By hand, in the square
signs = np.sign(Duchi(1.0, dim=2).outputs())
assert ["".join("+" if s > 0 else "−" for s in row) for row in signs] == corners
assert math.isclose(split[3, 1], (split[3, 3] + split[3, 0]) / 2)

# What a tie costs
for k in (1, 3, 5):
    assert math.isclose(exact_epsilon(faults.closed_ties_channel(1.0, k)), 1.0)
for epsilon in (0.5, 1.0, 4.0):
    for k in (2, 4, 6, 20):
        slope = (math.exp(epsilon) + 1) / (math.exp(epsilon) - 1)
        constant = 2 ** (k - 1) / math.comb(k - 1, k // 2)
        split, anew = (Duchi(epsilon, k, ties=ties).B for ties in ("split", "minus"))
        assert math.isclose(split, constant * slope)
        assert math.isclose(split - anew, 1)
        assert math.isclose(faults.published_size(epsilon, k), (constant + 1) * slope)

# Four means
assert sum(hits) / len(hits) > 0.9
hits_sd = math.sqrt(len(hits) * 0.05 * 0.95)
assert abs(sum(hits) - 0.95 * len(hits)) < 2 * hits_sd
assert laplace > max(halves.values())

# The average of pictures that nobody has shown
assert 50 < times["Duchi"] < 100
assert times["Piecewise"] > times["Duchi"]
contrast = average_zero.max() - average_zero.min()
assert blur("Laplace", 1.0, 100) > contrast / 2
assert blur("Duchi", 1.0, 100) < contrast / 8
assert blur("Laplace", 8.0, 100) < contrast / 8

# What each person sends
assert Duchi(1.0, dim=64).bits == 64
assert Piecewise(1.0, dim=64).bits < Duchi(1.0, dim=128).bits

# Exercises
assert 4.8 < worst_at < 5
assert best_solution(worst_at, 16) == 2
assert second < 4
assert max(ratios) - min(ratios) < 0.1
