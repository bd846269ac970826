"""Noise that is fresh in every fit, and notices: what repeats noise or leaks data says so, under a name of its own.

Differences between noisy counts are compared with noise-free truth: they agree by chance with a probability of 0 for
continuous noise, so that no test here is statistical.
"""

import copy
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
from sklearn.base import clone

import ldp_core.learn
from ldp_core import secure_rng
from ldp_core.learn import (
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

PUBLIC = {"categories": [3, 4], "classes": [0, 1]}
NOISY = [
    LDPNaiveBayes(1.0, oracle="she", **PUBLIC),
    LDPBayes(1.0, **PUBLIC),
    LDPGaussianNB(1.0, bounds=(0, 4), classes=[0, 1]),
    DPNaiveBayes(1.0, **PUBLIC),
    DPLogisticRegression(1.0, classes=[0, 1]),
    EqualFrequencyDiscretizer(1.0, n_bins=2, bounds=(0, 4)),
    FELP(1.0, n_members=2, bounds=(0, 4)),
]


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(31)
    return np.column_stack([rng.integers(3, size=400), rng.integers(4, size=400)]), rng.integers(2, size=400)


def learned(model):
    """Everything numeric that a fit has left behind."""
    names = ("class_count_", "theta_", "coef_", "edges_", "weights_", "category_count_")
    parts = [getattr(model, name) for name in names if hasattr(model, name)]
    return np.concatenate([np.ravel(p) for part in parts for p in (part if isinstance(part, list) else [part])])


def named(estimators):
    return pytest.mark.parametrize("estimator", estimators, ids=lambda e: type(e).__name__)


@named(NOISY)
@pytest.mark.parametrize("make", [np.random.default_rng, lambda _: secure_rng()], ids=["seeded", "system"])
def test_two_fits_two_clones_and_all_copies_differ(table, estimator, make):
    model = clone(estimator).set_params(random_state=make(1))
    copies = [model, clone(model), clone(model), copy.copy(model), copy.deepcopy(model)]
    copies.append(pickle.loads(pickle.dumps(model)))
    copies.append(clone(clone(model)))
    found = [learned(m.fit(*table)) for m in copies]
    found.append(learned(model.fit(*table)))
    assert len({tuple(f) for f in found}) == len(found)


@named(NOISY)
def test_the_same_start_gives_the_same_streams(table, estimator):
    runs = []
    for _ in range(2):
        model = clone(estimator).set_params(random_state=np.random.default_rng(9))
        runs.append([learned(m.fit(*table)) for m in (model, clone(model), copy.deepcopy(model), model)])
    for one, other in zip(*runs, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_seed_draws_who_is_asked_and_the_noise_from_two_streams():
    """With one stream the first user's lot would decide her noise."""
    model = LDPNaiveBayes(1.0, oracle="de", random_state=4, **PUBLIC)
    streams = [ldp_core.learn._random.draw_source(4).random(50), ldp_core.learn._random.noise_source(4).random(50)]
    assert not np.any(streams[0] == streams[1])
    assert model.tabulate([[0, 0]] * 9, [0] * 9).label.sum() == model.tabulate([[0, 0]] * 9, [0] * 9, rng=4).label.sum()


def notices(kind, call):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", getattr(ldp_core.learn, kind))
        call()
    return seen


@named(NOISY)
def test_a_seed_says_that_it_repeats_and_a_generator_does_not(table, estimator):
    def fit(random_state):
        return lambda: clone(estimator).set_params(random_state=random_state).fit(*table)

    assert [n.filename for n in notices("RepeatedNoiseWarning", fit(3))] == [__file__]
    assert "same noise" in str(notices("RepeatedNoiseWarning", fit(np.int64(3)))[0].message)
    for quiet in (None, np.random.default_rng(3), secure_rng()):
        assert not notices("RepeatedNoiseWarning", fit(quiet))


def test_in_a_session_the_seed_is_mentioned_once_and_can_be_silenced_by_name():
    """Sessions that are forked where all is imported and nothing said."""
    program = (
        "import os, sys, warnings, numpy as np\n"
        "from sklearn.model_selection import cross_val_score\n"
        "from ldp_core.learn import FELP, DPNaiveBayes, RepeatedNoiseWarning\n"
        "for line in sys.argv[1:]:\n"
        "    if session := os.fork():\n"
        "        assert os.waitpid(session, 0)[1] == 0\n"
        "        print('END', file=sys.stderr, flush=True)\n"
        "        continue\n"
        "    exec(line)\n"
        "    for seed in range(3):\n"
        "        cross_val_score(DPNaiveBayes(random_state=seed), np.eye(4), [0, 1, 0, 1], cv=2)\n"
        "    FELP(random_state=1).fit(np.eye(4), [0, 1, 0, 1])\n"
        "    break\n"
    )
    silent = "warnings.simplefilter('ignore', RepeatedNoiseWarning)"
    lines = ["", silent, "warnings.simplefilter('always', RepeatedNoiseWarning)"]
    done = subprocess.run([sys.executable, "-c", program, *lines], capture_output=True, text=True, check=True)
    *said, _ = done.stderr.split("END\n")
    assert [session.count("RepeatedNoiseWarning: ") for session in said] == [1, 0, 7]
    assert [session.count("PrivacyLeakWarning: ") for session in said] == [1, 1, 1]  # for its line, six folds in all


@named([LDPNaiveBayes(), LDPBayes(), DPNaiveBayes()])
def test_lists_read_off_the_data_are_announced_where_they_are_read(table, estimator):
    def told(**declared):
        return [
            (n.filename, str(n.message).split(" off ")[0].split("reads its ")[1])
            for n in notices("PrivacyLeakWarning", lambda: clone(estimator).set_params(**declared).fit(*table))
        ]

    assert told() == [(__file__, "classes and categories")]
    assert told(classes=[0, 1]) == [(__file__, "categories")]
    assert told(categories=[3, 4]) == [(__file__, "classes")]
    assert told(**PUBLIC) == []


@named([LDPGaussianNB(bounds=(0, 4)), DPLogisticRegression()])
def test_classes_read_off_the_data_are_announced(table, estimator):
    assert len(notices("PrivacyLeakWarning", lambda: estimator.fit(*table))) == 1
    told = clone(estimator).set_params(classes=[0, 1])
    assert not notices("PrivacyLeakWarning", lambda: told.fit(*table))


@named([LDPGaussianNB(), FWELL(), FELP(n_members=2), EqualWidthDiscretizer(), EqualFrequencyDiscretizer(n_bins=2)])
def test_values_beyond_the_default_bounds_are_announced(estimator):
    rng = np.random.default_rng(1)
    ages, y = rng.uniform(17, 90, size=(60, 2)), np.arange(60) % 2
    told = notices("OutOfBoundsWarning", lambda: estimator.fit(ages, y))
    assert ["bounds=" in str(n.message) for n in told] == [True]
    chosen = clone(estimator).set_params(bounds=(17, 40))
    assert not notices("OutOfBoundsWarning", lambda: chosen.fit(ages, y))
    # A few, and one person more or less, change nothing.
    few = np.where(rng.random((60, 2)) < 0.3, ages, ages / 100)
    assert not notices("OutOfBoundsWarning", lambda: clone(estimator).fit(few, y))


CLASSIFIERS = [e for e in NOISY if hasattr(e, "predict_proba")]


@named(CLASSIFIERS)
def test_one_class_fits(table, estimator):
    """Declared, it is a model of two classes; else it always says the one, and that was announced."""
    X, y = table[0], np.full(400, 1)
    two = clone(estimator).fit(X, y)
    assert two.classes_.tolist() == [0, 1]
    assert two.predict_proba(X).shape == (400, 2)
    one = clone(estimator).set_params(classes=None)
    assert len(notices("PrivacyLeakWarning", lambda: one.fit(X, y))) == 1
    assert one.classes_.tolist() == [1]
    np.testing.assert_array_equal(one.predict(X), y)
    np.testing.assert_array_equal(one.predict_proba(X), np.ones((400, 1)))


@named(CLASSIFIERS)
def test_a_class_that_is_not_declared_is_named(table, estimator):
    with pytest.raises(ValueError, match="y must hold the classes"):
        clone(estimator).set_params(classes=[0, 2]).fit(*table)


def test_text_and_numbers_are_not_mixed_up_at_prediction():
    model = LDPNaiveBayes(30.0, oracle="de", classes=[0, 1]).fit([["1"], ["2"]] * 50, [0, 1] * 50)
    with pytest.raises(TypeError, match=r"X must hold text in feature 0, .*'1'.* got numbers"):
        model.predict([[1], [2]])
    with pytest.raises(TypeError, match=r"X must hold numbers in feature 0, .* got text"):
        LDPBayes(30.0, categories=[2], classes=[0, 1]).fit([[0], [1]] * 50, [0, 1] * 50).predict([["0"]])


def test_no_pickle_leads_back_to_the_noise_of_its_fit(table):
    model = DPNaiveBayes(1.0, random_state=np.random.default_rng(5), **PUBLIC).fit(*table)
    for handed_over in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)):
        seeds = handed_over.random_state.bit_generator.seed_seq
        # A child's parent is its entropy with the last key left out; the noise was the first thing the parent drew.
        assert seeds.spawn_key == ()
        replayed = np.random.default_rng(np.random.SeedSequence(seeds.entropy)).laplace(0, 3.0, 2)
        found = model.class_count_ - replayed
        assert np.abs(found - np.round(found)).max() > 1e-6
        assert seeds.entropy != 5
