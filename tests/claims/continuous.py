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


# What do the edges cost?
def clear(a, b):
    """Is one better beyond three standard errors of the differences?"""
    return judge([paired(a, b)])["verdict"] == "holds"


def where(which):
    """At which of the tried ε something holds."""
    return [e for i, e in enumerate(EPSILONS) if which(i)]


third = edges["asked of a third"]
assert where(lambda i: clear(third[i, SIZE], wide[i, SIZE])) == [2.0, 4.0, 8.0]
assert where(lambda i: clear(wide[i, SIZE], third[i, SIZE])) == [0.25]

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
opening_claim = where(lambda i: all(clear(table["four bins"][i], table[g][i]) for g in GAUSS))
assert opening_claim == [0.5, 1.0, 2.0, 4.0], "the same people, and other repetitions than in the figure"


def ahead_of(ours, theirs):
    """Is one better beyond three standard errors, in runs that are not paired?"""
    (one, error), (other, its_error) = (paired(100 * runs, 0 * runs) for runs in (ours, theirs))
    return one - other > 3 * math.hypot(error, its_error)


def ahead_of_all(size):
    return where(lambda i: all(ahead_of(wide[i, BINS.index(size)], table[g][i]) for g in GAUSS))


assert ahead_of_all(4) == [0.5, 1.0, 2.0, 4.0]
assert ahead_of_all(8) == [1.0, 2.0, 4.0, 8.0]
means = {f"{size} bins": wide[:, j].mean(axis=-1) for j, size in enumerate(BINS)} | {g: mean[g] for g in GAUSS}
above = [[name for name, m in means.items() if m[i] > commonest] for i in range(6)]
assert above[0] == above[1] == []
assert above[2] == ["4 bins"]
assert where(lambda i: means["4 bins"][i] > commonest) == [1.0, 2.0, 4.0, 8.0]
assert all(max(noise[e], key=noise[e].get) == "laplace" for e in EPSILONS[one:])
assert where(lambda i: any(clear(table[g][i], table["laplace"][i]) for g in GAUSS[1:]))[-4:] == EPSILONS[one:]
assert clear(wide[one, SIZE], wide[one, -1])
assert clear(wide[last, -1], wide[last, SIZE])
assert opened["Gaussian"] > opened["four bins"]

# Projections: who has seen the data?
share_of_class = label.mean()
S_B = share_of_class * (1 - share_of_class) * np.outer(centres[1] - centres[0], centres[1] - centres[0])
assert np.allclose(np.cov(T.T, bias=True), S_W + S_B)
assert PUBLIC[1:] == [100, 500, 4000]
assert where(lambda i: clear(dca[i, most], none[i])) == [1.0, 2.0, 4.0]
assert where(lambda i: clear(none[i], dca[i, most])) == []
assert all(dca[i, j].mean() < wide[i, SIZE].mean() for i in range(2, 6) for j in range(len(PUBLIC)))
assert all(pca[:, most].mean(axis=-1) < commonest)
assert dca_hundreds < 1
