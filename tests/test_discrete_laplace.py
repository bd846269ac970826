"""The sampler of discrete Laplace noise: probabilities right to the last place, draws that follow them."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from ldp_core import _discrete_laplace as noise

FALSE_ALARM = 1e-6


def exp_bounds(x, terms):
    """Bounds of e^x for a fraction x >= 0, by Taylor's series of e^(x/2^k), in fractions."""
    halvings = max(0, math.ceil(x).bit_length())
    small = x / 2**halvings  # at most 1
    term = total = Fraction(1)
    for i in range(1, terms):
        term = term * small / i
        total += term
    # What follows is below a geometric series with ratio 1/2.
    low, high = total, total + 2 * term
    for _ in range(halvings):
        low, high = low * low, high * high
    return low, high


@pytest.mark.parametrize("constant", [0, 1])
@pytest.mark.parametrize(
    "x", [Fraction(1, 2**40), Fraction(0.1) / 7, Fraction(1, 3), Fraction(1), Fraction(math.pi), Fraction(47, 5)]
)
def test_expansion_is_right_to_the_last_byte(constant, x):
    """Enclosed in fractions, independently: p lies between the expansion and the expansion plus one unit."""
    low, high = exp_bounds(x, 60)
    for length in (1, 2, 16, 24):
        digits = int.from_bytes(noise.expansion(constant, x, length), "big")
        assert Fraction(digits, 256**length) <= 1 / (constant + high)
        assert 1 / (constant + low) < Fraction(digits + 1, 256**length)
    assert noise.expansion(constant, x, 24)[:16] == noise.expansion(constant, x, 16)


def test_expansion_of_tiny_probabilities():
    assert noise.expansion(0, Fraction(10**300), 16) == bytes(16)
    for constant in (0, 1):
        digits = int.from_bytes(noise.expansion(constant, Fraction(100), 32), "big")
        assert digits / 256**32 == pytest.approx(math.exp(-100), rel=1e-12)


def test_ties_are_decided_by_further_bytes():
    """A generator whose bytes tie with p for 20 places: more of p is computed, and the next byte decides."""
    digits = noise.expansion(1, Fraction(1), 32)

    class Scripted:
        def __init__(self, script):
            self.script = iter(script)

        def integers(self, low, high, size, dtype):
            return np.full(size, next(self.script), dtype=dtype)

    for change, heads in ((-1, True), (1, False)):
        script = [*digits[:20], digits[20] + change]
        assert noise.flips(1, Fraction(1), 1, Scripted(script)).tolist() == [heads]


@pytest.mark.parametrize("rate", [Fraction(1, 50), Fraction(1, 3), Fraction(1), Fraction(7), Fraction(20)])
def test_draws_follow_the_law(rate, chi_square_p):
    """Chi-square over all integers, rare ones pooled; false alarm 1e-6 each."""
    n = 50_000
    draws = noise.discrete_laplace(rate, n, np.random.default_rng(2)).tolist()
    r = float(rate)
    law = {x: math.tanh(r / 2) * math.exp(-r * abs(x)) for x in range(-2_000, 2_001)}
    assert chi_square_p(draws, law) > FALSE_ALARM


@pytest.mark.parametrize("rate", [Fraction(1, 5), Fraction(2), Fraction(9)])
def test_law_of_the_digits_multiplies_up_to_the_geometric_law(rate):
    """Coin by coin, from the coins' own probabilities: Pr[G = g] = (1 − e^−r)·e^(−rg) for g = 0, …, 299."""
    digits = noise._digits(rate)
    tail = math.exp(-float(rate * 2**digits))
    for g in range(300):
        mass = (1 - tail) * tail ** (g >> digits)
        for j in range(digits):
            p = 1 / (1 + math.exp(float(rate * 2**j)))
            mass *= p if g >> j & 1 else 1 - p
        assert mass == pytest.approx(-math.expm1(-float(rate)) * math.exp(-float(rate) * g), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("rate", [Fraction(1, 200), Fraction(1), Fraction(6)])
def test_variance_and_sums(rate):
    """Variance by summation; sums of 50 by the mean and the chi-square band of their variance (1e-6)."""
    r = float(rate)
    exact = sum(2 * x * x * math.tanh(r / 2) * math.exp(-r * x) for x in range(1, 20_000))
    assert noise.discrete_laplace_variance(rate) == pytest.approx(exact, rel=1e-9)
    assert noise.discrete_laplace_variance(rate) < 2 / r**2
    runs = 20_000
    sums = noise.discrete_laplace_sums(50, rate, (runs,), np.random.default_rng(3))
    assert abs(sums.mean()) < 6 * math.sqrt(50 * exact / runs)
    fourth = np.mean(sums**4) / np.var(sums) ** 2
    assert abs(np.var(sums) / (50 * exact) - 1) < 6 * math.sqrt((fourth - 1) / runs)
    drawn = noise.discrete_laplace(rate, 50 * runs, np.random.default_rng(4)).reshape(runs, 50).sum(axis=1)
    assert stats.ks_2samp(sums, drawn, method="asymp").pvalue > FALSE_ALARM
