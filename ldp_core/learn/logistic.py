"""Logistic regression by noisy gradient descent: the curator adds Gaussian noise to every step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ldp_core._validate import (
    Rng,
    check_bool,
    check_epsilon,
    check_int,
    check_option,
    check_positive,
    check_real,
    shown,
)
from ldp_core.central import gaussian_sigma, zcdp_gaussian
from ldp_core.learn._data import read_labelled, read_rows
from ldp_core.learn._notices import announce_read
from ldp_core.learn._random import FreshNoise, noise_source
from ldp_core.learn._schema import Schema

Floats = npt.NDArray[np.float64]
Clip = Literal["gradient", "features"]


class DPLogisticRegression(ClassifierMixin, FreshNoise):  # type: ignore[misc]
    r"""Two-class logistic regression under central differential privacy.

    Gradient descent on the mean logistic loss from zero weights, with noise in every step:

    .. math::  \theta \leftarrow \theta - \eta\left(\frac1n\Big(\sum_i g_i + \mathcal N(0, \sigma^2 I)\Big)
        + \lambda\theta\right)

    where each person's gradient has length at most b. One record moves the sums of all T steps, taken as one long
    vector, by at most :math:`\Delta\sqrt T`; so all steps together are a single Gaussian mechanism, though each asks
    what earlier answers suggest [4]_. σ is the least noise that makes that one (ε, δ)-differentially private.

    Parameters
    ----------
    epsilon : float, default 1.0
        Privacy budget ε of the finished model, finite and > 0.
    delta : float, default 1e-6
        δ strictly between 0 and 1; choose it far below 1/n.
    clip : {"gradient", "features"}, default "gradient"
        "gradient": every gradient is scaled down to length ``bound`` if it is longer. "features": every row (with its
        intercept 1) is, which bounds the gradients as well, since :math:`\|g_i\| \le \|x_i\|`, and happens once.
    bound : float, default 1.0
        b > 0.
    neighbours : {"add-remove", "replace"}, default "replace"
        Replacing a record moves a sum of gradients by up to 2b, one person more or less by b. The number of rows n is
        used as public in either case; under "add-remove" it is not covered by the guarantee.
    iterations : int, default 50
        Number of steps T, from 1 to 1,000,000. More steps: a longer way, and more noise in each.
    learning_rate : float, default 1.0
        η > 0.
    ridge : float, default 0.0
        λ between 0 and 2/η, beyond which the steps would diverge.
    fit_intercept : bool, default True
        Whether a column of ones is added.
    classes : sequence, optional
        The two classes. None reads them off the data, assuming that they are public anyway, as
        :class:`PrivacyLeakWarning` says: how many occur may hang on one person. Where the data then hold one class
        only, the model always predicts it.
    random_state : numpy.random.Generator, int or None
        Source of the noise. None: fresh in every fit. A generator: fresh in every fit as well, and each clone, copy or
        fold gets a stream of its own; only the same generator from the same start repeats. An int: for teaching, **the
        same noise in every fit, which is not private**; see :class:`RepeatedNoiseWarning`.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        The classes; shape (1,) if the data held one only, and none were declared.
    coef_ : ndarray, shape (1, n_features)
        Weights.
    intercept_ : ndarray, shape (1,)
        Intercept.
    sigma_ : float
        Standard deviation of the noise in each entry of each sum of gradients.
    rho_ : float
        What all steps together cost in zCDP, :math:`T\Delta^2 / 2\sigma^2`. Turned into (ε, δ) by zCDP's own formula
        it says more than ε: that formula holds for every ρ-zCDP mechanism, and these are Gaussian.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    A published listing uses the classic Gaussian formula in each step at ε, and states (ε(T+1), Tδ) for T steps; the
    accounting here gives far less noise for the same promise. Scale features by *public* bounds beforehand: a scaler
    that is fitted to the data is not covered by the guarantee.

    Any finite record is scaled down without overflow, so that none can stop the training or fill the model with NaN.

    References
    ----------
    .. [1] R. Bassily, A. Smith and A. Thakurta. Private empirical risk minimization. FOCS 2014.
    .. [2] M. Abadi and others. Deep learning with differential privacy. CCS 2016.
    .. [3] M. Bun and T. Steinke. Concentrated differential privacy. TCC 2016.
    .. [4] J. Dong, A. Roth and W. J. Su. Gaussian differential privacy. Journal of the Royal Statistical Society B
       84(1), 2022, corollary 2.

    Examples
    --------
    >>> rng = np.random.default_rng(3)
    >>> X = rng.uniform(-1, 1, size=(5000, 2))
    >>> y = X[:, 0] > X[:, 1]
    >>> model = DPLogisticRegression(epsilon=1.0, classes=[False, True], random_state=rng).fit(X, y)
    >>> bool(model.score(X, y) > 0.95)
    True
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        delta: float = 1e-6,
        clip: Clip = "gradient",
        bound: float = 1.0,
        neighbours: str = "replace",
        iterations: int = 50,
        learning_rate: float = 1.0,
        ridge: float = 0.0,
        fit_intercept: bool = True,
        classes: Sequence[Any] | None = None,
        random_state: Rng = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.clip = clip
        self.bound = bound
        self.neighbours = neighbours
        self.iterations = iterations
        self.learning_rate = learning_rate
        self.ridge = ridge
        self.fit_intercept = fit_intercept
        self.classes = classes
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> DPLogisticRegression:
        """Descend, noisily.

        Parameters
        ----------
        X : array_like, shape (n, n_features)
            Finite numbers, scaled by public bounds.
        y : array_like, shape (n,)
            Two classes, or one of them.

        Returns
        -------
        DPLogisticRegression
            Itself.

        Raises
        ------
        ValueError
            If a parameter is out of range, or there are more classes than two or others than declared. An error about
            data tells of a single record: it is for the curator's eyes, who checks records before asking for a model.
        """
        epsilon = check_epsilon(self.epsilon)
        steps, bound = check_int(self.iterations, "iterations", 1, 10**6), check_positive(self.bound, "bound")
        rate, ridge = check_positive(self.learning_rate, "learning_rate"), check_real(self.ridge, "ridge")
        if not 0 <= ridge <= 2 / rate:  # beyond it every step overshoots zero by more than it was away from it
            raise ValueError(f"ridge must lie in [0, 2/learning_rate] = [0, {2 / rate:g}], got {shown(self.ridge)}")
        if rate > 1e100:
            raise ValueError(f"learning_rate must be at most 1e100, got {shown(self.learning_rate)}")
        with_intercept = check_bool(self.fit_intercept, "fit_intercept")
        clip = check_option(self.clip, "clip", ("gradient", "features"))
        neighbours = check_option(self.neighbours, "neighbours", ("add-remove", "replace"))
        sensitivity = bound * (2 if neighbours == "replace" else 1)
        self.sigma_ = gaussian_sigma(epsilon=epsilon, delta=self.delta, sensitivity=sensitivity * math.sqrt(steps))
        self.rho_ = steps * zcdp_gaussian(sigma=self.sigma_, sensitivity=sensitivity)
        values, target = read_labelled(self, X, y, np.float64)
        announce_read(self, ["classes"] if self.classes is None else [])
        schema = Schema.build(values, target, [1] * values.shape[1], self.classes)
        if schema.k > 2:
            raise ValueError(f"Only binary classification is supported; got {schema.k} classes")
        self.classes_ = schema.classes
        signs: Floats = np.where(schema.encode_classes(target) == 1, 1.0, -1.0)
        rows = np.column_stack([values, np.ones(len(values))]) if with_intercept else values
        theta = np.zeros(rows.shape[1])
        if schema.k == 1:  # nothing to tell apart: zero weights say the first class
            steps = 0
        rng = noise_source(self.random_state)
        scaled = Scaled.of(shorten(rows, bound) if clip == "features" else rows)
        for _ in range(steps):
            total = scaled.gradient_sum(theta, signs, bound if clip == "gradient" else None)
            noisy = total + rng.normal(0.0, self.sigma_, total.shape)
            theta = theta - rate * (noisy / len(rows) + ridge * theta)
        self.coef_: Floats = theta[None, : values.shape[1]]
        self.intercept_: Floats = theta[values.shape[1] :] if with_intercept else np.zeros(1)
        return self

    def decision_function(self, X: npt.ArrayLike) -> Floats:
        """Give the signed score of each row: positive for the second class.

        Parameters
        ----------
        X : array_like, shape (n, n_features)
            Finite numbers.

        Returns
        -------
        ndarray of float64, shape (n,)
            Scores.
        """
        check_is_fitted(self)
        scores: Floats = Scaled.of(read_rows(self, X, np.float64)).scores(self.coef_[0]) + self.intercept_[0]
        return scores

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Give the more likely class of each row.

        Parameters
        ----------
        X : array_like, shape (n, n_features)
            Finite numbers.

        Returns
        -------
        ndarray, shape (n,)
            Classes.
        """
        positive = self.decision_function(X) > 0
        predicted: npt.NDArray[Any] = self.classes_[positive.astype(int)]
        return predicted

    def predict_proba(self, X: npt.ArrayLike) -> Floats:
        """Give the probability of each class.

        Parameters
        ----------
        X : array_like, shape (n, n_features)
            Finite numbers.

        Returns
        -------
        ndarray of float64, shape (n, 2)
            Probabilities; shape (n, 1) where only one class was found.
        """
        second = _sigmoid(self.decision_function(X))
        return np.column_stack([1 - second, second]) if len(self.classes_) == 2 else np.ones((len(second), 1))


@dataclass(frozen=True)
class Scaled:
    """Rows as a largest entry times a direction, so that no length and no product of finite numbers overflows.

    Parameters
    ----------
    size : ndarray of float64, shape (n,)
        Largest absolute entry of each row.
    direction : ndarray of float64, shape (n, d)
        The rows divided by it: entries in [−1, 1].
    length : ndarray of float64, shape (n,)
        Lengths of the directions: 0 for a row of zeros, else from 1 to √d.
    """

    size: Floats
    direction: Floats
    length: Floats

    @classmethod
    def of(cls, rows: Floats) -> Scaled:
        """Split rows, shape (n, d), of finite numbers."""
        size: Floats = np.abs(rows).max(axis=1, initial=0.0)
        direction: Floats = rows / np.where(size > 0, size, 1.0)[:, None]
        return cls(size, direction, np.linalg.norm(direction, axis=1))

    def shortened(self, bound: float, share: Floats | float = 1.0) -> Floats:
        """Factors of the directions that give ``share`` times each row, no longer than bound; share is at most 1."""
        factors: Floats = np.minimum(share * self.size, bound / np.maximum(self.length, 1.0))
        return factors

    def scores(self, theta: Floats) -> Floats:
        """Products of the rows with theta; infinite where they are beyond the largest number."""
        with np.errstate(over="ignore"):
            products: Floats = (self.direction @ theta) * self.size
        return products

    def gradient_sum(self, theta: Floats, signs: Floats, bound: float | None) -> Floats:
        """See :func:`gradient_sum`."""
        share = _sigmoid(-signs * self.scores(theta))  # gradient of row i: −signs[i] · share[i] · row i
        factors = share * self.size if bound is None else self.shortened(bound, share)
        total: Floats = (-signs * factors) @ self.direction
        return total


def shorten(rows: Floats, bound: float) -> Floats:
    """Scale every row that is longer than bound down to that length.

    Parameters
    ----------
    rows : ndarray, shape (n, d)
        Vectors of finite numbers, however large.
    bound : float
        Largest length allowed, > 0.

    Returns
    -------
    ndarray of float64, shape (n, d)
        The vectors, none longer than bound.
    """
    scaled = Scaled.of(rows)
    short: Floats = scaled.direction * scaled.shortened(bound)[:, None]
    return short


def gradient_sum(theta: Floats, rows: Floats, signs: Floats, bound: float | None) -> Floats:
    """Sum the gradients of the logistic loss, each shortened to bound first; None leaves them as they are.

    Parameters
    ----------
    theta : ndarray, shape (d,)
        Weights.
    rows : ndarray, shape (n, d)
        Features, finite.
    signs : ndarray, shape (n,)
        Classes as −1 and 1.
    bound : float or None
        Largest length of a single gradient.

    Returns
    -------
    ndarray of float64, shape (d,)
        The sum.
    """
    return Scaled.of(rows).gradient_sum(theta, signs, bound)


def _sigmoid(x: Floats) -> Floats:
    return np.where(x >= 0, 1.0, np.exp(np.minimum(x, 0.0))) / (1.0 + np.exp(-np.abs(x)))
