"""The measurements that the book shows travel with the package."""

import importlib

import pytest

from ldp_book import measured
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


@pytest.mark.parametrize(
    ("name", "small"),
    [
        ("anonymity", {"repeat": 1, "loop_rows": 2}),
        ("frequency", {"n": 2_000, "d": 8, "repeat": 1, "loop_users": 50}),
        ("learn", {"repeat": 1}),
        ("numeric", {"n": 2_000, "d": 2, "repeat": 1, "loop_users": 50}),
        ("ranges", {"n": 2_000, "d": 16, "repeat": 1, "loop_users": 50}),
        ("secure", {"n": 500, "d": 4, "repeat": 1}),
        ("several", {"n": 2_000, "repeat": 1, "loop_users": 50}),
        ("words", {"n": 40_000, "repeat": 1, "loop_users": 50}),
    ],
)
def test_a_benchmark_runs_and_what_is_stored_is_what_it_measures(name, small, capsys):
    """Also that all its ways find the truth, to 8 standard deviations; that of pages runs in tests/browser."""
    benchmark = importlib.import_module(f"benchmarks.{name}")
    result, stored = benchmark.measure(**small), measured.load(name)
    benchmark.show(result)
    assert set(result) <= set(stored)
    for row, other in zip(result["rows"], stored["rows"], strict=True):
        assert set(row) <= set(other), "other packages are measured where they are installed"
    assert len(capsys.readouterr().out.splitlines()) >= len(result["rows"])
