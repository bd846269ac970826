"""Discriminant component analysis: the few directions in which classes differ most, for what noise there is."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.linalg import eigh
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ldp_core._arrays import Floats
from ldp_core._validate import check_int, check_positive
from ldp_core.learn._data import read_labelled, read_rows
from ldp_core.numeric.scaling import check_bounds

__all__ = ["DCA", "projection_bounds"]


class DCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""Discriminant component analysis with a ridge.

    Components are the directions w with the largest ratio of the total to the within-class scatter,

    .. math::  \lambda = \frac{w^\top \bar S\, w}{w^\top (S_W + \rho I)\, w}, \qquad \bar S = S_W + S_B.

    At most k − 1 of them, k being the number of classes, separate the means of classes: the signal subspace. The others
    have λ ≤ 1; the ridge orders them by their power, as principal components are ordered. At ρ = 0 the first k − 1 are
    those of Fisher's linear discriminant analysis.

    **No guarantee covers a projection that was learned on raw data.** Learn it on public data, or count it as released
    in the clear; what happens afterwards cannot repair that.

    Parameters
    ----------
    n_components : int, default 1
        Number of components, at most the number of features.
    ridge : float, default 1e-3
        ρ > 0, in units of a variance of the features.

    Attributes
    ----------
    components_ : ndarray, shape (n_components, n_features)
        Directions, scaled so that :math:`w^\top (S_W + \rho I) w = 1`, the largest coefficient positive.
    discriminant_ratio_ : ndarray, shape (n_components,)
        λ of each, descending.
    mean_ : ndarray, shape (n_features,)
        Mean of the training data.

    See Also
    --------
    projection_bounds : The public range of projections, from that of the features.

    Notes
    -----
    Not to be confused with detrended correspondence analysis, also "DCA", a method of ecology that assumes unimodal
    responses.

    References
    ----------
    S.-Y. Kung. Compressive privacy: from information/estimation theory to machine learning. IEEE Signal Processing
    Magazine 34(1), 2017. S.-Y. Kung, T. Chanyaswad, J. M. Chang and P. Wu. Collaborative PCA/DCA learning
    methods for compressive privacy. ACM Transactions on Embedded Computing Systems 16(3), 2017.

    Examples
    --------
    >>> rng = np.random.default_rng(3)
    >>> y = np.repeat([0, 1], 500)
    >>> X = rng.normal(0, [3.0, 1.0], size=(1000, 2)) + y[:, None] * [0.0, 4.0]
    >>> (DCA().fit(X, y).components_.round(1) + 0.0).tolist()
    [[0.0, 1.0]]
    """

    def __init__(self, n_components: int = 1, *, ridge: float = 1e-3) -> None:
        self.n_components = n_components
        self.ridge = ridge

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.transformer_tags.preserves_dtype = ["float64"]
        return tags

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> DCA:
        """Learn the components from labelled data of at least two classes, in the clear."""
        values, target = read_labelled(self, X, y, np.float64)
        n, h = values.shape
        number = check_int(self.n_components, "n_components", 1, h)
        ridge = check_positive(self.ridge, "ridge")
        classes, label = np.unique(target, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(f"y must hold at least 2 classes, got 1 class: {classes.tolist()!r}")
        self.mean_: Floats = values.mean(axis=0)
        centres = np.array([values[label == j].mean(axis=0) for j in range(len(classes))])
        within, between = values - centres[label], centres[label] - self.mean_
        noise = within.T @ within / n
        total = noise + between.T @ between / n
        ratio, directions = eigh(total, noise + ridge * np.eye(h))
        order = np.argsort(ratio)[::-1][:number]
        w = directions[:, order].T
        sign = np.sign(w[np.arange(number), np.abs(w).argmax(axis=1)])
        self.components_: Floats = w * sign[:, None]
        self.discriminant_ratio_: Floats = ratio[order]
        return self

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def transform(self, X: npt.ArrayLike) -> Floats:
        """Project onto the components: coordinates, shape (n, n_components), 0 at the mean of the training data."""
        check_is_fitted(self)
        return (read_rows(self, X, np.float64) - self.mean_) @ self.components_.T


def projection_bounds(
    projection: Any, *, bounds: tuple[npt.ArrayLike, npt.ArrayLike] = (-1.0, 1.0)
) -> tuple[Floats, Floats]:
    """Give the least and largest value of each projected coordinate over the box of the features' public bounds.

    What comes after a projection, a discretizer or :class:`LDPGaussianNB`, needs bounds that are not read off the data.
    The projection is a fitted :class:`DCA`, or scikit-learn's PCA without whitening: it has ``components_`` and
    ``mean_``.

    Examples
    --------
    >>> from sklearn.decomposition import PCA
    >>> pca = PCA(1).fit([[0.0, 0.0], [1.0, 1.0], [-1.0, -1.0]])
    >>> low, high = projection_bounds(pca, bounds=(-1, 1))
    >>> low.round(3), high.round(3)
    (array([-1.414]), array([1.414]))
    """
    check_is_fitted(projection)
    if getattr(projection, "whiten", False):
        raise ValueError("projection must not whiten, got whiten=True: its scale would be another")
    w, mean = projection.components_, projection.mean_
    scaler = check_bounds(bounds, w.shape[1])
    middle, half = (
        (scaler.lo + scaler.half_width - mean) @ w.T,
        np.abs(w) @ np.broadcast_to(scaler.half_width, mean.shape),
    )
    return middle - half, middle + half
