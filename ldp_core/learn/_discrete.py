"""Naive Bayes on categories: everything that follows once the tables of estimated counts are there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ldp_core._validate import check_positive
from ldp_core.learn._data import read_labelled, read_rows
from ldp_core.learn._notices import announce_read
from ldp_core.learn._random import FreshNoise
from ldp_core.learn._schema import Categories, Codes, Schema
from ldp_core.postprocess import clip_negative, project_simplex

Floats = npt.NDArray[np.float64]

#: What can be done with negative estimates before they become probabilities. All of it is post-processing: it costs no
#: privacy, and each biases the estimates in its own way.
POSTPROCESS: dict[str, Callable[[Floats, float], Floats]] = {
    "clip": lambda estimates, _: clip_negative(estimates),
    "one": lambda estimates, _: np.where(estimates < 0, 1.0, estimates),
    "simplex": lambda estimates, total: project_simplex(estimates, total),
    "normalize": lambda estimates, total: scale_to(clip_negative(estimates), total),
}


def scale_to(amounts: Floats, total: float) -> Floats:
    """Scale non-negative amounts to a total; where all are 0, spread it evenly."""
    found = amounts.sum()
    return amounts * (total / found) if found > 0 else np.full_like(amounts, total / amounts.size)


class Classifier(ClassifierMixin, FreshNoise):  # type: ignore[misc]
    """Prediction from the joint log-likelihood, the only thing a subclass has to compute."""

    classes_: npt.NDArray[Any]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # At the budgets and sample sizes of scikit-learn's checks noise may drown everything, and should.
        tags.classifier_tags.poor_score = True
        return tags

    def _joint_log_likelihood(self, X: Any) -> Floats:
        raise NotImplementedError

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Give the most likely class of each row.

        Parameters
        ----------
        X : array_like or DataFrame, shape (n, n_features)
            Features; they stay where the model is, nothing about them is reported.

        Returns
        -------
        ndarray, shape (n,)
            Classes.
        """
        best = self._joint_log_likelihood(X).argmax(axis=1)  # checks that the model is fitted
        predicted: npt.NDArray[Any] = self.classes_[best]
        return predicted

    def predict_log_proba(self, X: npt.ArrayLike) -> Floats:
        """Give the logarithm of each class's posterior probability.

        Parameters
        ----------
        X : array_like or DataFrame, shape (n, n_features)
            Features.

        Returns
        -------
        ndarray of float64, shape (n, n_classes)
            Columns in the order of ``classes_``; −inf for a class whose prior probability was estimated as 0.
        """
        joint = self._joint_log_likelihood(X)
        joint -= joint.max(axis=1, keepdims=True)
        normalised: Floats = joint - np.log(np.exp(joint).sum(axis=1, keepdims=True))
        return normalised

    def predict_proba(self, X: npt.ArrayLike) -> Floats:
        """Give each class's posterior probability, as naive Bayes sees it.

        Parameters
        ----------
        X : array_like or DataFrame, shape (n, n_features)
            Features.

        Returns
        -------
        ndarray of float64, shape (n, n_classes)
            Rows sum to 1; columns in the order of ``classes_``.
        """
        probabilities: Floats = np.exp(self.predict_log_proba(X))
        return probabilities


class DiscreteNB(Classifier):
    """Naive Bayes on categorical features, from estimated counts of (value, class) pairs.

    A subclass provides the parameters ``categories``, ``classes`` and ``alpha``.
    """

    categories: Categories | None
    classes: Sequence[Any] | None
    alpha: float
    schema_: Schema

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def _read(self, X: Any, y: Any) -> tuple[Schema, Codes, Codes]:
        """Check data and encode them: schema, codes of features (n, h), codes of classes (n,)."""
        features, target = read_labelled(self, X, y)
        schema = self._schema(features, target)
        return schema, schema.encode(features), schema.encode_classes(target)

    def _schema(self, features: npt.NDArray[Any], target: npt.NDArray[Any]) -> Schema:
        """Build what everybody knows, and say so where it is read off the data."""
        lists = {"classes": self.classes, "categories": self.categories if features.shape[1] else ()}
        announce_read(self, [name for name, declared in lists.items() if declared is None])
        return Schema.build(features, target, self.categories, self.classes)

    def _learn_one_class(self, schema: Schema) -> None:
        """With one class, and no other declared, there is nothing to ask and nothing to tell apart."""
        self._learn(schema, np.ones(1), [np.zeros((n, 1)) for n in schema.sizes])

    def _learn(self, schema: Schema, classes: Floats, tables: Sequence[Floats]) -> None:
        """Turn counts that are no longer negative into probabilities.

        ``classes`` has shape (k,), table i shape (n_i, k).
        """
        alpha = check_positive(self.alpha, "alpha")
        self.schema_ = schema
        self.classes_ = schema.classes
        self.categories_ = list(schema.categories)
        self.n_features_in_ = len(schema.categories)
        self.class_count_ = classes
        self.category_count_ = list(tables)
        with np.errstate(divide="ignore"):  # a class estimated as empty has the logarithm −inf
            self.class_log_prior_ = np.log(scale_to(classes, 1.0))
        self.feature_log_prob_ = [
            np.log((table + alpha) / (table.sum(axis=0) + alpha * len(table))) for table in tables
        ]

    def _joint_log_likelihood(self, X: Any) -> Floats:
        check_is_fitted(self)
        return self._discrete_log_likelihood(read_rows(self, X))

    def _discrete_log_likelihood(self, X: npt.NDArray[Any]) -> Floats:
        codes = self.schema_.encode(X, unknown="-1")
        joint: Floats = np.tile(self.class_log_prior_, (len(codes), 1))
        for i, log_prob in enumerate(self.feature_log_prob_):
            # The last row, at −1: a value nobody declared says nothing about the class.
            joint += np.vstack([log_prob, np.zeros(log_prob.shape[1])])[codes[:, i]]
        return joint
