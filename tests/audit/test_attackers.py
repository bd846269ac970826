"""The attacker's curve: known ones, and that its tangents are exactly the (ε, δ) of the mechanism."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_core.audit import exact_delta, trade_off
from ldp_core.central import PrivacyLoss
from ldp_core.frequency import DirectEncoding, OptimizedUnary

ALPHA = np.linspace(0, 1, 101)
NORMAL = NormalDist()


def gaussian(mu):
    return [1.0, *(NORMAL.cdf(NORMAL.inv_cdf(1 - a) - mu) for a in ALPHA[1:-1]), 0.0]


def laplace(epsilon):
    e = math.exp(-epsilon)
    return [1 - a / e if a < e / 2 else e / 4 / a if a <= 0.5 else e * (1 - a) for a in ALPHA]


@pytest.mark.parametrize(
    ("loss", "curve"),
    [
        (PrivacyLoss.gaussian(1.0), gaussian(1.0)),
        (PrivacyLoss.gaussian(6.0).self_compose(9), gaussian(0.5)),
        (PrivacyLoss.laplace(1.0), laplace(1.0)),
    ],
)
def test_known_curves(loss, curve):
    found = trade_off(loss)(ALPHA)
    assert np.all(found <= np.array(curve) + 1e-12)
    assert found == pytest.approx(np.array(curve), abs=1e-6)


rows = st.lists(st.lists(st.integers(0, 5), min_size=4, max_size=4).filter(any), min_size=2, max_size=4)


@given(rows, st.floats(0, 3))
def test_tangents_are_the_epsilons_and_deltas(weights, epsilon):
    channel = np.array([np.array(row) / sum(row) for row in weights])
    curve = trade_off(channel)
    tangent = lambda alpha: 1 - exact_delta(channel, epsilon) - math.exp(epsilon) * alpha  # noqa: E731
    gaps = curve(np.linspace(0, 1, 2001)) - tangent(np.linspace(0, 1, 2001))
    assert gaps.min() > -1e-9
    corners = np.cumsum(np.sort(np.concatenate(channel)))  # a tangent touches, between the points of any grid
    assert min(gaps.min(), min(curve(a) - tangent(a) for a in np.clip(corners, 0, 1))) < math.exp(epsilon) / 2000


def test_an_oracle_is_its_channel_and_a_pair_its_loss():
    oracle = OptimizedUnary(1.0, 5)
    channel = oracle.channel()
    assert np.array_equal(trade_off(oracle)(ALPHA), trade_off(channel)(ALPHA))
    assert trade_off(PrivacyLoss.from_rows(*channel[:2]).roughly())(ALPHA) == pytest.approx(
        trade_off(channel)(ALPHA), abs=1e-9
    )
    once = PrivacyLoss.gaussian(1.0).roughly()
    sampled = PrivacyLoss.gaussian(1.0).subsampled(0.1).roughly()
    assert np.all(trade_off(sampled)(ALPHA) >= trade_off(once)(ALPHA) - 1e-9)
    assert trade_off(np.eye(2))(0.5) == 0
    with pytest.raises(ValueError, match="two rows that matter"):
        trade_off(DirectEncoding(1.0, 400))
    with pytest.raises(ValueError, match=r"alpha must lie in \[0, 1\], got 1.5"):
        trade_off(channel)(1.5)
