"""Normal densities per class, shared by the classifiers that use them."""

from __future__ import annotations

import numpy as np

from ldp_core._arrays import Floats


def log_likelihood(t: Floats, means: Floats, variances: Floats) -> Floats:
    """Sum over features of the log densities of rows t (n, h) under normals with (h, k) parameters: shape (n, k)."""
    total = np.zeros((len(t), means.shape[1]))
    for i in range(t.shape[1]):  # feature by feature: no array of shape (n, h, k)
        squared = (t[:, i : i + 1] - means[i]) ** 2
        total -= 0.5 * (np.log(2 * np.pi * variances[i]) + squared / variances[i])
    return total


def presentable_moments(means: Floats, squares: Floats, min_variance: float) -> tuple[Floats, Floats]:
    """Means moved into [−1, 1], mean squares into [0, 1], and the variance from both, at least min_variance."""
    means, squares = np.clip(means, -1.0, 1.0), np.clip(squares, 0.0, 1.0)
    return means, np.maximum(squares - means**2, min_variance)
