"""Synthetic data with a curator: noisy tables of counts, made consistent, and rows drawn from them.

Rows are codes 0, …, d_i − 1 per column, so that everything is about counts. One person is in one cell of each table: a
table has sensitivity 1 (add/remove), and m tables cost m shares of the budget.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._validate import Rng, check_epsilon, check_int, check_rng
from ldp_core.central.noise import laplace
from ldp_core.central.selection import exponential
from ldp_core.postprocess import project_simplex

Codes = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def marginal(rows: npt.ArrayLike, columns: Sequence[int], sizes: Sequence[int]) -> Floats:
    """Count the combinations of some columns.

    Parameters
    ----------
    rows : array_like of int, shape (n, h)
        Codes.
    columns : sequence of int
        Which columns, in the order of the table's axes.
    sizes : sequence of int
        Number of values of every column of ``rows``.

    Returns
    -------
    ndarray of float64, shape (sizes of the columns)
        Counts.
    """
    codes = check_rows(rows, sizes)
    shape = tuple(int(sizes[c]) for c in columns)
    flat = np.ravel_multi_index([codes[:, c] for c in columns], shape)
    counts: Floats = np.bincount(flat, minlength=math.prod(shape)).reshape(shape).astype(np.float64)
    return counts


def noisy_marginal(
    rows: npt.ArrayLike, columns: Sequence[int], sizes: Sequence[int], *, epsilon: float, rng: Rng = None
) -> Floats:
    """Count the combinations of some columns, with Laplace noise of scale 1/ε in every cell, also in empty ones.

    Parameters
    ----------
    rows, columns, sizes
        As in :func:`marginal`. All combinations are in the table, not only those that occur: which ones do is a secret.
    epsilon : float
        Privacy budget ε of the table, for neighbours of which one has a person more.
    rng : numpy.random.Generator, int or None
        Source of randomness.

    Returns
    -------
    ndarray of float64
        Noisy counts, possibly negative.
    """
    noisy: Floats = laplace(marginal(rows, columns, sizes), epsilon=epsilon, sensitivity=1, rng=rng)
    return noisy


def consistent(table: npt.ArrayLike, total: float | None = None) -> Floats:
    """Make a noisy table presentable: the nearest one without negative counts and with a given total.

    Parameters
    ----------
    table : array_like
        Noisy counts.
    total : float, optional
        What they shall add up to, > 0; None takes the sum of the noisy counts, at least 1.

    Returns
    -------
    ndarray of float64, the shape of table
        Counts ≥ 0: the Euclidean projection, see :func:`ldp_core.postprocess.project_simplex`.
    """
    noisy = np.asarray(table, dtype=np.float64)
    size = max(float(noisy.sum()), 1.0) if total is None else float(total)
    if not size > 0:
        raise ValueError(f"total must be > 0, got {total!r}")
    projected: Floats = project_simplex(noisy.ravel() / size).reshape(noisy.shape) * size
    return projected


def sample(table: npt.ArrayLike, n: int, rng: Rng = None) -> Codes:
    """Draw rows from a table of counts.

    Parameters
    ----------
    table : array_like
        Counts ≥ 0, not all 0, one axis per column.
    n : int
        How many rows.
    rng : numpy.random.Generator, int or None
        Source of randomness.

    Returns
    -------
    ndarray of int64, shape (n, number of axes)
        Codes.
    """
    counts = np.asarray(table, dtype=np.float64)
    if counts.size == 0 or np.any(counts < 0) or not counts.sum() > 0:
        raise ValueError("table must hold counts >= 0, not all 0: use consistent() first")
    n, generator = check_int(n, "n", 1), check_rng(rng)
    cells = generator.choice(counts.size, size=n, p=counts.ravel() / counts.sum())
    return np.column_stack(np.unravel_index(cells, counts.shape)).astype(np.int64)


@dataclass(frozen=True)
class TreeModel:
    """A tree-structured model of a table's rows: one column's counts, and one table for every edge.

    Attributes
    ----------
    root : int
        Column that hangs on no other.
    edges : tuple of (int, int)
        (parent, child), parents before their children.
    tables : dict
        ``tables[()]``: counts of the root; ``tables[parent, child]``: counts of both, shape (d_parent, d_child).
    sizes : tuple of int
        Number of values of each column.
    epsilon : float
        What the model has cost; infinity if it was made without noise.
    """

    root: int
    edges: tuple[tuple[int, int], ...]
    tables: dict[tuple[int, ...], Floats]
    sizes: tuple[int, ...]
    epsilon: float

    def sample(self, n: int, rng: Rng = None) -> Codes:
        """Draw rows, column by column along the tree.

        Parameters
        ----------
        n : int
            How many rows.
        rng : numpy.random.Generator, int or None
            Source of randomness.

        Returns
        -------
        ndarray of int64, shape (n, h)
            Codes.
        """
        n, generator = check_int(n, "n", 1), check_rng(rng)
        rows = np.empty((n, len(self.sizes)), dtype=np.int64)
        rows[:, self.root] = sample(self.tables[()], n, generator)[:, 0]
        for parent, child in self.edges:
            table = self.tables[parent, child]
            # A parent's value that the table has lost to noise: its children as in the whole table.
            lost = table.sum(axis=1) <= 0
            conditional = np.where(lost[:, None], table.sum(axis=0), table)
            below = np.cumsum(conditional / conditional.sum(axis=1, keepdims=True), axis=1)
            u = generator.random(n)
            rows[:, child] = np.minimum((u[:, None] >= below[rows[:, parent]]).sum(axis=1), table.shape[1] - 1)
        return rows


def fit_tree(
    rows: npt.ArrayLike,
    sizes: Sequence[int],
    *,
    epsilon: float | None,
    tree: Sequence[tuple[int, int]] | None = None,
    rng: Rng = None,
) -> TreeModel:
    r"""Fit a tree-structured model, privately.

    A third of the budget chooses the tree, edge by edge, by the exponential mechanism; two thirds pay for the tables of
    its edges. A tree that is given costs nothing and leaves all the budget to the tables.

    Parameters
    ----------
    rows : array_like of int, shape (n, h)
        Codes; h ≥ 2.
    sizes : sequence of int
        Number of values of each column, public.
    epsilon : float or None
        Privacy budget ε of the model, for neighbours of which one has a person more; None for no noise at all.
    tree : sequence of (int, int), optional
        Edges (parent, child), parents before children, that span all columns; from public knowledge.
    rng : numpy.random.Generator, int or None
        Source of randomness.

    Returns
    -------
    TreeModel
        The model.

    Notes
    -----
    The score of an edge is how far its table is from independence in counts,
    :math:`\frac12\sum_{ab} |c_{ab} - c_a c_b / n|` with n public up to noise that is not needed here: one person
    changes it by at most 2, whatever the table, which is far less than what mutual information may change by.

    References
    ----------
    C. K. Chow and C. N. Liu. Approximating discrete probability distributions with dependence trees. 1968. J. Zhang,
    G. Cormode, C. M. Procopiuc, D. Srivastava and X. Xiao. PrivBayes: private data release via Bayesian networks. ACM
    TODS 42(4), 2017 (choosing edges by a score of low sensitivity).
    """
    codes, domain = check_rows(rows, sizes), tuple(int(s) for s in sizes)
    h = len(domain)
    if h < 2:
        raise ValueError(f"rows must have at least 2 columns, got {h}")
    budget = None if epsilon is None else check_epsilon(epsilon)
    generator = check_rng(rng)
    if tree is None:
        edges = _choose_tree(codes, domain, None if budget is None else budget / 3, generator)
        rest = None if budget is None else 2 * budget / 3
    else:
        edges, rest = _check_tree(tree, h), budget
    each = None if rest is None else rest / len(edges)
    tables: dict[tuple[int, ...], Floats] = {}
    for edge in edges:
        counts = marginal(codes, edge, domain)
        tables[edge] = (
            counts if each is None else consistent(laplace(counts, epsilon=each, sensitivity=1, rng=generator))
        )
    root = edges[0][0]
    tables[()] = tables[edges[0]].sum(axis=1)  # post-processing: the first edge knows the root's counts
    return TreeModel(root, edges, tables, domain, math.inf if budget is None else budget)


#: How much one person more changes the score of an edge, at most; see the test by brute force.
EDGE_SENSITIVITY = 2.0


def edge_score(table: npt.ArrayLike) -> float:
    """Give a table's distance from independence, in counts: 0 for independent columns."""
    counts = np.asarray(table, dtype=np.float64)
    total = counts.sum()
    if total == 0:
        return 0.0
    independent = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / total
    return float(np.abs(counts - independent).sum() / 2)


def _choose_tree(
    codes: Codes, sizes: tuple[int, ...], epsilon: float | None, rng: np.random.Generator
) -> tuple[tuple[int, int], ...]:
    """Grow a tree from column 0, by one edge at a time to a column that is not in it yet."""
    h = len(sizes)
    scores = {pair: edge_score(marginal(codes, pair, sizes)) for pair in combinations(range(h), 2)}
    inside, edges = [0], []
    for _ in range(h - 1):
        open_edges = [(a, b) for a in inside for b in range(h) if b not in inside]
        values = [scores[min(a, b), max(a, b)] for a, b in open_edges]
        if epsilon is None:
            best = int(np.argmax(values))
        else:
            best = exponential(values, epsilon=epsilon / (h - 1), sensitivity=EDGE_SENSITIVITY, rng=rng)
        edges.append(open_edges[best])
        inside.append(open_edges[best][1])
    return tuple(edges)


def _check_tree(tree: Sequence[tuple[int, int]], h: int) -> tuple[tuple[int, int], ...]:
    edges = tuple((int(a), int(b)) for a, b in tree)
    seen = {edges[0][0]} if edges else set()
    for parent, child in edges:
        if parent not in seen or child in seen or not 0 <= child < h:
            raise ValueError(f"tree must list (parent, child) with parents before children, got {tree!r}")
        seen.add(child)
    if seen != set(range(h)):
        raise ValueError(f"tree must span all {h} columns, got {tree!r}")
    return edges


def check_rows(rows: npt.ArrayLike, sizes: Sequence[Any]) -> Codes:
    """Return codes of shape (n, h), each below its column's size."""
    codes = np.asarray(rows)
    if codes.ndim != 2 or codes.shape[1] != len(sizes) or len(codes) == 0:
        raise ValueError(f"rows must have shape (n, {len(sizes)}) with n >= 1, got shape {codes.shape}")
    if codes.dtype.kind not in "iu":
        raise TypeError(f"rows must be integers, got dtype {codes.dtype}")
    if codes.min() < 0 or np.any(codes >= np.asarray(sizes)):
        raise ValueError("rows must hold codes from 0 to the size of their column less 1, got one outside")
    return codes.astype(np.int64)
