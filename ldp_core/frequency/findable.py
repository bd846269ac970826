"""What nobody can find: a bound for every protocol that asks each person once, with ε."""

from __future__ import annotations

import math

from ldp_core._validate import check_epsilon, check_int, check_probability

__all__ = ["findable_share"]


def findable_share(epsilon: float, n: int, *, words: int, probability: float = 0.5) -> float:
    r"""Give a share below which no ε-locally private protocol finds a word with this probability.

    Parameters
    ----------
    epsilon : float
        Privacy budget ε of the one report of a person; who is asked later may be asked in the light of earlier reports.
    n : int
        People, a random sample of a population.
    words : int
        How many words it could be, all alike, at least 3.
    probability : float, default 0.5
        With what probability the protocol names it, above ln 2 / ln words, so that the bound says something.

    Notes
    -----
    Let all other people hold what they would without the word. The law of one report with the word's share θ then has
    the χ²-divergence :math:`\theta^2 \operatorname{Var}(Q_w/M)` from the law M without it, and
    :math:`e^{-\varepsilon} \le Q_w/M \le e^{\varepsilon}` with mean 1: at most
    :math:`\theta^2 (e^{\varepsilon} - 1)^2 / e^{\varepsilon}`. So many nats a report tells about the word, and Fano's
    inequality asks for *probability* · ln *words* − ln 2 in all.

    Examples
    --------
    >>> [round(findable_share(1.0, n, words=26**6), 5) for n in (10**4, 10**6, 10**9)]
    [0.02891, 0.00289, 9e-05]
    """
    kappa = 2 * math.sinh(min(check_epsilon(epsilon), 1e3) / 2)
    needed = check_probability(probability, "probability") * math.log(check_int(words, "words", 3)) - math.log(2)
    if needed <= 0:
        raise ValueError(f"probability must be above ln 2 / ln words, got {probability!r} with {words} words")
    return min(1.0, math.sqrt(needed / check_int(n, "n", 1)) / kappa)
