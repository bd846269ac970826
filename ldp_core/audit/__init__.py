"""Audit a mechanism: the ε it really has, by its exact channel or, where only its reports can be had, by those.

* :func:`exact_epsilon`, :func:`exact_delta`, :func:`density_epsilon`, :func:`worst_pair` -- from the law of the output
* :func:`lower_bound`, :func:`samples_needed` -- from runs of a client that nobody can read; also
  on the command line, ``python -m ldp_core.audit module:function --inputs 0 1 --epsilon 1``
* :func:`posterior` -- what one report tells an observer
* :func:`trade_off` -- what any attacker can reach: missed detections against false alarms
"""

from ldp_core.audit.attackers import trade_off
from ldp_core.audit.exact import WorstPair, density_epsilon, exact_delta, exact_epsilon, posterior, worst_pair
from ldp_core.audit.sampled import LowerBound, lower_bound, samples_needed

__all__ = [
    "LowerBound", "WorstPair", "density_epsilon", "exact_delta", "exact_epsilon", "lower_bound",
    "posterior", "samples_needed", "trade_off", "worst_pair",
]  # fmt: skip
