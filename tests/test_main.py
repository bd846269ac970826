"""``python -m ldp_book``: version, what is installed, where data come from."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import ldp_book
import ldp_core
import livefig
from ldp_book import __main__ as command

ROOT = Path(__file__).parents[1]


def run(code=None, **environment):
    clean = {key: value for key, value in os.environ.items() if not key.startswith("LDP_BOOK_")}
    arguments = ["-c", code] if code else ["-m", "ldp_book"]
    environment = clean | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"} | environment
    done = subprocess.run([sys.executable, *arguments], capture_output=True, encoding="utf-8", env=environment)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout


def test_it_says_version_folder_and_where_data_come_from(tmp_path):
    said = run(LDP_BOOK_DATA=str(tmp_path), LDP_BOOK_OFFLINE="1")
    assert said.startswith(f"Python {sys.version.split()[0]} on ")
    for package in (ldp_core, livefig, ldp_book):
        assert f"\n{package.__name__} {package.__version__} in {ROOT / package.__name__}\n" in said
    assert f"looked for in {tmp_path} (named by LDP_BOOK_DATA)" in said
    assert "not downloaded: LDP_BOOK_OFFLINE is set" in said


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"LDP_BOOK_DATA": "/no/such/folder"}, "no such folder"),
        ({"LDP_BOOK_UCI": "https://mirror.example.org/uci"}, "downloaded from https://mirror.example.org/uci"),
        ({"LDP_BOOK_UCI": "mirror"}, "not downloaded: LDP_BOOK_UCI must be an address"),
        ({}, "downloaded from https://archive.ics.uci.edu/"),
    ],
)
def test_what_the_environment_says_is_repeated(monkeypatch, environment, words):
    for name in ("LDP_BOOK_DATA", "LDP_BOOK_UCI", "LDP_BOOK_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert words in "\n".join(command.report())


def test_without_pandas_it_says_what_is_missing_and_loads_nothing():
    code = """
import importlib.util, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name: None if name == "pandas" else find(name)
from ldp_book import __main__
print("\\n".join(__main__.report()))
print([name for name in ("numpy", "pandas", "scipy", "sklearn", "matplotlib") if name in sys.modules])
"""
    said = run(code)
    assert "need pandas, which is not installed" in said
    assert said.endswith("[]\n")


@pytest.mark.parametrize("package", command.PACKAGES)
def test_requirements_are_those_of_the_project(package, monkeypatch):
    folder = ROOT if package == "ldp_core" else ROOT / package
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project.get("optional-dependencies", {})
    declared = [*project["dependencies"], *(f"{x}; extra == '{e}'" for e, lines in extras.items() for x in lines)]
    monkeypatch.setattr(command.metadata, "requires", lambda _: declared)
    found = {extra: [name + asked for name, asked in needed] for extra, needed in command.requirements(package).items()}
    others = [line for line in project["dependencies"] if not line.startswith(command.PACKAGES)]
    assert found == {"": [line.partition(";")[0] for line in others], **extras}


def test_a_version_that_is_too_old_is_said_to_be(monkeypatch):
    monkeypatch.setattr(
        command.metadata, "version", lambda name: {"numpy": "1.26.4", "pandas": "2.10.0"}.get(name, "99")
    )
    monkeypatch.setattr(command, "requirements", lambda _: {"": [("numpy", ">=2.0"), ("pandas", ">=2.3"), ("x", "")]})
    said = "\n".join(command.report()).splitlines()
    assert {line.split()[0] for line in said if line.endswith("TOO OLD")} == {"numpy"}
