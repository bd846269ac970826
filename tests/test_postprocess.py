"""Presentable estimates: what each step guarantees, what it costs, and that no oracle takes it by itself."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_core.postprocess import clip_negative, normalize, project_simplex

VECTORS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30)


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


def test_projection_leaves_a_valid_vector_alone_and_forgets_a_common_offset():
    valid = np.array([0.5, 0.25, 0.25, 0.0])
    np.testing.assert_allclose(project_simplex(valid), valid, atol=1e-15)
    np.testing.assert_allclose(project_simplex(valid + 2.0**40), valid, atol=1e-3)


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
