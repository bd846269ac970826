"""What the text of "In full: feature selection" claims; run in its namespace."""

# Figure 2: accuracy against the number of features
assert max(near_blind.values()) < 2
assert sum(map(is_clear, tiny.values())) == 0
soy = [runs("soybean", "3-NN", kind, 0.01)[NONE] for kind in KINDS]
assert paired(soy[1], soy[0])[0] > 3 * paired(soy[1], soy[0])[1]
assert leaves("as published", "1") > 0
assert leaves("20 disjoint chunks", "1") > 0
assert not any(is_clear(gap("arcene", m, "100", kind="20 disjoint chunks")) for m in ("3-NN", "SVM"))
assert arcene_gaps["3-NN"][0] > 0 > arcene_gaps["SVM"][0]
