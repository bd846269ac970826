"""How long does it take to ask a million users? Frequency oracles against three ways of writing them down.

For each oracle, client and server together, in one run on one machine:

* ours: ``estimate(aggregate(perturb(codes)), n)``
* plain: the same in whole NumPy arrays, as one would write it at first (float64 uniforms or keys)
* loop: one user at a time, as in a textbook listing; timed on fewer users and scaled up linearly, for three of them
* pure-ldp, multi-freq-ldpy: public packages, one user at a time as their interface asks for, scaled likewise; only
  where installed, never required

Times are the least of several repetitions, since others may use the machine. "peak" is what our oracle allocates beyond
the reports themselves. Every column must find the truth to within 8 standard deviations before its time counts.

    python -m benchmarks.frequency [--n 1000000] [--d 128] [--epsilon 1.0] [--json out.json] [--save]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks import _harness
from ldp_core.frequency import (
    DirectEncoding,
    FrequencyOracle,
    LocalHashing,
    OptimizedUnary,
    SubsetSelection,
    SummationHistogram,
    SymmetricUnary,
    ThresholdHistogram,
)

Codes = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
#: A way to turn codes into estimates.
Path_ = Callable[[Any, Codes, np.random.Generator], Floats]

ORACLES: list[type[FrequencyOracle]] = [
    DirectEncoding,
    SymmetricUnary,
    OptimizedUnary,
    SummationHistogram,
    ThresholdHistogram,
    SubsetSelection,
    LocalHashing,
]


# ---- ours ------------------------------------------------------------------------------------------------------


def ours(oracle: FrequencyOracle, codes: Codes, rng: np.random.Generator) -> Floats:
    """Client and server of this package."""
    return oracle.estimate(oracle.aggregate(oracle.perturb(codes, rng)), codes.size)


# ---- plain NumPy: whole arrays, nothing clever -----------------------------------------------------------------------


def plain_direct(oracle: Any, codes: Codes, rng: np.random.Generator) -> Floats:
    """Truth or another value, chosen by an offset."""
    lies = (codes + rng.integers(1, oracle.d, size=codes.size)) % oracle.d
    reports = np.where(rng.random(codes.size) < oracle.p, codes, lies)
    return oracle.estimate(np.bincount(reports, minlength=oracle.d), codes.size)


def plain_unary(oracle: Any, codes: Codes, rng: np.random.Generator) -> Floats:
    """One uniform number per bit."""
    bits = rng.random((codes.size, oracle.d)) < oracle.q
    bits[np.arange(codes.size), codes] = rng.random(codes.size) < oracle.p
    return oracle.estimate(bits.sum(axis=0), codes.size)


def plain_summation(oracle: Any, codes: Codes, rng: np.random.Generator) -> Floats:
    """One Laplace variable per component."""
    reports = rng.laplace(scale=2 / oracle.epsilon, size=(codes.size, oracle.d))
    reports[np.arange(codes.size), codes] += 1
    return oracle.estimate(reports.sum(axis=0), codes.size)


def plain_threshold(oracle: Any, codes: Codes, rng: np.random.Generator) -> Floats:
    """Laplace noise, then the comparison."""
    reports = rng.laplace(scale=2 / oracle.epsilon, size=(codes.size, oracle.d))
    reports[np.arange(codes.size), codes] += 1
    return oracle.estimate((reports > oracle.theta).sum(axis=0), codes.size)


def plain_subset(oracle: Any, codes: Codes, rng: np.random.Generator) -> Floats:
    """The k smallest of d random keys, the own key first or last."""
    keys = rng.random((codes.size, oracle.d))
    keys[np.arange(codes.size), codes] = np.where(rng.random(codes.size) < oracle.p, -1.0, 2.0)
    chosen = np.argpartition(keys, oracle.k, axis=1)[:, : oracle.k]
    return oracle.estimate(np.bincount(chosen.ravel(), minlength=oracle.d), codes.size)


def plain_hashing(oracle: Any, codes: Codes, rng: np.random.Generator) -> Floats:
    """Hash functions ((a·x + b) mod P) mod g, evaluated for one value of the domain at a time."""
    prime = 2**31 - 1
    a, b = rng.integers(1, prime, size=codes.size), rng.integers(prime, size=codes.size)
    bucket = (a * codes + b) % prime % oracle.g
    lies = (bucket + rng.integers(1, oracle.g, size=codes.size)) % oracle.g
    reports = np.where(rng.random(codes.size) < oracle.p, bucket, lies)
    support = [np.count_nonzero((a * x + b) % prime % oracle.g == reports) for x in range(oracle.d)]
    return oracle.estimate(support, codes.size)


PLAIN: dict[type, Path_] = {
    DirectEncoding: plain_direct,
    SymmetricUnary: plain_unary,
    OptimizedUnary: plain_unary,
    SummationHistogram: plain_summation,
    ThresholdHistogram: plain_threshold,
    SubsetSelection: plain_subset,
    LocalHashing: plain_hashing,
}


# ---- one user at a time ------------------------------------------------------------------------------------------


def loop_direct(oracle: Any, codes: Codes, rng: np.random.Generator) -> Floats:
    """A coin, then an offset."""
    counts = [0] * oracle.d
    for code in codes.tolist():
        lie = (code + int(rng.integers(1, oracle.d))) % oracle.d
        counts[code if rng.random() < oracle.p else lie] += 1
    return oracle.estimate(counts, codes.size)


def loop_unary(oracle: Any, codes: Codes, rng: np.random.Generator) -> Floats:
    """A coin for every bit."""
    p, q, values = oracle.p, oracle.q, range(oracle.d)
    reports = [[int(rng.random() < (p if v == code else q)) for v in values] for code in codes.tolist()]
    return oracle.estimate(np.sum(reports, axis=0), codes.size)


def loop_hashing(oracle: Any, codes: Codes, rng: np.random.Generator) -> Floats:
    """Hash the value, perturb the bucket, then hash the whole domain to see what the report supports."""
    prime, g, counts = 2**31 - 1, oracle.g, [0] * oracle.d
    for code in codes.tolist():
        a, b = int(rng.integers(1, prime)), int(rng.integers(prime))
        bucket = (a * code + b) % prime % g
        if rng.random() >= oracle.p:
            bucket = (bucket + int(rng.integers(1, g))) % g
        for v in range(oracle.d):
            counts[v] += (a * v + b) % prime % g == bucket
    return oracle.estimate(counts, codes.size)


LOOP: dict[type, Path_] = {DirectEncoding: loop_direct, OptimizedUnary: loop_unary, LocalHashing: loop_hashing}


# ---- public packages, where installed -------------------------------------------------------------------------------


def pure_ldp() -> dict[type, Path_]:
    """Columns of pure-ldp; empty if it is not installed."""
    try:
        from pure_ldp import frequency_oracles as pure
    except ImportError:
        return {}

    def path(client: Any, server: Any, client_options: dict[str, Any], server_options: dict[str, Any]) -> Path_:
        def run(oracle: Any, codes: Codes, _: np.random.Generator) -> Floats:
            common = {"epsilon": oracle.epsilon, "d": oracle.d, "index_mapper": int}
            user, aggregator = client(**common, **client_options), server(**common, **server_options)
            for code in codes.tolist():
                aggregator.aggregate(user.privatise(code))
            return np.array([aggregator.estimate(v, suppress_warnings=True) for v in range(oracle.d)], dtype=float)

        return run

    return {
        DirectEncoding: path(pure.DEClient, pure.DEServer, {}, {}),
        SymmetricUnary: path(pure.UEClient, pure.UEServer, {"use_oue": False}, {"use_oue": False}),
        OptimizedUnary: path(pure.UEClient, pure.UEServer, {"use_oue": True}, {"use_oue": True}),
        SummationHistogram: path(pure.HEClient, pure.HEServer, {}, {}),
        ThresholdHistogram: path(pure.HEClient, pure.HEServer, {}, {"use_the": True}),
        LocalHashing: path(pure.LHClient, pure.LHServer, {"use_olh": True}, {"use_olh": True}),
    }


def multi_freq() -> dict[type, Path_]:
    """Columns of multi-freq-ldpy; empty if it is not installed. Its estimates are clipped and scaled to sum to 1."""
    try:
        from multi_freq_ldpy.pure_frequency_oracles import GRR, HE, LH, SS, UE
    except ImportError:
        return {}

    def path(client: Callable[..., Any], server: Callable[..., Any]) -> Path_:
        def run(oracle: Any, codes: Codes, _: np.random.Generator) -> Floats:
            reports = [client(code, oracle.d, oracle.epsilon) for code in codes.tolist()]
            return np.asarray(server(reports, oracle.d, oracle.epsilon)) * codes.size

        return run

    def unary(optimal: bool) -> Path_:
        return path(
            lambda code, d, epsilon: UE.UE_Client(code, d, epsilon, optimal),
            lambda reports, _, epsilon: UE.UE_Aggregator_MI(np.array(reports), epsilon, optimal),
        )

    def histogram(threshold: bool) -> Path_:
        return path(
            HE.HE_Client, lambda reports, d, epsilon: HE.HE_Aggregator_MI(np.array(reports), d, epsilon, threshold)
        )

    return {
        DirectEncoding: path(GRR.GRR_Client, GRR.GRR_Aggregator_MI),
        SymmetricUnary: unary(False),
        OptimizedUnary: unary(True),
        SummationHistogram: histogram(False),
        ThresholdHistogram: histogram(True),
        SubsetSelection: path(SS.SS_Client, SS.SS_Aggregator_MI),
        LocalHashing: path(LH.LH_Client, LH.LH_Aggregator_MI),
    }


# ---- measuring ---------------------------------------------------------------------------------------------------


def seconds(path: Path_, oracle: FrequencyOracle, codes: Codes, repeat: int) -> float:
    """Least time of several runs; an error if the estimates are off."""
    true = np.bincount(codes, minlength=oracle.d)
    allowed = 8 * np.sqrt(oracle.variance(codes.size, true))
    return _harness.right(lambda rng: path(oracle, codes, rng), true, allowed, repeat)


def peak_beyond_reports(oracle: FrequencyOracle, codes: Codes) -> float:
    """MB that perturbing and aggregating allocate at most, the reports themselves not counted."""

    def both() -> Any:
        reports = oracle.perturb(codes, 0)
        oracle.aggregate(reports)
        return reports

    most, reports = _harness.peak(both)
    return most - float(reports.nbytes) / 1e6


def simulate_seconds(oracle: FrequencyOracle, users: int) -> float | None:
    """Least time of one exact simulation of so many users; None where the joint law has no cheap form."""
    counts = np.full(oracle.d, users // oracle.d)
    rng = np.random.default_rng(0)
    try:
        return _harness.least(lambda: oracle.simulate(counts, rng), 300, limit=2)[0]
    except ValueError:
        return None


def measure(
    n: int = 1_000_000, d: int = 128, epsilon: float = 1.0, repeat: int = 5, loop_users: int = 2_000
) -> dict[str, Any]:
    """All rows of the table."""
    # A skewed population, the same for every column: value v about proportional to 1/(v + 1).
    weights = 1 / np.arange(1, d + 1)
    # Its seed is used for nothing else: noise from the seed that made the data would be correlated with the data.
    codes = np.random.default_rng(10_000).choice(d, size=n, p=weights / weights.sum())
    few = codes[:loop_users]
    packages = {"pure-ldp": pure_ldp(), "multi-freq-ldpy": multi_freq()}
    rows = []
    for kind in ORACLES:
        oracle = kind(epsilon, d)
        row: dict[str, Any] = {
            "oracle": kind.__name__,
            "ours": seconds(ours, oracle, codes, repeat),
            "plain": seconds(PLAIN[kind], oracle, codes, max(1, repeat // 2)),
        }
        if kind in LOOP:
            row["loop"] = seconds(LOOP[kind], oracle, few, 1) * n / few.size
        for package, paths in packages.items():
            if kind in paths:
                try:
                    paths[kind](oracle, few[:20], np.random.default_rng(0))  # compiles what is compiled at first use
                except TypeError as error:  # local hashing of both packages with xxhash 4, for one
                    print(f"{package} cannot run {kind.__name__} here: {error}")
                    continue
                row[package] = seconds(paths[kind], oracle, few, 1) * n / few.size
        row["peak_mb"] = peak_beyond_reports(oracle, codes)
        row["simulate_1e9"] = simulate_seconds(oracle, 10**9)
        rows.append(row)
    return {
        "n": n,
        "d": d,
        "epsilon": epsilon,
        "loop_users": few.size,
        **_harness.machine("numpy", others=tuple(packages)),
        "rows": rows,
    }


def show(result: dict[str, Any]) -> None:
    """Print seconds, ratios, memory and the time of one simulation."""
    others = [
        name for name in ("plain", "loop", "pure-ldp", "multi-freq-ldpy") if any(name in r for r in result["rows"])
    ]
    print(
        f"n = {result['n']:,} users, d = {result['d']}, ε = {result['epsilon']:g}; client and server together, in "
        f"seconds (× = times ours)\nloops over users: {result['loop_users']:,} users timed, scaled up linearly; "
        f"Python {result['python']}, NumPy {result['numpy']}, {result['cpus']} CPUs, one used"
    )
    print(f"{'':20}{'ours':>8}" + "".join(f"{name:>20}" for name in others) + f"{'peak MB':>9}{'simulate 1e9':>15}")
    for row in result["rows"]:
        cells = _harness.ratios(row, others, width=20, digits=3)
        simulated = "–" if row["simulate_1e9"] is None else f"{row['simulate_1e9'] * 1e6:,.0f} µs"
        print(f"{row['oracle']:20}{row['ours']:>8.3f}{cells}{row['peak_mb']:>9.1f}{simulated:>15}")


if __name__ == "__main__":
    _harness.main(__doc__, "frequency", measure, show)
