"""What the text of "One per cent of liars" claims; run in its namespace."""

# One per cent of liars
assert shares.idxmin() == ARMY == names[-1]
assert expected(0.1).argmax() == expected(0.1).size - 1, "the commonest of all"
assert expected(4.0)[-1] > 0.02 > shares.iloc[-1]
assert np.allclose(expected(1.0)[:-1], 0.99 * shares.iloc[:-1]), "no other estimate is moved by votes"

# Who is in the army?
assert army_found / army_sd > 2
assert np.isin(votes(oracle, made_up).round(9), votes(oracle, [[1] * 14, [0] * 14])[:, 0].round(9)).all()
assert honest.sum() + m == n
assert math.isclose((0.5 - oracle.q) / (oracle.p - oracle.q), 1), "a fair coin for each bit"

# The smaller ε, the louder the liar
assert one["SUE"] < one["subset"] < one["OUE"] < one["DE"]
for d in (2, 4, 14, 64, 256):
    assert OptimizedUnary(1.0, d).variance(1) < SymmetricUnary(1.0, d).variance(1), "rare values"
    loudest = {
        name: np.array([gain(kind(e, d), [0]) for e in (0.1, 1.0, 4.0, 8.0)]) for name, kind in ENCODINGS.items()
    }
    assert all(np.all(np.diff(loudest[name]) < 0) for name in ("DE", "OUE", "SUE"))
    assert all(
        np.all(votes_of >= [0.999 * least_gain(e) for e in (0.1, 1.0, 4.0, 8.0)]) for votes_of in loudest.values()
    )
    assert math.isclose(loudest["DE"][1], (math.e + d - 2) / (math.e - 1))
assert math.isclose(gain(RandomizedResponse(0.3), [True]), least_gain(0.3))
subsets = [SubsetSelection(e, 14) for e in EPSILONS.tolist()]
rises = np.diff([gain(subset, [0]) for subset in subsets]) > 0
assert rises.any()
assert np.array_equal(rises, np.diff([subset.k for subset in subsets]) < 0), "where subsets change their size"
assert 0.9 < 0.01 * least_gain(0.01) < 1.1, "about 1/ε"

for o in (DirectEncoding(0.7, 5), OptimizedUnary(0.7, 5), SubsetSelection(0.7, 5, k=4), HadamardResponse(0.7, 5)):
    assert votes(o, o.outputs()).min() <= -1 / math.expm1(0.7) * (1 - 1e-12)

# Many favourites
assert oue[passed - 2] < de[passed - 2]
assert np.allclose(np.diff(oue), oue[0])
assert all(np.diff(de) < 0)
of_subsets = added(SubsetSelection, 1.0)
assert int(np.argmax(of_subsets)) + 1 == together.k
assert math.isclose(of_subsets[-1], 1)
assert math.isclose(de[-1], 1)

# A mean
assert Piecewise(2.0).worst_variance < Duchi(2.0).worst_variance

# What a test of reports buys
assert math.isclose(test.kept, law[:8].sum())
assert test == TESTS[4]
assert left_all < 0.5 < 1 < min(left_five, left_one) < 1.1
assert strict > 1.5
assert 1 - TESTS[1].kept > 0.3
for kind in (OptimizedUnary, SymmetricUnary):
    for unary in (kind(e, d) for e in (0.1, 0.5, 1.0, 4.0) for d in (3, 14, 100)):
        assert all(ones_test(unary, most).gain(1) > gain(unary, [0]) * (1 - 1e-9) for most in range(2, unary.d))

# Other remedies
assert loud.sum() > 1.15
assert sum_sd > loud.sum() - 1, "nobody would notice"
assert min(tidied.values()) > 0.1
assert gain(DirectEncoding(in_a_crowd, 14), [0]) < 1.01 < gain(OptimizedUnary(alone, 14), [0])
assert in_a_crowd > alone
half_less = 1 + (oracle.d - 1) * oracle.q - 0.5
assert math.isclose((half_less - oracle.d * oracle.q) / (oracle.p - oracle.q), 1), "half a one less"

# Exercises
assert RandomizedResponse.two_coins().p == 0.75
assert math.isclose(gain(RandomizedResponse.two_coins(), [True]), 1.5)
assert cut_solution(1.0, 1.0)[0] < 0.7
for t in (-1.0, 0.0, 0.3, 1.0):
    for e in (0.1, 1.0, 3.0):
        b = 2 / e
        of_the_capped = _mean(t, e, 1, 1 + b, power=2) - t**2
        assert math.isclose(of_the_capped, b**2 * (2 - math.exp(-1 / b) * math.cosh(t / b)), rel_tol=1e-6)
        assert math.isclose(_mean(t, e, 1, 1 + b), t, abs_tol=1e-6)
        assert of_the_capped < Laplace(e).worst_variance
        assert 1 + b > Duchi(e).support[1]
assert Duchi(1.0).worst_variance < capped
