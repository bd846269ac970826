"""The packaged stand-in: rows drawn from a table of counts, for when the real file is out of reach.

The columns other than the target form a tree, and the table holds how often each pair of values along an edge of it
occurs in the real file, for each class (value of the target) by itself: the tree of Chow and Liu (1968) within
classes, known from the tree-augmented naive Bayes classifier (Friedman, Geiger and Goldszmidt, 1997).

Rows are not drawn independently: walking down the tree, the rows of a class whose parent column has the value a are
dealt exactly the child values that the real rows of that class with a have, shuffled. So these come out with the real
file's counts:

* every column by itself,
* every column together with the target,
* every edge of the tree, together with the target;

and the pairs of columns that no edge joins are approximations.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ldp_book.datasets.rows import categorical
from ldp_book.datasets.source import MISSING, Source
from ldp_core._arrays import Floats
from ldp_core._validate import check_int, shown

__all__ = ["BETWEEN", "FIELDS", "SEED", "Edge", "draw", "parse_table", "random_keys", "read_table", "sample"]

# Codes and counts are as wide as an index: bincount and repeat take nothing wider, and in the browser that is 32 bits.
Indices = npt.NDArray[np.intp]

#: Every reader gets the same rows.
SEED = 20_260_101
#: Columns of a stand-in's table of counts.
FIELDS = ("parent", "child", "class", "parent_value", "child_value", "count")
#: What stands between the ends of an interval of numbers in such a table.
BETWEEN = ".."


@dataclass(frozen=True)
class Edge:
    """Counts of (class, parent's value, child's value); the root's parent is the empty string, with the value "".

    A value is a cell of the UCI file as text. Columns with too many values for a table (``fnlwgt``) have intervals,
    ``12285..32171`` or ``0.085..0.25``, both ends included.
    """

    parent: str
    child: str
    counts: dict[tuple[str, str, str], int]


def draw(source: Source, seed: int = SEED) -> pd.DataFrame:
    """Draw the stand-in of a data set (its source): as many rows as the real file, in random order.

    Notes
    -----
    Inside an interval of m rows from lo to hi the values are spread evenly: the i-th, i = 0..m-1, is
    lo + floor((2i + 1)(hi - lo + 1) / 2m), dealt to the rows at random. Decimal numbers are counted in units of their
    last decimal.

    Where a data set has a generator of its own (``Source.generate``), the rows are what that returns.

    The rows are the same on every platform and under every NumPy: only the raw integers of ``PCG64`` are used, which
    NumPy keeps stable (NEP 19), and stable sorts; the methods of ``Generator`` may change.

    References
    ----------
    C. K. Chow and C. N. Liu. Approximating discrete probability distributions with dependence trees.
    IEEE Transactions on Information Theory 14(3), 1968.
    N. Friedman, D. Geiger and M. Goldszmidt. Bayesian network classifiers. Machine Learning 29, 1997.

    Examples
    --------
    >>> from ldp_book.datasets.registry import find
    >>> frame = draw(find("adult"))
    >>> len(frame), int((frame["age"] > 50).sum())
    (32561, 6460)
    """
    if not isinstance(source, Source):
        raise TypeError(f"source must be a Source, as registry.find gives it, got {shown(source)}")
    check_int(seed, "seed", 0)
    return source.generate(seed) if source.generate else sample(read_table(source.name), source, seed)


def read_table(name: str) -> list[Edge]:
    """Read the packaged table of counts of the data set of a name; see :func:`parse_table`."""
    text = resources.files(__package__).joinpath("standins", f"{name}.csv").read_text(encoding="utf-8")
    return parse_table(text.splitlines())


def parse_table(lines: Iterable[str]) -> list[Edge]:
    """Read a table of counts from lines of CSV with the columns of `FIELDS`; parents come before their children.

    Examples
    --------
    >>> header = "parent,child,class,parent_value,child_value,count"
    >>> parse_table([header, ",sex,yes,,Male,3", ",sex,yes,,Female,2"])
    [Edge(parent='', child='sex', counts={('yes', '', 'Male'): 3, ('yes', '', 'Female'): 2})]
    """
    edges: dict[tuple[str, str], Edge] = {}
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        parent, child = row["parent"], row["child"]
        edge = edges.setdefault((parent, child), Edge(parent, child, {}))
        edge.counts[row["class"], row["parent_value"], row["child_value"]] = int(row["count"])
    return list(edges.values())


def sample(table: list[Edge], source: Source, seed: int) -> pd.DataFrame:
    """Deal the counts of a table, whose first edge says how many rows there are, to rows of a source, as in `draw`."""
    sizes: Counter[str] = Counter()
    for (label, _, _), count in table[0].counts.items():
        sizes[label] += count
    classes = list(sizes)
    labels = np.repeat(np.arange(len(classes), dtype=np.intp), list(sizes.values()))
    keys = random_keys(seed, len(labels))

    values: dict[str, list[str]] = {"": [""], source.target: classes}
    codes: dict[str, Indices] = {"": np.zeros_like(labels), source.target: labels}
    for edge in table:
        deal = _deal(edge, classes, labels, values[edge.parent], codes[edge.parent], next(keys))
        values[edge.child], codes[edge.child] = deal

    order = np.argsort(next(keys), kind="stable")  # else the rows of a class would stand together
    frame: dict[str, npt.NDArray[Any] | pd.Categorical[Any]] = {}
    for name, kind in source.columns.items():
        if kind is int:
            frame[name] = _numbers(values[name], codes[name], next(keys))[order]
        elif kind is float:
            frame[name] = _decimals(values[name], codes[name], next(keys))[order]
        elif isinstance(kind, tuple):
            positions = np.array([-1 if value == MISSING else kind.index(value) for value in values[name]])
            frame[name] = categorical(positions[codes[name][order]], kind)
    return pd.DataFrame(frame)


def random_keys(seed: int, n: int) -> Iterator[npt.NDArray[np.uint64]]:
    """Yield n random keys of 64 bits a time, without end: raw integers of PCG64, stable under every NumPy."""
    bits = np.random.PCG64(seed)
    while True:
        yield bits.random_raw(n)


def _deal(
    edge: Edge,
    classes: list[str],
    labels: Indices,
    parents: list[str],
    parent_codes: Indices,
    key: npt.NDArray[np.uint64],
) -> tuple[list[str], Indices]:
    """Give every row a child value, so that with its class and its parent's value it has exactly the edge's counts."""
    children = list(dict.fromkeys(child for _, _, child in edge.counts))
    # A row a group: same class, same parent's value.
    counts = np.zeros((len(classes) * len(parents), len(children)), dtype=np.intp)
    of_class, of_parent, of_child = ({value: i for i, value in enumerate(seq)} for seq in (classes, parents, children))
    for (label, parent, child), count in edge.counts.items():
        counts[of_class[label] * len(parents) + of_parent[parent], of_child[child]] = count
    groups = labels * len(parents) + parent_codes
    if not np.array_equal(counts.sum(axis=1), np.bincount(groups, minlength=len(counts))):
        raise ValueError(f"the counts of {edge.parent!r} with {edge.child!r} do not add up to those of {edge.parent!r}")
    # The rows, group by group and shuffled within; the children, listed group by group.
    rows = np.lexsort((key, groups))
    codes = np.empty_like(labels)
    codes[rows] = np.repeat(np.tile(np.arange(len(children)), len(counts)), counts.ravel())
    return children, codes


def _numbers(texts: list[str], codes: Indices, key: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Turn the codes of whole numbers and intervals into numbers, evenly spread inside an interval."""
    ends = np.array([_ends(text) for text in texts], dtype=np.int64)
    rows = np.lexsort((key, codes))
    sizes = np.bincount(codes, minlength=len(texts))
    m = np.repeat(sizes, sizes)
    i = np.arange(len(codes)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    low, high = np.repeat(ends, sizes, axis=0).T
    numbers = np.empty(len(codes), dtype=np.int64)
    numbers[rows] = low + (2 * i + 1) * (high - low + 1) // (2 * m)
    return numbers


def _decimals(texts: list[str], codes: Indices, key: npt.NDArray[np.uint64]) -> Floats:
    """Turn the codes of decimal numbers and intervals into numbers; a missing one is NaN."""
    ends = [[Decimal(end) for end in text.split(BETWEEN)] for text in texts if text != MISSING]
    places = max((-int(end.as_tuple().exponent) for both in ends for end in both), default=0)
    unit = Decimal(10) ** places
    whole = [
        "0" if text == MISSING else BETWEEN.join(str(int(Decimal(end) * unit)) for end in text.split(BETWEEN))
        for text in texts
    ]
    numbers = _numbers(whole, codes, key) / 10.0**places
    numbers[np.array([text == MISSING for text in texts])[codes]] = np.nan
    return numbers


def _ends(text: str) -> tuple[int, int]:
    low, _, high = text.partition(BETWEEN)
    return int(low), int(high or low)
