"""Who reports what, as counts: what a model of categories is fitted from when users are too many to be listed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Codes, Counts
from ldp_core._validate import as_array, check_counts, shown
from ldp_core.learn._schema import Schema


@dataclass(frozen=True)
class ContingencyTables:
    """Who reports what, as counts: all that the server's view depends on.

    Parameters
    ----------
    joint : sequence of ndarray of int, feature i: shape (n_i, n_classes)
        How many users *report* each pair (value, class) of feature i. With report="split" that is everybody; with
        report="sample" or "groups" only those whose one report is about feature i.
    label : ndarray of int, shape (n_classes,), optional
        How many users report each class by itself; None where nobody does, prior="features".
    schema : Schema, optional
        The names of values and classes; None for integer codes.
    """

    joint: Sequence[npt.NDArray[Any]]
    label: npt.NDArray[Any] | None = None
    schema: Schema | None = None


def read_tables(tables: ContingencyTables, with_label: bool) -> tuple[Schema, list[Counts]]:
    """Check tables: their schema, and one vector of counts an input, that of the class first if it is asked for."""
    schema = _schema_of(tables)
    flat = [
        check_counts(np.asarray(table).ravel(), f"joint[{i}]", n * schema.n_classes)
        for i, (table, n) in enumerate(zip(tables.joint, schema.sizes, strict=True))
    ]
    if not with_label:
        return schema, flat
    if tables.label is None:
        raise ValueError('tables must have label counts for prior="label", got None')
    return schema, [check_counts(tables.label, "label", schema.n_classes), *flat]


def _schema_of(tables: ContingencyTables) -> Schema:
    """Give the schema that tables have, or that of the codes whose counts they are."""
    if not isinstance(tables, ContingencyTables):
        raise TypeError(f"tables must be ContingencyTables, got {type(tables).__name__}")
    if not isinstance(tables.joint, Sequence):
        raise TypeError(f"joint must be a sequence of tables, got {shown(tables.joint)}")
    shapes = [as_array(t, f"joint[{i}]").shape for i, t in enumerate(tables.joint)]
    least = 2 if tables.schema is None else tables.schema.n_classes  # which is 1 if one class was found
    if not shapes or any(len(s) != 2 or s[0] < 1 or s[1] != shapes[0][1] or s[1] < least for s in shapes):
        raise ValueError(f"joint must be tables of shape (n_i, n_classes), the same k >= 2 in all, got shapes {shapes}")
    if tables.schema is None:
        return Schema.of_sizes([s[0] for s in shapes], shapes[0][1])
    declared = [(n, tables.schema.n_classes) for n in tables.schema.sizes]
    if declared != shapes:
        raise ValueError(f"joint must have the schema's shapes {declared}, got {shapes}")
    return tables.schema


def count_weighted(codes: Codes, d: int, weights: Counts) -> Counts:
    """Sum whole-number weights by code; NumPy's own would go through floats."""
    counts = np.zeros(d, dtype=np.int64)
    np.add.at(counts, codes, weights)
    return counts
