r"""Discrete Laplace noise without rounding: :math:`\Pr[X = x] \propto e^{-r|x|}` on the integers, exactly.

Nothing here is computed in floating point that decides about a draw: what guarantee follows from the law on paper
holds for the numbers that come out, given independent fair bits.
"""

from __future__ import annotations

import decimal
import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Floats, Integers

__all__ = ["SMALLEST_RATE", "Integers", "discrete_laplace", "discrete_laplace_sums", "discrete_laplace_variance"]

#: Smallest rate r. Noise is then 2^46 or so in size, and needs all of an int64 once in e^(2^17) draws.
SMALLEST_RATE = Fraction(1, 2**45)

#: What is left over above the binary digits is positive with probability e^(-8) or less.
LEFT_OVER = 8

#: Bytes of a probability that are computed at first; more follow where a draw needs them.
FIRST_BYTES = 16


def discrete_laplace(rate: Fraction, size: int, rng: np.random.Generator) -> Integers:
    r"""Draw independent integers, each x with probability exactly :math:`\tanh(r/2)\,e^{-r|x|}`.

    It is the difference of two independent geometric variables. Of a geometric variable G, with
    :math:`\Pr[G = g] = (1 - e^{-r})\,e^{-rg}`, the binary digits are independent: :math:`e^{-rg}` is the product of
    :math:`e^{-r2^j}` over the digits j that are 1. So digit j is a coin with probability :math:`1/(1 + e^{r2^j})`, and
    what is left over above the first J digits, :math:`\lfloor G/2^J \rfloor`, is geometric again, with ratio
    :math:`e^{-r2^J}`: the number of heads before the first tail. All coins are exact, see :func:`flips`.

    Sums that do not fit an int64, which never come up, would be reduced modulo :math:`2^{64}`: a function of the true
    sum, so that even they keep the guarantee.
    """
    return _geometric(rate, size, rng) - _geometric(rate, size, rng)


def _geometric(rate: Fraction, size: int, rng: np.random.Generator) -> Integers:
    digits = _digits(rate)
    total = np.zeros(size, dtype=np.int64)
    for j in range(digits):
        total |= flips(1, rate * 2**j, size, rng).astype(np.int64) << j
    alive = np.arange(size)
    while alive.size:
        alive = alive[flips(0, rate * 2**digits, alive.size, rng)]
        total[alive] += 1 << digits
    return total


def _digits(rate: Fraction) -> int:
    """Count the binary digits that are drawn one by one."""
    return max(0, math.ceil(math.log2(LEFT_OVER / rate))) if rate < LEFT_OVER else 0


def flips(constant: int, x: Fraction, size: int, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Toss ``size`` coins that come up True with probability exactly 1/(constant + e^x).

    A uniform number in base 256, whose digits are independent uniform bytes, lies below p with probability p, and the
    first byte in which the two differ decides. One byte is enough in 255 of 256 tosses; where it ties, the next byte
    of p is looked at, and computed if it is not known yet.
    """
    digits = expansion(constant, x, FIRST_BYTES)
    byte = rng.integers(0, 256, size=size, dtype=np.uint8)
    heads: npt.NDArray[np.bool_] = byte < digits[0]
    tied, place = np.flatnonzero(byte == digits[0]), 1
    while tied.size:
        if place == len(digits):
            digits = expansion(constant, x, 2 * place)
        byte = rng.integers(0, 256, size=tied.size, dtype=np.uint8)
        heads[tied] = byte < digits[place]
        tied, place = tied[byte == digits[place]], place + 1
    return heads


@lru_cache(maxsize=1024)
def expansion(constant: int, x: Fraction, length: int) -> bytes:
    """Give the first ``length`` digits in base 256 of p = 1/(constant + e^x), all of them right.

    Decimal arithmetic encloses e^x between two bounds; where these do not agree on the digits, it takes more places.
    That ends: e to the power of a rational number other than 0 is irrational, and so is p.
    """
    if x > 6 * length:  # then e^x > 256^length, and p < 256^(-length)
        return bytes(length)
    places = 5 * length + 25
    while True:
        least, most = (
            256**length // (constant + Fraction(bound))
            for bound in (_exp(x, places, up=True), _exp(x, places, up=False))
        )
        if least == most:
            return int(least).to_bytes(length, "big")
        places *= 2


def _exp(x: Fraction, places: int, *, up: bool) -> decimal.Decimal:
    """Bound e^x from above or from below, to about ``places`` decimal places."""
    context = decimal.Context(prec=places, rounding=decimal.ROUND_CEILING if up else decimal.ROUND_FLOOR)
    # The quotient is rounded to the wanted side; exp is rounded to nearest, its neighbour is a bound.
    power = context.exp(context.divide(decimal.Decimal(x.numerator), decimal.Decimal(x.denominator)))
    return context.next_plus(power) if up else context.next_minus(power)


# ---- what follows from the law -------------------------------------------------------------------------------------


def discrete_laplace_variance(rate: Fraction) -> float:
    """Give the variance, :math:`2e^{-r}/(1 - e^{-r})^2`: less than that of Laplace noise, :math:`2/r^2`."""
    r = float(rate)
    return 2 * math.exp(-r) / math.expm1(-r) ** 2


def discrete_laplace_sums(n: int, rate: Fraction, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Draw sums of n independent discrete Laplace variables at a cost that does not depend on n.

    Digit by digit: that n users' coins come up True k times has a binomial law, and what is left over adds up to a
    negative binomial variable. For measuring mechanisms, not for reports: probabilities are rounded to doubles.
    """
    digits = _digits(rate)
    sums = np.zeros(shape)
    for j in range(digits):
        low = math.exp(-float(rate * 2**j))
        sums += 2.0**j * (rng.binomial(n, low / (1 + low), shape) - rng.binomial(n, low / (1 + low), shape))
    stop = -math.expm1(-float(rate * 2**digits))
    sums += 2.0**digits * (rng.negative_binomial(n, stop, shape) - rng.negative_binomial(n, stop, shape))
    return sums
