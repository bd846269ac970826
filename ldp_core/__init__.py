"""Local differential privacy, small enough to read: the package behind the book.

Subpackages are imported by name, so that ``import ldp_core`` costs nothing and loads nothing, not even NumPy:

* :mod:`ldp_core.frequency` -- frequency oracles: how often does each value occur?
* :mod:`ldp_core.numeric` -- numbers in [−1, 1]: what is their mean?
* :mod:`ldp_core.learn` -- classifiers from private reports, with scikit-learn's conventions
* :mod:`ldp_core.stream` -- tallies that merge, and blocks that give the same counts on any machine
* :mod:`ldp_core.optimal` -- the best ε-private channel for a question, with a certificate
* :mod:`ldp_core.plan` -- which mechanism, which ε and how many people, before anybody is asked;
  and a rehearsal on a table
* :mod:`ldp_core.shuffle` -- reports in random order, and what that is worth, as an interval
* :mod:`ldp_core.poisoning` -- liars: how far reports that are no answers can move an estimate
* :mod:`ldp_core.central` -- for contrast, a trusted curator: noise, sensitivity, accounting, selection, sparse vector
* :mod:`ldp_core.synthetic` -- rows drawn from noisy tables
* :mod:`ldp_core.audit` -- the smallest ε that a channel satisfies, exactly, or a bound for it from reports alone
* :mod:`ldp_core.postprocess` -- estimates made presentable, apart from the estimators
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ldp_core._secure import secure_rng

__all__ = ["__version__", "secure_rng"]

__version__ = "0.2.0.dev0"


def __getattr__(name: str) -> Any:
    # The one function that stands here needs NumPy, which a browser's Python loads only when a chapter asks for it.
    if name == "secure_rng":
        from ldp_core._secure import secure_rng

        return secure_rng
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
