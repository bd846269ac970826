"""What the text of "Rényi and concentrated privacy" claims; run in its namespace."""

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
plain = plain.compare(delta=1e-6)
assert math.isclose(plain["rdp"], plain["zcdp"], rel_tol=1e-9)
others = PrivacyLoss.randomized_response(1.0).self_compose(100).epsilon(1e-5)
assert PrivacyLoss.laplace(1.0).self_compose(100).epsilon(1e-5).upper < others.lower
many, many_low = totals_at(0.1, 10_000)
middle, middle_low = totals_at(0.1, 300)
assert few["adding up"] < 1.02 * few[TRUTH]
assert few["Rényi, new"] <= few["Rényi, old"] < 1.001 * few["adding up"] < few["zCDP"]
for here in (middle, many):
    assert here[TRUTH] < here["Rényi, new"] < here["Rényi, old"] < here["zCDP"] < here["advanced"] < here["adding up"]
    assert here["Rényi, new"] == min(value for name, value in here.items() if name != TRUTH)
for e in (0.03, 0.1, 0.3, 1.0):
    totals, lower = ledgers(e)
    assert np.all(lower > 0.98 * totals[TRUTH] - 1e-3)
    assert (totals.to_numpy() >= lower[:, None]).all()
institute = institute.compare(delta=delta)
assert math.isclose(institute["exact"], exact, rel_tol=1e-9)
assert four > 4 * alone

# And locally?
assert table["ratio"].min() > 30
assert table.loc["pure ε = 1", "curator"] < table.loc["(1, 10⁻⁶)", "curator"]
assert abs(table.loc["(1, 10⁻⁶)", "ratio"] / math.sqrt(n) - 1) < 0.25
assert table.loc["pure ε = 1", "locally"] < table.loc["(1, 10⁻⁶)", "locally"]
