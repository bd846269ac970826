"""What the text of "De-identification and two attacks" claims; run in its namespace."""

# De-identification and two attacks
assert [fits[:, :known].all(axis=1).sum() for known in range(6)] == [400, 216, 47, 15, 2, 1]

# Linkage: a join
# of the two cuts that were asked about, the year protects more; no ZIP code at all protects more than either
assert alone["day", 0] < alone["year", 5] < 0.5 < 0.9 < alone["day", 3] < alone["day", 5]
# neither column alone singles out half as many as both, and both cut together nearly nobody
assert max(alone["day", 0], alone["not at all", 5]) < alone["day", 5] / 2
assert alone["year", 3] < 0.02
assert off < 0.005
assert alone["not at all", 5] == 0
assert steps["age"].share < 0.01 < 0.5 < steps["sex"].share

# How wrong must answers be?
assert all(consistent(count)[(tables == truth).all(axis=1)].all() for count in range(13))
assert left == sorted(left, reverse=True)
assert np.array_equal(bits_from(counts, H), held)
assert np.array_equal(bits_from(answers, H) > 0.5, held == 1)
assert np.array_equal(H.T @ H, 4 * np.eye(4))
assert np.all(np.abs(answers - counts) == 0.25)
missed = []
for largest in (16, 32, 64, 128):
    errors = np.random.default_rng(5).uniform(-largest, largest, len(bits))
    missed.append(np.mean((bits_from(true_counts + errors, signs) > 0.5) != bits))
assert missed[0] < 0.25 < missed[1]

# And locally?
assert math.isclose(gap, (reports[0] - survey.q) / (survey.p - survey.q), abs_tol=1e-6)
assert after_yes < 0.5
assert math.isclose(local_error, math.sqrt(n * survey.p * survey.q) / (survey.p - survey.q))
