"""What the text of "Making estimates presentable" claims; run in its namespace."""

assert np.allclose(to_simplex(np.array([60.0, 33.0, 12.0, -5.0]), 100), project_simplex([60.0, 33.0, 12.0, -5.0], 100))
in_total = {name: np.sum((way - true_counts) ** 2, axis=1) for name, way in ways.items()}
for name in ("clip", "project to the simplex"):  # in every single survey
    assert (in_total[name] <= in_total[raw] * (1 + 1e-9)).all()
assert (single[others] < single[raw]).all()
assert single.idxmin() == "clip, then normalize"
assert (over70[["clip", "clip, then normalize"]].abs() > 4 * abs(over70[raw])).all()
each = {name: np.sqrt(np.mean((way - true_counts) ** 2, axis=0)) for name, way in ways.items()}
assert (each["project to the simplex"] > 1.02 * each[raw]).any()
assert (each["clip"] <= each[raw] + 1e-9).all()
assert abs(over70[raw]) < 4 * raw_se
assert common_bias["clip, then normalize"] < 10 * -abs(common_bias[raw])
assert common_bias["project to the simplex"] < 10 * -abs(common_bias[raw])
