"""What the text of "One number" claims; run in its namespace."""

# How many hours do you work?
opening = np.array([Laplace(e).perturb(crowd, rng=7) for e in (0.5, 1.0, 2.0, 4.0, 8.0)])
assert np.ptp([*opening.mean(axis=1), crowd.mean()]) < 0.05  # the last row's dot stays on its tick
assert np.sum(abs(opening[0, :7]) > 1) > 4  # most dots are out of the grey

# Laplace: the straightforward way
assert staircase(1.0) > Piecewise(1.0).worst_variance > Duchi(1.0).worst_variance

# Duchi: two possible reports
assert math.isclose(one[0, 1] / one[-1, 1], math.e)
assert math.isclose(one[0, 0] / one[-1, 0], 1 / math.e)
assert np.allclose(one[2], 0.5)

# Piecewise: a plateau on a plain
assert math.isclose(best_range, 1 / (math.e + 1), rel_tol=1e-4)
assert min(spreads) < Piecewise(2.0).worst_variance
assert r1 - l1 > 2 > 0.2 > r6 - l6

# What comes out, for one number
for x in np.linspace(-1, 1, 9):
    line = np.linspace(-Piecewise(2.0).C, Piecewise(2.0).C, 2001)[1:-1]
    heights = Piecewise(2.0).density(line, x)
    assert math.isclose(heights.max() / heights.min(), math.exp(2.0))

# Guarantees
(root,) = (x.real for x in np.roots([3, -1, 1, -7]) if abs(x.imag) < 1e-9)
assert f"{2 * math.log(root):.3f}" == "0.609"
assert f"{root:.3f}" == "1.356"
assert math.isclose(2 * math.log(root), EPSILON_STAR)
for epsilon in (0.7, 1.0, 3.0, 8.0):
    a = math.exp(epsilon / 2)
    B2 = ((a**2 + 1) / (a**2 - 1)) ** 2
    assert np.allclose(Hybrid(epsilon).variance(np.linspace(-1, 1, 9)), (a + 3) / (3 * a * (a - 1)) + B2 / a)
    assert math.isclose(Piecewise(epsilon).worst_variance, 4 * a / (3 * (a - 1) ** 2))

# Which one when? Compute it
assert laplace_duchi_average > laplace_duchi
assert piecewise_duchi_average < piecewise_duchi
assert staircase(8.0) < worst("Hybrid", 8.0)
never = [("Hybrid", "Duchi", worst), ("Laplace", "Piecewise", worst), ("Laplace", "Piecewise", average)]
assert all(len(cross(*pair)) == 0 for pair in never)
assert two["Duchi"][0] > 1 > two["Duchi"][1]
assert two["Piecewise"][1] > 1 > two["Piecewise"][0]
assert np.allclose(two["Hybrid"], 1)

# The mean of hours
assert 3.5 < halves[0.25] / halves[1.0] < 4.5
duchi_shrinks = 1 - deviation(Duchi(8.0)) / deviation(Duchi(4.0))
piecewise_shrinks = deviation(Piecewise(4.0)) / deviation(Piecewise(8.0))
assert duchi_shrinks < 0.1
assert all(deviation(kind(8.0)) < 0.6 * deviation(kind(4.0)) for kind in KINDS.values() if kind is not Duchi)
assert piecewise_shrinks > 2.5

# Where it breaks
assert (leaks[["Duchi", "DiscreteLaplace"]] == 0).all(axis=None)
assert (leaks[["Laplace", "Piecewise"]] > 0.05).all(axis=None)
assert leaks["Laplace"].is_monotonic_increasing
assert abs(DiscreteLaplace(1.0).worst_variance / Laplace(1.0).worst_variance - 1) < 1e-6
