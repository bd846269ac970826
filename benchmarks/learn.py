"""How long does it take to train a private naive Bayes classifier? LDPBayes and rivals, against the number of users.

Client and server together, ``fit`` on records like Adult's: 14 attributes, 2 classes. All columns of a row are measured
in one run, each the least of several repetitions; look at ratios. "from counts" is the exact fast path of the sampled
oracle, whose cost does not depend on the number of users.

    python -m benchmarks.learn [--epsilon 1.0] [--json out.json] [--save]
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from benchmarks import _harness
from ldp_core.learn import LDPNaiveBayes, rivals

#: Numbers of values of the attributes: as many as Adult's, numbers in eight bins.
SIZES = [8, 8, 8, 16, 8, 7, 14, 6, 5, 2, 8, 8, 8, 41]
USERS = [4000, 8000, 12_000, 16_000, 20_000, 24_000, 28_000, 32_000, 128_000]


def measure(epsilon: float = 1.0, repeat: int = 7) -> dict[str, Any]:
    """All rows of the table."""
    rng = np.random.default_rng(1)
    schema: dict[str, Any] = {"categories": SIZES, "classes": [0, 1]}
    rows = []
    for users in USERS:
        X = np.column_stack([rng.integers(size, size=users) for size in SIZES])
        y = rng.integers(2, size=users)
        row: dict[str, Any] = {"users": users}
        for name, model in rivals(epsilon, random_state=rng, **schema).items():
            if name != "LDPBayes, consistent":
                row[name] = _harness.least(partial(model.fit, X, y), repeat)[0]
        fast = LDPNaiveBayes(epsilon, prior="features", postprocess="normalize", random_state=rng, **schema)
        tables = fast.tabulate(X, y)
        row["OUE, one sampled, from counts"] = _harness.least(partial(fast.fit_counts, tables), repeat)[0]
        rows.append(row)
    bits = {}
    for name, model in rivals(epsilon, random_state=rng, **schema).items():
        bits[name] = float(model.fit(X[:500], y[:500]).bits_)
    settings = {"epsilon": epsilon, "attributes": len(SIZES), "codes": 2 * sum(SIZES), "bits": bits}
    return {**settings, **_harness.machine("numpy", "scikit-learn"), "rows": rows}


def show(result: dict[str, Any]) -> None:
    """Print seconds."""
    for row in result["rows"]:
        print("  ".join(f"{k}: {v:.4f}" if isinstance(v, float) else f"{k}: {v:,}" for k, v in row.items()))


if __name__ == "__main__":
    _harness.main(__doc__, "learn", measure, show)
