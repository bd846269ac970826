"""scikit-learn's conventions, checked by scikit-learn for every estimator of the package.

Budgets are large, since the checks ask whether a model has learnt; noise comes from a fixed seed, since they ask
whether two fits agree.
"""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import estimator_checks_generator

from ldp_core import _validate, learn
from ldp_core.learn import (
    DCA,
    FELP,
    FWELL,
    DPLogisticRegression,
    DPNaiveBayes,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    LDPBayes,
    LDPGaussianNB,
    LDPNaiveBayes,
)

ESTIMATORS = [
    LDPNaiveBayes(epsilon=50.0, random_state=0),
    LDPNaiveBayes(epsilon=50.0, report="split", random_state=0),
    LDPBayes(epsilon=50.0, random_state=0),
    LDPGaussianNB(epsilon=500.0, report="split", bounds=(-10, 10), random_state=0),
    DPNaiveBayes(epsilon=500.0, random_state=0),
    DCA(),
    EqualWidthDiscretizer(bounds=(-10, 10)),
    EqualFrequencyDiscretizer(epsilon=50.0, bounds=(-10, 10), random_state=0),
    FWELL(0.5, bounds=(-10, 10)),
    FELP(5.0, n_members=3, n_features_to_select=0.5, bounds=(-10, 10), random_state=0),
    *(
        DPLogisticRegression(1e6, clip=clip, bound=30.0, iterations=200, learning_rate=0.3, random_state=0)
        for clip in ("gradient", "features")
    ),
]


def name(estimator):
    """Its class, and which of its variants it is."""
    return f"{type(estimator).__name__}-{getattr(estimator, 'report', '') or getattr(estimator, 'clip', '')}"


def test_every_estimator_of_the_package_is_checked():
    made = {getattr(learn, n) for n in learn.__all__}
    assert {c for c in made if hasattr(c, "fit")} == {type(e) for e in ESTIMATORS}


CHECKS = [
    pytest.param(estimator, check, id=f"{name(estimator)}-{check.func.__name__}")
    for estimator in ESTIMATORS
    for estimator, check in estimator_checks_generator(estimator)
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


def test_frames_pipelines_and_cross_validation(labelled):
    X, y = labelled
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    for estimator in (
        LDPNaiveBayes(8.0, random_state=1),
        LDPBayes(8.0, random_state=1),
        DPNaiveBayes(8.0, random_state=1),
    ):
        scores = cross_val_score(estimator, frame, y, cv=3)
        assert scores.min() > np.bincount(y).max() / len(y)
        assert list(clone(estimator).fit(frame, y).feature_names_in_) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("make", "first", "second"),
    [
        (DPNaiveBayes, {"numeric": {0: (0, 1), 1: (0, 1)}}, {"numeric": {0: (0, 2), 1: (0, 2)}}),
        (EqualFrequencyDiscretizer, {"bounds": (0, 1)}, {"bounds": (0, 2)}),
        (FELP, {"bounds": (0, 1)}, {"bounds": (0, 2)}),
        (LDPGaussianNB, {"bounds": (0, 1)}, {"bounds": (0, 2)}),
        (LDPGaussianNB, {}, {"features": 1}),
        (DPLogisticRegression, {"iterations": np.int64(5)}, {"iterations": np.int64(6)}),
    ],
)
def test_one_seed_is_another_stream_at_other_bounds_or_for_other_features(make, first, second, monkeypatch):
    """Noise grows with bounds and shares of the budget: of one stream it would cancel, twice Lap(1) is Lap(2)."""
    real, keys = _validate.seeded, []

    def spied(seed, use, *key):
        keys.append((use, key))
        return real(seed, use, *key)

    monkeypatch.setattr(_validate, "seeded", spied)
    rows, y = np.random.default_rng(1).uniform(size=(60, 2)), np.arange(60) % 2
    streams = []
    for settings in (first, first, second):
        keys.clear()
        columns = settings.get("features", 2)
        parameters = {name: value for name, value in settings.items() if name != "features"}
        make(1.0, random_state=7, **parameters).fit(rows[:, :columns], y)
        streams.append({key for use, key in keys if use == "noise"})
    assert streams[0] == streams[1] != set()
    assert not streams[0] & streams[2]


def test_a_seed_does_not_mind_what_type_a_parameter_is_of():
    rows, y = np.random.default_rng(1).uniform(size=(60, 2)), np.arange(60) % 2
    models = [DPLogisticRegression(e, iterations=k, random_state=7) for e, k in ((1, 5), (np.float64(1), np.int64(5)))]
    one, other = (model.fit(rows, y).coef_ for model in models)
    np.testing.assert_array_equal(one, other)
