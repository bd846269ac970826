"""Repeated cross-validation: the same distribution as cross_val_score, common folds, paired differences, rivals."""

import copy

import numpy as np
import pytest
from sklearn.model_selection import KFold, cross_val_score
from sklearn.naive_bayes import CategoricalNB

from ldp_core.audit import exact_epsilon
from ldp_core.learn import LDPBayes, LDPNaiveBayes, judge, paired, repeated_cv, rivals

SCHEMA = {"categories": [2, 3, 4], "classes": [0, 1, 2]}


@pytest.mark.parametrize("kind", [LDPNaiveBayes, LDPBayes])
def test_same_mean_as_cross_val_score(labelled, kind):
    """25 repetitions of both on 600 rows: means within 5 standard errors of their difference."""
    X, y = labelled[0][:600], labelled[1][:600]
    mine = repeated_cv(
        {"m": lambda e, rng: kind(e, random_state=rng, **SCHEMA)}, X, y, epsilons=[2.0], repetitions=25, folds=3, rng=1
    )["m"][0]
    rng = np.random.default_rng(2)
    plain = [
        cross_val_score(kind(2.0, random_state=rng, **SCHEMA), X, y, cv=KFold(3, shuffle=True, random_state=i)).mean()
        for i in range(25)
    ]
    error = np.hypot(mine.std(ddof=1), np.std(plain, ddof=1)) / np.sqrt(25)
    assert abs(mine.mean() - np.mean(plain)) < 5 * error


def test_folds_are_common_and_other_estimators_are_fitted_plainly(labelled):
    X, y = labelled[0][:500], labelled[1][:500]
    make = {name: lambda _, __: CategoricalNB(min_categories=[2, 3, 4]) for name in "ab"}
    found = repeated_cv(make, X, y, epsilons=[1.0, 2.0], repetitions=3, folds=4, rng=5)
    np.testing.assert_array_equal(found["a"], found["b"])
    np.testing.assert_array_equal(found["a"][0], found["a"][1])
    assert len(set(found["a"][0])) > 1  # new folds each time
    again = repeated_cv(make, X, y, epsilons=[1.0], repetitions=3, folds=4, rng=5)
    np.testing.assert_array_equal(again["a"][0], found["a"][0])


@pytest.mark.parametrize("seed", [0, 3])
def test_noise_is_fresh_in_every_fold_and_not_that_of_the_data(seed):
    """The generators that estimators get: new numbers in each fold, and none of the stream of the same integer."""
    seen = []

    class Watched(LDPBayes):
        def fit(self, X, y):
            seen.append(tuple(copy.deepcopy(self.random_state).random(4)))
            return super().fit(X, y)

    X, y = np.random.default_rng(seed).integers(2, size=(60, 2)), np.arange(60) % 2
    models = {"m": lambda e, rng: Watched(e, random_state=rng, categories=[2, 2], classes=[0, 1])}
    repeated_cv(models, X, y, epsilons=[1.0, 2.0], repetitions=3, folds=4, rng=seed)
    assert len(set(seen)) == len(seen) == 24
    own = np.random.default_rng(seed).random(100_000)
    assert not np.isin(np.ravel(seen), own).any()


def test_paired_difference_by_hand():
    difference, error = paired([0.5, 0.7, 0.6], [0.4, 0.5, 0.6])
    assert difference == pytest.approx(0.1)
    assert error == pytest.approx(0.1 / np.sqrt(3))


@pytest.mark.parametrize(
    ("up", "down", "open_", "word"),
    [
        (38, 1, 25, "mostly holds"), (1, 5, 2, "mostly fails"), (2, 1, 5, "mixed"), (4, 0, 4, "holds"),
        (1, 0, 7, "holds in part"), (0, 4, 4, "fails"), (0, 1, 7, "fails in part"), (0, 0, 3, "open"),
    ],
)  # fmt: skip
def test_the_word_of_a_verdict_follows_the_counts(up, down, open_, word):
    found = judge([(0.04, 0.01)] * up + [(-0.04, 0.01)] * down + [(0.02, 0.01)] * open_)
    assert found["verdict"] == word
    assert (found["clearly for"], found["clearly against"], found["of"]) == (up, down, up + down + open_)
    mean = 100 * (0.04 * (up - down) + 0.02 * open_) / (up + down + open_)
    assert found["mean difference, points"] == pytest.approx(mean, abs=0.0501)


def test_rivals_spend_the_same_budget_on_the_whole_report():
    for name, model in rivals(0.8).items():
        sizes = [2] if name == "OUE, split" else [2, 2]
        assert exact_epsilon(model.report_channel(sizes, 2)) == pytest.approx(0.8, rel=1e-9), name
