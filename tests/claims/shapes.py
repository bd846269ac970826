"""What the text of "Between 30 and 45" claims; run in its namespace."""

from itertools import pairwise, product

SLIDER = np.geomspace(0.25, 8, 11)


# The opening: the estimate comes nearer as ε grows; at the lowest more are young than old
def shape_at(epsilon):
    wave = SquareWave(epsilon)
    return to_64(ems(wave.aggregate(wave.perturb(t, rng=5), bins=256), wave.channel(256)))


ends = [furthest(shape_at(e), true) for e in (0.25, 1.0, 8.0)]
assert ends == sorted(ends, reverse=True)
assert ends[-1] < 0.01
assert shape_at(0.25)[:32].sum() > 1.2 * shape_at(0.25)[32:].sum()
assert 0.5 < math.sqrt(SubsetSelection(1.0, 64).variance(n, n / 64)) / n * 64 < 1

# The square wave: the width of the package, the same law three times, private at every width
for e in SLIDER:
    assert math.isclose(SquareWave(e).width, best_width(e), rel_tol=1e-9)


def information(w, epsilon):
    e = math.exp(epsilon)
    return math.log((1 + w) / (1 + w * e)) + epsilon * w * e / (1 + w * e)


for e in (0.1, *SLIDER):
    best_w = best_width(e)
    assert information(best_w, e) > max(information(best_w * f, e) for f in (0.5, 0.9, 0.99, 1.01, 1.1, 2))
assert all(best_width(low) > best_width(high) for low, high in pairwise(SLIDER))  # narrower
heights = [SquareWave(e).density(0.0, 0.0) for e in SLIDER]
assert heights == sorted(heights)  # and higher
assert 64 * best_width(0.25) > 65 - 30 > 64 * best_width(2.0)  # of 30 and 65: they overlap, and do not
inside = 1.0 / (1 + 1 / (w * math.e))
for sent in (square_waves(t, 1.0, rng), wave.perturb(t, rng=4)):
    assert abs(np.mean(abs(sent - t) < w) - inside) < 5 * math.sqrt(0.25 / n)
    # outside of the window: even, so its left part has the share (1 + t)/2
    left = (sent < t - w) - (1 - inside) * (1 + t) / 2
    assert abs(left.mean()) < 5 * math.sqrt(0.25 / n)
# of the bound for the 64 ages the information is a part
joint = wave.channel(256) * SHAPES["age"][:, None]
outer = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
positive = joint > 0
assert 0 < (joint[positive] * np.log(joint[positive] / outer[positive])).sum() < information(w, 1.0)

# EM: each step is likelier, and the likeliest shares are a comb
shares, reached = np.full(256, 1 / 256), []
for _ in range(200):
    reached.append(counts @ np.log(shares @ channel))
    shares = shares * (channel @ (counts / (shares @ channel))) / counts.sum()
assert np.all(np.diff(reached) >= 0)
assert np.allclose(shares, climb(counts, channel, 200))
off = {steps: furthest(to_64(climb(counts, channel, steps)), true) for steps in (1, 10, 100, 10_000)}
assert off[100] < off[10] < off[1]
assert late.max() > 2 * true.max()
assert np.mean(late < true.max() / 10) > 0.3  # between the teeth there is little
assert unbiased > abs(to_64(shape) - true).max()
assert unbiased > 5 * math.sqrt(SubsetSelection(1.0, 64).variance(n, n / 64)) / n


# Three shapes: each comparison by four standard errors of the runs
def nearer(shape, size, one, other):
    first, second = (DISTANCES[shape][size][name] for name in (one, other))
    return second.mean() - first.mean() > 4 * math.hypot(first.std(), second.std()) / math.sqrt(RUNS)


assert nearer("age", few, "EM", "64 counts")
assert not any(nearer("age", k, "EM", "the best bins") for k in range(len(SIZES)))
assert nearer("age", few, "the best bins", "64 counts")
for k, sign in ((few, -1), (many, 1)):  # smoothing helps, and no longer: the same runs
    more = sign * (DISTANCES["age"][k]["EMS"] - DISTANCES["age"][k]["EM"])
    assert more.mean() > 4 * more.std() / math.sqrt(RUNS)
for shape_name in ("hours per week", "capital gain"):  # a plateau: ten times the people do not help
    at_last, before = (DISTANCES[shape_name][k]["EMS"].mean() for k in (3, 2))
    assert at_last > 0.9 * before
    assert nearer(shape_name, many, "64 counts", "EMS")
    assert nearer(shape_name, many, "EM", "EMS")
assert nearer("hours per week", many, "64 counts", "EM")
hours_of = [row["EM"].mean() for row in DISTANCES["hours per week"]]
assert hours_of == sorted(hours_of, reverse=True)
assert (adult.frame["capital-gain"] == 0).mean() > 0.9
assert (adult.frame["hours-per-week"] == 40).mean() > 0.4

# Quantiles: runs around the estimate, and the truth among them here
assert np.all(np.quantile(again, 0.025, axis=0) < np.quantile(age, levels))
assert np.all(np.quantile(again, 0.975, axis=0) > np.quantile(age, levels))

# A tree
assert nodes_solution(14, 29, 64, 4) == 7
assert [level.d for level in tree.levels] == [4, 16, 64]


# Hadamard response: the moments of the proof, and the bound for every range
def signs(d, epsilon):
    from ldp_core.frequency import HadamardResponse

    oracle = HadamardResponse(epsilon, d)
    K = oracle.n_outputs
    rows = np.array([[(-1.0) ** (a & y).bit_count() for y in range(K)] for a in range(1, d + 1)])
    return oracle.channel(), rows


for d, e in product((2, 3, 4, 7, 16), (0.5, 1.0, 3.0)):
    law_of, rows = signs(d, e)
    gap = math.tanh(e / 2)
    c = 2 * math.exp(e) * (math.exp(e) + 1) / math.expm1(e) ** 2
    assert math.isclose((1 + gap) / gap**2, c)
    for held_one in range(d):
        assert np.allclose(rows @ law_of[held_one], gap * (np.arange(d) == held_one))
        second = (rows * law_of[held_one]) @ rows.T / gap**2
        assert np.linalg.eigvalsh(second).max() <= c + 1e-9
for d, B, e in product((16, 64), (2, 4), (0.5, 1.0, 2.0, 4.0)):
    made = HierarchicalHistogram(e, d, branching=B)
    h, c = len(made.levels), 2 * math.exp(e) * (math.exp(e) + 1) / math.expm1(e) ** 2
    assert B**h == d
    for a, b in product(range(0, d, 5), range(0, d, 7)):
        if a <= b and (a, b) != (0, d - 1):
            assert nodes_solution(a, b, d, B) <= 2 * (B - 1) * h
            # the package's own levels and weights
            assert made.range_variance(np.ones(d, int), a, b) / d <= h * c * nodes_solution(a, b, d, B) + 1e-9
for d, e in product((64, 1024), np.geomspace(0.5, 4, 7)):  # the figure: widths from end to end, five places of each
    made, c = HierarchicalHistogram(e, d), 2 * math.exp(e) * (math.exp(e) + 1) / math.expm1(e) ** 2
    for width in np.unique(np.geomspace(1, d - 1, 12).astype(int)).tolist():
        assert tree_range(e, d, width) <= (rises * 1.001) ** 2 * tree_range(e, d, 1)
        for a in np.linspace(0, d - width, 5).astype(int).tolist():
            most = len(made.levels) * c * nodes_solution(a, a + width - 1, d, 4)
            assert made.range_variance(np.ones(d, int), a, a + width - 1) / d <= most
at_two = 2 * math.exp(2) * (math.exp(2) + 1) / math.expm1(2) ** 2  # all levels are asked by direct encoding there
assert HierarchicalHistogram(2.0, 64).range_variance(np.eye(64, dtype=int)[0], 0, 0) > 3 * at_two

# Flat counts: the variance of a range by subset selection is that of the channel
for e, d, width in ((1.0, 6, 2), (0.3, 7, 5), (2.0, 5, 1)):
    one = SubsetSelection(e, d)
    score, K = one.outputs()[:, :width].sum(axis=1), one.channel()
    spread_of = (K @ score**2 - (K @ score) ** 2).mean() / (one.p - one.q) ** 2
    assert math.isclose(spread_of, subset_range(e, d, width), rel_tol=1e-9)
# The tree errs less at most widths between the two that are named, at all of them for 64 values at ε = 1
for e, d in product(np.geomspace(0.5, 4, 7).round(2), (64, 1024)):
    widths = better(float(e), d)
    tried = [
        w
        for w in (range(1, 64) if d == 64 else np.linspace(64, 1023, 40).astype(int))
        if w >= widths[0] and w <= widths[-1]
    ]
    assert sum(w in widths for w in tried) >= 0.9 * len(tried)
    assert (e, d) != (1, 64) or set(tried) == set(widths)
assert better(1.0, 64)[0] < better(1.0, 1024)[0]
assert better(1.0, 1024)[-1] > 0.9 * 1024
assert better(1.0, 64)[0] < 16  # not far from it
assert 1 < subset_range(1.0, 64, 16) / tree_range(1.0, 64, 16) < 1.25**2  # a standard error of a quarter more at most


# How many children, by all sums and not by some of them
def all_below(made):
    return made._spread(np.tri(made.d - 1, made.d)).sum() / (made.d - 1)


assert math.isclose(all_below(trees_8[0]), below_all(trees_8[0]))
for d, B in zip((27, 64, 100, 256, 1000), (3, 4, 5, 4, 2), strict=True):  # the best: small, and a power just above d
    exact = {b: all_below(HierarchicalHistogram(1.0, d, branching=b)) for b in SPLITS}
    assert exact[B] == min(exact.values())
    assert d <= B ** math.ceil(math.log(d, B) - 1e-9) <= 1.25 * d
    assert over.loc[f"{d} values"][SPLITS].idxmin() == B
for d, e in [*product((64, 256), np.geomspace(0.5, 4, 13)), *product((1000,), (0.5, 1.0, 2.0, 4.0))]:  # four children
    exact = {b: all_below(HierarchicalHistogram(e, d, branching=b)) for b in (SPLITS if d < 1000 else (2, 3, 4))}
    assert exact[4] < (1 + math.ceil(100 * four_most) / 100) * min(exact.values())


for d, strength in product((27, 64, 100, 256, 1000), (2.0, 4.0)):  # Haar: less at ε = 1, below, and more here
    at = by_splits(d, strength)
    assert at.pop("Haar") > min(at.values())
# against the best of all channels
assert (over["Haar"] < over[SPLITS].min(axis=1)).all()
assert best.lower_bound < flat_8 < 7 * min(map(all_below, [HaarHistogram(1.0, 8), *trees_8])) / 8
half = sum(subset_range(0.5, 8, k) for k in range(1, 8))
assert 7 * all_below(HaarHistogram(0.5, 8)) / 8 < half  # at ε = ½ Haar gains
assert of_64["Haar"] < of_64[4] < 64 / 63 * flat_64 / 2

# Shape or tree
ages_of, hours_table = ERRORS["30 to 45 years"], ERRORS["39 to 47 hours"]
assert ages_of.loc["EM", "both"] < 0.75 * ages_of.loc["tree", "both"]
assert abs(ages_of.loc["subset", "both"] / ages_of.loc["tree", "both"] - 1) < 0.3
assert hours_table.loc["EM", "on average"] < -5 * hours_table.loc["EM", "spread"] / math.sqrt(200)
for table_of in ERRORS.values():
    for name in ("subset", "tree"):
        assert abs(table_of.loc[name, "on average"]) < 4 * table_of.loc[name, "spread"] / math.sqrt(200)
assert hours_table["both"].idxmin() == "subset"  # and at ε = 1 five values are below the crossing
assert better(1.0, 64)[0] > 5
assert math.e / (math.e - 1) ** 2 < tree.range_variance(held, 30, 45) / n / 20


# Exercises
def counted(first, last, d, B):
    """Nodes inside of a range whose parents are not, by going through all."""
    levels_of = [d // B**k for k in range(1, round(math.log(d, B)) + 1)]
    inside = {(a, size) for size in (d, *levels_of) for a in range(0, d, size) if first <= a and a + size - 1 <= last}
    return sum((a - a % (size * B), size * B) not in inside for a, size in inside if size < d)


def squares(k, cut_x=True, cut_y=True):
    if not (cut_x or cut_y) or k == 0:
        return int(not (cut_x or cut_y))
    return sum(squares(k - 1, cut_x and right, cut_y and top) for right in (0, 1) for top in (0, 1))


for d, B in ((64, 4), (64, 2), (64, 8), (27, 3)):
    for first, last in product(range(0, d, 2), range(d)):
        if first <= last:
            assert nodes_solution(first, last, d, B) == counted(first, last, d, B)
assert all(nodes_solution(*case) == count for case, count in node_cases)
assert all(squares(k) == cells for (k,), cells in square_cases)
assert all(worst["square wave"] > worst[name] for name in ("Duchi", "Piecewise"))
for e in np.linspace(0.25, 6, 24):
    assert max(mean_solution(e, 0.0), mean_solution(e, 1.0)) > Piecewise(e).worst_variance
