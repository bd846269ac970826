"""What the text of "The best channel for your question" claims; run in its namespace."""

SLIDER = np.geomspace(0.5, 4, 7)
MADE = {(q, e): optimal_channel(e, 8, name) for q, name in NAMES.items() for e in SLIDER}


def sets_of(question, epsilon):
    return {"".join("#" if held else "." for held in row) for row in MADE[question, epsilon].patterns}


# The opening: runs of neighbours, at the ends above all; fewer ages at larger ε
def share_of(keep, epsilon):
    made = MADE["younger than …", epsilon]
    shares = made.channel().mean(axis=0)
    return sum(s for s, row in zip(shares, made.patterns, strict=True) if keep(row))


def members(epsilon):
    made = MADE["younger than …", epsilon]
    return made.channel().mean(axis=0) @ made.patterns.sum(axis=1)


assert share_of(lambda row: abs(np.diff(row.astype(int))).sum() <= 2 and not (row[0] and row[-1]), 1.0) > 0.5
shares = MADE["younger than …", 1.0].channel().mean(axis=0)
assert {tuple(np.flatnonzero(MADE["younger than …", 1.0].patterns[i])) for i in np.argsort(-shares)[:2]} == {
    (0, 1),
    (6, 7),
}
assert np.all(np.diff([members(e) for e in SLIDER]) < 0)
assert max(made.gap for made in MADE.values()) < 1e-4

# Best estimator: OUE's own has more
assert own.variance(1, 1 / 8) * 8 > least_error(own.channel(), COUNTS, EVEN)
for kind in (DirectEncoding, SubsetSelection):
    assert math.isclose(8 * kind(1.0, 8).variance(1, 1 / 8), least_error(kind(1.0, 8).channel(), COUNTS, EVEN))


# A column split
assert np.allclose(sum(parts.values()), COLUMN)
assert all(math.isclose(part.max() / part.min(), math.e) for part in parts.values())


# Subset selection is the best: the theorem's bound is the program's, and attained by the best k
def bound(epsilon, d):
    x, k = math.exp(epsilon), np.arange(1, d)
    rho = ((k * x**2 + d - k) / (k * x + d - k) ** 2).max()
    return (d - 1) ** 2 / (d * (d * rho - 1)) + 1 / d - 1


for e in (0.1, *STEPS):
    for d in (2, 3, 8, 10):
        reached = min(
            least_error(SubsetSelection(e, d, k=k).channel(), np.eye(d), np.full(d, 1 / d)) for k in range(1, d)
        )
        assert math.isclose(reached, bound(e, d), rel_tol=1e-9)
        assert 0 <= 1 - optimal_channel(e, d).lower_bound / bound(e, d) < 1e-4

# Published mechanisms over the best
assert OVER["each age"]["subset"].max() < 1 + 1e-4
assert all(np.all(row > 1 - 1e-4) for rows in OVER.values() for row in rows.values())
assert OVER["younger than …"]["DE"][-1] < 1.01 < 1.2 < OVER["younger than …"]["DE"][8]
assert min(OVER["the mean"]["Duchi"][0], OVER["the mean"]["Piecewise"][0]) == OVER["the mean"]["Duchi"][0] < 1.02
assert math.isclose(STEPS[4], 1.0)
assert math.isclose(STEPS[8], 2.0)

# The certificate
assert 0 <= 1 - proved / best.per_user < 1e-4
assert math.isclose(proved, best.lower_bound, rel_tol=1e-4)
for q, W in QUESTIONS.items():
    for e in SLIDER:
        assert (
            -1e-9 < 1 - certificate(MADE[q, e], W, EVEN) / MADE[q, e].per_user < 2e-2
        )  # at some ε λ is not the best one

# Three questions, three channels
half_lines = {"#" * k + "." * (8 - k) for k in range(1, 8)} | {"." * (8 - k) + "#" * k for k in range(1, 8)}
assert sets_of("the mean", SLIDER[0]) <= half_lines
windows = {one for one in sets_of("the mean", SLIDER[4]) if one not in half_lines}
assert windows
assert all("#" in w.strip(".") and "." not in w.strip(".") for w in windows)
for e in SLIDER[4:]:
    assert all(one.count("#") == 1 for one in sets_of("each age", e))
assert sets_of("younger than …", SLIDER[-1]) == sets_of("each age", SLIDER[-1])
duchi = Duchi(1.0)
for e in (0.5, 1.0):  # a side by randomized response, the place forgotten
    truth = math.exp(e) / (1 + math.exp(e))
    for x in PLACES:
        above = (1 + x) / 2
        assert math.isclose(above * truth + (1 - above) * (1 - truth), (1 + math.tanh(e / 2) * x) / 2)

# Walk or bike
for e in (0.5, 1.0, 2.0):
    assert math.isclose(optimal_channel(e, 8, either).lower_bound, walk_or_bike_solution(e), rel_tol=1e-4)
assert colleague > 4 * walk_or_bike_solution(1.0)

# Any estimator
for e in (0.5, 1.0, 2.0):
    assert 5.5 < Duchi(e).variance(0) / people / any_estimator(people, e) < 6.1
draws = np.random.default_rng(4)
for _ in range(200):  # contraction: random private channels, random laws
    e, d = draws.uniform(0.1, 3), draws.integers(2, 6)
    weights = 1 + np.expm1(e) * draws.random((d, 7))
    weights[:, -1] = weights[:, :-1].sum(axis=1).max() * np.exp(e) - weights[:, :-1].sum(axis=1)
    private = weights / weights.sum(axis=1, keepdims=True)
    worst = np.log(private.max(axis=0) / private.min(axis=0)).max()
    one, other = draws.dirichlet(np.ones(d), size=2)
    near = abs((one - other) @ private).sum() / 2
    assert near <= math.tanh(worst / 2) * abs(one - other).sum() / 2 + 1e-12
