"""The one run that a page shows is what to expect: no accident of a seed, unless the page says so."""

import json
from pathlib import Path
from statistics import NormalDist

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.site


def bound(entries, chance=0.05):
    """Largest of so many independent |z| that comes by chance in one run of twenty; at least 2."""
    return max(2.0, NormalDist().inv_cdf((1 + (1 - chance) ** (1 / entries)) / 2))


def test_no_run_is_an_accident(capsys):
    freaks, lines = [], []
    files = sorted((ROOT / "_build").glob("runs*.json"))  # of the site, and of the check with other data
    for page, of_page in [pair for file in files for pair in json.loads(file.read_text(encoding="utf-8")).items()]:
        for label, run in of_page.items():
            worst = max(map(abs, run["z"]))
            said = run["lesson"] and f" ({run['lesson']})"
            lines.append(f"{page}: {label}: |z| <= {worst:.2f} of {len(run['z'])}{said}")
            if worst > bound(len(run["z"])) and not run["lesson"]:
                freaks.append(lines[-1])
    with capsys.disabled():
        print("\n" + "\n".join(lines))
    assert len(lines) >= 10, "chapters put their single runs on record with one_run()"
    assert freaks == []


def test_bound():
    assert bound(1) == 2.0
    assert bound(14) == pytest.approx(2.906, abs=0.01)
