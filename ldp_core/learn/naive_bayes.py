"""Naive Bayes from private reports: class and feature value encoded together, asked through a frequency oracle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._validate import Rng, as_array, check_counts, check_epsilon, check_option, check_positive, shown
from ldp_core.frequency import (
    DirectEncoding,
    FrequencyOracle,
    LocalHashing,
    OptimizedUnary,
    PureOracle,
    SubsetSelection,
    SummationHistogram,
    SymmetricUnary,
    ThresholdHistogram,
)
from ldp_core.frequency.base import CHANNEL_LIMIT
from ldp_core.learn._discrete import POSTPROCESS, DiscreteNB, Floats
from ldp_core.learn._random import draw_source, noise_source
from ldp_core.learn._schema import Categories, Codes, Schema, records

Counts = npt.NDArray[np.int64]

#: The oracles by the names that the literature gives them.
ORACLES: dict[str, type[FrequencyOracle]] = {
    "de": DirectEncoding,
    "sue": SymmetricUnary,
    "oue": OptimizedUnary,
    "she": SummationHistogram,
    "the": ThresholdHistogram,
    "ss": SubsetSelection,
    "olh": LocalHashing,
}

#: What makes an oracle from a budget and the size of a domain.
MakeOracle = Callable[[float, int], FrequencyOracle]

#: NumPy draws without replacement from fewer than so many.
GROUPS_LIMIT = 10**9


@dataclass(frozen=True)
class ContingencyTables:
    """Who reports what, as counts: all that the server's view depends on.

    Parameters
    ----------
    joint : sequence of ndarray of int, feature i: shape (n_i, k)
        How many users *report* each pair (value, class) of feature i. With report="split" that is everybody; with
        report="sample" or "groups" only those whose one report is about feature i.
    label : ndarray of int, shape (k,), optional
        How many users report each class by itself; None where nobody does, prior="features".
    schema : Schema, optional
        The names of values and classes; None for integer codes.
    """

    joint: Sequence[npt.NDArray[Any]]
    label: npt.NDArray[Any] | None = None
    schema: Schema | None = None


class LDPNaiveBayes(DiscreteNB):
    r"""Naive Bayes on categorical features under local differential privacy.

    A user holds h feature values and a class. The *inputs* she can be asked for are her class, and for every feature
    the pair of value and class, encoded together as a·k + v: only then does the connection between the two, which is
    all that a classifier needs, survive. Each input is reported through a frequency oracle; the server estimates

    .. math::  P(C_v) \approx \frac{E_v}{\sum_j E_j}, \qquad
               P(x_i = a \mid C_v) \approx \frac{E_{a,v} + \alpha}{\sum_{a'} E_{a',v} + \alpha n_i}.

    Whatever the parameters, ε is the budget of a user's **whole** report.

    Parameters
    ----------
    epsilon : float, default 1.0
        Privacy budget ε of everything that one user sends, finite and > 0.
    oracle : {"de", "sue", "oue", "she", "the", "ss", "olh"} or callable, default "oue"
        The frequency oracle: a name, a class, or a function called as ``oracle(epsilon, domain)``.
    report : {"sample", "groups", "split"}, default "sample"
        What a user sends. "sample": one of the m inputs, which she draws uniformly at random, at ε; the report says
        which. "groups": one input at ε, the server having divided the users into m random groups of equal size (to
        within one user). "split": all m inputs at ε/m each, to show what that costs.
    prior : {"label", "features"}, default "label"
        Where class probabilities come from. "label": the class is an input of its own, m = h + 1. "features": class
        counts are sums over the joint tables, m = h.
    alpha : float, default 1.0
        Laplace smoothing, > 0: added to each estimated count of a pair, in users who report that feature.
    postprocess : {"clip", "normalize", "simplex", "one"}, default "clip"
        What happens to negative estimates. "clip": raised to 0. "normalize": raised to 0, then each table is scaled to
        the number of its reports. "simplex": nearest table without negative entries and with the right total. "one":
        set to 1, as some texts do; adds users who do not exist. See :mod:`ldp_core.postprocess`.
    categories : sequence of int or of sequences, optional
        Per feature the values it can take, or their number n_i for 0, …, n_i − 1. None reads them off the data, which
        assumes that this list is public anyway: the guarantee covers what users report, not the list, and
        :class:`PrivacyLeakWarning` says so.
    classes : sequence, optional
        The classes, at least two; None reads them off the data, with the same assumption and notice. Where the data
        then hold one class only, nobody is asked, and the model always predicts it.
    random_state : numpy.random.Generator, int or None
        Source of randomness of the reports. None: fresh in every fit. A generator: fresh in every fit as well, and each
        clone, copy or fold gets a stream of its own; only the same generator from the same start repeats. An int: for
        teaching, **the same noise in every fit, which is not private**; see :class:`RepeatedNoiseWarning`.

    Attributes
    ----------
    classes_ : ndarray, shape (k,)
        The classes.
    categories_ : list of ndarray
        The values of each feature.
    class_count_ : ndarray, shape (k,)
        Estimated class counts after post-processing.
    category_count_ : list of ndarray, feature i: shape (n_i, k)
        Estimated counts of pairs after post-processing.
    class_log_prior_, feature_log_prob_ : ndarray, shape (k,), and list of ndarray, feature i: shape (n_i, k)
        Logarithms of the estimated probabilities.
    bits_ : float
        Communication cost: mean number of bits that a user sends, including the ⌈log₂ m⌉ that say which input
        ("sample" only: with "groups" the server knows).
    n_features_in_ : int
        Number of features h.

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

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> LDPNaiveBayes:
        """Let every user report, then estimate.

        Parameters
        ----------
        X : array_like or DataFrame, shape (n, h)
            Features: numbers or strings, no missing values.
        y : array_like, shape (n,)
            Classes.

        Returns
        -------
        LDPNaiveBayes
            The fitted model.

        Raises
        ------
        ValueError
            If data are missing, do not match or are not declared, or a parameter is out of range. In the local model
            a value that is not declared is the device's error, before anything has left it.
        """
        self._check_parameters()
        schema, features, label = self._read(X, y)
        if schema.k == 1:
            return self._nobody_asked(schema)
        inputs, oracles = self._inputs(features, label, schema), self._oracles(schema)
        rng = noise_source(self.random_state)
        asked = None if self.report == "split" else self._assign(len(label), rng)
        supports: list[npt.NDArray[Any] | None] = []
        for i, oracle in enumerate(oracles):
            codes = inputs[:, i] if asked is None else inputs[asked == i, i]
            # What leaves the device is `perturb`'s result, and nothing else.
            supports.append(oracle.aggregate(oracle.perturb(codes, rng)) if codes.size else None)
        users = np.full(len(oracles), len(label)) if asked is None else np.bincount(asked, minlength=len(oracles))
        return self._estimate(schema, oracles, supports, users)

    # ---- from counts ------------------------------------------------------------------------------------------

    def tabulate(
        self, X: npt.ArrayLike, y: npt.ArrayLike, counts: npt.ArrayLike | None = None, rng: Rng = None
    ) -> ContingencyTables:
        """Decide who reports what, and count it: the first half of the fast path.

        Parameters
        ----------
        X, y : array_like
            As in :meth:`fit`.
        counts : array_like of int, shape (n,), optional
            How many users hold each row; None for one. The cost does not depend on how many.
        rng : numpy.random.Generator, int or None
            Source of randomness of the draw ("sample", "groups"); None takes ``random_state``. Nothing hangs on who is
            asked, so that an integer may repeat it; its stream is not that of the noise.

        Returns
        -------
        ContingencyTables
            The counts that :meth:`fit_counts` takes. ``fit_counts(tabulate(X, y))`` has exactly the distribution of
            ``fit(X, y)``. For another run draw anew; with report="split" there is nothing to draw.
        """
        self._check_parameters()
        schema, features, label = self._read(X, y)
        inputs, domains = self._inputs(features, label, schema), self._domains(schema)
        holders = np.ones(len(label), dtype=np.int64) if counts is None else check_counts(counts, "counts", len(label))
        if not holders.any():
            raise ValueError("counts must hold at least one user, got all zeros")
        generator = draw_source(self.random_state) if rng is None else draw_source(rng, "rng")
        if counts is None and self.report != "split":
            asked = self._assign(len(label), generator)
            start = np.cumsum([0, *domains])  # all inputs in one long domain: a single count
            codes = inputs[np.arange(len(label)), asked] + start[asked]
            flat = np.split(np.bincount(codes, minlength=start[-1]), start[1:-1])
        else:
            shares = self._spread(holders, len(domains), generator)
            flat = [_weighted_bincount(inputs[:, i], d, shares[:, i]) for i, d in enumerate(domains)]
        joint = flat[1:] if self.prior == "label" else flat
        tables = [t.reshape(-1, schema.k) for t in joint]
        return ContingencyTables(tables, flat[0] if self.prior == "label" else None, schema)

    def fit_counts(self, tables: ContingencyTables, rng: Rng = None) -> LDPNaiveBayes:
        """Draw what the server would see, and estimate: the second half of the fast path, at a cost free of n.

        Parameters
        ----------
        tables : ContingencyTables
            Who reports what: from :meth:`tabulate`, or made by hand.
        rng : numpy.random.Generator, int or None
            Source of randomness; None takes ``random_state``. An integer is for teaching, as there.

        Returns
        -------
        LDPNaiveBayes
            The fitted model, with exactly the distribution that :meth:`fit` gives it.

        Raises
        ------
        ValueError
            If tables have the wrong shapes, negative or broken counts, or lack the label that prior="label" needs;
            with report="split", if tables do not all count the same users.
        """
        self._check_parameters()
        schema = self._schema_of(tables)
        flat = [
            check_counts(np.asarray(t).ravel(), f"joint[{i}]", n_i * schema.k)
            for (i, t), n_i in zip(enumerate(tables.joint), schema.sizes, strict=True)
        ]
        if self.prior == "label":
            flat.insert(0, check_counts(tables.label, "label", schema.k))
        if schema.k == 1:
            return self._nobody_asked(schema)
        users = np.array([t.sum() for t in flat])
        if not users.any():
            raise ValueError("tables must hold at least one user, got all zeros")
        if self.report == "split" and np.any(users != users[0]):
            raise ValueError(f'tables must all count the same users for report="split", got {users.tolist()}')
        oracles = self._oracles(schema)
        generator = noise_source(self.random_state) if rng is None else noise_source(rng, "rng")
        supports = [o.simulate(t, generator) if n else None for o, t, n in zip(oracles, flat, users, strict=True)]
        return self._estimate(schema, oracles, supports, users)

    # ---- the whole report -------------------------------------------------------------------------------------

    def report_channel(self, sizes: Sequence[int], n_classes: int) -> Floats:
        """Give the exact distribution of one user's whole report under everything she can hold.

        Parameters
        ----------
        sizes : sequence of int
            Number of values n_i of each feature.
        n_classes : int
            Number of classes k.

        Returns
        -------
        ndarray of float64, shape (n_1 · … · n_h · k, number of possible whole reports)
            Rows by feature values and class, the class varying fastest; see :func:`records`. For "groups" the group
            is drawn like the input in "sample": it does not depend on the data, so that the ε is the same.

        Raises
        ------
        ValueError
            If the matrix would have more than 2**24 entries, or the oracle has no finite channel ("she").
        """
        self._check_parameters()
        schema, rows = Schema.of_sizes(sizes, n_classes), records(sizes, n_classes)
        inputs = self._inputs(rows[:, :-1], rows[:, -1], schema)
        oracles = self._oracles(schema)
        outputs = [o.n_outputs for o in oracles if isinstance(o, PureOracle)]
        if len(outputs) < len(oracles):
            raise ValueError(f"oracle must have a finite channel, got {self.oracle!r}")
        columns = np.prod(outputs, dtype=float) if self.report == "split" else sum(outputs)
        if len(rows) * columns > CHANNEL_LIMIT:
            raise ValueError(f"the channel must have at most 2**24 entries, got {len(rows)} x {columns:.3g}")
        parts = [o.channel()[inputs[:, i]] for i, o in enumerate(oracles) if isinstance(o, PureOracle)]
        if self.report == "split":
            return reduce(lambda a, b: (a[:, :, None] * b[:, None, :]).reshape(len(rows), -1), parts)
        return np.hstack(parts) / len(parts)

    # ---- parts ------------------------------------------------------------------------------------------------

    def _check_parameters(self) -> None:
        check_epsilon(self.epsilon)
        check_positive(self.alpha, "alpha")
        check_option(self.report, "report", ("sample", "groups", "split"))
        check_option(self.prior, "prior", ("label", "features"))
        check_option(self.postprocess, "postprocess", tuple(POSTPROCESS))
        resolve_oracle(self.oracle)

    def _domains(self, schema: Schema) -> list[int]:
        """Size of the domain of every input."""
        joint = [n * schema.k for n in schema.sizes]
        return [schema.k, *joint] if self.prior == "label" else joint

    def _oracles(self, schema: Schema) -> list[FrequencyOracle]:
        domains = self._domains(schema)
        epsilon = self.epsilon / len(domains) if self.report == "split" else self.epsilon
        return [make_oracle(self.oracle, epsilon, d) for d in domains]

    def _nobody_asked(self, schema: Schema) -> LDPNaiveBayes:
        self._learn_one_class(schema)
        self.bits_ = 0.0
        return self

    def _inputs(self, features: Codes, label: Codes, schema: Schema) -> Codes:
        """Everything a user can be asked for, shape (n, m): (the class,) then value·k + class for every feature."""
        joint = features * schema.k + label[:, None]
        return np.column_stack([label, joint]) if self.prior == "label" else joint

    def _assign(self, n: int, rng: np.random.Generator) -> Codes:
        """Which one input each user reports."""
        m = self.n_features_in_ + (self.prior == "label")
        if self.report == "sample":
            return rng.integers(m, size=n)
        return rng.permutation(n) % m  # groups of equal size, whatever the order of the rows

    def _spread(self, holders: Counts, m: int, rng: np.random.Generator) -> Counts:
        """How many holders of each row report each input, shape (rows, m): the law of `_assign`, without users."""
        if self.report == "split":
            return np.repeat(holders[:, None], m, axis=1)
        if self.report == "sample":
            return rng.multinomial(holders, np.full(m, 1 / m))
        n = int(holders.sum())
        if n >= GROUPS_LIMIT:
            raise ValueError(f'counts must sum to less than 10**9 for report="groups", got {n}: try report="sample"')
        left, shares = holders.copy(), np.empty((len(holders), m), dtype=np.int64)
        for i in range(m):
            # Group i is a random subset, of fixed size, of those who are not yet in a group.
            shares[:, i] = rng.multivariate_hypergeometric(left, n // m + (i < n % m), method="marginals")
            left -= shares[:, i]
        return shares

    def _schema_of(self, tables: ContingencyTables) -> Schema:
        if not isinstance(tables, ContingencyTables):
            raise TypeError(f"tables must be ContingencyTables, got {type(tables).__name__}")
        if not isinstance(tables.joint, Sequence):
            raise TypeError(f"joint must be a sequence of tables, got {shown(tables.joint)}")
        shapes = [as_array(t, f"joint[{i}]").shape for i, t in enumerate(tables.joint)]
        least = 2 if tables.schema is None else tables.schema.k  # which is 1 if one class was found
        if not shapes or any(len(s) != 2 or s[0] < 1 or s[1] != shapes[0][1] or s[1] < least for s in shapes):
            raise ValueError(f"joint must be tables of shape (n_i, k), the same k >= 2 in all, got shapes {shapes}")
        if self.prior == "label" and tables.label is None:
            raise ValueError('tables must have label counts for prior="label", got None')
        if tables.schema is None:
            return Schema.of_sizes([s[0] for s in shapes], shapes[0][1])
        wanted = [(n, tables.schema.k) for n in tables.schema.sizes]
        if wanted != shapes:
            raise ValueError(f"joint must have the schema's shapes {wanted}, got {shapes}")
        return tables.schema

    def _estimate(
        self,
        schema: Schema,
        oracles: list[FrequencyOracle],
        supports: Sequence[npt.NDArray[Any] | None],
        users: Counts,
    ) -> LDPNaiveBayes:
        """On the server: unbiased counts, made presentable, made probabilities."""
        change = POSTPROCESS[self.postprocess]
        estimates = [
            np.zeros(o.d) if support is None else change(o.estimate(support, int(n)), float(n))
            for o, support, n in zip(oracles, supports, users, strict=True)
        ]
        joint = estimates[1:] if self.prior == "label" else estimates
        tables = [e.reshape(-1, schema.k) for e in joint]
        classes = estimates[0] if self.prior == "label" else np.sum([t.sum(axis=0) for t in tables], axis=0)
        self._learn(schema, classes, tables)
        bits = [o.bits for o in oracles]
        which = (len(oracles) - 1).bit_length() if self.report == "sample" else 0
        self.bits_ = float(sum(bits)) if self.report == "split" else float(np.mean(bits)) + which
        return self


def resolve_oracle(oracle: object) -> MakeOracle:
    """Turn a name, a class or a function into something that makes an oracle from ε and a domain size."""
    if isinstance(oracle, str):
        if oracle not in ORACLES:
            raise ValueError(f"oracle must be one of {list(ORACLES)}, a class or a function, got {oracle!r}")
        return ORACLES[oracle]
    if not callable(oracle) or (isinstance(oracle, type) and not issubclass(oracle, FrequencyOracle)):
        raise TypeError(f"oracle must be one of {list(ORACLES)}, a FrequencyOracle class or a function, got {oracle!r}")
    return oracle


def make_oracle(oracle: object, epsilon: float, d: int) -> FrequencyOracle:
    """Make an oracle for a budget and a domain, and see that it is one for them.

    A function may return anything, with any budget: the guarantee must not hang on it.
    """
    try:
        made = resolve_oracle(oracle)(epsilon, d)
    except TypeError as error:
        raise TypeError(f"oracle must be called as oracle(epsilon, domain): {error}") from error
    if not isinstance(made, FrequencyOracle):
        raise TypeError(f"oracle must make a FrequencyOracle, got {shown(made)}")
    if not made.epsilon <= epsilon or made.d != d:
        raise ValueError(f"oracle must use epsilon = {epsilon!r} and domain = {d}, got {shown(made)}")
    return made


def _weighted_bincount(codes: Codes, d: int, weights: Counts) -> Counts:
    """Sum whole-number weights by code; NumPy's own would go through floats."""
    counts = np.zeros(d, dtype=np.int64)
    np.add.at(counts, codes, weights)
    return counts
