"""LDPBayes: all of a user's attribute values, each with the class, as one set in one report at the full budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Codes, Floats
from ldp_core._validate import Rng, check_bool, check_epsilon, check_option, check_positive
from ldp_core.frequency import SetSubsetSelection
from ldp_core.learn._discrete import POSTPROCESS, LocalNB
from ldp_core.learn._schema import Categories, Schema, records
from ldp_core.learn._tables import count_weighted
from ldp_core.learn.consistency import make_consistent

__all__ = ["LDPBayes", "RecordCounts"]


@dataclass(frozen=True)
class RecordCounts:
    """Different records and how many users hold each: what the server's view of LDPBayes depends on.

    Parameters
    ----------
    sets : ndarray of int64, shape (r, h)
        A record as a set of h codes.
    users : ndarray of int64, shape (r,)
        How many users hold it.
    schema : Schema
        The names of values and classes.
    """

    sets: Codes
    users: Codes
    schema: Schema


class LDPBayes(LocalNB):
    r"""Naive Bayes from one private set per user (LDPBayes).

    A user's h attribute values, each joined with the class, are h codes out of :math:`d = |C| \sum_i n_i`, where
    :math:`|C|` is the number of classes: value a of attribute i and class v have the code
    :math:`|C| (n_1 + … + n_{i-1} + a) + v`, where a and v count from 0. The whole set is reported by
    :class:`~ldp_core.frequency.SetSubsetSelection` at the full ε, with the size of the reported set that gives the
    least variance. Counts of codes yield the class probabilities and the conditional probabilities.

    Parameters
    ----------
    alpha : float, default 1.0
        Laplace smoothing, > 0: added to each estimated count of a pair.
    postprocess : {"normalize", "clip", "simplex"}, default "normalize"
        What happens to negative estimates; see :class:`LDPNaiveBayes`. The paper's choice is the default: raised to 0,
        then scaled, attribute by attribute, to the number of users.
    consistent : bool, default False
        Experiment: make the estimates consistent with the structure of records before anything else, by
        :func:`make_consistent`. It happens on the server, after the reports, so that the ε stays what it is.
    k : int, optional
        Size of the reported set; None for the variance-minimizing one.

    Attributes
    ----------
    classes_, categories_, class_count_, category_count_, class_log_prior_, feature_log_prob_ : see LDPNaiveBayes
        The model; ``class_count_`` is the mean over the attributes of the class counts in their tables.
    oracle_ : SetSubsetSelection or None
        The mechanism in use, with its p, q and k; None where nobody was asked.
    bits_ : float
        Communication cost of a report, ⌈log₂ C(d, k)⌉ bits.

    See Also
    --------
    make_consistent : Makes use, on the server, of what the mechanism ignores.
    ldp_core.learn.rivals : The estimators that the paper compares with.

    Notes
    -----
    The mechanism for sets would serve any h codes out of d. A user's codes are far from arbitrary: exactly one per
    attribute, and all with the same class, so that only :math:`|C| \prod_i n_i` of the C(d, h) sets occur. The
    guarantee holds for all, and is spent on all.

    Each report shows k of the d codes, so that even ε → ∞ leaves the uncertainty of a sample: the model approaches
    scikit-learn's CategoricalNB as the number of users grows, at any ε.

    References
    ----------
    H. Wang, Y. Chen and C. Peng. A high-utility naive Bayes classification scheme based on local differential privacy.
    Nanjing University of Posts and Telecommunications, 2022 (in Chinese). S. Wang et al. PrivSet: set-valued data
    analyses with local differential privacy. INFOCOM 2018. The first presents its mechanism, LDPbayes-FO, as its own;
    that it equals PrivSet, as far as the description goes, is our finding.

    Examples
    --------
    >>> X = [["young", "low"], ["old", "high"]] * 5000
    >>> y = ["missed", "paid"] * 5000
    >>> public = {"categories": [["old", "young"], ["high", "low"]], "classes": ["missed", "paid"]}
    >>> model = LDPBayes(epsilon=1.0, **public, random_state=np.random.default_rng(1)).fit(X, y)
    >>> model.predict([["young", "low"], ["old", "high"]])
    array(['missed', 'paid'], dtype='<U6')
    >>> model.oracle_.d, model.oracle_.set_size, model.oracle_.k, model.bits_
    (8, 2, 1, 3.0)
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        *,
        alpha: float = 1.0,
        postprocess: str = "normalize",
        consistent: bool = False,
        k: int | None = None,
        categories: Categories | None = None,
        classes: Sequence[Any] | None = None,
        random_state: Rng = None,
    ) -> None:
        self.epsilon = epsilon
        self.alpha = alpha
        self.postprocess = postprocess
        self.consistent = consistent
        self.k = k
        self.categories = categories
        self.classes = classes
        self.random_state = random_state

    def _collect(self, schema: Schema, features: Codes, label: Codes) -> LDPBayes:
        """Ask everybody."""
        oracle = self._oracle(schema)
        reports = oracle.perturb(as_sets(features, label, schema), self._noise(shape=(*schema.sizes, schema.n_classes)))
        return self._estimate(schema, oracle, oracle.aggregate(reports), len(label))

    def tabulate(
        self, X: npt.ArrayLike, y: npt.ArrayLike, *, counts: npt.ArrayLike | None = None, rng: Rng = None
    ) -> RecordCounts:
        """Count the users of each different record, for :meth:`fit_counts`.

        Row i has counts[i] holders, without counts one. Everybody reports everything, so that nothing is drawn from
        ``rng``.
        """
        self._check_parameters()
        self._draws(rng)
        schema, features, label = self._read(X, y)
        holders = self._holders(counts, len(label))
        sets, where = np.unique(as_sets(features, label, schema), axis=0, return_inverse=True)
        return RecordCounts(sets, count_weighted(where.reshape(-1), len(sets), holders), schema)

    def fit_counts(self, table: RecordCounts, rng: Rng = None) -> LDPBayes:
        """Draw what the server would see, and estimate, at a cost that grows with the different records, not with n.

        Worth it for few different records and very many users; otherwise :meth:`fit` is quicker. The model has exactly
        the distribution that :meth:`fit` gives it. The table comes from :meth:`tabulate`.
        """
        self._check_parameters()
        if not isinstance(table, RecordCounts):
            raise TypeError(f"table must be RecordCounts, got {type(table).__name__}")
        if table.schema.n_classes == 1:
            return self._nobody_asked(table.schema)
        oracle = self._oracle(table.schema)
        support = oracle.simulate_sets(
            table.sets, table.users, self._noise(rng, shape=(*table.schema.sizes, table.schema.n_classes))
        )
        return self._estimate(table.schema, oracle, support, int(table.users.sum()))

    def report_channel(self, sizes: Sequence[int], n_classes: int) -> Floats:
        """Give the exact distribution of one user's report under everything that a user can hold.

        The sizes are the numbers of values of each feature, beside n_classes; rows stand as :func:`records` lists them.
        """
        self._check_parameters()
        rows = records(sizes, n_classes)
        schema = Schema.of_sizes(sizes, n_classes)
        oracle = self._oracle(schema)
        place = {tuple(held): i for i, held in enumerate(oracle.inputs().tolist())}
        places = [place[tuple(row)] for row in as_sets(rows[:, :-1], rows[:, -1], schema).tolist()]
        return oracle.channel()[places]

    def _check_parameters(self) -> None:
        check_epsilon(self.epsilon)
        check_positive(self.alpha, "alpha")
        check_option(self.postprocess, "postprocess", tuple(POSTPROCESS))
        check_bool(self.consistent, "consistent")

    def _oracle(self, schema: Schema) -> SetSubsetSelection:
        return SetSubsetSelection(self.epsilon, schema.n_classes * sum(schema.sizes), len(schema.sizes), k=self.k)

    def _nobody_asked(self, schema: Schema) -> LDPBayes:
        self._learn_one_class(schema)
        self.oracle_: SetSubsetSelection | None = None
        self.bits_ = 0.0
        return self

    def _estimate(self, schema: Schema, oracle: SetSubsetSelection, support: npt.NDArray[Any], n: int) -> LDPBayes:
        change = POSTPROCESS[self.postprocess]
        ends = np.cumsum(schema.sizes)[:-1] * schema.n_classes
        estimates = [e.reshape(-1, schema.n_classes) for e in np.split(oracle.estimate(support, n), ends)]
        if self.consistent:
            estimates = make_consistent(estimates, n=n)
        tables = [change(e.ravel(), float(n)).reshape(-1, schema.n_classes) for e in estimates]
        self._learn(schema, np.mean([t.sum(axis=0) for t in tables], axis=0), tables)
        self.oracle_ = oracle
        self.bits_ = float(oracle.bits)
        return self


def as_sets(features: Codes, label: Codes, schema: Schema) -> Codes:
    """Encode records as ascending sets of codes, shape (n, h)."""
    start = np.cumsum([0, *schema.sizes[:-1]])
    codes: Codes = (features + start) * schema.n_classes + label[:, None]
    return codes
