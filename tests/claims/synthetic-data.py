"""What the text of "Synthetic data" claims; run in its namespace."""

from sklearn.naive_bayes import CategoricalNB

# Synthetic data
lived_in = marginal(boxes, [0, 1], sizes=[10, 10]) > 0
astray = {eps: 1 - lived_in[tuple((invented(eps) // 10).astype(int).T)].mean() for eps in (0.03, 3.0)}
assert astray[3.0] < 0.1
assert round(3 * astray[0.03]) == 2, "two dots of three"

# One column
assert exact_epsilon([[1, 0], [0, 1]]) == math.inf
assert math.isclose(exact_epsilon([rows_law(0), rows_law(1)]), 1.0, rel_tol=1e-6)
assert math.isclose(bins_epsilon((5, 0), (6, 0), 1), 1.0)
assert math.isclose(bins_epsilon((1, 0), (0, 1), 1), 2.0)
assert math.isclose(bins_epsilon((1, 0), (0, 1), 2), 1.0)
settings = {"sizes": sizes, "epsilon": 1.0, "neighbours": "replace", "rng": 3}
replaced_noise = noisy_marginal(np.repeat(codes, 20, axis=0), [0], **settings) - 20 * histogram
assert 1.4 < np.abs(replaced_noise).mean() < 2.7, "mean size 2, of 74"
assert len(synthetic_ages) != n
for formula, raw, nearest, _ in by_range.values():
    assert abs(raw / formula - 1) < 0.06
    assert nearest < 1.1 * raw
assert histogram[89 - 17] == 0
assert by_range["age 89"][2] < 0.85 * by_range["age 89"][1]
assert by_range["82 to 89"][2] > 0.9 * by_range["82 to 89"][1]
assert by_range["82 to 89"][3] > 0.5 * by_range["82 to 89"][2]
assert by_range["30 to 61"][3] < -2 * 80 / math.sqrt(len(noisy_tables))
singles_at, wide_at = (np.convolve(histogram[:54], np.ones(w), "valid") for w in (1, 32))
assert some_table[0] / some_table[-1] > math.sqrt(32) > 5.65, "more than the noise alone gives"
assert np.mean(1 / singles_at) / np.mean(1 / wide_at) > 1.2 * 32, "single ages with few people"
assert much_rows.min() > 2 * much_table.max(), "drawing is the larger error"

# Two columns
alike = {e: np.corrcoef(noisy_two(e, 1).ravel(), two.ravel())[0, 1] for e in (0.01, 0.1)}
assert alike[0.01] < 0.5 < 0.9 < alike[0.1]
assert middle[share[0]] < middle[share[1]]
assert low[share[2]] > middle[share[2]] > high[share[2]]
assert all(2 * row["ages: total variation"] < row["cells: total variation"] for row in (low, middle, high))

# Many columns: a tree
joined = np.array([[9, 0], [0, 1]])
apart = np.outer(joined.sum(axis=1), joined.sum(axis=0)) / joined.sum()
assert np.allclose(apart, [[8.1, 0.9], [0.9, 0.1]])
assert math.isclose(np.abs(joined - apart).sum() / 2, 1.8)
drawn_at = {e: sum(hits(chosen_edges(e, seed)) == 5 for seed in range(20)) for e in found_at}
assert all(
    stats.binom.cdf(drawn_at[e], 20, p) > 5e-4 < stats.binom.sf(drawn_at[e] - 1, 20, p) for e, p in found_at.items()
)
assert found_at[0.01] < 0.1 < found_at[0.1] < found_at[1.0]
assert leads[closest] < scale[0.1] < max(leads.values())

# What each can answer
assert tree[2] < singles[2]
assert abs(SCORES[frozenset(EDGE)] / len(X) - singles[2]) < 0.005, "off even without noise"
assert tree[2] < whole[2]
assert singles[0] < whole[0]
assert all(whole[i] == min(way[i] for way in answers.values()) for i in (3, 4)), "best for the last two"

# And locally?
assert 4 < local_gain < 9
helps = []
for times, (local_, _) in distances.items():
    m_ = int(counts.sum()) * times
    raw_ = oracle.estimate(oracle.simulate(counts * times, rng=9, size=20), m_)
    helps.append(local_ / np.mean([np.abs(one / m_ - counts / counts.sum()).sum() / 2 for one in raw_]))
assert helps[0] < helps[1] < helps[2] < 1, "consistent helps most where the noise is largest"
assert 50 < central_gain < 200
assert all(local > 10 * curator for local, curator in distances.values())

# What is such a table good for?
assert without_noise < base < star_best[0] <= real + 0.01
assert chosen_best[0] < base
assert star_best[1] < chosen_best[1]
assert star_best[2] > chosen_best[2]
fewer = CategoricalNB(min_categories=SIZES[:-1]).fit(train[:, :-1], train[:, -1])
assert abs(fewer.score(test[:, :-1], test[:, -1]) - real) < 1e-3, "naive Bayes as scikit-learn has it"
assert quality["star"][0, :, 0].std() > 3 * quality["star"][-1, :, 0].std()
paired = quality["star"][-1, :, 0] - quality["chosen"][-1, :, 0]
assert paired.mean() > 3 * paired.std(ddof=1) / math.sqrt(REPEATED)
assert (quality["chosen"][[e >= 1 for e in BUDGETS], :, -1] == 1).all()
middles = {name: np.median(judgements, axis=1) for name, judgements in quality.items()}
assert (middles["chosen"][:, 0] < base).all()
assert middles["chosen"][2, 0] == middles["chosen"][:, 0].max() > middles["chosen"][3:, 0].max() + 0.01, (
    "falls from 0.1 on"
)
assert 0 < alone.sum() < 15
of_income = [edge for edge in RANKED if 5 in edge]
assert {edge_name(edge - {5}) for edge in of_income[:2]} == {"relationship", "marital-status"}
assert at_tenth[alone, 0].mean() < base < at_tenth[~alone, 0].mean()
assert [frozenset(pair) in {frozenset(edge) for edge in STAR} for pair in PAIRS] == [True, False]
assert [set(pair) in [set(edge) for edge in noiseless.edges] for pair in PAIRS] == [False, True]
assert (middles["star"][:, 1] < middles["chosen"][:, 1]).all()
assert middles["star"][-1, 2] > 10 * middles["chosen"][-1, 2]
assert tree[1] > singles[1]
