"""Scaling, moments, crossings."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_core.numeric import Duchi, Hybrid, IntervalScaler, Laplace, Moments, Piecewise, crossings, exhibits
from ldp_core.numeric.duchi import agreement_channel
from ldp_core.numeric.scaling import check_bounds

# ---- scaling -------------------------------------------------------------------------------------------------------


def test_scaler_maps_bounds_to_the_ends_exactly():
    for lo, hi in ((17, 90), (0.1, 0.3), (-1e308, 1e308), (1e-9, 1.1e-9)):
        scaler = IntervalScaler(lo, hi)
        np.testing.assert_array_equal(scaler.transform([lo, hi]), [-1, 1])
        np.testing.assert_array_equal(scaler.inverse([-1, 1]), [lo, hi])


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.floats(0, 1))
def test_scaler_there_and_back(lo, width, place):
    hi = lo + width
    value = min(lo + place * width, hi)
    scaler = IntervalScaler(lo, hi)
    scaled = float(scaler.transform(value))
    assert -1 <= scaled <= 1
    assert scaler.inverse(scaled) == pytest.approx(value, abs=1e-9 * max(1.0, abs(lo), abs(hi)))


def test_scaler_by_coordinate_and_variance():
    scaler = IntervalScaler([17, 1], [90, 99])
    t = scaler.transform([[17, 99], [53.5, 50]])
    np.testing.assert_array_equal(t, [[-1, 1], [0, 0]])
    np.testing.assert_array_equal(scaler.inverse(t), [[17, 99], [53.5, 50]])
    np.testing.assert_allclose(scaler.inverse_variance([1.0, 4.0]), [36.5**2, 4 * 49**2])
    assert scaler.inverse([2.0, -2.0]).tolist() == [126.5, -48.0]  # estimates may lie outside


def test_clipping_is_a_choice():
    with pytest.raises(ValueError, match=r"values must lie in \[lo, hi\] = \[17.0, 90.0\], got 95.0; clip=True"):
        IntervalScaler(17, 90).transform([20, 95])
    np.testing.assert_array_equal(IntervalScaler(17, 90, clip=True).transform([-5, 95, 53.5]), [-1, 1, 0])


@pytest.mark.parametrize(
    ("lo", "hi", "error"),
    [
        (1, 1, ValueError),
        (2, 1, ValueError),
        (math.nan, 1, ValueError),
        (0, math.inf, ValueError),
        ([0, 1], [1, 2, 3], ValueError),
        ([[0]], [[1]], ValueError),
        ("a", 1, TypeError),
    ],
)
def test_bad_bounds(lo, hi, error):
    with pytest.raises(error, match=r"lo|hi"):
        IntervalScaler(lo, hi)


@pytest.mark.parametrize("clip", [1, None, "no"])
def test_clip_is_a_bool_and_is_named(clip):
    with pytest.raises(TypeError, match="clip must be True or False"):
        IntervalScaler(0, 1, clip=clip)
    with pytest.raises(TypeError, match="positional"):
        IntervalScaler(0, 1, True)


def test_bounds_of_features_make_a_scaler_that_clips():
    assert check_bounds((0, 2), 3).transform([[-1.0, 1.0, 2.0]]).tolist() == [[-1, 0, 1]]
    assert check_bounds(([0, 0], [1, 2]), 2).hi.tolist() == [1, 2]
    for bounds in (None, 3, (1,), (1, 2, 3)):
        with pytest.raises(ValueError, match=r"bounds must be a pair \(lower, upper\), got"):
            check_bounds(bounds, 2)
    with pytest.raises(ValueError, match="bounds must be one for all features or one for each of 3, got 2"):
        check_bounds(([0, 0], [1, 2]), 3)


def test_a_scaler_keeps_its_bounds():
    lo, hi = np.array([0.0, 0.0]), np.array([1.0, 2.0])
    scaler = IntervalScaler(lo, hi)
    lo[0], hi[1] = -100, 100
    np.testing.assert_array_equal(scaler.transform([0.0, 2.0]), [-1, 1])
    for bounds in (scaler.lo, scaler.hi, scaler.half_width):
        with pytest.raises(ValueError, match="read-only"):
            bounds[0] = 5
    with pytest.raises(AttributeError, match="clip of a IntervalScaler cannot be changed"):
        scaler.clip = True
    with pytest.raises(AttributeError, match="mechanism of a Moments cannot be changed"):
        Moments(Laplace(1.0)).mechanism = Laplace(2.0)


def test_what_the_original_units_cannot_hold():
    scaler = IntervalScaler(-1e200, 1e200)
    with pytest.raises(ValueError, match="variance must be small enough"):
        scaler.inverse_variance(1.0)
    with pytest.raises(ValueError, match="t must be small enough"):
        scaler.inverse(1e200)
    with pytest.raises(ValueError, match="lo and hi must hold at least one bound"):
        IntervalScaler([], [])
    with pytest.raises(ValueError, match="lo and hi must lie further apart"):
        IntervalScaler(0.0, 5e-324)


def test_masked_and_ragged_input_is_refused():
    masked, ragged = np.ma.array([0.1, 0.2, 0.3, 0.4], mask=[0, 1, 0, 0]), [[0.1, 0.2], [0.3]]
    mechanism = Duchi(1.0)
    uses = [
        mechanism.perturb,
        mechanism.estimate,
        mechanism.interval,
        mechanism.variance,
        mechanism.simulate_mean,
        mechanism.channel,
        lambda y: mechanism.density(y, 0.0),
        lambda counts: mechanism.simulate_mean([0.0] * 4, counts),
        Piecewise(1.0).centre,
        Piecewise(1.0).channel,
        Piecewise(1.0).edges,
        IntervalScaler(0, 1).transform,
        IntervalScaler(0, 1).inverse,
        IntervalScaler(0, 1).inverse_variance,
        lambda lo: IntervalScaler(lo, 1.0),
        Moments(mechanism).perturb,
        lambda values: Moments(mechanism).estimate(values, [1.0, 1.0]),
        lambda t: exhibits.fair_coin_perturb(t, 1.0),
        lambda t: exhibits.fair_coin_mean(t, 1.0),
        lambda t: exhibits.fair_coin_channel(1.0, t),
        lambda t: exhibits.unequal_ties_perturb(t, 1.0),
        lambda t: exhibits.with_replacement_perturb(t, 1.0),
        lambda channel: exhibits.mean_report(channel, 1.0, [0.5]),
        agreement_channel,
    ]
    for use in uses:
        with pytest.raises(TypeError, match="must not be a masked array"):
            use(masked)
        with pytest.raises(ValueError, match="must be a rectangular array"):
            use(ragged)


def test_bad_values_for_a_scaler():
    scaler = IntervalScaler([0, 0], [1, 2])
    for values in ([0.5], [0.5, 0.5, 0.5], 0.5):
        with pytest.raises(ValueError, match=r"values must have shape \(..., 2\)"):
            scaler.transform(values)
    with pytest.raises(ValueError, match="values must be finite"):
        scaler.transform([0.5, math.nan])
    assert repr(scaler) == "IntervalScaler(lo=[0.0, 0.0], hi=[1.0, 2.0], clip=False)"


# ---- moments -------------------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("make", [Laplace, Duchi, Piecewise, Hybrid])
@pytest.mark.parametrize("dim", [1, 3])
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


def test_bad_input_to_moments():
    with pytest.raises(TypeError, match="mechanism must be a NumericMechanism"):
        Moments("Laplace")
    moments = Moments(Laplace(1.0))
    with pytest.raises(ValueError, match="t must hold at least 4 users"):
        moments.perturb([0.1, 0.2, 0.3])
    with pytest.raises(ValueError, match="t must lie in"):
        moments.perturb([0.1, 0.2, 0.3, 1.4])
    with pytest.raises(ValueError, match="squares must hold at least 2"):
        moments.estimate([0.1, 0.2], [0.1])


# ---- crossings -----------------------------------------------------------------------------------------------------


def test_crossings_of_the_variance_curves():
    """What the text calls 2.3 holds for the worst case only; against Piecewise and Hybrid, Laplace never wins."""

    def curves(make, kind):
        return lambda e: getattr(make(e), kind)

    (worst,) = crossings(curves(Laplace, "worst_variance"), curves(Duchi, "worst_variance"))
    assert worst == pytest.approx(2.32417, abs=1e-5)
    assert 8 / worst**2 == pytest.approx(((math.exp(worst) + 1) / (math.exp(worst) - 1)) ** 2, rel=1e-12)
    (average,) = crossings(curves(Laplace, "average_variance"), curves(Duchi, "average_variance"))
    assert average == pytest.approx(3.00476, abs=1e-5)
    (piecewise,) = crossings(curves(Piecewise, "worst_variance"), curves(Duchi, "worst_variance"))
    assert piecewise == pytest.approx(1.28978, abs=1e-5)
    for make in (Piecewise, Hybrid):
        for kind in ("worst_variance", "average_variance"):
            assert crossings(curves(Laplace, kind), curves(make, kind)).size == 0


def test_crossings_of_known_curves():
    roots = crossings(lambda e: math.sin(e), lambda e: 0.0, 1.0, 10.0)
    np.testing.assert_allclose(roots, [math.pi, 2 * math.pi, 3 * math.pi], rtol=1e-14)
    # Equal, touching, equal for a while: no change of order, no crossing.
    assert crossings(lambda e: e, lambda e: e).size == 0
    assert crossings(lambda e: (e - 1) ** 2, lambda e: 0.0).size == 0
    assert crossings(lambda e: max(0.0, e - 1), lambda e: 0.0).size == 0
    # Equal for a while and then on the other side: one crossing.
    assert len(crossings(lambda e: min(0.0, e - 1) + max(0.0, e - 2), lambda e: 0.0)) == 1


def test_bad_input_to_crossings():
    for low, high in ((0, 1), (2, 1), (1, 1)):
        with pytest.raises(ValueError, match="0 < low < high"):
            crossings(math.sin, math.cos, low, high)
    with pytest.raises(ValueError, match="points must be between 2 and 10000000"):
        crossings(math.sin, math.cos, points=1)
    with pytest.raises(ValueError, match="finite between low and high"):
        crossings(lambda e: math.nan, math.cos)
    for first, second in ((None, math.sin), (math.sin, 0)):
        with pytest.raises(TypeError, match="must be a function of epsilon"):
            crossings(first, second)
