"""What all classifiers share: prediction, and noise that never repeats unasked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin

from ldp_core._arrays import Floats
from ldp_core.learn._random import FreshNoise


class Classifier(ClassifierMixin, FreshNoise, ABC):  # type: ignore[misc]
    """Prediction from a logarithm for each class, the only thing a subclass has to compute."""

    classes_: npt.NDArray[Any]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # At the budgets and sample sizes of scikit-learn's checks noise may drown everything, and should.
        tags.classifier_tags.poor_score = True
        return tags

    @abstractmethod
    def _joint_log_likelihood(self, X: Any) -> Floats:
        """Logarithms of the posterior probabilities, (n, n_classes), up to a constant for each row; not all −inf."""

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Give the most likely class of each row.

        Features stay where the model is, nothing about them is reported.
        """
        best = self._joint_log_likelihood(X).argmax(axis=1)  # checks that the model is fitted
        predicted: npt.NDArray[Any] = self.classes_[best]
        return predicted

    def predict_log_proba(self, X: npt.ArrayLike) -> Floats:
        """Give the logarithm of each class's posterior probability.

        Columns are in the order of ``classes_``; −inf is a class whose prior probability was estimated as 0.
        """
        joint = self._joint_log_likelihood(X)
        joint -= joint.max(axis=1, keepdims=True)
        logarithms: Floats = joint - np.log(np.exp(joint).sum(axis=1, keepdims=True))
        return logarithms

    def predict_proba(self, X: npt.ArrayLike) -> Floats:
        """Give each class's posterior probability, as the model sees it; columns are in the order of ``classes_``."""
        return np.exp(self.predict_log_proba(X))
