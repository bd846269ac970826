"""Feature selection by local learning (FWELL), its bagged ensemble with noise (FELP), and what its noise promises."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import lambertw
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.validation import check_is_fitted

from ldp_core._validate import Rng, check_bool, check_epsilon, check_int, check_option, check_positive, check_real
from ldp_core.learn._data import read_labelled
from ldp_core.learn._random import FreshNoise, noise_source
from ldp_core.learn.discretize import check_bounds, tell_if_outside
from ldp_core.learn.logistic import shorten

Floats = npt.NDArray[np.float64]
Guarantee = Literal["published", "chunks"]


def local_margins(rows: Floats, label: npt.NDArray[np.int64]) -> Floats:
    """Give z = |x − nearest of another class| − |x − nearest of its own class|, entry by entry, over √d.

    Parameters
    ----------
    rows : ndarray, shape (n, d)
        Values in [0, 1].
    label : ndarray of int, shape (n,)
        Classes.

    Returns
    -------
    ndarray of float64, shape (m, d)
        For the m rows that have a companion of their own class and a stranger; each of length at most 1.
    """
    hit, miss = np.full(len(rows), -1), np.full(len(rows), -1)
    for value in np.unique(label):
        own, other = np.flatnonzero(label == value), np.flatnonzero(label != value)
        if len(own) > 1:
            near = NearestNeighbors(n_neighbors=2).fit(rows[own]).kneighbors(rows[own], return_distance=False)
            itself = np.arange(len(own))
            hit[own] = own[np.where(near[:, 0] == itself, near[:, 1], near[:, 0])]
        if len(other):
            near = NearestNeighbors(n_neighbors=1).fit(rows[other]).kneighbors(rows[own], return_distance=False)
            miss[own] = other[near[:, 0]]
    both = (hit >= 0) & (miss >= 0)
    x = rows[both]
    margins: Floats = x - rows[miss[both]]
    own_side = x - rows[hit[both]]
    np.abs(margins, out=margins)  # in place: with thousands of features memory is what takes the time
    margins -= np.abs(own_side, out=own_side)
    margins /= math.sqrt(rows.shape[1])
    return margins


def fwell_weights(margins: Floats, reg: float) -> Floats:
    r"""Minimise :math:`\frac1n\sum_i \ln(1 + e^{-w^\top z_i}) + \lambda\|w\|^2`.

    Parameters
    ----------
    margins : ndarray, shape (m, d)
        From :func:`local_margins`; none: the weights are 0.
    reg : float
        λ > 0.

    Returns
    -------
    ndarray of float64, shape (d,)
        Weights, no longer than :func:`longest_weights`.

    Notes
    -----
    At the minimum :math:`2\lambda w` is a mean of shrunken margins, so that the weights lie in the space that the
    margins span. With fewer margins than features the search happens there, in m numbers instead of d: exact, and with
    a hundred rows of ten thousand features far faster.
    """
    m, d = margins.shape
    if m == 0:
        return np.zeros(d)
    if m < d:
        square, axes = np.linalg.eigh(margins @ margins.T)
        kept = square > 1e-12 * square[-1]  # repeated margins span less than there are of them
        length, axes = np.sqrt(square[kept]), axes[:, kept]
        inside: Floats = margins.T @ (axes @ (fwell_weights(axes * length, reg) / length))
        return inside

    def objective(w: Floats) -> tuple[float, Floats]:
        score = margins @ w
        value = float(np.mean(np.logaddexp(0.0, -score))) + reg * float(w @ w)
        pull = np.exp(-np.logaddexp(0.0, score))  # 1/(1 + e^score), without overflow
        return value, 2 * reg * w - (pull @ margins) / len(margins)

    found: Floats = minimize(
        objective, np.zeros(d), jac=True, method="L-BFGS-B", options={"gtol": 1e-10, "ftol": 1e-14}
    ).x
    return found


def longest_weights(reg: float) -> float:
    r"""Give the largest length that weights can have, whatever the data: :math:`\sqrt{W(1/e)/(2\lambda)}` or 1/(2λ).

    Parameters
    ----------
    reg : float
        λ > 0.

    Returns
    -------
    float
        The smaller of the two bounds; they cross at λ = 1.8.

    Notes
    -----
    At the minimum the gradient vanishes, :math:`2\lambda w = \frac1n\sum_i z_i/(1 + e^{s_i})` with
    :math:`s_i = w^\top z_i` and :math:`\|z_i\| \le 1`. Its length gives :math:`\|w\| \le 1/(2\lambda)`. Its product
    with w gives :math:`2\lambda\|w\|^2 = \frac1n\sum_i s_i/(1 + e^{s_i})`, and no term exceeds the largest value of
    :math:`s/(1 + e^s)`: where :math:`(s - 1)e^{s-1} = 1/e`, that is at :math:`s = 1 + W(1/e)`, it is
    :math:`e^{-s} = W(1/e) = 0.2785`. A margin that is fitted well hardly pulls, and one that pulls is hardly fitted.
    """
    return min(1 / (2 * reg), math.sqrt(float(lambertw(math.exp(-1)).real) / (2 * reg)))


class FWELL(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Feature weighting by local learning: features by which neighbours of other classes differ get large weights.

    Parameters
    ----------
    n_features_to_select : int or float, default 0.1
        How many features, or which share of them (rounded up).
    reg : float, default 0.01
        Regularisation λ > 0.
    bounds : tuple of (float or array_like, float or array_like), default (0, 1)
        Public bounds of the features; values are scaled by them, and clipped. Where most of a feature's lie outside the
        default, :class:`OutOfBoundsWarning` says so.

    Attributes
    ----------
    weights_ : ndarray of float64, shape (n_features,)
        Weights; the largest are selected.
    n_features_in_ : int
        Number of features.

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
        reg: float = 0.01,
        bounds: tuple[npt.ArrayLike, npt.ArrayLike] = (0.0, 1.0),
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.reg = reg
        self.bounds = bounds

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> FWELL:
        """Weigh the features.

        Parameters
        ----------
        X : array_like, shape (n, n_features)
            Finite numbers.
        y : array_like, shape (n,)
            Classes.

        Returns
        -------
        FWELL
            Itself.
        """
        rows, label = self._read(X, y)
        self.weights_ = self._weigh(rows, label)
        return self

    def _weigh(self, rows: Floats, label: npt.NDArray[np.int64]) -> Floats:
        return fwell_weights(local_margins(rows, label), self.reg)

    def _read(self, X: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, npt.NDArray[np.int64]]:
        values, target = read_labelled(self, X, y, np.float64)
        check_positive(self.reg, "reg")
        self._number()
        scaler = check_bounds(self.bounds, values.shape[1])
        tell_if_outside(scaler, values, (0.0, 1.0))
        scaled = scaler.transform(values)
        label: npt.NDArray[np.int64] = np.unique(target, return_inverse=True)[1].astype(np.int64)
        return (scaled + 1) / 2, label

    def _number(self) -> int:
        wanted: Any = self.n_features_to_select
        if isinstance(wanted, float):
            if not 0 < wanted <= 1:
                raise ValueError(f"n_features_to_select must be a share in (0, 1] or a number, got {wanted!r}")
            share: float = wanted
            return math.ceil(share * int(self.n_features_in_))
        return check_int(wanted, "n_features_to_select", 1, self.n_features_in_)

    def _get_support_mask(self) -> npt.NDArray[np.bool_]:
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[np.argsort(-self.weights_, kind="stable")[: self._number()]] = True
        return mask


class FELP(FreshNoise, FWELL):
    r"""An ensemble of FWELL with noise on the averaged weights.

    The noise vector has density :math:`\propto e^{-\varepsilon\|b\|/\Delta}`: its length follows a Gamma law with shape
    d and scale Δ/ε, its direction is uniform. The selected features are those with the largest noisy weights.

    Parameters
    ----------
    epsilon : float, default 1.0
        Privacy budget ε; infinity for no noise.
    guarantee : {"published", "chunks"}, default "chunks"
        "published": ``n_members`` bags of ⌈βn⌉ rows, and Δ = 2/(nλ), as printed. **This bound does not hold**, see
        Notes; the variant is here to be audited. "chunks": the rows are dealt to ``n_members``
        disjoint chunks; one replaced record changes the weights of one chunk, and no weights are longer than
        :math:`B = \min\big(\sqrt{W(1/e)/(2\lambda)},\ 1/(2\lambda)\big)`, see :func:`longest_weights`, so that
        Δ = 2B/n_members: at λ = 0.01, B is 3.73.
    n_members : int, default 20
        Number of bags or chunks, ≥ 1.
    share : float, default 0.9
        β in (0, 1], for bags.
    bootstrap : bool, default False
        Whether bags are drawn with replacement. The study says bootstrap, and its lemma counts ⌈βn⌉/n as the share of
        bags that hold a record, which is so without replacement only. With replacement a row of a bag has a copy there
        in 1 − e^−β of the cases, which then is its nearest hit, at distance 0.
    n_features_to_select, reg, bounds
        As in :class:`FWELL`.
    random_state : numpy.random.Generator, int or None
        Source of randomness: who is in which bag or chunk, and the noise. None: fresh in every fit. A generator: fresh
        in every fit as well, and each clone, copy or fold gets a stream of its own. An int: for teaching, **the same
        noise in every fit, which is not private**; see :class:`RepeatedNoiseWarning`.

    Attributes
    ----------
    weights_ : ndarray of float64, shape (n_features,)
        Noisy weights.
    sensitivity_ : float
        The Δ in use.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    The published proof errs twice. It bounds the change of a bag's weights by 1/(⌈βn⌉λ), as if replacing a record
    changed one margin only; but the record may have been the nearest neighbour of many others, whose margins change
    too, up to all of them. And it multiplies by β, the *average* share of bags that hold the record, where a worst case
    may have it in all of them. Drawn with replacement, a bag holds a given record with probability 1 − e^−β, not β, and
    may hold it several times.

    Nothing else is read off the data: classes only say which rows are strangers, and no list of them is released.

    References
    ----------
    Z. Liu. An ensemble feature selection algorithm with differential privacy based on local learning. 2018, lemma 1.
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        guarantee: Guarantee = "chunks",
        n_members: int = 20,
        share: float = 0.9,
        n_features_to_select: float = 0.1,
        reg: float = 0.01,
        bounds: tuple[npt.ArrayLike, npt.ArrayLike] = (0.0, 1.0),
        random_state: Rng = None,
        bootstrap: bool = False,
    ) -> None:
        FWELL.__init__(self, n_features_to_select, reg, bounds)
        self.epsilon = epsilon
        self.guarantee = guarantee
        self.n_members = n_members
        self.share = share
        self.random_state = random_state
        self.bootstrap = bootstrap

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> FELP:
        """Weigh the features in every bag or chunk, average, add noise.

        Parameters
        ----------
        X : array_like, shape (n, n_features)
            Finite numbers.
        y : array_like, shape (n,)
            Classes.

        Returns
        -------
        FELP
            Itself.
        """
        unlimited = isinstance(self.epsilon, float) and self.epsilon == math.inf
        epsilon = math.inf if unlimited else check_epsilon(self.epsilon)
        members, share = check_int(self.n_members, "n_members", 1, 10**6), check_real(self.share, "share")
        if not 0 < share <= 1:
            raise ValueError(f"share must lie in (0, 1], got {self.share!r}")
        check_option(self.guarantee, "guarantee", ("published", "chunks"))
        repeat = check_bool(self.bootstrap, "bootstrap")
        rows, label = self._read(X, y)
        n, d = rows.shape
        rng = noise_source(self.random_state)
        longest = longest_weights(self.reg)
        if self.guarantee == "published":
            size = math.ceil(share * n)
            parts = [rng.integers(n, size=size) if repeat else rng.permutation(n)[:size] for _ in range(members)]
            self.sensitivity_ = 2 / (n * self.reg)
        else:
            parts = np.array_split(rng.permutation(n), members)
            self.sensitivity_ = 2 * longest / members
        scale = 0.0 if unlimited else self.sensitivity_ / epsilon
        if scale > 1e290:
            raise ValueError(f"epsilon and reg must be large enough for finite noise, got {epsilon:g} and {self.reg:g}")
        each = np.array([self._weigh(rows[part], label[part]) for part in parts])
        # The bound is that of the exact minimum; a search that stopped early must not exceed it.
        weights = shorten(each, longest).mean(axis=0)
        direction = rng.normal(size=d)
        length = rng.gamma(d, 1.0)
        noise = direction / np.linalg.norm(direction) * length
        self.weights_ = weights + noise * scale
        return self
