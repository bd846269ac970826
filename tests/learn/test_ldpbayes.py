"""LDPBayes: its ε on the sets that users can hold, the law of its reports, what consistency gains."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from sklearn.naive_bayes import CategoricalNB

from ldp_core.audit import exact_epsilon
from ldp_core.learn import LDPBayes, records
from ldp_core.learn._schema import Schema
from ldp_core.learn.ldpbayes import as_sets

FALSE_ALARM = 1e-6


class Listener(LDPBayes):
    """Remembers the same, and makes no model of it."""

    def _estimate(self, schema, oracle, support, n):
        self.seen_, self.oracle_ = support, oracle
        return self


@pytest.mark.parametrize("epsilon", [0.1, 3.0])
@pytest.mark.parametrize(
    ("sizes", "n_classes", "k"), [([2, 2], 2, None), ([2, 3], 2, 3), ([3], 3, 2), ([1, 2, 2], 2, 4)]
)
def test_epsilon_is_exact_over_the_sets_that_occur(epsilon, sizes, n_classes, k):
    channel = LDPBayes(epsilon, k=k).report_channel(sizes, n_classes)
    assert len(channel) == len(records(sizes, n_classes)) == math.prod(sizes) * n_classes
    np.testing.assert_allclose(channel.sum(axis=1), 1, atol=1e-12)
    exact = exact_epsilon(channel)
    assert exact <= epsilon * (1 + 1e-12)
    assert exact == pytest.approx(epsilon, rel=1e-9)


def test_codes_are_one_per_attribute_all_with_the_same_class():
    rows = records([2, 3, 1], 3)
    sets = as_sets(rows[:, :-1], rows[:, -1], Schema.of_sizes([2, 3, 1], 3))
    assert len(np.unique(sets, axis=0)) == 18
    assert np.all(sets % 3 == rows[:, -1:])
    assert np.all((sets[:, 0] < 6) & (sets[:, 1] >= 6) & (sets[:, 1] < 15) & (sets[:, 2] >= 15) & (sets[:, 2] < 18))


@pytest.mark.parametrize("path", ["users", "counts"])
def test_both_paths_have_the_exact_joint_law(path, chi_square_p):
    X, y = [[0, 1], [1, 1], [1, 1]], [0, 1, 1]
    rng = np.random.default_rng(5)
    model = Listener(1.0, k=2, categories=[2, 2], classes=[0, 1], random_state=rng)
    channel = model.report_channel([2, 2], 2)
    outputs = model.fit(X, y).oracle_.outputs().astype(int)
    rows = records([2, 2], 2).tolist()
    held = [channel[rows.index([*x, c])] for x, c in zip(X, y, strict=True)]
    law: dict[tuple[int, ...], float] = {}
    for reports in itertools.product(range(len(outputs)), repeat=3):
        key = tuple(outputs[list(reports)].sum(axis=0).tolist())
        law[key] = law.get(key, 0.0) + math.prod(h[r] for h, r in zip(held, reports, strict=True))
    runs, observed = 2_000, Counter()
    data, table = model._read(X, y), model.tabulate(X, y)
    assert sorted(table.users.tolist()) == [1, 2]
    for _ in range(runs):
        model._collect(*data) if path == "users" else model.fit_counts(table)
        observed[tuple(model.seen_.tolist())] += 1
    assert chi_square_p(observed, law, runs) > FALSE_ALARM


@pytest.mark.parametrize("consistent", [False, True])
@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_a_billion_users_give_the_model_of_scikit_learn(epsilon, consistent):
    """Estimated shares have standard deviations below 2e-4 here; the tolerance is more than 10 of them."""
    rows = records([2, 3], 2)
    counts = np.arange(1, 13) * 10**8
    model = LDPBayes(epsilon, consistent=consistent, random_state=6)
    model.fit_counts(model.tabulate(rows[:, :-1], rows[:, -1], counts=counts))
    reference = CategoricalNB().fit(rows[:, :-1], rows[:, -1], sample_weight=counts)
    np.testing.assert_allclose(np.exp(model.class_log_prior_), np.exp(reference.class_log_prior_), atol=2e-3)
    for mine, theirs in zip(model.feature_log_prob_, reference.feature_log_prob_, strict=True):
        np.testing.assert_allclose(np.exp(mine), np.exp(theirs.T), atol=2e-3)
    assert model.class_count_.sum() == pytest.approx(counts.sum(), rel=1e-9)
