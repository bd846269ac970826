"""A page around its text: what a link to it shows elsewhere, numbers of chapters, exercises with their level."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any

import nbformat
import segno
from docutils import nodes
from nbformat import NotebookNode
from sphinx.application import Sphinx
from sphinx_exercise.nodes import exercise_enumerable_node, exercise_node, solution_node  # type: ignore[import-untyped]

from tools import toc
from tools.plain import prompt
from tools.site import course

#: Exercise 1.3 (Warner's cards (level 2)): number, title, level.
EXERCISE = re.compile(
    r'<span class="caption-number">(Exercise [\dA.]+) </span> \((.+) \((level [123]|transfer)\)\)(?=</p>)'
)
#: The title of a solution repeats that of the exercise above it.
SOLUTION = re.compile(r'(?<=<p class="admonition-title">)Solution to<a [^>]*> Exercise [\dA.]+ \(.*?\)</a>(?=</p>)')
VIEWPORT = re.compile(r'\s*<meta name="viewport"[^>]*/?>')
#: Aims hold no other box.
GOALS = re.compile(
    r'<div class="goals admonition">\s*<p class="admonition-title">.*?</p>'
    r"(?:\s*<p><strong>You will be able to</strong></p>)?(.*?)</div>",  # the fold says it
    re.DOTALL,
)
#: What stands in a solution before what its check compares with.
CHECK = "What the check compares with:"
LIVE = re.compile(r'<figure class="lf-figure lf-live" id="([^"]+)".*?(?=</figure>)', re.DOTALL)
MARKUP = re.compile(r"[*`]|\{[a-z:]+\}|<[^>]*>|\$")


def answers_in_solutions(notebook: NotebookNode) -> None:
    """Let what a check compares with be the end of the exercise's solution, on the page; it was run before it."""
    cells = list(notebook.cells)
    for answer in notebook.cells:
        if "hide-input" not in answer.metadata.get("tags", []) or not prompt(answer).endswith("(the answer is in it)"):
            continue
        texts = [cell for cell in cells[cells.index(answer) + 1 :] if cell.cell_type == "markdown"]
        if not texts or "{solution-start}" not in texts[0].source:
            continue  # a form to fill in has no solution
        end = next(cell for cell in texts if "{solution-end}" in cell.source)
        cells.remove(answer)
        del answer.metadata["tags"]
        said = nbformat.v4.new_markdown_cell(CHECK)
        cells[cells.index(end) : cells.index(end)] = [said, answer]
    notebook.cells = cells


def frame_exercises(app: Sphinx, doctree: nodes.document, name: str) -> None:
    """Put all that belongs to an exercise into one element: ``div.ldp-exercise``.

    In it stand, as siblings, ``div.exercise``, its cells (the one to fill in, a question's form) and ``div.solution``.
    """
    for exercise in list(doctree.findall(lambda n: isinstance(n, exercise_node | exercise_enumerable_node))):
        around = exercise.parent
        start = around.index(exercise)
        below = around.children[start:]
        size = next((i for i, node in enumerate(below, start=1) if isinstance(node, solution_node)), 1)
        card = nodes.container("", *below[:size], classes=["ldp-exercise"])
        around.children[start : start + size] = []
        around.insert(start, card)


def description(root: Path, name: str) -> str:
    """The first paragraph below a page's title, without its markup, for whoever sees a link to it."""
    _, _, below = f"\n{toc.text(root, name)}".partition("\n# ")
    blocks = [block.strip() for block in below.split("\n\n")[1:]]
    plain = next((block for block in blocks if re.match(r"[*\w]", block)), "")
    words = " ".join(MARKUP.sub("", plain).split())
    return words if len(words) <= 200 else words[:200].rsplit(" ", 1)[0] + " …"


def head(root: Path, name: str, context: dict[str, Any], base: str) -> None:
    """What another site shows of a link to the page; and one view port where the theme has three."""
    site, title = context["docstitle"] or context["project"], MARKUP.sub("", context.get("title", ""))
    if title == site:
        context["docstitle"] = ""
    tags = [VIEWPORT.sub("", context.get("metatags", ""))]
    if text := description(root, name):
        tags.append(f'<meta name="description" content="{escape(text)}" />')
        tags.append(f'<meta property="og:description" content="{escape(text)}" />')
    tags.append(f'<meta property="og:title" content="{escape(title)}" />')
    tags.append(f'<meta property="og:site_name" content="{escape(site)}" />')
    tags.append('<meta property="og:type" content="article" />')
    if base:  # others want whole addresses
        tags.append(f'<meta property="og:image" content="{base.rstrip("/")}/_static/screenshot.png" />')
    if number := numbers(root).get(name):
        tags.append(f'<style>:root {{ --chapter: "{number} " }}</style>')
    context["metatags"] = "\n    ".join(tags)


def body(text: str) -> str:
    """Let folds and exercises be called what they are, and figures say their size, on which that of letters depends."""
    text = text.replace('<summary aria-label="Toggle hidden content">', "<summary>")
    text = SOLUTION.sub(_solution, text)
    text = GOALS.sub(_folded_goals, text)
    return EXERCISE.sub(r'<span class="caption-number">\1 </span> \2 <span class="exercise-level">\3</span>', text)


def codes(text: str, address: str) -> str:
    """Give each live figure of a page a code that leads from paper to it (book.css shows it there only)."""

    def with_code(match: re.Match[str]) -> str:
        code = segno.make_qr(f"{address}#{match[1]}", error="m", boost_error=False)
        return f'{match[0]}<div class="qr" aria-hidden="true">{code.svg_inline(border=4, omitsize=True)}</div>'

    return LIVE.sub(with_code, text)


def _solution(match: re.Match[str]) -> str:
    """What a solution is called: with what the check compares with it ends, if there is a check."""
    below = match.string[match.end() :].partition('<div class="exercise')[0]
    return "Solution and check" if CHECK in below else "Solution"


def _folded_goals(match: re.Match[str]) -> str:
    """A chapter's aims as one line that opens."""
    return (
        f'<details class="goals admonition"><summary class="admonition-title">You will be able to …</summary>'
        f"{match[1]}</details>"
    )


def numbers(root: Path) -> dict[str, int]:
    """The number of each chapter, by its page's name."""
    return {chapter.name: i for i, chapter in enumerate(course.chapters(root).values(), start=1)}


def _number_the_sidebar(app: Sphinx) -> None:
    rules = [
        # From a chapter of the same folder the address is the file's name alone.
        f'.bd-links a:is([href$="{name.removeprefix("book/")}.html"], [href="{Path(name).name}.html"])::before '
        f'{{ content: "{number} " }}'
        for name, number in numbers(Path(app.srcdir)).items()
    ]
    rules.append('.bd-links li.current.active > a[href="#"]::before { content: var(--chapter, none) }')
    Path(app.outdir, "_static", "chapters.css").write_text("\n".join(rules) + "\n", encoding="utf-8")


def _finish(app: Sphinx, error: Exception | None) -> None:
    if not error and app.builder.format == "html":
        _number_the_sidebar(app)


def setup(app: Sphinx) -> None:
    """Number the chapters in the sidebar, and let an exercise be one element."""
    app.add_css_file("chapters.css")
    app.connect("doctree-resolved", frame_exercises)
    app.connect("build-finished", _finish)
