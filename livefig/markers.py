"""Equal markers of a drawing as one path: a frame on the page is then one element where there were hundreds."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ElementTree

__all__ = ["MANY", "merge"]

_SVG, _HREF = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
#: As many markers of one kind, next to each other, are worth it.
MANY = 6
_COLOUR = re.compile(r"\b(fill|stroke): ([^;]+)")
_STEP = re.compile(r"([MLCz])([^MLCz]*)")


def merge(root: ElementTree.Element) -> None:
    """Put markers that follow one another and look the same into one path of the drawing, root, which is changed.

    Left alone are markers that can be seen through or have an edge of another colour, since one sees where two of them
    lie on one another; and those that a page moves. Where a page chooses which of them are seen, the path says where
    each of them is and what that follows.
    """
    parents = {child: parent for parent in root.iter() for child in parent}
    shapes = {f"#{part.get('id')}": part for part in root.iter(f"{_SVG}path") if part.get("id")}
    for parent in list(root.iter()):
        if sum(child.tag == f"{_SVG}use" for child in parent) < MANY:
            continue
        children: list[ElementTree.Element] = []
        for (target, style, _), found in itertools.groupby(parent, key=_kind):
            run = list(found)
            shape = shapes.get(target)
            if shape is None or len(run) < MANY:
                children += run
                continue
            whole = "; ".join(filter(None, (style, shape.get("style"))))  # its own comes last, and wins
            seen_as = "; ".join([whole, *(part.get("style", "") for part in (parent, parents.get(parent, parent)))])
            colours = {value for name, value in _COLOUR.findall(seen_as) if value != "none"}
            codes = [one.get("data-seen", "").split() for one in run]
            first = codes[0]
            if first:  # each follows the next number that was drawn
                row = [[str(int(first[0]) + i), str(int(first[0]) + i + 1), *first[2:]] for i in range(len(run))]
            if "opacity" in seen_as or len(colours) > 1 or (first and codes != row):
                children += run
                continue
            *begin, outline = _outline(shape.get("d", ""))
            places = [
                " ".join(_n(at + float(one.get(name, 0))) for at, name in zip(begin, "xy", strict=True)) for one in run
            ]
            seen = [place for place, one in zip(places, run, strict=True) if not one.get("display")]
            path = ElementTree.Element(
                f"{_SVG}path", {"d": "".join(f"M{place}{outline}" for place in seen), "style": whole}
            )
            if first:
                path.attrib |= {"data-some": " ".join(first), "data-at": ";".join(places), "data-outline": outline}
            children.append(path)
        parent[:] = children
    used = {part.get(_HREF) for part in root.iter(f"{_SVG}use")}
    for parent in list(root.iter(f"{_SVG}defs")):
        parent[:] = [child for child in parent if child.tag != f"{_SVG}path" or f"#{child.get('id')}" in used]


def _kind(part: ElementTree.Element) -> tuple[str, str, bool]:
    plain = part.tag == f"{_SVG}use" and set(part.attrib) <= {_HREF, "x", "y", "style", "data-seen", "display"}
    return (
        (part.get(_HREF, ""), part.get("style", ""), "data-seen" in part.attrib)
        if plain
        else ("", str(id(part)), False)
    )


def _outline(d: str) -> tuple[float, float, str]:
    """Where a marker's outline begins, and the rest of it relative to that; a circle of curves is two arcs."""
    steps = [(command, [float(number) for number in numbers.split()]) for command, numbers in _STEP.findall(d)]
    kinds = "".join(command for command, _ in steps)
    x, y = steps[0][1]
    if kinds.rstrip("z") == "M" + 8 * "C" and x == 0:  # Matplotlib's circle begins at its top
        return x, y, f"a{_n(abs(y))} {_n(abs(y))} 0 1 0 0 {_n(-2 * y)}a{_n(abs(y))} {_n(abs(y))} 0 1 0 0 {_n(2 * y)}z"
    text, at = "", (x, y)
    for command, numbers in steps[1:]:
        moved = [number - at[i % 2] for i, number in enumerate(numbers)]
        text += command.lower() + " ".join(map(_n, moved))
        at = (numbers[-2], numbers[-1]) if numbers else (x, y)
    return x, y, text


def _n(number: float) -> str:
    return f"{round(number, 2) + 0.0:.2f}".rstrip("0").rstrip(".")  # never −0
