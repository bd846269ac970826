"""Data that are refused, in words that name the argument and show none of the rows; warnings that tell of one row."""

import numpy as np
import pandas as pd
import pytest

from ldp_core.learn import DPLogisticRegression, DPNaiveBayes, LDPGaussianNB, LDPNaiveBayes

CODES = np.array([[0, 1], [1, 0], [0, 0], [1, 1]])
LABEL = np.array([0, 1, 0, 1])
DECLARED = {"categories": [2, 2], "classes": [0, 1]}


def models():
    return [
        LDPNaiveBayes(1.0, **DECLARED),
        DPLogisticRegression(1.0, classes=[0, 1]),
        LDPGaussianNB(1.0, bounds=(0, 1), classes=[0, 1]),
    ]


@pytest.mark.parametrize("model", models(), ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("dtype", ["datetime64[s]", "timedelta64[s]"])
def test_dates_are_no_numbers(model, dtype):
    for X in (CODES.astype(dtype), pd.DataFrame(CODES.astype(dtype)), list(CODES.astype(dtype))):
        with pytest.raises(TypeError, match=r"X must be real numbers or texts, got dtype"):
            model.fit(X, LABEL)


def test_no_warning_hangs_on_one_row():
    """scikit-learn would say from 26 classes among 50 rows on that there are many."""
    rng = np.random.default_rng(0)
    X, label = rng.integers(2, size=(50, 2)), np.arange(50) % 26
    DPNaiveBayes(1.0, categories=[2, 2], classes=range(30)).fit(X, label)  # a warning would be an error here
