"""The versions that the package is tested with: floors of pyproject.toml, and pins that fit them."""

import re

import pytest

from tools import versions
from tools.toc import ROOT

FLOORS = versions.floors()


def number(version):
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


@pytest.mark.parametrize("floor", FLOORS)
def test_the_book_s_pin_is_allowed_by_the_package(floor):
    name, least = floor.split(">=")
    pins = dict(re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.M))
    pins |= dict(re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / "requirements-dev.txt").read_text(encoding="utf-8"), re.M))
    assert number(pins[name]) >= number(least)


def test_the_reader_s_half_of_the_requirements_is_what_the_package_declares():
    reader, _ = (ROOT / "requirements.txt").read_text(encoding="utf-8").split("# The author's side")
    book = {floor.split(">=")[0] for floor in FLOORS} - {"distributed"}
    assert set(re.findall(r"^([\w.-]+)==", reader, re.M)) == book


def test_what_the_browser_s_python_ships_is_allowed():
    """Pyodide 314.0.6, the release that the README names."""
    shipped = {"numpy": "2.4.6", "pandas": "2.3.3", "matplotlib": "3.10.8", "scikit-learn": "1.9.0", "scipy": "1.18.0"}
    for floor in FLOORS:
        name, least = floor.split(">=")
        if name in shipped:
            assert number(shipped[name]) >= number(least)


def test_lowest_and_newest():
    lowest, newest = versions.requirements("lowest"), versions.requirements("newest")
    assert [re.split("[=>]", line)[0] for line in lowest] == [re.split("[=>]", line)[0] for line in newest]
    assert "pandas==2.3.*" in lowest
    assert "ncompress==1.0.2" in lowest
    assert "pandas>=2.3" in newest
    assert all("==" in line for line in lowest)
    assert newest[-len(versions.TESTING) :] == versions.TESTING


@pytest.mark.parametrize("line", ["numpy", "numpy==2.0", "numpy>=2.0,<3", "numpy >= 2.0"])
def test_a_requirement_of_another_form_is_refused(line):
    with pytest.raises(ValueError, match="requirement must be name>=version, got"):
        versions.lowest(line)


def test_the_tests_that_are_named_exist():
    for name in versions.TESTS:
        assert (ROOT / name.removeprefix("--ignore=")).exists()
