"""How long does it take to train a private naive Bayes classifier? LDPBayes and rivals, against the number of users.

Client and server together, ``fit`` on records like Adult's: 14 attributes, 2 classes. All columns of a row are measured
in one run, each the least of several repetitions; look at ratios. "from counts" is the exact fast path of the sampled
oracle, whose cost does not depend on the number of users.

    python benchmarks/learn.py [--epsilon 1.0] [--json out.json]
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ldp_core.learn import LDPNaiveBayes, rivals

#: Numbers of values of the attributes: as many as Adult's, numbers in eight bins.
SIZES = [8, 8, 8, 16, 8, 7, 14, 6, 5, 2, 8, 8, 8, 41]
USERS = [4000, 8000, 12_000, 16_000, 20_000, 24_000, 28_000, 32_000, 128_000]


def seconds(run: Callable[[], Any], repetitions: int = 7) -> float:
    """Least time of several runs."""
    best = float("inf")
    for _ in range(repetitions):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    """Measure, print a table, write the results."""
    parser = argparse.ArgumentParser(description="training time against the number of users")
    parser.add_argument("--epsilon", type=float, default=1.0)
    default = Path(__file__).parent / "results" / "learn.json"
    parser.add_argument("--json", type=Path, default=default)
    arguments = parser.parse_args()
    rng = np.random.default_rng(1)
    schema: dict[str, Any] = {"categories": SIZES, "classes": [0, 1]}
    rows = []
    for users in USERS:
        X = np.column_stack([rng.integers(size, size=users) for size in SIZES])
        y = rng.integers(2, size=users)
        row: dict[str, Any] = {"users": users}
        for name, model in rivals(arguments.epsilon, random_state=rng, **schema).items():
            if name != "LDPBayes, consistent":
                row[name] = seconds(partial(model.fit, X, y))
        fast = LDPNaiveBayes(arguments.epsilon, prior="features", postprocess="normalize", random_state=rng, **schema)
        tables = fast.tabulate(X, y)
        row["OUE, one sampled, from counts"] = seconds(partial(fast.fit_counts, tables))
        rows.append(row)
        print("  ".join(f"{k}: {v:.4f}" if isinstance(v, float) else f"{k}: {v:,}" for k, v in row.items()), flush=True)
    bits = {}
    for name, model in rivals(arguments.epsilon, random_state=rng, **schema).items():
        bits[name] = float(model.fit(X[:500], y[:500]).bits_)
    arguments.json.parent.mkdir(parents=True, exist_ok=True)
    found = {
        "epsilon": arguments.epsilon,
        "attributes": len(SIZES),
        "codes": 2 * sum(SIZES),
        "bits": bits,
        "rows": rows,
    }
    arguments.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
