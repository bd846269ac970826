"""Repeated cross-validation of private classifiers, quickly: the server sees data through counts only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import KFold

from ldp_core._validate import check_epsilon, check_int
from ldp_core.learn.naive_bayes import LDPNaiveBayes

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
        Repetition r draws from ``SeedSequence([seed, r])``.

    Returns
    -------
    dict of str to ndarray, shape (len(epsilons), repetitions)
        Accuracies in [0, 1].

    Notes
    -----
    :class:`LDPNaiveBayes` is fitted from counts, with exactly the distribution that ``fit`` has. Models that report in
    the same way share the draw of who reports what (common random numbers); noise is drawn anew for each.
    """
    features, target = np.asarray(X), np.asarray(y)
    budgets = [check_epsilon(epsilon) for epsilon in epsilons]
    repetitions, seed = check_int(repetitions, "repetitions", 1), check_int(seed, "seed", 0)
    folds = check_int(folds, "folds", 2, len(target))
    if test_rows is not None:
        test_rows = check_int(test_rows, "test_rows", 1)
    tested = 0
    right = {name: np.zeros((len(budgets), repetitions)) for name in models}
    for r in range(repetitions):
        rng = np.random.default_rng(np.random.SeedSequence([seed, r]))
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
    difference = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    if difference.ndim == 0 or difference.shape[-1] < 2:
        raise ValueError(f"first and second must have at least 2 repetitions, got shape {difference.shape}")
    return difference.mean(axis=-1), difference.std(axis=-1, ddof=1) / np.sqrt(difference.shape[-1])


def _fit(model: Any, X: Any, y: Any, tables: dict[Any, Any], rng: np.random.Generator) -> Any:
    """Fit from counts where the model can, tabulating once for all models that report in the same way."""
    if isinstance(model, LDPNaiveBayes):
        key = (model.report, model.prior)
        if key not in tables:
            tables[key] = model.tabulate(X, y, rng=rng)
        return model.fit_counts(tables[key], rng)
    return model.fit(X, y)
