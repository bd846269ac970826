"""How long does it take to ask a million users for their place? Shapes and ranges against one user at a time.

For each mechanism, client and server together, in one run on one machine:

* ours: ``estimate(aggregate(perturb(codes)), n)``; of the square wave the counts of its reports, in d bins
* loop: one user at a time: the client draws from the law of her report, the server adds up what each is worth (tables
  that are made beforehand, and not timed); timed on fewer users and scaled up linearly
* pure-ldp: a public package, one user at a time as its interface asks for, scaled likewise; only where installed, never
  required, and for Hadamard response only: neither it nor multi-freq-ldpy has the others

Every column must find the truth to within 8 standard deviations before its time counts (the square wave: its reports'
law). "simulate" is the time of one exact simulation of a billion users.

    python -m benchmarks.ranges [--n 1000000] [--d 1024] [--epsilon 1.0] [--json out.json]
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks import _harness
from ldp_core.frequency import FiniteOracle, HaarHistogram, HadamardResponse, HierarchicalHistogram, RangeHistogram
from ldp_core.numeric import SquareWave

Codes = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def ours(oracle: FiniteOracle, codes: Codes, rng: np.random.Generator) -> Floats:
    """Client and server of this package."""
    return oracle.estimate(oracle.aggregate(oracle.perturb(codes, rng)), codes.size)


def loop(oracle: FiniteOracle) -> Callable[..., Floats]:
    """Draw each report from its law and add up what it is worth for each value; both tables are made beforehand."""
    channel = np.cumsum(oracle.channel(), axis=1)
    worth = [oracle.estimate(oracle.aggregate(oracle.outputs()[[y]]), 1) for y in range(oracle.n_outputs)]

    def run(_: FiniteOracle, codes: Codes, rng: np.random.Generator) -> Floats:
        estimate = np.zeros(oracle.d)
        for code in codes.tolist():
            estimate += worth[min(oracle.n_outputs - 1, int(np.searchsorted(channel[code], rng.random())))]
        return estimate

    return run


def ours_wave(wave: SquareWave, t: Floats, bins: int, rng: np.random.Generator) -> Floats:
    """Client and server of this package."""
    return wave.aggregate(wave.perturb(t, rng), bins).astype(float)


def loop_wave(wave: SquareWave, t: Floats, bins: int, rng: np.random.Generator) -> Floats:
    """A coin, and a place in the window or out of it."""
    w, counts = wave.width, np.zeros(bins)
    inside = w * math.exp(wave.epsilon) / (w * math.exp(wave.epsilon) + 1)
    for value in t.tolist():
        y = value + w * rng.uniform(-1, 1) if rng.random() < inside else rng.uniform(-1, 1)
        if not abs(y - value) < w:
            y += math.copysign(w, y - value)
        counts[min(bins - 1, int((y / (1 + w) + 1) / 2 * bins))] += 1
    return counts


def pure_ldp(oracle: FiniteOracle, codes: Codes, _: np.random.Generator) -> Floats:
    """Hadamard response of pure-ldp."""
    from pure_ldp.frequency_oracles import HadamardResponseClient, HadamardResponseServer

    common = {"epsilon": oracle.epsilon, "d": oracle.d, "index_mapper": int}
    server = HadamardResponseServer(**common)
    client = HadamardResponseClient(**common, hash_funcs=server.get_hash_funcs())
    for code in codes.tolist():
        server.aggregate(client.privatise(code))
    return np.array([server.estimate(v, suppress_warnings=True) for v in range(oracle.d)], dtype=float)


def seconds(way: Callable[..., Floats], oracle: FiniteOracle, codes: Codes, repeat: int) -> float:
    """Least time of several runs; an error if the estimates are off."""
    true = np.bincount(codes, minlength=oracle.d)
    ranges = isinstance(oracle, RangeHistogram)
    variance = oracle.variance(codes.size) if ranges else oracle.variance(codes.size, true)
    return _harness.right(lambda rng: way(oracle, codes, rng), true, 8 * np.sqrt(variance), repeat)


def measure(
    n: int = 1_000_000, d: int = 1024, epsilon: float = 1.0, repeat: int = 5, loop_users: int = 2_000
) -> dict[str, Any]:
    """All rows of the table."""
    codes = np.random.default_rng(10_000).binomial(d - 1, 0.3, size=n)
    few, billion, rng = codes[:loop_users], np.full(d, 10**9 // d), np.random.default_rng(0)
    rows: list[dict[str, Any]] = []
    for kind in (HadamardResponse, HierarchicalHistogram, HaarHistogram):
        oracle: FiniteOracle = kind(epsilon, d)
        row = {"mechanism": kind.__name__, "ours": seconds(ours, oracle, codes, repeat)}
        row["loop"] = seconds(loop(oracle), oracle, few, 1) * n / few.size
        if kind is HadamardResponse and "pure-ldp" in _harness.machine(others=("pure-ldp",)):
            row["pure-ldp"] = seconds(pure_ldp, oracle, few, 1) * n / few.size
        row["simulate_1e9"] = _harness.least(lambda oracle=oracle: oracle.simulate(billion, rng), 100, limit=2)[0]
        rows.append(row)
    wave = SquareWave(epsilon)
    t = 2 * (codes + 0.5) / d - 1
    law = np.bincount(codes, minlength=d) / n @ wave.channel(d)  # nearly: its rows are for values spread in a bin
    row = {"mechanism": "SquareWave"}
    for name, way, values in ("ours", ours_wave, t), ("loop", loop_wave, t[:loop_users]):
        many = values.size
        allowed = 8 * np.sqrt(many * law) + 0.02 * many * law.max() + 8
        row[name] = _harness.right(
            lambda rng, way=way, values=values: way(wave, values, d, rng), many * law, allowed, repeat
        ) * (n / many)
    row["simulate_1e9"] = _harness.least(lambda: wave.simulate(billion, rng), 100, limit=2)[0]
    rows.append(row)
    return {"n": n, "d": d, "epsilon": epsilon, **_harness.machine("numpy", others=("pure-ldp",)), "rows": rows}


def show(result: dict[str, Any]) -> None:
    """Print seconds, ratios, and the time of one simulation."""
    others = [name for name in ("loop", "pure-ldp") if any(name in row for row in result["rows"])]
    print(f"n = {result['n']:,}, d = {result['d']:,}, ε = {result['epsilon']:g}; client and server, in seconds")
    print(f"{'':24}{'ours':>8}" + "".join(f"{name:>20}" for name in others) + f"{'simulate 1e9':>15}")
    for row in result["rows"]:
        cells = _harness.ratios(row, others, width=20, digits=3)
        print(f"{row['mechanism']:24}{row['ours']:>8.3f}{cells}{row['simulate_1e9'] * 1e3:>12.2f} ms")


if __name__ == "__main__":
    _harness.main(__doc__, "ranges", measure, show)
