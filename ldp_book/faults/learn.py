"""Faults of learning methods, as published: the ε that is promised is not the ε that is spent.

Each differs from its mend in :mod:`ldp_core.learn` by the fault only, and is here to be audited.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from ldp_core._arrays import Codes, Floats
from ldp_core._validate import Rng, check_bool, check_epsilon, check_int, check_positive, check_real, shown
from ldp_core.central import laplace
from ldp_core.frequency import FiniteOracle
from ldp_core.frequency.base import CHANNEL_LIMIT
from ldp_core.frequency.names import MakeOracle, make_oracle
from ldp_core.learn._discrete import DiscreteNB
from ldp_core.learn._schema import Categories, records
from ldp_core.learn._tables import ContingencyTables, read_tables
from ldp_core.learn.dp_naive_bayes import DPNaiveBayes
from ldp_core.learn.feature_selection import FELP, longest_weights
from ldp_core.learn.naive_bayes import LDPNaiveBayes

__all__ = ["BlockNaiveBayes", "PublishedDPNaiveBayes", "PublishedFELP"]


class PublishedFELP(FELP):
    """FELP with the bags and the sensitivity of its publication, Δ = 2/(nλ), **which does not hold**.

    The mend is :class:`ldp_core.learn.FELP`, whose parameters and attributes it has (epsilon, n_features_to_select,
    ridge, bounds, random_state, …), but for three: n_members is the number of bags of ⌈βn⌉ rows, share is β in (0, 1],
    and bootstrap says whether bags are drawn with replacement. The study says bootstrap, and its lemma counts ⌈βn⌉/n as
    the share of bags that hold a record, which is so without replacement only. With replacement a row of a bag has a
    copy there in 1 − e^−β of the cases, which then is its nearest hit, at distance 0.

    Notes
    -----
    The published proof errs twice. It bounds the change of a bag's weights by 1/(⌈βn⌉λ), as if replacing a record
    changed one margin only; but the record may have been the nearest neighbour of many others, whose margins change
    too, up to all of them. And it multiplies by β, the *average* share of bags that hold the record, where a worst case
    may have it in all of them. Drawn with replacement, a bag holds a given record with probability 1 − e^−β, not β, and
    may hold it several times.

    References
    ----------
    Z. Liu. An ensemble feature selection algorithm with differential privacy based on local learning. 2018, lemma 1.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> PublishedFELP(n_members=3, random_state=rng).fit(rng.uniform(size=(200, 3)), np.arange(200) % 2).sensitivity_
    1.0
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        *,
        n_members: int = 20,
        share: float = 0.9,
        bootstrap: bool = False,
        n_features_to_select: float = 0.1,
        ridge: float = 0.01,
        bounds: tuple[npt.ArrayLike, npt.ArrayLike] = (0.0, 1.0),
        random_state: Rng = None,
    ) -> None:
        super().__init__(
            epsilon,
            n_members=n_members,
            n_features_to_select=n_features_to_select,
            ridge=ridge,
            bounds=bounds,
            random_state=random_state,
        )
        self.share = share
        self.bootstrap = bootstrap

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> PublishedFELP:
        self._check_bags()
        super().fit(X, y)
        return self

    def ensemble_epsilon(self, n: int) -> float:
        r"""Compute what the whole ensemble spends at least: the loss of one event between two neighbours, exactly.

        The neighbours are two camps in one feature: n/2 people of one class at 0, n/2 of the other at 1; then one of
        the second camp stands in the first. The record that moved becomes the nearest stranger of the whole first camp,
        whose margins fall from 1 to 0. How many of them are in a bag, and how often the record itself, is random; the
        event is "the noisy weight is beyond any weight without noise", on either side, where the ratio of the two
        densities is a mean over the bags. The mechanism's own ε is at least as large; n is even, 4 to 1,000,000.

        Notes
        -----
        A bag without the record, or with all rows where they were, gives the weight w₀ of margins that are all 1. With
        noise of scale s and K bags drawn independently, the two tails of the density change by the factors
        :math:`\left(\mathbb E\,e^{\pm(w_0 - w)/(Ks)}\right)^K`. A record that is in a bag c > 1 times has itself as
        its nearest hit; beyond c = 12 the smallest change possible, none, is assumed.

        Examples
        --------
        >>> round(PublishedFELP(1.0).ensemble_epsilon(4000), 2)
        9.75
        """
        n = check_int(n, "n", 4, 1_000_000)
        if n % 2:
            raise ValueError(f"n must be even, got {n}")
        epsilon, members = check_epsilon(self.epsilon), check_int(self.n_members, "n_members", 1)
        ridge = check_positive(self.ridge, "ridge")
        self._check_bags()
        size, scale = math.ceil(self.share * n), self._sensitivity(n) / epsilon
        unmoved = _two_camps_weight(np.zeros(1), 0, size, ridge)
        above, below, rest = 0.0, 0.0, 1.0
        for copies in range(13 if self.bootstrap else 2):
            others = np.arange(min(size - copies, size if self.bootstrap else n // 2) + 1)
            if self.bootstrap:
                chance = stats.binom.pmf(copies, size, 1 / n)
                law = stats.binom.pmf(others, size - copies, n / 2 / (n - 1))
            else:
                chance = (1 - size / n, size / n)[copies]
                if not chance:  # every row is in every bag
                    continue
                law = stats.hypergeom.pmf(others, n - 1, n // 2, size - copies)
            alone = int(copies == 1)
            moved = _two_camps_weight(others + copies - alone, alone, size, ridge) if copies else unmoved
            lost = (unmoved - moved) / (members * scale)
            above += chance * float(np.sum(law * np.exp(lost)))
            below += chance * float(np.sum(law * np.exp(-lost)))
            rest -= chance
        rest = max(rest, 0.0)
        return members * max(math.log(above + rest), -math.log(below + rest))

    def _check_bags(self) -> None:
        if not 0 < check_real(self.share, "share") <= 1:
            raise ValueError(f"share must lie in (0, 1], got {shown(self.share)}")
        check_bool(self.bootstrap, "bootstrap")

    def _sensitivity(self, n: int) -> float:
        return 2 / (n * self.ridge)

    def _deal(self, n: int, rng: np.random.Generator) -> list[Codes]:
        size = math.ceil(self.share * n)
        return [
            rng.integers(n, size=size) if self.bootstrap else rng.permutation(n)[:size] for _ in range(self.n_members)
        ]


def _two_camps_weight(zeros: npt.NDArray[Any], minus: int, size: int, ridge: float) -> Floats:
    """Weight of the only feature, from bags of so many margins 0, so many −1 and all others 1: by bisection."""
    reach = longest_weights(ridge)
    low, high = np.full(len(zeros), -reach), np.full(len(zeros), reach)
    w: Floats = np.zeros(len(zeros))
    for _ in range(60):
        pull = (size - zeros - minus) / (1 + np.exp(w)) - minus / (1 + np.exp(-w))
        up = pull > 2 * size * ridge * w
        low, high = np.where(up, w, low), np.where(up, high, w)
        w = (low + high) / 2
    return w


class PublishedDPNaiveBayes(DPNaiveBayes):
    r"""DPNaiveBayes that releases means and standard deviations of numeric features, as published [1]_.

    Their sensitivities, :math:`2/(n_j+1)` and :math:`2\sqrt{n_j}/(n_j+1)` on the scale of [−1, 1], depend on the true
    class sizes :math:`n_j`, and bound what a person who joins a class of that size changes. The scale of the noise so
    tells the size, and **the class itself is not ε-differentially private**. The mend is
    :class:`ldp_core.learn.DPNaiveBayes`, whose parameters and attributes it has.

    References
    ----------
    .. [1] J. Vaidya, B. Shafiq, A. Basu and Y. Hong. Differentially private naive Bayes classification. IEEE/WIC/ACM
       Web Intelligence 2013.

    Examples
    --------
    >>> model = PublishedDPNaiveBayes(numeric={0: (0, 1)}, classes=["a", "b"], random_state=np.random.default_rng(1))
    >>> model.fit([[0.2], [0.9]] * 500, ["a", "b"] * 500).predict([[0.1], [0.8]])
    array(['a', 'b'], dtype='<U1')
    """

    def _moments(self, t: Floats, label: Codes, counts: Floats) -> list[tuple[Floats, Any]]:
        sums, squares = (np.bincount(label, values, len(counts)) / np.maximum(counts, 1) for values in (t, t**2))
        deviation = np.sqrt(np.maximum(squares - sums**2, 0.0))
        return [(sums, 2 / (counts + 1)), (deviation, 2 * np.sqrt(counts) / (counts + 1))]

    def _noisy(self, part: Floats, sensitivity: Any, epsilon: float, rng: np.random.Generator) -> Floats:
        if np.ndim(sensitivity) == 0:
            return super()._noisy(part, sensitivity, epsilon, rng)
        pairs = zip(part, sensitivity, strict=True)  # where nothing can change, nothing is added
        return np.array([laplace(x, epsilon=epsilon, sensitivity=s, rng=rng) if s else x for x, s in pairs])

    def _presentable(self, first: Floats, second: Floats, counts: Floats, least: float) -> tuple[Floats, Floats]:  # noqa: ARG002
        return np.clip(first, -1.0, 1.0), np.maximum(np.clip(second, 0.0, 1.0) ** 2, least)


class BlockNaiveBayes(DiscreteNB):
    """Naive Bayes with the reports that the code of a published experiment sends [1]_: ε for *each* of them.

    Every class has a block of columns, one column a feature. A person fills the block of the own class with the own
    values and all other blocks with values drawn uniformly; then every column of every block is reported, and the
    class, each at ε. The server subtracts the expected fill, and calls whatever is not positive one person. A published
    curve can so be reproduced under its own accounting; the mend is :class:`ldp_core.learn.LDPNaiveBayes`.

    **The ε of the whole record is larger than** ``epsilon``: (h + 1)·ε with direct encoding, h being the number of
    features with two values or more, and at least that with unary encodings and summation. (A thresholded histogram
    spends less than ε on a report already.) :meth:`report_channel` lets one check. Parameters (epsilon, oracle,
    categories, classes, random_state) are those of :class:`LDPNaiveBayes`; the oracle's domains are the n_i values of a
    feature, and the k classes.

    References
    ----------
    .. [1] J. M. Chang, D. Zhuang and G. D. Samaraweera. Privacy-Preserving Machine Learning. Manning 2023, chapter 5;
       its public code, LDP-NB/gldpnb.py in Ch5/LDP-NB.zip of github.com/nogrady/PPML.
    """

    #: Counts are at least 1, so that nothing has to be smoothed; the base wants something.
    alpha = 1e-12

    def __init__(
        self,
        epsilon: float = 1.0,
        *,
        oracle: str | MakeOracle = "oue",
        categories: Categories | None = None,
        classes: Sequence[Any] | None = None,
        random_state: Rng = None,
    ) -> None:
        self.epsilon = epsilon
        self.oracle = oracle
        self.categories = categories
        self.classes = classes
        self.random_state = random_state

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> BlockNaiveBayes:
        """Draw what the server would see of these people (X and y as in :class:`LDPNaiveBayes`), and estimate."""
        return self.fit_counts(self.tabulate(X, y))

    def tabulate(
        self, X: npt.ArrayLike, y: npt.ArrayLike, *, counts: npt.ArrayLike | None = None, rng: Rng = None
    ) -> ContingencyTables:
        """Count pairs of value and class: everybody reports everything, nothing is drawn.

        X, y, counts and rng are those of :meth:`ldp_core.learn.LDPNaiveBayes.tabulate`.
        """
        return self._asked().tabulate(X, y, counts=counts, rng=rng)

    def _asked(self) -> LDPNaiveBayes:
        return LDPNaiveBayes(report="split", categories=self.categories, classes=self.classes)

    def _tabulation(self) -> Hashable:
        return self._asked()._tabulation()

    def fit_counts(self, tables: ContingencyTables, rng: Rng = None) -> BlockNaiveBayes:
        """Draw the fill and the reports of all people at once, and estimate as the published code does.

        The tables come from :meth:`tabulate`; without an rng ``random_state`` is taken.
        """
        epsilon = check_epsilon(self.epsilon)
        if getattr(tables, "schema", None) is None:
            raise ValueError(f"tables must have a schema, as those of tabulate have, got {shown(tables)}")
        schema, (label, *_) = read_tables(tables, with_label=True)
        n = int(label.sum())
        generator = self._noise(rng, shape=(*schema.sizes, schema.n_classes))

        def asked(held: npt.NDArray[Any]) -> Floats:
            oracle = make_oracle(self.oracle, epsilon, len(held))
            return _at_least_one(oracle.estimate(oracle.simulate(held, generator), n))

        classes = asked(label)
        joint = []
        for table in tables.joint:
            values = len(table)
            counts = np.ones(table.shape)
            for v in range(schema.n_classes if values > 1 else 0):  # a feature of one value tells nothing
                fill = self._fill(n - int(label[v]), values, generator)
                expected = np.round((n - classes[v]) / values)
                counts[:, v] = _at_least_one(asked(table[:, v] + fill) - expected)
            joint.append(counts)
        self._learn(schema, classes, joint)
        return self

    def _fill(self, people: int, values: int, rng: np.random.Generator) -> npt.NDArray[Any]:
        """Draw what people write into a column of a class that is not theirs: how many write each value."""
        return rng.multinomial(people, np.full(values, 1 / values))

    def report_channel(self, sizes: Sequence[int], n_classes: int) -> Floats:
        """Give the exact distribution of one person's whole report under every record.

        The sizes are the numbers of values of each feature, besides n_classes. Rows stand as
        :func:`ldp_core.learn.records` lists them, columns are whole reports, and there are at most 2**24 entries.
        """
        epsilon, held = check_epsilon(self.epsilon), records(sizes, n_classes)
        oracles = [make_oracle(self.oracle, epsilon, d) for d in (*sizes, n_classes)]
        pure = [oracle for oracle in oracles if isinstance(oracle, FiniteOracle)]
        if len(pure) < len(oracles):
            raise TypeError(f"oracle must have a finite channel, got {type(oracles[0]).__name__}")
        *blocks, last = (math.log(oracle.n_outputs) for oracle in pure)
        if math.log(len(held)) + n_classes * sum(blocks) + last > math.log(CHANNEL_LIMIT) + 1e-9:
            raise ValueError(f"the channel must have at most 2**24 entries, got sizes {shown(sizes)}")
        *features, label = (oracle.channel() for oracle in pure)
        rows = []
        for *values, v in held.tolist():
            parts = [label[v]]
            for block in range(n_classes):
                parts += [c[a] if block == v else c.mean(axis=0) for c, a in zip(features, values, strict=True)]
            rows.append(reduce(np.kron, parts))
        return np.array(rows)


def _at_least_one(estimates: Floats) -> Floats:
    """As the published code has it: whatever is not positive becomes one person."""
    return np.where(estimates <= 0, 1.0, estimates)
