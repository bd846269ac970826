"""What the text of "Break the curator" claims; run in its namespace."""

from ldp_core.central import mean_distance

# Break the curator
came = range(1, 9)
assert np.allclose([density_epsilon(laplace_densities((0, visits), 1.0)) for visits in came], came)

# Exhibit 1: the largest noisy score
assert near < 1 < far.epsilon < 2
assert f"{near:.2f}" == "0.96", "the quiz says so"
listed, mended = ([at.epsilon for at in WORST[name]] for name in ("as listed", "mended"))
assert np.all(np.diff(listed) > 0)
assert max(mended) < 1
assert [listed[0] < 1, listed[1] > 1, caught] == [True, True, 2]
for r, at in zip(reaches, WORST["as listed"]):
    assert abs(np.diff(np.array(at.data) - np.array(at.neighbour))[0]) == 2, "one score falls, the other rises"
    assert max(abs(np.diff(at.data)[0]), abs(np.diff(at.neighbour)[0])) == r

# Exhibit 2: a mean that finds its own bound
one_more = np.array([0, 3, 59, 10**6, -(10**6)])  # who might join
growths = [np.clip(one_more, 0, b) - np.clip(one_more, 0, b + 1) for b in (1, 56)]
assert np.abs(growths).max() == 1
of_sum, of_count = (density_epsilon(laplace_densities(*pair)) for pair in (((0, 56), 56 * 3), ((0, 1), 3)))
assert math.isclose(of_sum + of_count + 1 / 3, 1)
unclipped = np.minimum(one_more, 56)
assert np.abs(unclipped).max() == 10**6
try:
    automatic_mean(np.array([3.0, math.nan]), 1.0, np.random.default_rng(1))
except ValueError as refused:
    stopped = str(refused)
assert "finite" in stopped, "a missing income stops the program"

# Exhibit 3: propose, test, release
assert math.isclose(spent_delta, math.sqrt(DELTA / 2) / 2)
assert math.exp(-25 / 0.005) == 0.0 or math.exp(-25 / 0.005) < 1e-300
for proposed, off in ((0.005, 0), (0.006, 1), (0.007, 1)):
    assert steps_away(30_000, 100, proposed) - mean_distance(30_000, bounds=(0, 100), proposed=proposed) == off
assert 1.999 < twice < 2
assert [steps_away(n, 100, 0.005) for n in (2, 1)] == [0, 0]
past = faults.published_release_probability(1, epsilon=1.0, delta=DELTA)
assert math.isclose(past / passed, math.e)
# the mend: its test at distance 0, and what test and release spend together
SD = 1e-9
needed = 2 * math.log(1 / (2 * SD))
assert math.isclose(math.exp(-needed / 2) / 2, SD)
assert (steps_away(2, 100, 33.4), steps_away(1, 100, 33.4)) == (1, 0)
assert mean_distance(2, bounds=(0, 100), proposed=33.4) == 0
assert third[1.0] < third_slip(2.0) / DELTA < 1 < third[4.0] < third_slip(6.0) / DELTA
cuts = np.linspace(-500, 500, 10_001)  # the ratio of the two densities is monotone: half-lines are the worst sets
two_people, one_person = (
    mended_pass(k) * stats.laplace.sf(cuts, mean, 2 * PROPOSED) for k, mean in ((1, 50.0), (0, 0.0))
)
assert max(two_people - math.e * one_person) < DELTA, "at ε = 1 this pair stays within δ"
assert math.isclose(mended_pass(0), DELTA)
assert steps == [9, 10]
passes = np.array([[mended_pass(k)] for k in steps])
once = density_epsilon(np.column_stack([passes * laplace_densities(means, 2 * 0.005), 1 - passes]))
assert once <= 1 + 1e-9

# Exhibit 4: six hundred chunks
assert n_chunks == 593
assert math.isclose(replaced, 600 / n_chunks)
assert added > 100
assert math.isclose(mean_by_chunks(tuned, 600, 20, 80, 1e12, np.random.default_rng(0)), plain, rel_tol=1e-6)
lots = np.random.default_rng(12).integers(600, size=ROWS)
chunks_by_lot = [tuned[lots == c] for c in range(600)]
moves = [np.median(np.append(c, 80.0)) - np.median(c) for c in chunks_by_lot]
assert 0 < max(moves) <= 60
assert math.isclose(60 / 600 / scale, 1)

# Exhibit 5: synthetic rows
assert math.isinf(by_length)
assert seen["with the person of 31"][-1] > 0.3
assert seen["without"][-1] == 0
assert all((shares[:3] > 0.9).all() and (shares[3:-1] == 0).all() for shares in seen.values())
assert math.isclose(one_bin, 1)

# More slips, in one table
assert math.isclose(home, sum_sensitivity((60, 80)) / sum_sensitivity((60, 80), neighbours="replace"))
assert bounds == {"as listed": 3.0, "mended": 1.0}
before = np.append(np.full(99, -1.0), -8.0)
for name, (s, t) in SCALES.items():
    scales = {"threshold_scale": s, "answer_scale": t}
    pair = before, before + np.append(np.ones(99), -1.0)
    shown = exact_epsilon([above_threshold_probabilities(answers, 0.0, **scales) for answers in pair])
    assert 0.999 * bounds[name] < shown <= bounds[name] * (1 + 1e-9)
assert faults.VARIANTS["one-one"] == SCALES["as listed"]
exact_answers = {"epsilon": 1.0, "variant": "exact-answers"}
leaky = [faults.leaky_search_probabilities(answers, 0, **exact_answers) for answers in ([0.0, 1.0], [1.0, 0.0])]
assert leaky[1][1] == 0 < leaky[0][1]
assert recipe[0.5] < 1e-5 < recipe[20.0]
assert math.isclose(rule, 2 * 3 * math.sqrt(2 * 200 * math.log(1e5)))
assert rule < mean_loss
assert rule_delta > 0.999
assert math.isinf(exact_epsilon(share_channel))
assert exact_delta(share_channel, 1.0) > 0.99
assert 1 < felp["with"] < felp["without"]

# The slips that cost only accuracy
searched = [
    above_threshold_probabilities(answers, 0.0, threshold_scale=2.0, answer_scale=4.0)
    for answers in (np.append(np.full(19, -1.0), -8.0), np.append(np.zeros(19), -9.0))
]
assert exact_epsilon([law[:-1] + law[-1] / 20 for law in searched]) <= exact_epsilon(searched) <= 1
votes = np.array([400.0, 300.0, 200.0])
thousandth = worst_pair(
    lambda s: exponential_probabilities(s / 1000, epsilon=1.0), [(votes, votes + np.array([1, -1, -1]))]
)
assert thousandth.epsilon <= 0.001 + 1e-9
assert exponential_probabilities(votes / 1000, epsilon=1.0)[0] < 0.4 < 0.99
assert exponential_probabilities(votes, epsilon=1.0)[0] > 0.99
assert recipe[0.5] < 1e-5, "so less noise would do"

# And locally?
assert (local[2] < 1).all()
assert local.max().max() < 1.2
assert (local.max(axis=1) > 1).all()
assert local.loc[0.5, 50] > 1
off = local_largest(1.0, 6)[~np.eye(6, dtype=bool)]
assert np.allclose(off, off[0])
