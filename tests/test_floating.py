"""What floating point gives away: no false accusation, the size that docstrings state, nothing where it is cured."""

import numpy as np
import pytest

from ldp_core.floating import betrayed, impossible
from ldp_core.frequency import DiscreteSummationHistogram, LocalHashing, OptimizedUnary, SummationHistogram
from ldp_core.numeric import DiscreteLaplace, Duchi, Hybrid, Laplace, Piecewise

CONTINUOUS = [Laplace, Piecewise, Hybrid]


@pytest.mark.parametrize("make", CONTINUOUS)
@pytest.mark.parametrize("epsilon", [0.3, 5.0])
def test_nobody_is_accused_falsely(make, epsilon):
    for t in (-1.0, -0.77, 0.0, 0.3, 1 / 3, 1.0):
        assert not impossible(make(epsilon), make(epsilon).perturb(np.full(20_000, t), rng=1), t).any()


def test_shares_that_the_docstrings_state():
    """100,000 reports: within 1.5 percentage points, nine standard errors."""
    stated = {(Laplace, 1.0): 0.15, (Piecewise, 1.0): 0.45, (Hybrid, 1.0): 0.18}
    for (make, epsilon), share in stated.items():
        assert betrayed(make(epsilon), 0.0, 1.0, rng=2) == pytest.approx(share, abs=0.015)
        assert betrayed(make(5.0), 0.0, 1.0, rng=2) > share
    assert betrayed(SummationHistogram(1.0, 2), 0, 1, rng=3) == pytest.approx(0.29, abs=0.015)
    assert betrayed(SummationHistogram(5.0, 2), 0, 1, rng=3) == pytest.approx(0.59, abs=0.015)


@pytest.mark.parametrize(
    ("mechanism", "value", "other"),
    [
        (DiscreteLaplace(5.0), 0.0, 1.0),
        (DiscreteLaplace(1.0, grid=3), 0.3, -1.0),
        (Duchi(5.0), 0.0, 1.0),
        (Hybrid(0.5), 0.0, 1.0),
        (DiscreteSummationHistogram(5.0, 2), 0, 1),
        (OptimizedUnary(5.0, 4), 0, 1),
        (LocalHashing(5.0, 4), 0, 1),
    ],
)
def test_bits_and_whole_numbers_betray_nothing(mechanism, value, other):
    assert betrayed(mechanism, value, other, reports=5_000, rng=1) == 0


def test_bad_input():
    for mechanism in (Laplace(1.0, 2), Duchi(1.0, 3)):
        with pytest.raises(ValueError, match="mechanism must have dim = 1"):
            betrayed(mechanism, 0.0, 1.0)
    for mechanism in ("Laplace", None):
        with pytest.raises(TypeError, match="mechanism must be one of this package"):
            betrayed(mechanism, 0.0, 1.0)
    for wrong, values in (("value", (1.5, 0.0)), ("other", (0.0, 1.5))):
        rng = np.random.default_rng(1)
        with pytest.raises(ValueError, match=f"{wrong} must lie in"):
            betrayed(Laplace(1.0), *values, rng=rng)
        assert rng.bit_generator.state == np.random.default_rng(1).bit_generator.state
    with pytest.raises(TypeError, match="value must be a real number"):
        impossible(Laplace(1.0), [0.0], [0.0, 1.0])
    with pytest.raises(ValueError, match="other must be between 0 and 1"):
        betrayed(SummationHistogram(1.0, 2), 0, 2)
