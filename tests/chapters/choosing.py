"""What the text of "Which oracle when" claims; run in its namespace."""

# Which oracle when
sizes = np.array([[said.sum() for said in three_reports(e)] for e in (0.25, 0.3, 0.5, 0.71, 1.0, 1.4, 2.0)])
assert np.all(sizes[:, 0] == 1)
assert np.all(np.diff(sizes[:, 1:], axis=0) <= 0), "fewer and fewer"
assert np.all(sizes[0, 1:] > 9)
assert np.all((sizes[-1, 1:] > 1) & (sizes[-1, 1:] < 4))

# Subset selection
assert sets.k == 2
assert len(np.unique(channel.round(9))) == 2
assert math.isclose(channel.max() / channel.min(), math.e)
assert math.isclose(exact_epsilon(channel), 1.0)

# Local hashing
assert hashing.g == 4
assert math.isclose(exact_epsilon(hashing.channel()), 1.0)
law = small.channel()
assert np.allclose(law[:, 0], law[0, 0])
assert np.allclose(law[:, 1], law[0, 1])
assert np.allclose(law[0, ::2], law[0, 0])
assert not np.allclose(law[:, 2], law[0, 2])

# Where the lines cross
assert len(ORACLES) == 7
# largest where direct encoding is still ahead of OUE, or just behind it
assert all(d < 3 * math.exp(e) + 3 for e, (_, d) in largest.items())
assert math.isclose(
    DirectEncoding(1.0, 16).variance(1000, 300) - DirectEncoding(1.0, 16).variance(1000), 300 * 14 / (math.e - 1)
)
prices = [
    headline("OLH", math.log(u * (u + 1)) / 2, 100) / headline("OUE", math.log(u * (u + 1)) / 2, 100) - 1
    for u in range(1, 40)
]
assert math.isclose(hash_price, prices[0])
assert prices == sorted(prices, reverse=True)
assert (
    max(headline("OLH", e, 100) / headline("OUE", e, 100) - 1 for e in np.geomspace(0.01, 7, 300)) < hash_price + 1e-9
)
assert max(gain(e, 1000) for e in (0.2, 1.0)) < 0.01
assert all(
    math.isclose(headline("SHE", e, 16) / headline("OUE", e, 16), 2 * (math.sinh(e / 2) / (e / 2)) ** 2) for e in GRID
)
assert all(headline("THE", e, 16) > headline("OUE", e, 16) for e in GRID)
assert all(headline("SUE", e, 16) > headline("OUE", e, 16) for e in GRID)
assert -inside[1] < 0.3
assert inside[0] > gain(1.0, 10)
tiny = [1 - headline("subset", 1e-3, d) / headline("DE", 1e-3, d) for d in (2, 3, 4, 5)]  # those below 3e^ε + 2
assert max(tiny) == tiny[-1]
assert math.isclose(tiny[-1], 1 / 3, rel_tol=1e-2)

# What p and q do not say
assert math.isclose(bits_epsilon, math.log(p * (1 - q) / ((1 - p) * q)))
assert math.isclose(math.log(p / q), 1.0)
assert bits_epsilon > 1.4
assert np.allclose(SUMS["OUE"], SUMS["OUE"][0] * np.sqrt(np.arange(1, 12)))
assert np.max(np.abs(SUMS["OLH"] / SUMS["OUE"] - 1)) < 0.01
assert SUMS["DE"][0] > SUMS["OUE"][0]
assert SUMS["OUE"][-1] > 1.9 * SUMS["DE"][-1] > 1.9 * SUMS["subset"][-1]

# What a report costs
assert LocalHashing(1.0, 4).bits > OptimizedUnary(1.0, 4).bits
assert all(LocalHashing(1.0, d).bits < OptimizedUnary(1.0, d).bits for d in (16, 128, 1024))
assert all(SubsetSelection(1.0, d).bits < OptimizedUnary(1.0, d).bits for d in (4, 16, 128, 1024))
assert costs["variance at 1,024"]["DE"] > 90 * costs["variance at 1,024"]["OLH"]
assert costs["variance at 1,024"]["OLH"] < 1.01 * costs["variance at 1,024"]["subset"]

# Making estimates presentable
assert np.allclose(to_simplex(np.array([60.0, 33.0, 12.0, -5.0]), 100), project_simplex([60.0, 33.0, 12.0, -5.0], 100))
assert (single[others] < single[raw]).all()
assert (over70[["clip", "clip, then normalize"]].abs() > 4 * abs(over70[raw])).all()
each = {name: np.sqrt(np.mean((way - true_counts) ** 2, axis=0)) for name, way in ways.items()}
assert (each["project to the simplex"] > 1.02 * each[raw]).any()
assert (each["clip"] <= each[raw] + 1e-9).all()
assert abs(over70[raw]) < 4 * raw_se
assert common_bias["clip, then normalize"] < 10 * -abs(common_bias[raw])
assert common_bias["project to the simplex"] < 10 * -abs(common_bias[raw])
