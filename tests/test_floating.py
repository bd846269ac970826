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
        (DiscreteLaplace(5.0), 0.0, 1.0), (DiscreteLaplace(1.0, grid=3), 0.3, -1.0), (Duchi(5.0), 0.0, 1.0),
        (Hybrid(0.5), 0.0, 1.0), (DiscreteSummationHistogram(5.0, 2), 0, 1), (OptimizedUnary(5.0, 4), 0, 1),
        (LocalHashing(5.0, 4), 0, 1),
    ],
)  # fmt: skip
def test_bits_and_whole_numbers_betray_nothing(mechanism, value, other):
    assert betrayed(mechanism, value, other, reports=5_000, rng=1) == 0
