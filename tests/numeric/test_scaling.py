"""Scaling to [−1, 1] and back, by bounds that are public."""

import numpy as np
import pytest

from ldp_core.numeric import IntervalScaler, Laplace, Moments


def test_scaler_maps_bounds_to_the_ends_exactly():
    for lo, hi in ((17, 90), (0.1, 0.3), (-1e308, 1e308), (1e-9, 1.1e-9)):
        scaler = IntervalScaler(lo, hi)
        np.testing.assert_array_equal(scaler.transform([lo, hi]), [-1, 1])
        np.testing.assert_array_equal(scaler.inverse([-1, 1]), [lo, hi])


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
