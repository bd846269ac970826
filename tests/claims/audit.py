"""What the text of "Audit a stranger's code" claims; run in its namespace."""

assert 1 < verdict.epsilon < wild
assert hashing.epsilon > 5
assert broken["package"].unique().tolist() == ["pure-LDP"]
assert broken["version"].unique().tolist() == ["1.1.2"]
assert sorted(broken["epsilon"]) == [0.5, 1.0]
assert seen["client"].value_counts().to_dict() == dict.fromkeys(
    [
        "pure-LDP 1.2.0, HEClient",
        *(f"diffprivlib 0.6.6, {name}" for name in ("Laplace", "LaplaceTruncated", "Staircase")),
    ],
    3,
)
assert at_1.min() > 5
sound = rows[rows["version"] != "1.1.2"]
assert (sound["bound"] < sound["epsilon"]).all()
farthest = sound.loc[(sound["epsilon"] - sound["bound"]).idxmax()]
assert farthest["client"].endswith("HEClient")
assert farthest["epsilon"] == 0.5
hundred, million = ([bound_of(epsilon, runs) for epsilon in EPSILONS] for runs in (100, 1_000_000))
assert hundred[:4] == [0, 0, 0, 0]
assert all(low < high <= epsilon for low, high, epsilon in zip(hundred, million, EPSILONS))
assert [e - b for e, b in zip(EPSILONS, million)][-1] > 2 * (1 - million[2])
