"""RAPPOR: both steps, one report and many, by enumeration.

Statistical tests compare counts with an exact law by a chi-square test; they fail at p-values below 1e-6.
"""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from ldp_core.audit import exact_epsilon
from ldp_core.frequency import Rappor, SymmetricUnary

PARAMETERS = [(0.5, 0.75, 0.5), (0.25, 0.9, 0.1), (0.9, 1.0, 0.0), (0.5, 1.0, 0.3), (0.0, 0.8, 0.3)]


def joint_channel(oracle, reports):
    """Law of several reports from the same kept bits, by enumeration of the kept bits."""
    patterns = oracle.outputs()
    keep = np.array([oracle.f / 2, 1 - oracle.f / 2])  # Pr[kept bit is 1] for a true 0, a true 1
    rows = []
    for v in range(oracle.d):
        truth = np.arange(oracle.d) == v
        law = 0.0
        for kept in patterns:
            weight = np.prod(np.where(kept == 1, keep[truth.astype(int)], 1 - keep[truth.astype(int)]))
            chance = np.where(kept == 1, oracle.on, oracle.off)
            single = np.where(patterns == 1, chance, 1 - chance).prod(axis=1)
            joint = single
            for _ in range(reports - 1):
                joint = np.multiply.outer(joint, single).ravel()
            law = law + weight * joint
        rows.append(law)
    return np.array(rows)


@pytest.mark.parametrize(("f", "on", "off"), PARAMETERS)
@pytest.mark.parametrize(("d", "k"), [(2, 1), (2, 2), (2, 4), (3, 1), (3, 2), (4, 1)])
def test_epsilon_of_k_reports_is_exact(f, on, off, d, k):
    oracle = Rappor(d, f, on, off)
    assert exact_epsilon(joint_channel(oracle, k)) == pytest.approx(oracle.epsilon_after(k), rel=1e-9)


@pytest.mark.parametrize(("f", "on", "off"), PARAMETERS)
def test_one_report_is_the_oracle_s_channel(f, on, off):
    oracle = Rappor(3, f, on, off)
    np.testing.assert_allclose(oracle.channel(), joint_channel(oracle, 1), rtol=1e-12)
    assert exact_epsilon(oracle.channel()) == pytest.approx(oracle.epsilon, rel=1e-12)


def test_epsilon_grows_with_reports_towards_the_permanent_bound():
    oracle = Rappor(5, 0.5, 0.75, 0.5)
    spent = [oracle.epsilon_after(k) for k in (1, 2, 5, 20, 1000)]
    assert spent == sorted(spent)
    assert spent[-1] == pytest.approx(oracle.epsilon_forever)
    assert oracle.epsilon_forever == pytest.approx(2 * math.log(3))
    assert Rappor(2, 0.0, 0.8, 0.3).epsilon_forever == math.inf


def test_with_only_the_permanent_step_it_is_symmetric_unary_encoding():
    oracle = Rappor(6, f=0.5, on=1.0, off=0.0)
    plain = SymmetricUnary(oracle.epsilon, 6)
    assert (oracle.p, oracle.q) == (pytest.approx(plain.p), pytest.approx(plain.q))
    kept = oracle.memorize(np.arange(6), rng=0)
    np.testing.assert_array_equal(oracle.report(kept, rng=1), kept)


def test_memorize_and_report_follow_the_two_steps():
    """Chi-square over kept and reported bits together, for the own bit and another."""
    oracle, n = Rappor(2, 0.4, 0.8, 0.3), 40_000
    kept = oracle.memorize(np.zeros(n, dtype=int), rng=3)
    reported = oracle.report(kept, rng=4)
    for bit, one in ((0, 0.8), (1, 0.2)):  # 1 − f/2 and f/2
        expected = np.array(
            [
                (1 - one if k == 0 else one) * (abs(1 - r - (0.8 if k else 0.3)))
                for k, r in itertools.product((0, 1), (0, 1))
            ]
        )
        observed = np.bincount(2 * kept[:, bit] + reported[:, bit], minlength=4)
        assert stats.chisquare(observed, n * expected).pvalue > 1e-6


def test_estimate_over_a_second_collection_is_unbiased_given_the_first_step():
    oracle, values = Rappor(4), np.repeat(np.arange(4), [4000, 3000, 2000, 1000])
    reports = oracle.report(oracle.memorize(values, rng=5), rng=6)
    estimate = oracle.estimate(oracle.aggregate(reports), n=10_000)
    truth = np.bincount(values)
    z = np.abs(estimate - truth) / np.sqrt(oracle.variance(10_000, truth))
    assert z.max() < stats.norm.isf(1e-6 / 8)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"f": 1.0}, "f must be < 1"),
        ({"f": -0.1}, "f must lie"),
        ({"on": 1.5}, "on must lie"),
        ({"off": 0.75}, "off must be < on"),
        ({"f": 0.0, "on": 1.0, "off": 0.0}, "f must be > 0"),
        ({"f": math.nan}, "f must be finite"),
    ],
)
def test_bad_parameters(arguments, name):
    with pytest.raises(ValueError, match=name):
        Rappor(4, **arguments)


def test_bad_kept_bits():
    with pytest.raises(ValueError, match="shape"):
        Rappor(4).report([[0, 1]], rng=0)
    with pytest.raises(ValueError, match="k must be >= 1"):
        Rappor(4).epsilon_after(0)
