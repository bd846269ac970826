"""What the text of "Private learning" claims; run in its namespace."""

# Gradient descent, and where a person enters
assert accuracy(theta) < exact
assert cut_until(1.0) > 0 > cut_until(2.0)
assert longest_row < 4, "nobody is cut at b = 4"
assert np.linalg.norm(rows, axis=1).min() / 2 > 0.125, "at the start everybody is cut at b = 1/8"

# Predict first
assert math.isclose(delta, 1e-6, rel_tol=1e-6)
assert detour > model.sigma_
assert DELTA == 1e-6, "the model’s, too"
assert abs(accuracy(by_hand) - model.score(X[test], y[test])) < 0.02


# How many steps?
def clear(better, worse):
    gap, error = paired(better, worse)
    return gap > 3 * error


assert mean[math.inf, 10] <= mean[0.1, 10], "the twin has no more"
assert all(clear(at(0.1, best[0.1]), at(0.1, t)) for t in (10, 300, 1000)), "the prediction’s question"
thirty, thirty_error = paired(at(0.1, best[0.1]), at(0.1, 30))
assert 0 < thirty < 0.01
for e in (0.03, 0.1, 0.3):
    assert clear(at(e, best[e]), at(e, 1000)), e
assert mean[3.0, 1000] > mean[3.0, 300] - 0.002
assert best[0.03] < best[0.1] <= best[0.3] <= best[3.0]
assert clear(at(math.inf, 1000), at(math.inf, 100))
assert clear(at(math.inf, 100), at(math.inf, 30))
price, price_error = paired(at(math.inf, 1000), at(3.0, 1000))
behind = {t: paired(at(0.03, best[0.03]), at(0.03, t)) for t in (10, 100)}
assert all(gap > 2 * error for gap, error in behind.values()), "the best"
assert clear(study["steps"]["always no"][BUDGETS.index(0.03), STEPS.index(1000)], at(0.03, 1000))
free = at(0.3, 30).mean() - at(3.0, 30).mean()
assert abs(free) < 0.005 < haste
assert not clear(at(math.inf, 1000), at(3.0, 1000)) or price < 0.002


# A published run
assert off.max() < 0.02
noise_gap, _ = paired(again[0], again[2])
assert abs(noise_gap) < 0.005
assert again[1].mean() - again[0].mean() > 0.03

# Random batches
assert 1 < needed[0.1] < 1.05 < needed[0.01]
for e in spent_on:
    equal_work = {q: batch_runs(e, q, round(10 / q)) for q in RATES}
    winner = equal_work.pop(0.01 if e >= 0.3 else 0.1)
    assert all(clear(winner, other) for other in equal_work.values()), e
assert same_steps < 0.01, "almost the same accuracy"
assert by_turns > 3 * by_coins.upper


# A wrong norm
def cut_at(column, epsilon, b):
    return cut_runs[column][CUT_AT[epsilon], BOUNDS.index(b)]


assert prices[0.1, 8.0][0] > 5 * prices[0.1, 1 / 8][0] > 0, "with much noise err on the small side"
assert all(clear(cut_at("gradients", 0.1, 1 / f), cut_at("gradients", 0.1, float(f))) for f in (2, 4, 8))
assert all(0 < prices[math.inf, b][0] < 1 for b in (1 / 8, 8.0))
for epsilon in CUT_AT:
    assert abs(cut_at("gradients, rate stays", epsilon, 0.25).mean() - LEVELS["always “no”"]) < 0.002
    assert clear(cut_at("gradients", epsilon, 0.25), cut_at("gradients, rate stays", epsilon, 0.25))

# And locally?
assert all(clear(curator[e], counted[e]) for e in curator)
assert all(always[e].mean() > gradients[e].mean() for e in always)
assert all(counted[e].mean() < always[e].mean() for e in (0.1, 0.3))
assert [*people][1:2] == ["local gradients, 30 steps"]
assert clear(counted[1.0], always[1.0])
assert clear(counted[1.0], gradients[1.0])
assert clear(counted[3.0], always[3.0])
