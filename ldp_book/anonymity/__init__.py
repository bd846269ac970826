"""What a curator can do to a table of people, and what still leaks: attacks, k-anonymity and its relatives.

Everything here takes pandas DataFrames, one row a person. No function touches the
``frame`` it is given. ``quasi_identifiers`` are the columns that an attacker may know, by default all; a missing value
counts as a value of its own. Columns that are named must be there, each once.

* :mod:`ldp_book.anonymity.identities` -- invented names, birth dates, ZIP codes and identity numbers
* :mod:`ldp_book.anonymity.attacks` -- linkage and differencing
* :mod:`ldp_book.anonymity.k_anonymity` -- k, ℓ and t of a table
* :mod:`ldp_book.anonymity.hierarchy` -- coarser values, clipped outliers, suppressed rows, and what that loses
* :mod:`ldp_book.anonymity.lattice` -- the best full-domain generalization of a small table
"""

from ldp_book.anonymity.attacks import Linkage, Uniqueness, difference, link, uniqueness
from ldp_book.anonymity.hierarchy import (
    Hierarchy,
    by_digits,
    by_prefix,
    by_tree,
    by_width,
    clip,
    generalize,
    information_loss,
    suppress,
)
from ldp_book.anonymity.identities import with_identities
from ldp_book.anonymity.k_anonymity import anonymity_level, class_sizes, is_k_anonymous, l_diversity, t_closeness
from ldp_book.anonymity.lattice import Generalization, search

__all__ = [
    "Generalization", "Hierarchy", "Linkage", "Uniqueness", "anonymity_level", "by_digits", "by_prefix", "by_tree",
    "by_width", "class_sizes", "clip", "difference", "generalize", "information_loss", "is_k_anonymous",
    "l_diversity", "link", "search", "suppress", "t_closeness", "uniqueness", "with_identities",
]  # fmt: skip
