"""What the text of "Hiding in a crowd" claims; run in its namespace."""

# Hiding in a crowd
assert yeses[0][1] == yeses[0][0] + 1
assert more == 5, "as often as a coin"

# Leave the names off?
assert bag.sum() == over_50.sum()
assert (bag.sum() - known) == over_50[0]

# The bag of yeses
assert 10 < hundredfold < 13
# what a standard deviation is worth in odds, and how many of them ε is, at ten thousand people and at a million
worth = [(m.p - m.q) / math.sqrt(n * m.p * m.q) for n in (10**4, 10**6)]
out = [rr(n, 1) / one for n, one in zip((10**4, 10**6), worth, strict=True)]
assert 3 < out[0] < 4
assert out[1] < out[0] - 0.5
assert ratio_one > 2 * ratio_four
assert exact.lower - 1e-6 < by_hand < exact.upper + 1e-6
assert rr(10, 1) > 0.99
assert pair[1] > 1.005 * pair[0]
# others who agree are mostly the worst case
worst = [
    np.argmax([bag_epsilon(n, c, e, chance) for c in range(n)])
    for n in (10, 20, 50, 100)
    for e in (0.25, 0.5, 1, 2, 4)
    for chance in (1e-2, 1e-4, 1e-6, 1e-8)
]
assert 0.7 < np.mean(np.array(worst) == 0) < 1
assert math.isclose(max(bag_epsilon(50, c, 2.0, 1e-3) for c in range(50)), pair[1])
m2 = shuffled_epsilon(2.0, 50, delta=1e-3, mechanism=RandomizedResponse(2.0))
assert m2.lower - 1e-6 < pair[1] < m2.upper + 1e-6

# Whose coins hide me: the blanket
assert expected_coins[0.5] > 20 * expected_coins[4]

# Any mechanism: clones
for curves in AMPLIFIED.values():
    e, c = (curves[key] for key in ("certified, yes or no", "clones, any mechanism"))
    assert np.all(e <= c * 1.006)
    assert np.all(np.diff(e) < 1e-9)
    for falls in (e, c):  # from where they begin to the last step
        assert falls[0] > 0.998 * e[0]
        assert -0.6 < math.log10(falls[-1] / falls[-2]) < -0.5
assert 1 < loss[0.25] < loss[1] < loss[4] < 2.2
waits = {e0: int(CROWDS[np.argmax(curves["certified, yes or no"] < 0.1 * e0)]) for e0, curves in AMPLIFIED.items()}
assert waits[8] > waits[1]
# where all others hold "no"; and no other c is worse there
assert bag_epsilon(low, 0, 4, DELTA) < 1 <= bag_epsilon(low - 1, 0, 4, DELTA)
assert max(bag_epsilon(low, c, 4, DELTA) for c in range(low)) < 1
assert by_rule < 0.6 * low
assert rr(1000, 4) > 1.5

# What it buys
assert np.all(at_one["curator"] < at_one["shuffled"])
assert np.all(at_one["shuffled"] < at_one["local"])
assert 1 < at_one["shuffled"].iloc[-1] / at_one["shuffled"].iloc[0] < 1.5, "by less than half"
steady = at_one["shuffled"].iloc[2:]
assert steady.max() < 1.35 * steady.min()
gain = at_one["local"] / at_one["shuffled"]
assert gain.iloc[-1] > 100
growth = at_one["local"].iloc[-1] / at_one["local"].iloc[2]
assert 95 < growth < 105
coins_true = 1e6 * DirectEncoding(at_one["ε₀"].loc[10**6], d).q
coins_rule = 4 * math.log(1 / SMALL_DELTA)
assert 0.8 < coins_true / coins_rule < 1
few, many = (unseen.loc[f"{n:,} people"].tolist() for n in (10**4, 10**7))
assert few[0] >= 8 > 1 >= few[1] >= few[2]
assert many[1:] == [0, 0]

# Where it breaks
assert values == sorted(values)
assert values[-1] > 0.99
assert values[-2] > 30 * values[0]
assert math.isclose(rows["the shuffler"], 2.0, abs_tol=1e-3)
assert rows["half collude"] < 1.5 * rows["everybody honest"]
assert rows["all but 100"] > 0.99 * 2
assert several[10] > 9.5 * several[1]
assert several[2] > 1.95 * several[1]
