"""What the text of "De-identification and two attacks" claims; run in its namespace."""

# De-identification and two attacks
assert [fits[:, :known].all(axis=1).sum() for known in range(6)] == [400, 216, 47, 15, 2, 1]

# Linkage: a join
# of the two cuts that were asked about, the year protects more; no ZIP code at all protects more than either
assert alone["day", 0] < alone["year", 5] < 0.5 < 0.9 < alone["day", 3] < alone["day", 5]
# neither column alone singles out half as many as both, and both cut together nearly nobody
assert max(alone["day", 0], alone["not at all", 5]) < alone["day", 5] / 2
assert alone["year", 3] < 0.02
assert max(abs(alone[known] - expected[known]) for known in alone) < 0.005
assert alone["not at all", 5] == 0
assert steps["age"].share < 0.01 < 0.5 < steps["sex"].share

# Differencing: a subtraction
assert farthest < 1 < 3 < spread.max(), "one pair says next to nothing, the average of all says the hour"

# How wrong must answers be?
assert all(consistent(count)[(tables == truth).all(axis=1)].all() for count in range(13))
assert left == sorted(left, reverse=True)
assert np.array_equal(bits_from(counts, H), held)
assert np.array_equal(bits_from(answers, H) > 0.5, held == 1)
assert np.array_equal(H.T @ H, 4 * np.eye(4))
assert np.all(np.abs(answers - counts) == 0.25)
assert misread(16).mean() < 0.25 < misread(32).mean()
for E, row in by_hadamard.iterrows():
    assert row["largest error chosen"] <= E
    assert max(row["errors at random"], row["errors chosen"]) <= row["theorem: at most"]
    # the person in everybody's column moves with the first answer: one more or less
    assert abs(row["errors chosen"] - E**2) <= 1
    assert row["errors chosen"] > row["errors at random"]
assert by_hadamard["errors at random"][4] < 3

# And locally?
assert math.isclose(gap, (reports[0] - survey.q) / (survey.p - survey.q), abs_tol=1e-6)
assert after_yes < 0.5
assert math.isclose(local_error, math.sqrt(n * survey.p * survey.q) / (survey.p - survey.q))
