"""What the text of "Private learning" claims; run in its namespace."""

# Gradient descent, and where a person enters
assert accuracy(theta) < exact
assert cut_until(1.0) > 0 > cut_until(2.0)
assert np.linalg.norm(rows, axis=1).max() < 4, "nobody is cut at b = 4"
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
assert best[0.03] == 30
assert all(0 < gap < 3 * error for gap, error in behind.values()), "no clear optimum"
assert clear(study["steps"]["always no"][BUDGETS.index(0.03), STEPS.index(1000)], at(0.03, 1000))
free = at(0.3, 30).mean() - at(3.0, 30).mean()
assert abs(free) < 0.005 < haste
assert not clear(at(math.inf, 1000), at(3.0, 1000)) or price < 0.002


# Where to clip?
def cut_at(column, epsilon, b):
    return cut_runs[column][CUT_AT[epsilon], BOUNDS.index(b)]


least = BOUNDS[0]
stays_small = cut_at("gradients, rate stays", 1.0, 0.25)
stays_large = cut_at("gradients, rate stays", 1.0, 4.0)
assert abs(stays_small.mean() - LEVELS["always “no”"]) < 0.005
assert clear(stays_large, stays_small)
for none in (cut_at("gradients, rate stays", 0.1, 8.0), *(cut_at("gradients, rate stays", e, 0.25) for e in CUT_AT)):
    assert none.mean() < LEVELS["always “no”"] + 0.001
assert clear(*(cut_at("gradients, rate stays", math.inf, b) for b in (4.0, 0.25)))
for epsilon in CUT_AT:
    whole, small, large = (cut_at("gradients", epsilon, b).mean() for b in (1.0, 1 / 8, 8.0))
    if epsilon == 0.1:
        assert whole - large > 5 * (whole - small) > 0, "by far more"
        assert all(
            clear(cut_at("gradients", epsilon, 1 / f), cut_at("gradients", epsilon, float(f))) for f in (2, 4, 8)
        )
    else:
        assert 0 < whole - small < 0.012 > whole - large > 0, "neither costs much"
        assert abs(small - large) < 0.004, "about as much"
for epsilon in (math.inf, 1.0):
    assert all(clear(*(cut_at("gradients, rate stays", epsilon, b) for b in (float(f), 1 / f))) for f in (2, 4, 8)), (
        "the large side if the rate stays"
    )
rows_lose, rows_error = paired(cut_at("gradients", 1.0, 1.0), cut_at("features", 1.0, 1.0))
rows_win, rows_win_error = paired(cut_at("features", 1.0, least), cut_at("gradients", 1.0, least))
quiet_lose = cut_at("gradients", math.inf, 1.0).mean() - cut_at("features", math.inf, 1.0).mean()
quiet_win = cut_at("features", math.inf, least).mean() - cut_at("gradients", math.inf, least).mean()
assert abs(quiet_lose - rows_lose) < 0.003
assert abs(quiet_win - rows_win) < 0.003
assert rows_lose > 3 * rows_error
assert rows_win > 3 * rows_win_error
assert max(apart, key=lambda at: abs(apart[at][0])) in {(0.1, 0.25), (0.1, 0.5)}
assert apart[0.1, 0.5][0] > 0.95 * max(abs(lead) for lead, _ in apart.values())
assert off.max() < 0.02
assert 3.9 < 1.1 / spent < 4.2, "four times"
noise_gap, noise_gap_error = paired(again[0], again[2])
assert abs(noise_gap) < 0.005
assert again[1].mean() - again[0].mean() > 0.03

# Random batches
assert left_of(0.1, 0.01) < 0.0011
assert 0.7 < left_of(5, 0.01) < 1.2
assert left_of(-5, 0.01) > -0.0101
assert needed[0.01][0] < 2 < needed[0.1][0], "well above b"

# Is that a gain?
assert 1 <= needed[0.1][1] < 1.05 < needed[0.01][1]
assert all(needed[a][1] <= needed[b][1] for a, b in ((1.0, 0.1), (0.1, 0.01), (0.01, 0.003)))
assert work_gain > 3 * work_error
assert 0 < few_loss < third_loss < 0.004
assert abs(batch_runs(math.inf, 0.01, 1000).mean() - batch_runs(math.inf, 1.0, 1000).mean()) < 0.002
gaps = {
    (e, q, t): batch_runs(e, 1.0, t).mean() - batch_runs(e, q, t).mean()
    for e in spent_on
    for q in RATES[:-1]
    for t in COUNTS
    if e >= 0.1
}
assert RATES[-1] == 1
assert max(abs(gap) for gap in gaps.values()) < 0.007
few_win, few_win_error = paired(batch_runs(0.03, 1.0, 10), batch_runs(0.03, 0.01, 1000))
assert few_win > 2 * few_win_error
assert clear(batch_runs(0.03, 0.1, 100), batch_runs(0.03, 1.0, 10))
assert clear(batch_runs(0.03, 1.0, 100), batch_runs(0.03, 1.0, 1000))
assert clear(batch_runs(0.03, 0.01, 100), batch_runs(0.03, 0.01, 1000))
assert in_batches.score(X[test], y[test]) > trivial
assert by_turns > 3 * by_coins.upper

# And locally?
assert all(clear(curator[e], counted[e]) for e in curator)
assert all(always[e].mean() > gradients[e].mean() for e in always)
assert counted[0.1].mean() < always[0.1].mean()
assert clear(counted[1.0], always[1.0])
assert clear(counted[1.0], gradients[1.0])
assert clear(counted[3.0], always[3.0])
