"""How far is a stand-in from the real file? Distances between two frames with the same columns.

Every frame has rows, and ``other`` the columns of ``one``; a missing value counts as a value. All distances lie in
[0, 1].
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence
from importlib import resources
from itertools import combinations
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ldp_book.datasets.registry import find
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

    It is the largest difference of probability that any event on these columns
    can show.

    Examples
    --------
    >>> a = pd.DataFrame({"x": ["yes", "no"]})
    >>> b = pd.DataFrame({"x": ["yes", "yes", "yes", "no"]})
    >>> total_variation(a, b, ["x"])
    0.25
    """
    _check_columns(columns, one=one, other=other)
    return _distance(_joint_codes(one, other, columns), len(one))


def marginals(one: pd.DataFrame, other: pd.DataFrame) -> dict[str, float]:
    """Give the total variation distance of every column, the largest first."""
    _check(one=one, other=other)
    distances = {str(name): total_variation(one, other, [name]) for name in one.columns}
    return dict(sorted(distances.items(), key=itemgetter(1), reverse=True))


def pairs(one: pd.DataFrame, other: pd.DataFrame) -> dict[tuple[str, str], float]:
    """Give the total variation distance of every pair of columns, taken jointly, the largest first."""
    _check(one=one, other=other)
    codes = {str(name): _joint_codes(one, other, [name]) for name in one.columns}  # once a column, not once a pair
    distances = {(a, b): _distance(_combine(codes[a], codes[b]), len(one)) for a, b in combinations(codes, 2)}
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
    _check(train=train, test=test)
    if not isinstance(target, str) or target not in train.columns:
        raise ValueError(
            f"target must be one of the columns {', '.join(map(shown, train.columns))}, got {shown(target)}"
        )
    if len(train.columns) < 2:
        raise ValueError(f"train must have a column besides {target!r} to predict it from")
    features = [name for name in train.columns if name != target]
    X = np.column_stack([_joint_codes(train, test, [name]) for name in features])
    y = _joint_codes(train, test, [target])
    if model is not None and not (hasattr(model, "fit") and hasattr(model, "predict")):
        raise TypeError(f"model must be a scikit-learn classifier, got {shown(model)}")
    if model is None:
        from sklearn.naive_bayes import CategoricalNB

        model = CategoricalNB(min_categories=X.max(axis=0) + 1)
    n = len(train)
    model.fit(X[:n], y[:n])
    return float(np.mean(model.predict(X[n:]) == y[n:]))


def _check(**frames: pd.DataFrame) -> None:
    """Check that each frame has rows, and the columns of the first, at least one."""
    for argument, frame in frames.items():
        if not isinstance(frame, pd.DataFrame):
            raise TypeError(f"{argument} must be a pandas DataFrame, got {shown(frame)}")
    _check_columns(list(next(iter(frames.values())).columns), **frames)


def _check_columns(columns: Sequence[str], **frames: pd.DataFrame) -> None:
    if isinstance(columns, str) or not isinstance(columns, Sequence):
        raise TypeError(f"columns must be a list of names, got {shown(columns)}")
    if not columns:
        raise ValueError("columns must name at least one column, got none")
    for argument, frame in frames.items():
        if not isinstance(frame, pd.DataFrame):
            raise TypeError(f"{argument} must be a pandas DataFrame, got {shown(frame)}")
        missing = [name for name in columns if not isinstance(name, Hashable) or name not in frame.columns]
        if missing:
            raise ValueError(f"columns must be in both frames; {shown(missing[0])} is not in {argument}")
        if frame.empty:
            raise ValueError(f"{argument} must have at least one row, got none")


def _joint_codes(one: pd.DataFrame, other: pd.DataFrame, columns: Sequence[str]) -> npt.NDArray[np.intp]:
    """Number the combinations of values that occur: the codes of the first frame's rows, then the second's."""
    joint = np.zeros(len(one) + len(other), dtype=np.intp)
    for name in columns:
        both = pd.concat([one[name], other[name]], ignore_index=True)
        joint = _combine(joint, pd.factorize(both, sort=True, use_na_sentinel=False)[0])
    return joint


def _combine(a: npt.NDArray[np.intp], b: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Number the pairs of codes, in order; afresh if they would be far more numbers than rows."""
    # 64 bits for the products; an index has 32 in the browser.
    joint = a.astype(np.int64) * (int(b.max()) + 1) + b
    return joint.astype(np.intp) if joint.max() < 4 * len(joint) else np.unique(joint, return_inverse=True)[1]


def _distance(codes: npt.NDArray[np.intp], n: int) -> float:
    """Give the total variation distance of the first n codes from the rest."""
    size = int(codes.max()) + 1
    p = np.bincount(codes[:n], minlength=size) / n
    q = np.bincount(codes[n:], minlength=size) / (len(codes) - n)
    return float(np.abs(p - q).sum() / 2)
