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
            sent = 2 * lot * Laplace(e).perturb(sensors.ravel(), rng=9).reshape(sensors.shape)
        assert np.all(abs(sent.mean(axis=0) - sensors.mean(axis=0)) < 2)

# Three ideas
for k in range(1, 7):
    mine = exact_channel(1.0, k)
    assert np.allclose(mine, Duchi(1.0, dim=k).channel(), atol=1e-14)
    assert math.isclose(exact_epsilon(mine), 1.0)
    in_order = np.sign(Duchi(1.0, dim=k).outputs())
    assert np.allclose(mine @ in_order * Duchi(1.0, dim=k).B, in_order)
# for two numbers the corners lose from one ε on, that of one number, and the gain grows with d
for e in np.geomspace(1, 4, 7):
    gains = [Laplace(e, dim=k).worst_variance / Duchi(e, dim=k).worst_variance for k in (2, 4, 16, 64)]
    assert (gains[0] > 1) == (e < until)
    assert gains == sorted(gains)
for k in (4, 16, 64):
    assert Duchi(10.0, k, ties="minus").worst_variance < Duchi(10.0, k).worst_variance
assert Duchi(until_second - 0.01, 2, ties="minus").worst_variance < Laplace(until_second - 0.01, 2).worst_variance
assert math.isclose(Duchi(until).worst_variance, Laplace(until).worst_variance, rel_tol=1e-9)
# the square's cells: the last row, of v = ++, with the first sign varying fastest
assert np.sign(Duchi(1.0, dim=2).outputs()).tolist() == [[-1, -1], [1, -1], [-1, 1], [1, 1]]
assert np.allclose(square, np.array([1, (math.e + 1) / 2, (math.e + 1) / 2, math.e]) / (2 * (math.e + 1)))
assert np.allclose(cube, np.repeat([1, math.e], 4) / (4 * (math.e + 1)))

# Why √d, and not d
for k in range(2, 200):
    squared = (2 ** (k - 1) / math.comb(k - 1, k // 2)) ** 2
    assert 4 / 3 * k * (1 - 1e-12) <= squared < math.pi / 2 * (k + 1)
for epsilon in np.geomspace(0.1, 10, 17):
    for name in KINDS:
        slope = math.log10(error(name, epsilon, 1000) / error(name, epsilon, 100))
        assert abs(slope - (1 if name == "Laplace" else 0.5)) < 0.01
    for k in (1, 4, 16, 64):
        least = error("Hybrid, sampled", epsilon, k) * (1 - 1e-9)
        assert all(least <= error(name, epsilon, k) for name in ("Piecewise, sampled", "Duchi", "Laplace"))
assert error("Duchi", 10.0, 1) > error("Laplace", 10.0, 1)
assert error("Duchi", 10.0, 100) < error("Laplace", 10.0, 100)
lower = [error("Duchi", 10.0, k) < error("Laplace", 10.0, k) for k in range(1, 200)]
assert lower == sorted(lower)  # once below, always below
for name in KINDS:
    for k in (4, 16):
        growth = error(name, 1.0, 4 * k) / error(name, 1.0, k)
        assert abs(growth - (4 if name == "Laplace" else 2)) < 0.1
assert np.sum(Piecewise(1.0, dim=64).perturb(pictures[:1], rng=0) != 0) == 1
for e in (0.5, 8.0):
    assert Duchi(e, dim=64).B > 10
    assert np.mean(abs(Laplace(e, dim=64).perturb(pictures[:1], rng=0)) > 1) > 0.9

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

# Ties
for k in (3, 5):
    assert np.allclose(faults.closed_ties_channel(1.0, k), Duchi(1.0, dim=k).channel())
    assert np.allclose(Duchi(1.0, dim=k, ties="minus").channel(), Duchi(1.0, dim=k).channel())

# By hand, in the square
tied = faults.closed_ties_channel(1.0, 2)
assert math.isclose(of_first, math.e / (math.e + 1) / 3)
assert math.isclose(of_second, 1 / (math.e + 1) / 3)
assert math.isclose(tied[3, 2], of_first + of_second)
assert math.isclose(tied[3, 1], 1 / 3)
assert math.isclose(tied[2, 1], of_second)
assert math.isclose(tied[3, 1] / tied[2, 1], math.e + 1)
for ties in ("split", "minus"):
    repaired = Duchi(1.0, dim=2, ties=ties).channel()
    assert math.isclose((repaired.max(axis=0) / repaired.min(axis=0)).max(), math.e)
signs = np.sign(Duchi(1.0, dim=2).outputs())
assert ["".join("+" if s > 0 else "−" for s in row) for row in signs] == corners

# What a tie costs
for k in (1, 3, 5):
    assert math.isclose(exact_epsilon(faults.closed_ties_channel(1.0, k)), 1.0)
for epsilon in (0.5, 1.0, 4.0):
    for k in (2, 4, 6):
        assert math.isclose(exact_epsilon(faults.closed_ties_channel(epsilon, k)), math.log(math.exp(epsilon) + 1))
    for k in (2, 4, 6, 20):
        slope = (math.exp(epsilon) + 1) / (math.exp(epsilon) - 1)
        constant = 2 ** (k - 1) / math.comb(k - 1, k // 2)
        split, anew = (Duchi(epsilon, k, ties=ties).B for ties in ("split", "minus"))
        assert math.isclose(split, constant * slope)
        assert math.isclose(split - anew, 1)
        assert math.isclose(faults.published_size(epsilon, k), (constant + 1) * slope)

# Exercises
assert 4.8 < worst_at < 5
assert best_solution(worst_at, 16) == 2
assert [best_solution(second + step, d) for step in (-0.01, 0.01) for d in (2, 16, 200)] == [1] * 3 + [2] * 3
assert all(abs(e / best_solution(e, 200) - per_coordinate) < 0.1 for e in (50.0, 100.0, 200.0))
