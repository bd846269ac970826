"""What the text of "Continuous features" claims; run in its namespace."""

# Who earns more than 50,000?
# the opening: pairs begin on their own line, and fewer and fewer end nearer to it than to the other
assert not pairs[0, :, 1].any()
assert not pairs[1, :, 0].any()
assert near == sorted(near, reverse=True)
assert near[0] > 0.8 > 0.6 > near[-1]

# Bins
assert grouped["equal width"] == [[0, 4], [12, 16, 16, 18], [24, 26, 28]]
assert grouped["equal frequency"] == [[0, 4, 12], [16, 16, 18], [24, 26, 28]]


# Are better edges worth their price?
def clear(a, b):
    """Is one better beyond three standard errors of the differences?"""
    return judge([paired(a, b)])["verdict"] == "holds"


def where(which):
    """At which of the tried ε something holds."""
    return [e for i, e in enumerate(EPSILONS) if which(i)]


in_order = np.argsort(-wide.mean(axis=-1), axis=-1)
best = [BINS[row[0]] for row in in_order]
assert set(best[:4]) == {2, 4}, "few up to ε = 2"
assert best[4:] == [8, 16]
assert where(lambda i: clear(wide[i, in_order[i, 0]], wide[i, in_order[i, 1]])) == [1.0, 4.0]
assert where(lambda i: wide[i].mean(axis=-1).max() < commonest) == [0.25, 0.5]
assert wide[one, SIZE].mean() > commonest
assert (wide[one, SIZE] - wide[one, -1]).mean() > 0.03
pays = {size: where(lambda i, j=j: clear(third[i, j], wide[i, j])) for j, size in enumerate(BINS)}
assert pays[2] == [0.5, 1.0, 2.0, 4.0, 8.0]
assert pays[4] == [2.0, 4.0, 8.0]
assert pays[8] == []
assert pays[16] == [0.25, 4.0]
assert where(lambda i: clear(wide[i, SIZE], third[i, SIZE])) == [0.25]
assert where(lambda i: clear(third[i, SIZE], half[i, SIZE])) == [1.0, 2.0, 4.0]
assert where(lambda i: (third[i, SIZE:] - half[i, SIZE:]).mean(axis=-1).min() <= 0) == [], "four bins or more"

# Gaussians, and a label to hide
assert square_bias > 0.5 * true_variances.min()


def guessed(epsilon, rounds=400_000):
    """The same from drawn reports: the larger weight wins, and a coin decides where both are equal."""
    noise = np.random.default_rng(23).laplace(scale=2 / epsilon, size=(2, rounds))
    own, other = (np.clip(2 * y - 1, -1, 1) for y in (1 + noise[0], noise[1]))  # |y| − |y − 1|
    return np.mean((own > other) + 0.5 * (own == other))


assert all(abs(g - guessed(e)) < 0.004 for e, g in guesses.items())
assert all(lined[e] < g for e, g in guesses.items())
noisy = np.abs(np.array([[1.0], [0.0]]) + np.random.default_rng(24).laplace(scale=2, size=(2, 400_000)))
assert abs(lined[1.0] - np.mean(noisy[1] < noisy[0])) < 0.004, "the nearer line at ε = 1"
assert all(0.5 < g <= math.exp(e) / (1 + math.exp(e)) for e, g in guesses.items())
assert all(rms[key][1] > rms[key][0] for key in rms)

# Which of the three?
less = [e for e in EPSILONS if noise[e]["piecewise"] < noise[e]["sample"]]
assert less == [1.0, 2.0, 4.0]
assert all(math.isclose(noise[e]["laplace"], h * noise[e]["sample"]) for e in EPSILONS)


def piecewise_noise(epsilon):
    a = math.exp(epsilon / 2)
    return 2 * h * (a + 3) / (3 * (a - 1) ** 2)


assert all(math.isclose(noise[e]["piecewise"], piecewise_noise(e)) == (e < 5) for e in EPSILONS)
assert math.isclose(piecewise_noise(1e-3) * 1e-6, 16 * 2 * h / 3, rel_tol=1e-3)
assert math.isclose(piecewise_noise(1e-3) * 1e-6 / (8 * h), 2 * 2 / 3, rel_tol=1e-3)
mean = {name: table[name].mean(axis=-1) for name in table}
assert share_gaps.min() / share_noise > mean_gaps.max() / mean_noise
leader = [max(GAUSS, key=lambda g, i=i: mean[g][i]) for i in range(6)]
least = [min(GAUSS, key=lambda g, e=e: noise[e][g]) for e in EPSILONS]
assert [e for e, a, b in zip(EPSILONS, leader, least) if a == b] == [0.25, 2.0, 4.0, 8.0]
assert not any(clear(table["sample"][i], table["piecewise"][i]) for i in range(5))
assert not any(clear(table["piecewise"][i], table["sample"][i]) for i in range(6))
assert clear(table["sample"][5], table["piecewise"][5])
assert not any(clear(table[a][i], table[b][i]) for i in (0, 1) for a in GAUSS for b in GAUSS if a != b)
assert not any(clear(table[a][2], table[b][2]) for a in GAUSS[1:] for b in GAUSS[1:] if a != b)
assert 1 < noise[1.0]["sample"] / noise[1.0]["piecewise"] < 1.1
assert where(lambda i: all(mean[g][i] < commonest for g in GAUSS)) == [0.25, 0.5, 1.0, 2.0]
assert where(lambda i: all(mean[g][i] > commonest for g in GAUSS)) == [4.0, 8.0]
assert where(lambda i: all(clear(table["four bins"][i], table[g][i]) for g in GAUSS)) == [0.5, 1.0, 2.0, 4.0]
assert all(max(mean, key=lambda g: mean[g][i]) == "four bins" for i in range(5)), "the title of the figure"
assert where(lambda i: mean["four bins"][i] < commonest) == [0.25, 0.5]
assert where(lambda i: any(clear(table[g][i], table["laplace"][i]) for g in GAUSS[1:])) == [1.0, 2.0, 4.0, 8.0]
assert max(m.max() for m in mean.values()) < opened["Gaussian"]

# Projections: who has seen the data?
share_of_class = label.mean()
S_B = share_of_class * (1 - share_of_class) * np.outer(centres[1] - centres[0], centres[1] - centres[0])
assert np.allclose(np.cov(T.T, bias=True), S_W + S_B)
gains = 100 * (dca[:, most] - none).mean(axis=-1)
assert PUBLIC[1:] == [100, 500, 4000]
assert all(pca[i, j].mean() < commonest for i in range(6) for j in range(1, len(PUBLIC))), "a hundred rows or more"
assert np.argmax(pca[-1].mean(axis=-1)) == 0
assert all((dca[i, most] - pca[i, most]).mean() > 0.02 for i in range(6))
assert gains[EPSILONS.index(1.0)] > 3 > 0 > gains[-1]
assert where(lambda i: clear(dca[i, most], none[i])) == [1.0, 2.0, 4.0]
assert all(dca[i, j].mean() < mean["four bins"][i] for i in range(2, 6) for j in range(len(PUBLIC)))
assert dca_hundreds < 1
assert abs(dca[EPSILONS.index(1.0), most].mean() - commonest) < 0.003
assert where(lambda i: clear(none[i], dca[i, most]) or clear(pca[i, most], none[i])) == []
assert where(lambda i: dca[i, most].mean() > commonest) == [2.0, 4.0, 8.0]
