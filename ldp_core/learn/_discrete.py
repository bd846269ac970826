"""Naive Bayes on categories: everything that follows once the tables of estimated counts are there."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from ldp_core._arrays import Codes, Counts, Floats
from ldp_core._validate import check_counts, check_positive
from ldp_core.learn._classifier import Classifier
from ldp_core.learn._data import read_labelled, read_rows
from ldp_core.learn._notices import announce_read
from ldp_core.learn._schema import Categories, Schema
from ldp_core.postprocess import clip_negative, project_simplex

#: What can be done with negative estimates before they become probabilities. All of it is post-processing: it costs no
#: privacy, and each biases the estimates in its own way.
POSTPROCESS: dict[str, Callable[[Floats, float], Floats]] = {
    "clip": lambda estimates, _: clip_negative(estimates),
    "simplex": lambda estimates, total: project_simplex(estimates, total),
    "normalize": lambda estimates, total: scale_to(clip_negative(estimates), total),
}


def scale_to(amounts: Floats, total: float) -> Floats:
    """Scale non-negative amounts to a total; where all are 0, spread it evenly."""
    present = amounts.sum()
    return amounts * (total / present) if present > 0 else np.full_like(amounts, total / amounts.size)


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

    def _holders(self, counts: npt.ArrayLike | None, n: int) -> Counts:
        """How many users hold each of n rows: one, where nobody says otherwise."""
        holders = np.ones(n, dtype=np.int64) if counts is None else check_counts(counts, "counts", n)
        if not holders.any():
            raise ValueError("counts must hold at least one user, got all zeros")
        return holders

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

        ``classes`` has shape (n_classes,), table i shape (n_i, n_classes).
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


class LocalNB(DiscreteNB):
    """Naive Bayes from what users report, each under ε."""

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> Self:
        """Let every user report, then estimate.

        In the local model a value that is not declared is the device's error, before anything has left it.
        """
        self._check_parameters()
        schema, features, label = self._read(X, y)
        if schema.n_classes == 1:
            return self._nobody_asked(schema)
        return self._collect(schema, features, label)

    @abstractmethod
    def _check_parameters(self) -> None:
        """Refuse what is out of range, before anybody is asked."""

    @abstractmethod
    def _nobody_asked(self, schema: Schema) -> Self:
        """Learn the only class there is."""

    @abstractmethod
    def _collect(self, schema: Schema, features: Codes, label: Codes) -> Self:
        """Ask everybody, and estimate."""
