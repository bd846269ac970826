"""Pima Indians Diabetes: 768 women's examinations, and whether diabetes was found. Withdrawn from UCI.

UCI had no permission to go on publishing them, so no rows and no joint counts of the file are packaged. The stand-in is
made by a small generator from rounded summary figures: class sizes, class means and deviations, counts of zeros, ranges
and a few correlations. They agree with the file to the digits given. It is the default, also of ``source="auto"``; who
has the file gets it by putting it into the data folder and asking for ``source="uci"``. There zeros stay, which stand
for missing values in glucose, blood-pressure, skin-thickness, insulin and bmi: published experiments, the book's models
among them, used them so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import pandas as pd

from ldp_book.datasets import standin
from ldp_book.datasets.rows import categorical
from ldp_book.datasets.source import Columns
from ldp_core._arrays import Floats

__all__ = ["PUBLISHED", "generate"]

CLASS_SIZES = (500, 268)


@dataclass(frozen=True)
class Published:
    """Rounded summary figures of a column."""

    means: tuple[float, float]  #: For class 0 and class 1, zeros that stand for missing values included.
    deviations: tuple[float, float]  #: In the same way.
    low: float  #: The lower end of the range, those zeros left out.
    high: float  #: The upper end.
    zeros: int = 0  #: How many values are missing and written as 0.
    start: float | None = None  #: The column is skewed: its distance from `start` is log-normal. None: it is normal.
    decimals: int = 0  #: In the file.
    depends: tuple[tuple[str, float], ...] = ()  #: Columns before it, and its correlation with each.


# In an order in which every column comes after those it depends on.
PUBLISHED = {
    "age": Published((31.2, 37.1), (11.7, 11.0), 21, 81, start=20.5),
    "bmi": Published((30.3, 35.1), (7.7, 7.3), 18.2, 67.1, zeros=11, decimals=1),
    "pedigree": Published((0.43, 0.55), (0.30, 0.37), 0.078, 2.42, start=0.05, decimals=3),
    "pregnancies": Published((3.3, 4.9), (3.0, 3.7), 0, 17, start=-0.5, depends=(("age", 0.54),)),
    "glucose": Published((110.0, 141.3), (26.1, 31.9), 44, 199, zeros=5, depends=(("age", 0.27),)),
    "blood-pressure": Published((68.2, 70.8), (18.1, 21.5), 24, 122, zeros=35, depends=(("age", 0.33), ("bmi", 0.29))),
    "skin-thickness": Published((19.7, 22.2), (14.9, 17.7), 7, 99, zeros=227, depends=(("bmi", 0.65),)),
    "insulin": Published((68.8, 100.3), (98.9, 138.7), 14, 846, zeros=374, start=0.0, depends=(("glucose", 0.58),)),
}


def generate(columns: Columns, seed: int) -> pd.DataFrame:
    """Make 768 rows that agree with the summary figures, up to chance.

    Notes
    -----
    Each row has a standard normal score for each column: a weighted sum of the scores it depends on, the published
    correlations the weights, and of one of its own. A column's values are mean + deviation · score, or, where it is
    skewed, start + exp(mu + sigma · score) with mu and sigma that give the mean and deviation; rounded, and clipped to
    the range. Mean and deviation are those of the values that are not missing,

        mean / (1 - z)  and  sqrt((deviation² + mean²) / (1 - z) - mean² / (1 - z)²),  z the share of zeros,

    and then the published number of values is set to 0. Who lacks blood pressure also lacks skin thickness and insulin,
    and who lacks skin thickness lacks insulin: one order of the rows decides for all three.
    """
    n = sum(CLASS_SIZES)
    labels = np.repeat([0, 1], CLASS_SIZES)
    keys = standin.random_keys(seed, n)
    together = np.argsort(next(keys), kind="stable")
    scores: dict[str, Floats] = {}
    frame: dict[str, Floats] = {}
    normal = NormalDist()
    for name, column in PUBLISHED.items():
        # The upper 53 bits as a number strictly between 0 and 1.
        own = np.array([normal.inv_cdf((key + 0.5) / 2**53) for key in (next(keys) >> np.uint64(11)).tolist()])
        weights = dict(column.depends)
        scores[name] = math.sqrt(1 - sum(weight**2 for weight in weights.values())) * own
        for other, weight in weights.items():
            scores[name] = scores[name] + weight * scores[other]
        values = np.array([_value(column, label, score) for label, score in zip(labels, scores[name], strict=True)])
        alone = np.argsort(next(keys), kind="stable")
        values[(together if column.zeros > 30 else alone)[: column.zeros]] = 0
        frame[name] = values
    order = np.argsort(next(keys), kind="stable")
    return pd.DataFrame(
        {name: frame[name][order].astype(kind) for name, kind in columns.items() if isinstance(kind, type)}
        | {"class": categorical(labels[order].astype(np.int64), ("0", "1"))}
    )


def _value(column: Published, label: int, score: float) -> float:
    """Turn a score into a value that is not missing."""
    share = 1 - column.zeros / sum(CLASS_SIZES)
    mean = column.means[label] / share
    variance = (column.deviations[label] ** 2 + column.means[label] ** 2) / share - mean**2
    if column.start is None:
        value = mean + math.sqrt(variance) * score
    else:
        above = mean - column.start
        sigma = math.sqrt(math.log(1 + variance / above**2))
        value = column.start + math.exp(math.log(above) - sigma**2 / 2 + sigma * score)
    return round(min(max(value, column.low), column.high), column.decimals)
