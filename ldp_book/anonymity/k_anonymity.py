"""How anonymous is a table? k, and two later answers to what k does not see: ℓ-diversity and t-closeness."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from ldp_book.anonymity._classes import check_column, check_columns, check_frame, classes, factorize
from ldp_core._arrays import Floats
from ldp_core._validate import check_int, check_option

__all__ = ["anonymity_level", "class_sizes", "is_k_anonymous", "l_diversity", "t_closeness"]


def class_sizes(frame: pd.DataFrame, quasi_identifiers: Iterable[str] | None = None) -> npt.NDArray[np.int64]:
    """For each row, how many rows agree with it on the quasi-identifiers, itself included.

    Examples
    --------
    >>> class_sizes(pd.DataFrame({"age": [30, 30, 41], "sex": ["f", "f", "m"]}))
    array([2, 2, 1])
    """
    codes, number = classes(check_frame(frame), check_columns(frame, quasi_identifiers, "quasi_identifiers"))
    return np.bincount(codes, minlength=number)[codes]


def anonymity_level(frame: pd.DataFrame, quasi_identifiers: Iterable[str] | None = None) -> int:
    """Give the largest k for which the table is k-anonymous: the size of its smallest equivalence class.

    References
    ----------
    L. Sweeney. k-anonymity: a model for protecting privacy. International Journal of Uncertainty, Fuzziness and
    Knowledge-Based Systems 10(5), 2002.

    Examples
    --------
    >>> anonymity_level(pd.DataFrame({"age": [30, 30, 40, 40, 40]}))
    2
    """
    return int(class_sizes(frame, quasi_identifiers).min())


def is_k_anonymous(frame: pd.DataFrame, k: int, *, quasi_identifiers: Iterable[str] | None = None) -> bool:
    """Whether every row agrees with at least k − 1 others on the quasi-identifiers."""
    k = check_int(k, "k", 1)
    return anonymity_level(frame, quasi_identifiers) >= k


def l_diversity(
    frame: pd.DataFrame,
    quasi_identifiers: Iterable[str],
    *,
    sensitive: str,
    kind: Literal["distinct", "entropy"] = "distinct",
) -> float:
    """Give the largest ℓ for which the table is ℓ-diverse.

    The column that is ``sensitive`` is no quasi-identifier. By kind "distinct", ℓ is the least number of different
    sensitive values in a class; by "entropy", :math:`e^{H}` of the class with the least entropy H, which is at most
    that number, and near 1 where one value dominates. At ℓ = 1 some class gives its members' value away to anybody who
    can place them in it.

    References
    ----------
    A. Machanavajjhala, D. Kifer, J. Gehrke and M. Venkitasubramaniam. l-diversity: privacy beyond k-anonymity. ACM
    TKDD 1(1), 2007, sections 4.1 and 4.2.

    Examples
    --------
    >>> table = pd.DataFrame({"age": [30, 30, 40, 40], "illness": ["flu", "flu", "flu", "gout"]})
    >>> l_diversity(table, ["age"], sensitive="illness")
    1.0
    """
    check_option(kind, "kind", ("distinct", "entropy"))
    counts = _sensitive_counts(frame, quasi_identifiers, sensitive)
    if kind == "distinct":
        return float(np.count_nonzero(counts, axis=1).min())
    shares = counts / counts.sum(axis=1, keepdims=True)
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    return float(np.exp(np.min(-np.sum(shares * logs, axis=1))))


def t_closeness(
    frame: pd.DataFrame,
    quasi_identifiers: Iterable[str],
    *,
    sensitive: str,
    distance: Literal["equal", "ordered"] = "equal",
) -> float:
    r"""Give the smallest t for which the table is t-close: the greatest distance of a class from the whole table.

    The ``distance`` is the earth mover's between the distributions of the ``sensitive`` value in a class, p, and in the
    table, P. "equal": all values are equally far apart, and it is :math:`\frac12\sum_v |p_v - P_v|`. "ordered": the m
    values that occur, sorted (categories in their order), lie 1/(m − 1) apart, and it is
    :math:`\frac{1}{m-1}\sum_i |\sum_{v \le i} (p_v - P_v)|`; none may be missing. At t = 0 every class looks like the
    whole table.

    References
    ----------
    N. Li, T. Li and S. Venkatasubramanian. t-closeness: privacy beyond k-anonymity and l-diversity. ICDE 2007,
    sections 3 and 4.

    Examples
    --------
    >>> table = pd.DataFrame({"age": [30, 30, 40, 40], "illness": ["flu", "flu", "flu", "gout"]})
    >>> t_closeness(table, ["age"], sensitive="illness")
    0.25
    """
    check_option(distance, "distance", ("equal", "ordered"))
    counts = _sensitive_counts(frame, quasi_identifiers, sensitive, ordered=distance == "ordered")
    excess = counts / counts.sum(axis=1, keepdims=True) - counts.sum(axis=0) / counts.sum()
    if distance == "equal":
        return float(np.max(np.abs(excess).sum(axis=1)) / 2)
    moved = np.abs(np.cumsum(excess, axis=1)[:, :-1]).sum(axis=1)
    return float(np.max(moved) / max(counts.shape[1] - 1, 1))


def _sensitive_counts(
    frame: pd.DataFrame, quasi_identifiers: Iterable[str], sensitive: str, *, ordered: bool = False
) -> Floats:
    """How often each sensitive value occurs in each class, shape (classes, values), every row and column non-empty."""
    columns = check_columns(check_frame(frame), quasi_identifiers, "quasi_identifiers")
    check_column(frame, sensitive, "sensitive")
    if sensitive in columns:
        raise ValueError(f"sensitive must not be a quasi-identifier, got {sensitive!r}")
    if ordered:
        if frame[sensitive].isna().any():
            raise ValueError(f"sensitive must have no missing values to be ordered, got some in {sensitive!r}")
        try:
            ranks = frame[sensitive].rank(method="dense").to_numpy().astype(np.int64) - 1
        except TypeError as error:  # texts among numbers
            raise TypeError(
                f"sensitive must have values that can be put in order, got {sensitive!r}: {error}"
            ) from None
        values, number = ranks, int(ranks.max()) + 1
    else:
        values, number = factorize(frame[sensitive])
    codes, size = classes(frame, columns)
    return np.bincount(codes * number + values, minlength=size * number).reshape(size, number).astype(np.float64)
