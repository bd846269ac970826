"""What the text of "Rényi and concentrated privacy" claims; run in its namespace."""

from ldp_core.audit import trade_off

# Rényi and concentrated privacy
assert np.abs(each_loss).max() / 4 < 0.03, "no answer moves a belief by more"
assert 0.48 < np.mean(each_loss < 0) < 0.5
assert 0.1 < belief.min() < belief.max() < 0.9

# The loss is a random variable
assert np.mean((hundred > -4) & (hundred < 10)) > 0.98
assert added_hundred > 2 * 10
assert (f"{added_thirty / 30:.2f}", f"{added_thirty:.1f}") == ("0.28", "8.5")
apart = stats.kstest((thirty - thirty.mean()) / thirty.std(), "norm").statistic
assert apart < 0.03

# Averages that add up
assert math.isclose(100 * rdp_laplace(1e6, epsilon=math.sqrt(2) / 20), hundred_laplace, rel_tol=1e-3)
assert best_of[1] > best_of[100] > best_of[10_000] > 1

# The truth, between two numbers
assert by_hand[0] <= certain.upper
assert certain.lower <= by_hand[1]
assert certain.upper / certain.lower < 1.005 < by_hand[1] / by_hand[0]
assert 1e-12 <= floor < 1e-11

# A ledger
others = PrivacyLoss.randomized_response(1.0).self_compose(100).epsilon(1e-5)
assert PrivacyLoss.laplace(1.0).self_compose(100).epsilon(1e-5).upper < others.lower
assert few[TRUTH] < few["adding up"] < 1.02 * few[TRUTH]
assert few["adding up"] < few["zCDP"]
institute = Accountant()
institute.gaussian(sigma=sigma, times=k)
assert math.isclose(institute.compare(delta=delta)["exact"], exact, rel_tol=1e-9)
assert k * each > advanced(each_half, k, delta=delta / 2) > 2 * exact, "far above the truth"

order = ledgers(0.1).iloc[questions.index(300)].to_numpy()
assert (np.diff(order) < 0).all(), "adding up, advanced, ρ, old, new, truth"

# One curve for every attacker
curve = trade_off(PrivacyLoss.laplace(0.1).self_compose(100))
assert np.abs(curve(FALSE_ALARMS) - attacker(100)[0]).max() < 1e-3, "the tangents make up the curve"
assert np.all(np.diff(attacker(100)[0], 2) > -1e-9), "convex"
gaussian = trade_off(PrivacyLoss.gaussian(10.0).self_compose(100))
assert np.allclose(gaussian(FALSE_ALARMS), stats.norm.cdf(stats.norm.ppf(1 - FALSE_ALARMS) - 1), atol=1e-6)

# And locally?
assert table["ratio"].min() > 30
assert table.loc["pure ε = 1", "curator"] < table.loc["(1, 10⁻⁶)", "curator"]
assert abs(table.loc["(1, 10⁻⁶)", "ratio"] / math.sqrt(n) - 1) < 0.25
assert table.loc["pure ε = 1", "locally"] < table.loc["(1, 10⁻⁶)", "locally"]
