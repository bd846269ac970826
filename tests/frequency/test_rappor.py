"""RAPPOR: both steps, one report and many, by enumeration."""

import copy
import pickle
from collections import Counter

import numpy as np
import pytest

from ldp_core.audit import exact_epsilon
from ldp_core.frequency import Rappor, SymmetricUnary

PARAMETERS = [(0.5, 0.75, 0.5), (0.9, 1.0, 0.0), (0.5, 1.0, 0.3), (0.0, 0.8, 0.3)]


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
@pytest.mark.parametrize(("d", "k"), [(2, 1), (2, 4), (3, 2)])
def test_epsilon_of_k_reports_is_exact(f, on, off, d, k):
    oracle = Rappor(d, f=f, on=on, off=off)
    assert exact_epsilon(joint_channel(oracle, k)) == pytest.approx(oracle.epsilon_after(k), rel=1e-9)


@pytest.mark.parametrize(("f", "on", "off"), PARAMETERS)
def test_one_report_is_the_oracle_s_channel(f, on, off):
    oracle = Rappor(3, f=f, on=on, off=off)
    np.testing.assert_allclose(oracle.channel(), joint_channel(oracle, 1), rtol=1e-12)
    assert exact_epsilon(oracle.channel()) == pytest.approx(oracle.epsilon, rel=1e-12)


def test_with_only_the_permanent_step_it_is_symmetric_unary_encoding():
    oracle = Rappor(6, f=0.5, on=1.0, off=0.0)
    plain = SymmetricUnary(oracle.epsilon, 6)
    assert (oracle.p, oracle.q) == (pytest.approx(plain.p), pytest.approx(plain.q))
    client = oracle.client(np.arange(6), rng=0)
    np.testing.assert_array_equal(client.report(rng=1), client.report(rng=2))


@pytest.mark.parametrize(("f", "on", "off"), PARAMETERS)
def test_reports_of_a_client_have_the_joint_law_of_one_memory(f, on, off, chi_square_p):
    """Two reports of each of 40,000 devices at d = 2 against all 16 pairs, for both values (20 tests at 1e-6)."""
    oracle, n = Rappor(2, f=f, on=on, off=off), 40_000
    law = joint_channel(oracle, 2)
    assert exact_epsilon(law) == pytest.approx(oracle.epsilon_after(2), rel=1e-9)
    for value in (0, 1):
        client = oracle.client(np.full(n, value), rng=3 + value)
        first, second = (client.report(rng).astype(int) @ [2, 1] for rng in (5, 6))
        observed = Counter((4 * first + second).tolist())
        assert chi_square_p(observed, dict(enumerate(law[value])), n) > 1e-6


def test_a_client_knows_what_it_has_spent():
    client = Rappor(4).client([0, 1, 3], rng=0)
    assert client.epsilon_spent == 0
    for k in (1, 2, 3):
        client.report()
        assert (client.sent, client.epsilon_spent) == (k, client.oracle.epsilon_after(k))
    assert repr(client) == "RapporClient(Rappor(domain=4, f=0.5, on=0.75, off=0.5), 3 devices, 3 reports each)"


def test_without_any_noise_it_is_none():
    with pytest.raises(ValueError, match="f must be > 0"):
        Rappor(4, f=0.0, on=1.0, off=0.0)


def test_one_integer_serves_memory_and_report():
    """The same seed twice is not the same coins twice: unbiased within 5 standard deviations (false alarm 3e-6)."""
    oracle, n = Rappor(domain=4), 100_000
    values = np.random.default_rng(5).integers(0, 4, n)
    truth = np.bincount(values, minlength=4)
    estimate = oracle.estimate(oracle.aggregate(oracle.client(values, rng=0).report(rng=0)), n)
    assert np.all(np.abs(estimate - truth) < 5 * np.sqrt(oracle.variance(n, truth)))


def test_a_client_is_not_copied_and_its_count_not_set():
    client = Rappor(domain=4).client([0, 3], rng=0)
    with pytest.raises(TypeError, match="must not be copied"):
        copy.deepcopy(client)
    with pytest.raises(TypeError, match="copied or pickled"):
        pickle.dumps(client)
    with pytest.raises(AttributeError):
        client.oracle = Rappor(4, f=0.1)
    with pytest.raises(AttributeError):
        client.sent = 0
