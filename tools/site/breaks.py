"""A symbol and its value stay on one line: the spaces in ``ε = 1`` do not break.

Pages are changed, not what they are made from, so the search's index and the sources keep plain spaces.
"""

from __future__ import annotations

import re

#: What is left as it is: code, pictures, raw formulas, and every tag.
KEPT = (
    r"<(?P<whole>pre|code|script|style|svg|textarea)\b.*?</(?P=whole)>"
    r'|<(?P<around>span|div) class="math\b.*?</(?P=around)>'
    r"|<[^>]*>"
)
#: One letter (Δu counts as one), what it is compared by, and at once what with; either may stand in an element.
COMPARED = r"(?<!\w)(?P<symbol>Δ?[^\W\d_][₀-₉′]*)(?:</\w+>)* (?P<sign>[=≈≠<>≤≥∈]|&lt;|&gt;) (?P<ln>ln )?(?=\S)"
PIECE = re.compile(f"{KEPT}|{COMPARED}", re.DOTALL)
NO_BREAK = "\N{NO-BREAK SPACE}"


def bind(body: str) -> str:
    """Return a page's body with such comparisons bound."""

    def bound(match: re.Match[str]) -> str:
        return match[0].replace(" ", NO_BREAK) if match["sign"] else match[0]

    return PIECE.sub(bound, body)
