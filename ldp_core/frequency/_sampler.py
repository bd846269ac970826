"""Random bits in bulk: exact Bernoulli bits, uniform subsets, and column sums of bit matrices.

All oracles that send bits share this module. It is fast because it works on bytes, in blocks that stay in the cache,
and it rounds nothing: a bit is 1 with probability exactly p, for every double p.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Codes

Bits = npt.NDArray[np.uint8]

#: Entries that are worked on at a time: 1 MiB of bytes, small enough for the cache.
BLOCK = 2**20

#: From so many bits on a table of octets is worth making, or looking up.
MANY = 2**17

#: Bytes that are added up at a time: numbers side by side are added together.
LINE = 2**12


def row_blocks(n: int, width: int) -> Iterator[slice]:
    """Cut n rows of the given width into slices of about ``BLOCK`` entries, at least one row each."""
    rows = max(1, BLOCK // width)
    for start in range(0, n, rows):
        yield slice(start, min(start + rows, n))


def random_bytes(size: int, rng: np.random.Generator) -> Bits:
    """Draw uniform bytes: 64 random bits at a time, viewed as eight bytes."""
    words = rng.integers(0, 2**64 - 1, size=-(-size // 8), dtype=np.uint64, endpoint=True)
    return words.view(np.uint8)[:size]


def fill_bernoulli(out: npt.NDArray[np.bool_], p: float, rng: np.random.Generator) -> None:
    """Fill a flat array with independent bits, each True with probability exactly p.

    Why it is exact: let U be uniform on [0, 1), written in base 256 as 0.U₁U₂U₃…, its digits independent uniform
    bytes, and let 0.p₁p₂p₃… be p in the same base. Then Pr[U < p] = p, and U < p is decided by the first digit in
    which the two differ: U₁ < p₁ means yes, U₁ > p₁ no, and in a tie (one time in 256) the same question is asked of
    the remaining digits. A double has finitely many digits, and multiplying by 256 or removing the integer part
    rounds nothing. So one random byte a bit is enough, nearly always; and where there are many bits, :class:`_Octets`
    makes do with two random bytes for eight of them.
    """
    if out.size >= MANY:
        _octets(p).fill(out, rng)
        return
    digit, rest = divmod(p * 256, 1)
    byte = random_bytes(out.size, rng)
    np.less(byte, int(digit), out=out)
    if rest:
        tied = np.flatnonzero(byte == int(digit))
        if tied.size:
            out[tied] = bernoulli(rest, tied.size, rng)


class _Octets:
    """Eight independent bits at a time, from sixteen random ones, each True with probability exactly p.

    An octet with k ones has probability P = pᵏ(1 − p)⁸⁻ᵏ. Let V be uniform on [0, 1) with binary digits V₁V₂V₃…, and
    cut [0, 1) up among the 256 octets, P for each. The cells of width 2⁻¹⁶ are dealt out whole, ⌊2¹⁶P⌋ to each octet,
    those of the first octet first; what is still due to the octets, less than a cell each, lies behind, again in their
    order. So V₁…V₁₆ decides by a look into a table, unless it is one of the last cells, fewer than 256 of 65,536. Then
    V₁…V₆₄ is compared with the ends of the parts, cut off after 64 places, and decides, unless it equals one of them.
    Then (once in about 2⁴⁸ octets) V is drawn to its end: p is m/2ᵉ, so that every end is a multiple of 2⁻¹⁶⁻⁸ᵉ, and no
    later digit matters. All ends are Python's integers: nothing is rounded.
    """

    def __init__(self, p: float) -> None:
        m, scale = p.as_integer_ratio()  # scale is 2ᵉ
        places = 8 * (scale.bit_length() - 1)
        due = [divmod(m**k * (scale - m) ** (8 - k) << 16, 1 << places) for k in range(9)]
        whole, part = ([due[octet.bit_count()][i] for octet in range(256)] for i in (0, 1))
        self.table = np.repeat(np.arange(256, dtype=np.uint8), whole)
        self.places = 16 + places
        #: Where each octet's part begins, in units of 2⁻¹⁶⁻⁸ᵉ, and in units of 2⁻⁶⁴, rounded down.
        self.begins = list(accumulate(part[:-1], initial=self.table.size << places))
        self.begins_64 = np.array([min((b << 64) >> self.places, 2**64 - 1) for b in self.begins], dtype=np.uint64)

    def fill(self, out: npt.NDArray[np.bool_], rng: np.random.Generator) -> None:
        """Fill a flat array with bits."""
        cell = random_bytes(2 * -(-out.size // 8), rng).view(np.uint16)
        octet = self.table.take(cell, mode="clip")
        undecided = np.flatnonzero(cell >= self.table.size)
        if undecided.size:
            octet[undecided] = self.decide(cell[undecided], rng)
        out.view(np.uint8)[:] = np.unpackbits(octet, count=out.size)

    def decide(self, cell: npt.NDArray[np.uint16], rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """Find the octets of numbers that begin with these 16 digits, behind the cells of the table."""
        more = random_bytes(8 * cell.size, rng).view(np.uint64) >> np.uint64(16)
        number = cell.astype(np.uint64) << np.uint64(48) | more
        octet = np.searchsorted(self.begins_64, number, side="right") - 1
        for i in np.flatnonzero(self.begins_64[octet] == number):
            octet[i] = bisect_right(self.begins, self._to_the_end(int(number[i]), rng)) - 1
        return octet

    def _to_the_end(self, number: int, rng: np.random.Generator) -> int:
        """Draw the digits behind the first 64, as far as any of them matters."""
        missing = max(0, self.places - 64)
        more = int.from_bytes(random_bytes(-(-missing // 8), rng).tobytes(), "little") % (1 << missing)
        return (number << missing | more) >> max(0, 64 - self.places)


_octets = lru_cache(maxsize=64)(_Octets)


def bernoulli(p: float, size: int, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Draw ``size`` independent bits, each True with probability exactly p: :func:`fill_bernoulli` in a new array."""
    out = np.empty(size, dtype=np.bool_)
    fill_bernoulli(out, p, rng)
    return out


def fill_subsets(
    out: Bits, sizes: npt.NDArray[np.int64], rng: np.random.Generator, closed: Codes | None = None
) -> None:
    """Fill each row of ``out`` with ones in a uniformly random set of places, ``sizes[i]`` of them in row i.

    ``closed`` names columns, shape (rows, m), that stay 0 in that row; the set is drawn from the others.

    Why it is uniform: first every open place gets a bit of its own. Given how many ones a row received, all
    sets of that many places are equally likely, because the bits are independent and alike. If the row has too many,
    ones chosen at random are taken away; if too few, zeros chosen at random are turned on: no place is preferred in
    either step, so all sets of the wanted size remain equally likely. The rate of the first bits is therefore a
    matter of speed alone.
    """
    rows, width = out.shape
    flat = out.reshape(-1)
    shut = np.empty(0, dtype=np.int64)
    if closed is not None:
        shut = (closed + width * np.arange(rows)[:, None]).ravel()
    rate = _starting_rate(float(np.mean(sizes)), width - (0 if closed is None else closed.shape[1]))
    if rate:
        fill_bernoulli(flat.view(np.bool_), rate, rng)
    else:
        flat[:] = 0
    flat[shut] = 0
    surplus = out.sum(axis=1, dtype=np.uint8 if width < 256 else np.int64).astype(np.int64) - sizes
    flat[shut] = 2  # neither 0 nor 1: never chosen below
    for present, moves in ((1, surplus), (0, -surplus)):
        row = np.flatnonzero(moves > 0)
        left = moves[row]
        while row.size:  # each round tries one random place in every row that is not yet right
            place = row * width + rng.integers(width, size=row.size)
            hit = flat[place] == present
            flat[place[hit]] = 1 - present
            left -= hit
            row, left = row[left > 0], left[left > 0]
    flat[shut] = 0


def _starting_rate(size: float, width: int) -> float:
    """Rate of the first bits: size/width, or 0 where putting in ``size`` ones one by one takes fewer tries."""
    if not 0 < size < width:
        return max(0.0, min(1.0, size / max(width, 1)))
    share = size / width
    spread = 0.4 * (width * share * (1 - share)) ** 0.5  # mean surplus, and mean shortfall, of a row
    # Few different rates, so that each one's table is made once.
    return round(share * 2**12) / 2**12 if spread * (1 / share + 1 / (1 - share)) < size / (1 - share) else 0.0


def column_sums(bits: Bits) -> npt.NDArray[np.int64]:
    """Sum each column of a matrix of zeros and ones, bytewise: 255 rows at a time fit a byte, some side by side."""
    width = bits.shape[1]
    side = max(1, LINE // width)
    total = np.zeros(width, dtype=np.int64)
    for start in range(0, len(bits), 255 * side):
        block = bits[start : start + 255 * side]
        whole = len(block) // side * side
        lines = block[:whole].reshape(-1, side * width).sum(axis=0, dtype=np.uint8)
        total += lines.reshape(side, width).sum(axis=0, dtype=np.int64)
        total += block[whole:].sum(axis=0, dtype=np.int64)
    return total
