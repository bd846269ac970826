"""What tests of numeric mechanisms share: the table of mechanisms, and exact laws to compare draws with."""

import math
from collections import Counter

import numpy as np
import pytest
from scipy import stats

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


@pytest.fixture(scope="session")
def mechanisms():
    """All these constructors by name."""
    return MECHANISMS


@pytest.fixture(scope="session")
def chi_square_p():
    """p-value of discrete draws against their exact law; cells with fewer than 5 expected draws are pooled."""

    def p_value(draws, law: dict) -> float:
        observed = Counter(draws)
        assert set(observed) <= {key for key, p in law.items() if p > 0}, "an impossible outcome occurred"
        expected = np.array([len(draws) * p for p in law.values()])
        seen = np.array([observed[key] for key in law], dtype=float)
        small = expected < 5
        expected = np.append(expected[~small], expected[small].sum())
        seen = np.append(seen[~small], seen[small].sum())
        keep = expected > 1e-9
        if keep.sum() == 1:  # a single possible outcome, and nothing else occurred
            return 1.0
        return float(stats.chisquare(seen[keep], expected[keep] * (len(draws) / expected[keep].sum())).pvalue)

    return p_value


@pytest.fixture(scope="session")
def distribution_function():
    """CDF of the continuous part of a report of Piecewise, piece by piece."""

    def of(mechanism, t):
        low, high = (float(end) for end in mechanism.centre(t))
        knots = np.array([-mechanism.C, low, high, mechanism.C])
        outside = 1 / (math.exp(mechanism.epsilon / 2) + 1)
        left = outside * (low + mechanism.C) / (mechanism.C + 1)
        return lambda y: np.interp(y, knots, [0, left, left + 1 - outside, 1])

    return of
