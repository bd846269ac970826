"""Local differential privacy, small enough to read: the package behind the book.

Subpackages are imported by name, so that ``import ldp_core`` costs nothing and needs nothing but NumPy:

* :mod:`ldp_core.frequency` -- frequency oracles: how often does each value occur?
* :mod:`ldp_core.numeric` -- numbers in [−1, 1]: what is their mean?
* :mod:`ldp_core.learn` -- classifiers from private reports, with scikit-learn's conventions
* :mod:`ldp_core.stream` -- tallies that merge, and blocks that give the same counts on any machine
* :mod:`ldp_core.central` -- for contrast, a trusted curator: noise, sensitivity, accounting, selection, sparse vector
* :mod:`ldp_core.anonymity` -- for contrast, k-anonymity and the attacks on it
* :mod:`ldp_core.synthetic` -- rows drawn from noisy tables
* :mod:`ldp_core.audit` -- the smallest ε that a channel satisfies, exactly
* :mod:`ldp_core.postprocess` -- estimates made presentable, apart from the estimators
* :mod:`ldp_core.exhibits` -- published faults, rebuilt to be broken and mended
* :mod:`ldp_core.datasets` -- the book's data, with packaged stand-ins
* :mod:`ldp_core.live` -- one slider for the static page, the kernel and the browser
* :mod:`ldp_core.chapter` -- numbers for a chapter's prose, checks for its exercises
"""

__version__ = "0.1.0"
