"""What a curator can do to a table of people, and what still leaks: attacks, k-anonymity and its relatives.

Everything here takes pandas DataFrames, one row a person. No function touches the frame it is given.

* :mod:`ldp_core.anonymity.identities` -- invented names, birth dates, ZIP codes and identity numbers
* :mod:`ldp_core.anonymity.attacks` -- linkage and differencing
* :mod:`ldp_core.anonymity.k_anonymity` -- k, ℓ and t of a table
* :mod:`ldp_core.anonymity.generalise` -- coarser values, clipped outliers, suppressed rows, and what that loses
* :mod:`ldp_core.anonymity.search` -- the best full-domain generalisation of a small table
"""

from ldp_core.anonymity.attacks import Linkage, Uniqueness, difference, link, uniqueness
from ldp_core.anonymity.generalise import (
    Hierarchy,
    by_digits,
    by_prefix,
    by_tree,
    by_width,
    clip,
    generalise,
    information_loss,
    suppress,
)
from ldp_core.anonymity.identities import with_identities
from ldp_core.anonymity.k_anonymity import anonymity_level, class_sizes, is_k_anonymous, l_diversity, t_closeness
from ldp_core.anonymity.search import Generalisation, search

__all__ = [
    "Generalisation",
    "Hierarchy",
    "Linkage",
    "Uniqueness",
    "anonymity_level",
    "by_digits",
    "by_prefix",
    "by_tree",
    "by_width",
    "class_sizes",
    "clip",
    "difference",
    "generalise",
    "information_loss",
    "is_k_anonymous",
    "l_diversity",
    "link",
    "search",
    "suppress",
    "t_closeness",
    "uniqueness",
    "with_identities",
]
