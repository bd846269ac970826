"""The measurements that the book shows travel with the package."""

import pytest

from ldp_core import measured
from tools.toc import ROOT


def test_every_benchmark_has_results_and_the_other_way_round():
    files = {path.stem for path in (ROOT / "benchmarks").glob("[a-z]*.py")}
    assert set(measured.names()) == files
    for name in measured.names():
        assert measured.load(name)["rows"]


@pytest.mark.parametrize("name", ["speed", "", None, "../measured/frequency"])
def test_an_unknown_name_is_refused(name):
    with pytest.raises((TypeError, ValueError), match=r"name must be .*'anonymity', .*, got"):
        measured.load(name)
