"""What the text of "LDPBayes: one report for a whole record" claims; run in its namespace."""

# One record, many answers
table = LDPBayes(1.0, **nursery.domains).tabulate(nursery.X[:1], nursery.y[:1])
assert table.sets[0].tolist() == first.tolist()

# One set, or one answer by lot?
assert held_sets > sampled_held > 14
assert best_marks.k == 1 == whole.k
assert 1 < sheet_ratio < 1.2

# From counts to a classifier
assert rare_noise > 5 * rare
assert np.mean(estimates < 0) > 0.1


# Five classifiers at equal ε
def from_on(name, d):
    """The first budget from which on a model is above the commonest class; none if it is not."""
    good = [e for i, e in enumerate(BUDGETS) if np.all(mean[d][name][i:] > level[d])]
    return good[0] if good else None


assert all(mean[d]["LDPBayes"][at] > mean[d][r][at] for d in SETS for r in ("DE, split", "OUE, split"))
assert plain["bank"] < level["bank"]
assert mean["nursery"]["LDPBayes"][BUDGETS.index(3.0)] > 2 * level["nursery"], "much is to be gained"
beats = {name: [from_on(name, d) for d in SETS] for name in ("LDPBayes", "JESS")}
assert beats == {"LDPBayes": [1.0, 0.6, None], "JESS": [0.8, 0.4, None]}
assert clearly == [1.5, 2.0, 3.0], "LDPBayes and one attribute sampled by OUE, on Nursery"

# With and without a curator
line = curator["commonest class"][0, 0]
local_clear = [clear("local", i) for i in range(4)]
for i in range(4):  # clearly below the commonest class at every ε under 0.5
    below = zip(SMALL_BUDGETS, *paired(curator["local"][i], curator["commonest class"][i]))
    assert all(d < -3 * s for e, d, s in below if e < 0.5)
for name in ("curator, replace", "local"):
    for i in range(4):  # once above, above for good
        above = clear(name, i)
        assert above == list(SMALL_BUDGETS)[len(SMALL_BUDGETS) - len(above) :]
low = [curator["local"][i, 0].mean() for i in range(4)]
assert max(low) < line.mean()
assert local_clear == [[], [], [1.0], [1.0]]
assert short.min() > 3
assert (
    judge([g for t, h in zip(curator["curator, add or remove"], curator["local"]) for g in zip(*paired(t, h))])[
        "verdict"
    ]
    == "holds"
)
