"""What the chapters need besides :mod:`ldp_core` and :mod:`livefig`.

Subpackages are imported by name, so that ``import ldp_book`` costs nothing and loads nothing:

* :mod:`ldp_book.chapter` -- numbers for a chapter's prose, checks for its exercises
* :mod:`ldp_book.looks` -- what figures know of the subject: colours of mechanisms, what an ε means
* :mod:`ldp_book.answers` -- the picture of many answers to one question, before the truth
* :mod:`ldp_book.verdicts` -- verdicts on claims as one grid
* :mod:`ldp_book.pipeline` -- the picture of who sees what, with the trust boundary
* :mod:`ldp_book.anonymity` -- for contrast, k-anonymity and the attacks on it
* :mod:`ldp_book.datasets` -- the book's data, with packaged stand-ins
* :mod:`ldp_book.faults` -- published faults, rebuilt to be broken and mended
* :mod:`ldp_book.studies` -- long runs on the real files, stored with what they read
* :mod:`ldp_book.measured` -- what the benchmarks found
"""

__all__ = ["__version__"]

__version__ = "0.2.0.dev0"
