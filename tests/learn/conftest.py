"""Two notices that are expected here, and people who tell of themselves."""

from pathlib import Path

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
