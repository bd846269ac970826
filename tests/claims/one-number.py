"""What the text of "One number" claims; run in its namespace."""

# How many hours do you work?
opening = np.array([Laplace(e).perturb(crowd, rng=7) for e in (0.71, 1.0, 2.0, 4.0, 8.0)])
assert np.ptp([*opening.mean(axis=1), crowd.mean()]) < 0.05  # the last row's dot stays on its tick
assert abs(opening[:, :7]).max() < 7, "in sight at every ε"
assert np.sum(abs(opening[0, :7]) > 1) > 4  # most dots are out of the grey

# Duchi: two possible reports
two_places = Duchi(0.71).perturb(crowd, rng=7)
assert np.unique(abs(two_places)).size == 1
assert abs(two_places[0]) < 5  # the window reaches to 7
assert abs(two_places.mean() - crowd.mean()) < 0.05
assert math.isclose(channel[0, 1] / channel[-1, 1], math.e)
assert math.isclose(channel[0, 0] / channel[-1, 0], 1 / math.e)
assert np.allclose(channel[2], 0.5)

# Piecewise: a plateau on a plain
assert math.isclose(best_range, 1 / (math.e + 1), rel_tol=1e-4)
assert min(spreads) < Piecewise(2.0).worst_variance
assert fine_shares[np.argmin(spreads)] > best_range
for epsilon in (0.5, 2.0, 5.0):
    published = 1 / (math.exp(epsilon / 2) + 1)
    C, w, _ = with_share(epsilon, published)
    assert math.isclose(C, Piecewise(epsilon).C)
    for x in (0.0, 0.5, 1.0):
        assert math.isclose(shared_variance(epsilon, published, x), float(Piecewise(epsilon).variance(x)))
        left, right = Piecewise(epsilon).centre(x)
        assert math.isclose(right - left, w)
        assert math.isclose(right + left, 2 * (C - w / 2) * x, abs_tol=1e-9)
assert np.ptp(ends[1.0]) > 2 > 0.2 > np.ptp(ends[5.0])
near = abs(Piecewise(8.0).perturb(crowd, rng=7) - crowd)[:7]
assert np.sum(near < 0.1) >= 5 > 2 > np.sum(abs(Duchi(8.0).perturb(crowd, rng=7) - crowd)[:7] < 0.1)

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
never = [("Hybrid", "Duchi", worst), ("Laplace", "Piecewise", worst), ("Laplace", "Piecewise", average)]
assert all(len(cross(*pair)) == 0 for pair in never)
for e in np.linspace(0.62, 12, 200):
    assert worst("Hybrid", e) < min(worst("Duchi", e), worst("Piecewise", e))
    assert worst("Piecewise", e) <= 2 / 3 * worst("Laplace", e)
    assert average("Hybrid", e) > min(average("Duchi", e), average("Piecewise", e))
for name, constant in {"Laplace": 8, "Duchi": 4, "Piecewise": 16 / 3, "Hybrid": 4}.items():
    assert math.isclose(1e-3**2 * worst(name, 1e-3), constant, rel_tol=1e-5)
assert min(two, key=lambda name: two[name][0]) == "Piecewise"
assert two["Duchi"][0] > 1 > two["Duchi"][1]
assert two["Piecewise"][1] > 1 > two["Piecewise"][0]
assert np.allclose(two["Hybrid"], 1)
assert worst("Piecewise", 0.4) > worst("Duchi", 0.4)
assert worst("Piecewise", 2.0) < worst("Duchi", 2.0)

# The mean of hours
duchi_shrinks = 1 - deviation(Duchi(8.0)) / deviation(Duchi(4.0))
piecewise_shrinks = deviation(Piecewise(4.0)) / deviation(Piecewise(8.0))
assert duchi_shrinks < 0.1
assert all(deviation(kind(8.0)) < 0.6 * deviation(kind(4.0)) for kind in KINDS.values() if kind is not Duchi)
assert piecewise_shrinks > 2.5

# Where it breaks
assert leaks["Duchi"] == leaks["DiscreteLaplace"] == 0
assert min(leaks["Laplace"], leaks["Piecewise"]) > 0.1
assert abs(DiscreteLaplace(1.0).worst_variance / Laplace(1.0).worst_variance - 1) < 1e-6
