"""Synthetic data with a curator: noisy tables of counts, made consistent, and rows drawn from them.

Rows are codes 0, …, d_i − 1 per column, so that everything is about counts. One person is in one cell of each table: a
table has sensitivity 1 where neighbours differ by one person more or less, 2 where a record is replaced, and m tables
cost m shares of the budget. ``rows`` have shape (n, h), and ``sizes`` are the public numbers of values of their
columns.

The noise is drawn in floating point, so ε is that of real arithmetic: the last bits of a noisy count tell more
(:mod:`ldp_core.floating`). A tree that is fitted publishes its tables after
:func:`consistent` only, which rounds them anew and is no cure. Before tables of real people leave a house, add
:func:`ldp_core.central.discrete_laplace`, which has no such bits, to each count, and make them consistent afterwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Codes, Floats
from ldp_core._validate import (
    Neighbours,
    Rng,
    as_array,
    check_epsilon,
    check_filled,
    check_int,
    check_neighbours,
    check_numbers,
    check_positive,
    check_rng,
    first_where,
    shown,
)
from ldp_core.central.noise import laplace
from ldp_core.central.selection import exponential
from ldp_core.postprocess import project_simplex

__all__ = [
    "EDGE_SENSITIVITY", "TreeModel", "consistent", "edge_score", "fit_tree", "marginal", "noisy_marginal", "sample",
]  # fmt: skip

#: Most cells of a table.
LARGEST = 10_000_000

#: Most cells of a sample.
LARGEST_SAMPLE = 100_000_000

_SMALLEST = float(np.finfo(np.float64).tiny)


def marginal(rows: npt.ArrayLike, columns: Sequence[int], *, sizes: Sequence[int]) -> Floats:
    """Count the combinations of some columns, at most ten million, in the order of the table's axes.

    Examples
    --------
    >>> marginal([[0, 1], [0, 0], [1, 1]], [1, 0], sizes=[2, 2])
    array([[1., 0.],
           [1., 1.]])
    """
    domain = _check_sizes(sizes)
    codes = _check_rows(rows, domain)
    axes = _check_columns(columns, len(domain))
    shape = tuple(domain[c] for c in axes)
    if math.prod(shape) > LARGEST:
        raise ValueError(f"columns must have at most {LARGEST:,} combinations, got {math.prod(shape):,}")
    flat = np.ravel_multi_index([codes[:, c] for c in axes], shape)
    return np.bincount(flat, minlength=math.prod(shape)).reshape(shape).astype(np.float64)


def noisy_marginal(
    rows: npt.ArrayLike,
    columns: Sequence[int],
    *,
    sizes: Sequence[int],
    epsilon: float,
    neighbours: Neighbours = "add-remove",
    rng: Rng = None,
) -> Floats:
    """Count the combinations of some columns, with Laplace noise in every cell, also in empty ones.

    All combinations are in the table, not only those that occur: which ones do is a secret. m tables of the same people
    cost m times ε. With ``neighbours="add-remove"`` one cell changes by 1: noise of scale 1/ε. A replaced record leaves
    a cell and enters another: 2/ε. Randomness comes from ``rng``, in earnest :func:`ldp_core.secure_rng`.

    Examples
    --------
    >>> noisy_marginal([[0, 1], [0, 0], [1, 1]], [0], sizes=[2, 2], epsilon=1.0, rng=0).round(2)
    array([0.97, 0.9 ])
    """
    counts = marginal(rows, columns, sizes=sizes)
    noisy: Floats = laplace(counts, epsilon=epsilon, sensitivity=_steps(neighbours), rng=rng)
    return noisy


def _steps(neighbours: Neighbours) -> int:
    """Count the people by whom neighbours differ: a replaced record is one who left and one who joined."""
    return 1 if check_neighbours(neighbours) == "add-remove" else 2


def consistent(table: npt.ArrayLike, *, total: float | None = None) -> Floats:
    """Make a noisy table presentable: the nearest one without negative counts and with a given total.

    The total is the sum of the noisy counts, at least 1, if it is not given. See
    :func:`ldp_core.postprocess.project_simplex`.

    Examples
    --------
    >>> consistent([4.0, -1.0, 2.0], total=5.0)
    array([3.5, 0. , 1.5])
    """
    noisy = check_filled(table, "table")
    size = check_positive(max(float(noisy.sum()), 1.0), "the sum of table") if total is None else _check_total(total)
    return project_simplex(noisy.ravel() / size).reshape(noisy.shape) * size


def _check_total(total: object) -> float:
    """Return what a table shall add up to: a number that can be divided by."""
    number = check_positive(total, "total")
    if number < _SMALLEST:
        raise ValueError(f"total must be at least {_SMALLEST:g}, got {total!r}")
    return number


def sample(table: npt.ArrayLike, n: int, *, rng: Rng = None) -> Codes:
    """Draw n rows of codes from a table of counts with one axis per column, from ``rng``.

    Examples
    --------
    >>> sample([[0.0, 5.0], [0.0, 0.0]], 2, rng=0)
    array([[0, 1],
           [0, 1]])
    """
    counts = check_numbers(table, "table")
    if counts.ndim == 0 or counts.size == 0 or np.any(counts < 0) or not counts.max() > 0:
        raise ValueError("table must hold counts >= 0, not all 0: use consistent() first")
    n, generator = _check_sample_size(n, counts.ndim), check_rng(rng, "data")
    shares = counts.ravel() / counts.max()  # no sum that overflows, no count that vanishes
    cells = generator.choice(counts.size, size=n, p=shares / shares.sum())
    return np.column_stack(np.unravel_index(cells, counts.shape)).astype(np.int64)


@dataclass(frozen=True)
class TreeModel:
    """A tree-structured model of a table's rows: one column's counts, and one table for every edge.

    ``tables[()]`` are counts of the root, ``tables[parent, child]`` those of both, shape (d_parent, d_child), for each
    of the edges, parents before children. The model knows the sizes of all columns and the epsilon that it has cost;
    ``math.inf`` if it was made without noise.
    """

    root: int
    edges: tuple[tuple[int, int], ...]
    tables: dict[tuple[int, ...], Floats]
    sizes: tuple[int, ...]
    epsilon: float

    def sample(self, n: int, *, rng: Rng = None) -> Codes:
        """Draw n rows, column by column along the tree, from ``rng``."""
        n, generator = _check_sample_size(n, len(self.sizes)), check_rng(rng, "data")
        rows = np.empty((n, len(self.sizes)), dtype=np.int64)
        rows[:, self.root] = sample(self.tables[()], n, rng=generator)[:, 0]
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
    epsilon: float,
    tree: Sequence[tuple[int, int]] | None = None,
    neighbours: Neighbours = "add-remove",
    rng: Rng = None,
) -> TreeModel:
    r"""Fit a tree-structured model, privately.

    A third of the budget chooses the tree, edge by edge, by the exponential mechanism; two thirds pay for the tables of
    its edges. A tree that is given costs nothing and leaves all the budget to the tables.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of the model, in real arithmetic; ``math.inf`` for no noise and no privacy at all.
    tree : sequence of (int, int), optional
        Edges (parent, child), parents before children, that span all columns; from public knowledge.
    neighbours : {"add-remove", "replace"}, default "add-remove"
        One person more or less, or one record replaced, which is one who leaves and one who joins and takes twice the
        noise.
    rng : numpy.random.Generator, int or None
        Source of randomness, in earnest :func:`ldp_core.secure_rng`. A seed repeats its noise: it is for
        teaching, not for two answers about one person.

    Notes
    -----
    The score of an edge is how far its table is from independence in counts,
    :math:`\frac12\sum_{ab} |c_{ab} - c_a c_b / n|` with n the number of rows: one person more changes
    it, n included, by at most 2, whatever the table, which is far less than what mutual information may change by.

    References
    ----------
    C. K. Chow and C. N. Liu. Approximating discrete probability distributions with dependence trees. 1968. J. Zhang,
    G. Cormode, C. M. Procopiuc, D. Srivastava and X. Xiao. PrivBayes: private data release via Bayesian networks. ACM
    TODS 42(4), 2017 (choosing edges by a score of low sensitivity).

    Examples
    --------
    >>> rows = [[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]]
    >>> model = fit_tree(rows, [2, 2, 2], epsilon=math.inf)
    >>> model.edges, model.epsilon
    (((0, 1), (0, 2)), inf)
    """
    domain = _check_sizes(sizes)
    codes, h = _check_rows(rows, domain), len(domain)
    if h < 2:
        raise ValueError(f"rows must have at least 2 columns, got {h}")
    budget, steps = check_epsilon(epsilon, infinite=True), _steps(neighbours)
    generator = check_rng(rng, law=("synthetic tree", budget, neighbours))
    if tree is None:
        edges, rest = _choose_tree(codes, domain, budget / 3, steps, generator), 2 * budget / 3
    else:
        edges, rest = _check_tree(tree, h), budget
    tables: dict[tuple[int, ...], Floats] = {edge: marginal(codes, edge, sizes=domain) for edge in edges}
    if math.isfinite(budget):
        for edge in edges:
            noisy = laplace(tables[edge], epsilon=rest / len(edges), sensitivity=steps, rng=generator)
            tables[edge] = consistent(noisy)
    root = edges[0][0]
    tables[()] = tables[edges[0]].sum(axis=1)  # post-processing: the first edge knows the root's counts
    return TreeModel(root, edges, tables, domain, budget)


#: How much one person more changes the score of an edge, at most; see the test by brute force.
EDGE_SENSITIVITY = 2.0


def edge_score(table: npt.ArrayLike) -> float:
    """Give a table's distance from independence, in counts: 0 for independent columns.

    It is half of the sum of absolute differences, see :func:`fit_tree`.

    Examples
    --------
    >>> edge_score([[2, 2], [3, 3]]), edge_score([[5, 0], [0, 5]])
    (0.0, 5.0)
    """
    counts = check_numbers(table, "table")
    if counts.ndim != 2 or np.any(counts < 0) or not np.isfinite(counts.sum()):
        raise ValueError(f"table must have two axes and counts >= 0 with a finite sum, got shape {counts.shape}")
    return _edge_score(counts)


def _edge_score(counts: Floats) -> float:
    total = counts.sum()
    if total == 0:
        return 0.0
    independent = np.outer(counts.sum(axis=1) / total, counts.sum(axis=0))
    return float(np.abs(counts - independent).sum() / 2)


def _choose_tree(
    codes: Codes, sizes: tuple[int, ...], epsilon: float, steps: int, rng: np.random.Generator
) -> tuple[tuple[int, int], ...]:
    """Grow a tree from column 0, by one edge at a time to a column that is not in it yet."""
    h = len(sizes)
    scores = {pair: _edge_score(marginal(codes, pair, sizes=sizes)) for pair in combinations(range(h), 2)}
    inside, edges = [0], []
    for _ in range(h - 1):
        open_edges = [(a, b) for a in inside for b in range(h) if b not in inside]
        values = [scores[min(a, b), max(a, b)] for a, b in open_edges]
        if math.isfinite(epsilon):
            sensitivity = steps * EDGE_SENSITIVITY
            best = exponential(values, epsilon=epsilon / (h - 1), sensitivity=sensitivity, rng=rng)
        else:
            best = int(np.argmax(values))
        edges.append(open_edges[best])
        inside.append(open_edges[best][1])
    return tuple(edges)


def _check_tree(tree: Sequence[tuple[int, int]], h: int) -> tuple[tuple[int, int], ...]:
    pairs = as_array(tree, "tree")
    if pairs.dtype.kind not in "iu" or pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ValueError(f"tree must list pairs (parent, child) of columns, got {shown(tree)}")
    edges = tuple((int(a), int(b)) for a, b in pairs)
    seen = {edges[0][0]} if edges else set()
    for parent, child in edges:
        if parent not in seen or child in seen or not 0 <= child < h:
            raise ValueError(f"tree must list (parent, child) with parents before children, got {shown(tree)}")
        seen.add(child)
    if seen != set(range(h)):
        raise ValueError(f"tree must span all {h} columns, got {shown(tree)}")
    return edges


def _check_columns(columns: Sequence[int], h: int) -> tuple[int, ...]:
    array = as_array(columns, "columns")
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu":
        raise ValueError(f"columns must be a list of column numbers, got {shown(columns)}")
    axes = tuple(check_int(int(c), "columns", 0, h - 1) for c in array)
    if len(set(axes)) < len(axes):
        raise ValueError(f"columns must name each column once, got {shown(columns)}")
    return axes


def _check_sample_size(n: int, columns: int) -> int:
    return check_int(n, "n", 1, LARGEST_SAMPLE // columns)


def _check_sizes(sizes: Sequence[Any]) -> tuple[int, ...]:
    """Return the number of values of each column, at least one."""
    array = as_array(sizes, "sizes")
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iuO":
        raise ValueError(f"sizes must be a list of whole numbers, one for each column, got {shown(sizes)}")
    return tuple(check_int(size, "sizes", 1) for size in array.tolist())


def _check_rows(rows: npt.ArrayLike, sizes: Sequence[Any]) -> Codes:
    """Return codes of shape (n, h), each below its column's size."""
    codes = as_array(rows, "rows")
    if codes.ndim != 2 or codes.shape[1] != len(sizes) or len(codes) == 0:
        raise ValueError(f"rows must have shape (n, {len(sizes)}) with n >= 1, got shape {codes.shape}")
    if codes.dtype.kind not in "iu":
        raise TypeError(f"rows must be integers, got dtype {codes.dtype}")
    outside = (codes < 0) | (codes >= np.asarray(sizes))
    if outside.any():
        raise ValueError(
            f"rows must hold codes from 0 to their column's size less 1, got {first_where(codes, outside)}"
        )
    return codes.astype(np.int64)
