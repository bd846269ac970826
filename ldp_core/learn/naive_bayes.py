"""Naive Bayes from private reports: class and feature value encoded together, asked through a frequency oracle."""

from __future__ import annotations

import pickle
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Codes, Counts, Floats
from ldp_core._validate import Rng, check_epsilon, check_option, check_positive, shown
from ldp_core.frequency import FiniteOracle, FrequencyOracle
from ldp_core.frequency.base import CHANNEL_LIMIT
from ldp_core.frequency.names import MakeOracle, make_oracle, resolve_oracle
from ldp_core.learn._discrete import POSTPROCESS, LocalNB
from ldp_core.learn._reporting import REPORTS, Split
from ldp_core.learn._schema import Categories, Schema, records
from ldp_core.learn._tables import ContingencyTables, count_weighted, read_tables

__all__ = ["LDPNaiveBayes"]


class LDPNaiveBayes(LocalNB):
    r"""Naive Bayes on categorical features under local differential privacy.

    A user holds h feature values and one of k classes. The *inputs* to be asked for are the class, and for every
    feature the pair of value and class, encoded together as a·k + v: only then does the connection between the two,
    which is all that a classifier needs, survive. Each input is reported through a frequency oracle; the server
    estimates

    .. math::  P(C_v) \approx \frac{E_v}{\sum_j E_j}, \qquad
               P(x_i = a \mid C_v) \approx \frac{E_{a,v} + \alpha}{\sum_{a'} E_{a',v} + \alpha n_i}.

    Whatever the parameters, ε is the budget of a user's **whole** report.

    Parameters
    ----------
    oracle : {"de", "sue", "oue", "she", "the", "ss", "olh"} or callable, default "oue"
        The frequency oracle: a name, a class, or a function called as ``oracle(epsilon, domain)``.
    report : {"sample", "groups", "split"}, default "sample"
        What a user sends. "sample": one of the m inputs, drawn uniformly at random, at ε; the report says which.
        "groups": one input at ε, the server having divided the users into m random groups of equal size (to within one
        user). "split": all m inputs at ε/m each, to show what that costs.
    prior : {"label", "features"}, default "label"
        Where class probabilities come from. "label": the class is an input of its own, m = h + 1. "features": class
        counts are sums over the joint tables, m = h.
    alpha : float, default 1.0
        Laplace smoothing, > 0: added to each estimated count of a pair, in users who report that feature.
    postprocess : {"clip", "normalize", "simplex"}, default "clip"
        What happens to negative estimates. "clip": raised to 0. "normalize": raised to 0, then each table is scaled to
        the number of its reports. "simplex": nearest table without negative entries and with the right total. See
        :mod:`ldp_core.postprocess`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        The classes.
    categories_ : list of ndarray
        The values of each feature.
    class_count_ : ndarray, shape (n_classes,)
        Estimated class counts after post-processing.
    category_count_ : list of ndarray, feature i: shape (n_i, n_classes)
        Estimated counts of pairs after post-processing.
    class_log_prior_ : ndarray, shape (n_classes,)
        Logarithms of the estimated class probabilities.
    feature_log_prob_ : list of ndarray, feature i: shape (n_i, n_classes)
        Logarithms of the estimated probabilities of values, given the class.
    bits_ : float
        Communication cost: mean number of bits that a user sends, including the ⌈log₂ m⌉ that say which input
        ("sample" only: with "groups" the server knows).

    See Also
    --------
    LDPBayes : All inputs in one report at the full ε, by a mechanism for sets.

    Notes
    -----
    At ε → ∞ with report="split" the model is scikit-learn's CategoricalNB. Values at prediction that are in no
    category say nothing about the class, and are passed over; text where the model knows numbers, or the reverse, is an
    error.

    References
    ----------
    E. Yilmaz, M. Al-Rubaie and J. M. Chang. Locally differentially private naive Bayes classification.
    arXiv:1905.01039, 2019.

    Examples
    --------
    >>> X = [["young", "low"], ["old", "high"]] * 5000
    >>> y = ["missed", "paid"] * 5000
    >>> public = {"categories": [["old", "young"], ["high", "low"]], "classes": ["missed", "paid"]}
    >>> model = LDPNaiveBayes(epsilon=1.0, **public, random_state=np.random.default_rng(1)).fit(X, y)
    >>> model.predict([["young", "low"], ["old", "high"]])
    array(['missed', 'paid'], dtype='<U6')
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        *,
        oracle: str | MakeOracle = "oue",
        report: str = "sample",
        prior: str = "label",
        alpha: float = 1.0,
        postprocess: str = "clip",
        categories: Categories | None = None,
        classes: Sequence[Any] | None = None,
        random_state: Rng = None,
    ) -> None:
        self.epsilon = epsilon
        self.oracle = oracle
        self.report = report
        self.prior = prior
        self.alpha = alpha
        self.postprocess = postprocess
        self.categories = categories
        self.classes = classes
        self.random_state = random_state

    # ---- user by user -----------------------------------------------------------------------------------------

    def _collect(self, schema: Schema, features: Codes, label: Codes) -> LDPNaiveBayes:
        """Ask everybody."""
        inputs, oracles = self._inputs(features, label, schema), self._oracles(schema)
        rng, m = self._noise(shape=(*schema.sizes, schema.n_classes)), len(oracles)
        asked = self._way.assign(len(label), m, rng)
        supports: list[npt.NDArray[Any] | None] = []
        for i, oracle in enumerate(oracles):
            codes = inputs[:, i] if asked is None else inputs[asked == i, i]
            # What leaves the device is `perturb`'s result, and nothing else.
            supports.append(oracle.aggregate(oracle.perturb(codes, rng)) if codes.size else None)
        users = np.full(m, len(label)) if asked is None else np.bincount(asked, minlength=m)
        return self._estimate(schema, oracles, supports, users)

    # ---- from counts ------------------------------------------------------------------------------------------

    def tabulate(
        self, X: npt.ArrayLike, y: npt.ArrayLike, *, counts: npt.ArrayLike | None = None, rng: Rng = None
    ) -> ContingencyTables:
        """Decide who reports what, and count it: the first half of the fast path.

        Row i has counts[i] holders, without counts one; the cost does not depend on how many.
        ``fit_counts(tabulate(X, y))`` has exactly the distribution of ``fit(X, y)``. For another run draw anew; with
        report="split" there is nothing to draw. Nothing hangs on who is asked, so that an integer may repeat the draw;
        its stream is not that of the noise.
        """
        self._check_parameters()
        schema, features, label = self._read(X, y)
        return self._count(schema, features, label, counts, rng)

    def _count(
        self, schema: Schema, features: Codes, label: Codes, counts: npt.ArrayLike | None, rng: Rng
    ) -> ContingencyTables:
        """Count the inputs of those who are asked."""
        inputs, domains = self._inputs(features, label, schema), self._domains(schema)
        holders = self._holders(counts, len(label))
        generator = self._draws(rng)
        asked = None if counts is not None else self._way.assign(len(label), len(domains), generator)
        if asked is not None:
            start = np.cumsum([0, *domains])  # all inputs in one long domain: a single count
            codes = inputs[np.arange(len(label)), asked] + start[asked]
            flat = np.split(np.bincount(codes, minlength=start[-1]), start[1:-1])
        else:
            shares = self._way.spread(holders, len(domains), generator)
            flat = [count_weighted(inputs[:, i], d, shares[:, i]) for i, d in enumerate(domains)]
        label_counts, joint = self._parted(flat, schema)
        return ContingencyTables(joint, label_counts, schema)

    def fit_counts(self, tables: ContingencyTables, rng: Rng = None) -> LDPNaiveBayes:
        """Draw what the server would see, and estimate: the second half of the fast path, at a cost free of n.

        The tables say who reports what: they come from :meth:`tabulate`, or are made by hand. The model has exactly the
        distribution that :meth:`fit` gives it.
        """
        self._check_parameters()
        schema, flat = read_tables(tables, self.prior == "label")
        if schema.n_classes == 1:
            return self._nobody_asked(schema)
        users = [int(t.sum()) for t in flat]
        if not any(users):
            raise ValueError("tables must hold at least one user, got all zeros")
        if self.report == "split" and len(set(users)) > 1:
            raise ValueError(f'tables must all count the same users for report="split", got {users}')
        return self._simulate(schema, flat, self._noise(rng, shape=(*schema.sizes, schema.n_classes)))

    def _simulate(self, schema: Schema, flat: Sequence[Counts], rng: np.random.Generator) -> LDPNaiveBayes:
        """Draw the support counts of every input, given how many report each code."""
        oracles, users = self._oracles(schema), np.array([t.sum() for t in flat])
        supports = [o.simulate(t, rng) if n else None for o, t, n in zip(oracles, flat, users, strict=True)]
        return self._estimate(schema, oracles, supports, users)

    # ---- the whole report -------------------------------------------------------------------------------------

    def report_channel(self, sizes: Sequence[int], n_classes: int) -> Floats:
        """Give the exact distribution of one user's whole report under everything that a user can hold.

        The sizes are the numbers of values of each feature, beside n_classes; rows stand as :func:`records` lists them.
        For "groups" the group is drawn like the input in "sample": it does not depend on the data, so that the ε is the
        same. A matrix of more than 2**24 entries is refused, and an oracle without a finite channel ("she").
        """
        self._check_parameters()
        schema, rows = Schema.of_sizes(sizes, n_classes), records(sizes, n_classes)
        inputs = self._inputs(rows[:, :-1], rows[:, -1], schema)
        oracles = self._oracles(schema)
        outputs = [o.n_outputs for o in oracles if isinstance(o, FiniteOracle)]
        if len(outputs) < len(oracles):
            raise ValueError(f"oracle must have a finite channel, got {shown(self.oracle)}")
        columns = self._way.columns(outputs)
        if len(rows) * columns > CHANNEL_LIMIT:
            raise ValueError(f"the channel must have at most 2**24 entries, got {len(rows)} x {shown(columns)}")
        parts = [o.channel()[inputs[:, i]] for i, o in enumerate(oracles) if isinstance(o, FiniteOracle)]
        return self._way.channel(parts)

    # ---- parts ------------------------------------------------------------------------------------------------

    def _check_parameters(self) -> None:
        check_epsilon(self.epsilon)
        check_positive(self.alpha, "alpha")
        check_option(self.report, "report", tuple(REPORTS))
        check_option(self.prior, "prior", ("label", "features"))
        check_option(self.postprocess, "postprocess", tuple(POSTPROCESS))
        resolve_oracle(self.oracle)

    @property
    def _way(self) -> Split:
        return REPORTS[self.report]

    def _tabulation(self) -> Hashable:
        """What tables depend on besides the data: models that agree in it can be fitted from the same."""
        return pickle.dumps((self.report, self.prior, self.categories, self.classes))

    def _oracles(self, schema: Schema) -> list[FrequencyOracle]:
        domains = self._domains(schema)
        epsilon = self._way.budget(check_epsilon(self.epsilon), len(domains))
        return [make_oracle(self.oracle, epsilon, d) for d in domains]

    # The inputs: with prior="label" the class comes first, then one for every feature.

    def _domains(self, schema: Schema) -> list[int]:
        """Size of the domain of every input."""
        joint = [n * schema.n_classes for n in schema.sizes]
        return [schema.n_classes, *joint] if self.prior == "label" else joint

    def _inputs(self, features: Codes, label: Codes, schema: Schema) -> Codes:
        """Everything a user can be asked for, shape (n, m): value·k + class for every feature."""
        joint = features * schema.n_classes + label[:, None]
        return np.column_stack([label, joint]) if self.prior == "label" else joint

    def _parted(self, flat: Sequence[Any], schema: Schema) -> tuple[Any, list[Any]]:
        """Turn one vector an input into that of the class, or None, and a table (n_i, k) for each feature."""
        label, joint = (flat[0], flat[1:]) if self.prior == "label" else (None, flat)
        return label, [t.reshape(-1, schema.n_classes) for t in joint]

    # ---- on the server ----------------------------------------------------------------------------------------

    def _nobody_asked(self, schema: Schema) -> LDPNaiveBayes:
        self._learn_one_class(schema)
        self.bits_ = 0.0
        return self

    def _estimate(
        self,
        schema: Schema,
        oracles: Sequence[FrequencyOracle],
        supports: Sequence[npt.NDArray[Any] | None],
        users: Counts,
    ) -> LDPNaiveBayes:
        """Unbiased counts, made presentable, made probabilities."""
        change = POSTPROCESS[self.postprocess]
        estimates = [
            np.zeros(o.d) if support is None else change(o.estimate(support, int(n)), float(n))
            for o, support, n in zip(oracles, supports, users, strict=True)
        ]
        label, tables = self._parted(estimates, schema)
        self._learn(schema, np.sum([t.sum(axis=0) for t in tables], axis=0) if label is None else label, tables)
        self.bits_ = self._way.bits([o.bits for o in oracles])
        return self
