"""What the text of "Which oracle when" claims; run in its namespace."""

# Which oracle when
sizes = np.array(
    [
        [report(kind, e, seed).sum() for kind, seed in zip(KINDS, (36, 3, 26), strict=True)]
        for e in (0.25, 0.35, 0.5, 0.71, 1.0, 1.4, 2.0)
    ]
)
assert np.all(sizes[:, 0] == 1)
assert np.all(np.diff(sizes[:, 1:], axis=0) <= 0), "fewer and fewer"
assert np.all(sizes[0, 1:] > 9)
assert np.all((sizes[-1, 1:] > 1) & (sizes[-1, 1:] < 4))

# What an oracle is
for kind in KINDS:
    assert all(kind(e, 24).p > kind(e, 24).q for e in (0.25, 0.5, 1.0, 2.0))
    for e in (0.25, 0.35, 0.5, 0.71, 1.0, 1.4, 2.0):
        support = kind(e, 24).simulate(10_000 * (np.arange(24) == 7), rng=12)
        assert 8_000 > support[7] > max(np.delete(support, 7))

# Subset selection
drawn = [subset_report("bike", WAYS, 2, 1.0, rng) for _ in range(20_000)]
assert {len(one) for one in drawn} == {2}
for way in WAYS:
    expected = sets.p if way == "bike" else sets.q
    found = np.mean([way in one for one in drawn])
    assert abs(found - expected) < 5 * math.sqrt(expected * (1 - expected) / len(drawn))
assert sets.k == 2
assert len(np.unique(channel.round(9))) == 2
assert math.isclose(channel.max() / channel.min(), math.e)
assert math.isclose(exact_epsilon(channel), 1.0)


# Local hashing
hashing = LocalHashing(1.0, WAYS)


def eight(coefficients):
    return np.array([bucket_of(x, coefficients, 4) for x in range(8)])


assert bucket == eight(a)[2]  # the report of the example is a truthful one
assert eight(a)[2] == a[1]
assert eight(a)[3] == (a[0] + a[1]) % 4
own = [hash_report(2, 8, 4, 1.0, rng) for _ in range(20_000)]  # the few lines and the package: the same law
supports = np.mean([eight(one) == b for one, b in own], axis=0)
for code, found in enumerate(supports):
    expected = hashing.p if code == 2 else hashing.q
    assert abs(found - expected) < 5 * math.sqrt(expected * (1 - expected) / len(own))
every = np.array([eight(row) for row in itertools.product(range(4), repeat=3)])
for v, w in itertools.combinations(range(8), 2):
    assert np.mean(every[:, v] == every[:, w]) == 1 / 4
assert hashing.g == 4
assert math.isclose(exact_epsilon(hashing.channel()), 1.0)
law = small.channel()
assert np.allclose(law[:, 0], law[0, 0])
assert np.allclose(law[:, 1], law[0, 1])
assert np.allclose(law[0, ::2], law[0, 0])
assert not np.allclose(law[:, 2], law[0, 2])

# Subset selection: the limit
for E in (1.1, math.e, 50.0):
    shares = np.linspace(0.001, 0.999, 999)
    least = (1 + shares * (E - 1)) ** 2 / (shares * (1 - shares) * (E - 1) ** 2)
    assert np.all(least >= 4 * E / (E - 1) ** 2)
    at = 1 / (E + 1)
    assert math.isclose((1 + at * (E - 1)) ** 2 / (at * (1 - at)), 4 * E)
assert abs(SubsetSelection(1.0, 10**4).k / 10**4 - 1 / (math.e + 1)) < 0.001

# Where the lines cross
assert len(ORACLES) == 7
GRID = np.geomspace(0.2, 7, 11)
for e in GRID:
    E = math.exp(e)
    for d in np.unique(np.geomspace(2, 1000, 18).round().astype(int)).tolist():
        best = SubsetSelection(e, d)
        omega = best.k * E + d - best.k
        closed = (omega - E) * (omega - 1) / (best.k * (d - best.k) * (E - 1) ** 2)
        assert math.isclose(closed, headline("subset", e, d), rel_tol=1e-9)
        assert (best.k == 1) == (d <= 2 * E + 1)
        assert headline("subset", e, d) <= headline("DE", e, d) * (1 + 1e-9)
        assert headline("subset", e, d) < headline("OUE", e, d) * (1 - 1e-12)
        assert headline("subset", e, d) <= min(headline(name, e, d) for name in ORACLES) * (1 + 1e-9)
        assert (headline("DE", e, d) < headline("OUE", e, d)) == (d < 3 * E + 2)
        assert (gain(e, d) > 1e-9) == (d > 2 * E + 1)
        assert headline("subset", e, d) < 0.951 * headline("OUE", e, d) or d > 10 * E
    p_sue = SymmetricUnary(e, 16).p
    assert math.isclose(headline("SUE", e, 16) - headline("OUE", e, 16), p_sue * (1 - p_sue), rel_tol=1e-6)
sue, oue = SymmetricUnary(1.0, 16), OptimizedUnary(1.0, 16)
for share, ahead in ((sue_share - 0.01, False), (sue_share + 0.01, True)):
    assert (sue.variance(10**6, share * 10**6) < oue.variance(10**6, share * 10**6)) == ahead
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
for name, sums in SUMS.items():
    assert math.isclose(sums[0] ** 2, headline(name, 1.0, 12))
for name in ("DE", "subset"):  # all but one value: the error of the one that is left, with its sign changed
    o = ORACLES[name](1.0, 12)
    assert math.isclose(SUMS[name][-1] ** 2, o.p * (1 - o.p) / (o.p - o.q) ** 2)
    assert math.isclose(o.estimate(o.simulate([1000] * 12, rng=0), 12_000).sum(), 12_000)
assert math.isclose(bits_epsilon, math.log(p * (1 - q) / ((1 - p) * q)))
assert math.isclose(math.log(p / q), 1.0)
assert bits_epsilon > 1.4
assert np.allclose(SUMS["OUE"], SUMS["OUE"][0] * np.sqrt(np.arange(1, 12)))
assert np.max(np.abs(SUMS["OLH"] / SUMS["OUE"] - 1)) < 0.01
assert SUMS["DE"][0] > SUMS["OUE"][0]
for e in (0.2, 0.5, 1.0, 2.0, 4.0):  # the sum of a report's first m counts, by the law of how many of them are in a set
    for d in (4, 12, 100, 1024):
        m = np.arange(1, d)
        bits = np.sqrt(m * headline("OUE", e, d))
        o = SubsetSelection(e, d)
        with_own, without = (
            (k * m / (d - 1), k * m * (d - 1 - m) * (d - 1 - k) / (d - 1) ** 2 / max(d - 2, 1)) for k in (o.k - 1, o.k)
        )
        variance = o.p * with_own[1] + (1 - o.p) * without[1] + o.p * (1 - o.p) * (with_own[0] - without[0]) ** 2
        assert np.all(np.sqrt(variance) / (o.p - o.q) < bits)
        code = DirectEncoding(e, d)
        alone = m * code.q * (1 - m * code.q) / (code.p - code.q) ** 2
        assert np.all(variance / (o.p - o.q) ** 2 < alone * (1 + 1e-9)), "no larger than direct encoding’s"
        if (e, d) == (1.0, 12):
            assert np.allclose(np.sqrt(variance) / (o.p - o.q), SUMS["subset"])
        if (e, d) == (1.0, 100):
            assert np.mean(np.sqrt(alone) > bits) > 0.9
assert SUMS["OUE"][-1] > 1.9 * SUMS["DE"][-1] > 1.9 * SUMS["subset"][-1]

# What an attacker sees
for i in range(len(STEPS)):
    least_right = {name: path[i] for name, path in ATTACKED.items()}
    assert least_right["SUE"][0] < min(least_right[name][0] for name in ("OUE", "subset", "DE")) or STEPS[i] > 3
    assert least_right["SUE"][1] > least_right["OUE"][1] > least_right["subset"][1]
for chance in np.linspace(0.08, 0.35, 28):
    assert at_chance("SUE", chance) < min(at_chance(name, chance) for name in ("OUE", "subset", "DE"))
assert 0.6 < fourth["SUE"] / fourth["OUE"] < 0.7

# What a report costs
assert LocalHashing(1.0, 4).bits > OptimizedUnary(1.0, 4).bits
assert all(LocalHashing(1.0, d).bits < OptimizedUnary(1.0, d).bits for d in (16, 128, 1024))
assert all(SubsetSelection(1.0, d).bits < OptimizedUnary(1.0, d).bits for d in (4, 16, 128, 1024))
assert costs["variance at 1,024"]["DE"] > 90 * costs["variance at 1,024"]["OLH"]
assert costs["variance at 1,024"]["OLH"] < 1.01 * costs["variance at 1,024"]["subset"]
