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

# A domain too large for bits
H = hadamard(8)
assert np.array_equal(H @ H, 8 * np.eye(8))
assert all(H[i, j] == (-1) ** (i & j).bit_count() for i in range(8) for j in range(8))
packed = tiny.privatize(occupations.to_numpy(), rng=8)
theirs = tiny.estimate(tiny.aggregate(packed), len(codes))
assert np.allclose(sketch_estimate(*tiny.unpack(packed), tiny.columns, 16, 4.0), theirs)
assert math.isclose(tiny.p - tiny.q, math.tanh(2.0))
assert np.allclose(found + share @ found / (1 - 1 / 16), tiny.expectation(found))
assert np.abs(shifted_by).max() > 3 * np.sqrt(tiny.conditional_variance(found)).max()
assert hcms["bits"] < cms["bits"] < bits["bits"]
assert olh[rms] < bits[rms] < min(cms[rms], hcms[rms])
assert all(one["of it, collisions"] > one["of it, noise"] for one in (cms, hcms))
assert sketches["Hadamard sketch"].rows * sketches["Hadamard sketch"].width > len(lexicon)
for one in (cms, hcms, bits, olh):
    assert abs(one["exact ε, small copy"] - 4) < 1e-6
for one in (cms, hcms):
    assert one["words of the true top 20 found"] >= 15
noises = [noise for _, noise in PARTS.values()]
assert max(noises) < 1.02 * min(noises)
stay = {rows: collisions for rows, (collisions, _) in PARTS.items()}
for rows, collisions in stay.items():  # the theorem's mean square, over the draw of the hash functions
    square = np.mean(np.sum(truth.astype(float) ** 2) - truth**2) / (rows * 255) / truth.sum() ** 2
    assert abs(collisions / math.sqrt(square) - 1) < 0.15
some = HadamardCountMeanSketch(4.0, lexicon, rows=16, width=256)
exact = math.sqrt(np.mean(some.conditional_variance(truth)) / truth.sum())
assert abs(PARTS[16][1] / exact - 1) < 0.01
# ... and the second part of it, by enumeration: one row, three binary digits, four columns
every = np.array(list(itertools.product(range(4), repeat=3)))
hashed = every @ (np.arange(8)[:, None] >> np.arange(3) & 1).T % 4
for x, v, w in itertools.permutations(range(8), 3):
    assert np.mean((hashed[:, v] == hashed[:, x]) & (hashed[:, w] == hashed[:, x])) == 1 / 16
