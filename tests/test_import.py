"""What an import costs: nothing for the package, NumPy and nothing else for a mechanism."""

import subprocess
import sys

import pytest

HEAVY = ["pandas", "matplotlib", "sklearn", "scipy", "requests", "IPython", "ipywidgets"]


@pytest.mark.parametrize(
    ("modules", "unwanted"),
    [
        ("ldp_core", ["numpy", *HEAVY]),
        ("ldp_book.__main__", ["numpy", *HEAVY]),
        ("ldp_core.frequency, ldp_core.postprocess, ldp_book.faults.frequency", HEAVY),
    ],
)
def test_an_import_loads_no_more_than_it_needs(modules, unwanted):
    code = f"import sys, {modules}\nprint([name for name in {unwanted!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_one_function_of_the_package_itself_is_found_and_nothing_else():
    import ldp_core

    assert "secure_rng" in dir(ldp_core)
    assert ldp_core.secure_rng().integers(10) in range(10)
    with pytest.raises(AttributeError, match="no attribute 'secure_ring'"):
        ldp_core.secure_ring  # noqa: B018


@pytest.mark.parametrize(
    ("code", "missing", "part"),
    [
        ("import ldp_book.datasets", "pandas", "ldp_book.datasets"),
        ("from ldp_core import anonymity", "pandas", "ldp_core.anonymity"),
        ("from ldp_core.learn import DPNaiveBayes", "sklearn", "ldp_core.learn"),
    ],
)
def test_what_an_extra_installs_is_named_with_the_extra(code, missing, part):
    found = f"""
import sys
sys.modules[{missing!r}] = None  # as if it were not installed
try:
    {code}
except ModuleNotFoundError as error:
    print(error.name, error)
"""
    done = subprocess.run([sys.executable, "-c", found], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"{missing} {part} needs {missing}, which the extra")
    assert 'pip install ".[book]"' in done.stdout
