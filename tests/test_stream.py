"""Tallies merge, and blocks give the same result to the bit, wherever they are computed."""

import itertools
import multiprocessing
import operator
import os
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

from ldp_core.frequency import (
    CountMeanSketch,
    DirectEncoding,
    HaarHistogram,
    HadamardCountMeanSketch,
    HadamardResponse,
    HierarchicalHistogram,
    LocalHashing,
    OptimizedUnary,
    Rappor,
    SetSubsetSelection,
    SubsetSelection,
    SummationHistogram,
)
from ldp_core.numeric import Laplace
from ldp_core.stream import Tally, bounded_map, dask_map, tally_blocks

VALUES = np.random.default_rng(1).integers(6, size=10_000)
BLOCKS = np.array_split(VALUES, 7)
ORACLES = [
    DirectEncoding(1.0, 6), OptimizedUnary(1.0, 6), SummationHistogram(1.0, 6),
    CountMeanSketch(1.0, 6, rows=3, width=5), HadamardCountMeanSketch(1.0, 6, rows=3, width=4),
]  # fmt: skip


#: More of them, for what is quick.
MORE = [
    *ORACLES, Rappor(6), SubsetSelection(1.0, 6), LocalHashing(1.0, 6), SetSubsetSelection(1.0, 6, 2),
    HadamardResponse(1.0, 6), HierarchicalHistogram(1.0, 6), HaarHistogram(1.0, 6),
]  # fmt: skip


def users_of(oracle, values):
    """What users hold: a value each, or a set."""
    if isinstance(oracle, SetSubsetSelection):
        return np.stack([values, (values + 1) % 6], axis=1)
    return values


class Means:
    """A mechanism with nothing but what a tally needs: aggregates that add up, and an estimate."""

    def aggregate(self, reports):
        return float(np.sum(reports))

    def estimate(self, total, n):
        return total / n


def test_a_tally_needs_aggregates_that_add_up_and_nothing_else():
    means = Means()
    first, second = Tally(means), Tally(means)
    first.add([1.0, 2.0])
    second.add([6.0])
    assert (first + second).estimate() == 3.0
    assert first + Tally(means) == first == Tally(means) + first
    assert Tally(means) == Tally(means)


def test_a_tally_of_numbers():
    """Sums estimate on their own: nobody tells them of how many reports they are."""
    numbers = Laplace(1.0)
    first, second, empty = Tally(numbers), Tally(numbers), Tally(numbers)
    first.add([1.0, 2.0])
    second.add([6.0])
    both = first + second
    assert both.estimate() == numbers.estimate([1.0, 2.0, 6.0]) == 3.0
    assert both.counts == sum([numbers.aggregate([1.0, 2.0]), numbers.aggregate([6.0])])
    assert (both.n, both.counts.n) == (3, 3)
    assert first + empty == first == empty + first != second
    blocks = tally_blocks(numbers, np.array_split(np.ones(1000), 7), seed=1)
    with ThreadPoolExecutor(2) as pool:
        assert tally_blocks(numbers, np.array_split(np.ones(1000), 7), seed=1, map=pool.map) == blocks
    assert abs(blocks.estimate() - 1) < 6 * (numbers.variance(1.0) / 1000) ** 0.5  # false alarm 2e-9
    with pytest.raises(ValueError, match="a tally must hold at least one report"):
        empty.estimate()


def test_bad_input():
    oracle = ORACLES[0]
    with pytest.raises(TypeError):
        Tally(oracle) + 1
    for other in (DirectEncoding(1.0 + 1e-12, 6), OptimizedUnary(1.0, 6)):  # one that a repr would show as equal
        assert Tally(oracle) != Tally(other)
        with pytest.raises(ValueError, match="both tallies must count reports of one law"):
            Tally(oracle) + Tally(other)
    assert Tally(oracle) != 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(Tally(oracle))
    with pytest.raises(ValueError, match="a tally must hold at least one report"):
        Tally(oracle).estimate()
    tally = Tally(oracle)
    with pytest.raises(ValueError, match="reports must"):
        tally.add([6])
    assert tally == Tally(oracle)


@pytest.mark.parametrize("oracle", MORE, ids=repr)
def test_blocks_in_threads_equal_blocks_in_a_row_to_the_bit(oracle):
    blocks = [users_of(oracle, block) for block in BLOCKS]
    alone = tally_blocks(oracle, (block for block in blocks), seed=3)
    with ThreadPoolExecutor(3) as pool:
        for run in (pool.map, bounded_map(pool), bounded_map(pool, window=1)):
            assert tally_blocks(oracle, blocks, seed=3, map=run) == alone
    assert alone.n == len(VALUES)
    assert alone != tally_blocks(oracle, blocks, seed=4)


def test_processes_of_all_kinds_give_the_same_bits():
    """Pool.map asks for all of its iterable at once, so that must have an end."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(2) as pool, ProcessPoolExecutor(2, mp_context=context) as executor:
        for oracle in ORACLES[1:3]:
            alone = tally_blocks(oracle, BLOCKS, seed=3)
            for run in (pool.map, pool.imap, executor.map, bounded_map(executor)):
                assert tally_blocks(oracle, BLOCKS, seed=3, map=run) == alone


def test_an_empty_block_counts_nobody():
    oracle = ORACLES[0]
    some = tally_blocks(oracle, [BLOCKS[0], [], BLOCKS[1]], seed=3)
    assert some.n == len(BLOCKS[0]) + len(BLOCKS[1])
    for blocks in ([], [[]], [[], VALUES[:0]]):
        with pytest.raises(ValueError, match="blocks must hold at least one user"):
            tally_blocks(oracle, blocks, seed=3)


def test_a_window_moves_on_as_results_are_taken_and_stops_with_the_caller():
    numbers = itertools.count()  # endless
    with ThreadPoolExecutor(2) as pool:
        results = bounded_map(pool, window=4)(operator.neg, numbers)
        assert [next(results) for _ in range(5)] == [0, -1, -2, -3, -4]
        assert next(numbers) == 8  # four were taken at first, one more for each further result
        results.close()
    assert next(numbers) == 9


def test_an_error_says_in_which_block_and_leaves_nothing_running():
    with (
        ThreadPoolExecutor(1) as pool,
        pytest.raises(ValueError, match="values must be integers between 0 and 5") as caught,
    ):
        tally_blocks(ORACLES[0], itertools.chain([[1]], itertools.repeat([6])), seed=1, map=bounded_map(pool))
    assert caught.value.__notes__ == ["This happened in block 1."]
    with pytest.raises(TypeError, match="block 0 must not be a masked array"):
        tally_blocks(ORACLES[0], [np.ma.array([1, 2], mask=[0, 1])], seed=1)
    with pytest.raises(ValueError, match="one-dimensional"):
        tally_blocks(ORACLES[0], VALUES, seed=1)  # not cut into blocks


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    try:
        import dask
        from distributed import Client, LocalCluster
    except ModuleNotFoundError:
        if os.environ.get("CI"):
            raise
        pytest.skip("needs the extra dask")
    patience = {"distributed.comm.timeouts.connect": "1h", "distributed.comm.timeouts.tcp": "1h"}
    with (
        dask.config.set({**patience, "distributed.scheduler.worker-ttl": None}),
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # None would be port 8787, which another cluster may hold
            scheduler_kwargs={"dashboard": False},
            local_directory=str(tmp_path_factory.mktemp("dask")),
        ) as cluster,
        Client(cluster) as connected,
    ):
        yield connected


def in_arrays(values, sizes):
    array = pytest.importorskip("dask.array")
    return array.from_array(values, chunks=(tuple(sizes),)).to_delayed().ravel()


def in_frames(values, sizes):
    pytest.importorskip("pyarrow", reason="dask.dataframe needs it")
    frame = pytest.importorskip("dask.dataframe")
    parts = [pd.DataFrame({"answer": part}) for part in in_data(values, sizes)]
    return frame.concat([frame.from_pandas(part, npartitions=1) for part in parts])["answer"].to_delayed()


def in_data(values, sizes):
    return np.split(values, np.cumsum(sizes)[:-1])


@pytest.mark.xdist_group("dask")  # one cluster for all
@pytest.mark.filterwarnings("default")  # the engine's own warnings are not ours
class TestCluster:
    @pytest.mark.parametrize("cut", [in_data, in_arrays, in_frames])
    def test_the_same_bits_from_data_and_from_partitions(self, client, cut):
        sizes = [len(block) for block in BLOCKS]
        for oracle in ORACLES[1:4]:
            alone = tally_blocks(oracle, BLOCKS, seed=3)
            assert tally_blocks(oracle, cut(VALUES, sizes), seed=3, map=dask_map(client, window=3)) == alone
        assert tally_blocks(oracle, cut(VALUES, sizes), seed=3) == alone  # without a cluster too

    def test_an_error_says_in_which_block(self, client):
        with pytest.raises(ValueError, match="values must be integers between 0 and 5") as caught:
            tally_blocks(ORACLES[0], [[1], [2], [6]], seed=1, map=dask_map(client))
        assert "This happened in block 2." in caught.value.__notes__


def test_without_a_seed_every_run_has_its_own_noise():
    first, second = (tally_blocks(ORACLES[0], [np.zeros(1000, dtype=int)]).counts for _ in range(2))
    assert not np.array_equal(first, second)


def test_a_dask_collection_is_not_gone_through_entry_by_entry():
    class Collection(list):
        def __dask_graph__(self):
            return {}

    with pytest.raises(TypeError, match=r"blocks must be an iterable of arrays of values, or of Dask's partitions"):
        tally_blocks(DirectEncoding(1.0, 3), Collection([0, 1, 2]), seed=0)
