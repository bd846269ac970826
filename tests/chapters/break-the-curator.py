"""What the text of "Break the curator" claims; run in its namespace."""

# Break the curator
came = range(1, 9)
assert np.allclose([density_epsilon(np.exp(-np.abs(shown - [[0], [visits]]))) for visits in came], came)

# Exhibit 1: upper minus lower
assert math.isclose(joins, sum_sensitivity((60, 80)) / sum_sensitivity((60, 80), neighbours="replace"))
assert math.isclose(joins, 4)

# Exhibit 2: the largest noisy score
assert near < 1 < far.epsilon < 2
assert f"{near:.2f}" == "0.96", "the quiz says so"
assert sorted(abs(a - b) for a, b in (far.data, far.neighbour)) == [8, 10]
assert math.isclose(mended_max.epsilon, 1)

# Exhibit 3: three searches
assert bounds == {"A": 3.0, "B": 1.5, "mended": 1.0}
assert max(looked[name][1] for name in "AB") < 1
assert math.isinf(exact_epsilon(leaky))
assert faults.VARIANTS["one-one"] == SCALES["A"]
assert faults.VARIANTS["two-two"] == SCALES["B"]
assert faults.VARIANTS["exact-answers"] == SCALES["C"]
assert caught_at["mended"] is None
assert caught_at["exhibit 2"] == caught_at["search A"] < caught_at["search B"]
assert all(curve[0] < 1 for curve in CURVES.values())
assert all(np.all(np.diff(curve) > -1e-9) for curve in CURVES.values())
assert CURVES["exhibit 2"][-1] < 1.99
assert all(
    0.99 * bounds[name[-1] if name[-1] in "AB" else name] < CURVES[name][-1]
    for name in ("search A", "search B", "mended")
)

# Exhibit 4: a mean that finds its own bound
assert np.abs(growth).max() == 1
assert math.isclose(of_sum + of_count + 1 / 3, 1)
unclipped = np.minimum(one_more, 56)
assert np.abs(unclipped).max() == 10**6
assert math.isnan(np.clip([3, math.nan], 0, 56).sum())

# Exhibit 5: propose, test, release
assert math.isclose(spent_delta, math.sqrt(DELTA / 2) / 2)
assert math.exp(-25 / 0.005) == 0.0 or math.exp(-25 / 0.005) < 1e-300
assert (distances.loc["as proved"] == distances.loc["by the package"]).all()
assert (distances.loc["as listed"] - distances.loc["as proved"]).tolist() == [0, 1, 1]
assert 1.999 < twice < 2
assert [listed_distance(n, 100, 0.005) for n in (2, 1)] == [0, 0]
assert budget_delta > 1e7 * DELTA
past = faults.published_release_probability(1, epsilon=1.0, delta=DELTA)
assert math.isclose(past / passed, math.e)
# the mend: its test at distance 0, and what test and release spend together
SD = 1e-9
needed = 2 * math.log(1 / (2 * SD))
assert math.isclose(math.exp(-needed / 2) / 2, SD)
assert (listed_distance(2, 100, 33.4), listed_distance(1, 100, 33.4)) == (1, 0)
assert proved_distance(2, 100, 33.4) == 0
assert third[1.0] < third[2.0] < 1 < third[4.0] < third[6.0]
assert math.isclose(mended_pass(0), DELTA)
assert [listed_distance(n, 100, 0.005) for n in sizes] == [9, 10]
assert once <= 1 + 1e-9

# Exhibit 6: six hundred chunks
assert n_chunks == 593
assert math.isclose(replaced, 600 / n_chunks)
assert added > 100
assert math.isclose(mean_by_chunks(tuned, 600, 20, 80, 1e12, np.random.default_rng(0)), plain, rel_tol=1e-6)
assert math.isclose(at_most, 1)
assert 0 < max(moves) <= 60
assert of_one <= at_most

# Exhibits 7 and 8: two formulas
assert max(mended.values()) <= 1e-5 * (1 + 1e-6)
assert classic[8] < 1e-5 < classic[10] < classic[20]
assert math.isclose(gaussian_scale(1.0, 20.0, 1e-5), faults.classic_sigma(epsilon=20.0, delta=1e-5))
assert exact_delta(coins, rule) > 0.999
assert math.isclose(rule, faults.constant_two(3.0, 200, delta=1e-5))
small = faults.composed_channel(0.05, 200)
assert exact_delta(small, total_epsilon(0.05, 200, 1e-5)) < 1e-5
all_true = (1 + math.exp(-3)) ** -200
assert all_true > 1e-5
assert 1e-5 <= all_true < 1e-4

# Exhibit 9: synthetic rows
assert math.isinf(by_length)
assert with_31 > 0.3
assert without_31 == 0.0
assert math.isclose(one_bin, 1)

# Exhibit 10: an exact denominator
assert math.isinf(exact_epsilon(share_channel))
assert exact_delta(share_channel, 1.0) > 0.99
assert math.isclose(sum(half), 1)

# Exhibit 11: twenty bags
assert 1 < spent[4000, "with"] < spent[4000, "without"]
assert abs(in_bag[4000]["with"] + math.expm1(-0.9)) < 1e-3
assert spent[100, "without"] < 1, "few rows do not show it"
assert change <= noise_for
assert chunk_loss <= 1

# The slips that cost only accuracy
assert exact_epsilon(folded) <= 1
assert thousandth.epsilon <= 0.001 + 1e-9
assert right[1] < 0.4 < 0.99 < right[0]
assert 1.999 < mean_of_two < 2
assert wasted > 0

# And locally?
assert (local[2] < 1).all()
assert local.max().max() < 1.2
assert (local.max(axis=1) > 1).all()
assert local.loc[0.5, 50] > 1
off = local_largest(1.0, 6)[~np.eye(6, dtype=bool)]
assert np.allclose(off, off[0])
