"""What an import costs: nothing for the package, NumPy and nothing else for a mechanism."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEAVY = ["pandas", "matplotlib", "sklearn", "scipy", "requests", "IPython", "ipywidgets"]


@pytest.mark.parametrize(
    ("modules", "unwanted"),
    [
        ("ldp_core", ["numpy", *HEAVY]),
        ("ldp_book.__main__", ["numpy", *HEAVY]),
        ("ldp_core.frequency, ldp_core.postprocess, ldp_book.faults.frequency, livefig", HEAVY),
        ("ldp_core.poisoning", [*HEAVY, "ldp_core.numeric", "ldp_core.learn"]),
        ("ldp_core.learn.components, ldp_core.learn.feature_selection", ["ldp_core.frequency"]),
        ("ldp_book.datasets as d; d.load('adult', source='standin')", ["matplotlib", "sklearn", "scipy", "requests"]),
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


def test_what_an_extra_installs_is_named_with_the_extra():
    code = """
import sys
sys.modules["sklearn"] = None  # as if it were not installed
try:
    from ldp_core.learn import LDPBayes
except ModuleNotFoundError as error:
    print(error.name, error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith('sklearn ldp_core.learn needs sklearn, which the extra "learn" installs')
    assert 'pip install ".[learn]"' in done.stdout


@pytest.mark.parametrize(
    ("package", "never"),
    [("ldp_core", {"livefig", "ldp_book", "tools"}), ("livefig", {"ldp_core", "ldp_book", "tools"})],
)
def test_no_arrow_runs_back_up(package, never):
    """Not even inside a function, for types only, or in a docstring."""
    for path in (ROOT / package).rglob("*.py"):
        if "tests" not in path.parts and "demo" not in path.parts:
            text = path.read_text(encoding="utf-8")
            assert not re.search(rf":`[~.]?({'|'.join(sorted(never))})\.", text), path
            tree = ast.parse(text)
            named = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
            named += [str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
            assert {name.partition(".")[0] for name in named} & never == set(), path
