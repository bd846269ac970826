"""Mean and variance from users who each report once: no bias, and errors of the stated size."""

import itertools
import math

import numpy as np
import pytest

from ldp_core.numeric import Duchi, Hybrid, Laplace, Moments, Piecewise


def test_moments_have_no_bias_by_enumeration():
    """Four users, both halves in all six ways, all reports of Duchi's mechanism: the exact mean of the estimates."""
    mechanism = Duchi(1.0)
    moments, t = Moments(mechanism), np.array([-0.9, 0.1, 0.4, 1.0])
    mean = variance = 0.0
    for first in itertools.combinations(range(4), 2):
        second = [i for i in range(4) if i not in first]
        sent = np.array([t[first[0]], t[first[1]], *(2 * t[second] ** 2 - 1)])
        for reports in itertools.product(mechanism.atoms, repeat=4):
            weight = math.prod(mechanism.density(y, s) for y, s in zip(reports, sent, strict=True)) / 6
            estimate = moments.estimate(reports[:2], reports[2:])
            mean, variance = mean + weight * estimate.mean, variance + weight * estimate.variance
    assert mean == pytest.approx(t.mean(), abs=1e-12)
    assert variance == pytest.approx(t.var(ddof=1), abs=1e-12)


@pytest.mark.parametrize(("make", "dim"), [(Laplace, 1), (Duchi, 3), (Piecewise, 3), (Hybrid, 1)])
def test_moments_and_their_standard_errors(make, dim):
    """400 runs: mean of the estimates within 6 standard errors (2e-9); standard errors right within a fifth."""
    moments, runs, n = Moments(make(4.0, dim)), 400, 2_000
    rng = np.random.default_rng(3)
    estimates = []
    for _ in range(runs):
        t = rng.beta(2, 5, size=(n, dim))  # mean 2/7, variance 10/392, in [0, 1]
        estimates.append(moments.estimate(*moments.perturb(t[:, 0] if dim == 1 else t, rng)))
    mean, variance, mean_error, variance_error = (np.array(part) for part in zip(*estimates, strict=True))
    for values, truth, errors in ((mean, 2 / 7, mean_error), (variance, 10 / 392, variance_error)):
        assert np.all(np.abs(values.mean(axis=0) - truth) < 6 * values.std(axis=0) / math.sqrt(runs))
        # The standard deviation over 400 runs is itself known to 3.5 %: 20 % is beyond 5 standard errors.
        ratio = np.sqrt((errors**2).mean(axis=0)) / values.std(axis=0)
        assert np.all(np.abs(ratio - 1) < 0.2)


def test_every_user_reports_once_and_halves_are_random():
    moments = Moments(Laplace(1e6))  # reports are the values, to about 1e-5: who is in which half can be read off
    t = np.linspace(-1, 1, 11)
    values, squares = moments.perturb(t, rng=1)
    assert (len(values), len(squares)) == (6, 5)
    first = {int(np.abs(t - y).argmin()) for y in values}
    rest = sorted(np.delete(2 * t**2 - 1, sorted(first)))
    np.testing.assert_allclose(sorted(squares), rest, atol=1e-3)
    other = {int(np.abs(t - y).argmin()) for y in moments.perturb(t, rng=2)[0]}
    assert first != other


def test_moments_from_sums_are_those_from_reports():
    """Servers that keep sums alone estimate the same, to the bit; the errors are those of the sample variance."""
    mechanism = Piecewise(6.0, 2)
    moments = Moments(mechanism)
    reports = moments.perturb(np.random.default_rng(5).uniform(-1, 1, (500, 2)), rng=1)
    from_reports, from_sums = moments.estimate(*reports), moments.estimate(*map(mechanism.aggregate, reports))
    for one, other in zip(from_reports, from_sums, strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_allclose(from_sums.mean_error, reports[0].std(axis=0, ddof=1) / math.sqrt(250), rtol=1e-12)
    with pytest.raises(ValueError, match="squares must be sums of"):
        moments.estimate(reports[0], Piecewise(1.0, 2).aggregate(reports[1]))
    with pytest.raises(ValueError, match="values must hold at least 2 reports, got 1"):
        moments.estimate(mechanism.aggregate(reports[0][:1]), reports[1])
