"""Feature selection by local learning (FWELL), and its ensemble with noise (FELP)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import lambertw
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.validation import check_is_fitted

from ldp_core._arrays import Codes, Floats
from ldp_core._validate import Rng, as_array, check_epsilon, check_int, check_matrix, check_positive, first_where, shown
from ldp_core.central.vectors import laplace_l2
from ldp_core.learn._data import read_labelled
from ldp_core.learn._notices import announce_outside
from ldp_core.learn._random import FreshNoise
from ldp_core.learn._schema import sort_values
from ldp_core.learn.gradients import shorten
from ldp_core.numeric.scaling import check_bounds

__all__ = ["FELP", "FWELL", "fwell_weights", "local_margins", "longest_weights"]


def local_margins(rows: npt.ArrayLike, label: npt.ArrayLike) -> Floats:
    """Give z: how far x is from the nearest of another class, less that from its own, by entry, over √d.

    Rows lie in [0, 1], and label has a class for each. The m rows that have a companion of their own class and a
    stranger give (m, d) numbers, each row of length at most 1. Up to 700 rows, of several that are equally near the
    first counts.

    Examples
    --------
    >>> local_margins([[0.0], [0.1], [1.0], [0.8]], [0, 0, 1, 1]).ravel().round(3)
    array([0.7, 0.6, 0.7, 0.5])
    """
    rows, label = check_matrix(rows, "rows"), as_array(label, "label")
    if rows.size and not 0 <= rows.min() <= rows.max() <= 1:
        raise ValueError(f"rows must lie in [0, 1], got {first_where(rows, (rows < 0) | (rows > 1))}")
    if label.shape != (len(rows),):
        raise ValueError(f"label must have one class for each of {len(rows)} rows, got shape {label.shape}")
    search = _near_in_matrix if len(rows) <= 700 else _near_in_index
    hit, miss = (
        search(rows, np.searchsorted(sort_values(label, "label"), label)) if len(rows) else np.zeros((2, 0), int)
    )
    both = np.flatnonzero((hit >= 0) & (miss >= 0))
    margins = np.empty((len(both), rows.shape[1]))
    step = max(1, 2**15 // rows.shape[1])  # with thousands of features memory is what takes the time: stay in the cache
    for start in range(0, len(both), step):
        i, part = both[start : start + step], margins[start : start + step]
        x = rows[i]
        np.abs(np.subtract(x, rows[miss[i]], out=part), out=part)
        x -= rows[hit[i]]
        part -= np.abs(x, out=x)
        part /= math.sqrt(rows.shape[1])
    return margins


def _near_in_matrix(rows: Floats, label: Codes) -> tuple[Codes, Codes]:
    """Give for each row the nearest of its own class and the nearest of another, the first of equals; −1 for nobody.

    From all distances, |x − y|² = |x|² + |y|² − 2 x·y; their rounding must not decide who is nearest.
    """
    n, d = rows.shape
    square, rounding = np.einsum("ij,ij->i", rows, rows), 1e-14 * d
    hit, miss = np.empty(n, dtype=int), np.empty(n, dtype=int)
    step = max(1, 2**17 // n)  # so many rows at a time stay in the cache
    for start in range(0, n, step):
        part = slice(start, start + step)
        distance = rows[part] @ rows.T
        distance *= -2
        distance += square  # |x|² is the same for all y
        own = label[part, None] == label
        other = ~own
        np.fill_diagonal(own[:, start:], val=False)
        for nearest, allowed in ((hit, own), (miss, other)):
            away = np.where(allowed, distance, np.inf)
            least = away.min(axis=1, keepdims=True)
            nearest[part] = np.where(least[:, 0] < np.inf, np.argmax(away <= least + rounding, axis=1), -1)
    return hit, miss


def _near_in_index(rows: Floats, label: Codes) -> tuple[Codes, Codes]:
    """Give the same for many rows, of which no matrix is made; any of those that are equally near."""
    hit, miss = np.full(len(rows), -1), np.full(len(rows), -1)
    for value in range(label.max() + 1):
        own, other = np.flatnonzero(label == value), np.flatnonzero(label != value)
        if len(own) > 1:
            near = NearestNeighbors(n_neighbors=2).fit(rows[own]).kneighbors(rows[own], return_distance=False)
            itself = np.arange(len(own))
            hit[own] = own[np.where(near[:, 0] == itself, near[:, 1], near[:, 0])]
        if len(other):
            near = NearestNeighbors(n_neighbors=1).fit(rows[other]).kneighbors(rows[own], return_distance=False)
            miss[own] = other[near[:, 0]]
    return hit, miss


def fwell_weights(margins: npt.ArrayLike, *, ridge: float) -> Floats:
    r"""Minimize :math:`\frac1n\sum_i \ln(1 + e^{-w^\top z_i}) + \lambda\|w\|^2`.

    The ridge is λ > 0. The weights are no longer than :func:`longest_weights` if no margin is longer than 1.

    Notes
    -----
    At the minimum :math:`2\lambda w` is a mean of shrunken margins, so that the weights lie in the space that the
    margins span. With fewer margins than features the search happens there, in m numbers instead of d: exact, and with
    a hundred rows of ten thousand features far faster.
    """
    margins, ridge = check_matrix(margins, "margins"), check_positive(ridge, "ridge")
    m, d = margins.shape
    if m == 0:
        return np.zeros(d)
    if m < d:
        square, axes = np.linalg.eigh(margins @ margins.T)
        kept = square > 1e-12 * square[-1]  # repeated margins span less than there are of them
        length, axes = np.sqrt(square[kept]), axes[:, kept]
        weights: Floats = margins.T @ (axes @ (_minimum(axes * length, ridge) / length))
        return weights
    return _minimum(margins, ridge)


def _minimum(margins: Floats, ridge: float) -> Floats:
    """Search in all coordinates; without any, there is nothing to search."""
    if not margins.shape[1]:
        return np.zeros(0)

    def objective(w: Floats) -> tuple[float, Floats]:
        score = margins @ w
        value = float(np.mean(np.logaddexp(0.0, -score))) + ridge * float(w @ w)
        pull = np.exp(-np.logaddexp(0.0, score))  # 1/(1 + e^score), without overflow
        return value, 2 * ridge * w - (pull @ margins) / len(margins)

    start, limits = np.zeros(margins.shape[1]), {"gtol": 1e-10, "ftol": 1e-14}
    weights: Floats = minimize(objective, start, jac=True, method="L-BFGS-B", options=limits).x
    return weights


def longest_weights(ridge: float) -> float:
    r"""Give the largest length that weights can have, whatever the data: :math:`\sqrt{W(1/e)/(2\lambda)}` or 1/(2λ).

    The smaller of the two bounds is given; with the ridge λ they cross at λ = 1.8.

    Notes
    -----
    At the minimum the gradient vanishes, :math:`2\lambda w = \frac1n\sum_i z_i/(1 + e^{s_i})` with
    :math:`s_i = w^\top z_i` and :math:`\|z_i\| \le 1`. Its length gives :math:`\|w\| \le 1/(2\lambda)`. Its product
    with w gives :math:`2\lambda\|w\|^2 = \frac1n\sum_i s_i/(1 + e^{s_i})`, and no term exceeds the largest value of
    :math:`s/(1 + e^s)`: where :math:`(s - 1)e^{s-1} = 1/e`, that is at :math:`s = 1 + W(1/e)`, it is
    :math:`e^{-s} = W(1/e) = 0.2785`. A margin that is fitted well hardly pulls, and one that pulls is hardly fitted.
    """
    twice = 2 * check_positive(ridge, "ridge")
    return min(1 / twice, math.sqrt(float(lambertw(math.exp(-1)).real)) / math.sqrt(twice))


class FWELL(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Feature weighting by local learning: features by which neighbours of other classes differ get large weights.

    Parameters
    ----------
    n_features_to_select : int or float, default 0.1
        How many features, or which share of them (rounded up).
    ridge : float, default 0.01
        λ > 0, the weight of ‖w‖² in the loss.

    Attributes
    ----------
    weights_ : ndarray of float64, shape (n_features,)
        Weights; the largest are selected.

    References
    ----------
    Y. Sun, S. Todorovic and S. Goodison. Local-learning-based feature selection for high-dimensional data analysis.
    IEEE TPAMI 32(9), 2010. Z. Liu. An ensemble feature selection algorithm with differential privacy based on local
    learning. Computer Technology and Development 28(10), 2018 (in Chinese).

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> y = rng.integers(2, size=200)
    >>> X = rng.uniform(size=(200, 20))
    >>> X[:, 7] = 0.2 + 0.6 * y
    >>> FWELL(n_features_to_select=1).fit(X, y).get_support(indices=True)
    array([7])
    """

    def __init__(
        self,
        n_features_to_select: float = 0.1,
        *,
        ridge: float = 0.01,
        bounds: tuple[npt.ArrayLike, npt.ArrayLike] = (0.0, 1.0),
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.ridge = ridge
        self.bounds = bounds

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> FWELL:
        """Weigh the features."""
        rows, label = self._read(X, y)
        self.weights_ = self._weigh(rows, label)
        return self

    def _weigh(self, rows: Floats, label: Codes) -> Floats:
        return fwell_weights(local_margins(rows, label), ridge=self.ridge)

    def _read(self, X: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, Codes]:
        """Rows scaled to [0, 1], and codes of the classes; all parameters are checked."""
        values, target = read_labelled(self, X, y, np.float64)
        check_positive(self.ridge, "ridge")
        self._number()
        scaler = check_bounds(self.bounds, values.shape[1])
        announce_outside(scaler, values, (0.0, 1.0))
        return (scaler.transform(values) + 1) / 2, np.unique(target, return_inverse=True)[1]

    def _number(self) -> int:
        number: Any = self.n_features_to_select
        if isinstance(number, float):
            if not 0 < number <= 1:
                raise ValueError(f"n_features_to_select must be a share in (0, 1] or a number, got {shown(number)}")
            share: float = number
            return math.ceil(share * int(self.n_features_in_))
        return check_int(number, "n_features_to_select", 1, self.n_features_in_)

    def _get_support_mask(self) -> npt.NDArray[np.bool_]:
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[np.argsort(-self.weights_, kind="stable")[: self._number()]] = True
        return mask


class FELP(FreshNoise, FWELL):
    r"""An ensemble of FWELL on disjoint chunks of the rows, with noise on the averaged weights.

    The rows are dealt to ``n_members`` chunks. One replaced record changes the weights of one chunk, and no weights are
    longer than :math:`B = \min\big(\sqrt{W(1/e)/(2\lambda)},\ 1/(2\lambda)\big)`, see :func:`longest_weights`: the
    average moves by at most Δ = 2B/n_members. At λ = 0.01, B is 3.73. The noise is that of
    :func:`ldp_core.central.vectors.laplace_l2`; the selected features are those with the largest noisy weights.

    Parameters
    ----------
    epsilon : float, default 1.0
        Privacy budget ε > 0, of data sets of one size in which one record is replaced; ``math.inf`` for no noise.
    n_members : int, default 20
        Number of chunks, ≥ 1.
    n_features_to_select, ridge, bounds
        As in :class:`FWELL`.

    Attributes
    ----------
    weights_ : ndarray of float64, shape (n_features,)
        Noisy weights.
    sensitivity_ : float
        The Δ in use.

    Notes
    -----
    Nothing else is read off the data: classes only say which rows are strangers, and no list of them is released.

    References
    ----------
    Z. Liu. An ensemble feature selection algorithm with differential privacy based on local learning. Computer
    Technology and Development 28(10), 2018 (in Chinese).

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> y = rng.integers(2, size=2000)
    >>> X = rng.uniform(size=(2000, 20))
    >>> X[:, 7] = 0.2 + 0.6 * y
    >>> model = FELP(epsilon=10.0, n_features_to_select=1, ridge=0.1, random_state=rng).fit(X, y)
    >>> model.get_support(indices=True), round(model.sensitivity_, 3)
    (array([7]), 0.118)
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        *,
        n_members: int = 20,
        n_features_to_select: float = 0.1,
        ridge: float = 0.01,
        bounds: tuple[npt.ArrayLike, npt.ArrayLike] = (0.0, 1.0),
        random_state: Rng = None,
    ) -> None:
        super().__init__(n_features_to_select, ridge=ridge, bounds=bounds)
        self.epsilon = epsilon
        self.n_members = n_members
        self.random_state = random_state

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> FELP:
        """Weigh the features in every chunk, average, add noise."""
        epsilon = check_epsilon(self.epsilon, infinite=True)
        check_int(self.n_members, "n_members", 1, 10**6)
        rows, label = self._read(X, y)
        self.sensitivity_ = self._sensitivity(len(rows))
        if epsilon < math.inf and not 0 < self.sensitivity_ / epsilon <= 1e290:
            raise ValueError(
                "epsilon and ridge must give noise of a scale > 0 and at most 1e290, "
                f"got {shown(self.epsilon)} and {shown(self.ridge)}"
            )
        rng = self._noise(shape=(self.sensitivity_, rows.shape[1]))
        each = np.array([self._weigh(rows[part], label[part]) for part in self._deal(len(rows), rng)])
        # The bound is that of the exact minimum; a search that stopped early must not exceed it.
        weights = shorten(each, bound=longest_weights(self.ridge)).mean(axis=0)
        if epsilon < math.inf:
            weights = laplace_l2(weights, epsilon=epsilon, sensitivity=self.sensitivity_, rng=rng)
        self.weights_ = weights
        return self

    def _sensitivity(self, n: int) -> float:  # noqa: ARG002
        """Largest change of the averaged weights, for n rows."""
        return 2 * longest_weights(self.ridge) / self.n_members

    def _deal(self, n: int, rng: np.random.Generator) -> list[Codes]:
        """Who is in which chunk."""
        return np.array_split(rng.permutation(n), self.n_members)
