"""What several parts of the suite use."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping

import numpy as np
import pytest
from scipy import stats


def _chi_square_p(drawn: Counter | Iterable[Hashable], law: Mapping, runs: int | None = None) -> float:
    observed = drawn if isinstance(drawn, Counter) else Counter(drawn)
    total = observed.total()
    assert runs in (None, total), "the law is compared with another number of draws"
    assert set(observed) <= {key for key, probability in law.items() if probability > 0}, (
        "an impossible outcome occurred"
    )
    cells = sorted(((total * probability, observed[key]) for key, probability in law.items()), reverse=True)
    big = [cell for cell in cells if cell[0] >= 5]
    small = [cell for cell in cells if cell[0] < 5]
    if small:
        big.append(tuple(np.sum(small, axis=0)))
    expected, seen = np.array(big, dtype=float).T
    keep = expected > 1e-9
    if keep.sum() == 1:  # a single possible outcome, and nothing else occurred
        return 1.0
    return float(stats.chisquare(seen[keep], expected[keep] * (seen[keep].sum() / expected[keep].sum())).pvalue)


@pytest.fixture(scope="session")
def chi_square_p():
    """p-value of draws (or of their Counter, and how many there are) against their exact law.

    Outcomes that are expected fewer than 5 times are pooled; one that cannot occur fails the test.
    """
    return _chi_square_p
