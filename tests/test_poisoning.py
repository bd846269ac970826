"""Liars: the loudest report against all reports, the bound against all channels, the test of ones against its law."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ldp_core import frequency
from ldp_core.audit import exact_epsilon
from ldp_core.frequency import (
    CountMeanSketch,
    DirectEncoding,
    HaarHistogram,
    HadamardCountMeanSketch,
    HadamardResponse,
    HierarchicalHistogram,
    LocalHashing,
    OptimizedUnary,
    RandomizedResponse,
    Rappor,
    SetSubsetSelection,
    SubsetSelection,
    SummationHistogram,
    SymmetricUnary,
    ThresholdHistogram,
)
from ldp_core.numeric import Duchi, Hybrid, Piecewise
from ldp_core.optimal import optimal_channel
from ldp_core.poisoning import gain, law_of_ones, least_gain, loudest_report, ones_test, votes

FINITE = [
    DirectEncoding(1.0, 5), SymmetricUnary(1.0, 5), OptimizedUnary(1.0, 5), ThresholdHistogram(1.0, 5), Rappor(5),
    SubsetSelection(1.0, 5), SubsetSelection(1.0, 5, k=3), SetSubsetSelection(1.0, 6, 2, k=2), LocalHashing(1.0, 5),
    HadamardResponse(1.0, 5), HierarchicalHistogram(1.0, 5), HaarHistogram(1.0, 5), optimal_channel(1.0, 5),
    CountMeanSketch(1.0, 5, rows=3, width=6), HadamardCountMeanSketch(1.0, 5, rows=3, width=8),
]  # fmt: skip
UNARY = [OptimizedUnary(1.0, 6), SymmetricUnary(3.0, 2), SymmetricUnary(0.5, 7), Rappor(5), OptimizedUnary(1e3, 4)]


def by_name(oracle):
    return repr(oracle)[:60]


@pytest.mark.parametrize("oracle", FINITE, ids=by_name)
@pytest.mark.parametrize("targets", [[2], [4, 1], [0, 1, 2, 3, 4]], ids=str)
def test_no_report_is_louder(oracle, targets):
    every = votes(oracle, oracle.outputs())[:, targets].sum(axis=1)
    assert math.isclose(gain(oracle, targets), every.max(), rel_tol=1e-9)
    assert loudest_report(oracle, targets).shape == oracle.outputs()[:1].shape
    if isinstance(oracle, CountMeanSketch):  # collisions would hide a report with ones in other columns
        best = oracle.outputs()[np.isclose(every, every.max())]
        assert (best == loudest_report(oracle, targets)).all(axis=1).any()


@pytest.mark.parametrize("oracle", FINITE, ids=by_name)
def test_votes_are_right_on_average_and_add_up(oracle):
    if not isinstance(oracle, SetSubsetSelection | CountMeanSketch | HadamardCountMeanSketch):
        np.testing.assert_allclose(oracle.channel() @ votes(oracle, oracle.outputs()), np.eye(oracle.d), atol=1e-9)
    reports = oracle.outputs()[[0, -1, 1]]
    np.testing.assert_allclose(
        votes(oracle, reports).sum(axis=0), oracle.estimate(oracle.aggregate(reports), 3), atol=1e-9
    )


def test_a_closed_form_needs_no_list_of_reports():
    """(s − rq)/(p − q), with s = 1, r, k and r, where there are too many reports to try."""
    targets = range(100)
    for oracle, s in [
        (DirectEncoding(0.5, 2**16), 1), (OptimizedUnary(0.5, 2**12), 100), (SubsetSelection(5.0, 1000), 6),
        (LocalHashing(2.0, 2**16), 100),
    ]:  # fmt: skip
        assert math.isclose(gain(oracle, targets), (s - 100 * oracle.q) / (oracle.p - oracle.q), rel_tol=1e-9)
    sketch = CountMeanSketch(1.0, 2**12)
    assert gain(sketch, [7]) == pytest.approx(((1 - sketch.q) / (sketch.p - sketch.q) - 1 / 64) / (1 - 1 / 64))
    assert gain(SummationHistogram(1.0, 5), [0]) == math.inf


def test_every_unbiased_oracle_is_at_or_above_the_bound():
    public = {kind for name in frequency.__all__ if isinstance(kind := getattr(frequency, name), type)}
    left = {kind for kind in public - set(map(type, FINITE)) if issubclass(kind, frequency.FrequencyOracle)}
    others = {RandomizedResponse, SummationHistogram, frequency.DiscreteSummationHistogram}
    assert {kind for kind in left if not kind.__subclasses__()} == others
    for oracle in FINITE:  # sketches are unbiased over the draw of their hash functions only
        assert isinstance(oracle, frequency.Sketch) or gain(oracle, [0]) >= least_gain(oracle.epsilon) * (1 - 1e-9)


@pytest.mark.parametrize("epsilon", [1e-3, 1.0, 8.0])
def test_who_attains_the_bound(epsilon):
    assert math.isclose(gain(RandomizedResponse(epsilon), [True]), least_gain(epsilon))
    assert math.isclose(gain(SubsetSelection(epsilon, 7, k=6), [3]), least_gain(epsilon), rel_tol=1e-9)
    assert math.isclose(gain(OptimizedUnary(epsilon, 7), [3]), 2 * least_gain(epsilon))
    lowest = least_gain(epsilon, low=-1)
    assert math.isclose(Duchi(epsilon).support[1], lowest)
    assert min(Piecewise(epsilon).support[1], Hybrid(epsilon).support[1]) >= lowest * (1 - 1e-12)
    assert least_gain(2 * epsilon) < least_gain(epsilon)


@settings(max_examples=50, derandomize=True, deadline=None)
@given(st.integers(2, 5), st.integers(5, 9), st.integers(0, 10**6))
def test_no_channel_and_no_unbiased_votes_are_below_the_bound(d, outputs, seed):
    rng = np.random.default_rng(seed)
    channel = rng.dirichlet(np.ones(outputs), size=d) * 0.9 + 0.1 / outputs
    values = rng.uniform(-1, 1, d)
    slack = np.eye(outputs) - np.linalg.pinv(channel) @ channel
    unbiased = np.linalg.pinv(channel) @ values + slack @ rng.normal(size=outputs)
    assert unbiased.max() >= least_gain(exact_epsilon(channel), low=values.min(), high=values.max()) - 1e-9


@pytest.mark.parametrize("oracle", UNARY, ids=by_name)
def test_the_law_of_ones_is_that_of_each_row_of_the_channel(oracle):
    ones = np.arange(2**oracle.d)[:, None] >> np.arange(oracle.d) & 1
    laws = [np.where(np.arange(oracle.d) == v, oracle.p, oracle.q) for v in range(oracle.d)]
    for row in laws:
        law = np.bincount(ones.sum(axis=1), np.where(ones, row, 1 - row).prod(axis=1))
        np.testing.assert_allclose(law_of_ones(oracle), law, rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize(("oracle", "most"), [(one, most) for one in UNARY[:4] for most in range(1, one.d + 1)])
def test_what_the_test_of_ones_leaves(oracle, most):
    outputs, channel = oracle.outputs(), oracle.channel()
    passes = outputs.sum(axis=1) <= most
    test = ones_test(oracle, most)
    vote = passes[:, None] * (outputs - test.q) / (test.kept * (test.p - test.q))
    np.testing.assert_allclose(channel @ passes, test.kept)
    np.testing.assert_allclose(channel @ vote, np.eye(oracle.d), atol=1e-9)
    np.testing.assert_allclose(channel[0] @ vote[:, 1] ** 2, test.variance)
    for r in range(1, oracle.d + 1):
        assert math.isclose(test.gain(r), vote[:, :r].sum(axis=1).max(), rel_tol=1e-9)
    if most == oracle.d:
        assert (test.p, test.q, test.kept) == pytest.approx((oracle.p, oracle.q, 1.0))


def test_what_is_refused():
    oracle = OptimizedUnary(1.0, 4)
    for call, error, words in [
        (lambda: gain(oracle, [1, 1]), ValueError, "targets must be named once each"),
        (lambda: gain(oracle, [4]), ValueError, "targets must be values of the domain.*got 4"),
        (lambda: gain(Duchi(1.0), [0]), TypeError, "oracle must be a frequency oracle"),
        (lambda: loudest_report(SummationHistogram(1.0, 3), [0]), TypeError, "oracle must have finitely many reports"),
        (lambda: votes(DirectEncoding(1.0, 3), [3]), ValueError, "reports must"),
        (lambda: ones_test(DirectEncoding(1.0, 3), 1), TypeError, "oracle must be a unary encoding"),
        (lambda: ones_test(oracle, 5), ValueError, "most must be between 1 and 4, got 5"),
        (lambda: ones_test(SymmetricUnary(0.1, 3000), 1), ValueError, "most must be larger"),
        (lambda: ones_test(oracle, 2).gain(0), ValueError, "r must be >= 1"),
        (lambda: least_gain(1.0, low=1.0), ValueError, "low must be below high"),
        (lambda: least_gain(1e-320), ValueError, "the bound finite"),
    ]:
        with pytest.raises(error, match=words):
            call()
