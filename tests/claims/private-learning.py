"""What the text of "Private learning" claims; run in its namespace."""

from ldp_core.audit import trade_off

# Private learning
assert np.all(np.diff([learn_with_her(place)[0] for place in np.linspace(-4, 0, 41)]) > 0), "a weight has one place"

# Gradient descent, and where a person enters
assert accuracy(theta) < exact
assert cut_until(1.0) > 0 > cut_until(2.0)
assert np.linalg.norm(rows, axis=1).max() <= longest_row < 4, "nobody is cut at b = 4"
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

# Was she in?
assert not kinds[:, 3:].any(), "six columns that nobody fills"
assert np.array_equal(planted[:3], -typical[:3]), "the same education and gains, the other class"

# 4 budgets, 4 attacks, 20 rates, 4 tails: with true claims these fail once in a million seeds at most.
for e in (1.0, 2.0, 4.0, 8.0):
    sigma_then, attacks = attacked(e)
    certified = 100 * stats.norm.sf(stats.norm.isf(ALARMS) - 5.0 / sigma_then)
    package = 100 - 100 * trade_off(PrivacyLoss.gaussian(sigma_then / 5.0).roughly())(ALARMS)
    assert np.allclose(package, certified, rtol=1e-3)
    assert np.all(package > certified * (1 - 1e-9))
    sure = {name: found(*pair, tail=8e-10) for name, pair in attacks.items()}
    assert all(np.all(least <= certified) for least, _, _ in sure.values()), "no attack is above the certified curve"
    assert np.all(sure["planted, all steps"][2] >= certified), "the certified curve is hers"
five = 4  # 1% of false alarms
assert math.isclose(ALARMS[five], 0.01)
assert sure["typical, all steps"][2][five] < sure["planted, last weights"][0][five], "at ε = 8"
at_ten = int(np.argmin(np.abs(ALARMS - 0.1)))
fewer, more = (found(*attacks[f"typical, {what}"])[:, at_ten] for what in ("last weights", "all steps"))
assert fewer[2] < more[0], "the last weights give away less, at 10% with 95% confidence for either"
assert tenfold[8.0, "typical, last weights"][1] < 2, "next to nothing"
assert tenfold[8.0, "planted, last weights"][1] < tenfold[8.0, "planted, all steps"][1]
like_two, at_eight = tenfold[2.0, "planted, all steps"], tenfold[8.0, "typical, all steps"]
assert like_two[0] < at_eight[1] < like_two[2], "about as often"


def lengths_on_the_way(epsilon):
    """Gradients' lengths of the planted and the typical person, by step and run, in models without them."""
    lengths = []

    def recorded(theta, rows):
        shares = plain_pull(theta, rows)
        if rows is tried:
            lengths.append(shares * np.linalg.norm(rows, axis=1))
        return shares

    plain_pull = globals()["pull"]
    globals()["pull"] = recorded
    descents(np.eye(2)[0], attacked(epsilon)[0], np.random.default_rng(6))
    globals()["pull"] = plain_pull
    return np.array(lengths)


for e in (1.0, 8.0):
    planted_long, typical_long = np.moveaxis(lengths_on_the_way(e), -1, 0)
    assert np.allclose(planted_long, 1), "cut to length b in every step"
    assert typical_long[0].min() > 0.5 > 0.35 > typical_long[-1].max(), "soon short"


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
