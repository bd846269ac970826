"""Invented people: names, birth dates, ZIP codes and identity numbers for rows that belong to nobody.

Published tutorials attack tables with names and social security numbers in them, some in ranges that real people have.
Attacks are better shown on people who do not exist. Everything is drawn from ``rng``; of the row itself only the age is
used, so that the birth date is consistent with it, and nothing invented says more about a row than its age does.
"""

from __future__ import annotations

from datetime import date

import numpy as np
import numpy.typing as npt
import pandas as pd

from ldp_book.anonymity._classes import check_column, check_frame
from ldp_core._validate import Rng, check_rng

__all__ = ["with_identities"]

_ONSETS = ("B", "D", "F", "G", "K", "L", "M", "N", "P", "R", "S", "T", "V", "Z")
_GIVEN_MIDDLES = ("al", "ari", "eli", "em", "iro", "ola", "omi", "une")
_GIVEN_ENDS = ("a", "an", "e", "el", "is", "o", "ys")
_FAMILY_MIDDLES = ("ad", "ask", "eld", "ent", "irt", "olm", "orv", "und")
_FAMILY_ENDS = ("aby", "ecker", "inoff", "olan", "oway", "umber", "ux", "yssen")
_NUMBERS = 1_000_000
#: On it people have their age.
_DAY = date(1994, 3, 31)

Dates = npt.NDArray[np.datetime64]


def with_identities(frame: pd.DataFrame, *, rng: Rng = None, age: str = "age") -> pd.DataFrame:
    """Put four invented columns in front of a frame: name, birth_date, zip_code and identity_number.

    Names are put together from invented syllables, about 700,000 of them, so that some people share one; birth dates
    (datetime64[s]) are uniform among the days that give the age on 31 March 1994, which is about when the survey behind
    the Adult data set was taken; of 600 ZIP codes with five digits the r-th most populous holds a share of people
    proportional to 1/(r + 10): some large towns, many villages. They share beginnings, as real ones do: 30 of three
    digits, 10 of two and 4 of one. Identity numbers (``000-dd-dddd``) are different for every row.

    A frame of at most 1,000,000 rows has a column of ages, whole years from 0 to 130, called ``age``. The same seed
    (rng) and ages give the same people.

    Notes
    -----
    A United States social security number never begins with 000, 666 or 9, and a taxpayer number (ITIN) begins with 9:
    000 is the prefix that belongs to nobody. A ZIP code may exist; nobody in the table lives there. In the United
    States some 42,000 codes share about 900 beginnings of three digits, each of which stands for a region.

    References
    ----------
    Social Security Administration. Social Security Number Randomization: area numbers 000, 666 and 900–999 are not
    assigned.

    Examples
    --------
    >>> people = pd.DataFrame({"age": [39, 50], "income": ["<=50K", ">50K"]})
    >>> list(with_identities(people, rng=0).columns)
    ['name', 'birth_date', 'zip_code', 'identity_number', 'age', 'income']
    """
    check_frame(frame)
    ages = _check_ages(frame, age)
    n = len(frame)
    if n > _NUMBERS:
        raise ValueError(f"frame must have at most {_NUMBERS:,} rows, one for each identity number, got {n:,}")
    for column in ("name", "birth_date", "zip_code", "identity_number"):
        if column in frame.columns:
            raise ValueError(f"frame must not have a column {column!r} yet")
    generator = check_rng(rng, "data")
    invented = {
        "name": _names(n, generator),
        "birth_date": _birth_dates(ages, generator),
        "zip_code": _zip_codes(n, generator),
        "identity_number": _identity_numbers(n, generator),
    }
    return pd.concat([pd.DataFrame(invented, index=frame.index), frame], axis=1)


def _check_ages(frame: pd.DataFrame, age: str) -> npt.NDArray[np.int64]:
    ages = frame[check_column(frame, age, "age")].to_numpy()
    if ages.dtype.kind not in "iu":
        raise TypeError(f"ages must be integers, got dtype {ages.dtype}")
    if ages.min() < 0 or ages.max() > 130:
        raise ValueError(f"ages must lie between 0 and 130, got {ages.min()} to {ages.max()}")
    return ages.astype(np.int64)


def _names(n: int, generator: np.random.Generator) -> list[str]:
    def words(*parts: tuple[str, ...]) -> list[str]:
        drawn = [generator.integers(len(part), size=n).tolist() for part in parts]
        return ["".join(part[i] for part, i in zip(parts, row, strict=True)) for row in zip(*drawn, strict=True)]

    forenames = words(_ONSETS, _GIVEN_MIDDLES, _GIVEN_ENDS)
    surnames = words(_ONSETS, _FAMILY_MIDDLES, _FAMILY_ENDS)
    return [f"{first} {last}" for first, last in zip(forenames, surnames, strict=True)]


def _birth_dates(ages: npt.NDArray[np.int64], generator: np.random.Generator) -> Dates:
    def anniversary(years_ago: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Days from 1970 to the same day and month so many years ago."""
        months = (_DAY.year - years_ago - 1970) * 12 + _DAY.month - 1
        return months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64) + _DAY.day - 1

    latest, earliest = anniversary(ages), anniversary(ages + 1)  # earliest itself would be a year too old
    back = np.floor(generator.random(ages.size) * (latest - earliest)).astype(np.int64)
    return (latest - back).astype("datetime64[D]").astype("datetime64[s]")


def _zip_codes(n: int, generator: np.random.Generator) -> npt.NDArray[np.object_]:
    codes = 1 + generator.permutation(9)[:4]
    for wanted, children in ((10, 10), (30, 10), (600, 100)):
        codes = _extended(codes, wanted, children, generator)
    weights = 1.0 / (np.arange(len(codes)) + 11.0)
    towns = generator.choice(len(codes), size=n, p=weights / weights.sum())
    texts: npt.NDArray[np.object_] = codes.astype(str).astype(object)
    return texts[towns]


def _extended(
    beginnings: npt.NDArray[np.int64], wanted: int, children: int, generator: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Different numbers that continue the beginnings, each of which may have ``children``, in turn until enough."""
    turns = np.tile(np.arange(children), (len(beginnings), 1))
    endings = generator.permuted(turns, axis=1).T
    continued: npt.NDArray[np.int64] = (beginnings * children + endings).ravel()
    return continued[:wanted]


def _identity_numbers(n: int, generator: np.random.Generator) -> list[str]:
    drawn = generator.permutation(_NUMBERS)[:n].tolist()
    return [f"000-{number // 10_000:02d}-{number % 10_000:04d}" for number in drawn]
