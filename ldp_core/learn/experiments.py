"""Repeated cross-validation of private classifiers, quickly, and what a list of differences says about a claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import KFold

from ldp_core._validate import Rng, as_array, check_epsilon, check_int, check_numbers, check_positive, seeded
from ldp_core.frequency import PureOracle
from ldp_core.learn._discrete import DiscreteNB
from ldp_core.learn._random import noise_source
from ldp_core.learn._schema import Categories, records
from ldp_core.learn.naive_bayes import ContingencyTables, LDPNaiveBayes, MakeOracle, make_oracle

Floats = npt.NDArray[np.float64]

#: Makes an estimator for a budget; its noise must come from the generator.
MakeModel = Callable[[float, np.random.Generator], Any]


def repeated_cv(
    models: Mapping[str, MakeModel],
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    epsilons: Sequence[float],
    repetitions: int = 30,
    folds: int = 5,
    test_rows: int | None = None,
    seed: int = 0,
) -> dict[str, Floats]:
    """Cross-validate several models at several budgets, again and again with new folds and new noise.

    In each repetition the rows are shuffled into folds, the same for all models and budgets, so that differences can be
    compared in pairs. The score of a repetition is the share of rows that were classified rightly while their fold
    was left out.

    Parameters
    ----------
    models : mapping of str to callable
        Each makes an estimator from ε and a generator, as in
        ``lambda epsilon, rng: LDPNaiveBayes(epsilon, random_state=rng)``.
    X, y : array_like, shapes (n, h) and (n,)
        The data. Models of discrete features should be told ``categories`` and ``classes``: a fold may lack some.
    epsilons : sequence of float
        Budgets, each > 0.
    repetitions : int, default 30
        How often, ≥ 1.
    folds : int, default 5
        Number of folds, from 2 to n.
    test_rows : int, optional
        Classify only so many rows of each fold, the same for all models: saves time where folds are large. None: all.
    seed : int, default 0
        Repetitions draw from streams of their own, and from others than data made with the same integer. Within a
        repetition every fold and every model has its own noise, if the estimator draws from the generator it is given.

    Returns
    -------
    dict of str to ndarray, shape (len(epsilons), repetitions)
        Accuracies in [0, 1].

    Notes
    -----
    :class:`LDPNaiveBayes` is fitted from counts, with exactly the distribution that ``fit`` has. Models that report in
    the same way share the draw of who reports what (common random numbers); noise is drawn anew for each.
    """
    features, target = as_array(X, "X"), as_array(y, "y")
    if target.ndim != 1 or not features.ndim or len(features) != len(target):
        raise ValueError(f"X and y must have one row for each other, got shapes {features.shape} and {target.shape}")
    budgets = [check_epsilon(epsilon) for epsilon in epsilons]
    repetitions, seed = check_int(repetitions, "repetitions", 1), check_int(seed, "seed", 0)
    folds = check_int(folds, "folds", 2, len(target))
    if test_rows is not None:
        test_rows = check_int(test_rows, "test_rows", 1)
    tested = 0
    right = {name: np.zeros((len(budgets), repetitions)) for name in models}
    for r in range(repetitions):
        rng = seeded(seed, "noise", r)
        split = KFold(folds, shuffle=True, random_state=int(rng.integers(2**31)))
        for train, fold in split.split(features):
            test = fold if test_rows is None or test_rows >= len(fold) else rng.choice(fold, test_rows, replace=False)
            tested += len(test)
            tables: dict[Any, Any] = {}
            for name, make in models.items():
                for i, epsilon in enumerate(budgets):
                    model = _fit(make(epsilon, rng), features[train], target[train], tables, rng)
                    right[name][i, r] += np.sum(model.predict(features[test]) == target[test])
    return {name: hits * repetitions / tested for name, hits in right.items()}


def paired(first: npt.ArrayLike, second: npt.ArrayLike) -> tuple[Any, Any]:
    """Give the mean difference of two rows of repetitions, and its standard error.

    Parameters
    ----------
    first, second : array_like, shape (..., repetitions)
        Accuracies of the same repetitions, at least two.

    Returns
    -------
    difference, standard_error : ndarray or float
        Of ``first − second``, over the last axis.
    """
    one, other = check_numbers(first, "first"), check_numbers(second, "second")
    if one.shape != other.shape:
        raise ValueError(f"first and second must have one shape, got {one.shape} and {other.shape}")
    difference = one - other
    if difference.ndim == 0 or difference.shape[-1] < 2:
        raise ValueError(f"first and second must have at least 2 repetitions, got shape {difference.shape}")
    return difference.mean(axis=-1), difference.std(axis=-1, ddof=1) / np.sqrt(difference.shape[-1])


def judge(differences: Sequence[tuple[float, float]], clear: float = 3.0) -> dict[str, Any]:
    """Say in a word, and in numbers, what many differences tell about the claim that all of them are positive.

    Parameters
    ----------
    differences : sequence of (float, float)
        Differences with their standard errors, as :func:`paired` gives them; at least one.
    clear : float, default 3.0
        A difference is clear if it lies more than so many standard errors from 0.

    Returns
    -------
    dict
        "verdict", "clearly for", "clearly against", "of" and "mean difference, points". The word is "open" where
        nothing is clear; "holds" or "fails" where what is clear all points one way and is at least half of the list,
        with "in part" added where it is less; where both occur, "mostly holds" or "mostly fails" at three to one or
        more, and "mixed" otherwise.

    Examples
    --------
    >>> judge([(0.02, 0.001)] * 38 + [(-0.02, 0.001)] + [(0.0, 0.001)] * 25)["verdict"]
    'mostly holds'
    >>> judge([(0.02, 0.001)] + [(-0.02, 0.001)] * 5)["verdict"]
    'mostly fails'
    """
    found = check_numbers(differences, "differences")
    if found.ndim != 2 or found.shape[1] != 2 or not len(found):
        raise ValueError(f"differences must be pairs of a difference and its standard error, got shape {found.shape}")
    if np.any(found[:, 1] < 0):
        raise ValueError(f"differences must have standard errors of at least 0, got {found[:, 1].min():g}")
    edge = check_positive(clear, "clear") * found[:, 1]
    up, down = int(np.sum(found[:, 0] > edge)), int(np.sum(found[:, 0] < -edge))
    if up and down:
        word = "mostly holds" if up >= 3 * down else "mostly fails" if down >= 3 * up else "mixed"
    elif up or down:
        word = ("holds" if up else "fails") + ("" if 2 * (up + down) >= len(found) else " in part")
    else:
        word = "open"
    return {
        "verdict": word,
        "clearly for": up,
        "clearly against": down,
        "of": len(found),
        "mean difference, points": round(100 * float(found[:, 0].mean()), 1),
    }


class BlockNaiveBayes(DiscreteNB):
    r"""Naive Bayes with the reports that the code of a published experiment sends [1]_: ε for *each* of them.

    Every class has a block of columns, one column a feature. A person fills the block of her own class with her values
    and all other blocks with values drawn uniformly; then she reports every column of every block, and her class, each
    at ε. The server subtracts the expected fill. It is here so that a published curve can be reproduced under its own
    accounting; for use there is :class:`LDPNaiveBayes`.

    **The ε of the whole record is larger than** ``epsilon``: (h + 1)·ε with direct encoding, and at least that with
    the oracles that send bits; :meth:`report_channel` lets one check.

    Parameters
    ----------
    epsilon : float, default 1.0
        Privacy budget ε of each single report, finite and > 0.
    oracle : str or callable, default "oue"
        As in :class:`LDPNaiveBayes`; its domains are the n_i values of a feature, and the k classes.
    categories, classes, random_state
        As in :class:`LDPNaiveBayes`.

    References
    ----------
    .. [1] J. M. Chang, D. Zhuang and G. D. Samaraweera. Privacy-Preserving Machine Learning. Manning 2023, chapter 5;
       its public code, Ch5/LDP-NB/gldpnb.py.
    """

    #: Counts are at least 1, so nothing has to be smoothed; the base wants something.
    alpha = 1e-12

    def __init__(
        self,
        epsilon: float = 1.0,
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
        """Draw what the server would see of these people, and estimate."""
        return self.fit_counts(self.tabulate(X, y))

    def tabulate(self, X: npt.ArrayLike, y: npt.ArrayLike) -> ContingencyTables:
        """Count pairs of value and class: everybody reports everything, nothing is drawn."""
        asked = LDPNaiveBayes(report="split", categories=self.categories, classes=self.classes)
        return asked.tabulate(X, y, rng=0)

    def fit_counts(self, tables: ContingencyTables, rng: Rng = None) -> BlockNaiveBayes:
        """Draw the fill and the reports of all people at once, and estimate as the published code does."""
        generator = noise_source(self.random_state) if rng is None else noise_source(rng, "rng")
        label, schema = np.asarray(tables.label), tables.schema
        if schema is None:
            raise ValueError("tables must have a schema, as those of tabulate have, got None")
        n = int(label.sum())

        def asked(held: npt.NDArray[Any]) -> Floats:
            oracle = make_oracle(self.oracle, check_epsilon(self.epsilon), len(held))
            return _at_least_one(oracle.estimate(oracle.simulate(held, generator), n))

        classes = asked(label)
        joint = []
        for table in tables.joint:
            values = len(table)
            found = np.ones(table.shape)
            for v in range(schema.k if values > 1 else 0):  # a feature of one value tells nothing
                fill = generator.multinomial(n - label[v], np.full(values, 1 / values))
                expected = np.round((n - classes[v]) / values)
                found[:, v] = _at_least_one(asked(table[:, v] + fill) - expected)
            joint.append(found)
        self._learn(schema, classes, joint)
        return self

    def report_channel(self, sizes: Sequence[int], n_classes: int) -> Floats:
        """Give the exact distribution of one person's whole report under every record, for oracles with p and q.

        Parameters
        ----------
        sizes : sequence of int
            Number of values of each feature.
        n_classes : int
            Number of classes.

        Returns
        -------
        ndarray of float64, shape (records, whole reports)
            Rows as :func:`records` lists them.
        """

        def channel(d: int) -> Floats:
            oracle = make_oracle(self.oracle, check_epsilon(self.epsilon), d)
            if not isinstance(oracle, PureOracle):
                raise TypeError(f"oracle must be one with p and q, got {type(oracle).__name__}")
            matrix: Floats = oracle.channel()
            return matrix

        features, label = [channel(d) for d in sizes], channel(n_classes)
        rows = []
        for *values, v in records(sizes, n_classes).tolist():
            parts = [label[v]]
            for block in range(n_classes):
                parts += [c[a] if block == v else c.mean(axis=0) for c, a in zip(features, values, strict=True)]
            rows.append(reduce(np.kron, parts))
        return np.array(rows)


def _at_least_one(estimates: Floats) -> Floats:
    """As the published code has it: whatever is not positive becomes one person."""
    return np.where(estimates <= 0, 1.0, estimates)


def _fit(model: Any, X: Any, y: Any, tables: dict[Any, Any], rng: np.random.Generator) -> Any:
    """Fit from counts where the model can, tabulating once for all models that report in the same way."""
    if isinstance(model, BlockNaiveBayes):
        if "blocks" not in tables:
            tables["blocks"] = model.tabulate(X, y)
        return model.fit_counts(tables["blocks"], rng)
    if isinstance(model, LDPNaiveBayes):
        key = (model.report, model.prior)
        if key not in tables:
            tables[key] = model.tabulate(X, y, rng=rng)
        return model.fit_counts(tables[key], rng)
    return model.fit(X, y)
