"""What the text of "The sparse vector technique" claims; run in its namespace."""

# The sparse vector technique
assert 4 * np.abs(RIPPLE).max() + 2 * abs(RIPPLE[-1]) < 100, "the search stops at the large answer, and nowhere else"
above = {m: np.sum(m * RIPPLE[:m] > 200 + m * RIPPLE[7 * m // 10]) for m in (30, 1000)}
assert above[30] == 0
assert above[1000] > 100

# Above threshold
assert outputs["the data"] == outputs["neighbour, noise moved"] != outputs["neighbour, same noise"]
assert small_budget[0] > 0.9
assert all(fate(search(e, 100))[1] >= 0.9 for e in np.arange(sure, 5, 0.1))
assert sure < by_theorem < 2 * sure

# Published variants, audited
assert np.all(np.diff(finite[:-1], axis=0) > -1e-9), "approached from below"
assert np.all(finite.loc[100].between(0.999 * finite.loc["supremum"], finite.loc["supremum"] * (1 + 1e-9)))
assert exactly[1] <= 1 + 1e-9
assert exactly.iloc[1:].eq(math.inf).all()
assert table.loc["2/ε on the threshold, 2/ε on answers", 2] < 1 < two_at_five
assert table.loc["1/ε on the threshold, 1/ε on answers", 1] < 1 < table.loc["1/ε on the threshold, 1/ε on answers", 2]

# The whole pipeline
assert gain_top > 50
assert 99_999 <= gain.max() < 100_000
assert form_error < errors["capital gain"]["searched"]

# And locally?
assert 9 < smaller < 11
assert rows[f"{n:,} people"][ERROR] > 100 * 50 / n
assert np.median(reads[1]) < np.median(reads[100])
assert np.mean(gain > 0) < three_noises
assert tails(counts)[1] == np.sum(gain > 1) == np.sum(gain > 0), "the tail of all who gained"
