"""What the text of "Naive Bayes, privately" claims; run in its namespace."""

# Who will miss a payment?
both = customers[(customers["age"] == "young") & (customers["income"] == "medium")]
assert both.empty
assert len(tables["age"]) * len(tables["income"]) * len(tables["gender"]) == 18
naive = conditional["age"]["yes"]["young"] * conditional["income"]["yes"]["medium"]
assert naive == 1 / 8
assert np.array_equal(1_000 * tables["age"][["yes", "no"]].to_numpy(), ages)
small, large = (worked_out(e) for e in (0.1, 3.0))
assert small.min() < 0
assert abs(large - ages).max() < 200

# Predict first
assert score["yes"] > 4 * score["no"]
assert math.isclose(score["yes"], 1 / 40)
assert math.isclose(score["no"], 1 / 180)

# One whisper per person
assert E.tolist() == [2, 1, 1, 2, 1, 3]
assert math.isclose(medium, conditional["age"]["no"]["medium"])
assert math.isclose(np.bincount(inputs["class"])[1] / 10, prior["yes"])
assert inputs.loc[[1, 3, 5], "age"].tolist() == [1, 4, 6]

# How many people does it take?
assert 0.4 < agree[0.1][crowds.index(1_000)] < 0.7
# With a pencil: the crowd in which her rarest pairs, one person in ten, are twice their noise.
hers = {f: tables[f].loc[v] for f, v in person.items()}
assert min(pair.min() for pair in hers.values()) == 1

# Income in the census
assert 3 * math.exp(1.0) + 2 < 2 * max(sizes) < 3 * math.exp(3.0) + 2
assert max(median["OUE", 0.1], median["DE", 0.1]) < majority
assert median["OUE", 5.0] > majority
assert math.isclose(open_accuracy, openly.score(X[~train], y[~train]))
assert last < open_accuracy
beat = np.mean(runs["OUE", 1.0] > majority)
assert beat < 0.75
assert behind[-1] == 1.0, "OUE is ahead where answers are few, and nowhere above"
assert ahead in ([3.0], []), "on the stand-in; on the real file nowhere clearly"
assert all(gap > 1 for gap in lost.values())
assert np.mean(runs["OUE, split", 5.0] > majority) < 0.9

# From how many people on?
assert 4 < noise[0.5] / noise[1.0] < 5
assert all(above[e][-1] > above[e][0] for e in (0.5, 1.0))
assert above[0.5][0] < 0.5 < above[0.5][-1]
assert above[1.0][-1] >= 0.9
assert above[0.5][1] < 0.9
assert np.median(grown[1.0], axis=1)[-1] < open_accuracy

# And the dotted line itself?
assert right > 0.99

# Exercises
assert all((v < 1) == (e >= overtaken) for e, v in gap.items())
