r"""A bound for all ε-private channels that need not look at all patterns: a semidefinite relaxation.

A column of a channel is, up to a factor, :math:`K \in \{e^{-\varepsilon}, 1\}^d`, so :math:`K = B s` with
:math:`B = [m 1 \mid h I]` and signs :math:`s \in \{1\} \times \{\pm 1\}^d`. A sum of :math:`K K^{\top}` is then
:math:`B X B^{\top}`, where X is positive semidefinite, its diagonal is constant, and any three signs keep the triangle
inequalities: not all three pairs differ. More X do than sums of patterns make, so the least variance over them is a
bound from below; M. Deza and M. Laurent, Geometry of Cuts and Metrics, 1997, tells what is left out.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ldp_core._arrays import Floats

__all__ = ["Relaxation", "Relaxed"]

#: Signs of the three pairs of a triangle: in each inequality their product is 1.
_SIGNS = np.array([(1.0, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)])

#: Newton steps at most; 10 to 40 are usual.
_STEPS = 60


class Relaxed(NamedTuple):
    """The relaxation's best point, and what it proves."""

    lower: float  # no channel has a smaller tr(W M⁻¹ Wᵀ)
    signs: Floats  # X
    gradient: Floats  # C = M⁻¹ Wᵀ W M⁻¹
    multipliers: Floats  # λ, with the sign that they have for channels


class Relaxation:
    """Minimize tr(Q (B X Bᵀ)⁻¹) by a primal-dual interior-point method; unknown are X's pairs, and its diagonal."""

    def __init__(self, low: float, square: Floats, prior: Floats) -> None:
        self.low, self.square, self.prior, self.d = low, square, prior, len(prior)
        self.basis = np.column_stack([np.full(self.d, (1 + low) / 2), (1 - low) / 2 * np.eye(self.d)])
        self.i, self.j = np.triu_indices(self.d + 1, 1)
        number = np.zeros((self.d + 1, self.d + 1), dtype=np.intp)
        number[self.i, self.j] = np.arange(len(self.i))
        a, b, c = np.array(list(combinations(range(self.d + 1), 3))).T
        self.triangles = np.column_stack([number[a, b], number[a, c], number[b, c]])
        sums = self.basis.T @ prior  # rows add up to 1: B X Bᵀ π = 1
        pairs = self.basis[:, self.i] * sums[self.j] + self.basis[:, self.j] * sums[self.i]
        self.rows = np.column_stack([pairs, self.basis @ sums])

    def matrix(self, x: Floats) -> Floats:
        full = np.zeros((self.d + 1, self.d + 1))
        full[self.i, self.j] = x[:-1]
        return np.asarray(full + full.T + x[-1] * np.eye(self.d + 1))

    def slack(self, x: Floats) -> Floats:
        return np.asarray(x[-1] + x[self.triangles] @ _SIGNS.T)

    def onto_pairs(self, of_triangles: Floats) -> Floats:
        return np.bincount(self.triangles.ravel(), of_triangles.ravel(), len(self.i)).astype(np.float64, copy=False)

    def pairs_of(self, a: Floats, b: Floats) -> Floats:
        """The quadratic form tr(a Y b Y) in the pairs of Y, which are twice in it."""
        i, j = self.i, self.j
        ai, aj, bi, bj = a[i], a[j], b[i], b[j]
        return np.asarray(ai[:, i] * bj[:, j] + ai[:, j] * bj[:, i] + aj[:, i] * bi[:, j] + aj[:, j] * bi[:, i])

    def solve(self, known: float, tolerance: float) -> Relaxed:
        """Go on until the bound is as near to the relaxation's least as the tolerance says; `known` is below both."""
        n, size = len(self.i), self.d + 1
        # The start: bits that are independent, and 1 about as often as in subset selection.
        ones = max(self.low / (1 + self.low), 2 / self.d)
        x = np.full(n + 1, (1 - 2 * ones) ** 2)
        x[: self.d], x[-1] = 2 * ones - 1, 1.0
        x /= (self.rows @ x).mean()
        share = size / (4 * len(self.triangles))  # of a triangle in the barrier: all together count as much as X
        full, slack = self.matrix(x), self.slack(x)
        inverse = np.linalg.inv(self.basis @ full @ self.basis.T)
        at = float(np.trace(self.square @ inverse))
        dual: Floats = at * np.linalg.inv(full).astype(np.float64)
        weights = share * at / slack
        best = Relaxed(known, full, inverse, -np.ones(self.d))  # no variance is below 0
        ahead = 0.0
        with suppress(np.linalg.LinAlgError):
            for _ in range(_STEPS):
                gradient = inverse @ self.square @ inverse
                g, p = self.basis.T @ gradient @ self.basis, self.basis.T @ inverse @ self.basis
                z: Floats = np.linalg.inv(full).astype(np.float64)
                centre = max(0.05, (1 - ahead) ** 2) * float((full * dual).sum() + (weights * slack).sum()) / (2 * size)
                push, curve = share * centre / slack, weights / slack
                slope = np.append(
                    -2 * (g + centre * z)[self.i, self.j] - self.onto_pairs(push @ _SIGNS),
                    -np.trace(g) - centre * np.trace(z) - push.sum(),
                )
                hessian = np.empty((n + 1, n + 1))
                hessian[:n, :n] = self.pairs_of(2 * g, p)
                hessian[:n, :n] += self.pairs_of(z, dual)
                for e, f, other in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):  # two pairs are in one triangle only
                    one, two = self.triangles[:, e], self.triangles[:, f]
                    both = curve @ _SIGNS[:, other]
                    hessian[one, two] += both
                    hessian[two, one] += both
                hessian[np.arange(n), np.arange(n)] += self.onto_pairs(np.repeat(curve.sum(axis=1)[:, None], 3, axis=1))
                twice = 2 * g @ p + z @ dual
                hessian[n, :n] = hessian[:n, n] = (twice + twice.T)[self.i, self.j] + self.onto_pairs(curve @ _SIGNS)
                hessian[n, n] = np.trace(twice) + curve.sum()
                solved = np.linalg.solve(hessian, np.column_stack([self.rows.T, slope]))
                missing = self.rows @ x - 1
                multipliers = np.linalg.solve(self.rows @ solved[:, :-1], missing - self.rows @ solved[:, -1])
                step = -(solved[:, -1] + solved[:, :-1] @ multipliers)
                turn, shift = self.matrix(step), self.slack(step)
                mixed = z @ turn @ dual
                dual_step, weights_step = centre * z - dual - (mixed + mixed.T) / 2, push - weights - curve * shift
                forward = min(_reach(full, turn), float(0.9 / max(0.9, (-shift / slack).max())))
                dual_forward = min(_reach(dual, dual_step), float(0.9 / max(0.9, (-weights_step / weights).max())))
                ahead = min(forward, dual_forward)
                x, dual, weights = (
                    x + forward * step,
                    dual + dual_forward * dual_step,
                    weights + dual_forward * weights_step,
                )
                full, slack = self.matrix(x), self.slack(x)
                if not min(slack.min(), weights.min()) > 0:  # doubles give out, as they may where singular M are best
                    break
                inverse = np.linalg.inv(self.basis @ full @ self.basis.T)
                inverse = (inverse + inverse.T) / 2
                lower = self.proved(inverse, multipliers, weights, np.diag(dual))
                best = Relaxed(max(lower, best.lower), full, inverse @ self.square @ inverse, -multipliers)
                at = float(np.trace(self.square @ inverse))
                if at - best.lower <= tolerance * (at - known) or ahead < 1e-6:
                    break
        return best

    def proved(self, inverse: Floats, multipliers: Floats, weights: Floats, diagonal: Floats) -> float:
        r"""Give a bound that holds whatever its arguments are, if the inverse is symmetric and no weight is negative.

        For any symmetric A in place of M⁻¹, with C = A WᵀW A and f = tr(WᵀW A), a channel has a first term of at least
        f²/V, where V is the largest ⟨C, M⟩ of a channel: 2 tr(Y Wᵀ) − tr(Y M Yᵀ) with the best multiple Y of W A. And
        ⟨BᵀCB, X⟩ = λ·Mπ + ⟨diag(u), X⟩ − (triangles) − ⟨S, X⟩ at most Σλ + excess · τ, if S is semidefinite, as u is
        made to see to with what the eigenvalues may be off by rounding. The diagonal of X is τ, the sum of weights over
        π·K; no column need be constant, so rows that add up to 1 say what it is at most.
        """
        basis, size = self.basis, self.d + 1
        triangles = np.zeros((size, size))
        triangles[self.i, self.j] = self.onto_pairs(weights @ _SIGNS) / 2
        rest = basis.T @ np.outer(multipliers, self.prior) @ basis
        rest = (rest + rest.T) / 2 - basis.T @ inverse @ self.square @ inverse @ basis - triangles - triangles.T
        raised = diagonal - np.diag(rest)
        rest = (rest + rest.T) / 2 + np.diag(raised)
        sizes = abs(basis.T) @ abs(inverse) @ abs(self.square) @ abs(inverse) @ abs(basis)
        sizes = (
            sizes + np.outer(basis.T @ abs(multipliers), basis.T @ self.prior) + abs(triangles) + np.diag(abs(raised))
        )
        rounding = 8 * size * np.finfo(float).eps * float(np.linalg.norm(sizes))
        excess = raised.sum() + weights.sum() - size * (float(np.linalg.eigvalsh(rest)[0]) - rounding)
        least = (self.low + (1 - self.low) * self.prior.min()) * (1 + (self.d - 1) * self.low) / self.d
        value = float(np.trace(self.square @ inverse)) * (1 - 1e-12)
        most = float(multipliers.sum() + max(0.0, excess) / least)
        return value**2 / most if most > 0 < value else 0.0


def _reach(at: Floats, step: Floats) -> float:
    """How far a semidefinite matrix may go, at most 1: nine tenths of the way to the edge."""
    root = np.linalg.inv(np.linalg.cholesky(at))
    return float(0.9 / max(0.9, -np.linalg.eigvalsh(root @ step @ root.T)[0]))
