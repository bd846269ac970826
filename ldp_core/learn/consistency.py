"""Tables of estimated counts made to agree with each other, as those of real records do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ldp_core._arrays import Floats
from ldp_core._validate import check_int, check_numbers, shown

__all__ = ["make_consistent"]


def make_consistent(tables: Sequence[Floats], *, n: int) -> list[Floats]:
    """Give the nearest tables that records could have: n users in each, and the same class counts in all.

    The tables hold unbiased estimates of the counts of pairs (value, class), of shape (n_i, n_classes) for feature i;
    what they become has the least sum of squared changes. It is still unbiased, since the true tables meet the
    conditions and the change is linear; entries may still be negative.

    Notes
    -----
    With the column sums :math:`S_{iv}` given the class counts :math:`N_v`, each entry of column v moves by
    :math:`(N_v - S_{iv})/n_i`, at a cost of :math:`(N_v - S_{iv})^2/n_i` in all. So N is the mean of the column sums
    with weights :math:`1/n_i`, shifted to the total n.

    Examples
    --------
    >>> for table in make_consistent([np.array([[3.0, 1.0], [4.0, 2.0]]), np.array([[6.0, 4.0]])], n=12):
    ...     print(table.round(3).tolist())
    [[3.167, 1.833], [4.167, 2.833]]
    [[7.333, 4.667]]
    """
    if not isinstance(tables, Sequence) or not tables:
        raise TypeError(f"tables must be a sequence with one table per feature, got {shown(tables)}")
    tables = [check_numbers(t, f"tables[{i}]") for i, t in enumerate(tables)]
    if any(t.ndim != 2 or t.size == 0 or t.shape[1] != tables[0].shape[1] for t in tables):
        raise ValueError(
            f"tables must be of shape (n_i, n_classes), the same k in all, got shapes {[t.shape for t in tables]}"
        )
    n = check_int(n, "n", 0)
    sums = np.array([t.sum(axis=0) for t in tables])
    sizes = np.array([len(t) for t in tables])
    classes = (sums / sizes[:, None]).sum(axis=0) / (1 / sizes).sum()
    classes += (n - classes.sum()) / len(classes)
    return [t + (classes - s) / size for t, s, size in zip(tables, sums, sizes, strict=True)]
