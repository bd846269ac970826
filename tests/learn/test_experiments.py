"""Repeated cross-validation: the same distribution as cross_val_score, common folds, paired differences.

Statistical tests state how many standard errors they allow; seeds are fixed, so a passing suite keeps passing.
"""

import numpy as np
import pytest
from sklearn.model_selection import KFold, cross_val_score
from sklearn.naive_bayes import CategoricalNB

from ldp_core.learn import LDPBayes, LDPNaiveBayes
from ldp_core.learn.experiments import paired, repeated_cv

SCHEMA = {"categories": [2, 3, 4], "classes": [0, 1, 2]}


@pytest.mark.parametrize("kind", [LDPNaiveBayes, LDPBayes])
def test_same_mean_as_cross_val_score(labelled, kind):
    """60 repetitions of both on 600 rows: means within 5 standard errors of their difference."""
    X, y = labelled[0][:600], labelled[1][:600]
    mine = repeated_cv(
        {"m": lambda e, rng: kind(e, random_state=rng, **SCHEMA)}, X, y, epsilons=[2.0], repetitions=60, folds=3, seed=1
    )["m"][0]
    rng = np.random.default_rng(2)
    plain = [
        cross_val_score(kind(2.0, random_state=rng, **SCHEMA), X, y, cv=KFold(3, shuffle=True, random_state=i)).mean()
        for i in range(60)
    ]
    error = np.hypot(mine.std(ddof=1), np.std(plain, ddof=1)) / np.sqrt(60)
    assert abs(mine.mean() - np.mean(plain)) < 5 * error


def test_folds_are_common_and_other_estimators_are_fitted_plainly(labelled):
    X, y = labelled[0][:500], labelled[1][:500]
    make = {name: lambda _, __: CategoricalNB(min_categories=[2, 3, 4]) for name in "ab"}
    found = repeated_cv(make, X, y, epsilons=[1.0, 2.0], repetitions=3, folds=4, seed=5)
    np.testing.assert_array_equal(found["a"], found["b"])
    np.testing.assert_array_equal(found["a"][0], found["a"][1])
    assert len(set(found["a"][0])) > 1  # new folds each time
    again = repeated_cv(make, X, y, epsilons=[1.0], repetitions=3, folds=4, seed=5)
    np.testing.assert_array_equal(again["a"][0], found["a"][0])


def test_more_budget_is_better(labelled):
    X, y = labelled[0][:2000], labelled[1][:2000]
    models = {"m": lambda e, rng: LDPNaiveBayes(e, random_state=rng, **SCHEMA)}
    score = repeated_cv(models, X, y, epsilons=[0.05, 5.0], repetitions=10, folds=2)["m"].mean(axis=1)
    assert score[1] > score[0]


def test_paired_difference_by_hand():
    difference, error = paired([0.5, 0.7, 0.6], [0.4, 0.5, 0.6])
    assert difference == pytest.approx(0.1)
    assert error == pytest.approx(0.1 / np.sqrt(3))
    with pytest.raises(ValueError, match="at least 2"):
        paired([0.5], [0.4])


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({"epsilons": [0.0]}, "epsilon"),
        ({"folds": 1}, "folds"),
        ({"repetitions": 0}, "repetitions"),
        ({"seed": -1}, "seed"),
    ],
)
def test_bad_input(labelled, settings, name):
    with pytest.raises(ValueError, match=name):
        repeated_cv({}, labelled[0][:50], labelled[1][:50], **{"epsilons": [1.0], **settings})
