"""What the text of "k-anonymity and its limits" claims; run in its namespace."""

# Generalize, clip, leave out
assert math.isclose(loss8["plain"], (10 / 7 + 18 / 5) / 16)
assert [anonymity_level(t, QUASI8) for t in (people, decades, clipped, left_out)] == [1, 1, 2, 2]
assert loss8["clip"] < loss8["out"]

# A secret that all share: ℓ
assert l_diversity(clipped, QUASI8, sensitive="illness") == 1
assert l_diversity(coarser, QUASI8, sensitive="illness") == 2
assert anonymity_level(coarser, QUASI8) == 3
assert information_loss(people, coarser, columns=QUASI8) > 2 * information_loss(people, clipped, columns=QUASI8)

# Different and yet alike, rare and yet common here: t
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
