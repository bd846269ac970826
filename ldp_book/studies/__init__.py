"""Studies on the real files: what was computed once, on data of known checksum, and stored for every reader.

A verdict on a published claim must not depend on the data that a reader happens to have. So the long runs behind such
verdicts are made on the real files (``make study``), stored with the checksums of what they read, and shown by the
book wherever it is built; a test computes some of them again. Each study is a module of this package, and a chapter
that shows its results also runs a small piece of the same code on the data at hand.

A part of a study is a function of ``data``, the :class:`~ldp_book.datasets.Dataset` that it is about, and ``seed``,
that of one repetition; what it compares are sequences (``epsilons``, ``budgets``, ``sizes``, …). It returns columns
by name: arrays with one axis for each of these, in the order of its STUDY.

>>> from ldp_book import studies
>>> for name in studies.names():
...     study = studies.load(name)
"""

from ldp_book.studies.stored import Study, Table, load, names

__all__ = ["Study", "Table", "load", "names"]
