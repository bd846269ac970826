"""From a classroom to a billion users: what a server keeps, and how servers share the work.

Aggregates add up. So the server keeps one (d counts, a sketch, or sums of numbers) and forgets the reports; many
servers count a shard each and add; and a computation that was split into blocks gives the same result to the bit, in
whatever order and on whatever machine the blocks are done, because each block has a seed of its own.
"""

from __future__ import annotations

import os
import secrets
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from functools import partial
from itertools import count
from operator import call
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ldp_core._frozen import Comparable
from ldp_core._validate import as_array, check_int, law_key, seeded, shown

__all__ = ["Map", "Mechanism", "Tally", "bounded_map", "dask_map", "tally_blocks"]

#: Applies a function to the elements of an iterable and gives the results in their order, as Python's map does.
Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]


class Mechanism(Protocol):
    """What a tally needs of a mechanism: aggregates that add up with ``+``, and an estimate from their sum.

    An aggregate that has an attribute ``n``, the number of its reports, is estimated from as it is; any other, like an
    array of counts, together with that number.
    """

    def aggregate(self, reports: Any) -> Any:
        """Add up reports."""

    @property
    def estimate(self) -> Callable[..., Any]:
        """Estimate from the sum of aggregates, ``estimate(sum)``; or ``estimate(sum, n)``, n the number of reports."""


class Tally:
    """A running sum of reports: all that a server needs to keep.

    ``counts`` are the sum of the aggregates so far (0 before the first report), ``n`` the number of reports.

    Parameters
    ----------
    mechanism : object with the methods ``aggregate`` and ``estimate``
        The mechanism that the users' devices run: any frequency oracle, any numeric mechanism, or another whose
        aggregates add up with ``+``. Nothing else is asked of it here; :func:`tally_blocks` calls its ``privatize`` as
        well.

    Notes
    -----
    Tallies add up with ``+`` if they are of one law, that is if their mechanisms are equal with ``==``: same kind,
    parameters, domain, and ε to the last bit. Two tallies are equal if their laws, counts and numbers of reports are.

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

    def __init__(self, mechanism: Mechanism) -> None:
        _check_methods(mechanism, "aggregate", "estimate")
        self.mechanism = mechanism
        self.counts: Any = 0
        self.n = 0

    def add(self, reports: npt.ArrayLike) -> None:
        """Count a batch of reports, which may then be thrown away; where they are refused, the tally is as it was."""
        self._merge(self.mechanism.aggregate(reports), len(reports))  # type: ignore[arg-type]

    def _merge(self, counts: Any, n: int) -> None:
        if n:
            self.counts = self.counts + counts if self.n else counts
            self.n += n

    def estimate(self) -> Any:
        """Estimate, without bias, for all users so far: counts from oracles and sketches, the mean of numbers."""
        if not self.n:
            raise ValueError("a tally must hold at least one report to estimate anything, got none")
        if hasattr(self.counts, "n"):  # sums that know how many they are of
            return self.mechanism.estimate(self.counts)
        return self.mechanism.estimate(self.counts, self.n)

    def __add__(self, other: Tally) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        if not self.mechanism == other.mechanism:
            raise ValueError(
                f"both tallies must count reports of one law, got {shown(self.mechanism)} and {shown(other.mechanism)}"
            )
        total = Tally(self.mechanism)
        for part in (self, other):
            total._merge(part.counts, part.n)
        return total

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return self.n == other.n and self.mechanism == other.mechanism and bool(np.all(self.counts == other.counts))

    #: A tally grows, so it cannot be a key.
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Tally of {self.n:,} reports from {type(self.mechanism).__name__}"


def tally_blocks(mechanism: Any, blocks: Iterable[Any], *, seed: int | None = None, map: Map = map) -> Tally:
    """Privatize and count block by block, here or on many machines, with the same result to the bit.

    Parameters
    ----------
    mechanism : object with the methods ``privatize``, ``aggregate`` and ``estimate``
        A frequency oracle, a numeric mechanism, or another.
    blocks : iterable of array_like
        The users' values, cut into blocks; each is turned into reports and counted on its own. A block may be empty,
        as long as one is not, and it may be a partition that Dask has yet to compute.
    seed : int, optional
        Seed of the whole; block i draws from a stream of its own, the i-th of that seed, wherever it is computed. None
        for fresh entropy: the counts then differ from run to run, as they must where people are to be protected. Noise
        is NumPy's in either case; with :func:`ldp_core.secure_rng`, privatize blocks yourself and add up tallies.
    map : callable, default Python's map
        Called once, with a function and one iterable of numbered blocks; gives the results in order. See Notes.

    Notes
    -----
    How many blocks are in memory at a time is up to ``map``, where ``blocks`` is lazy (a generator that reads a file
    piece by piece, say):

    * one at a time: Python's own ``map``;
    * a window, moved on as results come back: :func:`bounded_map` for threads and processes, :func:`dask_map`;
    * some, read ahead as fast as the workers take them: ``multiprocessing.Pool().imap``;
    * all of them, before the first result: ``map`` of an executor or of a ``multiprocessing.Pool``.

    Processes get the mechanism with every block, in pickled form: small for most mechanisms, but as large as the
    domain where that is a list of words. Dask gets it once.

    Examples
    --------
    >>> from ldp_core.frequency import DirectEncoding
    >>> oracle = DirectEncoding(epsilon=1.0, domain=4)
    >>> tally_blocks(oracle, [[0, 1, 2], [3, 3]], seed=7).n
    5
    """
    _check_methods(mechanism, "privatize", "aggregate", "estimate")
    seed = secrets.randbits(128) if seed is None else check_int(seed, "seed", 0)
    if not callable(map):
        raise TypeError(f"map must be a function like Python's own map, got {shown(map)}")
    if not isinstance(blocks, Iterable) or getattr(blocks, "ndim", 1) == 0 or hasattr(blocks, "__dask_graph__"):
        raise TypeError(f"blocks must be an iterable of arrays of values, or of Dask's partitions, got {shown(blocks)}")
    total = Tally(mechanism)
    for counts, n in map(partial(_tally_block, mechanism, seed), _numbered(blocks)):  # in the order of the blocks
        total._merge(counts, n)
    if not total.n:
        raise ValueError("blocks must hold at least one user, got none")
    return total


def _numbered(blocks: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    """Number the blocks; unlike enumerate, without holding on to one while the next is read."""
    numbers = count()
    for block in blocks:
        yield next(numbers), block
        del block


def _tally_block(mechanism: Any, seed: int, numbered: tuple[int, Any]) -> tuple[Any, int]:
    """Do one block: its result depends on nothing but these arguments. The mechanism itself is not sent back."""
    index, values = numbered
    key = law_key(mechanism._coins()) if isinstance(mechanism, Comparable) else ()
    if hasattr(values, "__dask_graph__"):  # a partition of a Dask collection; dask_map has it computed before
        values = values.compute()
    if as_array(values, f"block {index}").shape[:1] == (0,):
        return 0, 0
    tally = Tally(mechanism)
    try:
        tally.add(mechanism.privatize(values, seeded(seed, "block", index, *key)))
    except (TypeError, ValueError) as error:
        error.add_note(f"This happened in block {index}.")
        raise
    return tally.counts, tally.n


def bounded_map(executor: Executor, *, window: int | None = None) -> Map:
    """Make a ``map`` for :func:`tally_blocks` that keeps an executor busy with a bounded number of blocks at a time.

    ``executor.map`` itself takes all blocks of a lazy iterable into memory before it gives the first result. Here at
    most ``window`` blocks (two for each CPU) are in memory, waiting, worked on or done, and the next one is asked for
    when a result has been taken.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as pool:
    ...     list(bounded_map(pool, window=4)(abs, range(-3, 0)))
    [3, 2, 1]
    """
    if not isinstance(executor, Executor):
        raise TypeError(f"executor must be a concurrent.futures.Executor, got {shown(executor)}")
    window = 2 * (os.cpu_count() or 1) if window is None else check_int(window, "window", 1)

    def run(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        return _in_window(lambda item: executor.submit(function, item), items, window)

    return run


def dask_map(client: Any, *, window: int | None = None) -> Map:
    """Make a ``map`` for :func:`tally_blocks` that runs on a Dask cluster, by the extra ``dask`` (Dask's distributed).

    The client is a ``distributed.Client``, and ``window`` the number of blocks that the cluster has at a time (two for
    each thread of its workers).

    Notes
    -----
    The mechanism is sent once, to all workers; of each block, counts come back. Blocks that are data go through the
    scheduler, which can then give them to another worker if one is lost; Dask advises against more than 10 MB at a
    time. Large data are better left to the workers: hand over partitions that Dask has yet to compute,
    ``array.to_delayed().ravel()`` of a ``dask.array`` in one dimension, ``series.to_delayed()`` of a column of a
    ``dask.dataframe``, or ``dask.delayed(read)(path) for path in paths``. Each is computed where it is counted.
    """
    _check_methods(client, "submit", "scatter", "compute", "nthreads", name="client")
    size = None if window is None else check_int(window, "window", 1)

    def run(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        # In a list, or scatter would take a function's or a sequence's parts for the data.
        [sent] = client.scatter([function], broadcast=True, hash=False)

        def submit(numbered: tuple[int, Any]) -> Any:
            index, block = numbered
            if hasattr(block, "__dask_graph__"):
                block = client.compute(block)
            return client.submit(call, sent, (index, block), pure=False)

        return _in_window(submit, items, size or max(2, 2 * sum(client.nthreads().values())))

    return run


def _in_window(submit: Callable[[Any], Any], items: Iterable[Any], window: int) -> Iterator[Any]:
    """Give the results of submitted items in order, never having more than so many futures."""
    waiting: deque[Any] = deque()
    try:
        for item in items:
            waiting.append(submit(item))
            del item  # a block that is done must not stay in memory while the next one is read
            if len(waiting) == window:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:  # an error, or a caller who stops early: what has not begun need not
        for future in waiting:
            future.cancel()


def _check_methods(value: object, *methods: str, name: str = "mechanism") -> None:
    if isinstance(value, type) or not all(callable(getattr(value, method, None)) for method in methods):
        raise TypeError(f"{name} must be an object with the methods {', '.join(methods)}, got {shown(value)}")
