"""From a classroom to a billion users: what a server keeps, and how servers share the work.

Support counts add up. So the server keeps d numbers and forgets the reports; many servers count a shard each and add;
and a computation that was split into blocks gives the same result to the bit, in whatever order and on whatever machine
the blocks are done, because each block has a seed of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt

from ldp_core._validate import check_int
from ldp_core.frequency.base import Floats, FrequencyOracle


class Tally:
    """A running count of reports: all that a server needs to keep.

    Parameters
    ----------
    oracle : FrequencyOracle
        The mechanism that the users' devices run.

    Attributes
    ----------
    counts : ndarray, shape (d,)
        Support counts so far.
    n : int
        Reports so far.

    Examples
    --------
    >>> from ldp_core.frequency import OptimizedUnary
    >>> oracle = OptimizedUnary(epsilon=1.0, domain=3)
    >>> morning, evening = Tally(oracle), Tally(oracle)
    >>> morning.add(oracle.privatize([0, 1, 2], rng=1))
    >>> evening.add(oracle.privatize([2, 2], rng=2))
    >>> (morning + evening).n
    5
    """

    def __init__(self, oracle: FrequencyOracle) -> None:
        self.oracle = oracle
        self.counts: npt.NDArray[Any] = np.zeros(oracle.d, dtype=np.int64)
        self.n = 0

    def add(self, reports: npt.ArrayLike) -> None:
        """Count a batch of reports, which may then be thrown away.

        Parameters
        ----------
        reports : array_like
            What the oracle's ``perturb`` returned for some users, at least one.
        """
        new = np.asarray(reports)
        self.counts = self.counts + self.oracle.aggregate(new)
        self.n += len(new)

    def estimate(self) -> Floats:
        """Estimate, without bias, the counts of all users so far.

        Returns
        -------
        ndarray of float64, shape (d,)
            Estimates, possibly negative.

        Raises
        ------
        ValueError
            If there is no report yet.
        """
        return self.oracle.estimate(self.counts, self.n)

    def __add__(self, other: Tally) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        # repr and domain say everything that the meaning of a count depends on.
        if repr(self.oracle) != repr(other.oracle) or self.oracle.domain != other.oracle.domain:
            raise ValueError(f"both tallies must count reports of one mechanism, got {self.oracle} and {other.oracle}")
        total = Tally(self.oracle)
        total.counts, total.n = self.counts + other.counts, self.n + other.n
        return total

    def __repr__(self) -> str:
        return f"Tally of {self.n:,} reports from {type(self.oracle).__name__}"


def tally_blocks(
    oracle: FrequencyOracle,
    blocks: Iterable[npt.ArrayLike],
    seed: int,
    map: Callable[..., Iterable[Tally]] = map,
) -> Tally:
    """Privatize and count block by block, here or on many machines, with the same result to the bit.

    Parameters
    ----------
    oracle : FrequencyOracle
        The mechanism.
    blocks : iterable of array_like
        The users' values, cut into blocks; each is turned into reports and counts on its own, and only one is in memory
        at a time if the iterable is lazy and ``map`` is Python's.
    seed : int
        Seed of the whole; block i draws from ``SeedSequence(seed, spawn_key=(i,))``, wherever it is computed.
    map : callable, default Python's map
        Applies a function to every block: Python's own, an executor's, or :func:`dask_map`.

    Returns
    -------
    Tally
        The sum over all blocks.

    Raises
    ------
    ValueError
        If there is no block.

    Examples
    --------
    >>> from ldp_core.frequency import DirectEncoding
    >>> oracle = DirectEncoding(epsilon=1.0, domain=4)
    >>> tally_blocks(oracle, [[0, 1, 2], [3, 3]], seed=7).n
    5
    """
    seed = check_int(seed, "seed", 0)
    total = Tally(oracle)
    for part in map(partial(_tally_block, oracle, seed), count(), blocks):  # in the order of the blocks
        total = total + part
    if total.n == 0:
        raise ValueError("blocks must hold at least one block, got none")
    return total


def _tally_block(oracle: FrequencyOracle, seed: int, index: int, values: npt.ArrayLike) -> Tally:
    """Do one block: its result depends on nothing but these arguments."""
    tally = Tally(oracle)
    tally.add(oracle.privatize(values, np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(index,)))))
    return tally


def dask_map(client: Any) -> Callable[..., Iterable[Tally]]:
    """Make a ``map`` that runs on a Dask cluster; needs the optional extra, ``pip install ldp_core[dask]``.

    Parameters
    ----------
    client : distributed.Client
        A connection to the cluster.

    Returns
    -------
    callable
        For :func:`tally_blocks`. Blocks are sent to the workers, and d counts come back from each.
    """

    def run(function: Callable[..., Tally], *iterables: Iterable[Any]) -> Iterable[Tally]:
        futures = [client.submit(function, *arguments, pure=False) for arguments in zip(*iterables, strict=False)]
        tallies: list[Tally] = client.gather(futures)
        return tallies

    return run
