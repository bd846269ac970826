"""What the text of "RAPPOR: asked every day" claims; run in its namespace."""

# RAPPOR: asked every day
assert CHANCE.f / 2 == 0.25, "one in four keeps a 0 for its own bit"

# What is your occupation today?
assert np.all(np.diff(chances) > 0)
# with one report, by going through the numbers of other bits that are 1; if none is, all tie
ones = np.arange(oracle.d)
others = binom.pmf(ones, oracle.d - 1, oracle.q)
assert math.isclose(chances[0], oracle.p * (others @ (1 / (ones + 1))) + (1 - oracle.p) * others[0] / oracle.d)
assert 1 / oracle.d < chances[0] < 0.25
assert chances[3] > 0.99

# Noise that is kept
assert 0.9 < seven < 1
assert np.diff([near_the_wall(f) for f in (0.1, 0.5, 0.9)]).max() < 0
assert low.variance(1) < high.variance(1)
assert low.epsilon_forever > high.epsilon_forever

# What a year tells about everybody
# the theorem against devices: 2,000 runs of 20 devices of either value, three reports each; six standard deviations
runs = browser.client(np.repeat([0, 1], 40_000), rng=3)
three = np.mean([runs.report(rng=i)[:, 0] for i in range(3)], axis=0)
each = ((three - browser.q) / (browser.p - browser.q)).reshape(2, 2000, 20).sum(axis=2)
for row, count in zip(each, (20, 0), strict=True):
    exact = variance_of_mean(browser, 3, 20, count)
    assert abs(row.var() / exact - 1) < 6 * math.sqrt(2 / 2000)
assert np.all(np.diff(floors) > 0)
assert np.all(np.diff([one_in(f) for f in FS]) < 0)

# Strings: a Bloom filter, decoded by regression
assert math.isclose(rival.epsilon_forever, b * browser.epsilon_forever)
assert rival.epsilon < b * browser.epsilon

# Kept bits are a name tag
for d in (oracle.d, LONG):
    assert tag_read(d, 1000, browser) > 0.999
assert first_read(oracle.d, 0.95) < first_read(LONG, 0.95)
assert 8e9**2 / 2 * equal_tags(LONG, 0.5, True) < 1e-6, "of all pairs of people"
assert tag_read(oracle.d, 7, browser) < 0.2
assert np.any((OTHER[999] / 1000 > middle) != KEPT)

# The value changes
assert np.any((PAINTER[999] / 1000 > middle) != KEPT)
same = [row["new bits for all, in that night"] for row in rows.values()]
assert max(same) <= browser.epsilon_forever + 1e-12
assert np.all(np.diff(other) > 0)
assert all(o > s for o, s in zip(other[1:], same[1:], strict=True))
# the exact channel of one report before and one after, two values: histories (0, 1) and (0, 0)
little, two_bits = Rappor(2), np.array(list(itertools.product((0, 1), repeat=2)))
kept_law = [np.prod(np.where(two_bits == (np.arange(2) == v), 0.75, 0.25), axis=1) for v in (0, 1)]
chance = np.where(two_bits == 1, 0.75, 0.5)[:, None]
given_kept = np.prod(np.where(two_bits == 1, chance, 1 - chance), axis=2)
changed = np.outer(kept_law[0] @ given_kept, kept_law[1] @ given_kept).ravel()
unchanged = (given_kept.T @ (kept_law[0][:, None] * given_kept)).ravel()
assert math.isclose(exact_epsilon(np.array([changed, unchanged])), epsilon_of_a_change(little, 1))

# The budget of a day is not that of a year
assert year["kept for life"] < year["new bits every quarter"] < year["new bits every month"]
assert year["new bits every month"] < year["fresh noise, once a day"]
