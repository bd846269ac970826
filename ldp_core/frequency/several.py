"""Several attributes of a person in one report: budget split, one attribute asked, all as one set or as one value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Codes, Counts, Floats
from ldp_core._frozen import Comparable
from ldp_core._validate import (
    LARGEST_BOUND,
    Rng,
    as_array,
    check_counts,
    check_epsilon,
    check_int,
    check_iterable,
    check_numbers,
    check_option,
    check_prior,
    check_rng,
    shown,
)
from ldp_core.frequency._domain import MAX_DOMAIN, Domain, DomainLike
from ldp_core.frequency._sampler import Bits, row_blocks
from ldp_core.frequency.base import CHANNEL_LIMIT, allocate
from ldp_core.frequency.set_subset import SetSubsetSelection
from ldp_core.frequency.subset import SubsetOracle, SubsetSelection

__all__ = ["SeveralAttributes"]

MODES = ("split", "sample", "fake", "set", "joint")


class SeveralAttributes(Comparable):
    r"""Count the values of h ≥ 2 attributes, and of pairs of them where the mode allows it, from one report a person.

    The mode says what is sent, ε-private for the whole record, whatever the other person's record is:

    - ``"split"``: each attribute by subset selection at ε/h;
    - ``"sample"``: one attribute, drawn at random and named, by subset selection at ε;
    - ``"fake"``: one attribute, drawn at random and not named, by direct encoding at ε, and of each other one a fake
      value, drawn from ``fakes`` (RS+FD; with realistic fakes RS+RFD);
    - ``"set"``: all h values as one set by :class:`SetSubsetSelection` at ε (PrivSet);
    - ``"joint"``: the combination of all values, one of :math:`d_1 \cdots d_h`, by subset selection at ε.

    A report is a row of bits, uint8: one for each value of each attribute in their order, D in all; with ``"joint"``
    one for each combination, the last attribute's values running fastest. A person supports a value by its bit.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of one report, finite and > 0.
    domains : sequence of int or of sequences
        One domain for each attribute, as other oracles take it.
    mode : {"split", "sample", "fake", "set", "joint"}
        What a person sends.
    fakes : sequence of array_like, optional
        With ``"fake"`` the public law of each attribute's fake values; None: every value alike.
    k : int, optional
        With ``"set"`` the size of the reported set; None: the best for single values, which may be 1 and shows no pair.

    Notes
    -----
    *Estimates.* Given that its attribute was asked, the bit of a value is 1 with probability p if the person has it,
    else q. With a the probability to be asked, 1 but for ``"sample"``, and n′ the number asked (h times the ones of the
    attribute's bits over k there, else n), :math:`(C_v - q n')/(a(p - q))` is unbiased. In ``"fake"`` p and q are
    those of direct encoding, mixed with the fakes: :math:`p' = (p + (h - 1) f_v)/h`.

    *Pairs.* Let :math:`r_{st}` be the probability that the bits of two values v, w of two attributes are both 1, where
    s and t say which of them the person has. The product of two bits estimates the pair if
    :math:`r_{11} - r_{10} - r_{01} + r_{00} \ne 0`. It is 0 for ``"sample"`` and ``"fake"``, which never use two of
    a person's answers, and for ``"set"`` with k = 1.

    *No amplification.* Sampling hides which attribute was asked, so the RS+FD paper runs the mechanism at
    :math:`\varepsilon' = \ln(h(e^{\varepsilon} - 1) + 1)`. Between records that differ in one attribute the exact ε is
    then ε if all domains are of one size, and more if not. Between records that differ in all it is ε′: a report of one
    record's values is :math:`e^{\varepsilon'}` times likelier whichever attribute was drawn. So here it runs at ε.

    References
    ----------
    H. H. Arcolezi, J.-F. Couchot, B. Al Bouna and X. Xiao. Random sampling plus fake data: multidimensional frequency
    estimates with local differential privacy. CIKM 2021. Realistic fakes: H. H. Arcolezi, S. Gambs, J.-F. Couchot and
    C. Palamidessi. On the risks of collecting multidimensional data under local differential privacy. PVLDB, 2023.

    Examples
    --------
    >>> asked = SeveralAttributes(1.0, [["no", "yes"], ["red", "green", "blue"]], mode="sample")
    >>> reports = asked.privatize([["no", "red"], ["yes", "blue"], ["yes", "red"]], rng=0)
    >>> [estimate.size for estimate in asked.estimate(asked.aggregate(reports), n=3)]
    [2, 3]
    """

    def __init__(
        self,
        epsilon: float,
        domains: Sequence[DomainLike],
        mode: str = "sample",
        *,
        fakes: Sequence[npt.ArrayLike] | None = None,
        k: int | None = None,
    ) -> None:
        self.epsilon = check_epsilon(epsilon)
        self._domains = tuple(Domain(d) for d in check_iterable(domains, "domains", "domains", ordered=True))
        if len(self._domains) < 2:
            raise ValueError(f"domains must hold at least two domains, got {len(self._domains)}")
        self.mode = check_option(mode, "mode", MODES)
        h, sizes = self.h, self.shape
        if math.prod(sizes if mode == "joint" else [sum(sizes)]) > MAX_DOMAIN:
            raise ValueError(f"domains must have at most 2**24 values together in mode {mode!r}, got sizes {sizes}")
        for value, name, only in ((fakes, "fakes", "fake"), (k, "k", "set")):
            if value is not None and mode != only:
                raise ValueError(f"{name} must be None but in mode {only!r}, got {shown(value)} in mode {mode!r}")
        self._fakes = tuple(tuple(law.tolist()) for law in self._laws(fakes, "fakes"))
        self._oracles: tuple[SubsetOracle, ...]
        if mode == "set":
            self._oracles = (SetSubsetSelection(self.epsilon, sum(sizes), h, k=k),)
        elif mode == "joint":
            self._oracles = (SubsetSelection(self.epsilon, math.prod(sizes)),)
        else:
            each, one = self.epsilon / (h if mode == "split" else 1), 1 if mode == "fake" else None
            self._oracles = tuple(SubsetSelection(each, d, k=one) for d in sizes)
        ends = np.cumsum((0, *sizes)).tolist()
        self._parts = tuple(map(slice, ends, ends[1:]))

    @property
    def domains(self) -> tuple[tuple[Any, ...], ...]:
        """The categories of each attribute."""
        return tuple(domain.categories for domain in self._domains)

    @property
    def h(self) -> int:
        """Number of attributes."""
        return len(self._domains)

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of values of each attribute, :math:`d_1, …, d_h`."""
        return tuple(domain.size for domain in self._domains)

    @property
    def counts_shape(self) -> tuple[int, ...]:
        """Shape of what :meth:`aggregate` returns."""
        return (self._width,) if self.mode == "joint" else (self._width, self._width)

    @property
    def _width(self) -> int:
        return math.prod(self.shape) if self.mode == "joint" else sum(self.shape)

    # ---- on the person's device -------------------------------------------------------------------------------

    def encode(self, rows: npt.ArrayLike) -> Codes:
        """Turn rows of values, shape (n, h), into codes."""
        array = as_array(rows, "rows")
        if array.ndim != 2 or array.shape[1] != self.h or len(array) == 0:
            raise ValueError(f"rows must have shape (n, {self.h}) with n >= 1, got shape {array.shape}")
        columns = zip(*rows, strict=True) if isinstance(rows, (list, tuple)) else array.T  # lists keep their types
        return np.stack([d.encode(c) for d, c in zip(self._domains, columns, strict=True)], axis=1)

    def perturb(self, encoded: npt.ArrayLike, rng: Rng = None) -> Bits:
        """Draw each person's report, of shape (n, D) in all; ``encoded`` is what :meth:`encode` returned."""
        codes = as_array(encoded, "encoded")
        if codes.ndim != 2 or codes.shape[1] != self.h or len(codes) == 0:
            raise ValueError(f"encoded must have shape (n, {self.h}) with n >= 1, got shape {codes.shape}")
        codes = np.stack([d.check_codes(c, "encoded") for d, c in zip(self._domains, codes.T, strict=True)], axis=1)
        n, generator = len(codes), check_rng(rng, law=self._coins())
        if self.mode == "set":
            return self._oracles[0].perturb(codes + [part.start for part in self._parts], generator)
        if self.mode == "joint":
            return self._oracles[0].perturb(np.ravel_multi_index(tuple(codes.T), self.shape), generator)
        reports = allocate((n, self._width), np.uint8, "encoded")
        reports[:] = 0
        asked = generator.integers(self.h, size=n)
        for j, (oracle, part) in enumerate(zip(self._oracles, self._parts, strict=True)):
            who: Any = slice(None) if self.mode == "split" else np.flatnonzero(asked == j)
            if (told := codes[who, j]).size:
                reports[who, part] = oracle.perturb(told, generator)
            if self.mode == "fake":
                others = np.flatnonzero(asked != j)
                reports[others, part.start + generator.choice(oracle.d, others.size, p=self._fakes[j])] = 1
        return reports

    def privatize(self, rows: npt.ArrayLike, rng: Rng = None) -> Bits:
        """Encode rows of values and perturb them: what happens on people's devices."""
        return self.perturb(self.encode(rows), rng)

    # ---- on the server ----------------------------------------------------------------------------------------

    def aggregate(self, reports: npt.ArrayLike) -> Counts:
        """Count how many reports have each bit, and each pair of bits, shape (D, D); with "joint" each bit only.

        Counts of parts add up.
        """
        bits = as_array(reports, "reports")
        if bits.ndim != 2 or bits.shape[1] != self._width or len(bits) == 0:
            raise ValueError(f"reports must have shape (n, {self._width}) with n >= 1, got shape {bits.shape}")
        self._check_bits(bits)
        if self.mode == "joint":
            return self._oracles[0].aggregate(bits)
        counts = np.zeros(self.counts_shape, dtype=np.int64)
        for rows in row_blocks(len(bits), self._width):
            block = bits[rows].astype(np.float32)  # exact: a block has fewer than 2**24 rows
            counts += (block.T @ block).astype(np.int64)
        return counts

    def estimate(self, counts: npt.ArrayLike, n: int) -> tuple[Floats, ...]:
        """Estimate, without bias and never clipped, how many people have each value: one array for each attribute.

        Parameters
        ----------
        counts : array_like, shape ``(..., *counts_shape)``
            What :meth:`aggregate` returned; leading axes are independent runs.
        n : int
            Number of people who report.
        """
        support, n = self._check_counts(counts), check_int(n, "n", 1)
        if self.mode == "joint":
            cells = self._oracles[0].estimate(support, n).reshape(*support.shape[:-1], *self.shape)
            axes = range(-self.h, 0)
            return tuple(cells.sum(axis=tuple(a for a in axes if a != j)) for j in axes)
        return self._singles(support, n)

    def variance(self, n: int, true_counts: Sequence[npt.ArrayLike] | None = None) -> tuple[Floats, ...]:
        """Give the exact variance of each estimated count, one array for each attribute.

        Parameters
        ----------
        n : int
            Number of people who report.
        true_counts : sequence of array_like, optional
            For each attribute how many people have each value; None: nobody, the headline figure.
        """
        n = check_int(n, "n", 1)
        counts = [np.zeros(d) for d in self.shape] if true_counts is None else self._each(true_counts, "true_counts")
        held = [self._check_table(count, (d,), n) for count, d in zip(counts, self.shape, strict=True)]
        if self.mode == "joint":
            return tuple(self._variance_of_cells(n, c, self._width // d) for c, d in zip(held, self.shape, strict=True))
        found = []
        for j, count in enumerate(held):
            p, q = self._probabilities(j)
            gap, asked = (p - q) * self._asked, self._asked
            with_it = asked * (p * (1 - q) ** 2 + (1 - p) * q**2) / gap**2 - 1
            found.append(count * with_it + (n - count) * (asked * q * (1 - q) / gap**2))
        return tuple(found)

    def marginal(self, counts: npt.ArrayLike, n: int, i: int, j: int) -> Floats:
        """Estimate, without bias, how many people have each value of i and each of j, shape (..., d_i, d_j).

        Parameters
        ----------
        counts : array_like, shape ``(..., *counts_shape)``
            What :meth:`aggregate` returned.
        n : int
            Number of people who report.
        i, j : int
            Two attributes, counted from 0.
        """
        i, j = self._check_pair(i, j)
        support, n = self._check_counts(counts), check_int(n, "n", 1)
        if self.mode == "joint":
            cells = self._oracles[0].estimate(support, n).reshape(*support.shape[:-1], *self.shape)
            cells = np.moveaxis(cells, (i - self.h, j - self.h), (-2, -1))
            return np.asarray(cells.sum(axis=tuple(range(-self.h, -2))))
        both = self._both(i, j)
        singles = self._singles(support, n)
        known = both[0, 0] * n + (both[1, 0] - both[0, 0]) * singles[i][..., :, None]
        known = known + (both[0, 1] - both[0, 0]) * singles[j][..., None, :]
        return np.asarray((support[..., self._parts[i], self._parts[j]] - known) / _interaction(both))

    def marginal_variance(self, table: npt.ArrayLike, i: int, j: int) -> Floats:
        """Give the exact variance of each entry of :meth:`marginal`, shape (d_i, d_j).

        Parameters
        ----------
        table : array_like, shape (d_i, d_j)
            How many people have each pair of values.
        i, j : int
            Two attributes, counted from 0.
        """
        i, j = self._check_pair(i, j)
        true = self._check_table(table, (self.shape[i], self.shape[j]))
        n = int(true.sum())
        if self.mode == "joint":
            return self._variance_of_cells(n, true, self._width // true.size)
        both = self._both(i, j)
        (p_i, q_i), (p_j, q_j) = ((p.flat[0], q.flat[0]) for p, q in map(self._probabilities, (i, j)))
        rows, columns = true.sum(axis=1, keepdims=True), true.sum(axis=0)
        people = {(1, 1): true, (1, 0): rows - true, (0, 1): columns - true, (0, 0): n - rows - columns + true}
        variance = np.zeros(true.shape)
        for (s, t), some in people.items():
            first, second, two = (q_i, p_i)[s], (q_j, p_j)[t], both[s, t]
            laws = {(1, 1): two, (1, 0): first - two, (0, 1): second - two, (0, 0): 1 - first - second + two}
            square = 0.0
            for (x, y), chance in laws.items():
                score = x * y - both[0, 0] - (both[1, 0] - both[0, 0]) * (x - q_i) / (p_i - q_i)
                score -= (both[0, 1] - both[0, 0]) * (y - q_j) / (p_j - q_j)
                square += chance * (score / _interaction(both)) ** 2
            variance += some * (square - s * t)
        return variance

    # ---- the attacker -----------------------------------------------------------------------------------------

    def sampled_posterior(self, reports: npt.ArrayLike, priors: Sequence[npt.ArrayLike] | None = None) -> Floats:
        """Give, for each report, the probability of each attribute to be the one that was drawn, shape (n, h).

        Parameters
        ----------
        reports : array_like, shape (n, D)
            What :meth:`perturb` returned, in mode "sample" or "fake".
        priors : sequence of array_like, optional
            What the attacker believes of each attribute's values; None: every value alike.
        """
        if self.mode not in ("sample", "fake"):
            raise ValueError(f"mode must be 'sample' or 'fake', where an attribute is drawn, got {self.mode!r}")
        believed = self._laws(priors, "priors")
        bits = as_array(reports, "reports")
        self._check_bits(bits)
        weights = []
        for j, (oracle, part) in enumerate(zip(self._oracles, self._parts, strict=True)):
            if self.mode == "sample":
                weights.append(bits[:, part].any(axis=1).astype(np.float64))
                continue
            told, fake = oracle.q + (oracle.p - oracle.q) * believed[j], np.array(self._fakes[j])
            sent = bits[:, part].argmax(axis=1)
            with np.errstate(divide="ignore"):
                weights.append(told[sent] / fake[sent])  # infinite: no fake is like this
        weight = np.stack(weights, axis=1)
        weight = np.where(np.isinf(weight).any(axis=1, keepdims=True), np.isinf(weight), weight)
        return np.asarray(weight / weight.sum(axis=1, keepdims=True))

    # ---- the exact law ----------------------------------------------------------------------------------------

    def inputs(self) -> Codes:
        """List every record once, rows of codes, in the order of the rows of :meth:`channel`."""
        self._check_enumerable()
        return np.array(list(product(*map(range, self.shape))))

    def outputs(self) -> Bits:
        """List every possible report once, in the order of the columns of :meth:`channel`."""
        self._check_enumerable()
        each = [oracle.outputs() for oracle in self._oracles]
        if self.mode != "sample":
            return np.array([np.concatenate(bits) for bits in product(*each)])
        rows = np.zeros((sum(map(len, each)), self._width), dtype=np.uint8)
        first = 0
        for bits, part in zip(each, self._parts, strict=True):
            rows[first : first + len(bits), part] = bits
            first += len(bits)
        return rows

    def channel(self) -> Floats:
        """Give the exact probability of every report for every record; more than 2**24 entries are refused."""
        rows = self.inputs()
        if self.mode == "set":
            held = {tuple(s): place for place, s in enumerate(self._oracles[0].inputs().tolist())}
            starts = [part.start for part in self._parts]
            return self._oracles[0].channel()[[held[tuple(row)] for row in (rows + starts).tolist()]]
        if self.mode == "joint":
            return self._oracles[0].channel()
        each = [oracle.channel()[rows[:, j]] for j, oracle in enumerate(self._oracles)]
        if self.mode == "sample":
            return np.concatenate(each, axis=1) / self.h
        if self.mode == "split":
            channel = _products(each)
            if channel.min() < np.finfo(np.float64).tiny:
                raise ValueError(f"epsilon must be smaller for the channel to be written out, got {self.epsilon!r}")
            return channel
        fakes = [np.tile(fake, (len(rows), 1)) for fake in self._fakes]
        drawn = [_products([each[j] if j == s else fakes[j] for j in range(self.h)]) for s in range(self.h)]
        return np.asarray(sum(drawn)) / self.h

    def simulate(self, table: npt.ArrayLike, rng: Rng = None, *, size: int | None = None) -> Counts:
        """Draw what :meth:`aggregate` would return, from its exact law, without touching people.

        The cost does not depend on their number. Each mode but "joint" needs its :meth:`channel`.

        Parameters
        ----------
        table : array_like of int, shape (d_1, …, d_h)
            How many people have each record.
        size : int, optional
            Number of independent runs; None for a single one without the leading axis.
        """
        true = self._check_table(table, self.shape)
        whole = check_counts(true.reshape(-1), "table", true.size)
        if self.mode == "joint":
            return self._oracles[0].simulate(whole, check_rng(rng, law=self._coins()), size=size)
        channel, bits = self.channel(), self.outputs().astype(np.float64)
        runs = 1 if size is None else check_int(size, "size", 1)
        drawn = allocate((runs, *self.counts_shape), np.int64, "size")
        generator = check_rng(rng, law=self._coins())
        held = np.flatnonzero(whole)
        for run in drawn:
            reports = sum(generator.multinomial(whole[row], channel[row] / channel[row].sum()) for row in held)
            run[:] = (bits.T * reports) @ bits
        return drawn[0] if size is None else drawn

    # ---- probabilities ----------------------------------------------------------------------------------------

    @property
    def _asked(self) -> float:
        return 1 / self.h if self.mode == "sample" else 1.0

    def _probabilities(self, j: int) -> tuple[Floats, Floats]:
        """Of each value of an attribute that was asked, p and q."""
        oracle = self._oracles[0 if self.mode == "set" else j]
        p, q = np.full(self.shape[j], oracle.p), np.full(self.shape[j], oracle.q)
        if self.mode == "fake":
            fake = (self.h - 1) * np.array(self._fakes[j])
            p, q = (p + fake) / self.h, (q + fake) / self.h
        return p, q

    def _both(self, i: int, j: int) -> Floats:
        """Probability that two bits of two attributes are 1, by whether the person has the one value and the other."""
        if self.mode == "split":
            first, second = ((self._oracles[a].q, self._oracles[a].p) for a in (i, j))
            return np.outer(first, second)
        none, some = _pairs(self._oracles[0])
        return np.array([[none, some], [some, some]])

    def _singles(self, support: Floats, n: int) -> tuple[Floats, ...]:
        ones = np.diagonal(support, axis1=-2, axis2=-1)
        found = []
        for j, part in enumerate(self._parts):
            p, q = self._probabilities(j)
            bits, asked = ones[..., part], np.full(ones.shape[:-1], float(n))
            if self.mode == "sample":
                asked = bits.sum(axis=-1) / self._oracles[j].k
            found.append((bits - asked[..., None] * q) / (self._asked * (p - q)))
        return tuple(found)

    def _variance_of_cells(self, n: int, count: Floats, cells: int) -> Floats:
        """Variance of the summed estimates of so many combinations, of which ``count`` people have one."""
        oracle = self._oracles[0]
        none, some = _pairs(oracle)
        inside = oracle.p + (cells - 1) * oracle.q
        outside = cells * oracle.q
        in_square = inside + (cells - 1) * (2 * some + (cells - 2) * none)
        out_square = outside + cells * (cells - 1) * none
        spread = count * (in_square - inside**2) + (n - count) * (out_square - outside**2)
        return np.asarray(spread / (oracle.p - oracle.q) ** 2)

    # ---- checks -----------------------------------------------------------------------------------------------

    def _each(self, arrays: Any, name: str) -> list[Any]:
        found = list(check_iterable(arrays, name, "arrays", ordered=True))
        if len(found) != self.h:
            raise ValueError(f"{name} must hold an array for each of {self.h} attributes, got {len(found)}")
        return found

    def _laws(self, laws: Any, name: str) -> list[Floats]:
        """Laws of each attribute's values; None: every value alike."""
        if laws is None:
            return [np.full(d, 1 / d) for d in self.shape]
        parts = zip(self._each(laws, name), self.shape, strict=True)
        return [check_prior(law, d, f"{name}[{j}]") for j, (law, d) in enumerate(parts)]

    def _check_pair(self, i: int, j: int) -> tuple[int, int]:
        i, j = check_int(i, "i", 0, self.h - 1), check_int(j, "j", 0, self.h - 1)
        if i == j:
            raise ValueError(f"j must be another attribute than i, got {j} twice")
        if self.mode in ("sample", "fake") or (self.mode == "set" and self._oracles[0].k == 1):
            raise ValueError(
                f"mode must be 'split', 'joint' or 'set' with k >= 2 to see a pair, got {self.mode!r}: no report uses "
                "two of a person's answers"
            )
        return i, j

    def _check_counts(self, counts: npt.ArrayLike) -> Floats:
        support = check_numbers(counts, "counts")
        shape = self.counts_shape
        if support.shape[-len(shape) :] != shape:
            raise ValueError(f"counts must have shape (..., {', '.join(map(str, shape))}), got {support.shape}")
        if support.size and abs(support).max() > LARGEST_BOUND:
            raise ValueError(f"counts must be at most {LARGEST_BOUND:g} in size, got {abs(support).max():g}")
        return support

    def _check_table(self, table: npt.ArrayLike, shape: tuple[int, ...], n: int | None = None) -> Floats:
        name = "table" if n is None else "true_counts"
        counts = check_numbers(table, name)
        if counts.shape != shape or counts.min() < 0 or (n is None and not counts.any()):
            raise ValueError(f"{name} must hold counts >= 0, not all 0, of shape {shape}, got {table!r}")
        if n is not None and counts.max() > n:
            raise ValueError(f"{name} must lie in [0, n] = [0, {n}], got {counts.max():g}")
        return counts

    def _check_bits(self, bits: npt.NDArray[Any]) -> None:
        """Refuse what is no report: other numbers than 0 and 1, or too many or too few ones."""
        if bits.ndim != 2 or bits.shape[1] != self._width or len(bits) == 0:
            raise ValueError(f"reports must have shape (n, {self._width}) with n >= 1, got shape {bits.shape}")
        if bits.dtype != np.uint8 or bits.max() > 1:
            raise ValueError(f"reports must be bits of dtype uint8, as perturb returns them, got dtype {bits.dtype}")
        if self.mode in ("set", "joint"):
            wrong = bits.sum(axis=1) != self._oracles[0].k
        else:
            # Products are much faster than sums of short rows, and exact: there are fewer than 2**24 ones in a row.
            belongs, each = np.repeat(np.eye(self.h, dtype=np.float32), self.shape, axis=0), np.ones(self.h)
            blocks = row_blocks(len(bits), self._width)
            ones = np.concatenate([bits[rows].astype(np.float32) @ belongs for rows in blocks])
            sizes = np.array([oracle.k for oracle in self._oracles])
            full = ones == sizes
            told = 1 if self.mode == "sample" else self.h
            wrong = (full @ each != told) | (full @ sizes != ones @ each)
        if wrong.any():
            row = int(np.argmax(wrong))
            raise ValueError(f"reports must have as many ones as perturb gives them, got {bits[row]} in row {row}")

    def _check_enumerable(self) -> None:
        each = [float(oracle._log2_outputs) for oracle in self._oracles]
        outputs = math.log2(sum(2**bits for bits in each)) if self.mode == "sample" else sum(each)
        if outputs + sum(map(math.log2, self.shape)) > math.log2(CHANNEL_LIMIT) + 1e-6:
            raise ValueError(f"domains must be smaller for the channel to be written out, got {self!r}")

    def _law(self) -> dict[str, Any]:
        law: dict[str, Any] = {"epsilon": self.epsilon, "domains": self._domains, "mode": self.mode}
        if self.mode == "fake":
            law["fakes"] = self._fakes
        if self.mode == "set":
            law["k"] = self._oracles[0].k
        return law


def _interaction(both: Floats) -> Any:
    """What a pair adds to the probability of two bits beyond its two values."""
    return both[1, 1] - both[1, 0] - both[0, 1] + both[0, 0]


def _pairs(oracle: SubsetOracle) -> tuple[float, float]:
    """Probability that a reported set has two given values, of which the person has none, or at least one.

    A set that meets the person's has its other k − 1 values evenly among the rest, whoever holds them.
    """
    d, k, m = oracle.d, oracle.k, oracle.set_size
    others = k - np.arange(min(m, k) + 1)
    none = oracle._law_of_overlap() @ (others * (others - 1.0)) / ((d - m) * (d - m - 1.0))
    return float(none), oracle.p * (k - 1) / (d - 1)


def _products(laws: list[Floats]) -> Floats:
    """Laws of independent reports, row by row, written out as laws of their combinations."""
    whole = laws[0]
    for law in laws[1:]:
        whole = (whole[:, :, None] * law[:, None, :]).reshape(len(whole), -1)
    return whole
