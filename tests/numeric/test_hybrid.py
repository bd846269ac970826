"""Hybrid: where its coin begins, and what it gains."""

import math

import numpy as np
import pytest

from ldp_core.numeric import EPSILON_STAR, Duchi, Hybrid, Piecewise, crossings


def test_epsilon_star_is_where_piecewise_at_zero_beats_duchi():
    (root,) = crossings(lambda e: Piecewise(e).variance(0.0), lambda e: Duchi(e).variance(0.0))
    assert pytest.approx(root, rel=1e-12) == EPSILON_STAR
    assert round(EPSILON_STAR, 2) == 0.61


@pytest.mark.parametrize("epsilon", [0.3, 0.6, 0.62, 1.0, 3.0, 9.0])
def test_hybrid_is_never_worse_than_its_parts_at_their_worst(epsilon):
    mechanism, t = Hybrid(epsilon), np.linspace(-1, 1, 21)
    assert mechanism.worst_variance <= min(Piecewise(epsilon).worst_variance, Duchi(epsilon).worst_variance) + 1e-12
    if epsilon > EPSILON_STAR:
        assert mechanism.alpha == pytest.approx(1 - math.exp(-epsilon / 2))
        np.testing.assert_allclose(mechanism.variance(t), mechanism.variance(0.0), rtol=1e-12)
    else:
        assert mechanism.alpha == 0
        np.testing.assert_array_equal(mechanism.perturb(t, rng=1) ** 2, Duchi(epsilon).B ** 2)
