"""Integration over panels: exact up to rounding where an integrand is smooth between known corners."""

from __future__ import annotations

import numpy as np

from ldp_core._arrays import Floats

#: Numbers that an integral over many options or answers holds at a time.
BLOCK = 2**18


def panels(ends: Floats, points: int) -> tuple[Floats, Floats]:
    """Give nodes and weights of the Gauss-Legendre rule with so many points between each two neighbouring ends."""
    nodes, weights = np.polynomial.legendre.leggauss(points)
    half = np.diff(ends) / 2
    places = (ends[:-1] + half)[:, None] + half[:, None] * nodes
    return places.ravel(), (half[:, None] * weights).ravel()
