"""What the text of "Audit a stranger's code" claims; run in its namespace."""

assert 1 < verdict.epsilon < wild
assert [slip, order] == ["pure-LDP 1.1.2, UEClient(use_oue)", "multi-freq-ldpy 0.2.5, SS_Client"]
assert rows.query("client == @slip").eval("exact > epsilon").all()
assert broken.query("client == @order")["exact"].tolist() == [float("inf")]
as_set = rows["client"] == f"{order}, as a set"
assert (rows[as_set]["exact"] <= rows[as_set]["epsilon"]).all()
for name in ("OpenDP 0.16.0, make_laplace(float)", "diffprivlib 0.6.6, Snapping"):
    assert (rows["client"] == name).sum() == 3
    assert name not in seen["client"].unique()
assert seen["client"].value_counts().to_dict() == dict.fromkeys(
    [
        "pure-LDP 1.2.0, HEClient",
        *(f"diffprivlib 0.6.6, {name}" for name in ("Laplace", "LaplaceTruncated", "Staircase")),
    ],
    3,
)
assert digits_at_1.min() > 5
assert (kept[["bound", "all_digits"]].max(axis=1) < kept["epsilon"]).all()
assert len(kept) + 3 * len(above) == len(rows)
assert set(above) == {slip, order, *seen["client"]}
sound = rows[~rows["client"].isin([slip, order])]
assert (sound["bound"] < sound["epsilon"]).all()
hundred, million = ([bound_of(epsilon, runs) for epsilon in EPSILONS] for runs in (100, 1_000_000))
assert all(low < high <= epsilon for low, high, epsilon in zip(hundred, million, EPSILONS))
assert [e - b for e, b in zip(EPSILONS, million)][-1] > 2 * (1 - million[2])


# What is rare: a randomized bit that is sent bare once in so many reports, at the text's 100,000 runs
def bare_once_in(many):
    def client(value, rng):
        if rng.random() < 1 / many:
            return int(value) + 10
        return int(value) if rng.random() < 0.731 else 1 - int(value)

    return [lower_bound(client, [0, 1], 100_000, rng=seed).epsilon for seed in range(4)]


def bare_among_many(many):
    def client(value, rng):
        return float(value) if rng.random() < 1 / many else round(value + rng.laplace(scale=1.05), 6)

    return [lower_bound(client, [0, 1], 100_000, rng=seed).epsilon for seed in range(4)]


assert sum(epsilon > 1 for epsilon in bare_among_many(1_000)) <= 2
assert min(bare_among_many(500)) > 1
assert min(bare_once_in(500)) > 2
assert sum(epsilon > 1 for epsilon in bare_once_in(2_000)) <= 2
assert max(bare_once_in(4_000)) < 1
