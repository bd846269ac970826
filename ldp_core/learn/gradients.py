"""Rows and gradients of a bounded length, whatever finite numbers they are made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from ldp_core._arrays import Floats
from ldp_core._validate import check_matrix, check_positive, check_vector, first_where

__all__ = ["gradient_sum", "shorten"]


@dataclass(frozen=True)
class Scaled:
    """Rows as a largest entry times a direction, so that no length and no product of finite numbers overflows.

    Parameters
    ----------
    size : ndarray of float64, shape (n,)
        Largest absolute entry of each row.
    direction : ndarray of float64, shape (n, d)
        The rows divided by it: entries in [−1, 1].
    length : ndarray of float64, shape (n,)
        Lengths of the directions: 0 for a row of zeros, else from 1 to √d.
    """

    size: Floats
    direction: Floats
    length: Floats

    @classmethod
    def of(cls, rows: Floats) -> Scaled:
        """Split rows, shape (n, d), of finite numbers."""
        size: Floats = np.abs(rows).max(axis=1, initial=0.0)
        direction: Floats = rows / np.where(size > 0, size, 1.0)[:, None]
        return cls(size, direction, np.linalg.norm(direction, axis=1))

    def shortened(self, bound: float, share: Floats | float = 1.0) -> Floats:
        """Factors of the directions that give ``share`` times each row, no longer than bound; share is at most 1."""
        return np.minimum(share * self.size, bound / np.maximum(self.length, 1.0))

    def scores(self, theta: Floats) -> Floats:
        """Products of the rows with theta; infinite where they are beyond the largest number."""
        with np.errstate(over="ignore"):
            return (self.direction @ theta) * self.size

    def gradient_sum(self, theta: Floats, signs: Floats, bound: float | None) -> Floats:
        """Sum the gradients of the loss, none longer than bound; see :func:`gradient_sum`."""
        share = expit(-signs * self.scores(theta))  # gradient of row i: −signs[i] · share[i] · row i
        factors = share * self.size if bound is None else self.shortened(bound, share)
        return (-signs * factors) @ self.direction


def shorten(rows: npt.ArrayLike, *, bound: float) -> Floats:
    """Scale each of the rows that is longer than bound down to that length.

    Examples
    --------
    >>> shorten([[3.0, 4.0], [0.3, 0.4], [1e308, 0.0]], bound=1.0)
    array([[0.6, 0.8],
           [0.3, 0.4],
           [1. , 0. ]])
    """
    scaled = Scaled.of(check_matrix(rows, "rows"))
    return scaled.direction * scaled.shortened(check_positive(bound, "bound"))[:, None]


def gradient_sum(theta: npt.ArrayLike, rows: npt.ArrayLike, signs: npt.ArrayLike, *, bound: float | None) -> Floats:
    r"""Sum the gradients of the logistic loss :math:`\ln(1 + e^{-s\,\theta^\top x})`, each shortened to bound first.

    The weights theta have shape (d,), the features x are rows, shape (n, d), and the signs s are −1 or 1. None as the
    bound leaves gradients as they are.

    Examples
    --------
    >>> gradient_sum([0.0, 0.0], [[1.0, 0.0], [6.0, 8.0]], [1, -1], bound=2.0)
    array([0.7, 1.6])
    """
    weights = check_vector(theta, "theta")
    scaled = Scaled.of(check_matrix(rows, "rows", len(weights)))
    sides = check_vector(signs, "signs", len(scaled.size))
    if np.any(abs(sides) != 1):
        raise ValueError(f"signs must be -1 or 1, got {first_where(sides, abs(sides) != 1)}")
    return scaled.gradient_sum(weights, sides, None if bound is None else check_positive(bound, "bound"))
