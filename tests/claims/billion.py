"""What the text of "From a classroom to a billion users" claims; run in its namespace."""

# From a classroom to a billion users
assert np.max(np.abs(steady - planet)) < 0.5
assert np.all(np.diff(planet) < 0), "from the commonest to the rarest"
assert abs(planet[-1] - 100 * (PHONES.q + OFTEN[-1] * (PHONES.p - PHONES.q))) < 0.01

# Predict first
assert 1 < oracle.variance(1, common_share) / oracle.variance(1, rarest_share) < 1.05, "nearly as noisy"
assert 2.5e7 < clear_rare < 1e9

# The smallest group that can be seen
point = {k.__name__: (1.96 / 0.01) ** 2 * k(1.0, 12).variance(1, 0.01) for k in (OptimizedUnary, DirectEncoding)}
assert point["OptimizedUnary"] < point["DirectEncoding"]
