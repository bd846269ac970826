"""The first page: who made the book, where to begin, how to cite it."""

from __future__ import annotations

import posixpath
from html import escape
from pathlib import Path
from typing import Any

import yaml
from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from tools.site import course


class _Citation(SphinxDirective):
    """What CITATION.cff says."""

    def about(self) -> dict[str, Any]:
        """Read it; the page is made anew when it changes."""
        path = Path(self.env.srcdir) / "CITATION.cff"
        self.env.note_dependency(str(path))
        about: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
        about["year"] = str(about.get("date-released") or self.config.copyright)[:4]
        return about


class Byline(_Citation):
    """Who made the book, and when, in one line."""

    def run(self) -> list[nodes.Node]:
        """Make the line."""
        about = self.about()
        authors = ", ".join(a.get("name") or f"{a['given-names']} {a['family-names']}" for a in about["authors"])
        return [nodes.paragraph("", f"{authors} · {about['year']}", classes=["course-here"])]


class Begin(SphinxDirective):
    """The way to the first chapter, which is what to do here; the argument says so."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Make the link."""
        first = next(iter(course.chapters(Path(self.env.srcdir)).values()))
        href = posixpath.relpath(f"{first.name}.html", posixpath.dirname(self.env.docname))
        return [nodes.raw("", f'<p class="begin"><a href="{href}">{escape(self.arguments[0])}</a></p>', format="html")]


class HowToCite(_Citation):
    """Version, date if it is released, and an entry for a bibliography, from CITATION.cff."""

    def run(self) -> list[nodes.Node]:
        """Make the entry."""
        about = self.about()
        title, _, subtitle = about["title"].partition(": ")
        day, year = about.get("date-released", ""), about["year"]
        authors = " and ".join(
            f"{{{a['name']}}}" if "name" in a else f"{a['family-names']}, {a['given-names']}" for a in about["authors"]
        )
        entry = "\n".join(
            [
                "@book{ldp-live,",
                f"  author  = {{{authors}}},",
                f"  title   = {{{title}}},",
                f"  subtitle = {{{subtitle[:1].upper()}{subtitle[1:]}}},",
                f"  year    = {{{year}}},",
                f"  version = {{{about['version']}}},",
                "}",
            ]
        )
        said = f"This is version {about['version']}{f' of {day}' if day else ', which is not released yet'}."
        block = nodes.literal_block(entry, entry, language="none")
        return [nodes.paragraph("", said), block]


def setup(app: Sphinx) -> None:
    """Register the directives."""
    ours: dict[str, type[Directive]] = {
        "begin": Begin,
        "byline": Byline,
        "how-to-cite": HowToCite,
    }
    for name, directive in ours.items():
        app.add_directive(name, directive)
