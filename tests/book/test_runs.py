"""What executed chapters show: numbers that the text uses, and runs that are no accident of a seed."""

import json
from statistics import NormalDist

import pytest

from ldp_book.chapter import ONE_RUN
from tools import markdown, toc
from tools.results import Results, glued
from tools.toc import ROOT

pytestmark = pytest.mark.site


def bound(entries, chance=0.05):
    """Largest of so many independent |z| that comes by chance in one run of twenty; at least 2."""
    return max(2.0, NormalDist().inv_cdf((1 + (1 - chance) ** (1 / entries)) / 2))


@pytest.mark.parametrize("path", toc.chapters(), ids=lambda path: path.stem)
def test_numbers_in_prose_come_from_the_run(path):
    used = {role.content for role in markdown.roles(toc.markdown(path)) if role.kind == "glue:text"}
    given = {name for name in glued(Results().get(path)) if not name.startswith(ONE_RUN)}
    assert used == given, f"used but not glued: {used - given}; glued but not used: {given - used}"


def test_no_run_is_an_accident(capsys):
    freaks, lines = [], []
    files = sorted((ROOT / "_build").glob("runs*.json"))  # of the site, and of the check with other data
    for page, of_page in [pair for file in files for pair in json.loads(file.read_text(encoding="utf-8")).items()]:
        for label, run in of_page.items():
            worst = max(map(abs, run["z"]))
            lines.append(f"{page}: {label}: |z| <= {worst:.2f} of {len(run['z'])}")
            if worst > bound(len(run["z"])):
                freaks.append(lines[-1])
    with capsys.disabled():
        print("\n" + "\n".join(lines))
    assert len(lines) >= 10, "chapters put their single runs on record with one_run()"
    assert freaks == []
