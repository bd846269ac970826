"""What the text of "Two questions, one whisper" claims; run in its namespace."""

from ldp_core.frequency import OptimizedUnary

# The opening: who is beyond the tick and who before it, and the dots come nearer
by_name = dict(zip(TABLE.index, zip(true[:, 1], true.sum(axis=1) * true[:, 1].sum() / people)))
assert by_name["Exec-managerial"][0] > 1.5 * by_name["Exec-managerial"][1]
assert all(by_name[name][0] < 0.7 * by_name[name][1] for name in ("Adm-clerical", "Other-service"))


def furthest(epsilon):
    asked = SeveralAttributes(epsilon, true.shape, "joint")
    return abs(asked.marginal(asked.simulate(true, rng=5), people, 0, 1)[:, 1] - true[:, 1]).max() / people


assert furthest(8.0) < 0.005 < furthest(0.25)

# Split, or sample
for e in BUDGETS:
    for h in (2, 4, 8, 16):
        found = errors(e, h, "nobody")
        assert found["split"] ** 2 >= h * found["sample"] ** 2 * (1 - 1e-9)
        for kind, c in ((SubsetSelection(e, 2), 1 / 4), (OptimizedUnary(e, 5), 1)):
            assert math.isclose(kind.variance(1, 0), c / math.sinh(e / 2) ** 2)
        assert found["fake"] > found["sample"]
assert all((behind(e) < 0) == (e > crossing) for e in BUDGETS)
for few_answers, many_answers in ((2, 20), (3, 20)):  # what impossible sets cost
    more = [
        SetSubsetSelection(0.5, 8 * d, 8).variance(1) / 8 / SubsetSelection(0.5, d).variance(1)
        for d in (few_answers, many_answers)
    ]
    assert more[0] > more[1] > 1
for e, h in ((1.0, 4), (3.0, 2)):  # what a person who gives the answer adds by not being asked
    asked, one_question = SeveralAttributes(e, [2] * h, "sample"), SubsetSelection(e, 2)
    held = [np.array([0, 10])] * h
    assert math.isclose(asked.variance(10, held)[0][1], h * one_question.variance(10, 10) + 10 * (h - 1))

# One report for all answers
assert len(np.unique(one.channel().round(12))) == len(np.unique(two.channel().round(12))) == 2
assert np.allclose(np.sum(np.isclose(two.channel(), two.channel().min()), axis=1), 1)
assert all(len(found) == 1 for found in best_k.values())  # free of h
assert in_order == sorted(in_order, reverse=True)
assert in_order[0] > 1
assert in_order[GRID.index(3.0) :] == [1, 1]
assert all(k == max(1, round(20 * balance(e))) for e, k in zip(GRID, in_order))
on_slider = log_slider(0.2, 6, n=9).values
small = [meets(SetSubsetSelection(e, 20 * h, set_size=h)) for e in {*GRID, *on_slider} for h in HS if e <= 3]
assert min(small) > 0.35
assert max(small) < 0.6
limits = [balance(e) * math.exp(2 * balance(e) + e) for e in GRID]
assert all(1 < r < math.e / 2 for r in [*factors, *limits])
assert np.allclose(factors, limits, rtol=0.02)
assert factors == sorted(factors, reverse=True)

# Fake answers
even, alike, hiding = ([drawn(e, fakes(e)) for e in BUDGETS] for fakes in KINDS.values())
assert even == sorted(even, reverse=True)
assert max(even) < 1 / 3
assert alike == sorted(alike, reverse=True)
assert min(alike) > 1 / 3
assert np.allclose(hiding, 1 / 3)
amplified = math.log(3 * math.expm1(1) + 1)
by_theorem = [math.log(1 + m / 3 * math.expm1(amplified)) for m in (1, 2, 3)]
assert np.allclose(found_exact[0], by_theorem)
assert math.isclose(by_theorem[0], 1)
assert 1 < found_exact[1][0] < 1.2  # not quite
assert math.isclose(found_exact[1][2], amplified)

# Pairs
assert np.allclose(TABLE.to_numpy(), true)
for name, rows in PAIR_ERRORS.items():
    for e, row in zip(BUDGETS, rows):
        assert e > 6 or row["joint"] < row["split"], name
        assert row["joint"] < row["set"]
tiny, tinier = (pair_errors(e, "occupation and income") for e in (0.1, 0.05))
assert abs(tinier["joint"] / tiny["joint"] - 2) < 0.1
assert abs(tinier["split"] / tiny["split"] - 4) < 0.2
halved, whole_budget = (pair_errors(e, "occupation and income") for e in (0.25, 0.5))
assert 1.9 < halved["joint"] / whole_budget["joint"] < 2.1
assert 3.8 < halved["split"] / whole_budget["split"] < 4.2

# Tables that agree: one count of occupation from two tables
first, second = np.arange(12.0).reshape(3, 4), np.arange(6.0, 0, -1).reshape(3, 2)
mean_of = (first.sum(axis=1) + second.sum(axis=1)) / 2
for table_of in (first, second):
    mended = table_of + (mean_of - table_of.sum(axis=1))[:, None] / table_of.shape[1]
    assert np.allclose(mended.sum(axis=1), mean_of)

# Exercises
assert {SetSubsetSelection(2.0, 80 * h, h).k for h in (10, 20)} == {9}
assert math.isclose(SubsetSelection(1.0, 4, k=1).variance(1, 0), (math.e + 2) / (math.e - 1) ** 2)
assert math.sqrt(product) / 50_000 > 10 * drawn_pair_solution(50_000, 20, 1.0)
