"""What the book's sliders of ε say: a factor that is called the largest is rounded up, at every position."""

import html
import json
import math
import re

import nbformat
import pytest

from tools.results import Results
from tools.toc import chapters

pytestmark = pytest.mark.site

SLIDER = re.compile(r'data-texts="([^"]*)" data-meanings="([^"]*)"')
FACTOR = re.compile(r"odds move by at most a factor ([\d.,]+)$")


def sentences():
    """Chapter, value and factor of every position of every such slider."""
    for path in chapters():
        for cell in nbformat.read(Results().file(path), as_version=4).cells:
            for output in cell.get("outputs", []):
                for lists in SLIDER.findall("".join(output.get("data", {}).get("text/html", ""))):
                    for value, meaning in zip(*(json.loads(html.unescape(texts)) for texts in lists), strict=True):
                        said = FACTOR.search(meaning)
                        if said and re.fullmatch(r"[\d.]+", value):  # tiny ones are powers of ten
                            yield path.stem, float(value), float(said[1].replace(",", ""))


def test_odds_move_by_no_more_than_is_said():
    found = list(sentences())
    assert len(found) > 300
    assert [one for one in found if one[2] < math.exp(one[1]) * (1 - 1e-9)] == []
