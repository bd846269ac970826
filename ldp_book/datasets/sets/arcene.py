"""UCI Arcene, its files and its stand-in: mass spectra of 200 blood samples, 88 of them from patients with cancer.

A challenge set of 2003 (Guyon, Gunn, Ben-Hur and Dror): 7,000 columns are heights of a spectrum, 3,000 are probes that
the organizers made, without any bearing on the class. Which is which they did not tell. Its training and validation
parts, whose labels are public, are taken together.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from ldp_book.datasets import standin
from ldp_book.datasets.rows import categorical
from ldp_book.datasets.source import Columns
from ldp_core._arrays import Floats

__all__ = ["generate", "parse"]

FEATURES = 10_000
HIGHEST = 999
CLASSES = ("-1", "1")

#: What the stand-in is made of: the classes' sizes, and round figures with which its scales, its share of zeros, its
#: largest principal components, and how often 3-NN and a linear SVM are right come near those of the real file.
CLASS_SIZES = (112, 88)
PROBES = 3_000
SCALES = (5, 10, 20, 40, 80, 160, 320)
FACTOR_SHARES = (22, 10, 6, 4, 3, 3, 2, 2, 2, 1)
SHIFTS = (0.5, 1.5, 0.0, 1.5, 0.0, 1.5, 0.0, 0.0, 0.0, 0.0)
LOADING = 0.85


def parse(columns: Columns, train: bytes, train_labels: bytes, valid: bytes, valid_labels: bytes) -> pd.DataFrame:
    """Read ``arcene_train`` and ``arcene_valid``, and put the one below the other.

    The parts train and valid have 10,000 whole numbers from 0 to 999 a line, separated by blanks; train_labels and
    valid_labels -1 or 1 a line.
    """
    values = np.concatenate([_numbers(train), _numbers(valid)])
    labels = (train_labels + b"\n" + valid_labels).decode("ascii").split()
    if len(labels) != len(values):
        raise ValueError(f"there must be a label for each of the {len(values)} rows, got {len(labels)}")
    unknown = set(labels) - set(CLASSES)
    if unknown:
        raise ValueError(f"column 'class' holds {min(unknown)!r}; allowed are {', '.join(CLASSES)}")
    return _frame(columns, values, np.array([CLASSES.index(label) for label in labels]))


def _numbers(content: bytes) -> npt.NDArray[np.int64]:
    rows = [line.split() for line in content.decode("ascii").splitlines() if line.strip()]
    for number, row in enumerate(rows, start=1):
        if len(row) != FEATURES:
            raise ValueError(f"line {number} must have {FEATURES:,} fields, got {len(row):,}")
    try:
        values = np.array(rows, dtype=np.int64).reshape(-1, FEATURES)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"all fields must be whole numbers: {error}") from None
    outside = values[(values < 0) | (values > HIGHEST)]
    if outside.size:
        raise ValueError(f"all fields must lie in 0..{HIGHEST}, got {outside[0]}")
    return values


def generate(columns: Columns, seed: int) -> pd.DataFrame:
    """Make 200 rows with planted features: a spectrum that ten hidden factors move, and probes.

    Notes
    -----
    Each row has ten factors of variance 1; the classes differ in the mean of those with a shift. A column of the
    spectrum follows one factor, up or down, with correlation ``LOADING``; a probe follows none:

        value = scale · (centre + correlation · factor + √(1 - correlation²) · noise),

    rounded and clipped to 0..999. So useful columns come in large groups that say nearly the same, which is what
    makes Arcene hard for a selector that looks at one column at a time. Nothing but sums, products and square roots
    of whole numbers goes into it: every machine gets the same rows.
    """
    n, d = sum(CLASS_SIZES), FEATURES
    labels = np.repeat([0, 1], CLASS_SIZES)
    of_column, of_row, of_cell = map(standin.random_keys, _stream_seeds(seed), (d, n, n * d))

    shares = np.repeat(np.arange(len(FACTOR_SHARES)), FACTOR_SHARES)
    follows = shares[next(of_column) % np.uint64(len(shares))]
    sign = np.where(next(of_column) >> np.uint64(63), 1.0, -1.0)
    scale = np.array(SCALES)[next(of_column) % np.uint64(len(SCALES))]
    centre = 0.1 + 0.9 * _normal(next(of_column))
    correlation = np.full(d, LOADING)
    correlation[np.argsort(next(of_column), kind="stable")[:PROBES]] = 0.0

    factors = np.stack(
        [(_normal(next(of_row)) + shift * (labels - 0.5)) / np.sqrt(1 + shift**2 / 4) for shift in SHIFTS], axis=1
    )
    noise = _normal(next(of_cell)).reshape(n, d)
    values = scale * (centre + correlation * sign * factors[:, follows] + np.sqrt(1 - correlation**2) * noise)
    order = np.argsort(next(of_row), kind="stable")
    return _frame(columns, np.clip(np.rint(values), 0, HIGHEST).astype(np.int64)[order], labels[order])


def _stream_seeds(seed: int) -> list[int]:
    """Give the seeds of a seed's three streams, which it shares with no other: they are counted in threes.

    From the packaged rows' seed onwards and backwards, so that these are what they have always been.
    """
    return [(standin.SEED + 3 * (seed - standin.SEED) + i) % 2**128 for i in range(3)]


def _normal(keys: npt.NDArray[np.uint64]) -> Floats:
    """Give the sum of a key's four 16-bit parts, standardized: normal but for its ends, which lie at ±3.5."""
    parts = keys.view(np.uint16).reshape(len(keys), 4).sum(axis=1, dtype=np.int64)
    normal: Floats = (parts - 2 * 65_535) / np.sqrt((65_536**2 - 1) / 3)
    return normal


def _frame(columns: Columns, values: npt.NDArray[np.int64], labels: npt.NDArray[np.int64]) -> pd.DataFrame:
    frame = pd.DataFrame(values, columns=[name for name in columns if name != "class"])
    classes = pd.Series(categorical(labels, CLASSES), name="class")
    return pd.concat([frame, classes], axis=1)
