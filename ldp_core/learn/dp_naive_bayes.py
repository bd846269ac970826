"""Naive Bayes with a trusted curator: noise once, on the finished counts. The yardstick for the local methods."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from ldp_core._arrays import Codes, Floats
from ldp_core._validate import Rng, check_epsilon, check_int, check_neighbours, check_option, check_positive, shown
from ldp_core.central import laplace
from ldp_core.learn._data import read_labelled, read_rows
from ldp_core.learn._discrete import POSTPROCESS, DiscreteNB
from ldp_core.learn._gaussian import log_likelihood, presentable_moments
from ldp_core.learn._schema import Categories, Schema
from ldp_core.numeric.scaling import IntervalScaler

__all__ = ["DPNaiveBayes"]


class DPNaiveBayes(DiscreteNB):
    r"""Naive Bayes under central differential privacy, for categorical and numeric features.

    A curator sees the data and adds Laplace noise to what the classifier is made of. There are m parts: the class
    counts; for each categorical feature the counts of pairs (value, class); for each numeric feature, scaled to
    [−1, 1], the sums of its values and of their squares in each class. Each part gets ε/m, so that the finished model
    is ε-differentially private as a whole.

    Parameters
    ----------
    neighbours : {"add-remove", "replace"}, default "add-remove"
        What the guarantee compares: data sets with and without one person, or with one person's record replaced. The
        second has twice the sensitivity; it is what local differential privacy compares.
    numeric : mapping of int or str to (float, float), optional
        Numeric features, by position or column name, with public bounds (lower, upper); all others are categorical.
        Values outside are moved to the nearer bound.
    min_variance : float, default 0.01
        Least variance of a numeric feature on the scale of [−1, 1], > 0; replaces what noise made smaller.
    alpha : float, default 1.0
        Laplace smoothing of categorical features, > 0.
    postprocess : {"clip", "normalize", "simplex"}, default "clip"
        What happens to negative counts; see :class:`LDPNaiveBayes`. The number of rows, which two of them use, is not
        released: they scale to the sum of the noisy class counts, at least 1.

    Attributes
    ----------
    classes_, class_count_, class_log_prior_ : ndarray, shape (n_classes,)
        The classes, their noisy counts after post-processing, the logarithms of their probabilities.
    categories_, category_count_, feature_log_prob_ : list of ndarray
        Per categorical feature: values, noisy counts (n_i, k) after post-processing, logarithms of probabilities.
    theta_, var_ : ndarray, shape (number of numeric features, n_classes)
        Means and variances on the scale of [−1, 1].
    numeric_ : ndarray of int
        Positions of the numeric features.

    Notes
    -----
    A published variant releases means and standard deviations, at a scale that gives class sizes away. At the actual
    data a mean moves much less than in the worst case. The smooth-sensitivity variant [1]_ scales noise to the largest
    sensitivity of any data set at distance t, damped by :math:`e^{-\beta t}`, so that the scale itself
    gives nothing away; for pure ε it needs noise with heavy tails (Cauchy-like). It is not implemented here.

    The guarantee is that of the mechanism over the real numbers; see :class:`~ldp_core.numeric.NumericMechanism`.

    References
    ----------
    J. Vaidya, B. Shafiq, A. Basu and Y. Hong. Differentially private naive Bayes classification. IEEE/WIC/ACM Web
    Intelligence 2013.

    .. [1] F. Zafarani and C. Clifton. Differentially private naive Bayes classifier using smooth sensitivity.
       Proceedings on Privacy Enhancing Technologies 2021(4), 406–419.

    Examples
    --------
    >>> X = [["young", 1000.0], ["old", 4000.0]] * 500
    >>> y = ["missed", "paid"] * 500
    >>> public = {"numeric": {1: (0, 5000)}, "categories": [["old", "young"]], "classes": ["missed", "paid"]}
    >>> model = DPNaiveBayes(epsilon=1.0, **public, random_state=np.random.default_rng(1)).fit(X, y)
    >>> model.predict([["young", 900.0], ["old", 4500.0]])
    array(['missed', 'paid'], dtype='<U6')
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        *,
        neighbours: str = "add-remove",
        numeric: Mapping[int | str, tuple[float, float]] | None = None,
        min_variance: float = 0.01,
        alpha: float = 1.0,
        postprocess: str = "clip",
        categories: Categories | None = None,
        classes: Sequence[Any] | None = None,
        random_state: Rng = None,
    ) -> None:
        self.epsilon = epsilon
        self.neighbours = neighbours
        self.numeric = numeric
        self.min_variance = min_variance
        self.alpha = alpha
        self.postprocess = postprocess
        self.categories = categories
        self.classes = classes
        self.random_state = random_state

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> DPNaiveBayes:
        """Compute the parts, add noise, and build the model from nothing but the noisy parts.

        An error about data tells of a single record: it is for the curator's eyes, who checks records before asking for
        a model.
        """
        epsilon = check_epsilon(self.epsilon)
        check_positive(self.alpha, "alpha")
        min_variance = check_positive(self.min_variance, "min_variance")
        change = POSTPROCESS[check_option(self.postprocess, "postprocess", tuple(POSTPROCESS))]
        data, target = read_labelled(self, X, y)
        self.numeric_, self._scaler = self._read_numeric()
        discrete = np.delete(data, self.numeric_, axis=1)
        schema = self._schema(discrete, target)
        features, label, t = schema.encode(discrete), schema.encode_classes(target), self._scale(data)
        parts, sensitivities = self.parts(features, t, label, schema)
        budget, rng = epsilon / len(parts), self._noise(shape=(len(parts), *sensitivities))
        noisy = [self._noisy(part, most, budget, rng) for part, most in zip(parts, sensitivities, strict=True)]
        h = len(schema.sizes)
        total = max(float(noisy[0].sum()), 1.0)
        counts = change(noisy[0], total)
        self._learn(schema, counts, [change(p.ravel(), total).reshape(p.shape) for p in noisy[1 : 1 + h]])
        self.n_features_in_ = data.shape[1]
        first, second = (np.array(noisy[i + h :: 2]).reshape(-1, schema.n_classes) for i in (1, 2))
        self.theta_, self.var_ = self._presentable(first, second, counts, min_variance)
        return self

    def parts(self, features: Codes, t: Floats, label: Codes, schema: Schema) -> tuple[list[Floats], list[Any]]:
        """Give what noise is added to, and how much it can change: all that the guarantee hangs on.

        From codes of categorical features, numeric values t scaled to [−1, 1], the label, codes of the classes, and the
        schema it makes class counts (k,), per categorical feature the table (n_i, k), and per numeric feature two
        vectors (k,). Each gets ε/m, m being their number; beside it stands its largest sum of absolute changes between
        neighbours.
        """
        persons = 2.0 if check_neighbours(self.neighbours) == "replace" else 1.0
        k = schema.n_classes
        counts = np.bincount(label, minlength=k).astype(np.float64)
        pairs: list[tuple[Floats, Any]] = [(counts, 1.0)]
        for column, n in zip(features.T, schema.sizes, strict=True):
            table = np.bincount(column * k + label, minlength=n * k).reshape(n, k)
            pairs.append((table.astype(np.float64), 1.0))
        for column in t.T:
            pairs += self._moments(column, label, counts)
        return [part for part, _ in pairs], [persons * most for _, most in pairs]

    def _moments(self, t: Floats, label: Codes, counts: Floats) -> list[tuple[Floats, Any]]:
        """What is released of a numeric feature, and by how much one person changes it."""
        return [(np.bincount(label, values, len(counts)).astype(np.float64), 1.0) for values in (t, t**2)]

    def _noisy(self, part: Floats, sensitivity: Any, epsilon: float, rng: np.random.Generator) -> Floats:
        noisy: Floats = laplace(part, epsilon=epsilon, sensitivity=sensitivity, rng=rng)
        return noisy

    def _presentable(self, first: Floats, second: Floats, counts: Floats, least: float) -> tuple[Floats, Floats]:
        """Means and variances from noisy sums, each of shape (number of numeric features, n_classes)."""
        users = np.maximum(counts, 1.0)
        return presentable_moments(first / users, second / users, least)

    def _read_numeric(self) -> tuple[npt.NDArray[np.int64], IntervalScaler | None]:
        """Positions of the numeric features, and the scaler for them."""
        numeric = {} if self.numeric is None else self.numeric
        if not isinstance(numeric, Mapping):
            raise TypeError(f"numeric must map features to bounds, got {shown(numeric)}")
        if not numeric:
            return np.empty(0, dtype=np.int64), None
        names: list[Any] = list(getattr(self, "feature_names_in_", ()))
        places: dict[int, tuple[float, float]] = {}
        for key, bounds in numeric.items():
            if isinstance(key, str) and key not in names:
                raise ValueError(f"numeric must name columns of X, {names!r}, got {shown(key)}")
            place = names.index(key) if isinstance(key, str) else key
            if not isinstance(place, numbers.Integral):
                raise TypeError(f"numeric must have positions or column names as keys, got {shown(key)}")
            place = check_int(place, "numeric", 0, self.n_features_in_ - 1)
            if place in places:
                raise ValueError(f"numeric must name each feature once, got {key!r} twice")
            if np.shape(bounds) != (2,):
                raise ValueError(f"numeric must give a pair (lower, upper), got {shown(bounds)} for {key!r}")
            places[place] = bounds
        order = sorted(places)
        low, high = zip(*(places[i] for i in order), strict=True)
        return np.array(order), IntervalScaler(np.array(low), np.array(high), clip=True)

    def _scale(self, X: npt.NDArray[Any]) -> Floats:
        if self._scaler is None:
            return np.zeros((len(X), 0))
        try:
            values = X[:, self.numeric_].astype(np.float64)
        except (TypeError, ValueError):
            raise ValueError("X must hold numbers in the numeric features") from None
        scaled: Floats = self._scaler.transform(values)
        return scaled

    def _joint_log_likelihood(self, X: Any) -> Floats:
        check_is_fitted(self)
        X = read_rows(self, X)
        joint = self._discrete_log_likelihood(np.delete(X, self.numeric_, axis=1))
        return joint + log_likelihood(self._scale(X), self.theta_, self.var_)
