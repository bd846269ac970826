"""The course as its chapters describe it: where one stands, what each needs, how long a path takes.

Titles, prerequisites and minutes are read from the chapters' own opening boxes, so no page repeats them by hand.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from tools import markdown, toc

#: Folders whose pages are not chapters to be learnt.
ASIDE = {"book", "teach", "practice", "appendix", "in-full"}
TIME = re.compile(r"\*\*Time\*\* (\d+) minutes[^.]*?(\d+) more for the [^.]+\.")


@dataclass(frozen=True)
class Chapter:
    """What a chapter says about itself in its opening box."""

    name: str
    part: str
    label: str
    title: str
    needs: tuple[str, ...]
    reading: int
    exercises: int


@cache
def chapters(root: Path) -> dict[str, Chapter]:
    """Chapters by label, in reading order."""
    found = {}
    for name, part in toc.parts(root):
        path = root / f"{name}.ipynb"
        if path.parent.name not in ASIDE:
            chapter = read(path, name, part)
            found[chapter.label] = chapter
    return found


def read(path: Path, name: str, part: str) -> Chapter:
    """Read one chapter's title, label and opening box; a ValueError says what is missing."""
    text = toc.markdown(path)
    _, label, title = next(markdown.headings(text), (0, "", ""))
    boxes = [directive.body for directive in markdown.directives(text) if directive.options.get("class") == "goals"]
    paragraphs = "\n\n".join(boxes).split("\n\n")
    needs = next((p for p in paragraphs if p.startswith("**You need** ")), None)
    time = next((m for p in paragraphs if (m := TIME.match(p))), None)
    found = {"label": label, "title": title, "needs": needs, "time": time}
    if missing := [what for what, value in found.items() if not value]:
        raise ValueError(f"{name}: the opening of the chapter must give {', '.join(missing)}")
    assert needs is not None
    assert time is not None
    return Chapter(
        name=name,
        part=part,
        label=label,
        title=title,
        needs=tuple(markdown.target(role.content) for role in markdown.roles(needs) if role.kind == "ref"),
        reading=int(time[1]),
        exercises=int(time[2]),
    )


class _CourseDirective(SphinxDirective):
    """What both directives share: the chapters, and links to them."""

    has_content = True

    def chapters(self) -> dict[str, Chapter]:
        """Chapters by label; the page is made anew when one of them changes."""
        root = Path(self.env.srcdir)
        for chapter in chapters(root).values():
            self.env.note_dependency(str(root / f"{chapter.name}.ipynb"))
        return chapters(root)

    def href(self, chapter: Chapter) -> str:
        """Address of the chapter from this page."""
        return posixpath.relpath(f"{chapter.name}.html", posixpath.dirname(self.env.docname) or ".")

    def link(self, chapter: Chapter) -> str:
        """A link with the chapter's title."""
        return f'<a href="{self.href(chapter)}">{escape(chapter.title)}</a>'

    def table(self, head: list[str], rows: list[list[str]], foot: list[str] | None = None) -> list[nodes.Node]:
        """A table of ready-made cells; the first cell of a row is its heading."""
        parts = ["<thead><tr>" + "".join(f'<th scope="col">{h}</th>' for h in head) + "</tr></thead><tbody>"]
        for row in rows:
            cells = "".join(f"<td>{cell}</td>" for cell in row[1:])
            parts.append(f'<tr><th scope="row">{row[0]}</th>{cells}</tr>')
        parts.append("</tbody>")
        if foot:
            parts.append(f'<tfoot><tr><th scope="row">{foot[0]}</th>')
            parts.append("".join(f"<td>{cell}</td>" for cell in foot[1:]) + "</tr></tfoot>")
        return [nodes.raw("", f'<table class="table course">{"".join(parts)}</table>', format="html")]


class CourseMap(_CourseDirective):
    """All chapters with what they need, as a map and as a table."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        """Make both."""
        found = self.chapters()
        rows = [
            [
                self.link(chapter),
                escape(chapter.part),
                ", ".join(self.link(found[need]) for need in chapter.needs) or "–",
                f"{chapter.reading} + {chapter.exercises}",
            ]
            for chapter in found.values()
        ]
        foot = ["all", "", "", f"{sum(c.reading for c in found.values())} + {sum(c.exercises for c in found.values())}"]
        head = ["chapter", "part", "needs", "minutes: reading + exercises"]
        drawing = nodes.raw("", self.drawing(found), format="html")
        return [drawing, *self.table(head, rows, foot)]

    def drawing(self, found: dict[str, Chapter]) -> str:
        """Give the parts one below the other, in each its chapters as boxes that name by number what they need."""
        number = {label: i for i, label in enumerate(found, start=1)}
        parts: dict[str, list[str]] = {}
        for label, chapter in found.items():
            needs = [number[need] for need in chapter.needs]
            after = f"after {', '.join(map(str, needs))}" if needs else "from scratch"
            parts.setdefault(chapter.part, []).append(
                f'<li value="{number[label]}" data-needs="{" ".join(map(str, needs))}"><a href="{self.href(chapter)}">'
                f"<b>{number[label]}</b> {escape(chapter.title)}<small>{after} · {chapter.reading} min</small></a></li>"
            )
        boxes = "".join(f"<dt>{escape(part)}</dt><dd><ol>{''.join(items)}</ol></dd>" for part, items in parts.items())
        return f'<dl class="course-map">{boxes}</dl>'


class CoursePath(_CourseDirective):
    """A plan: each line is ``heading: label, label``; minutes are added up from the chapters.

    The option ``exercises`` says that exercises are done too, not only reading.
    """

    option_spec = {"exercises": directives.flag, "unit": directives.unchanged_required}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        """Make the table."""
        found, rows, total = self.chapters(), [], 0
        with_exercises = "exercises" in self.options
        for line in filter(None, map(str.strip, self.content)):
            heading, _, labels = line.partition(":")
            names = [label.strip() for label in labels.split(",")]
            if unknown := [name for name in names if name not in found]:
                raise self.error(f"no chapter is labelled {', '.join(unknown)}")
            minutes = sum(found[n].reading + with_exercises * found[n].exercises for n in names)
            total += minutes
            rows.append([escape(heading), ", ".join(self.link(found[name]) for name in names), str(minutes)])
        head = [self.options.get("unit", "when"), "chapters", "minutes"]
        return self.table(head, rows, ["all", "", f"{total}"])


def here(root: Path, name: str) -> str:
    """Say where a chapter stands; empty for other pages."""
    order = list(chapters(root).values())
    for place, chapter in enumerate(order, start=1):
        if chapter.name == name:
            return (
                f'<p class="course-here">{escape(chapter.part)} · chapter {place} of {len(order)} · '
                f"{chapter.reading} min + {chapter.exercises} min of exercises</p>"
            )
    return ""


def _forget(app: Sphinx, *_: object) -> None:
    chapters.cache_clear()


def setup(app: Sphinx) -> None:
    """Register the directives."""
    ours: dict[str, type[Directive]] = {"course-map": CourseMap, "course-path": CoursePath}
    for name, directive in ours.items():
        app.add_directive(name, directive)
    app.connect("builder-inited", _forget)
