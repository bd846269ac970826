"""What the text of "Private feature selection" claims; run in its namespace."""

# Weights from margins
two = readings[:, [0, 3]]  # iron and sodium
far = np.linalg.norm(two[:, None] - two, axis=2) + np.diag(np.full(10, np.inf))
hit, miss = (np.where(kind, far, np.inf).argmin(axis=1) for kind in (ill[:, None] == ill, ill[:, None] != ill))
positive = (np.abs(two - two[miss]) > np.abs(two - two[hit])).sum(axis=0)
assert positive[0] > 5 > positive[1]
assert three_best(0)[1][0] == 0
assert 3 not in three_best(0)[1]

# Weights from margins: either way to draw bags, and neither is better for accuracy
sampling = study["soybean, sampling"]
effect = [paired(sampling[m][r, 1], sampling[m][r, 0])[0] for m in sampling for r in range(len(RIDGES))]
assert sampling.at["drawn"][:2] == ["without replacement", "with replacement"]
assert min(effect) < 0 < max(effect)

# Stability and sensitivity: the published proof
assert camp_weights[0.0] < camp_weights[1.0] < camp_weights[strongest]
climb = [camp_weights[place / 10] for place in range(11)]
assert np.all(np.diff(climb[: round(10 * strongest) + 1]) > 0)
assert np.all(np.diff(climb[round(10 * strongest) :]) < 0)
assert abs(D - gone) < 1e-9
assert abs(D - D_other) <= abs(D - gone) + abs(D_other - gone) + 1e-6

# The audit
assert ensemble_epsilon(1000, 0.01) > 2, "step 4, far more than step 3"
assert steady.min() > 0.75 * steady.max()
assert math.isclose(
    change(1000, 0.01), camp_weight(1000.0, 0, 1000, 0.01) - camp_weight(499.0, 1, 1000, 0.01), rel_tol=1e-4
)
one_fit = audit["one fit: ε at nominal 1"]
assert felp_epsilon.is_monotonic_increasing
assert (felp_epsilon < one_fit).all()
assert felp_epsilon[1000] > 1
assert list_epsilons.is_monotonic_increasing
assert (list_epsilons < felp_epsilon).all(), "a list tells no more than its weights"
assert list_epsilons[1000] > 1
assert math.isclose(math.log(in_other / in_one), list_epsilons[1000])
assert list_delta > 1e-4
assert all(bag_weights(n, 0.01)[1].min() > 0 for n in audit.index), "where the chance is convex"
draws = np.random.default_rng(5)
of_hundred, after, chances = bag_weights(100, 0.01)
angle, length = 2 * np.pi * draws.random(400_000), draws.gamma(2, 2.0, 400_000)  # Δ is 2
wider = length * (np.sin(angle) - np.cos(angle))
of_bags = draws.choice(after, (400_000, 20), p=chances / chances.sum()).mean(axis=1)
drawn = math.log(np.mean(wider > of_bags) / np.mean(wider > of_hundred))
assert list_epsilons[100] - 0.01 < drawn < felp_epsilon[100], "four standard errors below the bound of Jensen"

# What does the selection find out?
assert all(gain > 3 * error for gain, error in (gap(*case, "1", kind=CHUNKS) for case in FEW)), "something is left"
assert all(cost > 2 * error for cost, error in (repair(*case) for case in FEW)), "and the promise costs something"
assert nothing < 0.2, "at ε = 0.01 nothing is left"
less, error = paired(passes("wdbc", "3-NN", "no noise"), passes("wdbc", "3-NN", "no noise", CHUNKS))
assert less > 3 * error, "the second price"
of_arcene = [gap("arcene", m, "1", kind=kind)[0] for m in MODELS for kind in KINDS]
assert max(map(abs, of_arcene)) < 0.2, "nothing is left"
assert shapes["arcene"][1] == 10_000


def at_same_ridge(data, model):
    """What chunks have more than bags at λ = 0.01 for both."""
    bags, chunks = (
        100 * study[data][f"{model}, {kind}"][RIDGES.index(0.01), BUDGETS.index("1")] for kind in ("bags", "chunks")
    )
    return paired(chunks, bags)


assert len(FEW) == 6
assert min(true) > 10
assert all(abs(more) < 3 * error for more, error in (at_same_ridge(*case) for case in FEW)), "none is clear"
assert gain > 3 * gain_se
assert loss < -3 * loss_se
assert all(
    np.argmax([runs.mean() for runs in study[d][f"{m}, {kind}"][:, BUDGETS.index("1")]]) == RIDGES.index(ridge)
    for d, m in FEW
    for kind, ridge in (("bags", 1.0), ("chunks", 0.01))
)
assert np.corrcoef(average, fitted.weights_)[0, 1] > 0.99, "nearly a multiple"
assert len({frozenset(map(int, chosen)) for chosen in selected.values()}) == 1, "both name the same three"

# And locally?
assert (finds.iloc[0] < 1.5).all(), "blind choice has 1 ± 0.2"

# Exercises
assert most_used[0] > 4 * most_used[1]
assert (chosen_right["FELP, chunks"] > chosen_right["blindly"]).all()
