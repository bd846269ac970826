"""How long does it take to say how anonymous a table is? This package against the textbook's loops.

Four questions about the same table, by default the 32,561 rows of the packaged stand-in for Adult:

* level: the k that the table has on the quasi-identifiers
* generalize: replace the last digit of two columns of numbers by 0
* link: how many of the people a register names have exactly one candidate among the rows
* search: the best combination of levels of a small lattice that reaches k = 10

each in up to three ways:

* ours: one call of this package
* plain: the same in whole columns, as one would write it at first in pandas; for search, every combination is tried
* loop: one row (or cell) at a time as in a textbook listing, faults mended; timed on fewer rows of the question, always
  against the whole table, and scaled up linearly

Times are the least of several repetitions, since others may use the machine. Every way must give the same answer as the
first before its time counts.

    python -m benchmarks.anonymity [--repeat 7] [--loop-rows 200] [--json out.json] [--save]
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pandas as pd

from benchmarks import _harness
from ldp_book import datasets
from ldp_book.anonymity import (
    Hierarchy,
    anonymity_level,
    by_tree,
    by_width,
    class_sizes,
    generalize,
    information_loss,
    link,
    search,
    with_identities,
)

QUASI = ["age", "education-num"]
K = 10


# ---- level -----------------------------------------------------------------------------------------------------------


def plain_level(frame: pd.DataFrame) -> int:
    """Count combinations with pandas."""
    return int(frame[QUASI].value_counts(sort=False).min())


def loop_sizes(frame: pd.DataFrame, rows: int) -> list[int]:
    """One query on the whole table for each of the first rows; a textbook's check asks until one is below k."""
    numbers = frame[QUASI]
    sizes = []
    for _, row in numbers.head(rows).iterrows():
        query = " & ".join(f"`{column}` == {row[column]}" for column in numbers.columns)
        sizes.append(len(numbers.query(query)))
    return sizes


# ---- generalize ------------------------------------------------------------------------------------------------------


def ours_generalize(frame: pd.DataFrame) -> pd.DataFrame:
    """One call."""
    return generalize(frame[QUASI], dict.fromkeys(QUASI, 1))


def plain_generalize(frame: pd.DataFrame) -> pd.DataFrame:
    """Whole columns."""
    return frame[QUASI] // 10 * 10


def loop_generalize(frame: pd.DataFrame, rows: int) -> pd.DataFrame:
    """One cell at a time."""
    return frame[QUASI].head(rows).apply(lambda column: column.apply(lambda value: int(value / 10) * 10))


# ---- link ------------------------------------------------------------------------------------------------------------

ON = ["birth_date", "zip_code"]


def ours_link(people: pd.DataFrame) -> int:
    """One call."""
    return link(people[["name", *ON]], people[[*ON, "income"]], on=ON).identified


def plain_link(people: pd.DataFrame) -> int:
    """Size of each row's group; register and release hold the same people."""
    return int((people.groupby(ON)["income"].transform("size") == 1).sum())


def loop_link(people: pd.DataFrame, rows: int) -> int:
    """Filter the whole release once for each known person."""
    found = 0
    for _, person in people.head(rows).iterrows():
        same = (people["birth_date"] == person["birth_date"]) & (people["zip_code"] == person["zip_code"])
        found += int(same.sum() == 1)
    return found


# ---- search ----------------------------------------------------------------------------------------------------------


def hierarchies(frame: pd.DataFrame) -> dict[str, Hierarchy]:
    """Four quasi-identifiers with 6 · 5 · 2 · 3 = 180 combinations of levels."""
    races = {race: "White" if race == "White" else "other" for race in frame["race"].cat.categories}
    sexes = Hierarchy(())  # as it is, or nothing
    return {"age": by_width(5, 10, 20, 40), "education-num": by_width(2, 4, 8), "sex": sexes, "race": by_tree(races)}


def ours_search(frame: pd.DataFrame) -> float:
    """One call."""
    return search(frame, hierarchies(frame), k=K).loss


def plain_search(frame: pd.DataFrame) -> float:
    """Try every combination of levels."""
    columns = hierarchies(frame)
    best = math.inf
    for node in itertools.product(*(range(hierarchy.depth + 1) for hierarchy in columns.values())):
        coarse = generalize(frame[list(columns)], dict(zip(columns, node, strict=True)), hierarchies=columns)
        if coarse.value_counts(sort=False, dropna=False).pipe(lambda counts: counts[counts > 0]).min() >= K:
            best = min(best, information_loss(frame[list(columns)], coarse))
    return best


# ---- measuring -------------------------------------------------------------------------------------------------------


def require(same: bool, question: str) -> None:
    """Stop if two ways disagree."""
    if not same:
        raise AssertionError(f"{question}: two ways give different answers")


def measure(repeat: int = 7, loop_rows: int = 200) -> dict[str, Any]:
    """All rows of the table."""
    frame = datasets.load("adult", source="standin").frame
    people = with_identities(frame, rng=1994)
    n = len(frame)
    rows = []

    ours, level = _harness.least(lambda: anonymity_level(frame, QUASI), repeat)
    plain, other = _harness.least(lambda: plain_level(frame), repeat)
    loop, sizes = _harness.least(lambda: loop_sizes(frame, loop_rows), 1)
    require(level == other and sizes == class_sizes(frame, QUASI)[:loop_rows].tolist(), "level")
    rows.append({"question": "level", "ours": ours, "plain": plain, "loop": loop * n / loop_rows})

    ours, coarse = _harness.least(lambda: ours_generalize(frame), repeat)
    plain, other = _harness.least(lambda: plain_generalize(frame), repeat)
    loop, cells = _harness.least(lambda: loop_generalize(frame, n), max(1, repeat // 2))
    require(coarse.equals(other) and np.array_equal(coarse, cells), "generalize")
    rows.append({"question": "generalize", "ours": ours, "plain": plain, "loop": loop})

    ours, identified = _harness.least(lambda: ours_link(people), repeat)
    plain, other = _harness.least(lambda: plain_link(people), repeat)
    loop, few = _harness.least(lambda: loop_link(people, loop_rows), 1)
    require(identified == other and few == (class_sizes(people, ON)[:loop_rows] == 1).sum(), "link")
    rows.append({"question": "link", "ours": ours, "plain": plain, "loop": loop * n / loop_rows})

    ours, loss = _harness.least(lambda: ours_search(frame), repeat)
    plain, other = _harness.least(lambda: plain_search(frame), 1)
    require(math.isclose(loss, other), "search")
    rows.append({"question": "search", "ours": ours, "plain": plain})

    return {"n": n, "loop_rows": loop_rows, **_harness.machine("numpy", "pandas"), "rows": rows}


def show(result: dict[str, Any]) -> None:
    """Print times and ratios."""
    print(
        f"{result['n']:,} rows; × = times ours; loops of level and link: {result['loop_rows']:,} rows timed, scaled up "
        f"linearly\nPython {result['python']}, NumPy {result['numpy']}, pandas {result['pandas']}, {result['cpus']} "
        "CPUs, one used"
    )
    print(f"{'':12}{'ours':>10}{'plain':>22}{'loop':>22}")
    for row in result["rows"]:
        cells = _harness.ratios(row, ["plain", "loop"], width=22, digits=1, unit=" ms", scale=1e3)
        print(f"{row['question']:12}{row['ours'] * 1e3:>7.1f} ms{cells}")


if __name__ == "__main__":
    _harness.main(__doc__, "anonymity", measure, show)
