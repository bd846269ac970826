"""One statistical test for many: do discrete draws follow an exact law?"""

from collections import Counter

import numpy as np
import pytest
from scipy import stats


@pytest.fixture(scope="session")
def chi_square_p():
    """p-value of discrete draws against their exact law; cells with fewer than 5 expected draws are pooled."""

    def p_value(draws, law: dict) -> float:
        observed = Counter(draws)
        assert set(observed) <= {key for key, p in law.items() if p > 0}, "an impossible outcome occurred"
        expected = np.array([len(draws) * p for p in law.values()])
        seen = np.array([observed[key] for key in law], dtype=float)
        small = expected < 5
        expected = np.append(expected[~small], expected[small].sum())
        seen = np.append(seen[~small], seen[small].sum())
        keep = expected > 1e-9
        if keep.sum() == 1:  # a single possible outcome, and nothing else occurred
            return 1.0
        return float(stats.chisquare(seen[keep], expected[keep] * (len(draws) / expected[keep].sum())).pvalue)

    return p_value
