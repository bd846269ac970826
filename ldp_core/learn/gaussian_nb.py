"""Gaussian naive Bayes from private reports: means and mean squares, with the class hidden among zeros."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from ldp_core._arrays import Codes, Floats
from ldp_core._validate import Rng, check_epsilon, check_option, check_positive
from ldp_core.frequency.names import MakeOracle, make_oracle
from ldp_core.learn._classifier import Classifier
from ldp_core.learn._data import read_labelled, read_rows
from ldp_core.learn._gaussian import log_likelihood, presentable_moments
from ldp_core.learn._notices import announce_outside, announce_read
from ldp_core.learn._schema import Schema
from ldp_core.numeric import Laplace, NumericMechanism, Piecewise
from ldp_core.numeric.scaling import check_bounds
from ldp_core.postprocess import clip_negative

__all__ = ["LDPGaussianNB"]


class LDPGaussianNB(Classifier):
    r"""Gaussian naive Bayes under local differential privacy.

    The server needs, for every feature and class, the mean and the variance of the feature within the class. A user's
    values are scaled to t in [−1, 1] by public bounds. To report about them without showing the class j, the device
    writes a matrix with one row per feature and one column per class, t in column j and zeros elsewhere, and perturbs
    *all* of it. The mean of such matrices estimates :math:`P(C_j)\,\mu_{ij}`; dividing by the class probability gives
    the mean. Squares are reported the same way, as :math:`2t^2 - 1`, which fills [−1, 1] as well and halves the noise.

    Parameters
    ----------
    method : {"sample", "piecewise", "laplace"}, default "sample"
        How the matrix is perturbed. "laplace": Laplace noise on all of it, scale 2h/ε. "piecewise": the Piecewise
        mechanism in h·k dimensions. "sample": one feature, drawn uniformly, with Laplace noise of scale 2/ε on its k
        entries; the report says which.
    report : {"groups", "split"}, default "groups"
        "groups": the users are divided at random into thirds that report class, values and squares, each at ε.
        "split": everybody reports all three at ε/3 each, to show what that costs.
    oracle : str or callable, default "de"
        Frequency oracle for the class; see :class:`LDPNaiveBayes`.
    min_variance : float, default 0.01
        Least variance on the scale of [−1, 1], > 0. Estimated variances can come out negative; this floor, a standard
        deviation of a tenth of the half-width, replaces whatever is smaller.

    Attributes
    ----------
    class_prior_ : ndarray, shape (n_classes,)
        Estimated class probabilities: negative ones raised to 0, then normalized.
    theta_, var_ : ndarray, shape (h, n_classes)
        Estimated means and variances on the scale of [−1, 1], after they were made presentable: means moved into
        [−1, 1], mean squares into [0, 1], variances raised to ``min_variance``. In a class estimated as empty the mean
        is 0 and the variance 1.

    Notes
    -----
    The variance is the estimated mean square less the square of the estimated mean. Noise makes that square too large
    on average, by the variance of the mean, so variances come out a little too small;
    :class:`~ldp_core.numeric.Moments` takes this out, the classifier leaves it in.

    Why scale 2h/ε suffices for h·k entries: two such matrices differ by at most 2h in the sum of absolute values,
    whether the classes are the same (h entries, each by at most 2) or not (2h entries, each by at most 1). The zeros
    need noise, but no budget of their own.

    The guarantee is that of mechanisms over the real numbers. Reports with floating-point noise give more away in their
    last bits, all three methods' do; see :class:`~ldp_core.numeric.NumericMechanism`.

    References
    ----------
    E. Yilmaz, M. Al-Rubaie and J. M. Chang. Locally differentially private naive Bayes classification.
    arXiv:1905.01039, 2019, section 3.3.

    Examples
    --------
    >>> rng = np.random.default_rng(7)
    >>> y = rng.integers(2, size=30_000)
    >>> X = np.where(y, 0.5, -0.5)[:, None] + rng.normal(0, 0.2, size=(30_000, 2))
    >>> model = LDPGaussianNB(epsilon=2.0, classes=[0, 1], random_state=rng).fit(X, y)
    >>> model.predict([[-0.6, -0.4], [0.4, 0.5]])
    array([0, 1])
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        *,
        method: str = "sample",
        report: str = "groups",
        bounds: tuple[npt.ArrayLike, npt.ArrayLike] = (-1.0, 1.0),
        oracle: str | MakeOracle = "de",
        min_variance: float = 0.01,
        classes: Sequence[Any] | None = None,
        random_state: Rng = None,
    ) -> None:
        self.epsilon = epsilon
        self.method = method
        self.report = report
        self.bounds = bounds
        self.oracle = oracle
        self.min_variance = min_variance
        self.classes = classes
        self.random_state = random_state

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> LDPGaussianNB:
        """Let every user report, then estimate."""
        epsilon, min_variance = check_epsilon(self.epsilon), check_positive(self.min_variance, "min_variance")
        method = check_option(self.method, "method", tuple(METHODS))
        report = check_option(self.report, "report", ("groups", "split"))
        values, target = read_labelled(self, X, y, np.float64)
        announce_read(self, ["classes"] if self.classes is None else [])
        schema = Schema.build(values, target, [1] * values.shape[1], self.classes)
        scaler = check_bounds(self.bounds, values.shape[1])
        announce_outside(scaler, values)
        label, t = schema.encode_classes(target), scaler.transform(values)
        budget = epsilon / 3 if report == "split" else epsilon
        class_oracle = make_oracle(self.oracle, budget, max(schema.n_classes, 2))
        # From here on randomness. Who does what does not depend on anybody's data.
        self.classes_ = schema.classes
        if schema.n_classes == 1:
            self.class_prior_ = np.ones(1)
            self.theta_, self.var_ = np.zeros((t.shape[1], 1)), np.ones((t.shape[1], 1))
            return self
        rng = self._noise(shape=(t.shape[1], schema.n_classes))
        role = np.full(len(t), -1) if report == "split" else rng.permutation(len(t)) % 3
        asked, valued, squared = ((role == i) | (role < 0) for i in range(3))
        if asked.any():
            support = class_oracle.aggregate(class_oracle.perturb(label[asked], rng))
            counts = clip_negative(class_oracle.estimate(support, int(asked.sum())))
        else:
            counts = np.zeros(schema.n_classes)
        prior = counts / counts.sum() if counts.any() else np.full(schema.n_classes, 1 / schema.n_classes)
        shares = np.where(prior > 0, prior, np.inf)  # an empty class: mean 0

        def mean(values: Floats, who: npt.NDArray[np.bool_]) -> Floats:
            """Estimated mean of the matrices of those who are asked; 0 where nobody is."""
            if not who.any():
                return np.zeros((t.shape[1], schema.n_classes))
            return METHODS[method](values[who], label[who], schema.n_classes, budget, rng) / shares

        means, folded = mean(t, valued), mean(2 * t**2 - 1, squared)
        self.class_prior_ = prior
        self.theta_, self.var_ = presentable_moments(means, (folded + 1) / 2, min_variance)
        self.var_[:, prior == 0] = 1.0
        return self

    def _joint_log_likelihood(self, X: Any) -> Floats:
        check_is_fitted(self)
        t = check_bounds(self.bounds, self.n_features_in_).transform(read_rows(self, X, np.float64))
        with np.errstate(divide="ignore"):  # a class estimated as empty has the logarithm −inf
            prior = np.log(self.class_prior_)
        return log_likelihood(t, self.theta_, self.var_) + prior


def hide_class(t: Floats, label: Codes, k: int) -> Floats:
    """Write each user's values into the column of the class, zeros elsewhere: (n, h) to (n, h, k)."""
    hidden = np.zeros((*t.shape, k))
    hidden[np.arange(len(t)), :, label] = t
    return hidden


def _laplace(t: Floats, label: Codes, k: int, epsilon: float, rng: np.random.Generator) -> Floats:
    """Noise of scale 2h/ε on every entry: the sensitivity of the whole matrix is that of its h values."""
    h = t.shape[1]
    columns = hide_class(t, label, k).transpose(0, 2, 1).reshape(-1, h)
    mean: Floats = _reports(Laplace(epsilon, dim=h), columns, rng).reshape(-1, k, h).mean(axis=0).T
    return mean


def _piecewise(t: Floats, label: Codes, k: int, epsilon: float, rng: np.random.Generator) -> Floats:
    """The Piecewise mechanism on all h·k entries."""
    h = t.shape[1]
    flat = hide_class(t, label, k).reshape(len(t), -1)
    mean: Floats = _reports(Piecewise(epsilon, dim=h * k), flat, rng).mean(axis=0).reshape(h, k)
    return mean


def _sample(t: Floats, label: Codes, k: int, epsilon: float, rng: np.random.Generator) -> Floats:
    """One feature a user, drawn uniformly: noise of scale 2/ε on its k entries."""
    n, h = t.shape
    feature = rng.integers(h, size=n)
    row = hide_class(t[np.arange(n), feature][:, None], label, k).reshape(-1)
    noisy = _reports(Laplace(epsilon), row[:, None], rng).reshape(n, k)
    users = np.bincount(feature, minlength=h)
    sums = np.array([np.bincount(feature, weights=noisy[:, j], minlength=h) for j in range(k)]).T
    return sums / np.maximum(users, 1)[:, None]


def _reports(mechanism: NumericMechanism, rows: Floats, rng: np.random.Generator) -> Floats:
    """Reports of rows (n, dim), whatever the shape that the mechanism wants."""
    return mechanism.perturb(rows if mechanism.dim > 1 else rows[:, 0], rng).reshape(rows.shape)


#: The three ways to report a matrix with one row per feature and one column per class: its estimated mean, (h, k).
METHODS = {"sample": _sample, "piecewise": _piecewise, "laplace": _laplace}
