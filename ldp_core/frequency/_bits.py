"""Oracles whose report is a row of d bits: bit w says whether the report supports value w."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ldp_core._arrays import Counts
from ldp_core._validate import as_array, check_numbers, first_where
from ldp_core.frequency._sampler import Bits, column_sums, row_blocks
from ldp_core.frequency.pure import PureOracle


class BitOracle(PureOracle):
    """What unary encodings and subset selection share: reports are bit rows, support counts are column sums."""

    def aggregate(self, reports: npt.ArrayLike) -> Counts:
        return column_sums(self._check_bits(reports))

    def _check_bits(self, reports: npt.ArrayLike) -> Bits:
        bits = as_array(reports, "reports")
        if bits.dtype.kind == "O":
            bits = check_numbers(bits, "reports")
        if bits.ndim != 2 or bits.shape[1] != self.d or len(bits) == 0:
            raise ValueError(f"reports must have shape (n, {self.d}) with n >= 1, got shape {bits.shape}")
        if bits.dtype.kind not in "biuf":
            raise TypeError(f"reports must be 0 and 1, got dtype {bits.dtype}")
        if bits.dtype != np.uint8:
            wrong = (bits != 0) & (bits != 1)
            if wrong.any():
                raise ValueError(f"reports must be 0 and 1, got {first_where(bits, wrong)}")
            return bits.astype(np.uint8)
        for rows in row_blocks(len(bits), self.d):
            if bits[rows].max() > 1:
                raise ValueError(f"reports must be 0 and 1, got {bits[rows].max().item()!r}")
        return bits


def attack_on_bits(p: float, q: float, d: int) -> float:
    """Give the chance of the best guess from d independent bits, when every value is alike.

    Any value whose bit is set is a best guess, p/q times as likely as without the bit; if none is set, any value.
    """
    none = d * math.log1p(-q)
    return (p / q * -math.expm1(none) + (1 - p) / (1 - q) * math.exp(none)) / d
