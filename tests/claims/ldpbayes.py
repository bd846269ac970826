"""What the text of "LDPBayes: one report for a whole record" claims; run in its namespace."""

# One record, many answers
table = LDPBayes(1.0, **nursery.domains).tabulate(nursery.X[:1], nursery.y[:1])
assert table.sets[0].tolist() == first.tolist()

# A mechanism for sets
assert len(np.unique(one.channel().round(12))) == len(np.unique(two.channel().round(12))) == 2
assert np.allclose(np.sum(np.isclose(two.channel(), two.channel().min()), axis=1), 1)

# How many codes should a report have?
assert all(len(found) == 1 for found in best_k.values())  # free of h
assert in_order == sorted(in_order, reverse=True)
assert in_order[0] > 1
assert in_order[GRID.index(3.0) :] == [1, 1]
assert all(k == max(1, round(20 * balance(e))) for e, k in zip(GRID, in_order))
on_slider = log_slider(0.2, 6, n=9).values
small = [meets(SetSubsetSelection(e, 20 * h, set_size=h)) for e in {*GRID, *on_slider} for h in HS if e <= 3]
assert min(small) > 0.35
assert max(small) < 0.6
limits = [balance(e) * math.exp(2 * balance(e) + e) for e in GRID]
assert all(1 < r < math.e / 2 for r in [*factors, *limits])
assert np.allclose(factors, limits, rtol=0.02)
assert factors == sorted(factors, reverse=True)
assert sets[1.0, 14].variance(1, 1) > sampled_held > 14
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

# Exercises
assert {SetSubsetSelection(2.0, 80 * h, h).k for h in (10, 20)} == {9}
