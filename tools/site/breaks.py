"""Where a line may break: not in ``ε = 1``, whose spaces do not; in code, where its grammar has a joint.

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

#: Highlighted code; what was printed looks like it, as ``myst-ansi``, and is left as it is.
CODE = re.compile(
    r'(?<!myst-ansi notranslate"><div class="highlight"><pre>)(?<=<div class="highlight"><pre>).*?(?=</pre>)', re.DOTALL
)
#: A joint: a dot between names, or a comma or an opening parenthesis with something behind it. Comments and strings
#: are words, with spaces. An option of a command is a word too, although a browser breaks it after its hyphens.
JOINT = re.compile(
    r'<span class="[cs]\w*">[^<]*</span>'
    r"|<[^>]*>"
    r"|(?P<option>(?<![\w-])--\w[\w-]*)"
    r"|(?P<joint>(?<![\d.])\.(?=(?:<[^>]*>)*[^\W\d])|[,(]+(?=(?:<[^>]*>)*[^\s<,.)\]}]))"
)
#: Where the same stands in a sentence.
OPTION = re.compile(r'(?<=<span class="pre)(?=">--\w[\w-]*</span>)')


def bind(body: str) -> str:
    """Return a page's body with such comparisons bound."""

    def bound(match: re.Match[str]) -> str:
        return match[0].replace(" ", NO_BREAK) if match["sign"] else match[0]

    return PIECE.sub(bound, body)


def joint(body: str) -> str:
    """Return a page's body whose code may be broken at its joints; without them a browser breaks it inside names.

    Nothing is seen of the element that allows it, and nothing of it is copied.
    """

    def opened(match: re.Match[str]) -> str:
        if match["option"]:
            return f'<span class="kept">{match[0]}</span>'
        return f"{match[0]}<wbr>" if match["joint"] else match[0]

    return OPTION.sub(" kept", CODE.sub(lambda block: JOINT.sub(opened, block[0]), body))
