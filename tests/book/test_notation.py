"""The notation page keeps its promise: it has every letter that several chapters use."""

import re
from collections import Counter
from collections.abc import Iterator

from tools import markdown, toc
from tools.site import course
from tools.toc import ROOT

#: Where letters may be a page's own.
OWN = {"prf:proof", "exercise", "exercise-start", "solution", "solution-start"}
GREEK = r"\\(?:varepsilon|delta|theta|lambda|beta|eta|alpha|rho|sigma|mu|pi|Delta|Omega)(?![a-z])"
#: What is a name and no letter.
NAMES = re.compile(
    r"\\(?:text|operatorname|mathrm|mathit|mathbb|mathcal|begin|end|label)\s*\{[^{}]*\}|\\math(?:bb|cal) \w"
)


def running(text: str) -> Iterator[str]:
    for piece in markdown.pieces(text):
        if isinstance(piece, str):
            yield piece
        elif piece.name not in OWN:
            yield from running(piece.body)


def letters(text: str) -> set[str]:
    formulas = (a or b for a, b in re.findall(r"\$\$(.+?)\$\$|\$([^$]+)\$", text, re.DOTALL))
    bare = " ".join(NAMES.sub(" ", formula) for formula in formulas)
    return {*re.findall(GREEK, bare), *re.findall(r"(?<![\\A-Za-z])[A-Za-z](?![A-Za-z])", bare)}


def test_letters_are_found():
    text = r"$\hat c = \frac{n - q}{\operatorname{Lap}(b)}$ and $$e^{\varepsilon} \in \mathcal X$$ cost $ε$"
    assert letters(text) == {"c", "n", "q", "b", "e", r"\varepsilon"}


def test_every_letter_that_four_chapters_use_is_on_the_page():
    page = (ROOT / "book" / "appendix" / "notation.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\$.+?) \| ", page, re.MULTILINE)
    explained = letters(" ".join(rows))
    chapters = [path for path in toc.chapters() if path.parent.name not in course.ASIDE]
    used = Counter(letter for path in chapters for letter in letters("\n\n".join(running(toc.markdown(path)))))
    assert {letter for letter, times in used.items() if times >= 4} - explained == set()
