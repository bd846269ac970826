"""From numbers to a few bins, so that frequency oracles can be asked: by width, free of charge, or by frequency."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ldp_core._arrays import Codes, Floats
from ldp_core._validate import Rng, check_epsilon, check_int
from ldp_core.frequency.names import MakeOracle, make_oracle, resolve_oracle
from ldp_core.learn._data import read_rows
from ldp_core.learn._notices import PrivacyLeakWarning, announce, announce_outside
from ldp_core.learn._random import FreshNoise
from ldp_core.numeric.scaling import IntervalScaler, check_bounds
from ldp_core.postprocess import project_simplex

__all__ = ["EqualFrequencyDiscretizer", "EqualWidthDiscretizer"]


class _Discretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """What both share: edges per feature, and the bins between them."""

    edges_: Floats

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []  # numbers come in, codes go out
        return tags

    def transform(self, X: npt.ArrayLike) -> Codes:
        """Replace each value by its bin: happens on the user's device, with the edges that the server has published.

        Codes are 0, …, n_bins − 1: a value on an edge belongs to the bin above it, one beyond the outer edges to the
        first or the last bin.
        """
        check_is_fitted(self)
        values = read_rows(self, X, np.float64)
        codes = np.empty(values.shape, dtype=np.int64)
        for i, edges in enumerate(self.edges_):
            codes[:, i] = np.searchsorted(edges[1:-1], values[:, i], side="right")
        return codes


class EqualWidthDiscretizer(_Discretizer):
    """Cut the public range of each feature into bins of equal width.

    The edges come from bounds that everybody knows, not from the data. Nothing is learned, so nothing is spent. There
    are n_bins of them, at least 2.

    Attributes
    ----------
    edges_ : ndarray of float64, shape (n_features, n_bins + 1)
        Ends of the bins.
    epsilon_spent_ : float
        What fitting has cost each user: 0.

    Examples
    --------
    >>> values = [[0], [4], [12], [16], [16], [18], [24], [26], [28]]
    >>> EqualWidthDiscretizer(n_bins=3, bounds=(0, 28)).fit_transform(values).ravel()
    array([0, 0, 1, 1, 1, 1, 2, 2, 2])
    """

    def __init__(self, n_bins: int = 4, *, bounds: tuple[npt.ArrayLike, npt.ArrayLike] = (-1.0, 1.0)) -> None:
        self.n_bins = n_bins
        self.bounds = bounds

    def fit(self, X: npt.ArrayLike, y: object = None) -> EqualWidthDiscretizer:  # noqa: ARG002
        """Compute the edges; of X only the number of features enters them, and y not at all."""
        values = read_rows(self, X, np.float64, reset=True)
        n_bins = check_int(self.n_bins, "n_bins", 2, 2**20)
        scaler = check_bounds(self.bounds, values.shape[1])
        announce_outside(scaler, values)
        self.edges_ = _equal_width(scaler, n_bins, values.shape[1])
        self.epsilon_spent_ = 0.0
        return self


class EqualFrequencyDiscretizer(FreshNoise, _Discretizer):
    """Cut each feature into bins that hold about equally many users.

    Now the edges depend on the data, and that has to be paid for. With a budget ε every user reports, for one feature
    drawn at random, in which of ``resolution`` narrow bins of equal width the value lies, through a frequency oracle;
    the server reads the quantiles off the estimated histogram. If the same users then report to a classifier at ε',
    they have spent ε + ε'; other users have not. With ``epsilon=math.inf`` the edges are quantiles of the raw data: no
    guarantee covers them, as the attribute ``epsilon_spent_`` and :class:`PrivacyLeakWarning` say.

    Parameters
    ----------
    epsilon : float, default 1.0
        Budget of each user's report about the edges, > 0; ``math.inf`` looks at the raw data.
    n_bins : int, default 4
        Number of bins, at least 2.
    resolution : int, default 64
        Number of narrow bins, at least ``n_bins``; edges lie between them, or inside by linear interpolation.
    oracle : str or callable, default "oue"
        Frequency oracle; see :class:`LDPNaiveBayes`.

    Attributes
    ----------
    edges_ : ndarray of float64, shape (n_features, n_bins + 1)
        Ends of the bins, ascending, possibly equal; the outer ones are the bounds.
    epsilon_spent_ : float
        What fitting has cost each user: ε.

    Examples
    --------
    >>> values = [[0], [4], [12], [16], [16], [18], [24], [26], [28]]
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", PrivacyLeakWarning)  # the nine values are public
    ...     binned = EqualFrequencyDiscretizer(math.inf, n_bins=3, bounds=(0, 28)).fit(values)
    >>> binned.transform(values).ravel(), binned.epsilon_spent_
    (array([0, 0, 0, 1, 1, 1, 2, 2, 2]), inf)
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        *,
        n_bins: int = 4,
        bounds: tuple[npt.ArrayLike, npt.ArrayLike] = (-1.0, 1.0),
        resolution: int = 64,
        oracle: str | MakeOracle = "oue",
        random_state: Rng = None,
    ) -> None:
        self.epsilon = epsilon
        self.n_bins = n_bins
        self.bounds = bounds
        self.resolution = resolution
        self.oracle = oracle
        self.random_state = random_state

    def fit(self, X: npt.ArrayLike, y: object = None) -> EqualFrequencyDiscretizer:  # noqa: ARG002
        """Learn the edges: from private reports, or, at ``epsilon=math.inf``, from the raw data."""
        epsilon = check_epsilon(self.epsilon, infinite=True)
        values = read_rows(self, X, np.float64, reset=True)
        n, h = values.shape
        n_bins = check_int(self.n_bins, "n_bins", 2, 2**20)
        resolution = check_int(self.resolution, "resolution", n_bins, 2**20)
        resolve_oracle(self.oracle)
        scaler = check_bounds(self.bounds, h)
        announce_outside(scaler, values)
        fine = _equal_width(scaler, resolution, h)
        levels = np.linspace(0, 1, n_bins + 1)
        self.epsilon_spent_ = epsilon
        if epsilon == math.inf:
            announce(
                PrivacyLeakWarning,
                f"{type(self).__name__} with epsilon=inf reads its edges off the raw data, and no guarantee covers "
                "them: give a budget, epsilon=, unless the data are public",
            )
            inside = np.clip(values, fine[:, 0], fine[:, -1])
            self.edges_ = np.quantile(inside, levels, axis=0).T
            self.edges_[:, [0, -1]] = fine[:, [0, -1]]
            return self
        oracle = make_oracle(self.oracle, epsilon, resolution)
        rng = self._noise(shape=(h,))
        feature = rng.integers(h, size=n)
        self.edges_ = np.empty((h, n_bins + 1))
        for i in range(h):
            codes = np.searchsorted(fine[i, 1:-1], values[feature == i, i], side="right")
            shares = np.full(resolution, 1 / resolution)  # nobody was asked: equal width
            if codes.size:
                support = oracle.aggregate(oracle.perturb(codes, rng))
                shares = project_simplex(oracle.estimate(support, codes.size) / codes.size)
            cumulative = np.concatenate([[0.0], np.cumsum(shares)])
            self.edges_[i] = np.interp(levels, cumulative / cumulative[-1], fine[i])
        self.edges_[:, [0, -1]] = fine[:, [0, -1]]
        return self


def _equal_width(scaler: IntervalScaler, n_bins: int, n_features: int) -> Floats:
    """Ends of bins of equal width, shape (n_features, n_bins + 1)."""
    ends: Floats = np.broadcast_to(np.linspace(scaler.lo, scaler.hi, n_bins + 1, axis=-1), (n_features, n_bins + 1))
    return ends.copy()
