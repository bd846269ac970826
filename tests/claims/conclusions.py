"""What the text of "What may be concluded" claims; run in its namespace."""

from ldp_core.central import laplace_interval as reach_interval
from ldp_core.frequency import DirectEncoding, SubsetSelection
from ldp_core.numeric import DiscreteLaplace
from ldp_core.postprocess import clip_negative as clipped_of

# A table of reports
assert all_hold() < 0.05
assert all_hold(simultaneous=True) > 0.94
assert invented() > 0.02 * rare.sum()
assert invented(simultaneous=True) < 0.03  # at most: some call is false in no more surveys than calls are false
low, high = oracle.interval(counts, n)
tidied = clipped_of(estimates)
raised = np.sqrt(oracle.variance(n, np.clip(tidied, 0, n))) * stats.norm.ppf(0.975)
holds, still = (
    (lo <= true_counts) & (true_counts <= hi) for lo, hi in ((low, high), (tidied - raised, tidied + raised))
)
assert (still >= holds).all()  # no true count is lost
assert sum_covered < 0.7
# What two answers of one survey have to do with each other.
for kind in (DirectEncoding, SubsetSelection, OptimizedUnary):
    for epsilon in (0.5, 3.0):
        five = kind(epsilon, 5)
        support = np.array([five.aggregate(five.outputs()[[y]]) for y in range(five.n_outputs)])
        for law in five.channel():
            shared = (support.T * law) @ support - np.outer(law @ support, law @ support)
            shared = shared[~np.eye(5, dtype=bool)]
            assert np.allclose(shared, 0) if kind is OptimizedUnary else shared.max() < 0

# The people in the file
noise = np.linspace(-80, 80, 1601)
for true in (0, 1, 5, 40):  # clipped, and rounded: whatever the noise, nothing is lost
    lo, hi = reach_interval(true + noise, epsilon=0.1, sensitivity=1)
    near = (lo <= true) & (true <= hi)
    reach = (hi - lo)[0] / 2
    shown = np.maximum(true + noise, 0)
    assert ((np.abs(shown - true) <= reach) >= near).all()
    assert ((np.abs(np.round(shown) - true) <= reach + 0.5) >= near).all()
for epsilon in (0.1, 1.0):  # the probability of the noise, exactly
    _, hi = reach_interval(0, epsilon=epsilon, sensitivity=1)
    assert math.isclose(hi, math.log(20) / epsilon)
    assert math.isclose(2 * stats.laplace(scale=1 / epsilon).sf(hi), 0.05)
assert (published < 0).any()  # a negative count is seen
for scales in ((1, 0.2), (1, 1), (1, 0.5, 0.5), (1,) * 20):  # sums: roots of squares are enough
    added = np.random.default_rng(13).laplace(size=(400_000, len(scales))) @ np.array(scales, dtype=float)
    assert np.mean(abs(added) <= math.log(20) * math.hypot(*scales)) > 0.95 - 0.001

# People drawn, coins tossed
assert 0.45 < small[1] < 0.55
assert 0.45 < large[0] < 0.55
for epsilon in (0.01, 0.1, 1.0):
    for size in (10, 1_000, 100_000):
        forget, coins, both = (abs(c - 0.95) for c in coverage(size, epsilon))
        assert both < 0.02
        assert both <= min(forget, coins) + 0.02
    equal = round(2 / (epsilon**2 * share * (1 - share)))
    if equal < 2e5:  # where the variances are equal, each of the two forgets as much
        assert np.ptp(coverage(equal, epsilon)[:2]) < 0.08
        assert max(coverage(equal, epsilon)[:2]) < 0.9

rng = np.random.default_rng(12)  # the estimate in place of the share
for size, true_share in ((1_000, 0.01), (100, 0.2)):
    estimate = (rng.binomial(size, true_share, 100_000) + rng.laplace(size=100_000)) / size
    plugged = np.sqrt(np.clip(estimate * (1 - estimate), 0, None) / size + 2 / size**2)
    assert np.mean(abs(estimate - true_share) <= 1.96 * plugged) < 0.945

for sign, end in ((-1, 0), (1, 1_000)):  # clipped to between 0 and n, a count has a longer interval
    for beyond in (3, 55, 65, 500):
        (lo, hi), (wide_lo, wide_hi) = (share_interval(y, 1_000, **how) for y in (end + sign * beyond, end))
        assert wide_lo <= lo <= hi <= wide_hi

# Where n is secret, too
shares_tried = np.linspace(0, 1, 1001)
assert max(missed(math.log(20), max(s, 1 - s), min(s, 1 - s)) for s in shares_tried) <= 0.05 + 1e-12
for level in (0.5, 0.8, 0.99, 0.9999):
    t = -math.log(1 - level)
    assert max(missed(t, max(s, 1 - s), min(s, 1 - s)) for s in shares_tried) <= 1 - level + 1e-12
far = [missed(4.12, 1, c) for c in np.linspace(0, 1, 101)]
assert (np.diff(far) >= 0).all()
assert far[-1] < 0.05 < missed(4.11, 1, 1)
assert missed(4.94, 1, 1) < 0.025 < missed(4.93, 1, 1)
for c in (0.3, 0.99, 1.0):  # the law of the difference, by convolution
    u = (np.arange(200_000) + 0.5) / 200_000
    second = stats.laplace.ppf(u, scale=c)
    by_parts = np.mean(stats.laplace.sf(2 - second) + stats.laplace.cdf(-2 - second))
    assert math.isclose(missed(2, 1, c), by_parts, rel_tol=1e-4)
assert abs(50 + total / people - mean) < 4.12 * a / people
assert mean - clipped_mean > 1.5 * 4.12 * 30 / 0.5 / len(town)

# A median (every file, and neighbours: tests/central/test_intervals.py)
hard = np.repeat([0, 1, 100], [500 - ask, ask + 1, 499])
assert covers(median, town, ask) > covers(1, hard, ask) > 0.95
assert drawn[:, 0].mean() < 0.8
assert drawn[:, 1].mean() > 0.99
assert covers(median, town, ask_few, 10) > 0.95
low, high = quantile_interval(town, years, epsilon=1e6, rng=0)  # next to no noise: the end that is aimed at
assert low == max(a for a in years if np.sum(town < a) < 500 - aim(1e6) <= np.sum(town <= a))
for values in (town, hard):  # the library's ends, in so many draws
    target = int(np.sort(values)[499])
    ends = np.array([quantile_interval(values, years, epsilon=0.3, rng=seed) for seed in range(300)])
    hits = np.mean((ends[:, 0] <= target) & (target <= ends[:, 1]))
    assert abs(hits - covers(target, values, aim(0.3), 0.3)) < 4 * math.sqrt(hits * (1 - hits) / 300) + 0.02

# Synthetic rows
assert all(from_rows < 0.9 for from_rows, _ in covered.values())
assert covered["over 70, ε = 0.1"][0] < 0.1
assert all(abs(from_cells - 0.95) < 4 * error for _, from_cells in covered.values())
assert abs(coverages(100.0, PARTS["30 to 39"])[0] - rows_without_noise(1)) < 4 * error
assert rows_without_noise(10) < rows_without_noise(1)
few = int(np.argmin(np.abs(chances - 0.001)))
assert coverages(3, slice(few, few + 1))[1] < 0.9, "a single cell with few people may be covered less"

# A population, from reports: each answer, all answers together, one answer of many, numbers. (Seeds fixed: a share of
# 3,000 surveys has a standard error of 0.4%.)
draws = np.random.default_rng(2)
population = np.array([0.35, 0.2, 0.15, 0.1, 0.08, 0.06, 0.04, 0.015, 0.005])
for kind, epsilon in ((DirectEncoding, 1.9), (DirectEncoding, 6.0), (SubsetSelection, 3.0), (OptimizedUnary, 3.0)):
    nine = kind(epsilon, 9)
    people = draws.multinomial(15_000, population, size=1_500)
    support = np.array([nine.simulate(one, rng=draws) for one in people])
    estimated = nine.estimate(support, 15_000)
    for together in (False, True):
        for whole in (False, True):
            low, high = nine.interval(support, 15_000, simultaneous=together, population=whole)
            target = population * 15_000 if whole else people
            held = (low <= target) & (target <= high)
            assert 0.93 < (held.all(axis=1) if together else held).mean() < 0.98
            if not together:  # the difference of two answers of one table
                w = ((high - low) / 2)[:, :2].sum(axis=1)
                assert np.mean(abs((estimated - target)[:, 0] - (estimated - target)[:, 1]) <= w) > 0.94
yes = RandomizedResponse(1.0)
for share in (0.05, 0.4):
    asked = draws.binomial(1_000, share, size=3_000)
    support = np.array([yes.simulate([1_000 - one, one], rng=draws) for one in asked])
    low, high = yes.interval(support, 1_000, population=True)
    assert 0.935 < np.mean((low[:, 1] <= 1_000 * share) & (1_000 * share <= high[:, 1])) < 0.965
for spread in (0.1, 0.8):  # numbers of a population, clipped, by a mechanism whose noise does not know them
    whole = np.clip(draws.normal(0.2, spread, size=200_000), -1, 1)
    held = []
    for _ in range(600):
        low, high = DiscreteLaplace(3.0).interval(
            DiscreteLaplace(3.0).perturb(draws.choice(whole, 2_000), rng=draws), population=True
        )
        held.append(low <= whole.mean() <= high)
    assert 0.92 < np.mean(held) < 0.98

# Trust them where ten reports speak for an answer, simultaneous ones where a hundred do. (40,000 surveys each.)
draws = np.random.default_rng(14)
for asked, single_from, calls_to in ((200, 0.9, 0.12), (16_000, 0.94, 0.035)):
    ten = DirectEncoding(5.0, 10)
    support = ten.simulate(np.eye(10, dtype=int)[0] * asked, rng=draws, size=40_000)
    low, high = ten.interval(support, asked)
    assert np.mean((low <= 0) & (high >= 0), axis=0)[1:].min() > single_from
    calls = (ten.interval(support, asked, simultaneous=True)[0][:, 1:] > 0).any(axis=1).mean()
    assert calls < calls_to
    assert (calls > 0.05) == (asked == 200)
for asked, strength, share, least in ((500, 4.0, 0.02, 0.94), (100, 4.0, 0.02, 0.8)):
    yes = RandomizedResponse(strength)
    held = draws.binomial(asked, share, size=40_000)
    said = draws.binomial(held, yes.p) + draws.binomial(asked - held, 1 - yes.p)
    low, high = yes.interval(np.stack([asked - said, said], axis=1), asked, population=True)
    covered_now = np.mean((low[:, 1] <= asked * share) & (asked * share <= high[:, 1]))
    assert least < covered_now < 0.96
    assert (covered_now > 0.93) == (asked == 500)


# Whole-numbered noise: half a unit more, exactly, for sums too; a mean with a public n, of a population by Hoeffding
whole_numbers = np.arange(-4_000, 4_001)
for ratio in (0.05, 0.655, 1.2, 2.0, 3.7):  # ε/Δ
    law = np.exp(-ratio * abs(whole_numbers))
    law /= law.sum()
    half = math.log(20) / ratio + 0.5
    added = law
    for counts_added in range(1, 4):
        assert law.sum() - added[abs(whole_numbers) > half * math.sqrt(counts_added)].sum() > 0.95 - 1e-9
        added = np.convolve(added, law, mode="same")
assert math.log(20) / 1.2 * math.sqrt(2) < 4  # without it, two counts would be covered in less
draws = np.random.default_rng(15)
for asked, strength in ((300, 0.1), (10_000, 1.0)):
    likely = draws.beta(0.5, 3, size=100_000) * 2 - 1
    found = np.array([draws.choice(likely, asked).mean() for _ in range(2_000)])
    found += draws.laplace(scale=1 / (strength * asked), size=2_000)
    for reach in (math.sqrt(2 * math.log(80)), 2.25 * likely.std()):
        held = abs(found - likely.mean()) <= math.log(40) / (strength * asked) + reach / math.sqrt(asked)
        assert np.mean(held) > 0.95
assert math.sqrt(2 * math.log(80)) > 2 * 2.25 * likely.std()
