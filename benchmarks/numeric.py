"""How long does it take to ask a hundred thousand users for sixteen numbers? Numeric mechanisms against other code.

For each mechanism, client and server together, in one run on one machine:

* ours: ``estimate(perturb(t))``
* plain: the same in whole NumPy arrays, as one would write it at first (rejection in rounds, sorted random keys), for
  all but one of them
* loop: one user and one value at a time, as in a textbook listing, faults mended; timed on fewer users and scaled up
  linearly, for three of them
* opendp: OpenDP's Laplace measurement over all values at once, timed on fewer users and scaled likewise; only where
  installed, never required. It stands beside our DiscreteLaplace, since both sample exactly and round nothing that the
  noise is to hide; its coins come from a cryptographic generator besides, and its numbers go through Python's lists

Times are the least of several repetitions, since others may use the machine. "peak" is what ``perturb`` allocates
beyond the reports themselves. Every column must find the true means to within 8 standard deviations before its time
counts. "simulate" is the time of one mean of a billion users who hold 20 different values, in one dimension.

    python -m benchmarks.numeric [--n 100000] [--d 16] [--epsilon 1.0] [--json out.json] [--save]
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks import _harness
from ldp_core.numeric import DiscreteLaplace, Duchi, Hybrid, Laplace, NumericMechanism, Piecewise

Floats = npt.NDArray[np.float64]
#: A way to turn values into estimated means.
Path_ = Callable[[Any, Floats, np.random.Generator], Floats]

MECHANISMS: list[type[NumericMechanism]] = [Laplace, DiscreteLaplace, Duchi, Piecewise, Hybrid]


# ---- ours ------------------------------------------------------------------------------------------------------------


def ours(mechanism: NumericMechanism, t: Floats, rng: np.random.Generator) -> Floats:
    """Client and server of this package."""
    return np.asarray(mechanism.estimate(mechanism.perturb(t, rng)))


# ---- plain NumPy: whole arrays, nothing clever -----------------------------------------------------------------------


def plain_laplace(mechanism: Any, t: Floats, rng: np.random.Generator) -> Floats:
    """NumPy's Laplace variables."""
    return np.asarray((t + rng.laplace(scale=mechanism.scale, size=t.shape)).mean(axis=0))


def plain_duchi(mechanism: Any, t: Floats, rng: np.random.Generator) -> Floats:
    """Draw corners for all users, and again for those whose corner lies on the wrong side; a tie counts half."""
    signs = np.where(rng.random(t.shape) < (1 + t) / 2, 1, -1)
    side = np.where(rng.random(len(t)) < 1 / (1 + math.exp(-mechanism.epsilon)), 1, -1)
    corner = np.empty_like(signs)
    waiting = np.arange(len(t))
    while waiting.size:
        corner[waiting] = rng.choice([-1, 1], size=(waiting.size, t.shape[1]))
        product = (corner[waiting] * signs[waiting]).sum(axis=1) * side[waiting]
        waiting = waiting[(product < 0) | ((product == 0) & (rng.random(waiting.size) < 0.5))]
    return np.asarray((mechanism.B * corner).mean(axis=0))


def plain_one_piecewise(mechanism: Any, t: Floats, rng: np.random.Generator) -> Floats:
    """All three pieces for everybody, then a choice."""
    c = mechanism.C
    low = (c + 1) / 2 * t - (c - 1) / 2
    high = low + c - 1
    inside = rng.random(t.shape) < 1 / (1 + math.exp(-mechanism.epsilon / 2))
    on_the_left = rng.random(t.shape) < (low + c) / (c + 1)
    outside = np.where(on_the_left, rng.uniform(-c, low), rng.uniform(high, c))
    return np.where(inside, rng.uniform(low, high), outside)


def plain_one_hybrid(mechanism: Any, t: Floats, rng: np.random.Generator) -> Floats:
    """Both mechanisms for everybody, then a choice."""
    e = math.exp(mechanism.epsilon)
    size = (e + 1) / (e - 1)
    signs = np.where(rng.random(t.shape) < 0.5 + t * (e - 1) / (2 * e + 2), size, -size)
    pieces = plain_one_piecewise(Piecewise(mechanism.epsilon), t, rng)
    return np.where(rng.random(t.shape) < mechanism.alpha, pieces, signs)


def plain_sampled(one: Path_) -> Path_:
    """Coordinates with the k smallest of d random keys."""

    def run(mechanism: Any, t: Floats, rng: np.random.Generator) -> Floats:
        sent = np.argsort(rng.random(t.shape), axis=1)[:, : mechanism.k]
        reports = np.zeros_like(t)
        values = one(mechanism.one, np.take_along_axis(t, sent, axis=1), rng)
        np.put_along_axis(reports, sent, values * (mechanism.dim / mechanism.k), axis=1)
        return np.asarray(reports.mean(axis=0))

    return run


PLAIN: dict[type, Path_] = {
    Laplace: plain_laplace,
    Duchi: plain_duchi,
    Piecewise: plain_sampled(plain_one_piecewise),
    Hybrid: plain_sampled(plain_one_hybrid),
}


# ---- one user and one value at a time --------------------------------------------------------------------------------


def loop_laplace(mechanism: Any, t: Floats, rng: np.random.Generator) -> Floats:
    """Noise for every value."""
    reports = [[value + rng.laplace(0, mechanism.scale) for value in row] for row in t.tolist()]
    return np.mean(reports, axis=0)


def loop_duchi(mechanism: Any, t: Floats, rng: np.random.Generator) -> Floats:
    """Round every value, toss a coin, and draw corners until one lies on the right side; a tie counts half."""
    heads = 1 / (1 + math.exp(-mechanism.epsilon))
    reports = []
    for row in t.tolist():
        signs = [1 if rng.random() < (1 + value) / 2 else -1 for value in row]
        side = 1 if rng.random() < heads else -1
        while True:
            corner = [1 if rng.random() < 0.5 else -1 for _ in row]
            product = side * sum(a * b for a, b in zip(signs, corner, strict=True))
            if product > 0 or (product == 0 and rng.random() < 0.5):
                break
        reports.append([mechanism.B * sign for sign in corner])
    return np.mean(reports, axis=0)


def one_piecewise(epsilon: float, t: float, rng: np.random.Generator) -> float:
    """One value: centre, or one of the sides by length."""
    root = math.exp(epsilon / 2)
    c = (root + 1) / (root - 1)
    low = (c + 1) / 2 * t - (c - 1) / 2
    high = low + c - 1
    if rng.random() < root / (root + 1):
        return rng.uniform(low, high)
    return rng.uniform(-c, low) if rng.random() < (low + c) / (c + 1) else rng.uniform(high, c)


def loop_piecewise(mechanism: Any, t: Floats, rng: np.random.Generator) -> Floats:
    """Draw coordinates without replacement for every user."""
    d, k = mechanism.dim, mechanism.k
    reports = []
    for row in t.tolist():
        report = [0.0] * d
        for j in rng.choice(d, size=k, replace=False).tolist():
            report[j] = d / k * one_piecewise(mechanism.epsilon / k, row[j], rng)
        reports.append(report)
    return np.mean(reports, axis=0)


LOOP: dict[type, Path_] = {Laplace: loop_laplace, Duchi: loop_duchi, Piecewise: loop_piecewise}


# ---- a public package, where installed -------------------------------------------------------------------------------


def opendp() -> dict[type, Path_]:
    """Column of OpenDP; empty if it is not installed."""
    try:
        import opendp.prelude as dp
    except ImportError:
        return {}
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l1_distance(T=float)

    def run(mechanism: Any, t: Floats, _: np.random.Generator) -> Floats:
        noisy = dp.m.make_laplace(*space, scale=2 * mechanism.dim / mechanism.epsilon)(t.ravel().tolist())
        return np.mean(np.reshape(noisy, t.shape), axis=0)

    return {DiscreteLaplace: run}


# ---- measuring -------------------------------------------------------------------------------------------------------


def seconds(path: Path_, mechanism: NumericMechanism, t: Floats, repeat: int) -> float:
    """Least time of several runs; an error if the means are off."""
    allowed = 8 * np.sqrt(mechanism.variance(t).mean(axis=0) / len(t))
    return _harness.right(lambda rng: path(mechanism, t, rng), t.mean(axis=0), allowed, repeat)


def peak_beyond_reports(mechanism: NumericMechanism, t: Floats) -> float:
    """MB that perturbing allocates at most, the reports themselves not counted."""
    most, reports = _harness.peak(lambda: mechanism.perturb(t, 0))
    return most - float(reports.nbytes) / 1e6


def simulate_seconds(mechanism: NumericMechanism, users: int, repeat: int) -> float:
    """Least time of one exact simulation of so many users on 20 values, in one dimension."""
    values, counts = np.linspace(-1, 1, 20), np.full(20, users // 20)
    rng = np.random.default_rng(0)
    return _harness.least(lambda: mechanism.simulate_mean(values, counts, rng=rng), repeat)[0]


def measure(
    n: int = 100_000, d: int = 16, epsilon: float = 1.0, repeat: int = 9, loop_users: int = 5_000
) -> dict[str, Any]:
    """All rows of the table."""
    # Its seed is used for nothing else: noise from the seed that made the data would be correlated with the data.
    t = np.random.default_rng(10_000).beta(2, 3, size=(n, d)) * 2 - 1
    few = t[:loop_users]
    package = opendp()
    rows = []
    for kind in MECHANISMS:
        mechanism = kind(epsilon, d)
        row: dict[str, Any] = {"mechanism": kind.__name__, "ours": seconds(ours, mechanism, t, repeat)}
        if kind in PLAIN:
            row["plain"] = seconds(PLAIN[kind], mechanism, t, max(1, repeat // 2))
        if kind in LOOP:
            row["loop"] = seconds(LOOP[kind], mechanism, few, 1) * n / len(few)
        if kind in package:
            row["opendp"] = seconds(package[kind], mechanism, few, 1) * n / len(few)
        row["peak_mb"] = peak_beyond_reports(mechanism, t)
        row["simulate_1e9"] = simulate_seconds(kind(epsilon), 10**9, 30)
        rows.append(row)
    return {
        "n": n,
        "d": d,
        "epsilon": epsilon,
        "loop_users": len(few),
        **_harness.machine("numpy", others=("opendp",)),
        "rows": rows,
    }


def show(result: dict[str, Any]) -> None:
    """Print seconds, ratios, memory and the time of one simulation."""
    others = [name for name in ("plain", "loop", "opendp") if any(name in row for row in result["rows"])]
    print(
        f"n = {result['n']:,} users, d = {result['d']}, ε = {result['epsilon']:g}; client and server together, in "
        f"seconds (× = times ours)\nloop and opendp: {result['loop_users']:,} users timed, scaled up linearly; "
        f"Python {result['python']}, NumPy {result['numpy']}, {result['cpus']} CPUs, one used"
    )
    print(f"{'':16}{'ours':>9}" + "".join(f"{name:>19}" for name in others) + f"{'peak MB':>9}{'simulate 1e9':>14}")
    for row in result["rows"]:
        cells = _harness.ratios(row, others, width=19, digits=4)
        simulated = f"{row['simulate_1e9'] * 1e6:,.0f} µs"
        print(f"{row['mechanism']:16}{row['ours']:>9.4f}{cells}{row['peak_mb']:>9.1f}{simulated:>14}")


if __name__ == "__main__":
    _harness.main(__doc__, "numeric", measure, show)
