"""Noise for a vector whose change is bounded in Euclidean length, at pure ε."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Floats
from ldp_core._validate import Rng, check_rng, check_scale, check_vector

__all__ = ["laplace_l2"]


def laplace_l2(value: npt.ArrayLike, *, epsilon: float, sensitivity: float, rng: Rng = None) -> Floats:
    r"""Add noise b of density :math:`\propto e^{-\varepsilon\|b\|_2/\Delta_2}` to a value of shape (d,).

    Its direction is uniform, and its length follows a Gamma law of shape d and scale Δ₂/ε, of mean dΔ₂/ε. In one
    dimension it is Laplace noise. The sensitivity is the largest Euclidean length Δ₂ of the change between neighbouring
    data sets.

    Notes
    -----
    A shift by at most Δ₂ changes the length of the noise by at most Δ₂ as well (triangle inequality), hence the log
    density by at most ε. The guarantee is that of real numbers, as that of :func:`ldp_core.central.laplace`.

    References
    ----------
    K. Chaudhuri, C. Monteleoni and A. D. Sarwate. Differentially private empirical risk minimization. JMLR 12, 2011,
    algorithm 1. M. Hardt and K. Talwar. On the geometry of differential privacy. STOC 2010 (any norm).

    Examples
    --------
    >>> laplace_l2([3.0, 4.0], epsilon=1e9, sensitivity=1.0, rng=0).round(6)
    array([3., 4.])
    """
    answer, scale = check_vector(value, "value"), check_scale(sensitivity, epsilon)
    generator = check_rng(rng, law=("laplace l2", scale))
    direction = generator.normal(size=answer.size)
    length = generator.gamma(answer.size)
    noise: Floats = direction / np.linalg.norm(direction) * length
    return answer + noise * scale
