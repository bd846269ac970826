"""Published faults of learning methods: each does what it is said to do, and the audit finds what is wrong."""

import math

import numpy as np
import pytest

from ldp_book.faults.learn import BlockNaiveBayes, PublishedDPNaiveBayes, PublishedFELP
from ldp_core.audit import exact_epsilon
from ldp_core.learn import DPNaiveBayes, Schema, fwell_weights, local_margins
from ldp_core.learn import feature_selection as module

pytestmark = [
    pytest.mark.filterwarnings("ignore::ldp_core.learn.RepeatedNoiseWarning"),
    pytest.mark.filterwarnings("ignore::ldp_core.learn.PrivacyLeakWarning"),
]
SCHEMA = {"categories": [2, 3, 4], "classes": [0, 1, 2]}


def test_bags_hold_no_row_twice_unless_they_are_bootstrapped(planted, monkeypatch):
    """Without replacement a row is in ⌈βn⌉/n of the bags, as the study's lemma counts; with it in 1 − (1 − 1/n)^m."""
    X, y = planted[0].copy(), planted[1]
    X[:, 0] = np.arange(400) / 400  # a name for every row
    monkeypatch.setattr(module, "fwell_weights", lambda margins, *, ridge: np.zeros(margins.shape[1]))
    for bootstrap, held in ((False, 0.9), (True, 1 - (1 - 1 / 400) ** 360)):
        bags = []
        monkeypatch.setattr(module, "local_margins", lambda rows, label, bags=bags: (bags.append(rows[:, 0]), rows)[1])
        PublishedFELP(math.inf, n_members=50, bootstrap=bootstrap, random_state=0).fit(X, y)
        different = [len(np.unique(bag)) for bag in bags]
        assert all(len(bag) == 360 for bag in bags)
        assert np.mean(different) / 400 == pytest.approx(held, abs=0.01)
        assert bootstrap or set(different) == {360}


def two_camps(n, position):
    """Class 0 at 0, class 1 at 1, but for one record of class 1 that stands at the given place; one feature."""
    y = np.arange(n) % 2
    x = y.astype(float)
    x[1] = position
    return x[:, None], y


def test_the_published_bound_is_broken_by_one_record():
    """Moving one record to the other camp makes half of all margins vanish, whatever n is: alone, and in every bag."""
    ridge = 0.01
    for n in (1000, 4000):
        one, other = (fwell_weights(local_margins(*two_camps(n, p)), ridge=ridge) for p in (1.0, 0.0))
        models = [
            PublishedFELP(math.inf, share=1.0, n_members=2, ridge=ridge).fit(*two_camps(n, p)) for p in (1.0, 0.0)
        ]
        assert models[0].sensitivity_ == 2 / (n * ridge)
        assert abs(one[0] - other[0]) > 0.4 > models[0].sensitivity_
        assert abs(models[0].weights_ - models[1].weights_)[0] > 0.4


def test_ensemble_epsilon_with_all_rows_in_every_bag_is_that_of_two_fits():
    """Nothing is random then but the noise: the loss is the difference of the weights in units of its scale."""
    n, ridge = 200, 0.01
    model = PublishedFELP(1.0, share=1.0, n_members=3, ridge=ridge)
    one, other = (fwell_weights(local_margins(*two_camps(n, p)), ridge=ridge) for p in (1.0, 0.0))
    assert model.ensemble_epsilon(n) == pytest.approx((one[0] - other[0]) / (2 / (n * ridge)), rel=1e-4)


def test_ensemble_epsilon_grows_with_the_nominal_one_and_exceeds_it():
    spent = [PublishedFELP(e).ensemble_epsilon(2000) for e in (0.5, 1.0, 2.0)]
    assert spent == sorted(spent)
    assert all(s > e for s, e in zip(spent, (0.5, 1.0, 2.0), strict=True))
    assert 1 < PublishedFELP(bootstrap=True).ensemble_epsilon(2000) < spent[1]
    for wrong in ({}, {"epsilon": math.inf, "n_members": 2}):
        with pytest.raises(ValueError, match="must"):
            PublishedFELP(**wrong).ensemble_epsilon(5)


def released(values, model=None):
    """Mean and deviation of a class's values, with their sensitivities, as the package computes them."""
    values = np.asarray(values)[:, None]
    label, nothing = np.zeros(len(values), dtype=int), np.zeros((len(values), 0), dtype=int)
    parts, changes = (model or PublishedDPNaiveBayes()).parts(nothing, values, label, Schema.of_sizes([], 2))
    return [(part[0], np.ravel(change)[0]) for part, change in zip(parts[1:], changes[1:], strict=True)]


@pytest.mark.parametrize("n", [1, 2, 5, 12])
def test_published_sensitivities_bound_who_joins_a_class(n):
    """Mean and deviation of n values in [−1, 1] when one joins, over a grid: at most 2/(n+1) and 2√n/(n+1)."""
    rng = np.random.default_rng(n)
    samples = [rng.choice([-1.0, 0.0, 1.0], size=n) for _ in range(200)] + [np.full(n, -1.0), np.full(n, 1.0)]
    largest = np.zeros(2)
    for sample in samples:
        before = released(sample)
        assert [stated for _, stated in before] == pytest.approx([2 / (n + 1), 2 * math.sqrt(n) / (n + 1)])
        for t in (-1.0, 0.0, 1.0):
            after = released(np.append(sample, t))
            largest = np.maximum(largest, [abs(a[0] - b[0]) for a, b in zip(after, before, strict=True)])
    assert np.all(largest <= np.array([2 / (n + 1), 2 * math.sqrt(n) / (n + 1)]) + 1e-12)
    assert largest[0] == pytest.approx(2 / (n + 1))
    assert n == 1 or largest[1] == pytest.approx(2 * math.sqrt(n) / (n + 1))


def test_the_scale_of_the_published_noise_tells_the_size_of_a_class():
    """Laplace noise of two scales: far out, the ratio of the densities passes every bound. The mend has one scale."""
    (_, one), _ = released([0.0] * 5)
    (_, other), _ = released([0.0] * 6)
    ratio = [y / other - y / one + math.log(other / one) for y in (10.0, 1e3, 1e6)]  # log of the densities' ratio
    assert ratio[0] < ratio[1] < ratio[2]
    assert ratio[2] > 1e4
    assert released([0.0] * 5, DPNaiveBayes())[0][1] == released([0.0] * 6, DPNaiveBayes())[0][1] == 1.0


def test_blocks_spend_epsilon_on_every_report():
    """Direct encoding: exactly (h + 1)·ε for the record; the oracles that send bits: at least that."""
    for sizes, classes in (([3], 2), ([2, 3], 2), ([2], 3)):
        spent = exact_epsilon(BlockNaiveBayes(0.5, oracle="de").report_channel(sizes, classes))
        assert spent == pytest.approx((len(sizes) + 1) * 0.5)
    for oracle in ("oue", "sue"):
        assert exact_epsilon(BlockNaiveBayes(0.5, oracle=oracle).report_channel([3], 2)) >= 2 * 0.5 - 1e-9


@pytest.mark.parametrize("oracle", ["de", "oue", "she", "the"])
def test_blocks_estimate_the_joint_counts(labelled, oracle):
    """Means of 60 fits at ε = 4 within 5 standard errors of the true counts, which are all far above 0."""
    X, y = labelled[0][:5000], labelled[1][:5000]
    model = BlockNaiveBayes(4.0, oracle=oracle, **SCHEMA)
    tables, rng = model.tabulate(X, y), np.random.default_rng(8)
    large = np.concatenate([t.ravel() for t in tables.joint]) > 300
    fits = [np.concatenate([t.ravel() for t in model.fit_counts(tables, rng).category_count_]) for _ in range(60)]
    true = np.concatenate([t.ravel() for t in tables.joint])
    error = np.std(fits, axis=0, ddof=1) / np.sqrt(60)
    assert np.all((np.abs(np.mean(fits, axis=0) - true) < 5 * error + 0.5)[large])  # the fill is rounded
