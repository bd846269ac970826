"""What the text of "In full: continuous features" claims; run in its namespace."""

# When do private edges settle?
assert 0.6 * free_error < edge_errors[0.1, 32_000] < 1.4 * free_error
assert edge_errors[3.0, 2_000] > edge_errors[2.0, 32_000] > edge_errors[6.0, 2_000]
assert edge_errors[1.0, 32_000] > 2 > 1.5 > edge_errors[2.0, 32_000]
assert edge_errors[1.0, 32_000] > 2 > edge_errors[1.5, 32_000], "about three times later"
assert edge_errors[3.0, 2_000] > 2 > edge_errors[4.5, 2_000], "about three times later"
assert all(edge_errors[e, 2_000] > edge_errors[e, 32_000] for e in (1.0, 2.0))
assert edge_errors[0.1, 32_000] > 2 * edge_errors[1.0, 32_000]
assert edge_errors[0.1, 32_000] > 10 > edge_errors[2.0, 32_000] * 4

# What edges are worth
assert set(best[:4]) == {2, 4}, "few up to ε = 2"
assert best[4:] == [8, 16]
assert where(lambda i: clear(wide[i, in_order[i, 0]], wide[i, in_order[i, 1]])) == [1.0, 4.0]
pays = {size: where(lambda i, j=j: clear(third[i, j], wide[i, j])) for j, size in enumerate(BINS)}
assert pays == {2: [0.5, 1.0, 2.0, 4.0, 8.0], 4: [2.0, 4.0, 8.0], 8: [], 16: [0.25, 4.0]}
assert raw_behind[SIZE] > 0
assert [clear(wide[0, j], raw[0, j]) for j in (SIZE, SIZE + 1)] == [False, True]
assert where(lambda i: (third[i, SIZE:] - half[i, SIZE:]).mean(axis=-1).min() <= 0) == [], "four bins or more"

# How many components?
assert all(turned["PCA"][:, 0] < commonest)
assert where(lambda i: np.argmax(turned["DCA"][i]) == 0) == [0.5, 1.0, 2.0, 4.0, 8.0]
assert all(np.argmax(turned["PCA"][i]) == 1 for i in (3, 4, 5))
assert where(lambda i: turned["PCA"][i][1] > commonest) == [4.0, 8.0]
assert where(lambda i: clear(several["PCA"][i, 1], several["no projection"][i, 0])) == []
assert all(full[i] > max(turned["DCA"][i][2], turned["PCA"][i][2]) for i in (3, 4, 5))
low, high = projection_bounds(turned_by)
assert np.allclose((high - low) / 2, np.abs(turned_by.components_).sum(axis=1))
assert 1 < widths.max() <= math.sqrt(3)
assert all(turned_open["features"] - turned_open[name] < full[5] - turned[name][5][2] for name in ("PCA", "DCA"))
assert np.argmax(np.abs(PCA(2).fit(T).components_[1])) == 1
