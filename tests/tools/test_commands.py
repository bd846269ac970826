"""What the README and its like tell a reader to type exists, with and without make."""

import contextlib
import importlib.util
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from importlib import metadata

import pytest
from packaging.specifiers import SpecifierSet

from tools import build
from tools.toc import ROOT

PAGES = [
    "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "book/teach/publish.md",
    "book/teach/for-teachers.md",
]  # fmt: skip
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def commands(page):
    """Lines of shell blocks, and code in a line that begins as a command does."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^ *```(?:bash|sh)\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)
    lines = [line.split("  #")[0].strip() for block in blocks for line in block.splitlines()]
    inline = re.findall(r"`((?:make|python -m|pip|jupyter) [^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    return [line for line in [*lines, *inline] if line and "..." not in line]


ALL = sorted({(page, line) for page in PAGES for line in commands(page)})


def options(module, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [module, "--help"])
    with pytest.raises(SystemExit, match=r"^0$"):
        runpy.run_module(module, run_name="__main__")
    return set(re.findall(r"--[a-z][a-z-]*", capsys.readouterr().out))


@pytest.mark.filterwarnings("ignore:.* found in sys.modules:RuntimeWarning")  # another test has imported it already
@pytest.mark.parametrize(("page", "line"), ALL)
def test_a_command_can_be_typed(page, line, monkeypatch, capsys):
    words = [word for word in shlex.split(line) if not re.fullmatch(r"LDP_BOOK_\w+=.*", word)]
    if words[0] == "make":
        assert words[1] in re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE)
        for variable in words[2:]:
            assert re.search(rf"\b{variable.split('=')[0]}\b.*\?=|\$\({variable.split('=')[0]}\)", MAKEFILE), variable
    elif words[:2] == ["python", "-m"] and words[2].split(".")[0] in {"tools", "ldp_book", "ldp_core", "benchmarks"}:
        if "X" not in words[2]:
            assert importlib.util.find_spec(words[2])
            used = {word for word in words[3:] if word.startswith("--")}
            assert not used or used <= options(words[2], monkeypatch, capsys)
    elif words[:2] == ["python", "-m"]:
        assert words[2] in {"venv", "pip", "pytest", "build"}
    elif words[0] == "nbgrader":  # as tried with 0.9.6
        assert words[1] in {"generate_assignment", "autograde", "generate_feedback", "export"}
        assert all(list((ROOT / "book").rglob(f"{chapter}.ipynb")) for chapter in words[2:])
    else:
        assert words[0] in {"pip", "jupyter", "source"}
    for name in words:
        if re.fullmatch(r"(requirements|constraints)[\w-]*\.txt", name):
            assert (ROOT / name).is_file()


def test_the_way_without_make_is_the_same():
    """It installs what the Makefile installs, and builds and serves with the same modules."""
    told = " ".join(line for _, line in ALL)
    for part in ("-c constraints.txt", "--no-deps -e .", "-m tools.build", "-m tools.serve _build/html"):
        assert part in told
        assert part in MAKEFILE


def test_help_lists_every_target_and_no_other():
    (phony,) = re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    listed = re.findall(r"^([a-z]+):.*##  ?\S", MAKEFILE, re.MULTILINE)
    assert sorted(phony.split()) == sorted(listed)
    if shutil.which("make"):
        done = subprocess.run(["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True)
        assert re.findall(r"^  make ([a-z]+) +\S", done.stdout, re.MULTILINE) == listed


def variables(text):
    return set(re.findall(r"\bLDP_BOOK_[A-Z_]*[A-Z]\b", text))


def test_every_variable_that_is_read_is_explained_in_one_place_and_no_other_is():
    """Those of a copy on the page on publishing, those of data on the page on data, those of tests in CONTRIBUTING."""
    read = {
        name
        for folder in ("ldp_core", "tools", "tests", ".ci")
        for path in (ROOT / folder).rglob("*")
        if path.suffix == ".py" or path.name == "run"
        for name in variables(path.read_text(encoding="utf-8"))
    }
    told = {
        page: (ROOT / page).read_text(encoding="utf-8") for page in [*PAGES, "book/appendix/data.ipynb", "Makefile"]
    }
    copy = variables("".join(re.findall(r"^\| `\w+` \|", told["book/teach/publish.md"], re.MULTILINE)))
    data = variables("".join(re.findall(r'"- `\w+', told["book/appendix/data.ipynb"])))
    tests = variables(told["CONTRIBUTING.md"]) - copy - data
    assert not copy & data
    assert copy | data | tests == read
    assert set.union(*map(variables, told.values())) == read


def test_no_pin_needs_a_newer_python_than_is_promised():
    """Debian 12 has 3.11.2; installed are the pinned versions."""
    promised = re.search(r'requires-python = ">=([\d.]+)', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))[1]
    pins = re.findall(r"^([\w.-]+)==", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    needs = {}
    for name in pins:
        with contextlib.suppress(metadata.PackageNotFoundError):
            needs[name] = metadata.metadata(name).get("Requires-Python") or ""
    assert len(needs) > 150
    assert not {name: need for name, need in needs.items() if f"{promised}.0" not in SpecifierSet(need)}


@pytest.mark.parametrize("name", ["REPOSITORY", "ADDRESS", "CONTACT", "PYODIDE"])
def test_a_slip_in_a_variable_is_told_before_anything_is_executed(monkeypatch, capsys, name):
    monkeypatch.setenv(f"LDP_BOOK_{name}", "no such thing")
    monkeypatch.setattr(build, "execute", lambda *_: pytest.fail("chapters are executed first"))
    monkeypatch.setattr(sys, "argv", ["build"])
    assert build.main() == 1
    assert f"LDP_BOOK_{name} must be " in capsys.readouterr().err


def test_no_file_is_a_link_and_no_two_differ_in_capitals_only():
    done = subprocess.run(["git", "ls-files", "-s"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("no clone")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert not [name for attributes, name in rows if attributes.startswith("120000")]
    names = [name for _, name in rows]
    assert len({name.casefold() for name in names}) == len(names)
