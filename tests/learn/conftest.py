"""Two notices that are expected here, and people who tell of themselves."""

from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_limits


def pytest_collection_modifyitems(items):
    """Seeds make these tests repeatable, and most of their data are made up: elsewhere both notices are errors."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings("ignore::ldp_core.learn.RepeatedNoiseWarning"))
            item.add_marker(pytest.mark.filterwarnings("ignore::ldp_core.learn.PrivacyLeakWarning"))


@pytest.fixture(scope="session", autouse=True)
def one_thread():
    """Small matrices: several threads would only wait for one another."""
    with threadpool_limits(1):
        yield


@pytest.fixture(scope="session")
def labelled():
    """20,000 users, three classes, three features of 2 to 4 values that depend on the class."""
    rng = np.random.default_rng(2024)
    y = rng.choice(3, size=20_000, p=[0.5, 0.3, 0.2])
    tables = [rng.dirichlet(np.ones(n), size=3) for n in (2, 3, 4)]
    columns = [(rng.random(len(y))[:, None] > t.cumsum(axis=1)[y][:, :-1]).sum(axis=1) for t in tables]
    return np.column_stack(columns), y
