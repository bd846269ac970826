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
assert (
    min(share_of(lambda row: abs(np.diff(row.astype(int))).sum() <= 2 and not (row[0] and row[-1]), e) for e in SLIDER)
    > 0.4
)
assert max(made.gap for made in MADE.values()) < 1e-4

# Best estimator: OUE's own has more
assert own.variance(1, 1 / 8) * 8 > least_error(own.channel(), COUNTS, EVEN)
for kind in (DirectEncoding, SubsetSelection):
    assert math.isclose(8 * kind(1.0, 8).variance(1, 1 / 8), least_error(kind(1.0, 8).channel(), COUNTS, EVEN))


# A column split: the example
assert np.allclose(sum(PARTS.values()), [0.1, 0.2, 0.3])


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
assert OVER["younger than …"]["subset"][-1] < 1 + 1e-4 < 1.05 < OVER["younger than …"]["subset"][:-2].min()
assert OVER["younger than …"]["DE"][-1] < 1.01 < 1.2 < OVER["younger than …"]["DE"][8]
assert min(OVER["the mean"]["Duchi"][0], OVER["the mean"]["Piecewise"][0]) == OVER["the mean"]["Duchi"][0] < 1.02
assert math.isclose(STEPS[4], 1.0)
assert math.isclose(STEPS[8], 2.0)

# Unless ε is large: then single values are the best for all three
for question, W in QUESTIONS.items():
    assert (
        least_error(DirectEncoding(6.0, 8).channel(), W, EVEN)
        < (1 + 1e-4) * optimal_channel(6.0, 8, NAMES[question]).lower_bound
    )
    assert question == "each age" or OVER[question]["subset"][4] > 1.3

# Two values: the only unbiased numbers
p = coin.p
assert np.allclose([[p, 1 - p], [1 - p, p]] @ np.array([rr_yes, rr_no]), [1, 0])
assert math.isclose(coin.variance(1), p * rr_yes**2 + (1 - p) * rr_no**2 - 1)


# The certificate: found again for the program's channels, without its numbers
def certificate(best, question, prior):
    channel = best.channel()
    tells = channel / (prior @ channel)
    Z = question @ np.linalg.pinv(tells @ channel.T, hermitian=True)

    def both(patterns):
        K = 1 + math.expm1(best.epsilon) * patterns
        return K, ((K @ Z.T) ** 2).sum(axis=1) / (K @ prior)

    K, need = both(best.patterns)
    share = prior @ channel  # slight patterns count less
    multipliers = np.linalg.lstsq(K * share[:, None], need * share, rcond=None)[0]
    K, need = both(np.arange(1, 2**best.d - 1)[:, None] >> np.arange(best.d) & 1)
    multipliers += max(0.0, ((need - K @ multipliers) / K.sum(axis=1)).max())  # lifted until all inequalities hold
    return 2 * np.trace(Z @ question.T) - multipliers.sum() - prior @ (question**2).sum(axis=0)


assert 0 <= 1 - certificate(best, YOUNGER, EVEN) / best.per_user < 1e-4
for q, W in QUESTIONS.items():
    for e in SLIDER:
        assert (
            -1e-9 < 1 - certificate(MADE[q, e], W, EVEN) / MADE[q, e].per_user < 2e-2
        )  # at some ε λ is not the best one

Z, multipliers = np.array([5 / 4, -3 / 4]), np.array([13 / 8, -3 / 8])  # by hand
for K, side in (([3, 1], 9 / 2), ([1, 3], 1 / 2)):
    assert math.isclose(multipliers @ K, side)
    assert math.isclose((Z @ K) ** 2 / 2, side)
assert math.isclose(2 * Z[0] - multipliers.sum() - 1 / 2, 3 / (3 - 1) ** 2)

# A mean at small ε: half-lines; and sums of neighbours at large ε, counts
half_lines = {"#" * k + "." * (8 - k) for k in range(1, 8)} | {"." * (8 - k) + "#" * k for k in range(1, 8)}
assert sets_of("the mean", SLIDER[0]) <= half_lines
assert sets_of("younger than …", SLIDER[-1]) == sets_of("each age", SLIDER[-1])
for e in (0.5, 1.0):  # a side by randomized response, the place forgotten
    truth = math.exp(e) / (1 + math.exp(e))
    for x in PLACES:
        above = (1 + x) / 2
        assert math.isclose(above * truth + (1 - above) * (1 - truth), (1 + math.tanh(e / 2) * x) / 2)

# Walk or bike
for e in (0.5, 1.0, 2.0):
    assert math.isclose(optimal_channel(e, 8, either).lower_bound, walk_or_bike_solution(e), rel_tol=1e-4)
assert colleague > 4 * walk_or_bike_solution(1.0)

# Another question: what the colours reach
for e in SLIDER:
    over = [
        [least_error(MADE[b, e].channel(), W, EVEN) / MADE[a, e].per_user for b in QUESTIONS]
        for a, W in QUESTIONS.items()
    ]
    assert np.max(over) < 20


def best_size(epsilon, d):
    return min(range(1, d), key=lambda k: SubsetSelection(epsilon, d, k=k).variance(1, 1 / d))


# Assouad's bound: steps of the proof, for random private channels and the patterns of all sizes
def least_of_all(n, epsilon, d):
    return (d - 1) / (9 * n * (d * rho(epsilon, d) - 1))


rolls = np.random.default_rng(4)


def private_channel(epsilon, d):
    """Columns between 1 and e^ε, up to factors, and a last one that makes up the rows."""
    columns = np.exp(epsilon / 2 * rolls.choice([rolls.random((d, 5)), rolls.integers(0, 2, (d, 5))]))
    columns *= 0.5 * rolls.dirichlet(np.ones(5)) / columns.max(axis=0)
    channel = np.hstack([columns, 1 - columns.sum(axis=1, keepdims=True)])
    return channel, np.log(channel.max(axis=0) / channel.min(axis=0)).max()


def apart(channel):
    d = len(channel)
    pairs = [(v, w) for v in range(d) for w in range(v)]
    return np.mean([((channel[v] - channel[w]) ** 2 / channel.mean(axis=0)).sum() for v, w in pairs])


for _ in range(200):
    d = int(rolls.integers(2, 9))
    channel, e = private_channel(rolls.uniform(0.1, 4), d)
    e = max(e, 0.1)
    room = d * rho(e, d) - 1
    assert apart(channel) <= 2 * d * room / (d - 1) * (1 + 1e-9)
    assert room <= np.expm1(e) ** 2 / (4 * np.exp(e)) * (1 + 1e-9)
    best_one = SubsetSelection(e, d, k=best_size(e, d)).channel()
    assert math.isclose(apart(best_one), 2 * d * room / (d - 1))

# The bound for any δ, before it is chosen, against the best estimator for these populations: all reports of four people
for e, n, delta in ((1.0, 3, 0.5), (2.0, 4, 0.3), (3.0, 4, 0.6)):
    channel, d = SubsetSelection(e, 4, k=best_size(e, 4)).channel(), 4
    room, errors = d * rho(e, d) - 1, []
    for pairing in ([0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2]):
        coins = np.array([[a, -a, b, -b] for a in (1, -1) for b in (1, -1)])
        shares = np.empty((4, 4))
        shares[:, pairing] = (1 + delta * coins) / d
        laws = shares @ channel
        joint = laws
        for _ in range(n - 1):
            joint = (joint[:, :, None] * laws[:, None, :]).reshape(4, -1)
        guess = joint.T @ shares / joint.sum(axis=0)[:, None]  # the mean of what may be
        errors.append((joint * ((guess[None] - shares[:, None]) ** 2).sum(axis=2)).sum() / 4)
    assert np.mean(errors) >= delta**2 / d * (1 - 2 * n * room * delta**2 / ((1 - delta) * d * (d - 1)))

# A constant column in the step on all pairs; unequal shares in the comparison with subset selection
assert all(d * rho(e, d) >= 1 for e in SLIDER for d in MANY.tolist())

# Singular M: the estimator of the pseudo-inverse is unbiased where a sum can be estimated
merged = np.repeat(RandomizedResponse(1.0).channel(), 4, axis=0)
M = (merged / (EVEN @ merged)) @ merged.T
halves = np.repeat(np.eye(2), 4, axis=1)
assert np.linalg.matrix_rank(M) == 2
assert np.allclose(halves @ np.linalg.pinv(M, hermitian=True) @ M, halves)
assert math.isinf(least_error(merged, COUNTS, EVEN))

# Its two corollaries, and the condition on n
for e in SLIDER:
    assert math.isclose(2 * least_of_all(1, e, 2) * 4.5, Duchi(e).variance(0))
    for d in MANY.tolist():
        room, oracle = d * rho(e, d) - 1, SubsetSelection(e, d, k=best_size(e, d))
        drawn = d * oracle.variance(1, 1 / d) + 1 - 1 / d
        assert math.isclose(drawn, (d - 1) ** 2 / (d * room))
        assert math.isclose(drawn, 9 * (d - 1) / d * least_of_all(1, e, d))
        assert math.isclose(d * oracle.variance(1, 1 / d), oracle.variance(1, 1) + (d - 1) * oracle.variance(1, 0))
        n = 18 * d * (d - 1) / room
        delta = math.sqrt(2 * d * (d - 1) / (9 * n * room))
        assert delta <= 1 / 9 + 1e-12
        assert least_of_all(n, e, d) >= 4 * (d - 1) / (9 * n) * math.exp(e) / math.expm1(e) ** 2 * (1 - 1e-12)

# The figure: nobody below the optimum; who leaves it
for e in SLIDER:
    rows = OVER_ANY[e]
    assert all(np.all(row >= rows["subset"] * (1 - 1e-9)) for row in rows.values())
    assert max(row.max() for row in rows.values()) < 600
    assert np.all(rows["OUE"] <= oue_worst * rows["subset"] * (1 + 1e-9))
    assert e > 2.1 or rows["DE"][-1] > 9 * rows["subset"][-1]  # at larger ε it is the best for many values
for kind, worst_ratio in (("OUE", oue_worst), ("SUE", sue_worst)):  # two values, small ε
    assert math.isclose(worst_ratio, OVER_ANY[0.5][kind][0] / OVER_ANY[0.5]["subset"][0])
assert math.isclose(sue_many, list(OVER_ANY.values())[-1]["SUE"][-1] / list(OVER_ANY.values())[-1]["subset"][-1])
for row in OVER_ANY.values():  # direct encoding: as good with two values, and never nearer with more
    behind = row["DE"] / row["subset"]
    assert math.isclose(behind[0], 1)
    assert np.all(np.diff(behind) > -1e-9)
    assert behind[-1] > 1.5
assert [np.sum(row["DE"] < 1.001 * row["subset"]) for row in OVER_ANY.values()] == sorted(
    np.sum(row["DE"] < 1.001 * row["subset"]) for row in OVER_ANY.values()
)
sue = [row["SUE"][-1] / row["subset"][-1] for row in OVER_ANY.values()]
assert np.all(np.diff(sue) > 0)

# The opening's other questions
for epsilon in SLIDER:
    counts, mean = MADE["each age", epsilon], MADE["the mean", epsilon]
    size = counts.patterns.sum(axis=1)
    assert (size == size[0]).all()
    one_side = np.abs(np.diff(mean.patterns.astype(int), axis=1)).sum(axis=1) == 1
    assert (mean.channel().mean(axis=0)[one_side].sum() > 0.8) == (epsilon < 1.2)
