"""What the text of "Who is a neighbour?" claims; run in its namespace."""

# Who is a neighbour?
assert [change_of(after(change)) for change in CHANGES] == [(1, 1, 1), (2, 2, 0), (2, 0, 0)]

# The same question, other neighbours
both = changes[["add/remove", "replace-one"]].to_numpy().tolist()
assert both[0] == [1, 0]
assert both[1] == [1, 1]
assert both[2] == [sum_sensitivity((20, 80)), sum_sensitivity((20, 80), neighbours="replace")] == [80, 60]
assert both[3] == [sum_sensitivity((-30, 30)), sum_sensitivity((-30, 30), neighbours="replace")] == [30, 60]
assert both[4] == [parallel([1.0, 1.0]), parallel([1.0, 1.0], neighbours="replace")] == [1, 2]
assert np.allclose(both[5], [1, math.sqrt(2)])
assert both[6] == both[7] == [1, 2]
assert changes["label only"].tolist() == [0, 0, 0, 0, 0, 0, 2, 2]
assert (changes["replace-one"] <= 2 * changes["add/remove"] + 1e-12).all()

# From one to the other
assert math.isclose(added, 1)
assert math.isclose(moved, 2)
assert published_n == math.inf

# Directions, and samples
assert math.isclose(less, math.log(1 - q + q * math.e))
assert math.isclose(more, -math.log(1 - q + q / math.e))
assert math.isclose(replaced, less + more)
assert more < less < replaced < 2 * less
assert one_way["add"].upper < one_way["remove"].lower

# Part of a row, and all rows of a person
assert all(math.isclose(found, 0.1 * k) for k, found in per_user.items())

# The local model
assert math.isclose(exact_epsilon(three_people[[0, 4]]), 1)
assert math.isclose(exact_epsilon(three_people[[0, 7]]), 3)

# Chapter by chapter
assert set(defaults.values()) == {"add-remove"}
assert len(defaults) >= 8
assert inspect.signature(PrivacyLoss.subsampled).parameters["neighbours"].default == "add-remove"
assert distances[:2] == [0, 1]
assert distances[2] > 400
