"""Random bits in bulk: exact to the last digit, uniform where they claim it."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ldp_core.frequency import _sampler
from ldp_core.frequency._sampler import _Octets, bernoulli, column_sums, fill_subsets


class Tape(np.random.Generator):
    """A generator whose words are the bytes it was given, one call at a time."""

    def __init__(self, *calls):
        super().__init__(np.random.PCG64(0))
        self.calls = list(calls)

    def integers(self, low, high=None, size=None, dtype=np.int64, endpoint=False):
        assert (low, high, dtype, endpoint) == (0, 2**64 - 1, np.uint64, True)
        data = np.array(self.calls.pop(0), dtype=np.uint8)
        padded = np.zeros(-(-len(data) // 8) * 8, dtype=np.uint8)
        padded[: len(data)] = data
        assert padded.size // 8 == size
        return padded.view(np.uint64)


def digits_of(p: float) -> list[int]:
    """All base-256 digits of a probability below 1, exactly."""
    rest, digits = Fraction(p), []
    while rest:
        rest *= 256
        digits.append(int(rest))
        rest -= int(rest)
    return digits


@given(st.floats(0, 1, exclude_max=True))
@settings(max_examples=40, deadline=None)
def test_every_double_is_met_exactly(p):
    """Of the numbers with as many digits as p, exactly those below p say yes: so the probability is p, not a rounding.

    Followed along p's own digits: at each of them all 256 bytes are tried, and the tie goes on to the next digit.
    """
    digits = digits_of(p) or [0]
    every, probability = np.arange(256), Fraction(0)
    for place, digit in enumerate(digits):
        tied_so_far = [np.full(256, earlier) for earlier in digits[:place]]
        # Numbers that tie here too are drawn on, as p itself: not below it.
        verdict = bernoulli(p, 256, Tape(*tied_so_far, every, *([later] for later in digits[place + 1 :])))
        np.testing.assert_array_equal(verdict, every < digit)
        probability += Fraction(int(verdict.sum()), 256 ** (place + 1))
    assert probability == Fraction(p)


#: Doubles of every kind: short and long, near 0 and near 1, the smallest there is.
PROBABILITIES = [0.5, 0.25, 1 / 3, 0.2689414213699951, 1 - 2**-53, 2**-53, 1e-3, 1 / 256 + 2**-50, 5e-324, 1e-300]


def octet_probability(p, octet):
    return Fraction(p) ** octet.bit_count() * (1 - Fraction(p)) ** (8 - octet.bit_count())


def with_digits(octets, number, places):
    """The octet of a number with so many binary digits, drawn through the three stages as far as they go."""
    number <<= max(0, 64 - places)
    places = max(64, places)
    first, later = number >> (places - 64), number % (1 << (places - 64))
    words = np.array([first % 2**48 << 16], dtype=np.uint64).view(np.uint8)
    tail = list(later.to_bytes(-(-(places - 64) // 8), "little"))
    cell = np.array([first >> 48], dtype=np.uint16)
    return int(octets.decide(cell, Tape(words, tail))[0])


@pytest.mark.parametrize("p", PROBABILITIES)
def test_every_octet_has_exactly_its_probability(p):
    """All 65,536 first draws are enumerated; behind the table, both sides of every octet's two ends are tried."""
    octets, every = _Octets(p), np.arange(2**16, dtype=np.uint16)
    undecided = every[every >= octets.table.size]
    assert undecided.size < 256
    ends = [*octets.begins, 1 << octets.places]
    for octet in range(256):
        share = Fraction(int(np.count_nonzero(octets.table == octet)), 2**16)
        assert share + Fraction(ends[octet + 1] - ends[octet], 1 << octets.places) == octet_probability(p, octet)
    assert ends[0] == octets.table.size << (octets.places - 16)
    for octet in {0, 1, 3, 100, 128, 254, 255} if undecided.size else ():
        if ends[octet] < ends[octet + 1]:
            assert with_digits(octets, ends[octet], octets.places) == octet
            assert with_digits(octets, ends[octet + 1] - 1, octets.places) == octet


@pytest.mark.parametrize("p", PROBABILITIES)
def test_a_block_is_the_table_where_it_decides_and_64_digits_elsewhere(p):
    """Every first draw, with the same 48 digits behind it wherever the table leaves it open."""
    octets, every = _Octets(p), np.arange(2**16, dtype=np.uint16)
    undecided = every[octets.table.size :]
    behind = np.full(undecided.size, 0x123456789ABC << 16, dtype=np.uint64)
    out = np.empty(2**19, dtype=np.bool_)
    octets.fill(out, Tape(every.view(np.uint8), behind.view(np.uint8)))
    drawn = np.packbits(out)
    np.testing.assert_array_equal(drawn[: octets.table.size], octets.table)
    for cell, octet in zip(undecided.tolist(), drawn[octets.table.size :].tolist(), strict=True):
        number = Fraction((cell << 48) + 0x123456789ABC, 2**64) * (1 << octets.places)
        assert octets.begins[octet] <= number
        assert octet == 255 or number < octets.begins[octet + 1]


def test_many_bits_need_not_be_a_multiple_of_eight():
    size = 2**17 + 7
    share = bernoulli(0.75, size, np.random.default_rng(1)).mean()
    assert size >= _sampler.MANY
    assert abs(share - 0.75) < 6 * (0.75 * 0.25 / size) ** 0.5  # false alarm below 2e-9


@pytest.mark.parametrize("size", [10_000, 200_000])
@pytest.mark.parametrize("p", [0.0, 1.0])
def test_certainty(p, size):
    assert bernoulli(p, size, np.random.default_rng(0)).mean() == p


@given(st.integers(1, 300), st.integers(0, 2**32), st.data())
@settings(max_examples=30, deadline=None)
def test_subsets_have_the_sizes_asked_for_and_leave_closed_places(width, seed, data):
    m = data.draw(st.integers(0, min(4, width - 1)))
    rows = 12
    generator = np.random.default_rng(seed)
    sizes = generator.integers(0, width - m + 1, size=rows)
    closed = np.array([generator.choice(width, m, replace=False) for _ in range(rows)], dtype=np.int64).reshape(rows, m)
    out = np.empty((rows, width), dtype=np.uint8)
    fill_subsets(out, sizes, generator, closed)
    np.testing.assert_array_equal(out.sum(axis=1), sizes)
    assert not np.take_along_axis(out, closed, axis=1).any()
    assert out.max(initial=0) <= 1


@pytest.mark.parametrize("width", [3, 5000])
@pytest.mark.parametrize("n", [1, 254, 255, 256, 8200])
def test_column_sums_do_not_overflow(n, width):
    bits = np.ones((n, width), dtype=np.uint8)
    bits[:, 1] = 0
    bits[-1, 2] = 0
    expected = np.full(width, n)
    expected[1:3] = 0, n - 1
    np.testing.assert_array_equal(column_sums(bits), expected)
    np.testing.assert_array_equal(column_sums(np.asfortranarray(bits)), expected)
    np.testing.assert_array_equal(column_sums(bits[:, 1:]), expected[1:])
