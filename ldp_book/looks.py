"""What the book's figures know of its subject: looks of mechanisms and roles, and what a slider of ε means."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, Context

from ldp_core._validate import check_non_negative
from livefig.controls import register_meaning
from livefig.looks import Look, register_looks
from livefig.words import raised, rounded

__all__ = ["ALIASES", "MECHANISMS", "ROLES", "odds"]

#: What a mechanism looks like wherever it is drawn beside others. No two of a family share their colour, so a legend
#: that shows no marks tells them apart too; no two share dash and marker.
MECHANISMS = {
    "DE": Look("report", "-", "o"),
    "SUE": Look("neutral", "--", "s"),
    "OUE": Look("estimate", "-", "D"),
    "SHE": Look("accent", ":", "v"),
    "THE": Look("risk", "-.", "^"),
    "subset": Look("truth", "--", "P"),
    "OLH": Look("ink", "=", "*"),
    "RAPPOR": Look("neutral", ":", "x"),
    "Laplace": Look("neutral", "--", "s"),
    "Gaussian": Look("truth", "-", "o"),
    "Duchi": Look("risk", "-.", "^"),
    "Piecewise": Look("estimate", "-", "D"),
    "Hybrid": Look("report", ":", "v"),
}

#: What is true, whom one has to trust for an answer, which components are sent, what costs no privacy and what needs no
#: data: what else recurs in many chapters.
ROLES = {
    "truth": Look("truth"),
    "true": Look("truth"),
    "local": Look("estimate", "-", "o"),
    "shuffled": Look("report", "-.", "s"),
    "curator": Look("neutral", "--", "^"),
    "PCA": Look("accent", "--", "o"),
    "DCA": Look("risk", "-", "D"),
    "no privacy": Look("neutral", "-"),
    "commonest class": Look("neutral", ":"),
    "always “no”": Look("neutral", ":"),
}

#: Other names of the same.
ALIASES = {
    "RR": "DE",
    "GRR": "DE",
    "k-RR": "DE",
    "randomized response": "DE",
    "direct encoding": "DE",
    "SS": "subset",
    "k-subset": "subset",
    "LH": "OLH",
    "local hashing": "OLH",
}


def odds(epsilon: float) -> str:
    """Say what ε means, to anybody: by which factor an observer's odds may move at an epsilon.

    Examples
    --------
    >>> odds(1.1), odds(0.1), odds(8.0)
    ('odds move by at most a factor 3.01', 'odds move by at most a factor 1.11', 'odds move by at most a factor 2,981')
    """
    epsilon = check_non_negative(epsilon, "epsilon")
    if epsilon > 14:  # what matters is how many digits it has
        return f"odds move by at most a factor {raised(f'1e{math.ceil(epsilon / math.log(10))}')}"
    growth = math.expm1(epsilon)
    if growth < 0.1:
        factor = Context(prec=9, rounding=ROUND_CEILING).add(1, rounded(growth, 2, "up"))
    else:
        factor = rounded(1 + growth, max(3, len(f"{growth:.0f}")), "up")
    return f"odds move by at most a factor {factor.normalize():,f}"


register_looks({**ROLES, **MECHANISMS}, ALIASES)
# Under (ε, δ) odds may move by more: nothing is said unless the chapter says it.
register_meaning("ε", odds, ("more private", "more exact"), unless="delta")
