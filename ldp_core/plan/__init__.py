"""Plan a survey before anybody is asked: which mechanism, which ε, how many people; and rehearse it on a table.

A plan (:func:`survey`) is closed forms, without a draw. A rehearsal (:func:`rehearse`) draws what a collector would
have seen if the people of a table that one already has had been asked.
"""

from ldp_core.plan._rehearsal import Rehearsal, Trial, rehearse
from ldp_core.plan._survey import Plan, Row, survey

__all__ = ["Plan", "Rehearsal", "Row", "Trial", "rehearse", "survey"]
