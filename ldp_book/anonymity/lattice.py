"""The best full-domain generalization: each column at one level, the least loss among all combinations that reach k.

Finding the best k-anonymous version of a table is NP-hard when every cell may be generalized on its own. With one level
for each column there is a lattice of combinations, small enough to be searched, and one fact makes the search short: a
generalization only merges classes. So whatever lies above a k-anonymous combination is k-anonymous, and whatever lies
below one that is not, is not either.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from ldp_book.anonymity._classes import check_columns, check_frame, combine, factorize
from ldp_book.anonymity.hierarchy import Hierarchy, cell_losses, check_hierarchy
from ldp_core._arrays import Floats, Integers
from ldp_core._validate import check_int, shown

__all__ = ["Generalization", "search"]

#: More combinations than this are not a small lattice.
LARGEST = 100_000

#: Losses that differ by less are equal: they are averages of rounded fractions.
EQUAL = 1e-12


@dataclass(frozen=True)
class Generalization:
    """The best combination of levels; see :func:`search`."""

    levels: dict[str, int]  #: The level of each column.
    loss: float  #: Information lost: :func:`~ldp_book.anonymity.information_loss` of the release, with rows left out.
    suppressed: int  #: How many rows must be left out.
    minimal: tuple[dict[str, int], ...]
    """All combinations that reach k while nothing below them does, the best of them by loss first."""
    combinations: int  #: Size of the lattice.
    checked: int  #: For how many of them classes were counted; the others followed.


def search(
    frame: pd.DataFrame, hierarchies: Mapping[str, Hierarchy], *, k: int, max_suppressed: int = 0
) -> Generalization:
    """Search the lattice of levels for the combination with the least loss that makes the table k-anonymous.

    There are at most 100,000 combinations of the levels in ``hierarchies``; a level that splits a class of the level
    below is an error. ``max_suppressed`` rows in classes that are too small may be left out instead, and k is at most
    the number of rows. Among equal losses the first by lower levels in the order of the columns is best.

    Notes
    -----
    Combinations are taken from chains that lead upwards, each searched by bisection; every answer decides all
    combinations above or below (Kohlmayer et al.'s Flash). The result is exact: that of trying every combination.

    References
    ----------
    A. Meyerson and R. Williams. On the complexity of optimal k-anonymity. PODS 2004. F. Kohlmayer et al. Flash:
    efficient, stable and optimal k-anonymity. PASSAT 2012. P. Samarati. Protecting respondents' identities in microdata
    release. IEEE TKDE 13(6), 2001.

    Examples
    --------
    >>> from ldp_book.anonymity import by_digits
    >>> people = pd.DataFrame({"age": [31, 33, 38, 42, 45], "hours": [40, 40, 40, 40, 20]})
    >>> search(people, {"age": by_digits(1), "hours": by_digits(1)}, k=2).levels
    {'age': 1, 'hours': 2}
    """
    if not isinstance(hierarchies, Mapping):
        raise TypeError(f"hierarchies must be a mapping from column to Hierarchy, got {shown(hierarchies)}")
    columns = check_columns(check_frame(frame), hierarchies, "hierarchies")
    for column in columns:
        check_hierarchy(hierarchies[column], column)
    n = len(frame)
    k = check_int(k, "k", 1)
    if k > n:
        raise ValueError(f"k must be at most the number of rows, {n}, got {k}")
    allowed = check_int(max_suppressed, "max_suppressed", 0)
    shape = [hierarchies[column].depth + 1 for column in columns]
    if math.prod(shape) > LARGEST:
        raise ValueError(f"hierarchies must give at most {LARGEST:,} combinations, got {math.prod(shape):,}")
    table = _Table(frame, columns, hierarchies, allowed)
    lattice = np.indices(shape).reshape(len(shape), -1).T
    reaches, checked = _decide(lattice, shape, lambda node: bool(table.too_small(node, k).sum() <= allowed))

    # From the least possible loss on: once that exceeds the best found, nothing better can follow.
    reaching = lattice[reaches]
    bounds = np.array([table.least_loss(node) for node in reaching])
    losses: dict[int, float] = {}
    least = math.inf
    for place in np.argsort(bounds, kind="stable"):
        if bounds[place] > least + EQUAL:
            break
        losses[int(place)] = table.loss(reaching[place], table.too_small(reaching[place], k))
        least = min(least, losses[int(place)])
    # Places are in the order of the levels: of equal losses the first.
    best = min(place for place, loss in losses.items() if loss <= least + EQUAL)
    minimal = [place for place, node in enumerate(reaching) if _is_minimal(node, reaching)]
    for place in minimal:
        if place not in losses:
            losses[place] = table.loss(reaching[place], table.too_small(reaching[place], k))
    return Generalization(
        levels=_named(columns, reaching[best]),
        loss=losses[best],
        suppressed=int(table.too_small(reaching[best], k).sum()),
        minimal=tuple(_named(columns, reaching[p]) for p in sorted(minimal, key=lambda p: (round(losses[p], 12), p))),
        combinations=len(lattice),
        checked=checked,
    )


class _Table:
    """The distinct rows with their weights, and each column's codes and least losses at every level.

    ``allowed`` is how many people may be left out: a value that at most so many people have may vanish with them, and
    is then none of those that a coarser value stands for.
    """

    def __init__(
        self, frame: pd.DataFrame, columns: list[str], hierarchies: Mapping[str, Hierarchy], allowed: int
    ) -> None:
        whole = [factorize(frame[column]) for column in columns]
        rows, distinct = combine(whole)
        self.weights = np.bincount(rows, minlength=distinct).astype(np.float64)
        first = np.empty(distinct, dtype=np.int64)
        first[rows[::-1]] = np.arange(len(rows))[::-1]
        self.values: list[tuple[Integers, int]] = []
        self.codes: list[list[tuple[Integers, int]]] = []
        self.least: list[list[Floats]] = []
        for column, (codes, size) in zip(columns, whole, strict=True):
            # Hierarchies see each value once, not once a row.
            example = np.empty(size, dtype=np.int64)
            example[codes[::-1]] = np.arange(len(codes))[::-1]
            values = frame[column].iloc[example]
            hierarchy = hierarchies[column]
            levels = [factorize(hierarchy.apply(values, level)) for level in range(hierarchy.depth + 1)]
            for level, ((fine, many), (coarse, few)) in enumerate(itertools.pairwise(levels)):
                if len(np.unique(fine * few + coarse)) > many:
                    raise ValueError(
                        f"hierarchies must merge whole classes: level {level + 1} of {column!r} splits one"
                    )
            own = codes[first]
            self.values.append((own, size))
            self.codes.append([(level[own], groups) for level, groups in levels])
            holders = np.bincount(codes, minlength=size)
            self.least.append([_least_losses(holders, level, groups, allowed)[own] for level, groups in levels])

    def too_small(self, node: Integers, k: int) -> Floats:
        """For each distinct row how many people are in it, where their class has fewer than k members; 0 elsewhere."""
        codes, number = combine([levels[level] for levels, level in zip(self.codes, node, strict=True)])
        sizes = np.bincount(codes, weights=self.weights, minlength=number)
        return np.where(sizes[codes] < k, self.weights, 0.0)

    def least_loss(self, node: Integers) -> float:
        """Average loss of a cell, at least, whoever is left out; exact where nobody may be."""
        cells = np.mean([levels[level] for levels, level in zip(self.least, node, strict=True)], axis=0)
        return float(np.sum(self.weights * cells) / self.weights.sum())

    def loss(self, node: Integers, out: Floats) -> float:
        """Average loss of a cell: 1 for the ``out`` people of each distinct row (all or none) who are left out."""
        kept = out == 0
        lost = float(out.sum())
        for (own, size), levels, level in zip(self.values, self.codes, node, strict=True):
            after, groups = levels[level]
            cells = cell_losses(own[kept], after[kept], groups, size)
            lost += float(np.sum(self.weights[kept] * cells)) / len(self.values)
        return lost / float(self.weights.sum())


def _least_losses(holders: Integers, groups: Integers, number: int, allowed: int) -> Floats:
    """Least loss of each value's cells, shape (values,), if ``allowed`` people vanish; see :func:`cell_losses`.

    ``holders`` says how many people have each value, ``groups`` which of the ``number`` coarser values it belongs to.
    """
    if len(holders) == 1:
        return np.zeros(1)
    stands_for = np.bincount(groups, minlength=number)
    order = np.lexsort((holders, groups))  # group by group, the rarest values first
    before = np.cumsum(holders[order]) - holders[order]
    starts = np.cumsum(stands_for) - stands_for
    gone = before - np.repeat(before[starts], stands_for) + holders[order] <= allowed
    vanished = np.bincount(groups[order], weights=gone, minlength=number)
    least: Floats = np.maximum(stands_for - vanished - 1, 0)[groups] / (len(holders) - 1)
    return least


def _decide(
    lattice: Integers, shape: list[int], reaches: Callable[[Integers], bool]
) -> tuple[npt.NDArray[np.bool_], int]:
    """Which combinations reach k, shape (combinations,), and how many had to be asked."""
    answer = np.full(len(lattice), -1, dtype=np.int8)  # -1: not known yet
    stride = np.cumprod([1, *shape[:0:-1]])[::-1]
    last = np.array(shape) - 1
    checked = 0
    for start in np.argsort(lattice.sum(axis=1), kind="stable"):
        if answer[start] >= 0:
            continue
        chain = [int(start)]
        while True:
            above = chain[-1] + stride[lattice[chain[-1]] < last]
            open_ = above[answer[above] < 0]
            if not len(open_):
                break
            chain.append(int(open_[0]))
        low, high = 0, len(chain)
        while low < high:
            middle = (low + high) // 2
            node = lattice[chain[middle]]
            checked += 1
            if reaches(node):
                answer[(lattice >= node).all(axis=1)] = 1
                high = middle
            else:
                answer[(lattice <= node).all(axis=1)] = 0
                low = middle + 1
    return answer == 1, checked


def _is_minimal(node: Integers, reaching: Integers) -> bool:
    return int((reaching <= node).all(axis=1).sum()) == 1  # itself


def _named(columns: list[str], node: Integers) -> dict[str, int]:
    return {column: int(level) for column, level in zip(columns, node, strict=True)}
