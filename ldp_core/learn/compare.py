"""Classifiers compared: who with whom, how often, and what a list of differences says about a claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import KFold

from ldp_core._arrays import Floats
from ldp_core._validate import Rng, as_array, check_epsilon, check_int, check_numbers, check_positive, check_rng, seeded
from ldp_core.learn._random import child
from ldp_core.learn.ldpbayes import LDPBayes
from ldp_core.learn.naive_bayes import LDPNaiveBayes

__all__ = ["judge", "paired", "repeated_cv", "rivals"]


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
    rng: Rng = None,
) -> dict[str, Floats]:
    """Cross-validate several models at several budgets, again and again with new folds and new noise.

    In each repetition the rows are shuffled into folds, the same for all models and budgets, so that differences can be
    compared in pairs. The score of a repetition is the share of rows that were classified rightly while their fold was
    left out. The result has an accuracy for each of the epsilons and repetitions, by model. Models of discrete features
    should be told ``categories`` and ``classes``: a fold may lack some.

    Parameters
    ----------
    models : mapping of str to callable
        Each makes an estimator from ε and a generator, as in
        ``lambda epsilon, rng: LDPNaiveBayes(epsilon, random_state=rng)``.
    rng : numpy.random.Generator, int or None
        Source of folds and noise. Repetitions draw from streams of their own; those of an integer are the same in every
        call, and others than those of data made with it. Within a repetition every fold and every model has its own
        noise, if the estimator draws from the generator it is given; outside a study give :func:`ldp_core.secure_rng`.

    Notes
    -----
    :class:`LDPNaiveBayes` is fitted from counts, with exactly the distribution that ``fit`` has. Models that report in
    the same way share the draw of who reports what (common random numbers); noise is drawn anew for each.
    """
    features, target = as_array(X, "X"), as_array(y, "y")
    if target.ndim != 1 or not features.ndim or len(features) != len(target):
        raise ValueError(f"X and y must have one row for each other, got shapes {features.shape} and {target.shape}")
    budgets = [check_epsilon(epsilon) for epsilon in epsilons]
    repetitions = check_int(repetitions, "repetitions", 1)
    folds = check_int(folds, "folds", 2, len(target))
    source = check_rng(rng)
    right = {name: np.zeros((len(budgets), repetitions)) for name in models}
    for r in range(repetitions):
        own = seeded(int(rng), "noise", r) if isinstance(rng, (int, np.integer)) else child(source)
        split = KFold(folds, shuffle=True, random_state=int(own.integers(2**31)))
        for train, test in split.split(features):
            tables: dict[Any, Any] = {}
            for name, make in models.items():
                for i, epsilon in enumerate(budgets):
                    model = _fit(make(epsilon, own), features[train], target[train], tables, own)
                    right[name][i, r] += np.sum(model.predict(features[test]) == target[test])
    return {name: hits / len(target) for name, hits in right.items()}


def paired(first: npt.ArrayLike, second: npt.ArrayLike) -> tuple[Any, Any]:
    """Give the mean of first − second over the last axis, at least two repetitions, and its standard error.

    Examples
    --------
    >>> difference, error = paired([0.5, 0.7, 0.6], [0.4, 0.5, 0.6])
    >>> round(float(difference), 3), round(float(error), 3)
    (0.1, 0.058)
    """
    one, other = check_numbers(first, "first"), check_numbers(second, "second")
    if one.shape != other.shape:
        raise ValueError(f"first and second must have one shape, got {one.shape} and {other.shape}")
    difference = one - other
    if difference.ndim == 0 or difference.shape[-1] < 2:
        raise ValueError(f"first and second must have at least 2 repetitions, got shape {difference.shape}")
    return difference.mean(axis=-1), difference.std(axis=-1, ddof=1) / np.sqrt(difference.shape[-1])


def judge(differences: Sequence[tuple[float, float]], *, clear: float = 3.0) -> dict[str, Any]:
    """Say in a word, and in numbers, what many differences tell about the claim that all of them are positive.

    Each has its standard error, as from :func:`paired`; it is clear if it lies more than so many of these from 0.

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
    pairs = check_numbers(differences, "differences")
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not len(pairs):
        raise ValueError(f"differences must be pairs of a difference and its standard error, got shape {pairs.shape}")
    if np.any(pairs[:, 1] < 0):
        raise ValueError(f"differences must have standard errors of at least 0, got {pairs[:, 1].min():g}")
    edge = check_positive(clear, "clear") * pairs[:, 1]
    up, down = int(np.sum(pairs[:, 0] > edge)), int(np.sum(pairs[:, 0] < -edge))
    if up and down:
        word = "mostly holds" if up >= 3 * down else "mostly fails" if down >= 3 * up else "mixed"
    elif up or down:
        word = ("holds" if up else "fails") + ("" if 2 * (up + down) >= len(pairs) else " in part")
    else:
        word = "open"
    return {
        "verdict": word,
        "clearly for": up,
        "clearly against": down,
        "of": len(pairs),
        "mean difference, points": round(100 * float(pairs[:, 0].mean()), 1),
    }


def rivals(epsilon: float = 1.0, *, random_state: Rng = None, **schema: Any) -> dict[str, Any]:
    """Make LDPBayes and what it is compared with, all at budget ε of the whole report.

    The schema, ``categories`` and ``classes``, is passed on to each.

    Returns
    -------
    dict of str to estimator
        "LDPBayes"; "LDPBayes, consistent", its experimental variant; "DE, split" and "OUE, split", every attribute
        joined with the class at ε/h (the paper's rivals); "JESS", one sampled attribute by subset selection at ε (named
        in the paper, which leaves it out of its experiments on account of the error of sampling); "OUE, one sampled",
        the same with OUE. All post-process alike.

    References
    ----------
    E. Yilmaz, M. Al-Rubaie and J. M. Chang. arXiv:1905.01039, 2019. Q. Xue, Y. Zhu and J. Wang. Joint distribution
    estimation and naive Bayes classification under local differential privacy. IEEE Transactions on Emerging Topics in
    Computing 9(4), 2021 (JESS).

    Examples
    --------
    >>> list(rivals(epsilon=2.0))
    ['LDPBayes', 'LDPBayes, consistent', 'DE, split', 'OUE, split', 'JESS', 'OUE, one sampled']
    """
    common = {"prior": "features", "postprocess": "normalize", "random_state": random_state, **schema}
    return {
        "LDPBayes": LDPBayes(epsilon, random_state=random_state, **schema),
        "LDPBayes, consistent": LDPBayes(epsilon, consistent=True, random_state=random_state, **schema),
        "DE, split": LDPNaiveBayes(epsilon, oracle="de", report="split", **common),
        "OUE, split": LDPNaiveBayes(epsilon, oracle="oue", report="split", **common),
        "JESS": LDPNaiveBayes(epsilon, oracle="ss", report="sample", **common),
        "OUE, one sampled": LDPNaiveBayes(epsilon, oracle="oue", report="sample", **common),
    }


def _fit(model: Any, X: Any, y: Any, tables: dict[Any, Any], rng: np.random.Generator) -> Any:
    """Fit from counts where the model can, tabulating once for all models whose tables depend on the same."""
    if not hasattr(model, "_tabulation"):
        return model.fit(X, y)
    key = type(model).tabulate, model._tabulation()
    if key not in tables:
        tables[key] = model.tabulate(X, y, rng=rng)
    return model.fit_counts(tables[key], rng)
