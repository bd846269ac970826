"""What does randomness that nobody can predict cost? The operating system's entropy against NumPy's PCG64.

For each step, once with ``numpy.random.default_rng`` and once with ``ldp_core.secure_rng``, in one run on one machine:

* numbers: a million draws of one kind
* reports: what the devices of ``--n`` users do, all in one call
* one report: what a single device does, a call for one user; the overhead of a call is part of that
* first report: the same with a generator made for it, which has to ask the system for entropy first
* a billion: counts of a billion users drawn from their exact law, where few random numbers are needed

Times are the least of several repetitions, since others may use the machine. Every report is counted, and the estimate
must find the true counts to within 8 standard deviations before its time counts.

    python -m benchmarks.secure [--n 100000] [--d 64] [--epsilon 1.0] [--json out.json] [--save]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import _harness
from ldp_core import secure_rng
from ldp_core.frequency import DirectEncoding, HadamardCountMeanSketch, LocalHashing, OptimizedUnary, SubsetSelection
from ldp_core.numeric import Laplace, Piecewise

#: A step to time: it takes a generator and does its work with it.
Step = Callable[[np.random.Generator], object]

NUMBERS = 10**6


def seconds(step: Step, repeat: int, fresh: bool) -> tuple[float, float]:
    """Least times of several runs with PCG64 and with the system's entropy, in turns: both see the same machine."""
    make = (np.random.default_rng, secure_rng)
    generators = [source() for source in make]
    best = [float("inf"), float("inf")]
    for _ in range(repeat):
        for which, (source, kept) in enumerate(zip(make, generators, strict=True)):
            taken, _ = _harness.least(lambda source=source, kept=kept: step(source() if fresh else kept), 1)
            best[which] = min(best[which], taken)
    return best[0], best[1]


def steps(n: int, d: int, epsilon: float) -> list[tuple[str, str, Step, int]]:
    """Kind and name of each step, the step, and how many draws or reports it makes."""
    # Its seed is used for nothing else.
    values = np.random.default_rng(20_000).integers(d, size=n)
    t = np.random.default_rng(20_001).beta(2, 3, size=n) * 2 - 1
    counts = np.bincount(values, minlength=d)
    rows: list[tuple[str, str, Step, int]] = [
        ("numbers", "uniform in [0, 1)", lambda rng: rng.random(NUMBERS), NUMBERS),
        ("numbers", "64 random bits", lambda rng: rng.integers(2**64, size=NUMBERS, dtype=np.uint64), NUMBERS),
        ("numbers", "Laplace", lambda rng: rng.laplace(size=NUMBERS), NUMBERS),
    ]
    oracles = [kind(epsilon, d) for kind in (DirectEncoding, LocalHashing, SubsetSelection, OptimizedUnary)]
    sketch = HadamardCountMeanSketch(epsilon, d)
    numeric = [Laplace(epsilon), Piecewise(epsilon)]
    for oracle in oracles:
        check(
            oracle.estimate(oracle.aggregate(oracle.privatize(values, secure_rng())), n),
            counts,
            oracle.variance(n, counts),
        )
    check(
        sketch.estimate(sketch.aggregate(sketch.privatize(values, secure_rng())), n),
        sketch.expectation(counts),
        sketch.conditional_variance(counts),
    )
    for mechanism in numeric:
        check(mechanism.estimate(mechanism.perturb(t, secure_rng())), t.mean(), mechanism.variance(t).sum() / n**2)
    for many, kind in ((n, "reports"), (1, "one report")):
        rows += [
            (kind, type(oracle).__name__, lambda rng, o=oracle, v=values[:many]: o.privatize(v, rng), many)
            for oracle in (*oracles, sketch)
        ]
        rows += [
            (kind, type(mechanism).__name__, lambda rng, m=mechanism, v=t[:many]: m.perturb(v, rng), many)
            for mechanism in numeric
        ]
    rows += [("first report", "DirectEncoding", lambda rng: oracles[0].privatize(values[:1], rng), 1)]
    crowd = np.full(d, 10**9 // d)
    rows += [("a billion", "OptimizedUnary", lambda rng, o=oracles[-1]: o.simulate(crowd, rng), 1)]
    return rows


def check(estimate: Any, truth: Any, variance: Any) -> None:
    """Raise an error unless every estimate is within 8 standard deviations of the truth."""
    if not np.all(np.abs(estimate - truth) < 8 * np.sqrt(variance)):
        raise AssertionError("entropy of the operating system does not find the truth")


def measure(n: int = 100_000, d: int = 64, epsilon: float = 1.0, repeat: int = 5) -> dict[str, Any]:
    """All rows of the table."""
    rows = []
    for kind, name, step, draws in steps(n, d, epsilon):
        pcg64, secure = seconds(step, repeat * (200 if draws == 1 else 1), fresh=kind == "first report")
        rows.append({"kind": kind, "step": name, "draws": draws, "pcg64": pcg64, "secure": secure})
    return {"n": n, "d": d, "epsilon": epsilon, **_harness.machine("numpy"), "rows": rows}


def show(result: dict[str, Any]) -> None:
    """Print microseconds per draw or report, and the ratio."""
    print(
        f"n = {result['n']:,} users, d = {result['d']}, ε = {result['epsilon']:g}; µs for each number or report\n"
        f"Python {result['python']}, NumPy {result['numpy']}, {result['cpus']} CPUs, one used"
    )
    print(f"{'':14}{'':26}{'PCG64':>10}{'system':>10}{'ratio':>8}")
    for row in result["rows"]:
        each = [1e6 * row[source] / row["draws"] for source in ("pcg64", "secure")]
        print(f"{row['kind']:14}{row['step']:26}{each[0]:>10.4f}{each[1]:>10.4f}{each[1] / each[0]:>7,.1f}×")


if __name__ == "__main__":
    _harness.main(__doc__, "secure", measure, show)
