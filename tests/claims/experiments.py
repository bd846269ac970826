"""What the text of "The experiments" claims; run in its namespace."""

# The question
for o in ("DE", "OUE"):
    behind, its_error = paired(credit[f"{o}/raw/record"][0], credit["commonest class"][0])
    assert behind < -3 * its_error
assert AT[:3] == [0.05, 0.25, 0.45]
for runs_of in (credit["DE/raw/record"], credit["OUE/raw/record"]):
    assert (runs_of[:3].mean(axis=-1) < credit["commonest class"].mean()).all()
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

# Then the published tables
assert abs(n_far - far_by_luck) < 1
assert AT[i_mid + 1] == 1.05
assert {again[n].shape[-1] for n in DISCRETE} == {10}, "ten runs"
assert printed_table["car"][:, : i_mid + 1].max() < study[AGAIN["car"]]["commonest class"].mean()
outside = [
    np.abs(again[n].mean(axis=-1) - printed_table[n]) > 2 * again[n].std(axis=-1, ddof=1) / math.sqrt(10)
    for n in DISCRETE
]
assert np.mean(outside) > 0.3, "many ticks stand outside the bars"
assert AT[1:3] == [0.25, 0.45], "the two small ε of the claims"

# One claim, worked through
assert d_block < edge < d_car_small
for o in ("DE", "OUE"):  # below the commonest class over new splits, clearly
    gap, its_error = paired(study["car"][f"{o}/report"][i_mid], study["car"]["commonest class"][i_mid])
    assert gap < -3 * its_error
assert min(blocks) < max(blocks) - 5
assert new > 3 * new_e
assert jnt < -3 * jnt_e
assert jnt < late < -3 * late_e
assert jnt < rec < 0
assert rec_e > jnt_e
for o in ("DE", "OUE"):
    behind, its_error = paired(study["car"][f"{o}/record"][i_mid], study["car"]["commonest class"][i_mid])
    assert behind < -0.2

# What the record pays
assert min(tables["car"].xy().sizes) >= 2
for spent in paid.values():
    assert spent["SUE"] > spent["DE"]
    assert math.isclose(spent["OUE"], spent["SUE"])
for name, d in (("a feature of 3 values, 2 classes", 3), ("a feature of 4 values, 3 classes", 4)):
    factor = math.exp(0.5) * ((d - 1) * math.exp(0.5) + 1) / (math.exp(0.5) + d - 1)
    assert math.isclose(paid[name]["OUE"], 0.5 + math.log(factor), rel_tol=1e-9)
car_record = BlockNaiveBayes(0.45, oracle="oue").report_channel([3, 4], 2)  # its factors multiply
assert sorted(tables["car"].xy().sizes) == [3, 3, 3, 4, 4, 4]
assert math.isclose(exact_epsilon(car_record), 0.45 + sum(map(math.log, each)) / 3)
two_values = [exact_epsilon(BlockNaiveBayes(0.5, oracle=o).report_channel([2, 2], 2)) for o in ("de", "sue", "oue")]
assert np.allclose(two_values, 1.5)
assert np.allclose([spent["DE"] for spent in paid.values()], [1.0, 1.5, 1.0])
split, code, record = steps.values()
assert all(abs(record[n]) > max(abs(split[n]), abs(code[n])) for n in ("car", "chess", "mushroom"))
always_win = [100 * study[p]["commonest class"].mean() for p in (SPLIT["connect-4"], *3 * ["connect-4"])]
assert all(0 < win - by["connect-4"] < 2 for win, by in zip(always_win, heights))
assert by_code["DE"][0] < -10 * by_code["DE"][1]
assert 0 < by_code["OUE"][0] < 3 * by_code["OUE"][1]
assert (late - jnt) / math.hypot(late_e, jnt_e) < 3 < -late / late_e
assert tables["connect-4"].frame["class"].mode()[0] == "win"

# What decides other claims
assert max(own.PUBLISHED["car"], key=lambda o: own.PUBLISHED["car"][o][0]) != "DE"
assert {claim: list(by.values()) for claim, by in counts.items()} == {
    "DE is best on Car": ["7–0 of 8", "8–0 of 8", "0–4 of 4", "0–2 of 8"],
    "SUE, OUE beat DE": ["1–3 of 8", "2–2 of 8", "4–0 of 8", "0–0 of 8"],
    "Mushroom near 90%": ["4–0 of 4", "4–0 of 4", "2–0 of 3", "0–4 of 4"],
}

on = {
    how: {n: counted([p for p in COMPARED["SUE, OUE beat DE"] if p[0] == n], how) for n in ("mushroom", "connect-4")}
    for how in ("new splits", JOINT_CODE)
}
assert [list(by.values()) for by in on.values()] == [["2–0 of 4", "0–2 of 4"], ["4–0 of 4", "0–0 of 4"]]
for n in ("mushroom", "connect-4"):  # the lead moves, clearly at ε = 0.45
    for o in ("SUE", "OUE"):
        before, after = (
            study[part][o + kind][i_mid] - study[part]["DE" + kind][i_mid]
            for part, kind in ((n, "/report"), (f"{n}, joint code", ""))
        )
        assert after.mean() - before.mean() > 3 * math.hypot(before.std(ddof=1), after.std(ddof=1)) / math.sqrt(30)

# Exercises
assert shared[0] > 3 * luck
assert abs(shared[1]) < 2 * luck
assert errors[0][0] < 0.7 * errors[0][1]
assert abs(errors[1][0] / errors[1][1] - 1) < 0.1
assert all(low.var() > high.var() for high, low in zip(*rows))
exact_at_five = 4 * math.exp(5) / (math.exp(5) - 1) ** 2  # OUE, at a share of zero
assert 0.15 < exact_at_five / (4 / 5**2) < 0.18
