"""How long does it take to ask a crowd three questions each? Ways to put the answers into one report.

For each mode, client and server together, in one run on one machine:

* ours: ``estimate(aggregate(perturb(rows)), n)``, with the counts of all pairs of bits
* multi-freq-ldpy: a public package, one user at a time as its interface asks for; timed on fewer users and scaled up
  linearly, and only where installed, never required. It splits and samples by subset selection, too, and fakes by
  direct encoding at the amplified ε' = ln(h(e^ε − 1) + 1): ours get that ε' in this row, for one law. Its estimates are
  clipped and scaled to sum to 1, ours never.

Every column must find the truth to within 8 standard deviations before its time counts.

    pip install multi-freq-ldpy
    python -m benchmarks.several [--n 200000] [--epsilon 1.0] [--json out.json] [--save]
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks import _harness
from ldp_core.frequency import SeveralAttributes

Codes = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

DOMAINS = (4, 8, 16)


def ours(several: SeveralAttributes, rows: Codes, rng: np.random.Generator) -> Floats:
    """Client and server of this package."""
    return np.concatenate(several.estimate(several.aggregate(several.perturb(rows, rng)), len(rows)))


def multi_freq(epsilon: float) -> dict[str, Callable[..., Floats]]:
    """Ways of multi-freq-ldpy, by our mode; empty if it is not installed."""
    try:
        from multi_freq_ldpy.mdim_freq_est import RSpFD_solution as fd
        from multi_freq_ldpy.mdim_freq_est import SMP_solution as smp
        from multi_freq_ldpy.mdim_freq_est import SPL_solution as spl
    except ImportError:
        return {}

    def way(client: Callable[..., Any], server: Callable[..., Any]) -> Callable[..., Floats]:
        def run(_: SeveralAttributes, rows: Codes, __: np.random.Generator) -> Floats:
            common = (list(DOMAINS), len(DOMAINS), epsilon)
            reports = [client(row, *common) for row in rows.tolist()]
            return np.concatenate(list(server(reports, *common))).astype(float) * len(rows)

        return run

    return {
        "split": way(spl.SPL_SS_Client, spl.SPL_SS_Aggregator_MI),
        "sample": way(smp.SMP_SS_Client, smp.SMP_SS_Aggregator_MI),
        "fake": way(fd.RSpFD_GRR_Client, fd.RSpFD_GRR_Aggregator_MI),
    }


def seconds(way: Callable[..., Floats], several: SeveralAttributes, rows: Codes, repeat: int) -> float:
    """Least time of several runs; an error if the estimates are off."""
    true = [np.bincount(rows[:, j], minlength=d) for j, d in enumerate(DOMAINS)]
    allowed = 8 * np.sqrt(np.concatenate(several.variance(len(rows), true)))
    return _harness.right(lambda rng: way(several, rows, rng), np.concatenate(true), allowed, repeat)


def measure(n: int = 200_000, epsilon: float = 1.0, repeat: int = 5, loop_users: int = 2_000) -> dict[str, Any]:
    """All rows of the table."""
    # Answers that are alike, and depend on each other; their seed is used for nothing else.
    rows = np.random.default_rng(10_000).binomial(3, 0.4, size=(n, 1)) + np.random.default_rng(10_001).integers(
        0, np.array(DOMAINS) - 3, size=(n, len(DOMAINS))
    )
    few, others = rows[:loop_users], multi_freq(epsilon)
    table = []
    for mode in ("split", "sample", "fake", "set", "joint"):
        spent = math.log(len(DOMAINS) * math.expm1(epsilon) + 1) if mode == "fake" else epsilon
        several = SeveralAttributes(spent, DOMAINS, mode=mode)
        row: dict[str, Any] = {"mode": mode, "ours": seconds(ours, several, rows, repeat)}
        if mode in others:
            others[mode](several, few[:20], np.random.default_rng(0))  # compiles what is compiled at first use
            row["multi-freq-ldpy"] = seconds(others[mode], several, few, 1) * n / len(few)
        table.append(row)
    return {
        "n": n,
        "domains": list(DOMAINS),
        "epsilon": epsilon,
        "loop_users": len(few),
        **_harness.machine("numpy", others=("multi-freq-ldpy",)),
        "rows": table,
    }


def show(result: dict[str, Any]) -> None:
    """Print seconds and ratios."""
    others = ["multi-freq-ldpy"] if any("multi-freq-ldpy" in row for row in result["rows"]) else []
    print(f"n = {result['n']:,}, domains {result['domains']}, ε = {result['epsilon']:g}; client and server, in seconds")
    print(f"{'':10}{'ours':>8}" + "".join(f"{name:>20}" for name in others))
    for row in result["rows"]:
        cells = _harness.ratios(row, others, width=20, digits=3)
        print(f"{row['mode']:10}{row['ours']:>8.3f}{cells}")


if __name__ == "__main__":
    _harness.main(__doc__, "several", measure, show)
