"""Naive Bayes from private reports: budget of the whole report, law of the two paths, limit."""

import itertools
import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import CategoricalNB

from ldp_core.audit import exact_epsilon
from ldp_core.frequency import DirectEncoding, SubsetSelection, ThresholdHistogram
from ldp_core.frequency.names import ORACLES
from ldp_core.learn import ContingencyTables, LDPNaiveBayes, records
from ldp_core.postprocess import clip_negative, project_simplex

FALSE_ALARM = 1e-6
REPORTS = ["sample", "groups", "split"]
FINITE = [name for name in ORACLES if name != "she"]


class Observed(LDPNaiveBayes):
    """Remembers what the server saw."""

    def _estimate(self, schema, oracles, supports, users):
        self.seen_ = [None if s is None else s.copy() for s in supports]
        return super()._estimate(schema, oracles, supports, users)

    def seen(self):
        sizes = self._domains(self.schema_)
        parts = [np.zeros(d, dtype=int) if s is None else s for s, d in zip(self.seen_, sizes, strict=True)]
        return tuple(np.concatenate(parts).tolist())


class Listener(Observed):
    """Remembers the same, and makes no model of it."""

    def _estimate(self, schema, oracles, supports, users):
        self.schema_, self.seen_ = schema, supports
        return self


# ---- the budget -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("prior", ["label", "features"])
@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("oracle", FINITE)
@pytest.mark.parametrize("epsilon", [0.1, 3.0])
def test_whole_report_has_at_most_the_stated_epsilon(oracle, report, prior, epsilon):
    model = LDPNaiveBayes(epsilon, oracle=oracle, report=report, prior=prior)
    channel = model.report_channel([2, 2], 2)
    np.testing.assert_allclose(channel.sum(axis=1), 1, atol=1e-12)
    exact = exact_epsilon(channel)
    assert exact <= epsilon * (1 + 1e-12)
    if oracle != "the":
        # Exactly ε says that nothing is given away for nothing: the pair that differs most differs in all inputs.
        assert exact == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.parametrize("report", REPORTS)
def test_whole_report_with_unequal_features_and_three_classes(report):
    model = LDPNaiveBayes(0.7, oracle="de", report=report)
    channel = model.report_channel([1, 2, 3], 3)
    assert len(channel) == len(records([1, 2, 3], 3)) == 18
    assert exact_epsilon(channel) == pytest.approx(0.7, rel=1e-9)


def test_budget_of_summation_histograms():
    """No finite channel, so by the oracle's own density: split over m inputs each gets ε/m."""
    model = LDPNaiveBayes(1.2, oracle="she", report="split").fit([[0, 1], [1, 0]], [0, 1])
    assert {o.epsilon for o in model._oracles(model.schema_)} == {1.2 / 3}
    with pytest.raises(ValueError, match="finite channel"):
        model.report_channel([2, 2], 2)


# ---- the law of what the server sees --------------------------------------------------------------------------

RECORDS = [((0, 1), 0), ((1, 1), 1), ((1, 0), 1)]


def exact_law(report):
    """Law of the support counts of three users, two binary features, direct encoding, by enumeration."""
    model = LDPNaiveBayes(1.0, oracle="de", report=report, prior="features")
    epsilon = 0.5 if report == "split" else 1.0
    one = DirectEncoding(epsilon, 4).channel()
    codes = [[2 * x[0] + y, 2 * x[1] + y] for x, y in RECORDS]
    eye = np.eye(8, dtype=int)

    def views(user, asked):
        """Every view of one user's report, with its probability."""
        for reports in itertools.product(range(4), repeat=len(asked)):
            weight = math.prod(one[codes[user][i], r] for i, r in zip(asked, reports, strict=True))
            yield sum(eye[4 * i + r] for i, r in zip(asked, reports, strict=True)), weight

    if report == "split":
        draws = [(((0, 1),) * 3, 1.0)]
    elif report == "sample":
        draws = [(tuple((i,) for i in asked), 1 / 8) for asked in itertools.product(range(2), repeat=3)]
    else:  # two of the three report feature 0
        draws = [(tuple((int(u == last),) for u in range(3)), 1 / 3) for last in range(3)]
    law: dict[tuple[int, ...], float] = {}
    for asked, weight in draws:
        for parts in itertools.product(*(list(views(u, a)) for u, a in enumerate(asked))):
            key = tuple(sum(p[0] for p in parts).tolist())
            law[key] = law.get(key, 0.0) + weight * math.prod(p[1] for p in parts)
    assert sum(law.values()) == pytest.approx(1)
    return model, law


@pytest.mark.parametrize("path", ["users", "counts of rows", "counts of multiples"])
@pytest.mark.parametrize("report", REPORTS)
def test_both_paths_have_the_exact_joint_law_over_all_inputs(report, path, chi_square_p):
    _, law = exact_law(report)
    rng = np.random.default_rng(3)
    model = Listener(
        1.0, oracle="de", report=report, prior="features", random_state=rng, categories=[2, 2], classes=[0, 1]
    )
    X, y = [x for x, _ in RECORDS], [c for _, c in RECORDS]
    # Multiples: row 0 is listed with no holder, and once more with one.
    X_, y_, counts = ([X[0], *X], [y[0], *y], [0, 1, 1, 1]) if path == "counts of multiples" else (X, y, None)
    data = model._read(X_, y_)  # once: reading the same rows draws nothing
    runs, observed = 1_500, Counter()
    for _ in range(runs):
        if path == "users":
            model._collect(*data)
        else:
            model.fit_counts(model._count(*data, counts, None))
        observed[model.seen()] += 1
    assert chi_square_p(observed, law, runs) > FALSE_ALARM


@pytest.mark.parametrize("report", REPORTS)
def test_to_fit_is_to_read_and_to_collect(report):
    """Hence what the law above says about the second half holds for the whole."""
    X, y = [x for x, _ in RECORDS], [c for _, c in RECORDS]
    settings = {"report": report, "categories": [2, 2], "classes": [0, 1]}
    whole, halves, counted, both = (Observed(1.0, **settings, random_state=np.random.default_rng(6)) for _ in range(4))
    whole.fit(X, y)
    halves._collect(*halves._read(X, y))
    assert whole.seen() == halves.seen()
    counted.fit_counts(counted.tabulate(X, y))
    both.fit_counts(both._count(*both._read(X, y), None, None))
    assert counted.seen() == both.seen()


@pytest.mark.parametrize("report", REPORTS)
def test_tabulate_counts_every_report_once(report, labelled):
    X, y = labelled
    tables = LDPNaiveBayes(report=report, random_state=1).tabulate(X, y)
    sums = np.array([tables.label.sum(), *(t.sum() for t in tables.joint)])
    if report == "split":
        assert np.all(sums == len(y))
        np.testing.assert_array_equal(tables.joint[1][:, 2], np.bincount(X[y == 2, 1], minlength=3))
    else:
        assert sums.sum() == len(y)
    if report == "groups":
        assert np.ptp(sums) <= 1


# ---- the model ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("oracle", ["de", "sue", "she", "ss"])
def test_without_noise_it_is_scikit_learn_s(oracle, labelled):
    """At ε = 10,000 a report lies with probability below e^(-600) (SHE: noise of scale 1e-3 a report)."""
    X, y = labelled
    model = LDPNaiveBayes(1e4, oracle=oracle, report="split", alpha=0.5, random_state=0).fit(X, y)
    reference = CategoricalNB(alpha=0.5).fit(X, y)
    tolerance = 1e-3 if oracle == "she" else 1e-9
    np.testing.assert_allclose(model.class_log_prior_, reference.class_log_prior_, rtol=tolerance)
    for mine, theirs in zip(model.feature_log_prob_, reference.feature_log_prob_, strict=True):
        np.testing.assert_allclose(mine, theirs.T, rtol=tolerance)
    np.testing.assert_allclose(model.predict_log_proba(X), reference.predict_log_proba(X), rtol=10 * tolerance)
    assert model.score(X, y) == pytest.approx(reference.score(X, y), abs=1e-3)


@pytest.mark.parametrize("name", ["clip", "normalize", "simplex"])
def test_postprocess_is_what_it_says(name, labelled):
    X, y = (part[:300] for part in labelled)
    model = Observed(0.2, report="split", postprocess=name, random_state=6).fit(X, y)
    oracles = model._oracles(model.schema_)
    raw = [o.estimate(s, 300) for o, s in zip(oracles, model.seen_, strict=True)]
    assert min(r.min() for r in raw) < 0, "nothing to post-process"
    expected = {
        "clip": clip_negative,
        "normalize": lambda e: clip_negative(e) * 300 / clip_negative(e).sum(),
        "simplex": lambda e: project_simplex(e, 300),
    }[name]
    np.testing.assert_allclose(model.class_count_, expected(raw[0]))
    for found, estimate in zip(model.category_count_, raw[1:], strict=True):
        np.testing.assert_allclose(found.ravel(), expected(estimate))


def test_joint_code_keeps_value_and_class_together():
    """The code of value a and class v, both from 0, is a·k + v."""
    model = LDPNaiveBayes(1.0)
    schema, X, y = model._read([["m", 5], ["f", 7], ["m", 7]], ["no", "yes", "maybe"])
    np.testing.assert_array_equal(model._inputs(X, y, schema), [[1, 4, 1], [2, 2, 5], [0, 3, 3]])


def test_bits(labelled):
    X, y = labelled
    joint = [6, 9, 12]
    split = LDPNaiveBayes(report="split").fit(X, y)
    assert split.bits_ == 3 + sum(joint)
    assert LDPNaiveBayes(report="sample").fit(X, y).bits_ == (3 + sum(joint)) / 4 + 2
    assert LDPNaiveBayes(report="groups", prior="features", oracle="de").fit(X, y).bits_ == (3 + 4 + 4) / 3


def test_more_inputs_than_users_leaves_tables_uniform():
    model = LDPNaiveBayes(1.0, report="groups", random_state=0).fit(np.zeros((2, 9), dtype=int), [0, 1])
    assert sum(t.sum() == 0 for t in model.category_count_) >= 8
    assert np.isfinite(model.predict_proba(np.zeros((1, 9), dtype=int))).all()


def test_unknown_value_at_prediction_says_nothing():
    X, y = [["a", "x"], ["b", "y"]] * 50, [0, 1] * 50
    model = LDPNaiveBayes(50.0, oracle="de", report="split", random_state=0).fit(X, y)
    known = model.predict_proba([["a", "x"]])
    assert model.predict([["a", "new"], ["b", "new"]]).tolist() == [0, 1]
    np.testing.assert_allclose(model.predict_proba([["new", "new"]]), [[0.5, 0.5]])
    assert known[0, 0] > model.predict_proba([["a", "new"]])[0, 0] > 0.5


# ---- scikit-learn's habits ------------------------------------------------------------------------------------


def test_declared_categories_are_kept_even_if_nobody_holds_them():
    model = LDPNaiveBayes(categories=[4, ["a", "b", "c"]], classes=["n", "p", "q"], random_state=0)
    model.fit(pd.DataFrame({"u": [0, 1, 2], "v": ["a", "b", "a"]}), ["n", "p", "p"])
    assert [t.shape for t in model.category_count_] == [(4, 3), (3, 3)]
    assert model.predict_proba(pd.DataFrame({"u": [3], "v": ["c"]})).shape == (1, 3)


class TestBadInput:
    X, y = [[0, 1], [1, 0], [1, 1]], [0, 1, 1]

    @pytest.mark.parametrize(
        ("joint", "label", "match"),
        [
            ([], [1, 1], "joint"),
            ([[[1], [2]]], [1], "k >= 2"),
            ([[[1, 2]], [[1, 2, 3]]], [1, 1], "joint"),
            ([[[1, -2]]], [1, 1], r"joint\[0\]"),
            ([[[1, 2]]], [1, 1, 1], "label"),
            ([[[0, 0]]], [0, 0], "at least one user"),
        ],
    )
    def test_tables(self, joint, label, match):
        with pytest.raises(ValueError, match=match):
            LDPNaiveBayes().fit_counts(ContingencyTables([np.array(t) for t in joint], label), rng=0)
        with pytest.raises(TypeError, match="ContingencyTables"):
            LDPNaiveBayes().fit_counts(joint, rng=0)

    def test_split_tables_must_count_the_same_users(self):
        tables = ContingencyTables([np.array([[1, 2], [3, 4]])], np.array([5, 6]))
        with pytest.raises(ValueError, match="same users"):
            LDPNaiveBayes(report="split").fit_counts(tables)

    def test_groups_larger_than_numpy_can_draw(self):
        with pytest.raises(ValueError, match="sample"):
            LDPNaiveBayes(report="groups").tabulate([[0], [1]], [0, 1], counts=[10**9, 1])

    def test_channel(self):
        with pytest.raises(ValueError, match="2\\*\\*24 entries, got 4000 x an integer of"):
            LDPNaiveBayes(report="split", oracle="oue").report_channel([2000], 2)

    def test_oracle_may_be_a_class_or_a_function(self):
        ways = (SubsetSelection, "ss")
        by_class, by_name = (
            LDPNaiveBayes(1.0, oracle=way, random_state=np.random.default_rng(1)).fit(self.X, self.y) for way in ways
        )
        np.testing.assert_array_equal(by_class.predict_proba(self.X), by_name.predict_proba(self.X))
        quarter = LDPNaiveBayes(1.0, oracle=lambda e, d: ThresholdHistogram(e, d, theta=0.25), random_state=1)
        assert {o.theta for o in quarter.fit(self.X, self.y)._oracles(quarter.schema_)} == {0.25}
