"""What holds for every test and every example in a docstring.

It starts as if no other had run before it, and asks no other host for data.
"""

import gc
import os
import random
import sys
from pathlib import Path

# Before NumPy is imported: test processes share the cores among themselves, and threads that wait for work burn theirs.
os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import hypothesis
import numpy as np
import pytest

pytest_plugins = ["livefig.tests.browser.pages"]  # the browser, in which the book's pages are opened as well
ROOT = Path(__file__).parent
os.environ.setdefault("MPLBACKEND", "agg")
# To look for garbage among ten thousand tests and all that they import takes time, as often as Python does by itself.
gc.set_threshold(100_000, 50, 100)
# Nothing fails because a machine is slow, or does much else.
hypothesis.settings.register_profile(
    "unhurried", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("unhurried")

#: Where modules of the package remember something for as long as the process lives; empty at first.
MEMORY = ("_MEMORY", "_SAID")


#: Whose tests take long: processes, kernels, browsers, arguments of every kind. `make quick` leaves them out.
SLOW = (
    "livefig/tests/browser/",
    "livefig/tests/test_demo.py",
    "livefig/tests/test_widget.py",
    "tests/anonymity/test_identities.py",
    "tests/book/test_cells.py",
    "tests/book/test_kernel.py",
    "tests/book/test_repository.py",
    "tests/browser/",
    "tests/central/test_accounting.py",
    "tests/central/test_discrete.py",
    "tests/central/test_selection.py",
    "tests/datasets/",
    "tests/frequency/test_subset.py",
    "tests/learn/test_estimators.py",
    "tests/learn/test_ldpbayes.py",
    "tests/learn/test_logistic.py",
    "tests/learn/test_notices.py",
    "tests/studies/",
    "tests/test_fuzz.py",
    "tests/test_measured.py",
    "tests/test_shuffle.py",
    "tests/test_stream.py",
    "tests/test_synthetic.py",
    "tests/tools/",
)


def pytest_addoption(parser):
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run the tests in an order drawn from this seed")


def pytest_report_header(config):
    seed = config.getoption("shuffle")
    return f"shuffled with seed {seed}: --shuffle {seed} repeats this order" if seed is not None else None


def pytest_ignore_collect(collection_path, config):
    """What is left out anyway is not imported either."""
    name = collection_path.relative_to(ROOT).as_posix() if collection_path.is_relative_to(ROOT) else ""
    return True if "not slow" in config.option.markexpr and f"{name}/".startswith(SLOW) else None


def pytest_itemcollected(item):
    if item.nodeid.startswith(SLOW):
        item.add_marker("slow")
    if "real_folder" in getattr(item, "fixturenames", ()):
        item.add_marker("data")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    seed = config.getoption("shuffle")
    if seed is not None:
        random.Random(seed).shuffle(items)  # every worker draws the same order


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """See to it that what is skipped for want of the real files is run again with them, by its marker."""
    report = yield
    if call.excinfo and call.excinfo.errisinstance(pytest.skip.Exception):
        reason = str(call.excinfo.value)
        if "LDP_BOOK_DATA" in reason and item.get_closest_marker("data") is None:
            report.outcome, report.longrepr = "failed", f"{reason}: give this test the marker `data`"
        else:
            report.longrepr = ("left out", None, reason)  # the summary has one line for each reason, with their number
    return report


@pytest.fixture(autouse=True)
def nothing_remembered(monkeypatch):
    """Let the package forget which servers failed and what was announced once; close figures that a test left open."""
    monkeypatch.setenv("LDP_BOOK_OFFLINE", "1")
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in {"ldp_core", "ldp_book"}:
            for attribute in MEMORY:
                if hasattr(module, attribute):
                    monkeypatch.setattr(module, attribute, type(getattr(module, attribute))())
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


@pytest.fixture(autouse=True)
def what_examples_find(request, monkeypatch):
    """Give an example in a docstring NumPy by its usual name, and a front end that shows nothing."""
    if isinstance(request.node, pytest.DoctestItem):
        request.getfixturevalue("doctest_namespace")["np"] = np
        monkeypatch.setattr("IPython.display.display", lambda *_, **__: None)
