"""Logistic regression by noisy gradient descent, with everybody or a random batch in every step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from ldp_core._arrays import Floats
from ldp_core._validate import (
    Rng,
    check_bool,
    check_epsilon,
    check_in_range,
    check_int,
    check_neighbours,
    check_option,
    check_positive,
)
from ldp_core.central import Accountant, gaussian_sigma, sampled_gaussian_sigma, zcdp_gaussian
from ldp_core.central.noise import add_gaussian
from ldp_core.learn._classifier import Classifier
from ldp_core.learn._data import read_labelled, read_rows
from ldp_core.learn._notices import announce_read
from ldp_core.learn._schema import Schema
from ldp_core.learn.gradients import Scaled, shorten

__all__ = ["DPLogisticRegression"]

Clip = Literal["gradient", "features"]


def draw_batch(rows: Scaled, signs: Floats, share: float, rng: np.random.Generator) -> tuple[Scaled, Floats]:
    """Toss a coin for every row: the rows that fall into the batch, perhaps none, and their signs."""
    drawn = rng.random(len(signs)) < share
    return Scaled(rows.size[drawn], rows.direction[drawn], rows.length[drawn]), signs[drawn]


class DPLogisticRegression(Classifier):
    r"""Two-class logistic regression under central differential privacy.

    Gradient descent on the mean logistic loss from zero weights, with noise in every step:

    .. math::  \theta \leftarrow \theta - \eta\left(\frac1n\Big(\sum_i g_i + \mathcal N(0, \sigma^2 I)\Big)
        + \lambda\theta\right)

    where each person's gradient has length at most b. One record moves the sums of all T steps, taken as one long
    vector, by at most :math:`\Delta\sqrt T`; so all steps together are a single Gaussian mechanism, though each asks
    what earlier answers suggest [4]_. σ is the least noise that makes that one (ε, δ)-differentially private.

    Under "add-remove" the number of rows n is private too. It is asked first, as b·n, which moves by at most b as the
    sums do, with the same noise; the steps divide by the answer. That makes T + 1 answers instead of T.

    With ``batch_rate`` q each step asks a **random batch** only: everybody is in it with probability q, by a fresh coin
    that nobody sees (Poisson sampling). Its sum is divided by q times the noisy number of rows, not by the size of the
    batch, which is private, and may be 0: then the step is noise. σ is the least noise for which a certified upper
    bound on the ε of all steps and of the number of rows (:class:`ldp_core.central.PrivacyLoss`) is at most the budget.

    Parameters
    ----------
    delta : float, default 1e-6
        δ strictly between 0 and 1; choose it far below 1/n.
    clip : {"gradient", "features"}, default "gradient"
        "gradient": every gradient is scaled down to length ``bound`` if it is longer. "features": every row (with its
        intercept 1) is, which bounds the gradients as well, since :math:`\|g_i\| \le \|x_i\|`, and happens once.
    bound : float, default 1.0
        b > 0.
    neighbours : {"add-remove", "replace"}, default "add-remove"
        What the guarantee compares. One person more or less moves a sum of gradients by up to b, and n by 1. Replacing
        a record moves a sum by up to 2b, and leaves n, which is public then, as it is.
    batch_rate : float, optional
        Share q of the rows that a step asks, in (0, 1], on average. None or 1: all of them. Below 1 the guarantee is
        for one person more or less, so that neighbours must be "add-remove"; and it rests on nobody's knowing who was
        in which batch.
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
    n_answers_ : int
        How many answers share the budget: T, and one more for the number of rows under "add-remove".
    n_rows_ : float
        What the steps divide by: n, or its noisy answer, at least 1.
    rho_ : float
        What all answers together cost in zCDP, the sum of their :math:`\Delta^2 / 2\sigma^2`. Turned into (ε, δ) by
        zCDP's own formula it says more than ε: that formula holds for every ρ-zCDP mechanism, and these are Gaussian.
        With batches it is a bound that does not know of them, and far too large.
    accountant_ : Accountant
        The ledger of all answers: ask it for the ε at any δ, as a certified interval, or for a group of people.

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
        *,
        delta: float = 1e-6,
        clip: Clip = "gradient",
        bound: float = 1.0,
        neighbours: str = "add-remove",
        batch_rate: float | None = None,
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
        self.batch_rate = batch_rate
        self.iterations = iterations
        self.learning_rate = learning_rate
        self.ridge = ridge
        self.fit_intercept = fit_intercept
        self.classes = classes
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = False
        return tags

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> DPLogisticRegression:
        """Descend, noisily, on X scaled by public bounds.

        An error about data tells of a single record: it is for the curator's eyes, who checks records before asking for
        a model.
        """
        epsilon, bound = check_epsilon(self.epsilon), check_positive(self.bound, "bound")
        steps = check_int(self.iterations, "iterations", 1, 10**6)
        rate = check_in_range(check_positive(self.learning_rate, "learning_rate"), "learning_rate", 0, 1e100)
        ridge = check_in_range(self.ridge, "ridge", 0, 2 / rate)  # beyond it steps overshoot zero, further each time
        with_intercept = check_bool(self.fit_intercept, "fit_intercept")
        clip = check_option(self.clip, "clip", ("gradient", "features"))
        replace = check_neighbours(self.neighbours) == "replace"
        share = 1.0 if self.batch_rate is None else check_in_range(self.batch_rate, "batch_rate", 0, 1)
        if check_positive(share, "batch_rate") < 1 and replace:
            raise ValueError(f'batch_rate must be None or 1 where neighbours is "replace", got {self.batch_rate!r}')
        self.n_answers_ = steps if replace else steps + 1
        count_sigma = self._calibrate(epsilon, bound, steps, share, 2 * bound if replace else bound)
        values, target = read_labelled(self, X, y, np.float64)
        announce_read(self, ["classes"] if self.classes is None else [])
        schema = Schema.build(values, target, [1] * values.shape[1], self.classes)
        if schema.n_classes > 2:
            raise ValueError(f"Only binary classification is supported; got {schema.n_classes} classes")
        signs: Floats = np.where(schema.encode_classes(target) == 1, 1.0, -1.0)
        rows = np.column_stack([values, np.ones(len(values))]) if with_intercept else values
        theta = np.zeros(rows.shape[1])
        if schema.n_classes == 1:  # nothing to tell apart: zero weights say the first class
            steps = 0
        rng = self._noise(shape=(rows.shape[1],))
        n = float(len(rows))
        self.n_rows_ = n if replace else max(float(add_gaussian(n, count_sigma / bound, rng)), 1.0)
        scaled = Scaled.of(shorten(rows, bound=bound) if clip == "features" else rows)
        expected = max(share * self.n_rows_, 1.0)
        for _ in range(steps):
            asked, sides = (scaled, signs) if share == 1 else draw_batch(scaled, signs, share, rng)
            total = asked.gradient_sum(theta, sides, bound if clip == "gradient" else None)
            theta = theta - rate * (add_gaussian(total, self.sigma_, rng) / expected + ridge * theta)
        self.classes_ = schema.classes
        self.coef_: Floats = theta[None, : values.shape[1]]
        self.intercept_: Floats = theta[values.shape[1] :] if with_intercept else np.zeros(1)
        return self

    def _calibrate(self, epsilon: float, bound: float, steps: int, share: float, change: float) -> float:
        """Set the noise of the steps, and the ledger; return the noise of b times the number of rows."""
        self.accountant_ = Accountant(neighbours=check_neighbours(self.neighbours))
        if share == 1:
            whole = change * math.sqrt(self.n_answers_)
            self.sigma_ = gaussian_sigma(epsilon=epsilon, delta=self.delta, sensitivity=whole)
            self.accountant_.gaussian(sigma=self.sigma_, sensitivity=change, times=self.n_answers_)
            self.rho_ = self.accountant_.rho
            return self.sigma_
        # The number of rows is asked of everybody. So that it does not cost what batches save, it has ten times the
        # noise that would use up the budget alone: a hundredth of it, as Gaussian budgets go. (One row's, at least.)
        count_sigma = max(10 * gaussian_sigma(epsilon=epsilon, delta=self.delta, sensitivity=bound), bound)
        self.sigma_ = sampled_gaussian_sigma(
            epsilon=epsilon,
            delta=self.delta,
            sampling_rate=share,
            times=steps,
            sensitivity=bound,
            rho_beside=zcdp_gaussian(sigma=count_sigma, sensitivity=bound),
        )
        self.accountant_.gaussian(sigma=count_sigma, sensitivity=bound)
        self.accountant_.gaussian(sigma=self.sigma_, sensitivity=bound, times=steps, sampling_rate=share)
        self.rho_ = self.accountant_.rho
        return count_sigma

    def decision_function(self, X: npt.ArrayLike) -> Floats:
        """Give the signed score of each row: positive for the second class."""
        check_is_fitted(self)
        scores: Floats = Scaled.of(read_rows(self, X, np.float64)).scores(self.coef_[0]) + self.intercept_[0]
        return scores

    def _joint_log_likelihood(self, X: Any) -> Floats:
        largest = np.finfo(float).max
        score = np.clip(self.decision_function(X), -largest, largest)  # products of finite numbers may be infinite
        return np.column_stack([np.zeros_like(score), score])[:, : len(self.classes_)]
