"""make_consistent: the orthogonal projection onto what tables of records can be."""

import math

import numpy as np

from ldp_core.learn import make_consistent


def test_make_consistent_is_the_orthogonal_projection():
    """Against least squares with Lagrange multipliers, written out."""
    rng = np.random.default_rng(0)
    shapes, n = [(2, 3), (4, 3), (1, 3)], 50
    tables = [rng.normal(10, 5, s) for s in shapes]
    ends = np.cumsum([math.prod(s) for s in shapes])
    rows = []
    for v in range(3):  # column sums of class v agree with those of the first table
        for i in (1, 2):
            row = np.zeros(ends[-1])
            row[v : ends[0] : 3] = 1
            row[ends[i - 1] + v : ends[i] : 3] = -1
            rows.append(row)
    rows.append(np.concatenate([np.ones(ends[0]), np.zeros(ends[-1] - ends[0])]))
    A, b = np.array(rows), np.array([0.0] * 6 + [n])
    x = np.concatenate([t.ravel() for t in tables])
    expected = x - A.T @ np.linalg.solve(A @ A.T, A @ x - b)
    found = make_consistent(tables, n=n)
    np.testing.assert_allclose(np.concatenate([t.ravel() for t in found]), expected)
    # What is consistent already stays.
    for once, twice in zip(found, make_consistent(found, n=n), strict=True):
        np.testing.assert_allclose(once, twice)
