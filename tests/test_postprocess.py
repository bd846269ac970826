"""Presentable estimates: what each step guarantees, what it costs, and that no oracle takes it by itself."""

import importlib
import math
import pkgutil
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from ldp_book.faults.frequency import exact_bias
from ldp_core import frequency, numeric
from ldp_core.postprocess import clip_negative, normalize, project_simplex

VECTORS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30)
ORACLES = [
    frequency.DirectEncoding(0.2, 6),
    frequency.SymmetricUnary(0.2, 6),
    frequency.OptimizedUnary(0.2, 6),
    frequency.ThresholdHistogram(0.2, 6),
    frequency.SummationHistogram(0.2, 6),
    frequency.SubsetSelection(0.2, 6),
    frequency.LocalHashing(0.2, 6),
]


# ---- never silently ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("oracle", ORACLES, ids=lambda oracle: type(oracle).__name__)
def test_estimates_are_not_clipped_rounded_or_rescaled(oracle):
    """With 50 users of one value and small ε the estimates of the other values are negative about half of the time."""
    counts = oracle.simulate([50, 0, 0, 0, 0, 0], rng=0, size=200)
    estimates = oracle.estimate(counts, 50)
    negative = (estimates[:, 1:] < 0).mean()
    assert 0.3 < negative < 0.7  # 5 standard deviations, even if all five went hand in hand
    assert np.any(estimates != np.round(estimates))
    assert estimates.max() > 50
    if not isinstance(oracle, frequency.DirectEncoding):  # whose reports, one value each, make it sum to n
        assert np.ptp(estimates.sum(axis=1)) > (0 if isinstance(oracle, frequency.SubsetSelection) else 1)


@pytest.mark.parametrize("package", [frequency, numeric])
def test_estimate_does_not_know_postprocessing(package):
    names = [info.name for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}.")]
    assert len(names) > 6
    for name in names:
        known = set(vars(importlib.import_module(name)))
        assert not {"clip_negative", "normalize", "project_simplex", "postprocess"} & known, name


# ---- each function -----------------------------------------------------------------------------------------------


@given(VECTORS)
def test_clip(estimates):
    clipped = clip_negative(estimates)
    assert clipped.tolist() == [max(x, 0.0) for x in estimates]


@given(VECTORS, st.floats(0.1, 1e6))
def test_normalize(estimates, total):
    if sum(estimates) <= 1e-3:
        estimates = [abs(x) + 1 for x in estimates]
    scaled = normalize(estimates, total)
    size = total * np.abs(estimates).sum() / sum(estimates)  # what rounding errors are relative to
    assert scaled.sum() == pytest.approx(total, abs=1e-12 * size)
    np.testing.assert_allclose(scaled * sum(estimates), np.array(estimates) * total, rtol=1e-9, atol=1e-9)


@given(VECTORS, st.floats(0.1, 1e6))
def test_projection_is_the_nearest_point(estimates, total):
    """Optimality (Karush-Kuhn-Tucker): one shift for all entries kept, and no entry dropped that exceeds it."""
    projected = project_simplex(estimates, total)
    assert projected.min() >= 0
    assert projected.sum() == pytest.approx(total, rel=1e-9)
    shift = np.array(estimates) - projected
    kept = projected > 0
    tolerance = 1e-9 * (np.abs(estimates).max() + total)
    assert np.ptp(shift[kept]) <= tolerance
    assert np.all(np.array(estimates)[~kept] <= shift[kept].max() + tolerance)


def test_projection_against_a_general_solver():
    generator = np.random.default_rng(3)
    for _ in range(5):
        x = generator.normal(0, 2, size=6)
        found = optimize.minimize(
            lambda y, x=x: np.sum((y - x) ** 2),
            np.full(6, 1 / 6),
            jac=lambda y, x=x: 2 * (y - x),
            bounds=[(0, None)] * 6,
            constraints={"type": "eq", "fun": lambda y: y.sum() - 1, "jac": lambda y: np.ones(6)},
            method="SLSQP",
            options={"ftol": 1e-14},
        )
        np.testing.assert_allclose(project_simplex(x), found.x, atol=1e-6)


@given(VECTORS, VECTORS, st.floats(0.1, 1e6))
def test_projection_comes_closer_to_every_possible_truth(estimates, weights, total):
    truth = np.resize(np.abs(weights) + 1, len(estimates))
    truth *= total / truth.sum()
    before = np.linalg.norm(np.array(estimates) - truth)
    assert np.linalg.norm(project_simplex(estimates, total) - truth) <= before * (1 + 1e-9) + 1e-9 * total


def test_projection_leaves_a_valid_vector_alone_and_forgets_a_common_offset():
    valid = np.array([0.5, 0.25, 0.25, 0.0])
    np.testing.assert_allclose(project_simplex(valid), valid, atol=1e-15)
    np.testing.assert_allclose(project_simplex(valid + 2.0**40), valid, atol=1e-3)


@pytest.mark.parametrize("function", [clip_negative, normalize, project_simplex])
def test_leading_axes_are_separate_runs(function):
    runs = np.random.default_rng(0).normal(5, 3, size=(2, 3, 4)) + 10
    together = function(runs)
    assert together.shape == runs.shape
    for i, j in np.ndindex(2, 3):
        np.testing.assert_allclose(together[i, j], function(runs[i, j]))


@pytest.mark.parametrize("function", [clip_negative, normalize, project_simplex])
def test_input_is_not_changed(function):
    estimates = np.array([3.0, -1.0, 2.0])
    function(estimates)
    np.testing.assert_array_equal(estimates, [3.0, -1.0, 2.0])


# ---- the bias that the docstrings state --------------------------------------------------------------------------


def test_clipping_adds_four_tenths_of_a_standard_deviation_to_values_nobody_holds():
    oracle = frequency.OptimizedUnary(0.5, 10)
    n = 10_000
    sigma = math.sqrt(oracle.variance(n, 0))
    assert exact_bias(oracle, clip_negative, n=n, count=0) == pytest.approx(sigma / math.sqrt(2 * math.pi), rel=0.01)
    # and next to nothing where the count is many standard deviations from 0
    assert exact_bias(oracle, clip_negative, n=n, count=5_000) == pytest.approx(0, abs=1e-6)


def test_clipping_never_worsens_the_squared_error():
    oracle = frequency.OptimizedUnary(0.5, 10)
    for count in (0, 5, 50, 500):

        def squared(estimates, count=count):
            return (estimates - count) ** 2 + count  # exact_bias takes the count away again

        raw = exact_bias(oracle, squared, n=500, count=count)
        clipped = exact_bias(oracle, lambda estimates, s=squared: s(clip_negative(estimates)), n=500, count=count)
        assert raw == pytest.approx(oracle.variance(500, count), rel=1e-9)
        assert clipped < raw


# ---- bad input ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [clip_negative, normalize, project_simplex])
class TestBadInput:
    @pytest.mark.parametrize(
        "estimates", [[], [1.0, math.nan], [math.inf, 0.0], None, [1.0, None], [[1.0], [2.0, 3.0]], [10**400, 1]]
    )
    def test_value(self, function, estimates):
        with pytest.raises(ValueError, match="estimates must"):
            function(estimates)

    @pytest.mark.parametrize(
        "estimates", [["a"], [True, False], [1j], [1, "a"], {1.0}, np.ma.array([1, 2], mask=[0, 1])]
    )
    def test_type(self, function, estimates):
        with pytest.raises(TypeError, match="estimates must"):
            function(estimates)


@pytest.mark.parametrize("function", [normalize, project_simplex])
def test_bad_total(function):
    for total in (0, -1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="total"):
            function([1.0, 2.0], total)
    with pytest.raises(TypeError, match="total"):
        function([1.0, 2.0], "1")
    with pytest.raises(ValueError, match="shape"):
        function(3.0)


@pytest.mark.parametrize("estimates", [[1e-320, 0.0], [1e308, 1e308, 1e308], [1e308, -1e307], [3.0, 1.0]])
@pytest.mark.parametrize("total", [1e-300, 1.0, 1e300])
def test_sizes_at_the_edge_of_double_precision(estimates, total):
    """No sum overflows and no quotient is infinite, where the answer itself is an ordinary number."""
    exact = [Fraction(e) * Fraction(total) / sum(map(Fraction, estimates)) for e in estimates]
    np.testing.assert_allclose(normalize(estimates, total), [float(x) for x in exact], rtol=1e-12)
    projected = project_simplex(estimates, total)
    assert np.isfinite(projected).all()
    assert projected.min() >= 0


def test_scaling_that_no_double_holds():
    with pytest.raises(ValueError, match="total must be small enough"):
        normalize([1.0, -1.0 + 1e-15], total=1e308)


@pytest.mark.parametrize("estimates", [[0.0, 0.0], [1.0, -2.0], [[1.0, 1.0], [-1.0, -1.0]]])
def test_nothing_to_scale(estimates):
    with pytest.raises(ValueError, match=r"positive sum.*project_simplex"):
        normalize(estimates)
