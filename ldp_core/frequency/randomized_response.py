"""Randomized response: one yes-or-no question, answered with deniability."""

from __future__ import annotations

import math
from typing import Any

from ldp_core.frequency.direct import DirectEncoding

__all__ = ["RandomizedResponse"]


class RandomizedResponse(DirectEncoding):
    r"""Answer a yes-or-no question truthfully with probability p, with the opposite otherwise.

    .. math::  p = \frac{e^{\varepsilon}}{e^{\varepsilon} + 1}, \qquad q = \frac{1}{e^{\varepsilon} + 1}.

    It is direct encoding of the two-element domain {False, True}: entry 1 of every vector is the count of "yes".

    References
    ----------
    S. L. Warner. Randomized response: a survey technique for eliminating evasive answer bias. JASA 60(309), 1965.

    Examples
    --------
    >>> survey = RandomizedResponse.two_coins()
    >>> round(survey.epsilon, 4), round(survey.p, 4)
    (1.0986, 0.75)
    >>> reports = survey.privatize([True, False, True, True], rng=1)
    >>> survey.aggregate(reports).sum()
    np.int64(4)
    """

    def __init__(self, epsilon: float) -> None:
        super().__init__(epsilon, domain=(False, True))

    @classmethod
    def two_coins(cls) -> RandomizedResponse:
        """Give the survey with two coins: heads, tell the truth; tails, let a second coin answer. ε = ln 3.

        The truth is told with probability 1/2 + 1/2 · 1/2 = 3/4, so p/q = 3.
        """
        return cls(math.log(3))

    def _law(self) -> dict[str, Any]:
        return {"epsilon": self.epsilon}
