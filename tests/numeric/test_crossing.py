"""Where curves over ε change order."""

import math

import numpy as np
import pytest

from ldp_core.numeric import Duchi, Hybrid, Laplace, Piecewise, crossings


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
    roots = crossings(math.sin, lambda e: 0.0, low=1.0, high=10.0)
    np.testing.assert_allclose(roots, [math.pi, 2 * math.pi, 3 * math.pi], rtol=1e-14)
    # Equal, touching, equal for a while: no change of order, no crossing.
    assert crossings(lambda e: e, lambda e: e).size == 0
    assert crossings(lambda e: (e - 1) ** 2, lambda e: 0.0).size == 0
    assert crossings(lambda e: max(0.0, e - 1), lambda e: 0.0).size == 0
    # Equal for a while and then on the other side: one crossing.
    assert len(crossings(lambda e: min(0.0, e - 1) + max(0.0, e - 2), lambda e: 0.0)) == 1
