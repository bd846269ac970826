"""Two attacks that need no computer science: joining two tables, and subtracting two answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from ldp_book.anonymity._classes import check_columns, check_frame, classes
from ldp_core._validate import as_array, check_callable, check_real

__all__ = ["Linkage", "Uniqueness", "difference", "link", "uniqueness"]


@dataclass(frozen=True)
class Uniqueness:
    """How far some columns single people out; see :func:`uniqueness`."""

    rows: int  #: Number of people.
    classes: int  #: Number of different combinations of values.
    unique: int  #: Number of people whose combination nobody shares.
    smallest: int  #: Size of the smallest class: the k for which the table is k-anonymous on these columns.
    sizes: npt.NDArray[np.int64]  #: Size of each class, shape (classes,), ascending.

    @property
    def share(self) -> float:
        """Fraction of people whom the combination singles out, in [0, 1]."""
        return self.unique / self.rows

    @property
    def expected_candidates(self) -> float:
        """Size of the class in which a person drawn at random is found, on average; at least 1."""
        return float(np.sum(self.sizes**2) / self.rows)


def uniqueness(frame: pd.DataFrame, on: Iterable[str] | None = None) -> Uniqueness:
    """Count how many people some columns single out.

    The columns (``on``) are all by default; a missing value counts as a value.

    References
    ----------
    L. Sweeney. Simple demographics often identify people uniquely. Data Privacy Working Paper 3, Carnegie Mellon
    University, 2000.

    Examples
    --------
    >>> people = pd.DataFrame({"sex": ["f", "f", "m", "m"], "age": [30, 30, 30, 41]})
    >>> uniqueness(people, ["sex"]).unique, uniqueness(people, ["sex", "age"]).unique
    (0, 2)
    """
    codes, number = classes(check_frame(frame), check_columns(frame, on, "on"))
    sizes = np.sort(np.bincount(codes, minlength=number))
    return Uniqueness(len(frame), number, int(np.sum(sizes == 1)), int(sizes[0]), sizes)


@dataclass(frozen=True)
class Linkage:
    """What a linkage attack found; see :func:`link`."""

    matches: pd.DataFrame
    """The join: one row for each pair of a known person and a released row that agree; ``known_row`` says who."""
    candidates: npt.NDArray[np.int64]  #: For each known person, in order, how many released rows agree; shape (known,).

    @property
    def identified(self) -> int:
        """Number of known people with exactly one candidate."""
        return int(np.sum(self.candidates == 1))

    @property
    def rate(self) -> float:
        """Fraction of known people with exactly one candidate, in [0, 1]."""
        return self.identified / len(self.candidates)


def link(known: pd.DataFrame, released: pd.DataFrame, *, on: Iterable[str]) -> Linkage:
    """Linkage attack: join what the attacker knows to a table without names.

    ``known`` are people with names and some of their attributes, ``released`` the published rows, and ``on`` the
    columns that both have, with values written in the same way.

    Notes
    -----
    One candidate is a re-identification only if the person is known to be in the released table. Several candidates are
    not safety: if all of them agree on something sensitive, that is known now.

    Examples
    --------
    >>> register = pd.DataFrame({"name": ["Nola Bundux"], "birth": ["1954-03-01"], "zip": ["64152"]})
    >>> released = pd.DataFrame({
    ...     "birth": ["1954-03-01", "1961-07-12"], "zip": ["64152", "64152"], "income": ["<=50K", ">50K"]
    ... })
    >>> found = link(register, released, on=["birth", "zip"])
    >>> found.identified, found.matches["income"].tolist()
    (1, ['<=50K'])
    """
    check_frame(known, "known")
    check_frame(released, "released")
    columns = check_columns(known, on, "on")
    check_columns(released, columns, "on")
    for name, table in (("known", known), ("released", released)):
        if "known_row" in table.columns:
            raise ValueError(f"{name} must not have a column 'known_row': the join adds one")
    numbered = known.assign(known_row=np.arange(len(known)))
    try:
        matches = numbered.merge(released, on=columns, how="inner", suffixes=("_known", "_released"))
    except (TypeError, ValueError) as error:  # texts here, numbers there
        raise ValueError(f"known and released must have values of one kind in {columns}: {error}") from None
    return Linkage(matches, np.bincount(matches["known_row"].to_numpy(dtype=np.int64), minlength=len(known)))


def difference(frame: pd.DataFrame, query: Callable[[pd.DataFrame], float], *, person: npt.ArrayLike) -> float:
    """Differencing attack: ask about everybody, ask about everybody but one, subtract.

    ``query`` is an aggregate that the curator answers, from a frame to a number; the attacker sees its two answers
    only. ``person`` is True for exactly one row, for example ``frame["name"] == "Nola Bundux"``. For a sum the
    difference is that person's own value, however many people there are.

    Notes
    -----
    For an average, use ``n·mean`` as the query: whoever publishes means publishes the sizes of the groups, too. With a
    query of sensitivity Δ answered by the Laplace mechanism at ε each, the difference has noise of standard deviation
    2Δ/ε, and the two answers cost 2ε.

    References
    ----------
    D. E. Denning, P. J. Denning and M. D. Schwartz. The tracker: a threat to statistical database security. ACM
    Transactions on Database Systems 4(1), 1979.

    Examples
    --------
    >>> people = pd.DataFrame({"name": ["Nola", "Riman", "Zemo"], "age": [56, 35, 41]})
    >>> difference(people, lambda rows: rows["age"].sum(), person=people["name"] == "Nola")
    56.0
    """
    check_callable(query, "query")
    check_frame(frame, rows=2)
    chosen = as_array(person, "person")
    if chosen.dtype != bool:
        raise TypeError(f"person must hold booleans, got dtype {chosen.dtype}")
    if chosen.shape != (len(frame),):
        raise ValueError(f"person must have shape ({len(frame)},), got {chosen.shape}")
    if chosen.sum() != 1:
        raise ValueError(f"person must select exactly one row, got {int(chosen.sum())}")
    answers = [query(frame), query(frame[~chosen])]
    first, second = (check_real(answer, "the answer of query") for answer in answers)
    return first - second
