"""One version, wherever it is said; a changelog that has it; whom a privacy bug is told to."""

import re
import tomllib
from datetime import date

import yaml

import ldp_core
from tools.toc import ROOT

CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
#: Versions of the changelog, newest first, with their dates.
RELEASES = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$", CHANGELOG, re.MULTILINE)


def test_the_package_says_the_version_and_everything_else_repeats_it():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    newest, day = RELEASES[0]
    version, _, development = ldp_core.__version__.partition(".dev")
    assert citation["version"] == ldp_core.__version__
    if development:  # on the way to that version: it has no date, and no copy of it can be taken for the last release
        assert tuple(map(int, version.split("."))) > tuple(map(int, newest.split(".")))
        assert "date-released" not in citation
    else:
        assert version == newest
        assert date.fromisoformat(day) == citation["date-released"]


def test_nothing_but_the_package_sets_the_version():
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert pyproject["project"]["dynamic"] == ["version"]
    assert pyproject["tool"]["hatch"]["version"]["path"] == "ldp_core/__init__.py"


def test_the_changelog_begins_with_what_is_unreleased_and_goes_back_in_time():
    headings = re.findall(r"^## (.+)$", CHANGELOG, re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    assert len(headings) == len(RELEASES) + 1, "every other heading is [x.y.z] - year-month-day"
    order = [tuple(map(int, version.split("."))) for version, _ in RELEASES]
    assert order == sorted(order, reverse=True)
    kinds = set(re.findall(r"^### (.+)$", CHANGELOG, re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert "`FutureWarning`" in CHANGELOG.partition("## ")[0], "the deprecation policy"


def test_a_privacy_bug_is_told_to_whoever_publishes():
    policy = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "LDP_BOOK_CONTACT" in policy
    assert not re.search(r"https?://|[\w.]+@[\w.]+", policy), "no address of anybody's"
    assert f"*{(ROOT / 'book/appendix/errata.md').read_text(encoding='utf-8').splitlines()[1][2:]}*" in policy
