"""What the text of "k-anonymity and its limits" claims; run in its namespace."""

from ldp_core.frequency import OptimizedUnary

# k-anonymity and its limits
crowds = [box_of_mine(2**doubled)[0] for doubled in range(1, 7)]
assert crowds[3].sum() == flu[crowds[3]].sum() == 12

# Generalize, clip, leave out
assert math.isclose(loss8["plain"], (10 / 7 + 18 / 5) / 16)
assert [anonymity_level(t, QUASI8) for t in (people, decades, clipped, left_out)] == [1, 1, 2, 2]
assert loss8["clip"] < loss8["out"]

# A secret that all share: ℓ
assert l_diversity(clipped, QUASI8, sensitive="illness") == 1
assert l_diversity(coarser, QUASI8, sensitive="illness") == 2
assert anonymity_level(coarser, QUASI8) == 3
assert information_loss(people, coarser, columns=QUASI8) > 2 * information_loss(people, clipped, columns=QUASI8)

for version in (clipped, coarser):
    assert distinct_l(version, QUASI8, "illness") == l_diversity(version, QUASI8, sensitive="illness")

# Different and yet alike, rare and yet common here: t
for version, quasi, sensitive in (
    (by_organ, QUASI8, "illness"),
    (by_organ, QUASI8, "organ"),
    (tested, ["class"], "test"),
):
    assert math.isclose(closeness(version, quasi, sensitive), t_closeness(version, quasi, sensitive=sensitive))
# of all combinations of levels, with Hal clipped, only those that tell nothing get below one half
below = []
for node in itertools.product(range(4), range(6)):
    version = generalize(clip(people, {"age": (0, 49)}), dict(zip(QUASI8, node, strict=True)), hierarchies=LEVELS8)
    version = version.assign(organ=organs.apply(version["illness"], 1))
    t_organ = t_closeness(version, QUASI8, sensitive="organ")
    if t_organ < 0.5 - 1e-9:
        below.append((information_loss(people, version, columns=QUASI8), t_organ))
assert below
assert all(math.isclose(loss, 1) and t == 0 for loss, t in below)
skew = t_closeness(tested, ["class"], sensitive="test")
assert l_diversity(tested, ["class"], sensitive="test") == 2
assert math.isclose(skew, in_a - positive)
assert math.isclose(closeness(by_organ, QUASI8, "organ"), 0.5)
assert math.isclose(closeness(by_organ, QUASI8, "illness"), 0.5)
assert t_rare < 0.1
assert after / before > 90

# A census
assert columns_alone > 0.5

# What does it cost?
assert all(kept.min() > -1e-12 for kept, out in trade.values())
# between the ends, and never at a finer table for a larger k
assert min(deepest) > 0
assert max(deepest) < len(PATH) - 1
assert deepest == sorted(deepest)
assert deepest[0] < deepest[-1]
assert all(
    np.isclose(h.sum(), (t["income"] == ">50K").sum())
    for h, t in zip(read_off.values(), published.values(), strict=True)
)
assert [found[k].loss for k in KS] == sorted(found[k].loss for k in KS)
assert (found[25].levels["age"], found[25].levels["education-num"]) == (2, 1), "30 to 39 and 12 to 13, as in the text"
assert 0 < found[25].loss - np.median(errors[25]) < 0.02
small = [float(np.mean(s < 7)) for s in crowd.values()]
assert small[0] > 20 * small[3]

assert truth > told[2] > told[25] > 0
assert told[25] < 0.8 * truth
assert told[100] < 0.6 * truth
lost_people = adult.frame.loc[adult.frame.index.difference(published[25].index)]
here = lost_people["age"].between(35, 39) & (lost_people["education-num"] >= 13) & (lost_people["income"] == ">50K")
assert here.sum() < 0.1 * truth, "hardly any of them were left out"
assert 1 - told[25] / truth > 2 * found[25].loss
assert 10 * np.median(errors[2]) < np.median(errors[250])

# the path: age alone first, sex at the last step only
assert [node[:2] == node[0] + "0" and node[2:] == "00" for node in PATH[:3]] == [True] * 3
assert [node[2] for node in PATH] == ["0"] * 8 + ["1"]

# ℓ and t on the census
assert 0 < shared[50] < shared[10]
assert (alike["income"] == "<=50K").mean() > 0.99

# A second table
assert np.mean(candidates[2][:, 2] == 1) > np.mean(candidates[2][:, 0] == 1)
assert all(np.median(f[:, 2]) < np.median(f[:, 0]) for f in candidates.values())

# And locally?
assert abs(told[5] - truth) < local_sd < abs(told[25] - truth)
assert nearer > 0.6
assert yes.sum() == round(truth)
# known beforehand: a table of all cells, from local reports, is worse for the other questions
grid = OptimizedUnary(1.0, true_table.size + 1)
whole = np.append(true_table.ravel().round().astype(int), n - round(true_table.sum()))
cells_seen = grid.estimate(grid.simulate(whole, np.random.default_rng(6)), n)[:-1].reshape(true_table.shape)
local_errors = np.abs((questions * cells_seen).sum(axis=(1, 2)) / truths - 1)
assert np.median(local_errors) > np.median(errors[25])
