"""Numeric mechanisms: the mean of numbers, or their distribution, asked of users who trust nobody.

Take :class:`Hybrid`, whose largest variance is the least, or :class:`DiscreteLaplace`, whose guarantee holds in
floating point. Several moments are :class:`Moments`'s, the shape of a distribution is :class:`SquareWave`'s, counts of
categories :mod:`ldp_core.frequency`'s.

Throughout, ``epsilon`` is the privacy budget ε of one user's whole report, finite and > 0, and ``dim`` the number d of
values in [−1, 1] that each user holds. Values and reports (``t``, ``values``, ``reports``) have shape (n,) if dim is 1,
else (n, dim). Randomness comes from ``rng``: a generator, a seed or None, in earnest :func:`ldp_core.secure_rng`. A
seed repeats its noise: it is for teaching, not for two reports about one person.
"""

from ldp_core.numeric.base import NumericMechanism
from ldp_core.numeric.crossing import crossings
from ldp_core.numeric.discrete_laplace import DiscreteLaplace
from ldp_core.numeric.duchi import Duchi
from ldp_core.numeric.hybrid import EPSILON_STAR, Hybrid
from ldp_core.numeric.laplace import Laplace
from ldp_core.numeric.moments import MomentEstimate, Moments
from ldp_core.numeric.piecewise import Piecewise
from ldp_core.numeric.scaling import IntervalScaler
from ldp_core.numeric.square_wave import SquareWave
from ldp_core.numeric.sums import Sums

__all__ = [
    "EPSILON_STAR", "DiscreteLaplace", "Duchi", "Hybrid", "IntervalScaler", "Laplace", "MomentEstimate", "Moments",
    "NumericMechanism", "Piecewise", "SquareWave", "Sums", "crossings",
]  # fmt: skip
