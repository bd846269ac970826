"""What the text of "Randomized response" claims; run in its namespace."""

# Randomized response
poll_opened = RandomizedResponse(0.4)
of_million = poll_opened.privatize(secret, rng=15) == 1
assert abs(np.mean(of_million != secret) - 0.4) < 0.01
assert abs(poll_opened.estimate([(~of_million).sum(), of_million.sum()], 1_000_000)[1] / 1_000_000 - 0.3) < 0.005

# What an interval covers
small = RandomizedResponse(1.0)
drawn = small.simulate([12, 8], rng=9, size=200_000)
assert np.all(drawn.sum(axis=1) == 20)
law = np.convolve(stats.binom.pmf(np.arange(9), 8, small.p), stats.binom.pmf(np.arange(13), 12, small.q))
seen = np.bincount(drawn[:, 1], minlength=21)
frequent = law * len(drawn) > 5
assert (
    stats.chisquare(
        np.append(seen[frequent], seen[~frequent].sum()), np.append(law[frequent], law[~frequent].sum()) * len(drawn)
    ).pvalue
    > 1e-4
)
assert cover.sum().value == 19  # what a miss looks like is seen at once
# the formulas of the figure are those of the package
twenty, yeses = RandomizedResponse(1.0), np.array(first_draw.drawn[:20])
asked_again = np.column_stack([n - yeses, yeses])
assert np.allclose(twenty.estimate(asked_again, n)[:, 1], found.value * n / 100)
assert np.allclose(twenty.interval(asked_again, n)[0][:, 1], (found.value - reach) * n / 100, rtol=1e-4)
assert math.isclose(reach_few / reach_many, math.sqrt(1_000))
lows, highs = trials.interval(trials.simulate([n - truth, truth], rng=3, size=20_000), n)
often = np.mean((lows[:, 1] <= truth) & (truth <= highs[:, 1]))
assert abs(often - 0.95) < 0.007
assert abs(one_covers - 0.95) < 0.002
three_miss = 100 * stats.binom.cdf(17, 20, one_covers)
assert 6 < three_miss < 9
local_needs, central_needs = one_person / (0.01 * believed) ** 2, math.sqrt(2) / (0.01 * believed)
assert 100 < local_needs / central_needs < 1_000

# When the people are a sample
assert all(abs(coverages(e)[0] - 0.95) < 0.03 for e in (0.1, 0.5, 1.0, math.log(3), 2.0, 3.0, 4.0, 5.0))
assert at_one[1] > at_coins[1] > at_four[1]
assert at_four[1] < 0.5
assert sample_part > 5 * coins_part
r = m.q + share_of_all * (m.p - m.q)  # both parts at once: the variance of a binomial
assert math.isclose(r * (1 - r) / (m.p - m.q) ** 2, coins_part + sample_part)

# Where it breaks
assert right_once < right_often <= 1 / (1 + math.exp(-60 * 0.3))


def game(epsilon):
    return RandomizedResponse(epsilon).channel().max(axis=0).sum() / 2


grid = np.linspace(0.01, 6, 300)
assert all(math.isclose(game(e), math.exp(e) / (1 + math.exp(e))) for e in grid)
