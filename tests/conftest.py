"""What several parts of the suite use.

Statistical tests compare samples with an exact law. They fail where the p-value is below 1e-6 (``FALSE_ALARM``), or
beyond as many standard errors as they say; seeds are fixed, so a passing suite keeps passing.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping

import numpy as np
import pytest
from scipy import stats

collect_ignore = ["claims"]  # executed with the chapters, see tools/results.py


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


@pytest.fixture(scope="session")
def labelled():
    """20,000 users, three classes, three features of 2 to 4 values that depend on the class."""
    rng = np.random.default_rng(2024)
    y = rng.choice(3, size=20_000, p=[0.5, 0.3, 0.2])
    tables = [rng.dirichlet(np.ones(n), size=3) for n in (2, 3, 4)]
    columns = [(rng.random(len(y))[:, None] > t.cumsum(axis=1)[y][:, :-1]).sum(axis=1) for t in tables]
    return np.column_stack(columns), y


@pytest.fixture(scope="session")
def planted():
    """400 rows of 30 features, three of which depend on the class."""
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=400)
    X = rng.uniform(size=(400, 30))
    X[:, [3, 11, 20]] = np.clip(0.3 + 0.4 * y[:, None] + rng.normal(0, 0.1, size=(400, 3)), 0, 1)
    return X, y
