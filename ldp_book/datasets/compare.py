"""How far is a stand-in from the real file? Distances between two frames with the same columns.

Every frame has rows, and ``other`` the columns of ``one``; a missing value counts as a value. All distances lie in
[0, 1].
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import resources
from itertools import combinations
from operator import itemgetter
from typing import Any

import numpy as np
import pandas as pd

from ldp_book.anonymity._classes import check_column, check_columns, check_frame, classes, combine, factorize
from ldp_book.datasets.registry import find
from ldp_core._arrays import Integers
from ldp_core._validate import check_int, shown

__all__ = ["BINS", "accuracy", "binned", "marginals", "pairs", "report", "total_variation"]

#: Numeric columns with more distinct values than this are compared in as many quantile bins.
BINS = 20


def report(name: str) -> dict[str, Any]:
    """Read the packaged report on the stand-in of that name, as ``tools/fit_standin.py`` measured it.

    * ``name``, ``rows``, ``bins`` (numbers are compared in at most so many bins, see :func:`binned`);
    * ``tree``: a list of [parent, child]; besides, every column is joined to the target. Empty where the stand-in
      is not made of counts;
    * ``marginals``: by column, the total variation distance by single ``values`` and ``binned``; of a data set
      with thousands of columns, for about a hundred of them, evenly spaced, and the target;
    * ``pairs``: a list of dicts, the most distant first: ``columns``, ``distance`` (total variation, binned),
      ``resample`` (the same for a bootstrap resample of the real rows: the scale on which to judge ``distance``),
      ``exact`` (whether the stand-in is made to have this pair's counts, numbers that were cut into intervals
      aside). Empty where there are too many columns;
    * ``naive_bayes``, ``decision_tree``: lists of dicts ``train``, ``test``, ``accuracy``;
    * ``majority``: the accuracy of always answering the commonest class.

    Examples
    --------
    >>> report("adult")["rows"]
    32561
    """
    text = resources.files(__package__).joinpath("standins", f"{find(name).name}.json").read_text(encoding="utf-8")
    result: dict[str, Any] = json.loads(text)
    return result


def total_variation(one: pd.DataFrame, other: pd.DataFrame, columns: Sequence[str]) -> float:
    r"""Give the total variation distance between two frames' empirical distributions of some columns, taken jointly.

    .. math::  \tfrac12 \sum_v |P(v) - Q(v)|

    It is the largest difference of probability that any event on these columns can show.

    Examples
    --------
    >>> a = pd.DataFrame({"x": ["yes", "no"]})
    >>> b = pd.DataFrame({"x": ["yes", "yes", "yes", "no"]})
    >>> total_variation(a, b, ["x"])
    0.25
    """
    names = _check(columns, one=one, other=other)
    return _distance(*classes(_both(one, other, names), names), len(one))


def marginals(one: pd.DataFrame, other: pd.DataFrame) -> dict[str, float]:
    """Give the total variation distance of every column, the largest first."""
    distances = {str(name): total_variation(one, other, [name]) for name in _check(one=one, other=other)}
    return dict(sorted(distances.items(), key=itemgetter(1), reverse=True))


def pairs(one: pd.DataFrame, other: pd.DataFrame) -> dict[tuple[str, str], float]:
    """Give the total variation distance of every pair of columns, taken jointly, the largest first."""
    both = _both(one, other, _check(one=one, other=other))
    codes = {str(name): factorize(both[name]) for name in both}  # once a column, not once a pair
    distances = {(a, b): _distance(*combine([codes[a], codes[b]]), len(one)) for a, b in combinations(codes, 2)}
    return dict(sorted(distances.items(), key=itemgetter(1), reverse=True))


def binned(frame: pd.DataFrame, reference: pd.DataFrame, bins: int = BINS) -> pd.DataFrame:
    """Replace numbers by the numbers of quantile bins, 0 and up.

    A numeric column of the frame with more than ``bins`` distinct values in ``reference`` is cut at its quantiles
    1/bins, 2/bins, … there (fewer bins where quantiles coincide): frames to be compared need the same reference.

    Examples
    --------
    >>> numbers = pd.DataFrame({"x": range(8)})
    >>> binned(numbers, numbers, bins=2)["x"].tolist()
    [0, 0, 0, 0, 1, 1, 1, 1]
    """
    check_int(bins, "bins", 1)
    _check(frame=frame, reference=reference)
    result = frame.copy()
    for name in frame.columns:
        if pd.api.types.is_numeric_dtype(frame[name]) and reference[name].nunique() > bins:
            cuts = np.unique(np.quantile(reference[name], np.arange(1, bins) / bins))
            result[name] = np.searchsorted(cuts, frame[name].to_numpy(), side="right")
    return result


def accuracy(train: pd.DataFrame, test: pd.DataFrame, target: str, model: Any = None) -> float:
    """Give the share of rows of `test` that a classifier, trained on `train`, classifies rightly.

    All other columns predict the target; they have few values each (see :func:`binned`), numbered 0 and up. The model
    is naive Bayes, ``CategoricalNB``, unless another scikit-learn classifier is given.

    Examples
    --------
    >>> rows = pd.DataFrame({"x": ["a", "a", "b"], "y": ["yes", "yes", "no"]})
    >>> accuracy(rows, rows, "y")
    1.0
    """
    both = _both(train, test, _check(train=train, test=test))
    check_column(train, target, "target")
    if len(train.columns) < 2:
        raise ValueError(f"train must have a column besides {target!r} to predict it from")
    codes = both.apply(lambda column: pd.factorize(column, sort=True, use_na_sentinel=False)[0])
    X, y = codes.drop(columns=target).to_numpy(), codes[target].to_numpy()
    if model is not None and not (hasattr(model, "fit") and hasattr(model, "predict")):
        raise TypeError(f"model must be a scikit-learn classifier, got {shown(model)}")
    if model is None:
        from sklearn.naive_bayes import CategoricalNB

        model = CategoricalNB(min_categories=X.max(axis=0) + 1)
    n = len(train)
    model.fit(X[:n], y[:n])
    return float(np.mean(model.predict(X[n:]) == y[n:]))


def _check(columns: Sequence[str] | None = None, **frames: pd.DataFrame) -> list[str]:
    """Check that each frame has rows, and the columns that are named, or else those of the first; return these."""
    for argument, frame in frames.items():
        check_frame(frame, argument)
    names = list(next(iter(frames.values())).columns) if columns is None else columns
    for frame in frames.values():
        checked = check_columns(frame, names, "columns")
    return checked


def _both(one: pd.DataFrame, other: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """The first frame's rows, then the second's."""
    return pd.concat([one[names], other[names]], ignore_index=True)


def _distance(codes: Integers, size: int, n: int) -> float:
    """Give the total variation distance of the first n codes, of so many that there are, from the rest."""
    p = np.bincount(codes[:n], minlength=size) / n
    q = np.bincount(codes[n:], minlength=size) / (len(codes) - n)
    return float(np.abs(p - q).sum() / 2)
