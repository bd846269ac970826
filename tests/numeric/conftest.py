"""What tests of numeric mechanisms share: the table of mechanisms, and an exact law to compare draws with."""

import math

import numpy as np
import pytest

from ldp_core.numeric import DiscreteLaplace, Duchi, Hybrid, Laplace, Piecewise

MECHANISMS = {
    "Laplace": Laplace,
    "Duchi": Duchi,
    "Duchi-minus": lambda epsilon, dim=1: Duchi(epsilon, dim, ties="minus"),
    "Piecewise": Piecewise,
    "Hybrid": Hybrid,
    "DiscreteLaplace": DiscreteLaplace,
    "DiscreteLaplace-coarse": lambda epsilon, dim=1: DiscreteLaplace(epsilon, dim, grid=3),
}


@pytest.fixture(params=MECHANISMS)
def make(request):
    """Constructor of a mechanism from epsilon and dim."""
    return MECHANISMS[request.param]


def distribution_function(mechanism, t):
    """CDF of the continuous part of a report of Piecewise, piece by piece."""
    low, high = (float(end) for end in mechanism.centre(t))
    knots = np.array([-mechanism.C, low, high, mechanism.C])
    outside = 1 / (math.exp(mechanism.epsilon / 2) + 1)
    left = outside * (low + mechanism.C) / (mechanism.C + 1)
    return lambda y: np.interp(y, knots, [0, left, left + 1 - outside, 1])
