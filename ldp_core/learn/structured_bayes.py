"""An experiment: a mechanism for records, which knows that a user holds one value per attribute and one class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._validate import Rng, check_epsilon, check_rng
from ldp_core.frequency._sampler import Bits, fill_subsets
from ldp_core.frequency.base import CHANNEL_LIMIT
from ldp_core.learn._discrete import POSTPROCESS, DiscreteNB, Floats, check_alpha, check_option
from ldp_core.learn._schema import Categories, Codes, records


@dataclass(frozen=True)
class RecordSelection:
    r"""Report a class w and, for every attribute i, a set :math:`T_i` of :math:`t_i` of its values.

    The report *meets* a user with values :math:`a_1, …, a_h` and class v if w = v and :math:`a_i \in T_i` for at least
    one i. It is drawn with a probability proportional to :math:`e^{\varepsilon}` if it meets her, else to 1. How many
    reports meet a user does not depend on what she holds, so the normalising constant is the same for all, and the
    probabilities of one report differ by a factor of exactly :math:`e^{\varepsilon}`, or not at all.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of the report.
    sizes : tuple of int
        Number of values n_i of each attribute.
    n_classes : int
        Number of classes k.
    chosen : tuple of int
        Sizes t_i of the reported sets, 0 ≤ t_i < n_i, not all 0.
    """

    epsilon: float
    sizes: tuple[int, ...]
    n_classes: int
    chosen: tuple[int, ...]

    @property
    def share(self) -> Floats:
        """Chance t_i/n_i that a random set T_i contains a given value."""
        return np.divide(self.chosen, self.sizes)

    @property
    def law(self) -> tuple[float, float, float]:
        """Probabilities that the report meets the user, that its class is right but it misses, that it is wrong."""
        miss = float(np.prod(1 - self.share))
        a = math.exp(-self.epsilon)
        total = (1 - miss) + a * (miss + self.n_classes - 1)
        return (1 - miss) / total, a * miss / total, a * (self.n_classes - 1) / total

    @property
    def bits(self) -> int:
        """Bits of one report in the shortest code of fixed length."""
        return (self.n_outputs - 1).bit_length()

    @property
    def n_outputs(self) -> int:
        """Number of possible reports."""
        return self.n_classes * math.prod(math.comb(n, t) for n, t in zip(self.sizes, self.chosen, strict=True))

    def probabilities(self) -> tuple[float, float, Floats, Floats, Floats]:
        r"""Give what the estimator needs.

        Returns
        -------
        right, wrong : float
            Probability that the reported class is the user's own, and that it is one given other class.
        own, same, other : ndarray, shape (h,)
            Probability that the report has class v and :math:`a \in T_i`, for a user with value a and class v; with
            another value and class v; with another class.
        """
        meets, misses, fails = self.law
        miss, share = float(np.prod(1 - self.share)), self.share
        other = share * fails / (self.n_classes - 1)
        # A set that contains the user's own value always meets her; all these reports are equally likely.
        own = share * (meets / (1 - miss))
        # One that contains another value of attribute i: meets her in the share of cases in which it also hits.
        rest = np.array([np.prod(np.delete(1 - share, i)) for i in range(len(share))])
        n, t = np.array(self.sizes), np.array(self.chosen)
        # Own value of attribute i is missed by T_i, given that T_i contains one other value.
        missed_too = np.where(n > 1, (n - t) / np.maximum(n - 1, 1), 0.0) * rest
        same = share * ((1 - missed_too) * (meets / (1 - miss)) + missed_too * (misses / miss))
        return meets + misses, fails / (self.n_classes - 1), own, same, other

    def perturb(self, features: Codes, label: Codes, rng: np.random.Generator) -> tuple[Codes, list[Bits]]:
        """Draw every user's report: classes (n,), and per attribute the sets as bit rows (n, n_i)."""
        n = len(label)
        meets, misses, _ = self.law
        u = rng.random(n)
        meeting, right = u < meets, u < meets + misses
        away = rng.integers(1, self.n_classes, size=n)
        classes = np.where(right, label, (label + away) % self.n_classes)
        # From the first attribute to the last: must the set still hit, given that none has so far?
        still = np.cumprod((1 - self.share)[::-1])[::-1]  # chance that none of the remaining ones hits
        need = meeting.copy()
        sets = []
        for i, (size, t) in enumerate(zip(self.sizes, self.chosen, strict=True)):
            share = t / size
            chance = np.where(need, share / (1 - still[i]) if still[i] < 1 else 0.0, share)
            chance[right & ~meeting] = 0.0
            hit = rng.random(n) < chance
            need &= ~hit
            bits = np.zeros((n, size), dtype=np.uint8)
            if t:
                fill_subsets(bits, t - hit.astype(np.int64), rng, closed=features[:, i : i + 1])
                np.put_along_axis(bits, features[:, i : i + 1], hit[:, None].astype(np.uint8), axis=1)
            sets.append(bits)
        return classes, sets

    def estimate(self, classes: Floats, tables: Sequence[Floats], n: int) -> tuple[Floats, list[Floats]]:
        """Estimate, without bias, class counts and counts of pairs from how often they were reported."""
        right, wrong, own, same, other = self.probabilities()
        held = (classes - n * wrong) / (right - wrong)
        pairs = []
        for i, table in enumerate(tables):
            if self.chosen[i] == 0:  # a single value: everybody of a class holds it
                pairs.append(np.tile(held / len(table), (len(table), 1)))
            else:
                pairs.append((table - held * same[i] - (n - held) * other[i]) / (own[i] - same[i]))
        return held, pairs

    def channel(self) -> Floats:
        """Give the exact distribution of the report, one row per record as in :func:`ldp_core.learn.records`."""
        rows = records(self.sizes, self.n_classes)
        if len(rows) * self.n_outputs > CHANNEL_LIMIT:
            raise ValueError(f"the channel must have at most 2**24 entries, got {len(rows)} x {self.n_outputs}")
        meets = np.array([self._meets(rows, *report) for report in self.outputs()]).T
        weight = np.where(meets, 1.0, math.exp(-self.epsilon))
        channel: Floats = weight / weight.sum(axis=1, keepdims=True)
        return channel

    def outputs(self) -> list[tuple[int, tuple[tuple[int, ...], ...]]]:
        """List every possible report: its class and its sets, in the order of the columns of :meth:`channel`."""
        sets = [combinations(range(n), t) for n, t in zip(self.sizes, self.chosen, strict=True)]
        return [(w, chosen) for w, chosen in product(range(self.n_classes), list(product(*sets)))]

    @staticmethod
    def _meets(rows: Codes, w: int, sets: tuple[tuple[int, ...], ...]) -> npt.NDArray[np.bool_]:
        hit = np.any([np.isin(rows[:, i], members) for i, members in enumerate(sets)], axis=0)
        met: npt.NDArray[np.bool_] = (rows[:, -1] == w) & hit
        return met


def best_selection(epsilon: float, sizes: Sequence[int], n_classes: int) -> RecordSelection:
    """Choose the sizes of the reported sets: the same share of every attribute, at which the mean variance is least.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε, finite and > 0.
    sizes : sequence of int
        Number of values n_i of each attribute; at least one of them above 1.
    n_classes : int
        Number of classes k.

    Returns
    -------
    RecordSelection
        The candidate that minimises the variance of an estimated count of a pair, averaged over all pairs, for users
        spread evenly over all records.
    """
    candidates = {
        tuple(int(np.clip(round(n * share), 1, n - 1)) if n > 1 else 0 for n in sizes)
        for share in np.concatenate([np.linspace(0.0, 1.0, 81), 1 / np.array(sizes)])
    }
    options = [RecordSelection(epsilon, tuple(sizes), n_classes, c) for c in sorted(candidates)]
    return min(options, key=_mean_variance)


def _mean_variance(mechanism: RecordSelection) -> float:
    """Average over pairs of the variance per user of an estimated pair; the class counts' own error left out."""
    _, _, own, same, other = mechanism.probabilities()
    total = 0.0
    for n, t, p, q, r in zip(mechanism.sizes, mechanism.chosen, own, same, other, strict=True):
        if t:
            k = mechanism.n_classes
            chance = p / (n * k) + q * (n - 1) / (n * k) + r * (k - 1) / k
            total += n * chance * (1 - chance) / max(p - q, 1e-300) ** 2
    return total


class StructuredBayes(DiscreteNB):
    r"""Naive Bayes from one report per user, by a mechanism made for records: an experiment of this book.

    LDPBayes reports a user's codes as if they could be any h of d. Here the report has the shape of the data: one class
    and, for every attribute, a set of values; see :class:`RecordSelection` for the mechanism and its ε. What the server
    estimates from it are class counts, and counts of (value, class) pairs, both without bias.

    Parameters
    ----------
    epsilon : float, default 1.0
        Privacy budget ε of a user's whole report, finite and > 0.
    alpha : float, default 1.0
        Laplace smoothing, > 0.
    postprocess : {"normalize", "clip", "simplex", "one"}, default "normalize"
        What happens to negative estimates; see :class:`LDPNaiveBayes`.
    categories, classes : sequence, optional
        As in :class:`LDPNaiveBayes`.
    random_state : numpy.random.Generator, int or None
        Source of randomness of the reports. Do not use the seed that made the data.

    Attributes
    ----------
    mechanism_ : RecordSelection
        The mechanism in use.
    bits_ : float
        Communication cost of a report in bits.

    Examples
    --------
    >>> X = [["young", "low"], ["old", "high"]] * 5000
    >>> y = ["missed", "paid"] * 5000
    >>> model = StructuredBayes(epsilon=1.0, random_state=1).fit(X, y)
    >>> model.predict([["young", "low"], ["old", "high"]])
    array(['missed', 'paid'], dtype='<U6')
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        alpha: float = 1.0,
        postprocess: str = "normalize",
        categories: Categories | None = None,
        classes: Sequence[Any] | None = None,
        random_state: Rng = None,
    ) -> None:
        self.epsilon = epsilon
        self.alpha = alpha
        self.postprocess = postprocess
        self.categories = categories
        self.classes = classes
        self.random_state = random_state

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> StructuredBayes:
        """Let every user report, then estimate.

        Parameters
        ----------
        X : array_like or DataFrame, shape (n, h)
            Features: numbers or strings, no missing values; at least one must have two values.
        y : array_like, shape (n,)
            Classes.

        Returns
        -------
        StructuredBayes
            The fitted model.
        """
        check_epsilon(self.epsilon)
        check_alpha(self.alpha)
        change = POSTPROCESS[check_option(self.postprocess, "postprocess", tuple(POSTPROCESS))]
        schema, features, label = self._read(X, y)
        if max(schema.sizes) < 2:
            raise ValueError(
                "X must have a feature with at least 2 values, got only constant ones: n_features = 0 useful"
            )
        mechanism = best_selection(self.epsilon, schema.sizes, schema.k)
        classes, sets = mechanism.perturb(features, label, check_rng(self.random_state))
        # From here on the server's side.
        n = len(label)
        reported = np.zeros((n, schema.k))
        reported[np.arange(n), classes] = 1
        held, pairs = mechanism.estimate(reported.sum(axis=0), [bits.T @ reported for bits in sets], n)
        tables = [change(pair.ravel(), float(n)).reshape(-1, schema.k) for pair in pairs]
        self._learn(schema, change(held, float(n)), tables)
        self.mechanism_ = mechanism
        self.bits_ = float(mechanism.bits)
        return self
