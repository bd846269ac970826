"""Sums of reports: all that a server keeps. They merge, they refuse what is of another law, and nothing is lost."""

import math

import numpy as np
import pytest

from ldp_core.numeric import Laplace


def reports_of(mechanism, n=60):
    t = np.random.default_rng(1).uniform(-1, 1, size=(n, mechanism.dim))
    return mechanism.perturb(t[:, 0] if mechanism.dim == 1 else t, rng=2)


@pytest.mark.parametrize("dim", [1, 4])
@pytest.mark.parametrize("epsilon", [0.3, 6.0])
def test_sums_give_what_the_reports_give(make, epsilon, dim):
    """The same floats, not nearly so: estimate and interval go through the sums."""
    mechanism = make(epsilon, dim)
    reports = reports_of(mechanism)
    sums = mechanism.aggregate(reports)
    np.testing.assert_allclose(sums.total, reports.reshape(60, dim).sum(axis=0), rtol=1e-12)
    np.testing.assert_allclose(sums.squares, (reports.reshape(60, dim) ** 2).sum(axis=0), rtol=1e-12)
    assert sums.n == 60
    np.testing.assert_array_equal(mechanism.estimate(sums), mechanism.estimate(reports))
    for level in (0.5, 0.95):
        np.testing.assert_array_equal(mechanism.interval(sums, level=level), mechanism.interval(reports, level=level))
    assert isinstance(mechanism.estimate(sums), float if dim == 1 else np.ndarray)


@pytest.mark.parametrize("dim", [1, 3])
def test_shards_add_up(make, dim):
    mechanism = make(2.0, dim)
    reports = reports_of(mechanism)
    whole, shards = mechanism.aggregate(reports), [mechanism.aggregate(reports[i : i + 25]) for i in (0, 25, 50)]
    merged = sum(shards)
    assert merged == shards[0] + shards[1] + shards[2]
    assert merged.n == whole.n
    np.testing.assert_allclose(mechanism.estimate(merged), mechanism.estimate(whole), rtol=1e-12)
    np.testing.assert_allclose(mechanism.interval(merged), mechanism.interval(whole), rtol=1e-9)
    assert 0 + whole == whole + 0 == whole
    assert [shard.n for shard in shards] == [25, 25, 10], "adding changes nothing that is added"


def test_equal_mechanisms_have_one_law_and_others_do_not_merge(make):
    mechanism = make(math.log(3), 2)
    assert mechanism == make(math.log(3), 2)
    assert hash(mechanism) == hash(make(math.log(3), 2))
    sums = mechanism.aggregate(reports_of(mechanism))
    assert sum([sums, make(math.log(3), 2).aggregate(reports_of(mechanism))]).n == 120
    for other in (make(1.09861, 2), make(math.log(3) + 1e-15, 2), Laplace(0.7, 2)):
        assert mechanism != other
        foreign = other.aggregate(reports_of(other))
        with pytest.raises(ValueError, match=r"sums must be of one mechanism's reports, got .*0986\d{5,}.* and"):
            sums + foreign
        with pytest.raises(ValueError, match="reports must be sums of"):
            mechanism.estimate(foreign)
        with pytest.raises(ValueError, match="reports must be sums of"):
            mechanism.interval(foreign)


@pytest.mark.parametrize("dim", [1, 2])
def test_privatize_is_perturb(make, dim):
    mechanism, t = make(1.0, dim), np.full((3, dim), 0.4)
    t = t[:, 0] if dim == 1 else t
    np.testing.assert_array_equal(mechanism.privatize(t, rng=3), mechanism.perturb(t, rng=3))
    with pytest.raises(ValueError, match=r"values must lie in \[-1, 1\], got 5"):
        mechanism.privatize(t * 0 + 5)
