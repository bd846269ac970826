"""Rows and gradients of a bounded length: the loss's own gradient, the bound for every finite number."""

import math

import numpy as np
import pytest

from ldp_core.learn import gradient_sum, shorten

HUGE = [1e154, 1e200, 1e308, np.finfo(float).max]


def numerical_gradient(theta, x, sign):
    def loss(t):
        return math.log1p(math.exp(-sign * float(x @ t)))

    step = 1e-6
    return np.array([(loss(theta + step * e) - loss(theta - step * e)) / (2 * step) for e in np.eye(len(theta))])


def test_gradient_is_the_loss_s():
    rng = np.random.default_rng(3)
    for _ in range(20):
        theta, x, sign = rng.normal(size=3), rng.normal(size=3), float(rng.choice([-1.0, 1.0]))
        found = gradient_sum(theta, x[None], np.array([sign]), bound=None)
        np.testing.assert_allclose(found, numerical_gradient(theta, x, sign), atol=1e-6)


@pytest.mark.parametrize("clip", ["gradient", "features"])
def test_one_person_moves_the_sum_by_at_most_the_bound(clip):
    """Random weights and rows, some of them huge: one more row b, one replaced 2b; both are nearly attained."""
    rng, bound = np.random.default_rng(4), 0.7
    added = replaced = 0.0
    for _ in range(3_000):
        theta = rng.normal(size=3) * rng.choice([0.1, 1, 30])
        rows = rng.normal(size=(2, 3)) * rng.choice([0.1, 1, 100], size=(2, 1))
        signs = rng.choice([-1.0, 1.0], size=2)
        rows = shorten(rows, bound=bound) if clip == "features" else rows
        one, other = (
            gradient_sum(theta, rows[i : i + 1], signs[i : i + 1], bound=bound if clip == "gradient" else None)
            for i in (0, 1)
        )
        added, replaced = max(added, np.linalg.norm(one)), max(replaced, np.linalg.norm(one - other))
    assert 0.95 * bound < added <= bound * (1 + 1e-12)
    assert 1.7 * bound < replaced <= 2 * bound * (1 + 1e-12)


@pytest.mark.parametrize("bound", [0.5, 1e-300, 1e300])
def test_rows_are_shortened_to_the_bound_whatever_their_size(bound):
    rows = np.array([[v, s * v, t] for v in (0.0, 1e-320, 1.0, *HUGE) for s in (-1.0, 0.3) for t in (0.0, 1.0, 1e308)])
    with np.errstate(under="ignore"):
        short = shorten(rows, bound=bound)
        sums = [gradient_sum(np.array([3.0, -2.0, 1e-3]), row[None], np.array([1.0]), bound=bound) for row in rows]
    for vector in (*short, *sums):
        assert math.hypot(*vector) <= bound * (1 + 1e-12)
    for row, vector in zip(rows, short, strict=True):
        length = math.hypot(*(row / 8)) * 8 if np.abs(row).max() < 1e307 else math.inf
        if length <= bound:
            np.testing.assert_allclose(vector, row, rtol=1e-12)
        else:  # as long as allowed, in the row's direction
            assert math.hypot(*vector) == pytest.approx(bound, rel=1e-12)
            np.testing.assert_allclose(
                vector / bound, row / np.abs(row).max() * np.abs(vector).max() / bound, rtol=1e-9
            )
