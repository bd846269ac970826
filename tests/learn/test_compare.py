"""Repeated cross-validation: the same distribution as cross_val_score, common folds, paired differences.

Statistical tests state how many standard errors they allow; seeds are fixed, so a passing suite keeps passing.
"""

import copy

import numpy as np
import pytest
from sklearn.model_selection import KFold, cross_val_score
from sklearn.naive_bayes import CategoricalNB

from ldp_core.audit import exact_epsilon
from ldp_core.learn import ContingencyTables, LDPBayes, LDPNaiveBayes
from ldp_core.learn.experiments import BlockNaiveBayes, judge, paired, repeated_cv

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
    repeated_cv(models, X, y, epsilons=[1.0, 2.0], repetitions=3, folds=4, seed=seed)
    assert len(set(seen)) == len(seen) == 24
    own = np.random.default_rng(seed).random(100_000)
    assert not np.isin(np.ravel(seen), own).any()


def test_data_of_two_lengths_are_refused():
    with pytest.raises(ValueError, match="X and y must"):
        repeated_cv({}, np.zeros((5, 2)), np.zeros(4), epsilons=[1.0])


def test_paired_difference_by_hand():
    difference, error = paired([0.5, 0.7, 0.6], [0.4, 0.5, 0.6])
    assert difference == pytest.approx(0.1)
    assert error == pytest.approx(0.1 / np.sqrt(3))
    with pytest.raises(ValueError, match="at least 2"):
        paired([0.5], [0.4])
    with pytest.raises(ValueError, match="one shape"):
        paired([0.5, 0.6], [0.4, 0.5, 0.6])
    with pytest.raises(TypeError, match="first must"):
        paired({0.5, 0.6}, [0.4, 0.5])


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


@pytest.mark.parametrize(
    ("up", "down", "open_", "word"),
    [
        (38, 1, 25, "mostly holds"),
        (1, 5, 2, "mostly fails"),
        (2, 1, 5, "mixed"),
        (4, 0, 4, "holds"),
        (1, 0, 7, "holds in part"),
        (0, 4, 4, "fails"),
        (0, 1, 7, "fails in part"),
        (0, 0, 3, "open"),
    ],
)
def test_the_word_of_a_verdict_follows_the_counts(up, down, open_, word):
    found = judge([(0.04, 0.01)] * up + [(-0.04, 0.01)] * down + [(0.02, 0.01)] * open_)
    assert found["verdict"] == word
    assert (found["clearly for"], found["clearly against"], found["of"]) == (up, down, up + down + open_)
    mean = 100 * (0.04 * (up - down) + 0.02 * open_) / (up + down + open_)
    assert found["mean difference, points"] == pytest.approx(mean, abs=0.0501)


def test_a_difference_without_spread_is_clear_unless_it_is_zero():
    assert judge([(0.01, 0.0)])["verdict"] == "holds"
    assert judge([(0.0, 0.0)])["verdict"] == "open"


@pytest.mark.parametrize("differences", [[], [0.1], [(0.1, -0.1)]])
def test_verdict_refuses(differences):
    with pytest.raises(ValueError, match="differences"):
        judge(differences)


def test_blocks_spend_epsilon_on_every_report():
    """Direct encoding: exactly (h + 1)·ε for the record; the oracles that send bits: at least that."""
    for sizes, classes in (([3], 2), ([2, 3], 2), ([2], 3)):
        spent = exact_epsilon(BlockNaiveBayes(0.5, "de").report_channel(sizes, classes))
        assert spent == pytest.approx((len(sizes) + 1) * 0.5)
    for oracle in ("oue", "sue"):
        assert exact_epsilon(BlockNaiveBayes(0.5, oracle).report_channel([3], 2)) >= 2 * 0.5 - 1e-9
    with pytest.raises(TypeError, match="oracle must"):
        BlockNaiveBayes(0.5, "she").report_channel([3], 2)


@pytest.mark.parametrize("oracle", ["de", "sue", "oue", "she", "the"])
def test_blocks_estimate_the_joint_counts(labelled, oracle):
    """Means of 200 fits at ε = 4 within 5 standard errors of the true counts, which are all far above 0."""
    X, y = labelled[0][:5000], labelled[1][:5000]
    model = BlockNaiveBayes(4.0, oracle, **SCHEMA)
    tables, rng = model.tabulate(X, y), np.random.default_rng(8)
    large = np.concatenate([t.ravel() for t in tables.joint]) > 300
    fits = [np.concatenate([t.ravel() for t in model.fit_counts(tables, rng).category_count_]) for _ in range(200)]
    true = np.concatenate([t.ravel() for t in tables.joint])
    error = np.std(fits, axis=0, ddof=1) / np.sqrt(200)
    assert np.all((np.abs(np.mean(fits, axis=0) - true) < 5 * error + 0.5)[large])  # the fill is rounded


def test_blocks_are_an_estimator_and_skip_features_of_one_value(labelled):
    X, y = np.column_stack([labelled[0][:3000], np.zeros(3000, dtype=int)]), labelled[1][:3000]
    schema = {"categories": [2, 3, 4, 1], "classes": [0, 1, 2]}
    model = BlockNaiveBayes(3.0, random_state=np.random.default_rng(1), **schema).fit(X, y)
    assert model.score(X, y) > np.bincount(y).max() / len(y)
    assert np.all(model.feature_log_prob_[3] == 0)
    found = repeated_cv(
        {"m": lambda e, rng: BlockNaiveBayes(e, random_state=rng, **schema)}, X, y, epsilons=[3.0], repetitions=2
    )["m"]
    assert found.shape == (1, 2)
    with pytest.raises(ValueError, match="schema"):
        model.fit_counts(ContingencyTables([], [1]))
