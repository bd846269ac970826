"""The course page's map and plans come from the chapters, and hold together."""

import pytest

from tools import toc
from tools.site import course
from tools.toc import ROOT


def weeks():
    """The long course's plan: for each week, its chapters' labels."""
    text = (ROOT / "book" / "course.md").read_text(encoding="utf-8")
    plan = text.split(":exercises:")[1].split("```")[0]
    return [[label.strip() for label in line.partition(":")[2].split(",")] for line in plan.strip().splitlines()]


@pytest.fixture(scope="module")
def found():
    return course.chapters(ROOT)


def test_what_a_chapter_needs_comes_before_it(found):
    order = list(found)
    for label, chapter in found.items():
        for need in chapter.needs:
            assert need in found, f"{label} needs {need}, which is no chapter"
            assert order.index(need) < order.index(label), f"{label} needs {need}, which comes later"


def test_minutes_are_those_of_a_sitting(found):
    for label, chapter in found.items():
        assert 20 <= chapter.reading <= 90, f"minutes to read {label}"
        assert 20 <= chapter.exercises <= 90, f"minutes for the exercises of {label}"


def test_no_two_pages_have_one_file_name():
    """The sidebar's numbers find a chapter of the same folder by it."""
    names = [name.rpartition("/")[2] for name in toc.contents()]
    assert len(set(names)) == len(names)


def test_the_long_course_leaves_no_chapter_out(found):
    planned = [label for week in weeks() for label in week]
    assert set(planned) == set(found), "in the weeks of book/course.md, chapters stand by the label at their top"
    assert len(planned) == len(set(planned))


def test_a_week_needs_no_later_one(found):
    before = set()
    for week in weeks():
        before.update(week)
        missing = {need for label in week for need in found[label].needs} - before
        # its exhibits on numbers wait, as the page says
        assert missing <= ({"one-number", "many-dimensions"} if "break-the-listing" in week else set()), week


def test_a_week_of_reading_is_three_hours_at_most(found):
    assert all(sum(found[label].reading for label in week) <= 180 for week in weeks())


def test_a_chapter_without_its_opening_box_is_refused(tmp_path):
    import nbformat

    cell = nbformat.v4.new_markdown_cell("(x)=\n# Title\n\n**You need** nothing.\n\n**Time** 5 minutes.")
    box = nbformat.v4.new_markdown_cell(
        ":::{admonition}\n:class: goals\n**You need** nothing.\n\n**Time** a while.\n:::"
    )
    for cells, missing in (([cell], "needs, time"), ([cell, box], "time")):
        nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "x.ipynb")
        with pytest.raises(ValueError, match=f"^book/x: the opening of the chapter must give {missing}$"):
            course.read(tmp_path / "x.ipynb", "book/x", "part")


def test_where_a_page_stands(found):
    first = next(iter(found.values()))
    assert f"chapter 1 of {len(found)}" in course.here(ROOT, first.name)
    assert course.here(ROOT, "book/intro") == ""
