"""Numbers in a reader's notation: powers of ten, a true minus sign."""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import Literal

__all__ = ["RAISED", "in_words", "raised", "rounded"]

#: Digits and the minus sign of an exponent, raised.
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
#: A number as Python writes it with an exponent, and a minus sign before a digit.
_EXPONENT = re.compile(r"(?<![\w.])\d+(?:\.\d+)?e[-+]\d+\b")
_MINUS = re.compile(r"(?<!\w)-(?=\d)")


def raised(text: str) -> str:
    """Write a number with an exponent, a text as Python writes it, as a power of ten, as a reader does.

    Examples
    --------
    >>> raised("1e-05"), raised("2.5e-07"), raised("0.001")
    ('10⁻⁵', '2.5·10⁻⁷', '0.001')
    """
    mantissa, e, exponent = text.partition("e")
    if not e:
        return text
    power = "10" + str(int(exponent)).translate(RAISED)
    return power if mantissa == "1" else f"{mantissa}·{power}"


def in_words(text: str) -> str:
    """Write every number of a text as a reader does: with powers of ten, and true minus signs before digits.

    Examples
    --------
    >>> in_words("between -2.5e-07 and 3e+20")
    'between −2.5·10⁻⁷ and 3·10²⁰'
    """
    return _MINUS.sub("−", _EXPONENT.sub(lambda number: raised(number[0]), text))


def rounded(value: float, digits: int, way: Literal["up", "down"]) -> Decimal:
    """Round a finite value to so many digits one way, "up" or "down", so that "at most" or "at least" stays true.

    What the last bits of a computation add does not count: e to the power ln 3 is 3.
    """
    exact, slack = Decimal(value), Decimal("1e-12") * abs(Decimal(value))
    exact += -slack if way == "up" else slack
    return Context(prec=digits, rounding=ROUND_CEILING if way == "up" else ROUND_FLOOR).plus(exact)
