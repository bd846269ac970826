"""What the text of "Sketches, and words nobody listed" claims; run in its namespace."""

# Sketches, and words nobody listed
assert len(set(WORDS)) == 2000
assert [len(opened[n]) for n in sorted(opened)] == sorted(len(names) for names in opened.values())
assert set(opened[10**9]) <= set(WORDS)

# A domain too large for bits
H = hadamard(8)
assert np.array_equal(H @ H, 8 * np.eye(8))
assert all(H[i, j] == (-1) ** (i & j).bit_count() for i in range(8) for j in range(8))
packed = tiny.perturb(codes, rng=8)
theirs = tiny.estimate(tiny.aggregate(packed), len(codes))
assert np.allclose(sketch_estimate(*tiny.unpack(packed), tiny.columns, 16, 4.0), theirs)
assert math.isclose(tiny.p - tiny.q, math.tanh(2.0))
assert np.allclose(found + share @ found / (1 - 1 / 16), tiny.expectation(found))
assert np.abs(shifted_by).max() > 3 * np.sqrt(tiny.conditional_variance(found)).max()
assert hcms["bits"] < cms["bits"] < bits["bits"]
assert olh[rms] < bits[rms] < min(cms[rms], hcms[rms])
assert all(one["of it, collisions"] > one["of it, noise"] for one in (cms, hcms))
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
some = HadamardCountMeanSketch(4.0, LEXICON, rows=16, width=256)
exact = math.sqrt(np.mean(some.conditional_variance(truth)) / truth.sum())
assert abs(PARTS[16][1] / exact - 1) < 0.01
# ... and the second part of it, by enumeration: one row, three binary digits, four columns
every = np.array(list(itertools.product(range(4), repeat=3)))
hashed = every @ (np.arange(8)[:, None] >> np.arange(3) & 1).T % 4
for x, v, w in itertools.permutations(range(8), 3):
    assert np.mean((hashed[:, v] == hashed[:, x]) & (hashed[:, w] == hashed[:, x])) == 1 / 16

# Words that nobody listed
assert set(by_hand) <= set(WORDS[:8])
assert set(by_package) <= set(WORDS[:8])
assert set(by_hand) & set(by_package)
for rank, reached in halves.items():  # ten times as many people: from the floor to the ceiling
    assert recall_of(rank, reached / 3.2, 2.0) < 0.01
    assert recall_of(rank, reached * 3.2, 2.0) > 0.99
    assert 0.45 < recall_of(rank, reached, 2.0) < 0.6
assert 80 < halves[100] / halves[10] < 120
for row in compared.values():
    assert row["tree: nobody’s"] == 0
assert compared["1,000,000 people"]["sketch: nobody’s"] == 0
larger = [compared[f"{size:,} people"] for size in (10**8, 10**9)]
assert all(row["sketch: nobody’s"] > 20 * row["sketch: in use"] for row in larger)
assert by_chance < 0.02
assert len(WORDS) > TREE.kept > len(opened[10**9]), "the cap is not reached: recall is exact"

# Which words nobody can find
for epsilon in (0.5, 2.0, 8.0):
    for size in (10**6, 10**9):
        ratio = tree_share(size, epsilon) / findable_share(epsilon, size, words=26**6)
        assert ratio > 1
nobody = [findable_share(2.0, size, words=26**6) for size in (10**6, 10**8)]
assert math.isclose(nobody[0], 10 * nobody[1])
assert math.isclose(10**6 * nobody[0] ** 2 * (math.e**2 - 1) ** 2 / math.e**2, math.log(26**6) / 2 - math.log(2))
assert bound_people / 20 > 1000
liars = 6 * 5 * math.sqrt(TREE.levels[0].variance(group)) / lie
assert math.isclose(lie, loudest_solution(OptimizedUnary(2.0, 3)))
assert liars < 10**4
assert TREE.recall([1e-3] * 6, 10**9)[-1] > 0.999, "a password of a million people"

# What to remember
assert math.isclose(
    findable_share(1.0, 10**4, words=10**6, probability=0.7),
    math.sqrt((0.7 * math.log(10**6) - math.log(2)) / 10**4) * math.exp(0.5) / (math.e - 1),
)
