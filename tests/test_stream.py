"""Tallies merge, and blocks give the same result to the bit, wherever they are computed."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from ldp_core.frequency import DirectEncoding, OptimizedUnary, SummationHistogram
from ldp_core.stream import Tally, dask_map, tally_blocks

VALUES = np.random.default_rng(1).integers(6, size=10_000)
BLOCKS = np.array_split(VALUES, 7)
ORACLES = [DirectEncoding(1.0, 6), OptimizedUnary(1.0, 6), SummationHistogram(1.0, 6)]


@pytest.mark.parametrize("oracle", ORACLES, ids=repr)
def test_a_tally_is_the_aggregate(oracle):
    reports = oracle.privatize(VALUES, rng=2)
    tally = Tally(oracle)
    for start in range(0, len(reports), 999):
        tally.add(reports[start : start + 999])
    assert tally.n == len(VALUES)
    np.testing.assert_allclose(tally.counts, oracle.aggregate(reports))
    np.testing.assert_allclose(tally.estimate(), oracle.estimate(oracle.aggregate(reports), len(VALUES)))


@pytest.mark.parametrize("oracle", ORACLES, ids=repr)
def test_blocks_in_threads_equal_blocks_in_a_row_to_the_bit(oracle):
    alone = tally_blocks(oracle, (block for block in BLOCKS), seed=3)
    with ThreadPoolExecutor(3) as pool:
        together = tally_blocks(oracle, BLOCKS, seed=3, map=pool.map)
    np.testing.assert_array_equal(alone.counts, together.counts)
    assert alone.n == together.n == len(VALUES)
    assert not np.array_equal(alone.counts, tally_blocks(oracle, BLOCKS, seed=4).counts)


def test_blocks_have_randomness_of_their_own():
    """The same values in two blocks get different noise, and block i does not depend on the others."""
    oracle = OptimizedUnary(1.0, 6)
    first, second = tally_blocks(oracle, [VALUES], 5), tally_blocks(oracle, [VALUES, VALUES], 5)
    assert not np.array_equal(second.counts - first.counts, first.counts)


@pytest.mark.parametrize("oracle", ORACLES, ids=repr)
@pytest.mark.filterwarnings("default")  # the engine's own warnings are not ours
def test_dask_gives_the_same_bits(oracle):
    try:
        from distributed import Client, LocalCluster
    except ModuleNotFoundError:
        if os.environ.get("CI"):
            raise
        pytest.skip("needs the extra: pip install ldp_core[dask]")
    alone = tally_blocks(oracle, BLOCKS, seed=3)
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        together = tally_blocks(oracle, BLOCKS, seed=3, map=dask_map(client))
    np.testing.assert_array_equal(alone.counts, together.counts)


def test_bad_input():
    with pytest.raises(ValueError, match="blocks must hold at least one"):
        tally_blocks(ORACLES[0], [], seed=1)
    with pytest.raises(ValueError, match="seed must be >= 0"):
        tally_blocks(ORACLES[0], BLOCKS, seed=-1)
    with pytest.raises(ValueError, match="one mechanism"):
        Tally(DirectEncoding(1.0, 6)) + Tally(DirectEncoding(2.0, 6))
    with pytest.raises(TypeError):
        Tally(ORACLES[0]) + 1
    with pytest.raises(ValueError, match="n must be >= 1"):
        Tally(ORACLES[0]).estimate()
