"""What the text of "The experiments" claims; run in its namespace."""

# The question
opening = study["australian"]["DE/raw/record"][:, :12] - study["australian"]["OUE/raw/record"][:, :12]
assert np.sum([row.min() < 0 < row.max() for row in opening]) == len(AT) - 1


# How to repeat an experiment
assert [budget for budget, d, e in zip(AT, ahead, error) if abs(d) > 3 * e] == [1.05, 5.0]
assert ahead[AT.index(1.05)] > 0 < ahead[AT.index(5.0)]

# First reproduce: the split
assert all(len(right) == 1000 for right in by_split.values())
for n in ("car", "chess", "connect-4"):
    assert lucky[n] > 3
    assert reach[n] == 0
assert plain["mushroom"] == 1
assert reach["mushroom"] > 100
for n in DISCRETE:  # the split is the published one
    assert abs(plain[n] - own.PUBLISHED_PLAIN[n]) < 2e-4, n
assert abs(plain["connect-4"] - 0.75) < 0.01
assert by_split["connect-4"].mean() < 0.73

# Then the table, and what the record pays
assert n_close >= 0.9 * every_z.size
assert len(tables["mushroom"].features) == 22
assert len(informative) == 20
assert max(mush[:3]) - min(mush[:3]) < 1
assert mush[2] - mush[3] > 10

# One claim, worked through
assert d_block < edge < d_car_small
for o in ("DE", "OUE"):  # below the commonest class over new splits, clearly
    gap, its_error = paired(study["car"][f"{o}/report"][i_mid], study["car"]["commonest class"][i_mid])
    assert gap < -3 * its_error
assert counts["Car: DE is best at small ε"]["ε a record"] == "0–2 of 8"
for i in (1, 2):  # both with THE
    behind, its_error = paired(study["car"]["DE/record"][i], study["car"]["THE/record"][i])
    assert behind < -3 * its_error
assert min(blocks) < max(blocks) - 5
assert new > 3 * new_e
assert jnt < -3 * jnt_e
assert jnt < rec < 0
assert rec_e > jnt_e

# What decides the others
assert len(counts) == len(DECIDES) == 6
for claim, by in counts.items():  # for all six it depends on how one asks
    assert len({said for said in by.values() if said != "–"}) > 1, claim
assert min(int(number) for number in (example[0], example[2])) > 0, "the example has some on either side"

# Where it breaks
assert noise[0.45] > 2 * per_input / 4 > noise[5.0]

# Exercises
assert shared[0] > 3 * luck
assert abs(shared[1]) < 2 * luck
exact_at_five = 4 * math.exp(5) / math.expm1(5) ** 2
assert abs(exact_at_five / (4 / 5**2) - 1 / 6) < 0.01
assert errors[0][0] < 0.7 * errors[0][1]
assert abs(errors[1][0] / errors[1][1] - 1) < 0.1
